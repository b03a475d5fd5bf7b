"""What Envoy, promtool, kube-score and the operator's schemas find wrong, and mistakes that they alone find."""

import copy
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from tools.check_deploy import downloads, gateway, load_job
from tools.check_deploy.documents import Document, container, find, load_yaml, render_all, title
from tools.check_deploy.envoy_config import cluster, host, manager
from tools.check_deploy.monitoring import TESTS
from tools.check_deploy.schemas import OPERATOR_FIELDS
from tools.deploy_files import RULES

# What kube-score wants and we do not, with the reason: CPU limits throttle (base/deployment.yaml); a tag or digest
# that is fixed needs no pull each time; nothing is written, but log lines count as ephemeral storage, and a limit
# would have a pod evicted for them; spread constraints do what anti-affinity does; users above 10000 suffice.
UNWANTED = (
    *("container-resources", "container-image-pull-policy", "container-ephemeral-storage-request-and-limit"),
    *("deployment-has-host-podantiaffinity", "container-security-context-user-group-id"),
)


def _endpoint(config: Document) -> Any:
    return cluster(config, "tarneeb")["load_assignment"]["endpoints"][0]["lb_endpoints"][0]


ENVOY_MISTAKES: dict[str, Callable[[Document], Any]] = {
    "a misspelt field": lambda c: host(c)["routes"][-1]["route"].update(retry_polcy={}),
    "a field in the wrong place": lambda c: _endpoint(c).update(
        health_check_config=_endpoint(c)["endpoint"].pop("health_check_config")
    ),
    "a cluster that is none": lambda c: host(c)["routes"][-1]["route"].update(cluster="tarneb"),
    "a filter that is none": lambda c: manager(c, "calls")["http_filters"][1].update(
        name="x", typed_config={"@type": "type.googleapis.com/envoy.extensions.filters.http.crs.v3.Cors"}
    ),
    "a pattern that is none": lambda c: host(c)["routes"][1]["match"]["safe_regex"].update(regex="("),
    "seconds without a unit": lambda c: cluster(c, "tarneeb").update(connect_timeout="1"),
    "a service that the descriptors lack": lambda c: manager(c, "calls")["http_filters"][4][
        "typed_config"
    ].update(services=["tarneeb.v1.Tarneb"]),
}
# By alert; what is replaced in its rule.
RULE_MISTAKES: dict[str, tuple[str, str, str]] = {
    "TarneebErrorRatio": ("expr", "> 0.01", "> 1"),
    "TarneebLatency": ("expr", "> 0.05", "> 50"),
    "TarneebShedding": ("expr", "> 0.001", "> 1"),
    "TarneebMixedRules": ("expr", "> 1", "> 2"),
    "TarneebGatewayDown": ("expr", "unless", "and"),
    "TarneebGatewayErrors": ("expr", "[5m])", "[5x])"),
    "TarneebUnauthenticated": ("for", "10m", "10h"),
}
OPERATOR_MISTAKES: dict[str, Callable[[list[Document]], Any]] = {
    "an interval without a unit": lambda d: find(d, "ServiceMonitor", "tarneeb")["spec"]["endpoints"][
        0
    ].update(interval="15"),
    "a list that is none": lambda d: find(d, "PodMonitor", "tarneeb-gateway")["spec"].update(
        podMetricsEndpoints={"port": "stats"}
    ),
    "a rule without an expression": lambda d: find(d, "PrometheusRule", "tarneeb")["spec"]["groups"][0][
        "rules"
    ][0].pop("expr"),
    "a selector without its kind": lambda d: find(d, "ServiceMonitor", "tarneeb")["spec"].update(
        selector={"app": "tarneeb"}
    ),
}
SCORE_MISTAKES: dict[str, Callable[[list[Document]], Any]] = {
    "a variable twice": lambda d: container(find(d, "Deployment", "tarneeb")).update(
        env=[{"name": "TARNEEB_THREADS", "value": "4"}, {"name": "TARNEEB_THREADS", "value": "8"}]
    ),
    "a label with a space": lambda d: find(d, "Deployment", "tarneeb")["metadata"]["labels"].update(
        team="card games"
    ),
}


def _missed(found: dict[str, bool]) -> None:
    if missed := [name for name, caught in found.items() if not caught]:
        raise RuntimeError(f"mistakes that nothing finds: {missed}")


def check_refused() -> str:
    """Envoy and promtool find the mistakes that are theirs to find.

    Raises:
        RuntimeError: They let one by.
    """
    program, promtool = downloads.envoy(), downloads.prometheus()[1]
    found: dict[str, bool] = {}
    if refused := gateway.validate(program, gateway.cluster_config()):
        raise RuntimeError(f"Envoy refuses the cluster's file: {refused}")
    for name, change in ENVOY_MISTAKES.items():
        config = gateway.cluster_config()
        change(config)
        found[f"Envoy: {name}"] = bool(gateway.validate(program, config))
    for alert in RULE_MISTAKES:
        found[f"promtool: {alert}"] = _alert_is_missed(promtool, alert)
    _missed(found)
    return f"Envoy refuses {len(ENVOY_MISTAKES)} mistakes, promtool {len(RULE_MISTAKES)}"


def _alert_is_missed(promtool: Path, alert: str) -> bool:
    """Whether the tests of one alert fail when its rule is wrong."""
    key, old, new = RULE_MISTAKES[alert]
    rules, tests = (load_yaml(path.read_text(encoding="utf-8")) for path in (RULES, TESTS))
    for group in rules["groups"]:
        for rule in group["rules"]:
            if rule.get("alert") == alert:
                if old not in rule[key]:
                    raise RuntimeError(f"{alert} has no {old}")
                rule[key] = rule[key].replace(old, new)
    tests["tests"] = [
        {**test, "alert_rule_test": cases}
        for test in tests["tests"]
        if (cases := [case for case in test["alert_rule_test"] if case["alertname"] == alert])
    ]
    with tempfile.TemporaryDirectory() as folder:
        for path, content in ((RULES, rules), (TESTS, tests)):
            (Path(folder) / path.name).write_text(yaml.safe_dump(content), encoding="utf-8")
        command = [str(promtool), "test", "rules", f"{folder}/{TESTS.name}"]
        return subprocess.run(command, capture_output=True, timeout=120, check=False).returncode != 0


def check_linters() -> str:
    """The operator's own schemas and kube-score find nothing, and find the mistakes that are theirs to find.

    Raises:
        RuntimeError: They find something, or let a mistake by.
    """
    schemas, score = operator_schemas(downloads.operator_schemas()), downloads.kube_score()
    # Not development, which has one replica of each.
    rendered = {**render_all(("production", "tls-tokens")), "loadtest": load_job.rendered()}
    problems = [f"{name}: {each}" for name, d in rendered.items() for each in operator_problems(d, schemas)]
    problems += [f"{name}: {each}" for name, d in rendered.items() for each in score_problems(score, d)]
    if problems:
        raise RuntimeError("\n".join(problems))
    found: dict[str, bool] = {}
    for name, change in OPERATOR_MISTAKES.items():
        documents = copy.deepcopy(rendered["production"])
        change(documents)
        found[f"operator: {name}"] = bool(list(operator_problems(documents, schemas)))
    for name, change in SCORE_MISTAKES.items():
        documents = copy.deepcopy(rendered["production"])
        change(documents)
        found[f"kube-score: {name}"] = bool(score_problems(score, documents))
    _missed(found)
    return (
        f"nothing found in {', '.join(rendered)}; the operator's schemas refuse {len(OPERATOR_MISTAKES)} mistakes, "
        f"kube-score {len(SCORE_MISTAKES)}"
    )


def operator_schemas(folder: Path) -> dict[str, Document]:
    """The operator's schemas by kind, made strict: a field that is not named is none."""
    schemas = {}
    for kind in OPERATOR_FIELDS:
        (file,) = folder.glob(f"*_{kind.lower()}s.yaml")
        (version,) = load_yaml(file.read_text(encoding="utf-8"))["spec"]["versions"]
        schemas[kind] = _strict(version["schema"]["openAPIV3Schema"])
        schemas[kind]["properties"]["metadata"] = {"type": "object"}
    return schemas


def _strict(part: Any) -> Any:
    if isinstance(part, list):
        return [_strict(each) for each in part]
    if not isinstance(part, dict):
        return part
    made = {key: _strict(value) for key, value in part.items()}
    if made.pop("x-kubernetes-int-or-string", False):
        made.pop("type", None)
    if isinstance(made.get("properties"), dict) and made.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


def operator_problems(documents: list[Document], schemas: dict[str, Document]) -> Iterator[str]:
    for document in documents:
        if document["kind"] in schemas:
            for error in jsonschema.Draft7Validator(schemas[document["kind"]]).iter_errors(document):
                yield f"{title(document)} {error.json_path}: {error.message[:200]}"


def score_problems(program: Path, documents: list[Document]) -> list[str]:
    """What kube-score finds, warnings included."""
    ignored = [option for name in UNWANTED for option in ("--ignore-test", name)]
    plain = [each for each in documents if each["kind"] not in OPERATOR_FIELDS]
    done = subprocess.run(
        [program, "score", "--output-format", "json", *ignored, "-"],
        input=yaml.safe_dump_all(plain),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    # A grade of 10 is all well; what does not apply has 0 and says that it was left out.
    return [
        f"{each['object_name']}: {test['check']['name']}: {[c['summary'] for c in test['comments'] or []]}"
        for each in json.loads(done.stdout)
        for test in each["checks"]
        if test["grade"] < 10 and not test["skipped"]
    ]
