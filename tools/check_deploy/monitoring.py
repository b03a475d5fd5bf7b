"""Alerts and dashboard: their syntax, their tests, and that what they ask for is there, in a real Prometheus."""

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import grpc
import yaml

from tools.check_deploy.calls import make_calls
from tools.check_deploy.processes import HOST, free_ports, get, running, service, until
from tools.dashboard import expressions
from tools.deploy_files import RULES

TESTS = RULES.with_name("tarneeb.tests.yaml")
# Names of series in an expression; recorded ones have a colon.
METRIC = re.compile(r"\b(?:tarneeb|grpc_server|process)_[a-z_]+")
# What is asked of Envoy, with what must match.
ENVOY_SERIES = re.compile(r"\b(envoy_[a-z_]+)\{([^}]*)\}")
MATCHER = re.compile(r'([a-z_]+)="([^"]*)"')
# Only where there is TLS.
RARE = {"tarneeb_certificate_expiry_timestamp_seconds"}
# What the operator, or whoever writes the scrape jobs, puts on a target.
SCRAPED = {"job", "namespace"}


def promtool(program: Path, *arguments: str | Path, stdin: str = "") -> str:
    """Run promtool.

    Raises:
        RuntimeError: It found fault.
    """
    done = subprocess.run(
        [program, *arguments], input=stdin, capture_output=True, text=True, timeout=180, check=False
    )
    if done.returncode:
        raise RuntimeError(f"promtool {arguments[0]} {arguments[1]}:\n{done.stdout}{done.stderr}")
    return done.stdout


def rules() -> list[dict[str, Any]]:
    content = yaml.safe_load(RULES.read_text(encoding="utf-8"))
    return [rule for group in content["groups"] for rule in group["rules"]]


def asked_metrics() -> set[str]:
    """Every metric that an alert or a panel asks for."""
    asked = [rule["expr"] for rule in rules()] + [expr for _title, expr in expressions()]
    return {name for expr in asked for name in METRIC.findall(expr)}


def offered_metrics(text: str) -> set[str]:
    """Every metric that a scrape offers."""
    return {
        match[1] for line in text.splitlines() if (match := re.match(r"([a-zA-Z_:][a-zA-Z0-9_:]*)[ {]", line))
    }


def unanswered(text: str) -> list[str]:
    """What the alerts ask of Envoy that a scrape of it does not offer, the labels of the target aside."""
    offered = [
        (match[1], set(MATCHER.findall(match[2])))
        for line in text.splitlines()
        if (match := re.match(r"([a-z_]+)\{([^}]*)\} ", line))
    ]
    asked = {match for rule in rules() for match in ENVOY_SERIES.findall(rule["expr"])}
    if not asked:
        raise RuntimeError("no alert watches Envoy")
    missing = []
    for name, selector in sorted(asked):
        wanted = {pair for pair in MATCHER.findall(selector) if pair[0] not in SCRAPED}
        if not any(name == other and wanted <= labels for other, labels in offered):
            missing.append(f"{name}{{{selector}}}")
    return missing


def check_syntax(program: Path) -> str:
    """Check rules, their tests and the dashboard's expressions, without anything running."""
    promtool(program, "check", "rules", RULES)
    promtool(program, "test", "rules", TESTS)
    asked = expressions()
    with tempfile.TemporaryDirectory() as folder:
        panels = Path(folder) / "panels.yaml"
        recorded = [{"record": f"panel:{n}", "expr": expr} for n, (_title, expr) in enumerate(asked)]
        panels.write_text(
            yaml.safe_dump({"groups": [{"name": "panels", "rules": recorded}]}), encoding="utf-8"
        )
        promtool(program, "check", "rules", panels)
    tests = yaml.safe_load(TESTS.read_text(encoding="utf-8"))["tests"]
    return f"{len(rules())} rules, {len(tests)} rule tests, {len(asked)} panel expressions"


class Prometheus:
    """A running Prometheus."""

    def __init__(self, url: str) -> None:
        self.url = url

    def api(self, path: str) -> Any:
        text = get(f"{self.url}/api/v1/{path}")
        return None if text is None else json.loads(text)["data"]

    def query(self, expr: str) -> list[dict[str, Any]]:
        data = self.api(f"query?query={quote(expr)}")
        if data is None:
            raise RuntimeError(f"Prometheus refused: {expr}")
        found: list[dict[str, Any]] = data["result"]
        return found


@contextmanager
def prometheus(program: Path, targets: list[str], interval: str = "1s") -> Iterator[Prometheus]:
    """Run Prometheus on loopback with our rules, scraping services."""
    (port,) = free_ports(1)
    content = yaml.safe_load(RULES.read_text(encoding="utf-8"))
    for group in content["groups"]:
        group["interval"] = interval
    config = {
        "global": {"scrape_interval": interval, "evaluation_interval": interval},
        "rule_files": ["rules.yaml"],
        "scrape_configs": [
            {
                "job_name": "tarneeb",
                "static_configs": [{"targets": targets, "labels": {"namespace": "check"}}],
            }
        ],
    }
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rules.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        file = Path(folder) / "prometheus.yml"
        file.write_text(yaml.safe_dump(config), encoding="utf-8")
        command: list[str | Path] = [
            program,
            f"--config.file={file}",
            f"--storage.tsdb.path={folder}/data",
            f"--web.listen-address={HOST}:{port}",
            "--log.level=warn",
        ]
        with running(command):
            server = Prometheus(f"http://{HOST}:{port}")
            until("Prometheus", lambda: get(f"{server.url}/-/ready"), 30)
            yield server


def check_running(program: Path, promtool_program: Path) -> str:
    """Scrape a service that works, and ask everything that the alerts and the dashboard ask."""
    with service() as backend, prometheus(program, [backend.metrics_address]) as server:
        with grpc.insecure_channel(backend.address) as channel:
            # Twice, with scrapes between: a series that appears is no increase yet.
            calls = make_calls(channel, 150)
            _wait_for_scrapes(server, 2)
            calls += make_calls(channel, 150)
            _wait_for_scrapes(server, 2)
        text = backend.metrics()
        promtool(promtool_program, "check", "metrics", stdin=text)
        if missing := asked_metrics() - offered_metrics(text) - RARE:
            raise RuntimeError(f"asked for, but not in /metrics: {sorted(missing)}")
        empty = [
            f"{title}: {expr}"
            for title, expr in expressions()
            if not server.query(expr) and not RARE & set(METRIC.findall(expr))
        ]
        if empty:
            raise RuntimeError("panels without data:\n" + "\n".join(empty))
        _check_rules(server)
        series = len(server.query('{job="tarneeb"}'))
    return f"{calls} steps played, {series} series, {len(expressions())} panel expressions answered"


def _wait_for_scrapes(server: Prometheus, count: int) -> None:
    def scraped() -> float:
        found = server.query("count_over_time(tarneeb_build_info[1h])")
        return float(found[0]["value"][1]) if found else 0.0

    goal = scraped() + count
    until("scrapes", lambda: True if scraped() >= goal else None, 20)


def _check_rules(server: Prometheus) -> None:
    groups = server.api("rules")["groups"]
    states = [rule for group in groups for rule in group["rules"]]
    if len(states) != len(rules()):
        raise RuntimeError(f"Prometheus has {len(states)} rules, the file {len(rules())}")
    if bad := [(rule["name"], rule.get("lastError")) for rule in states if rule["health"] != "ok"]:
        raise RuntimeError(f"rules that do not evaluate: {bad}")
    if firing := [rule["name"] for rule in states if rule.get("state") == "firing"]:
        raise RuntimeError(f"alerts about a healthy service: {firing}")
