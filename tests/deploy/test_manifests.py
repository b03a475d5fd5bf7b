"""The rendered manifests: schemas, and that ports, probes, seconds and settings agree."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tarneeb_service.ops import settings as ops
from tools.check_deploy import manifests
from tools.check_deploy.manifests import Document, container, find

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
    "TLS without a health port": (
        lambda d: variables(d).update(TARNEEB_TOKENS_FILE="/etc/tarneeb/tokens"),
        "native probes",
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
