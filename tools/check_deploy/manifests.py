"""Rendering the overlays, and what must hold for the result."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import yaml

from tarneeb_service.server import settings as ops

ROOT = Path(__file__).resolve().parent.parent.parent
KUBECTL = ROOT / ".venv/bin/kubectl"
K8S = ROOT / "deploy/k8s"
OVERLAYS = ("development", "production")
# Combinations that no overlay has, but a team may want.
COMBINATIONS = {
    "tls": ("monitoring", "tls"),
    "mutual-tls": ("monitoring", "mutual-tls"),
    "tls-tokens": ("monitoring", "tls", "tokens"),
    "mutual-tls-tokens": ("monitoring", "mutual-tls", "tokens"),
}
# A span; what is in none of them is the Prometheus operator's.
VERSIONS = ("1.29", "1.32", "1.35", "1.37")
OPERATOR_KINDS = {"ServiceMonitor", "PodMonitor", "PrometheusRule"}
# Between SIGKILL and the last call that could still end well.
SPARE_SECONDS = 5
# A service that was warmed up; how often a message is there while it waits, since gRPC has it too; what it
# becomes, in times its length, while a thread has it as objects; and how many threads there are to one of
# TARNEEB_THREADS while all are busy, spare ones and calls that ended but are not counted yet included.
# docs/operations.md reckons the same way and says what was measured.
IDLE_BYTES = 75_000_000
COPIES = 2
PARSED_TIMES = 30
SPARE_TIMES = 4
UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}

Document = dict[str, Any]


def render(folder: Path) -> list[Document]:
    """What kustomize makes of a folder."""
    done = subprocess.run(
        [str(KUBECTL), "kustomize", str(folder)], capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{folder}: {done.stderr.strip()}")
    return list(yaml.safe_load_all(done.stdout))


def render_all() -> dict[str, list[Document]]:
    """Every overlay and combination by name."""
    rendered = {name: render(K8S / "overlays" / name) for name in OVERLAYS}
    for name, components in COMBINATIONS.items():
        with tempfile.TemporaryDirectory() as folder:
            # kustomize takes relative paths only, and resolves links before it does.
            base = os.path.relpath(K8S, Path(folder).resolve())
            content = {
                "resources": [f"{base}/base"],
                "components": [f"{base}/components/{component}" for component in components],
                "images": [{"name": "tarneeb-service", "newTag": "0.1.0"}],
            }
            (Path(folder) / "kustomization.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
            rendered[name] = render(Path(folder))
    return rendered


def schema_problems(documents: list[Document], version: str) -> Iterator[str]:
    """Where documents break the strict schema of a Kubernetes version."""
    for document in documents:
        if document["kind"] in OPERATOR_KINDS:
            continue
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except (
            kubernetes_validate.ValidationError,
            kubernetes_validate.SchemaNotFoundError,
            kubernetes_validate.InvalidSchemaError,
        ) as error:
            yield f"{title(document)} on {version}: {getattr(error, 'message', error)}"


def title(document: Document) -> str:
    return f"{document['kind']}/{document['metadata']['name']}"


def find(documents: list[Document], kind: str, name: str) -> Document:
    """The document of a kind whose name, a generated hash aside, is the given one.

    Raises:
        KeyError: There is none.
    """
    for document in documents:
        found = document["metadata"]["name"]
        if document["kind"] == kind and (found == name or (kind == "ConfigMap" and found[:-11] == name)):
            return document
    raise KeyError(f"{kind}/{name}")


def container(deployment: Document) -> Document:
    only: Document = deployment["spec"]["template"]["spec"]["containers"][0]
    return only


def settings_of(documents: list[Document]) -> tuple[ops.Settings, list[str]]:
    """The settings as the service would read them, and what is wrong with the variables."""
    one = container(find(documents, "Deployment", "tarneeb"))
    data = dict(find(documents, "ConfigMap", "tarneeb-settings")["data"])
    # A pod's own variables win over those of its ConfigMap.
    data.update({each["name"]: each["value"] for each in one.get("env", []) if "value" in each})
    mounted = [mount["mountPath"] for mount in one.get("volumeMounts", [])]
    problems = []
    files = False
    for setting in ops.setting_fields():
        name = ops.variable(setting.name)
        # The files are there in the cluster only; here it counts that something is mounted where they are.
        if setting.metadata.get("file") and data.get(name):
            files = True
            if str(Path(data[name]).parent) not in mounted:
                problems.append(f"{name} is {data[name]}, but nothing is mounted there")
            # Any file that can be read, so that it is still checked which ones go together.
            data[name] = __file__
    try:
        loaded = ops.load(data, {})
    except ops.SettingsError as error:
        return ops.Settings(), [*problems, str(error)]
    problems += [f"{name} is no setting" for name in loaded.unknown]
    if files and not loaded.settings.health_port:
        problems.append("TLS or tokens are on without TARNEEB_HEALTH_PORT: native probes can do neither")
    return loaded.settings, problems


def problems(documents: list[Document]) -> Iterator[str]:
    """What is wrong with a rendered deployment."""
    settings, found = settings_of(documents)
    yield from found
    deployment = find(documents, "Deployment", "tarneeb")
    yield from _ports(documents, deployment, settings)
    yield from _probes(deployment, settings)
    yield from _shutdown(deployment, settings)
    yield from _memory(deployment, settings)
    yield from _gateway(documents, settings)
    for document in documents:
        if document["kind"] == "Deployment":
            yield from _hardening(document)
            yield from _selectors(document, documents)
        if document["kind"] == "ServiceAccount" and document.get("automountServiceAccountToken") is not False:
            yield f"{title(document)} mounts its token"


def _ports(documents: list[Document], deployment: Document, settings: ops.Settings) -> Iterator[str]:
    ports = {port["name"]: port["containerPort"] for port in container(deployment)["ports"]}
    wanted = {"grpc": settings.port, "metrics": settings.metrics_port}
    if settings.health_port:
        wanted["health"] = settings.health_port
    if ports != wanted:
        yield f"container ports are {ports}, the settings say {wanted}"
    headless = find(documents, "Service", "tarneeb-headless")
    if headless["spec"]["clusterIP"] != "None":
        yield "Service/tarneeb-headless is not headless"
    if {port["name"] for port in headless["spec"]["ports"]} != {"grpc", "metrics"}:
        yield "Service/tarneeb-headless lacks a port"
    allowed = {
        port["port"]
        for rule in find(documents, "NetworkPolicy", "tarneeb")["spec"]["ingress"]
        for port in rule["ports"]
    }
    if allowed != {settings.port, settings.metrics_port}:
        yield f"NetworkPolicy/tarneeb lets {allowed} in"
    # A Service named tarneeb makes a variable TARNEEB_PORT=tcp://... in every pod of its namespace.
    if deployment["spec"]["template"]["spec"].get("enableServiceLinks") is not False:
        yield "enableServiceLinks must be false, or TARNEEB_PORT is the Service's address"


def _probes(deployment: Document, settings: ops.Settings) -> Iterator[str]:
    port = settings.health_port or settings.port
    services = {"startupProbe": "", "readinessProbe": "", "livenessProbe": "liveness"}
    for probe, service in services.items():
        grpc = container(deployment).get(probe, {}).get("grpc", {})
        if type(grpc.get("port")) is not int:
            yield f"{probe} must be gRPC with a numeric port"
        elif grpc["port"] != port:
            yield f"{probe} asks port {grpc['port']}, health is on {port}"
        if grpc.get("service", "") != service:
            yield f"{probe} asks for {grpc.get('service', '')!r}, not {service!r}"


def _shutdown(deployment: Document, settings: ops.Settings) -> Iterator[str]:
    pod = deployment["spec"]["template"]["spec"]
    before = container(deployment).get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
    if before < 2:
        yield "preStop must sleep while endpoints update"
    needed = before + settings.drain_seconds + settings.grace_seconds
    allowed = pod.get("terminationGracePeriodSeconds", 30)
    if needed + SPARE_SECONDS > allowed:
        yield (
            f"preStop {before} + drain {settings.drain_seconds} + grace {settings.grace_seconds} s "
            f"must be {SPARE_SECONDS} s below terminationGracePeriodSeconds {allowed}"
        )
    rolling = deployment["spec"]["strategy"]["rollingUpdate"]
    if rolling["maxUnavailable"] != 0:
        yield "a rolling update must add a pod before it takes one"


def bytes_of(quantity: str) -> int:
    """A Kubernetes quantity of memory, such as 448Mi, in bytes."""
    number = quantity.rstrip("kMGi")
    return int(float(number) * UNITS[quantity[len(number) :]])


def worst_memory(settings: ops.Settings) -> int:
    """The most that a process takes: itself, the messages of all calls at once, and those that are worked on."""
    waiting = COPIES * settings.max_calls
    worked_on = PARSED_TIMES * SPARE_TIMES * settings.threads
    return IDLE_BYTES + (waiting + worked_on) * settings.max_message_bytes


def _memory(deployment: Document, settings: ops.Settings) -> Iterator[str]:
    limit = container(deployment)["resources"].get("limits", {}).get("memory", "0")
    needed = worst_memory(settings)
    if bytes_of(limit) < needed:
        yield (
            f"the memory limit {limit} is below {-(-needed // 2**20)}Mi, what {settings.max_calls} calls of "
            f"{settings.max_message_bytes} bytes and {settings.threads} threads may take"
        )


def _gateway(documents: list[Document], settings: ops.Settings) -> Iterator[str]:
    """Whether Envoy, where there is one, lets through what the service takes, and sheds before it is killed."""
    try:
        deployment = find(documents, "Deployment", "tarneeb-gateway")
    except KeyError:
        return
    config = yaml.safe_load(find(documents, "ConfigMap", "tarneeb-gateway")["data"]["envoy.yaml"])
    calls = config["static_resources"]["listeners"][0]["filter_chains"][0]["filters"][0]["typed_config"]
    for each in calls["http_filters"]:
        for key in ("max_request_body_size", "max_request_bytes"):
            longest = each["typed_config"].get(key)
            if longest is not None and longest < settings.max_message_bytes:
                yield f"{each['name']} takes {longest} bytes, the service {settings.max_message_bytes}"
    (heap,) = (
        monitor["typed_config"]["max_heap_size_bytes"]
        for monitor in config["overload_manager"]["resource_monitors"]
        if monitor["name"] == "envoy.resource_monitors.fixed_heap"
    )
    limit = container(deployment)["resources"].get("limits", {}).get("memory", "0")
    if heap > bytes_of(limit) * 3 // 4:
        yield f"Envoy's heap of {heap} bytes leaves no quarter of its memory limit {limit}"


def _hardening(deployment: Document) -> Iterator[str]:
    pod = deployment["spec"]["template"]["spec"]
    one = container(deployment)
    requests, limits = one["resources"]["requests"], one["resources"].get("limits", {})
    wanted = {
        "runAsNonRoot": pod["securityContext"].get("runAsNonRoot") is True,
        "a numeric runAsUser above 0": pod["securityContext"].get("runAsUser", 0) > 0,
        "seccomp RuntimeDefault": pod["securityContext"].get("seccompProfile") == {"type": "RuntimeDefault"},
        "readOnlyRootFilesystem": one["securityContext"].get("readOnlyRootFilesystem") is True,
        "no privilege escalation": one["securityContext"].get("allowPrivilegeEscalation") is False,
        "all capabilities dropped": one["securityContext"].get("capabilities") == {"drop": ["ALL"]},
        "no service account token": pod.get("automountServiceAccountToken") is False,
        "a CPU request and no limit": "cpu" in requests and "cpu" not in limits,
        "a memory request and a limit above it": 0
        < bytes_of(requests.get("memory", "0"))
        <= bytes_of(limits.get("memory", "0")),
        "topology spread": bool(pod.get("topologySpreadConstraints")),
        "a fixed image tag": one["image"].rpartition("/")[2].partition(":")[2] not in ("", "latest", "unset"),
    }
    for what, there in wanted.items():
        if not there:
            yield f"{title(deployment)}: {what} is missing"


def _selectors(deployment: Document, documents: list[Document]) -> Iterator[str]:
    """Whether what belongs to a Deployment finds its pods."""
    name = deployment["metadata"]["name"]
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    for document in documents:
        mine = document["metadata"]["name"] in (name, f"{name}-headless")
        kind, spec = document["kind"], document.get("spec", {})
        selector = None
        if kind == "Service" and mine:
            selector = spec["selector"]
        elif kind in ("PodDisruptionBudget", "Deployment") and mine:
            selector = spec["selector"]["matchLabels"]
        elif kind == "NetworkPolicy" and mine:
            selector = spec["podSelector"]["matchLabels"]
        if selector is not None and not selector.items() <= labels.items():
            yield f"{title(document)} selects {selector}, the pods have {labels}"
