"""The rendered manifests: schemas, and that ports, probes, seconds and settings agree."""

import copy
import os
import re
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml

from tarneeb_service.server import settings as ops
from tools.check_deploy import manifests
from tools.check_deploy.documents import bytes_of
from tools.check_deploy.manifests import Document, container, find
from tools.check_deploy.schemas import OPERATOR_FIELDS

RENDERED = (*manifests.OVERLAYS, *manifests.COMBINATIONS)


@pytest.fixture(scope="module")
def rendered() -> dict[str, list[Document]]:
    return manifests.render_all()


@pytest.mark.parametrize("name", RENDERED)
def test_nothing_is_wrong(rendered: dict[str, list[Document]], name: str) -> None:
    assert list(manifests.problems(rendered[name])) == []


# check-deploy has the versions between.
@pytest.mark.parametrize("version", [manifests.VERSIONS[0], manifests.VERSIONS[-1]])
def test_production_fits_the_strict_schema(rendered: dict[str, list[Document]], version: str) -> None:
    assert list(manifests.schema_problems(rendered["production"], version)) == []


def test_a_misspelt_field_is_found(rendered: dict[str, list[Document]]) -> None:
    deployment = copy.deepcopy(find(rendered["production"], "Deployment", "tarneeb"))
    deployment["spec"]["minReadySecond"] = 1
    assert len(list(manifests.schema_problems([deployment], manifests.VERSIONS[-1]))) == 1


def pod(documents: list[Document]) -> Any:
    return find(documents, "Deployment", "tarneeb")["spec"]["template"]["spec"]


def one(documents: list[Document]) -> Any:
    return container(find(documents, "Deployment", "tarneeb"))


def variables(documents: list[Document]) -> Any:
    return find(documents, "ConfigMap", "tarneeb-settings")["data"]


SPOILED: dict[str, tuple[Callable[[list[Document]], Any], str]] = {
    "a port of its own": (lambda d: variables(d).update(TARNEEB_PORT="50055"), "the settings say"),
    "no such setting": (lambda d: variables(d).update(TARNEEB_PRT="1"), "TARNEEB_PRT is no setting"),
    "a bad value": (lambda d: variables(d).update(TARNEEB_LOG_LEVEL="loud"), "TARNEEB_LOG_LEVEL"),
    "a longer drain": (lambda d: variables(d).update(TARNEEB_DRAIN_SECONDS="15"), "terminationGracePeriod"),
    "a longer grace": (lambda d: variables(d).update(TARNEEB_GRACE_SECONDS="16"), "terminationGracePeriod"),
    "no preStop": (lambda d: one(d).pop("lifecycle"), "preStop must sleep"),
    "a named probe port": (lambda d: one(d)["readinessProbe"]["grpc"].update(port="grpc"), "numeric"),
    "a probe elsewhere": (lambda d: one(d)["livenessProbe"]["grpc"].update(port=9464), "health is on"),
    "readiness for liveness": (lambda d: one(d)["livenessProbe"]["grpc"].pop("service"), "'liveness'"),
    "service links": (lambda d: pod(d).pop("enableServiceLinks"), "enableServiceLinks"),
    "root": (lambda d: pod(d)["securityContext"].update(runAsUser=0), "runAsUser"),
    "a writable root": (lambda d: one(d)["securityContext"].pop("readOnlyRootFilesystem"), "readOnly"),
    "a token": (lambda d: pod(d).pop("automountServiceAccountToken"), "token"),
    "no tag": (lambda d: one(d).update(image="tarneeb-service"), "image tag"),
    "an open policy": (
        lambda d: find(d, "NetworkPolicy", "tarneeb")["spec"]["ingress"][0]["ports"].append({"port": 22}),
        "NetworkPolicy",
    ),
    "lost pods": (
        lambda d: find(d, "Service", "tarneeb")["spec"]["selector"].update(app="other"),
        "Service/tarneeb selects",
    ),
    "too little memory": (
        lambda d: one(d)["resources"]["limits"].update(memory="448Mi"),
        "the memory limit 448Mi is below 835Mi",
    ),
    "no memory limit": (lambda d: one(d)["resources"].pop("limits"), "the memory limit 0 is below"),
    "longer messages": (
        lambda d: variables(d).update(TARNEEB_MAX_MESSAGE_BYTES="4194304"),
        "the memory limit 896Mi is below",
    ),
    "more calls, by the pod's own variable": (
        lambda d: one(d).update(env=[{"name": "TARNEEB_MAX_CALLS", "value": "512"}]),
        "512 calls",
    ),
    "more threads": (lambda d: variables(d).update(TARNEEB_THREADS="16"), "16 threads"),
    "a CPU limit": (lambda d: one(d)["resources"]["limits"].update(cpu="1"), "CPU request and no limit"),
    "messages that the gateway stops": (
        lambda d: variables(d).update(TARNEEB_MAX_MESSAGE_BYTES="16777216"),
        "max_request_body_size is 8388608, the service takes 16777216",
    ),
    "a gateway that is killed before it sheds": (
        lambda d: container(find(d, "Deployment", "tarneeb-gateway"))["resources"].update(
            limits={"memory": "200Mi"}
        ),
        "leaves no quarter",
    ),
    "authorities without a certificate": (
        lambda d: variables(d).update(TARNEEB_TLS_CLIENT_CA_FILE="/etc/tarneeb/tls/ca.crt"),
        "TARNEEB_TLS_CLIENT_CA_FILE needs",
    ),
    "health among the calls": (
        lambda d: variables(d).update(TARNEEB_HEALTH_PORT="0"),
        "TARNEEB_HEALTH_PORT",
    ),
}


@pytest.mark.parametrize("name", SPOILED)
def test_what_is_spoiled_is_found(rendered: dict[str, list[Document]], name: str) -> None:
    spoil, expected = SPOILED[name]
    documents = copy.deepcopy(rendered["production"])
    spoil(documents)
    found = list(manifests.problems(documents))
    assert any(expected in problem for problem in found), found


def test_the_seconds_fit_the_defaults_too(rendered: dict[str, list[Document]]) -> None:
    """Somebody may drop the two lines from settings.env."""
    documents = copy.deepcopy(rendered["production"])
    for name in ("TARNEEB_DRAIN_SECONDS", "TARNEEB_GRACE_SECONDS"):
        del variables(documents)[name]
    assert list(manifests.problems(documents)) == []
    defaults = ops.Settings()
    sleep = one(documents)["lifecycle"]["preStop"]["sleep"]["seconds"]
    allowed = pod(documents)["terminationGracePeriodSeconds"]
    assert sleep + defaults.drain_seconds + defaults.grace_seconds < allowed


def test_the_memory_fits_the_defaults_too(rendered: dict[str, list[Document]]) -> None:
    documents = copy.deepcopy(rendered["production"])
    for name in ("TARNEEB_THREADS", "TARNEEB_MAX_CALLS", "TARNEEB_MAX_MESSAGE_BYTES"):
        del variables(documents)[name]
    assert list(manifests.problems(documents)) == []


@pytest.mark.parametrize(
    ("quantity", "expected"),
    [("0", 0), ("448Mi", 448 * 2**20), ("1.5Gi", 3 * 2**29), ("200M", 2 * 10**8), ("7k", 7000), ("12", 12)],
)
def test_quantities(quantity: str, expected: int) -> None:
    assert bytes_of(quantity) == expected


@pytest.mark.parametrize("name", manifests.COMBINATIONS)
def test_tls_needs_no_authorities_and_mutual_tls_does(rendered: dict[str, list[Document]], name: str) -> None:
    """A file that the settings name and the Secret lacks ends the service at start."""
    documents = rendered[name]
    data = variables(documents)
    named = {data[each] for each in data if each.startswith("TARNEEB_TLS_")}
    wanted = {"tls.crt", "tls.key"} | ({"ca.crt"} if name.startswith("mutual") else set())
    assert named == {f"/etc/tarneeb/tls/{file}" for file in wanted}
    assert data["TARNEEB_HEALTH_PORT"] == "50052"
    secrets = {volume["secret"]["secretName"] for volume in pod(documents)["volumes"]}
    assert secrets == {"tarneeb-tls"} | ({"tarneeb-tokens"} if name.endswith("tokens") else set())


def test_the_autoscaler_alone_says_how_many(rendered: dict[str, list[Document]]) -> None:
    production = rendered["production"]
    assert "replicas" not in find(production, "Deployment", "tarneeb")["spec"]
    assert find(production, "HorizontalPodAutoscaler", "tarneeb")["spec"]["minReplicas"] >= 3
    development = rendered["development"]
    assert find(development, "Deployment", "tarneeb")["spec"]["replicas"] == 1
    assert not [d for d in development if d["kind"] in ("HorizontalPodAutoscaler", "PodDisruptionBudget")]


def test_a_changed_setting_rolls_the_pods(rendered: dict[str, list[Document]]) -> None:
    """The settings' name carries a hash, and the pods name it."""
    names = set()
    for name in RENDERED:
        documents = rendered[name]
        settings = find(documents, "ConfigMap", "tarneeb-settings")["metadata"]["name"]
        assert one(documents)["envFrom"] == [{"configMapRef": {"name": settings}}]
        names.add(settings)
    assert len(names) == len(RENDERED)


def test_the_service_goes_nowhere(rendered: dict[str, list[Document]]) -> None:
    policy = find(rendered["production"], "NetworkPolicy", "tarneeb")["spec"]
    assert policy["egress"] == []
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}


def test_the_gateway_finds_names_where_a_node_caches_them(rendered: dict[str, list[Document]]) -> None:
    policy = find(rendered["production"], "NetworkPolicy", "tarneeb-gateway")["spec"]
    (names,) = [rule for rule in policy["egress"] if {port["port"] for port in rule["ports"]} == {53}]
    assert {"ipBlock": {"cidr": "169.254.20.10/32"}} in names["to"]


def patched(folder: Path, kind: str) -> list[Document]:
    """Production with the patch of deploy/README.md that is for a kind or group."""
    text = (manifests.ROOT / "deploy/README.md").read_text(encoding="utf-8")
    shown = [each for each in re.findall(r"```yaml\n( *patches:\n.*?) *```", text, re.DOTALL) if kind in each]
    assert len(shown) == 1
    overlay = os.path.relpath(manifests.K8S / "overlays/production", folder.resolve())
    content = {"resources": [overlay], **yaml.safe_load(dedent(shown[0]))}
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    return manifests.render(folder)


def test_another_namespace_may_scrape(tmp_path: Path) -> None:
    """The patch of deploy/README.md, taken at its word."""
    policies = [each for each in patched(tmp_path, "kind: NetworkPolicy") if each["kind"] == "NetworkPolicy"]
    assert len(policies) == 2
    for policy in policies:
        assert "'monitoring'" not in str(policy)
        assert "'observability'" in str(policy["spec"]["ingress"])


def test_another_release_may_select(tmp_path: Path) -> None:
    documents = patched(tmp_path, "group: monitoring.coreos.com")
    labels = [each["metadata"]["labels"]["release"] for each in documents if each["kind"] in OPERATOR_FIELDS]
    assert labels == ["prometheus"] * 3
    assert list(manifests.problems(documents)) == []


def test_the_gateway_is_let_in(rendered: dict[str, list[Document]]) -> None:
    production = rendered["production"]
    wanted = find(production, "NetworkPolicy", "tarneeb")["spec"]["ingress"][0]["from"][0]["podSelector"]
    gateway = find(production, "Deployment", "tarneeb-gateway")["spec"]["template"]["metadata"]["labels"]
    assert wanted["matchLabels"].items() <= gateway.items()


def test_the_monitor_finds_the_metrics_port(rendered: dict[str, list[Document]]) -> None:
    production = rendered["production"]
    monitor = find(production, "ServiceMonitor", "tarneeb")["spec"]
    found = [
        document
        for document in production
        if document["kind"] == "Service"
        and monitor["selector"]["matchLabels"].items() <= document["metadata"]["labels"].items()
    ]
    # One Service, or each pod would be scraped twice.
    assert [document["metadata"]["name"] for document in found] == ["tarneeb-headless"]
    assert monitor["endpoints"][0]["port"] in {port["name"] for port in found[0]["spec"]["ports"]}


def test_the_jobs_are_those_that_the_alerts_select(rendered: dict[str, list[Document]]) -> None:
    production = rendered["production"]
    by_service = find(production, "ServiceMonitor", "tarneeb")["spec"]["jobLabel"]
    assert find(production, "Service", "tarneeb-headless")["metadata"]["labels"][by_service] == "tarneeb"
    monitor = find(production, "PodMonitor", "tarneeb-gateway")["spec"]
    template = find(production, "Deployment", "tarneeb-gateway")["spec"]["template"]
    labels = template["metadata"]["labels"]
    assert labels[monitor["jobLabel"]] == "tarneeb-gateway"
    assert monitor["selector"]["matchLabels"].items() <= labels.items()
    (endpoint,) = monitor["podMetricsEndpoints"]
    assert endpoint["port"] in {port["name"] for port in template["spec"]["containers"][0]["ports"]}
