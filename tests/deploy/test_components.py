"""Components for clusters of other kinds: what each opens, and that it opens no more."""

import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml

from tarneeb.v1 import tarneeb_service_pb2
from tests.pages import page
from tools.chart.rendered import render_with
from tools.chart.route import closed
from tools.check_deploy import manifests
from tools.check_deploy.manifests import Document, container, find

COMBINATIONS = (
    ("openshift",),
    ("envoy-gateway", "openshift"),
    ("monitoring", "mutual-tls", "tokens", "openshift"),
    ("mesh",),
    ("monitoring", "mesh", "openshift"),
    ("gateway-api",),
    ("gateway-api", "mesh"),
)
SERVICE_NAME = tarneeb_service_pb2.DESCRIPTOR.services_by_name["TarneebService"].full_name
Rule = tuple[frozenset[str], frozenset[int]]


def rules(documents: list[Document], direction: str, name: str = "tarneeb") -> set[Rule]:
    """A policy's rules as who and which ports."""
    found = set()
    peers = {"ingress": "from", "egress": "to"}[direction]
    for rule in find(documents, "NetworkPolicy", name)["spec"][direction]:
        # No peers would mean everybody, no ports all of them.
        who = [_name(peer) for peer in rule.get(peers, [{}])]
        ports = [port["port"] for port in rule.get("ports", [{"port": 0}])]
        found.add((frozenset(who), frozenset(ports)))
    return found


def _name(peer: dict[str, Any]) -> str:
    """A peer in a word; all pods or namespaces of a label are told from those of another."""
    kinds = {"podSelector": "pods", "namespaceSelector": "namespace"}
    words = [
        f"{kind}:{value}"
        for key, kind in kinds.items()
        for value in peer.get(key, {}).get("matchLabels", {}).values()
    ]
    return "+".join(words) or peer.get("ipBlock", {}).get("cidr", "everybody")


def more(components: tuple[str, ...], direction: str, name: str = "tarneeb") -> set[Rule]:
    """What the last component adds to a policy."""
    with_it, without = render_with(components), render_with(components[:-1])
    assert rules(without, direction, name) <= rules(with_it, direction, name)
    return rules(with_it, direction, name) - rules(without, direction, name)


def rule(who: str, *ports: int) -> Rule:
    return frozenset(who.split()), frozenset(ports)


@pytest.mark.parametrize("components", COMBINATIONS, ids=" ".join)
def test_it_fits_the_schemas(components: tuple[str, ...]) -> None:
    documents = [each for each in render_with(components) if each["kind"] != "GRPCRoute"]
    for version in (manifests.VERSIONS[0], manifests.VERSIONS[-1]):
        assert list(manifests.schema_problems(documents, version)) == []


def test_openshift_gives_the_users() -> None:
    documents = render_with(("envoy-gateway", "openshift"))
    deployments = [each for each in documents if each["kind"] == "Deployment"]
    assert len(deployments) == 2
    for each in deployments:
        context = each["spec"]["template"]["spec"]["securityContext"]
        assert context == {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
        assert not {"runAsUser", "runAsGroup"} & container(each)["securityContext"].keys()


def ports_of(documents: list[Document], name: str) -> dict[str, int]:
    ports = container(find(documents, "Deployment", name))["ports"]
    return {port["name"]: port["containerPort"] for port in ports}


def test_openshift_scrapes_and_finds_names_elsewhere() -> None:
    documents = render_with(("envoy-gateway",))
    metrics, stats = (
        ports_of(documents, "tarneeb")["metrics"],
        ports_of(documents, "tarneeb-gateway")["stats"],
    )
    scraper, gateway = "namespace:openshift-user-workload-monitoring", ("envoy-gateway", "openshift")
    assert more(gateway, "ingress") == more(("openshift",), "ingress") == {rule(scraper, metrics)}
    assert more(gateway, "egress") == more(("openshift",), "egress") == set()
    assert more(gateway, "ingress", "tarneeb-gateway") == {rule(scraper, stats)}
    assert more(gateway, "egress", "tarneeb-gateway") == {rule("namespace:openshift-dns", 5353)}


def test_a_mesh_reaches_its_control_plane_and_names_and_nothing_else() -> None:
    assert more(("mesh",), "egress") == {
        rule("namespace:istio-system", 15012),
        rule("namespace:linkerd", 8080, 8086, 8090),
        rule("namespace:kube-system 169.254.20.10/32", 53),
        rule("namespace:openshift-dns", 5353),
    }
    assert more(("mesh",), "ingress") == {
        rule("pods:true", 15008, 4143),
        rule("namespace:monitoring", 15020, 15090, 4191),
    }


def test_a_sidecar_outlasts_the_service() -> None:
    documents = render_with(("mesh",))
    deployment = find(documents, "Deployment", "tarneeb")
    pod = deployment["spec"]["template"]
    annotations = pod["metadata"]["annotations"]
    settings = find(documents, "ConfigMap", "tarneeb-settings")["data"]
    needed = container(deployment)["lifecycle"]["preStop"]["sleep"]["seconds"] + sum(
        float(settings[f"TARNEEB_{name}_SECONDS"]) for name in ("DRAIN", "GRACE")
    )
    istio = yaml.safe_load(annotations["proxy.istio.io/config"])["terminationDrainDuration"]
    linkerd = annotations["config.alpha.linkerd.io/proxy-wait-before-exit-seconds"]
    for seconds in (istio.removesuffix("s"), linkerd):
        assert needed < float(seconds) < pod["spec"]["terminationGracePeriodSeconds"]


def test_probes_and_scrapes_go_past_a_sidecar_and_calls_do_not() -> None:
    documents = render_with(("mesh",))
    annotations = find(documents, "Deployment", "tarneeb")["spec"]["template"]["metadata"]["annotations"]
    ports = ports_of(documents, "tarneeb")
    for name in ("traffic.sidecar.istio.io/excludeInboundPorts", "config.linkerd.io/skip-inbound-ports"):
        assert set(map(int, annotations[name].split(","))) == {ports["health"], ports["metrics"]}


def test_a_route_takes_the_methods_of_the_service_alone() -> None:
    documents = render_with(("gateway-api",))
    route = find(documents, "GRPCRoute", "tarneeb")["spec"]
    (only,) = route["rules"]
    # A match less, or none at all, would let in health and reflection.
    assert only["matches"] == [{"method": {"type": "Exact", "service": SERVICE_NAME}}]
    (backend,) = only["backendRefs"]
    service = find(documents, "Service", backend["name"])["spec"]
    assert backend["port"] in {port["port"] for port in service["ports"] if port["name"] == "grpc"}
    assert service.get("clusterIP") != "None"
    assert more(("gateway-api",), "ingress") == {rule("namespace:true", backend["port"])}


def test_an_overlay_names_its_gateway(tmp_path: Path) -> None:
    """The patch of deploy/README.md, taken at its word."""
    (shown,) = (
        block
        for block in re.findall(r"```yaml\n(.*?)```", page("deploy/README.md"), re.DOTALL)
        if "parentRefs" in block
    )
    patches = yaml.safe_load(dedent(shown))
    route = find(render_with(("gateway-api",), patches), "GRPCRoute", "tarneeb")["spec"]
    assert route["parentRefs"] == [{"name": "edge", "namespace": "gateways"}]
    assert route["hostnames"] == ["tarneeb.example.org"]


def test_a_schema_is_closed_all_the_way_down() -> None:
    part = {"type": "object", "properties": {"a": {"type": "string"}}}
    free = {"type": "object", "additionalProperties": {"type": "string"}}
    whole = closed({"type": "object", "properties": {"list": {"type": "array", "items": part}, "map": free}})
    assert whole["additionalProperties"] is False
    assert whole["properties"]["list"]["items"]["additionalProperties"] is False
    assert whole["properties"]["map"] == free
