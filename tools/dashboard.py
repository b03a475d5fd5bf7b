"""The Grafana dashboard as code: what deploy/dashboards/tarneeb.json is made of."""

import json
from typing import Any, NamedTuple

# Grafana's grid is 24 wide.
WIDTH, STAT_HEIGHT, GRAPH_HEIGHT = 24, 4, 8
SOURCE = {"type": "prometheus", "uid": "${datasource}"}
# Health, reflection and unknown methods are not what callers come for.
JOB = 'namespace=~"$namespace",job=~"$job"'
CALLS = f'{JOB},grpc_service="tarneeb.v1.TarneebService"'
MOVES = f'{JOB},rule_set=~"$rule_set"'
FAULTS = "Internal|Unknown|DataLoss|DeadlineExceeded"


class Panel(NamedTuple):
    """One panel. ``targets`` are pairs of an expression and its legend."""

    title: str
    text: str
    unit: str
    targets: tuple[tuple[str, str], ...]
    kind: str = "timeseries"
    width: int = 8
    # A value from which on it is drawn red.
    alarm: float | None = None
    stacked: bool = False


class Row(NamedTuple):
    """A row of panels under a heading."""

    title: str
    panels: tuple[Panel, ...]


def rate(metric: str, selector: str, by: str = "") -> str:
    """The rate of a counter, summed."""
    summed = f"sum by ({by})" if by else "sum"
    return f"{summed} (rate({metric}{{{selector}}}[$__rate_interval]))"


def quantile(share: float, selector: str, by: str = "") -> str:
    labels = f"le, {by}" if by else "le"
    return f"histogram_quantile({share}, {rate('grpc_server_handling_seconds_bucket', selector, labels)})"


HANDLED, STARTED = "grpc_server_handled_total", "grpc_server_started_total"
MOVE_CALLS = f'{CALLS},grpc_method=~"ValidateMove|ApplyMove"'
FAILED = f'{CALLS},grpc_code=~"{FAULTS}"'
ERROR_RATIO = f"{rate(HANDLED, FAILED)} / {rate(HANDLED, CALLS)}"
MOVED = "tarneeb_moves_total"
REFUSED = f'{MOVES},verdict="refused"'
REFUSED_RATIO = f"{rate(MOVED, REFUSED)} / {rate(MOVED, MOVES)}"
LOOKED = "tarneeb_memory_lookups_total"
HITS = f'{JOB},result="hit"'
HIT_RATIO = f"{rate(LOOKED, HITS, 'instance')} / {rate(LOOKED, JOB, 'instance')}"

ROWS = (
    Row(
        "Now",
        (
            Panel("Calls", "Calls that ended, a second.", "reqps", ((rate(HANDLED, CALLS), ""),), "stat", 4),
            Panel(
                "Failing calls",
                "Share of calls that failed for a reason of ours, or came too late. Alert: TarneebErrorRatio.",
                "percentunit",
                ((f"{ERROR_RATIO} or vector(0)", ""),),
                "stat",
                4,
                0.01,
            ),
            Panel(
                "Moves, 99th percentile",
                "Time of ValidateMove and ApplyMove, waiting included. Alert: TarneebLatency.",
                "s",
                ((quantile(0.99, MOVE_CALLS), ""),),
                "stat",
                4,
                0.05,
            ),
            Panel(
                "Refused moves",
                "Share of moves that break a rule. Normal for people, odd for a client that asks first.",
                "percentunit",
                ((REFUSED_RATIO, ""),),
                "stat",
                4,
            ),
            Panel(
                "Busy",
                "Calls in flight as a share of the limit, the busiest replica.",
                "percentunit",
                ((f"max(tarneeb_calls_in_flight{{{JOB}}} / tarneeb_calls_limit{{{JOB}}})", ""),),
                "stat",
                4,
                0.8,
            ),
            Panel(
                "Serving replicas",
                "Replicas that say they are ready.",
                "short",
                ((f"sum(tarneeb_serving{{{JOB}}})", ""),),
                "stat",
                4,
            ),
        ),
    ),
    Row(
        "Calls",
        (
            Panel(
                "Calls by method",
                "Calls that arrived, a second.",
                "reqps",
                ((rate(STARTED, CALLS, "grpc_method"), "{{grpc_method}}"),),
                stacked=True,
            ),
            Panel(
                "Calls that did not end well, by code",
                "InvalidArgument is a caller's mistake, Unavailable a call turned away, Canceled a caller who left; "
                "DeadlineExceeded came too late, and the rest is ours.",
                "reqps",
                ((rate(HANDLED, f'{CALLS},grpc_code!="OK"', "grpc_code"), "{{grpc_code}}"),),
            ),
            Panel(
                "Time of a move",
                "ValidateMove and ApplyMove, from arrival to answer.",
                "s",
                tuple(
                    (quantile(q, MOVE_CALLS), name)
                    for q, name in ((0.5, "p50"), (0.95, "p95"), (0.99, "p99"))
                ),
                alarm=0.05,
            ),
            Panel(
                "Time by method, 95th percentile",
                "Replays of long records may take their time.",
                "s",
                ((quantile(0.95, CALLS, "grpc_method"), "{{grpc_method}}"),),
            ),
            Panel(
                "Items of a batch",
                "Items of a ValidateMoves call: the mean, and the 95th percentile.",
                "short",
                (
                    (
                        f"{rate('tarneeb_batch_items_sum', JOB)} / {rate('tarneeb_batch_items_count', JOB)}",
                        "mean",
                    ),
                    (f"histogram_quantile(0.95, {rate('tarneeb_batch_items_bucket', JOB, 'le')})", "p95"),
                ),
            ),
            Panel(
                "Calls turned away",
                "Before any work: overloaded (alert TarneebShedding), or without a token.",
                "reqps",
                ((rate("tarneeb_shed_calls_total", JOB, "reason"), "{{reason}}"),),
            ),
        ),
    ),
    Row(
        "Rules",
        (
            Panel(
                "Moves by rule set",
                "Moves judged, a second.",
                "ops",
                ((rate(MOVED, MOVES, "rule_set"), "{{rule_set}}"),),
                stacked=True,
            ),
            Panel(
                "Refused moves by reason",
                "A new client that gets a rule wrong shows as one reason rising. Alert: TarneebRefusalSpike.",
                "ops",
                ((rate(MOVED, REFUSED, "reason"), "{{reason}}"),),
            ),
            Panel(
                "Problems in games",
                "Games that can't be true, by what is wrong: a store or a client mangles them. "
                "Alert: TarneebSnapshotProblems.",
                "ops",
                ((rate("tarneeb_snapshot_problems_total", JOB, "reason"), "{{reason}}"),),
            ),
        ),
    ),
    Row(
        "Replicas",
        (
            Panel(
                "Calls in flight",
                "Waiting or running, by replica; the limit is TARNEEB_MAX_CALLS.",
                "short",
                (
                    (f"sum by (instance) (tarneeb_calls_in_flight{{{JOB}}})", "{{instance}}"),
                    (f"min(tarneeb_calls_limit{{{JOB}}})", "limit"),
                ),
            ),
            Panel(
                "CPU",
                "Cores used, by replica. One process uses little more than one.",
                "short",
                (
                    (
                        f"sum by (instance) (rate(process_cpu_seconds_total{{{JOB}}}[$__rate_interval]))",
                        "{{instance}}",
                    ),
                ),
            ),
            Panel(
                "Memory",
                "Resident memory, by replica. It is flat, but for calls with long messages.",
                "bytes",
                ((f"sum by (instance) (process_resident_memory_bytes{{{JOB}}})", "{{instance}}"),),
            ),
            Panel(
                "Games remembered",
                "Share of snapshots that were checked before, by replica. Low where the calls for a game go to any "
                "replica, or TARNEEB_MEMORY_GAMES is small.",
                "percentunit",
                ((HIT_RATIO, "{{instance}}"),),
            ),
            Panel(
                "Versions",
                "Replicas by version and rules revision. Alert: TarneebMixedRules.",
                "short",
                (
                    (
                        f"count by (version, rules_revision) (tarneeb_build_info{{{JOB}}})",
                        "{{version}}, rules {{rules_revision}}",
                    ),
                ),
            ),
            Panel(
                "Log lines dropped",
                "Lines that nobody read in time.",
                "ops",
                ((rate("tarneeb_log_lines_dropped_total", JOB, "instance"), "{{instance}}"),),
            ),
            Panel(
                "Log lines left out",
                "Lines beyond what a second may have of their kind. The calls themselves are counted as ever.",
                "ops",
                ((rate("tarneeb_log_lines_left_out_total", JOB, "kind"), "{{kind}}"),),
            ),
            Panel(
                "Files that could not be read again",
                "Certificates and tokens that were changed. Alert: TarneebReloadFailing.",
                "short",
                ((f"sum by (files) (increase(tarneeb_reload_failures_total{{{JOB}}}[1h]))", "{{files}}"),),
            ),
        ),
    ),
)


def variable(name: str, query: str, label: str) -> dict[str, Any]:
    return {
        "type": "query",
        "name": name,
        "label": label,
        "datasource": SOURCE,
        "definition": query,
        "query": {"query": query, "refId": name},
        "refresh": 2,
        "sort": 1,
        "multi": True,
        "includeAll": True,
        "allValue": ".*",
        "current": {"selected": True, "text": ["All"], "value": ["$__all"]},
    }


def panel_json(panel: Panel, number: int, x: int, y: int) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    if panel.alarm is not None:
        steps.append({"color": "red", "value": panel.alarm})
    is_stat = panel.kind == "stat"
    custom = {
        "lineWidth": 1,
        "fillOpacity": 25 if panel.stacked else 5,
        "showPoints": "never",
        "stacking": {"mode": "normal" if panel.stacked else "none"},
        "thresholdsStyle": {"mode": "off" if panel.alarm is None else "dashed"},
    }
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.text,
        "datasource": SOURCE,
        "gridPos": {"x": x, "y": y, "w": panel.width, "h": STAT_HEIGHT if is_stat else GRAPH_HEIGHT},
        "fieldConfig": {
            "defaults": {
                "unit": panel.unit,
                "min": 0,
                "thresholds": {"mode": "absolute", "steps": steps},
                **({} if is_stat else {"custom": custom}),
            },
            "overrides": [],
        },
        "options": {"reduceOptions": {"calcs": ["lastNotNull"]}, "graphMode": "area"}
        if is_stat
        else {
            "legend": {"displayMode": "list", "placement": "bottom"},
            "tooltip": {"mode": "multi", "sort": "desc"},
        },
        "targets": [
            {"refId": chr(ord("A") + index), "datasource": SOURCE, "expr": expr, "legendFormat": legend}
            for index, (expr, legend) in enumerate(panel.targets)
        ],
    }


def panels_json() -> list[dict[str, Any]]:
    """The rows and their panels, from left to right and top to bottom."""
    made: list[dict[str, Any]] = []
    y = 0
    for row in ROWS:
        position = {"x": 0, "y": y, "w": WIDTH, "h": 1}
        made.append(
            {"id": len(made) + 1, "type": "row", "title": row.title, "gridPos": position, "panels": []}
        )
        x, y, height = 0, y + 1, 0
        for panel in row.panels:
            if x + panel.width > WIDTH:
                x, y = 0, y + height
            made.append(panel_json(panel, len(made) + 1, x, y))
            x += panel.width
            height = made[-1]["gridPos"]["h"]
        y += height
    return made


def dashboard_json() -> str:
    """The whole dashboard, as Grafana imports it."""
    dashboard = {
        "uid": "tarneeb",
        "title": "Tarneeb rules service",
        "description": "What callers ask, how it is judged, and how the replicas bear it. "
        "docs/runbooks.md says what to do.",
        "tags": ["tarneeb", "grpc"],
        "schemaVersion": 39,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {
            "list": [
                {"type": "datasource", "name": "datasource", "label": "Data source", "query": "prometheus"},
                variable("namespace", "label_values(tarneeb_build_info, namespace)", "Namespace"),
                variable("job", 'label_values(tarneeb_build_info{namespace=~"$namespace"}, job)', "Job"),
                variable("rule_set", f"label_values(tarneeb_moves_total{{{JOB}}}, rule_set)", "Rule set"),
            ]
        },
        "annotations": {"list": []},
        "panels": panels_json(),
    }
    return json.dumps(dashboard, indent=2, ensure_ascii=False) + "\n"


def expressions() -> list[tuple[str, str]]:
    """Every panel's title with each of its expressions, Grafana's variables filled in."""
    filled = {"$__rate_interval": "5m", "$namespace": ".*", "$job": ".*", "$rule_set": ".*"}
    found = []
    for row in ROWS:
        for panel in row.panels:
            for expr, _legend in panel.targets:
                for name, value in filled.items():
                    expr = expr.replace(name, value)
                found.append((panel.title, expr))
    return found
