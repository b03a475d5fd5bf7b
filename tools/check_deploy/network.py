"""Services, and who may reach whom: what network policies let through, exactly."""

from collections.abc import Iterator

from tools.check_deploy.documents import Document, container, find, labels_of, of_kind, title

CALLERS = "pods tarneeb-client=true"
SCRAPER = "namespaces kubernetes.io/metadata.name=monitoring"
ANYONE = "anyone"
# The second is where OpenShift's DNS pods listen.
DNS_PORTS = {53, 5353}

# A peer, a protocol and a port.
Flow = tuple[str, str, object]


def problems(documents: list[Document], port: int, health_port: int, metrics_port: int) -> Iterator[str]:
    """What is wrong with the Services and policies of a rendered deployment."""
    service = find(documents, "Deployment", "tarneeb")
    grpc, metrics = {"name": "grpc", "port": port}, {"name": "metrics", "port": metrics_port}
    headless = find(documents, "Service", "tarneeb-headless")
    if headless["spec"].get("clusterIP") != "None":
        yield "Service/tarneeb-headless is not headless"
    yield from _service(headless, service, [grpc, metrics])
    yield from _service(find(documents, "Service", "tarneeb"), service, [grpc])

    incoming: set[Flow] = {(CALLERS, "TCP", port), (SCRAPER, "TCP", metrics_port)}
    try:
        gateway = find(documents, "Deployment", "tarneeb-gateway")
    except KeyError:
        gateway = None
    if gateway:
        incoming.add((f"pods {_text(gateway['spec']['selector'])}", "TCP", health_port))
        yield from _gateway(documents, gateway, service, {port, health_port})
    yield from _differences("NetworkPolicy/tarneeb", _flows(documents, service, "ingress"), incoming)
    yield from _differences("NetworkPolicy/tarneeb (out)", _flows(documents, service, "egress"), set())


def _gateway(
    documents: list[Document], gateway: Document, service: Document, ports: set[int]
) -> Iterator[str]:
    named = {each["name"]: each["containerPort"] for each in container(gateway)["ports"]}
    yield from _service(
        find(documents, "Service", "tarneeb-gateway"), gateway, [{"name": "http", "port": 80}]
    )
    if labels_of(gateway).get("tarneeb-client") != "true":
        yield f"{title(gateway)} lacks the label that lets it call"
    wanted: set[Flow] = {(ANYONE, "TCP", named.get("http")), (SCRAPER, "TCP", named.get("stats"))}
    yield from _differences("NetworkPolicy/tarneeb-gateway", _flows(documents, gateway, "ingress"), wanted)
    out = _flows(documents, gateway, "egress")
    dns = {flow for flow in out if flow[2] in DNS_PORTS}
    wanted = {(f"pods {_text(service['spec']['selector'])}", "TCP", port) for port in ports}
    yield from _differences("NetworkPolicy/tarneeb-gateway (out)", out - dns, wanted)
    if {protocol for _peer, protocol, _port in dns} != {"TCP", "UDP"}:
        yield "NetworkPolicy/tarneeb-gateway lets no DNS out"
    if any(peer == ANYONE for peer, _protocol, _port in dns):
        yield "NetworkPolicy/tarneeb-gateway lets DNS out to anyone"


def _service(service: Document, deployment: Document, ports: list[dict[str, object]]) -> Iterator[str]:
    found = service["spec"]["ports"]
    if [{"name": each["name"], "port": each["port"]} for each in found] != ports:
        yield f"{title(service)} has ports {found}, not {ports}"
    named = {each["name"] for each in container(deployment)["ports"]}
    for each in found:
        if each.get("targetPort") != each["name"] or each["name"] not in named:
            yield f"{title(service)} sends {each['name']} to {each.get('targetPort')}"
        # TLS takes the mark away; another one would have a mesh speak HTTP/1.1 to gRPC.
        wanted = "kubernetes.io/h2c" if each["name"] == "grpc" else "http"
        if each.get("appProtocol", wanted) != wanted:
            yield f"{title(service)} says that {each['name']} is {each['appProtocol']}"
    if service["spec"].get("type", "ClusterIP") != "ClusterIP":
        yield f"{title(service)} is open to the outside"


def _flows(documents: list[Document], deployment: Document, direction: str) -> set[Flow]:
    """What the policies of a Deployment's pods let through, by peer and port."""
    flows: set[Flow] = set()
    governed = False
    for policy in of_kind(documents, "NetworkPolicy"):
        spec = policy["spec"]
        selector = spec["podSelector"].get("matchLabels", {})
        if not selector.items() <= labels_of(deployment).items():
            continue
        governed = governed or direction.capitalize() in spec.get("policyTypes", [])
        for rule in spec.get(direction) or []:
            peers = [_peer(each) for each in rule.get("from" if direction == "ingress" else "to", [])] or [
                ANYONE
            ]
            ports = [(each.get("protocol", "TCP"), each.get("port", "any")) for each in rule.get("ports", [])]
            flows |= {(peer, *port) for peer in peers for port in ports or [("any", "any")]}
    return flows if governed else {(ANYONE, "any", "any")}


def _peer(peer: Document) -> str:
    if "ipBlock" in peer:
        return f"addresses {peer['ipBlock']['cidr']}"
    parts = []
    if "namespaceSelector" in peer:
        parts.append(f"namespaces {_text(peer['namespaceSelector'])}")
    if "podSelector" in peer:
        parts.append(f"pods {_text(peer['podSelector'])}")
    return " ".join(parts)


def _text(selector: Document) -> str:
    labels = selector.get("matchLabels", {})
    return ",".join(f"{name}={labels[name]}" for name in sorted(labels)) or "all"


def _differences(what: str, found: set[Flow], wanted: set[Flow]) -> Iterator[str]:
    def text(flows: set[Flow]) -> str:
        return "; ".join(sorted(f"{peer} on {protocol} {port}" for peer, protocol, port in flows))

    if more := found - wanted:
        yield f"{what} lets through: {text(more)}"
    if less := wanted - found:
        yield f"{what} does not let through: {text(less)}"
