"""What must hold for a rendered deployment: the service against its settings, and all that the other files check."""

from collections.abc import Iterator
from pathlib import Path

from tarneeb_service.server import settings as ops
from tools.check_deploy import alerting, envoy_config, network, workloads
from tools.check_deploy.documents import (
    COMBINATIONS,
    K8S,
    OVERLAYS,
    ROOT,
    Document,
    bytes_of,
    container,
    find,
    pod_of,
    render,
    render_all,
)
from tools.check_deploy.schemas import VERSIONS, schema_problems

__all__ = [
    "COMBINATIONS",
    "K8S",
    "OVERLAYS",
    "ROOT",
    "VERSIONS",
    "Document",
    "container",
    "find",
    "problems",
    "render",
    "render_all",
    "schema_problems",
    "settings_of",
]
# Between SIGKILL and the last call that could still end well.
SPARE_SECONDS = 5
# A service that was warmed up; how often a message is there while it waits; what it takes as objects, in times its
# length, of a call and of a replay that is worked on; a connection. All measured with the worst content that was found:
# `python -m bench.attacks`.
IDLE_BYTES = 75_000_000
COPIES, WORKED_TIMES, REPLAYED_TIMES, REPLAYS = 3, 60, 25, 2
CONNECTION_BYTES = 18_000
# The longest snapshot that is kept, and its state.
REMEMBERED_BYTES = 6_000


def settings_of(documents: list[Document]) -> tuple[ops.Settings, list[str]]:
    """The settings as the service would read them, and what is wrong with the variables."""
    one = container(find(documents, "Deployment", "tarneeb"))
    data = dict(find(documents, "ConfigMap", "tarneeb-settings")["data"])
    # A pod's own variables win over those of its ConfigMap.
    data.update({each["name"]: each["value"] for each in one.get("env", []) if "value" in each})
    mounted = [mount["mountPath"] for mount in one.get("volumeMounts", [])]
    problems = []
    for setting in ops.setting_fields():
        name = ops.variable(setting.name)
        # The files are there in the cluster only; here it counts that something is mounted where they are.
        if setting.metadata.get("file") and data.get(name):
            if str(Path(data[name]).parent) not in mounted:
                problems.append(f"{name} is {data[name]}, but nothing is mounted there")
            # Any file that can be read, so that it is still checked which ones go together.
            data[name] = __file__
    try:
        loaded = ops.load(data, {})
    except ops.SettingsError as error:
        return ops.Settings(), [*problems, str(error)]
    problems += [f"{name} is no setting" for name in loaded.unknown]
    if not loaded.settings.health_port:
        problems.append("TARNEEB_HEALTH_PORT must be set: probes that wait behind calls end a busy pod")
    return loaded.settings, problems


def problems(documents: list[Document]) -> Iterator[str]:
    """What is wrong with a rendered deployment."""
    settings, found = settings_of(documents)
    yield from found
    deployment = find(documents, "Deployment", "tarneeb")
    yield from _ports(deployment, settings)
    yield from _probes(deployment, settings)
    yield from _shutdown(deployment, settings)
    yield from _memory(deployment, settings)
    yield from workloads.problems(documents)
    yield from network.problems(documents, settings.port, settings.health_port, settings.metrics_port)
    yield from envoy_config.problems(documents, settings.max_message_bytes)
    yield from alerting.problems(documents)


def _ports(deployment: Document, settings: ops.Settings) -> Iterator[str]:
    ports = {port["name"]: port["containerPort"] for port in container(deployment)["ports"]}
    wanted = {"grpc": settings.port, "health": settings.health_port, "metrics": settings.metrics_port}
    if ports != wanted:
        yield f"container ports are {ports}, the settings say {wanted}"
    # A Service named tarneeb makes a variable TARNEEB_PORT=tcp://... in every pod of its namespace.
    if pod_of(deployment).get("enableServiceLinks") is not False:
        yield "enableServiceLinks must be false, or TARNEEB_PORT is the Service's address"


def _probes(deployment: Document, settings: ops.Settings) -> Iterator[str]:
    services = {"startupProbe": "", "readinessProbe": "", "livenessProbe": "liveness"}
    for probe, service in services.items():
        grpc = container(deployment).get(probe, {}).get("grpc", {})
        if type(grpc.get("port")) is not int:
            yield f"{probe} must be gRPC with a numeric port"
        elif grpc["port"] != settings.health_port:
            yield f"{probe} asks port {grpc['port']}, health is on {settings.health_port}"
        if grpc.get("service", "") != service:
            yield f"{probe} asks for {grpc.get('service', '')!r}, not {service!r}"


def _shutdown(deployment: Document, settings: ops.Settings) -> Iterator[str]:
    pod = pod_of(deployment)
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


def worst_memory(settings: ops.Settings) -> int:
    """The most that a process takes: itself, the messages of all calls at once, and those that are worked on."""
    waiting = COPIES * (settings.max_calls + settings.max_replays)
    worked_on = WORKED_TIMES * settings.threads + REPLAYED_TIMES * REPLAYS
    messages = (waiting + worked_on) * settings.max_message_bytes
    remembered = REMEMBERED_BYTES * settings.memory_games
    return IDLE_BYTES + messages + CONNECTION_BYTES * settings.max_connections + remembered


def _memory(deployment: Document, settings: ops.Settings) -> Iterator[str]:
    limit = container(deployment)["resources"].get("limits", {}).get("memory", "0")
    needed = worst_memory(settings)
    if bytes_of(limit) < needed:
        yield (
            f"the memory limit {limit} is below {-(-needed // 2**20)}Mi, what {settings.max_calls} calls of "
            f"{settings.max_message_bytes} bytes and {settings.threads} threads may take"
        )
