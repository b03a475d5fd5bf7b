"""Mistakes in Kubernetes' own objects."""

from tests.deploy.mistakes.places import (
    TOKENS,
    Documents,
    Mistake,
    budget,
    by_name,
    deployment,
    edge,
    gateway,
    headless,
    hpa,
    one,
    policy,
    settings,
)
from tools.check_deploy.documents import find, pod_of


def swap_ports(documents: Documents) -> None:
    calls, scrapes, _health = policy(documents)["ingress"]
    calls["ports"], scrapes["ports"] = scrapes["ports"], calls["ports"]


def without_dns(documents: Documents) -> None:
    rules = edge(documents)["egress"]
    rules[:] = [rule for rule in rules if rule["ports"][0]["port"] != 53]


KUBERNETES: dict[str, Mistake] = {
    "autoscaler: misspelt target": Mistake(
        lambda d: hpa(d)["scaleTargetRef"].update(name="tarneb"), "tarneb, which is not there"
    ),
    "autoscaler: another kind": Mistake(
        lambda d: hpa(d)["scaleTargetRef"].update(kind="StatefulSet"), "which is not there"
    ),
    "autoscaler: another API": Mistake(
        lambda d: hpa(d)["scaleTargetRef"].update(apiVersion="apps/v1beta1"), "scales an apps/v1beta1"
    ),
    "autoscaler: absent metric": Mistake(
        lambda d: hpa(d)["metrics"][0]["resource"].update(name="gpu"), "goes by gpu"
    ),
    "autoscaler: a metric that needs an adapter": Mistake(
        lambda d: hpa(d).update(metrics=[{"type": "Pods", "pods": {"metric": {"name": "calls"}}}]),
        "goes by Pods",
    ),
    "autoscaler: no metric": Mistake(lambda d: hpa(d).pop("metrics"), "has no metric"),
    "autoscaler: no room": Mistake(
        lambda d: hpa(d)["metrics"][0]["resource"]["target"].update(averageUtilization=100), "leaves no room"
    ),
    "autoscaler: one replica": Mistake(lambda d: hpa(d).update(minReplicas=1), "goes from 1"),
    "autoscaler: most below least": Mistake(lambda d: hpa(d).update(maxReplicas=2), "goes from 3 to 2"),
    "replicas beside the autoscaler": Mistake(
        lambda d: deployment(d)["spec"].update(replicas=2), "says how many replicas"
    ),
    "policy: ports swapped": Mistake(swap_ports, "does not let through: namespaces"),
    "policy: scrapes from elsewhere": Mistake(
        lambda d: policy(d)["ingress"][1]["from"][0]["namespaceSelector"]["matchLabels"].update(
            {"kubernetes.io/metadata.name": "monitor"}
        ),
        "monitor on TCP 9464",
    ),
    "policy: any namespace": Mistake(
        lambda d: policy(d)["ingress"][0]["from"].append({"namespaceSelector": {}}),
        "lets through: namespaces all",
    ),
    "policy: anyone": Mistake(lambda d: policy(d)["ingress"][0].pop("from"), "lets through: anyone"),
    "policy: UDP": Mistake(lambda d: policy(d)["ingress"][0]["ports"][0].update(protocol="UDP"), "UDP 50051"),
    "policy: another label": Mistake(
        lambda d: policy(d)["ingress"][0]["from"][0]["podSelector"]["matchLabels"].update(
            {"tarneeb-client": "yes"}
        ),
        "lets through: pods tarneeb-client=yes",
    ),
    "policy: Envoy can't ask for health": Mistake(
        lambda d: policy(d)["ingress"].pop(), "tarneeb-gateway on TCP 50052"
    ),
    "policy: nothing is forbidden to go out": Mistake(
        lambda d: policy(d).update(policyTypes=["Ingress"]), "(out) lets through: anyone"
    ),
    "policy: selects nobody": Mistake(
        lambda d: policy(d)["podSelector"]["matchLabels"].update({"app.kubernetes.io/component": "servce"}),
        "NetworkPolicy/tarneeb selects",
    ),
    "gateway's policy: no DNS": Mistake(without_dns, "lets no DNS out"),
    "gateway's policy: DNS by TCP only": Mistake(
        lambda d: edge(d)["egress"][1]["ports"].pop(0), "lets no DNS out"
    ),
    "gateway's policy: no way to the service": Mistake(
        lambda d: edge(d)["egress"][0]["ports"].pop(0), "(out) does not let through"
    ),
    "gateway's policy: everywhere": Mistake(
        lambda d: edge(d)["egress"].append({"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}]}),
        "(out) lets through: addresses",
    ),
    "gateway's policy: calls from inside only": Mistake(
        lambda d: edge(d)["ingress"][0].update({"from": [{"podSelector": {}}]}),
        "does not let through: anyone",
    ),
    "gateway's policy: everybody scrapes": Mistake(
        lambda d: edge(d)["ingress"][1].pop("from"), "lets through: anyone on TCP 9902"
    ),
    "gateway lacks the callers' label": Mistake(
        lambda d: gateway(d)["spec"]["template"]["metadata"]["labels"].pop("tarneeb-client"), "lets it call"
    ),
    "budget: none may go": Mistake(lambda d: budget(d).update(maxUnavailable=0), "lets no pod go"),
    "budget: none may go, in percent": Mistake(
        lambda d: budget(d).update(maxUnavailable="0%"), "lets no pod go"
    ),
    "budget: all are needed": Mistake(
        lambda d: (budget(d).pop("maxUnavailable"), budget(d).update(minAvailable=3)), "lets no pod go"
    ),
    "budget: nobody's": Mistake(
        lambda d: budget(d)["selector"]["matchLabels"].update({"app.kubernetes.io/name": "tarneb"}),
        "is for 0 Deployments",
    ),
    "budget: a sick pod keeps its node": Mistake(
        lambda d: budget(d).pop("unhealthyPodEvictionPolicy"), "never gets ready"
    ),
    "liveness: at the first slow answer": Mistake(
        lambda d: one(d)["livenessProbe"].update(failureThreshold=1), "only slow"
    ),
    "liveness: no time to answer": Mistake(
        lambda d: one(d)["livenessProbe"].update(timeoutSeconds=1), "only slow"
    ),
    "liveness: every second": Mistake(lambda d: one(d)["livenessProbe"].update(periodSeconds=1), "only slow"),
    "liveness: gone": Mistake(lambda d: one(d).pop("livenessProbe"), "livenessProbe must be"),
    "readiness: gone": Mistake(lambda d: one(d).pop("readinessProbe"), "needs a probe for readiness"),
    "readiness: slow to see": Mistake(
        lambda d: one(d)["readinessProbe"].update(periodSeconds=30), "readiness takes 60 s"
    ),
    "start: no time": Mistake(lambda d: one(d)["startupProbe"].update(failureThreshold=3), "a start has 3 s"),
    "start: no probe": Mistake(lambda d: one(d).pop("startupProbe"), "startupProbe must be"),
    "probes: among the calls": Mistake(
        lambda d: one(d)["readinessProbe"]["grpc"].update(port=50051), "health is on 50052"
    ),
    "rolling update: neither one more nor one less": Mistake(
        lambda d: deployment(d)["spec"]["strategy"]["rollingUpdate"].update(maxSurge=0), "no update can start"
    ),
    "rolling update: one less": Mistake(
        lambda d: deployment(d)["spec"]["strategy"]["rollingUpdate"].update(maxUnavailable=1),
        "add a pod before",
    ),
    "all at once": Mistake(
        lambda d: deployment(d)["spec"].update(strategy={"type": "Recreate"}), "add a pod before"
    ),
    "spread over the pods of another": Mistake(
        lambda d: pod_of(deployment(d))["topologySpreadConstraints"][0]["labelSelector"][
            "matchLabels"
        ].update({"app.kubernetes.io/name": "other"}),
        "topology spread counts",
    ),
    "a ConfigMap of another name": Mistake(
        lambda d: one(d)["envFrom"][0]["configMapRef"].update(name="tarneeb-settings"),
        "needs ConfigMap/tarneeb-settings",
    ),
    "an account of another name": Mistake(
        lambda d: pod_of(deployment(d)).update(serviceAccountName="tarneb"), "needs ServiceAccount/tarneb"
    ),
    "a mount without its volume": Mistake(
        lambda d: pod_of(gateway(d)).update(volumes=[]), "mounts a volume config"
    ),
    "headless: a balanced address": Mistake(lambda d: headless(d).pop("clusterIP"), "is not headless"),
    "headless: no metrics port": Mistake(lambda d: headless(d)["ports"].pop(), "tarneeb-headless has ports"),
    "Service: another target": Mistake(
        lambda d: by_name(d)["ports"][0].update(targetPort="metrics"), "sends grpc to metrics"
    ),
    "Service: HTTP/1.1 for a mesh": Mistake(
        lambda d: by_name(d)["ports"][0].update(appProtocol="http"), "says that grpc is http"
    ),
    "Service: open to the world": Mistake(
        lambda d: by_name(d).update(type="LoadBalancer"), "open to the outside"
    ),
    "Service: no pod": Mistake(
        lambda d: headless(d)["selector"].update({"app.kubernetes.io/name": "tarneb"}),
        "Service/tarneeb-headless selects",
    ),
    "two namespaces": Mistake(
        lambda d: deployment(d)["metadata"].update(namespace="default"), "in several namespaces"
    ),
    "a lax namespace": Mistake(
        lambda d: find(d, "Namespace", "tarneeb")["metadata"]["labels"].clear(), "does not enforce"
    ),
    "a privileged container": Mistake(
        lambda d: one(d)["securityContext"].update(privileged=True), "no privileged container"
    ),
    "the node's network": Mistake(
        lambda d: pod_of(deployment(d)).update(hostNetwork=True), "no namespace of the node's"
    ),
    "the node's folder": Mistake(
        lambda d: pod_of(gateway(d))["volumes"].append({"name": "x", "hostPath": {"path": "/"}}),
        "no folder of the node's",
    ),
    "the newest image": Mistake(lambda d: one(d).update(image="tarneeb-service:latest"), "fixed image tag"),
    "a token key that the Secret lacks": Mistake(
        lambda d: settings(d).update(TARNEEB_TOKENS_FILE="/etc/tarneeb/tokens/token"),
        "the Secret tarneeb-tokens has ['tokens']",
        TOKENS,
    ),
    "a certificate that the Secret lacks": Mistake(
        lambda d: settings(d).update(TARNEEB_TLS_CLIENT_CA_FILE="/etc/tarneeb/tls/ca.pem"),
        "the Secret tarneeb-tls has",
        TOKENS,
    ),
    "a Secret that only root reads": Mistake(
        lambda d: pod_of(deployment(d))["volumes"][0]["secret"].update(defaultMode=0o400),
        "the pod's user can't read",
        TOKENS,
    ),
    "a Secret for a group that the pod is not in": Mistake(
        lambda d: pod_of(deployment(d))["securityContext"].pop("fsGroup"), "the pod's user can't read", TOKENS
    ),
    "a Secret that all read": Mistake(
        lambda d: pod_of(deployment(d))["volumes"][0]["secret"].update(defaultMode=0o444),
        "everybody can read",
        TOKENS,
    ),
    "a misspelt Secret": Mistake(
        lambda d: pod_of(deployment(d))["volumes"][0]["secret"].update(secretName="tarneeb-tsl"),
        "nobody makes the Secret",
        TOKENS,
    ),
    "a Secret mounted elsewhere": Mistake(
        lambda d: one(d)["volumeMounts"][0].update(mountPath="/etc/other"), "nothing is mounted there", TOKENS
    ),
}
