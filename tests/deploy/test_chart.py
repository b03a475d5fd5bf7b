"""The Helm chart follows from the base; with Helm at hand it is rendered and compared, option by option."""

import copy
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tarneeb_service.server import settings as ops
from tests.pages import page
from tools.chart import __main__ as chart
from tools.chart import compare, route
from tools.chart.compare import CASES
from tools.chart.rendered import render_with
from tools.check_deploy import manifests
from tools.check_deploy.manifests import Document, container

SCHEMA: dict[str, Any] = json.loads((chart.CHART / "values.schema.json").read_text(encoding="utf-8"))
VALUES: dict[str, Any] = yaml.safe_load((chart.CHART / "values.yaml").read_text(encoding="utf-8"))
TEMPLATES = [path for path in (chart.CHART / "templates").iterdir() if path.suffix != ".txt"]
# Built by `make chart-check`; the fast tests do without.
HELM = Path(os.environ.get("HELM", compare.HELM))
with_helm = pytest.mark.skipif(not HELM.is_file(), reason="no Helm: make chart-check builds it, with Go")


def test_the_chart_follows_from_the_base() -> None:
    assert chart.problems() == []


def spoil_base(monkeypatch: pytest.MonkeyPatch, spoil: Callable[[list[Document]], Any]) -> None:
    """The base as it would be after a change."""

    def changed(components: Any) -> list[Document]:
        documents = render_with(components)
        spoil(documents)
        return documents

    monkeypatch.setattr(chart, "render_with", changed)


def find(documents: list[Document], kind: str, name: str = "tarneeb") -> Any:
    return manifests.find(documents, kind, name)


MOVED: dict[str, tuple[Callable[[list[Document]], Any], str]] = {
    "a probe": (
        lambda d: container(find(d, "Deployment"))["livenessProbe"].update(failureThreshold=9),
        "templates/deployment.yaml is out of date",
    ),
    "a resource": (
        lambda d: container(find(d, "Deployment"))["resources"]["limits"].update(memory="1Gi"),
        "values.yaml has resources",
    ),
    "a setting": (
        lambda d: find(d, "ConfigMap", "tarneeb-settings")["data"].update(TARNEEB_THREADS="8"),
        "values.yaml has settings",
    ),
    "a port": (
        lambda d: find(d, "ConfigMap", "tarneeb-settings")["data"].update(TARNEEB_PORT="50055"),
        "templates/configmap.yaml is out of date",
    ),
    "the scraper's namespace": (
        lambda d: find(d, "NetworkPolicy")["spec"]["ingress"][1]["from"][0]["namespaceSelector"].update(
            matchLabels={"kubernetes.io/metadata.name": "prometheus"}
        ),
        "values.yaml has networkPolicy.scrapeNamespace",
    ),
    "an object more": (
        lambda d: d.append({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "x", "labels": {}}}),
        "templates/secret.yaml is out of date",
    ),
    "an object less": (
        lambda d: d.remove(find(d, "PodDisruptionBudget")),
        "templates/poddisruptionbudget.yaml is of nothing in the base",
    ),
}


@pytest.mark.parametrize("name", MOVED)
def test_the_base_does_not_move_without_the_chart(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    spoil, expected = MOVED[name]
    spoil_base(monkeypatch, spoil)
    found = chart.problems()
    assert any(expected in problem for problem in found), found


def test_a_place_that_left_the_base_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value without its place would be silently without effect."""
    spoil_base(monkeypatch, lambda d: container(find(d, "Deployment")).pop("resources"))
    with pytest.raises(KeyError, match="resources"):
        chart.problems()


def names(values: dict[str, Any], schema: dict[str, Any], above: str = "") -> set[str]:
    """Dotted names as far down as the schema names properties."""
    found = set()
    for key, value in values.items():
        inner = schema.get("properties", {}).get(key, {})
        if isinstance(value, dict) and "properties" in inner and key != "settings":
            found |= names(value, inner, f"{above}{key}.")
        else:
            found.add(above + key)
    return found


def test_values_schema_and_templates_name_the_same() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in TEMPLATES)
    used = set(re.findall(r"\.Values\.([A-Za-z.]+[A-Za-z])", text)) - {"image"}
    # The helper of the image's name takes them from a `with`.
    used |= {f"image.{key}" for key in re.findall(r"\.(repository|tag|digest)\b", text)}
    have = names(VALUES, SCHEMA)
    wide = {
        "resources.requests",
        "resources.limits",
        *(f"podSecurityContext.{key}" for key in VALUES["podSecurityContext"]),
    }
    assert {name for name in have if name not in wide} == used - {"resources", "podSecurityContext"}
    known = names(skeleton(SCHEMA), SCHEMA) - {"global"}
    assert known == have


def skeleton(schema: dict[str, Any]) -> dict[str, Any]:
    return (
        {key: skeleton(inner) for key, inner in schema["properties"].items()}
        if "properties" in schema
        else {}
    )


def test_the_values_fit_the_schema() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.Draft7Validator(SCHEMA).validate(VALUES)


def test_the_schema_knows_every_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    known = {ops.variable(setting.name) for setting in ops.setting_fields() if "file" not in setting.metadata}
    assert set(chart.open_settings()) == known - set(chart.FIXED_SETTINGS)
    listed = tmp_path / "operations.md"
    listed.write_text("| `TARNEEB_NEW` | `1` |\n", encoding="utf-8")
    monkeypatch.setattr(chart, "OPERATIONS", listed)
    assert any("values.schema.json is out of date" in problem for problem in chart.problems())


REFUSED: dict[str, dict[str, Any]] = {
    "an unknown option": {"replicaCount": 3},
    "a misspelt one": {"autoscaler": {"minReplica": 3}},
    "a port of its own": {"settings": {"TARNEEB_PORT": "50055"}},
    "a file without its mount": {"settings": {"TARNEEB_TLS_CERT_FILE": "/x"}},
    "a variable that is no setting": {"settings": {"HTTP_PROXY": "x"}},
    "a misspelt setting": {"settings": {"TARNEEB_MAX_CALL": 64}},
    "a list for a setting": {"settings": {"TARNEEB_THREADS": [4]}},
    "a drain in words": {"settings": {"TARNEEB_DRAIN_SECONDS": "5s"}},
    "the latest image": {"image": {"tag": "latest"}},
    "half a digest": {"image": {"digest": "sha256:12"}},
    "authorities without TLS": {"tls": {"mutual": True}},
    "root": {"podSecurityContext": {"runAsUser": 0}},
    "a root that may be": {"podSecurityContext": {"runAsNonRoot": False}},
    "a budget that blocks every drain": {"disruptionBudget": {"maxUnavailable": 0}},
    "a label that is a number": {"monitoring": {"labels": {"release": 1}}},
    "memory in words": {"resources": {"limits": {"memory": "1 GB"}}},
    "no name": {"serviceAccount": {"name": ""}},
}


def merged(values: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Values over defaults, as Helm lays them."""
    result = copy.deepcopy(values)
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merged(result[key], value)
        else:
            result[key] = value
    return result


@pytest.mark.parametrize("name", REFUSED)
def test_the_schema_refuses(name: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(SCHEMA).validate(merged(VALUES, REFUSED[name]))


@pytest.mark.parametrize("name", CASES)
def test_the_schema_takes_what_is_compared(name: str) -> None:
    jsonschema.Draft7Validator(SCHEMA).validate(merged(VALUES, dict(CASES[name].values)))


@pytest.mark.parametrize("cluster", ["openshift", "mesh"])
def test_the_values_for_a_cluster_are_those_of_its_component(cluster: str) -> None:
    values = compare.values_for(cluster)
    base, changed = render_with(()), render_with((cluster,))
    ours, theirs = (find(each, "NetworkPolicy")["spec"] for each in (base, changed))
    assert theirs["ingress"] == ours["ingress"] + values["networkPolicy"]["moreIngress"]
    assert theirs["egress"] == values["networkPolicy"].get("egress", ours["egress"])
    before, after = (find(each, "Deployment")["spec"]["template"] for each in (base, changed))
    assert after["metadata"].get("annotations", {}) == values.get("podAnnotations", {})
    gone = before["spec"]["securityContext"].keys() - after["spec"]["securityContext"].keys()
    assert dict.fromkeys(gone) == values.get("podSecurityContext", {})


def as_chart(documents: list[Document]) -> list[Document]:
    """Objects of the base with what Helm adds to them."""
    made = copy.deepcopy(documents)
    for document in made:
        document["metadata"]["labels"].update(dict.fromkeys(compare.HELM_LABELS, "x"))
        if document["kind"] == "Deployment":
            document["spec"]["template"]["metadata"]["annotations"] = {compare.CHECKSUM: "x"}
    return made


def test_what_differs_by_right_is_no_difference() -> None:
    base = compare.render_base(CASES["mutual-tls, tokens"])
    other = as_chart(base)
    settings = find(other, "ConfigMap", "tarneeb-settings")
    settings["metadata"]["name"] = "tarneeb-settings"
    one = container(find(other, "Deployment"))
    one["envFrom"][0]["configMapRef"]["name"] = "tarneeb-settings"
    one["volumeMounts"].reverse()
    assert compare.differences(base, other) == []


DIFFERENT: dict[str, tuple[Callable[[list[Document]], Any], str]] = {
    "a number": (lambda d: find(d, "Deployment")["spec"].update(minReadySeconds=11), "minReadySeconds"),
    "text for a number": (lambda d: find(d, "Deployment")["spec"].update(minReadySeconds="10"), "minReady"),
    "a field more": (lambda d: find(d, "Service")["spec"].update(x=1), "Service/tarneeb.spec.x"),
    "an item less": (lambda d: find(d, "NetworkPolicy")["spec"]["ingress"].pop(), "spec.ingress"),
    "an object less": (lambda d: d.remove(find(d, "Service")), "Service/tarneeb: only in the base"),
    "a name": (lambda d: find(d, "Service")["metadata"].update(name="x"), "Service/x: only in the chart"),
    "a label": (lambda d: find(d, "Deployment")["metadata"]["labels"].update(x="y"), "labels.x"),
    "other settings": (
        lambda d: container(find(d, "Deployment"))["envFrom"][0]["configMapRef"].update(name="x"),
        "envFrom[0]",
    ),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_difference_is_found(name: str) -> None:
    spoil, expected = DIFFERENT[name]
    base = compare.render_base(CASES["base"])
    other = as_chart(base)
    spoil(other)
    assert expected in "\n".join(compare.differences(base, other))


def test_a_chart_that_rolls_no_pods_is_found() -> None:
    base = compare.render_base(CASES["base"])
    other = as_chart(base)
    del find(other, "Deployment")["spec"]["template"]["metadata"]["annotations"]
    with pytest.raises(RuntimeError, match="rolls no pod"):
        compare.differences(base, other)


@with_helm
@pytest.mark.parametrize("name", CASES)
def test_helm_renders_what_kustomize_does(name: str) -> None:
    assert compare.compare(HELM, name) == []


@with_helm
@pytest.mark.parametrize("name", REFUSED)
def test_helm_refuses_what_the_schema_does(name: str) -> None:
    with pytest.raises(RuntimeError, match="values don't meet the specifications of the schema"):
        compare.render_chart(HELM, REFUSED[name])


@with_helm
def test_seconds_that_the_kubelet_would_cut_short_are_refused() -> None:
    with pytest.raises(RuntimeError, match="terminationGracePeriodSeconds must be at least 40"):
        compare.render_chart(HELM, {"settings": {"TARNEEB_GRACE_SECONDS": 25}})
    # An unset one is at the service's default, not at nothing.
    with pytest.raises(RuntimeError, match="at least 31"):
        compare.render_chart(
            HELM, {"settings": {"TARNEEB_GRACE_SECONDS": None, "TARNEEB_DRAIN_SECONDS": "11"}}
        )
    compare.render_chart(
        HELM, {"settings": {"TARNEEB_GRACE_SECONDS": 25}, "terminationGracePeriodSeconds": 40}
    )


@with_helm
def test_every_option_together_fits_the_schemas_of_kubernetes() -> None:
    documents = compare.render_chart(
        HELM,
        {
            "image": {
                "repository": "registry.example/tarneeb",
                "digest": "sha256:" + "a" * 64,
                "pullSecrets": [{"name": "x"}],
            },
            "settings": {
                "TARNEEB_MAX_MESSAGE_BYTES": 524288,
                "TARNEEB_THREADS": None,
                "TARNEEB_REFLECTION": False,
            },
            "tls": {"enabled": True, "secretName": "mine"},
            "monitoring": {"enabled": True, "labels": {"release": "prometheus"}, "dashboard": False},
            "networkPolicy": {
                "egress": [{"ports": [{"port": 15012}]}],
                "moreIngress": [{"from": [{"podSelector": {}}]}],
            },
            "serviceAccount": {"create": False, "name": "theirs"},
            "podSecurityContext": {"runAsUser": None, "runAsGroup": None, "fsGroup": None},
            "podAnnotations": {"a/b": "c"},
            "podLabels": {"d": "e"},
            "priorityClassName": "high",
            "nodeSelector": {"f": "g"},
            "tolerations": [{"operator": "Exists"}],
            "affinity": {"nodeAffinity": {}},
        },
    )
    for version in ("1.30", manifests.VERSIONS[-1]):
        assert list(manifests.schema_problems(documents, version)) == []
    assert {each["kind"] for each in documents}.isdisjoint({"ServiceAccount"})
    pod = find(documents, "Deployment")["spec"]["template"]
    assert pod["spec"]["serviceAccountName"] == "theirs"
    assert set(pod["spec"]["securityContext"]) == {"runAsNonRoot", "seccompProfile"}
    assert container(find(documents, "Deployment"))["image"].endswith("/tarneeb@sha256:" + "a" * 64)
    data = find(documents, "ConfigMap", "tarneeb-settings")["data"]
    assert data["TARNEEB_MAX_MESSAGE_BYTES"] == "524288"
    assert data["TARNEEB_REFLECTION"] == "false"
    assert "TARNEEB_THREADS" not in data
    for kind in ("ServiceMonitor", "PrometheusRule"):
        assert find(documents, kind)["metadata"]["labels"]["release"] == "prometheus"
    assert find(documents, "NetworkPolicy")["spec"]["ingress"][2] == {"from": [{"podSelector": {}}]}


@with_helm
def test_a_changed_setting_rolls_the_pods() -> None:
    def checksum(values: dict[str, Any]) -> Any:
        deployment = find(compare.render_chart(HELM, values), "Deployment")
        return deployment["spec"]["template"]["metadata"]["annotations"][compare.CHECKSUM]

    assert checksum({}) == checksum({})
    assert checksum({}) != checksum({"settings": {"TARNEEB_LOG_LEVEL": "debug"}})


def test_the_readme_names_values_that_exist() -> None:
    named = set(re.findall(r"--set(?:-string)? ([a-zA-Z.]+)=", page("deploy/chart/README.md")))
    assert named
    for name in named:
        # Below these names are the user's own.
        known = re.sub(r"^(monitoring\.labels|settings)\..*", r"\1", name)
        assert chart.value_at(VALUES, known) is not None, name


def test_without_go_the_tools_say_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("HELM", raising=False)
    monkeypatch.setattr(compare, "HELM", tmp_path / "helm")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match="needs Go to build Helm, or HELM="):
        compare.helm()
    with pytest.raises(RuntimeError, match="needs Go to get the Gateway API's schema"):
        route.schema("v1")
    monkeypatch.setenv("HELM", "/somewhere/helm")
    assert compare.helm() == Path("/somewhere/helm")
