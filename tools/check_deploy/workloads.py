"""What must hold for Deployments and for what belongs to them: budgets, autoscalers, accounts, files, namespaces."""

from collections.abc import Iterator
from pathlib import Path

from tools.check_deploy.documents import (
    Document,
    bytes_of,
    container,
    find,
    labels_of,
    of_kind,
    pod_of,
    title,
)

# The keys that the Secrets have, as deploy/README.md says; they are made in the cluster, not here.
SECRET_KEYS = {"tarneeb-tls": {"tls.crt", "tls.key", "ca.crt"}, "tarneeb-tokens": {"tokens"}}
GROUP_READS, OTHERS_READ = 0o040, 0o004
# A pod that is alive and busy may be slow to say so; one that starts takes a second or two.
LIVENESS_SECONDS, LIVENESS_TIMEOUT, STARTUP_SECONDS, READINESS_SECONDS = 20, 2, 20, 10


def problems(documents: list[Document]) -> Iterator[str]:
    """What is wrong with the workloads of a rendered deployment."""
    yield from _namespace(documents)
    for deployment in of_kind(documents, "Deployment"):
        yield from hardening(deployment)
        yield from _rolling(deployment)
        yield from _probe_times(deployment)
        yield from _spread(deployment)
        yield from _references(deployment, documents)
        yield from _secrets(deployment, documents)
        yield from _selectors(deployment, documents)
    for account in of_kind(documents, "ServiceAccount"):
        if account.get("automountServiceAccountToken") is not False:
            yield f"{title(account)} mounts its token"
    for autoscaler in of_kind(documents, "HorizontalPodAutoscaler"):
        yield from _autoscaler(autoscaler, documents)
    for budget in of_kind(documents, "PodDisruptionBudget"):
        yield from _budget(budget, documents)


def _namespace(documents: list[Document]) -> Iterator[str]:
    spaces = of_kind(documents, "Namespace")
    used = {each["metadata"].get("namespace") for each in documents if each["kind"] != "Namespace"}
    if len(used) > 1:
        yield f"objects are in several namespaces: {sorted(map(str, used))}"
    for space in spaces:
        if space["metadata"]["name"] not in used:
            yield f"{title(space)} is empty"
        if space["metadata"].get("labels", {}).get("pod-security.kubernetes.io/enforce") != "restricted":
            yield f"{title(space)} does not enforce the standard `restricted`"


def hardening(deployment: Document) -> Iterator[str]:
    """What a Deployment's or Job's pods are allowed beyond what they need."""
    pod, one = pod_of(deployment), container(deployment)
    requests, limits = one["resources"]["requests"], one["resources"].get("limits", {})
    wanted = {
        "runAsNonRoot": pod["securityContext"].get("runAsNonRoot") is True,
        "a numeric runAsUser above 0": pod["securityContext"].get("runAsUser", 0) > 0,
        "seccomp RuntimeDefault": pod["securityContext"].get("seccompProfile") == {"type": "RuntimeDefault"},
        "readOnlyRootFilesystem": one["securityContext"].get("readOnlyRootFilesystem") is True,
        "no privilege escalation": one["securityContext"].get("allowPrivilegeEscalation") is False,
        "all capabilities dropped": one["securityContext"].get("capabilities") == {"drop": ["ALL"]},
        "no privileged container": not one["securityContext"].get("privileged"),
        "no namespace of the node's": not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys(),
        "no folder of the node's": not any("hostPath" in volume for volume in pod.get("volumes", [])),
        "no service account token": pod.get("automountServiceAccountToken") is False,
        "a CPU request and no limit": "cpu" in requests and "cpu" not in limits,
        "a memory request and a limit above it": 0
        < bytes_of(requests.get("memory", "0"))
        <= bytes_of(limits.get("memory", "0")),
        "a fixed image tag": one["image"].rpartition("/")[2].partition(":")[2] not in ("", "latest", "unset"),
        "a pull policy that keeps what is there": one.get("imagePullPolicy") == "IfNotPresent",
    }
    for what, there in wanted.items():
        if not there:
            yield f"{title(deployment)}: {what} is missing"


def _rolling(deployment: Document) -> Iterator[str]:
    strategy = deployment["spec"].get("strategy", {})
    rolling = strategy.get("rollingUpdate", {})
    if strategy.get("type") != "RollingUpdate" or rolling.get("maxUnavailable") != 0:
        yield f"{title(deployment)}: a rolling update must add a pod before it takes one"
    if rolling.get("maxSurge") in (0, "0", "0%"):
        yield f"{title(deployment)}: with maxSurge and maxUnavailable both 0 no update can start"


def _probe_times(deployment: Document) -> Iterator[str]:
    def seconds(probe: Document) -> int:
        return int(probe.get("periodSeconds", 10)) * int(probe.get("failureThreshold", 3))

    one, name = container(deployment), title(deployment)
    liveness, readiness, startup = (
        one.get(probe) for probe in ("livenessProbe", "readinessProbe", "startupProbe")
    )
    if liveness is None or readiness is None:
        yield f"{name} needs a probe for readiness and one for liveness"
        return
    if (
        liveness.get("failureThreshold", 3) < 3
        or seconds(liveness) < LIVENESS_SECONDS
        or liveness.get("timeoutSeconds", 1) < LIVENESS_TIMEOUT
    ):
        yield f"{name}: liveness ends a pod that is only slow"
    if seconds(readiness) > READINESS_SECONDS:
        yield f"{name}: readiness takes {seconds(readiness)} s to see that a pod is gone"
    if startup is not None and seconds(startup) < STARTUP_SECONDS:
        yield f"{name}: a start has {seconds(startup)} s only"


def _spread(deployment: Document) -> Iterator[str]:
    spread = pod_of(deployment).get("topologySpreadConstraints", [])
    if not spread:
        yield f"{title(deployment)}: topology spread is missing"
    for each in spread:
        selector = each.get("labelSelector", {}).get("matchLabels", {})
        if not selector or not selector.items() <= labels_of(deployment).items():
            yield f"{title(deployment)}: topology spread counts pods of {selector}, not its own"


def _references(deployment: Document, documents: list[Document]) -> Iterator[str]:
    """Whether accounts, ConfigMaps and volumes that are named are there."""
    pod, one = pod_of(deployment), container(deployment)
    names = {(each["kind"], each["metadata"]["name"]) for each in documents}
    volumes = {volume["name"]: volume for volume in pod.get("volumes", [])}
    wanted = [("ServiceAccount", pod.get("serviceAccountName", "default"))]
    wanted += [
        ("ConfigMap", source["configMapRef"]["name"])
        for source in one.get("envFrom", [])
        if "configMapRef" in source
    ]
    wanted += [
        ("ConfigMap", volume["configMap"]["name"]) for volume in volumes.values() if "configMap" in volume
    ]
    for kind, name in wanted:
        if (kind, name) not in names:
            yield f"{title(deployment)} needs {kind}/{name}, which is not there"
    for mount in one.get("volumeMounts", []):
        if mount["name"] not in volumes:
            yield f"{title(deployment)} mounts a volume {mount['name']}, which is not there"


def _secrets(deployment: Document, documents: list[Document]) -> Iterator[str]:
    """Whether the files that settings name are keys of a Secret that the pod's user can read."""
    pod, one = pod_of(deployment), container(deployment)
    volumes = {volume["name"]: volume["secret"] for volume in pod.get("volumes", []) if "secret" in volume}
    mounts = {
        mount["mountPath"]: volumes[mount["name"]]
        for mount in one.get("volumeMounts", [])
        if mount["name"] in volumes
    }
    for name, secret in volumes.items():
        if secret.get("secretName") not in SECRET_KEYS:
            yield f"{title(deployment)}: nobody makes the Secret {secret.get('secretName')}"
        mode = secret.get("defaultMode", 0o644)
        if not mode & GROUP_READS or "fsGroup" not in pod["securityContext"]:
            yield f"{title(deployment)}: the pod's user can't read the volume {name}"
        if mode & OTHERS_READ:
            yield f"{title(deployment)}: everybody can read the volume {name}"
    for source in one.get("envFrom", []):
        settings = (
            find(documents, "ConfigMap", "tarneeb-settings")["data"] if "configMapRef" in source else {}
        )
        for variable, value in settings.items():
            path = Path(value)
            if not variable.endswith("_FILE") or str(path.parent) not in mounts:
                continue
            secret = mounts[str(path.parent)]
            keys = {item["path"] for item in secret.get("items", [])} or SECRET_KEYS.get(
                secret["secretName"], set()
            )
            if path.name not in keys:
                yield f"{variable} is {value}, but the Secret {secret['secretName']} has {sorted(keys)} there"


def _selectors(deployment: Document, documents: list[Document]) -> Iterator[str]:
    """Whether what belongs to a Deployment finds its pods."""
    name, labels = deployment["metadata"]["name"], labels_of(deployment)
    for document in documents:
        mine = document["metadata"]["name"] in (name, f"{name}-headless")
        kind, spec = document["kind"], document.get("spec", {})
        selector = None
        if kind == "Service" and mine:
            selector = spec.get("selector", {})
        elif kind in ("PodDisruptionBudget", "Deployment") and mine:
            selector = spec["selector"].get("matchLabels", {})
        elif kind == "NetworkPolicy" and mine:
            selector = spec["podSelector"].get("matchLabels", {})
        if selector is not None and (not selector or not selector.items() <= labels.items()):
            yield f"{title(document)} selects {selector}, the pods have {labels}"


def _autoscaler(autoscaler: Document, documents: list[Document]) -> Iterator[str]:
    spec = autoscaler["spec"]
    target = spec["scaleTargetRef"]
    try:
        deployment = find(documents, target["kind"], target["name"])
    except KeyError:
        yield f"{title(autoscaler)} scales {target['kind']}/{target['name']}, which is not there"
        return
    if target.get("apiVersion") != deployment["apiVersion"]:
        yield f"{title(autoscaler)} scales an {target.get('apiVersion')} {target['kind']}"
    if "replicas" in deployment["spec"]:
        yield f"{title(deployment)} says how many replicas there are, and so does {title(autoscaler)}"
    least, most = spec.get("minReplicas", 1), spec["maxReplicas"]
    if not 2 <= least < most:
        yield f"{title(autoscaler)} goes from {least} to {most} replicas"
    if not spec.get("metrics"):
        yield f"{title(autoscaler)} has no metric"
    for metric in spec.get("metrics", []):
        resource = metric.get("resource", {})
        # Other types need an adapter that nobody installs here.
        if (
            metric["type"] != "Resource"
            or resource.get("name") not in container(deployment)["resources"]["requests"]
        ):
            yield f"{title(autoscaler)} goes by {resource.get('name', metric['type'])}, which no pod requests"
        elif not 20 <= resource["target"].get("averageUtilization", 0) <= 80:
            yield f"{title(autoscaler)} aims at {resource['target']}, which leaves no room or never scales down"


def _budget(budget: Document, documents: list[Document]) -> Iterator[str]:
    spec = budget["spec"]
    selector = spec["selector"].get("matchLabels", {})
    mine = [
        each
        for each in of_kind(documents, "Deployment")
        if selector and selector.items() <= labels_of(each).items()
    ]
    if len(mine) != 1:
        yield f"{title(budget)} is for {len(mine)} Deployments"
        return
    least = mine[0]["spec"].get("replicas")
    for autoscaler in of_kind(documents, "HorizontalPodAutoscaler"):
        if autoscaler["spec"]["scaleTargetRef"]["name"] == mine[0]["metadata"]["name"]:
            least = autoscaler["spec"].get("minReplicas", 1)
    blocked = str(spec.get("maxUnavailable", "1")) in ("0", "0%")
    available = spec.get("minAvailable", 0)
    if isinstance(available, str):
        blocked = blocked or available == "100%"
    elif least is None or available >= least:
        blocked = blocked or available > 0
    if blocked:
        yield f"{title(budget)} lets no pod go, so no node can be emptied"
    if spec.get("unhealthyPodEvictionPolicy") != "AlwaysAllow":
        yield f"{title(budget)}: a pod that never gets ready keeps its node from being emptied"
