"""The series that there are, with the values of their labels, and what an expression asks that none of them has."""

import re
from collections.abc import Iterator

import grpc

from tarneeb.v1 import tarneeb_service_pb2

SERVICE = tarneeb_service_pb2.DESCRIPTOR.services_by_name["TarneebService"]
# What the operator, or whoever writes the scrape jobs, puts on a target.
TARGET = {"job": {"tarneeb", "tarneeb-gateway"}, "namespace": None, "instance": None, "pod": None}

# What a dashboard's variable stands for.
ANY = ".*"
Labels = dict[str, set[str] | None]


def code_names() -> set[str]:
    """The statuses as Go's middleware spells them: OK, InvalidArgument."""
    names = {code.name.title().replace("_", "") for code in grpc.StatusCode} - {"Ok", "Cancelled"}
    return names | {"OK", "Canceled"}


_CALL: Labels = {
    "grpc_type": {"unary"},
    "grpc_service": {SERVICE.full_name},
    "grpc_method": set(SERVICE.methods_by_name),
}
_HANDLING: Labels = {**_CALL, "le": None}
# None stands for values that are the rules' own, or any.
KNOWN: dict[str, Labels] = {
    "up": {},
    "ALERTS": {"alertname": None, "alertstate": {"firing", "pending"}},
    "grpc_server_started_total": _CALL,
    "grpc_server_handled_total": {**_CALL, "grpc_code": code_names()},
    "grpc_server_handling_seconds_bucket": _HANDLING,
    "grpc_server_handling_seconds_sum": _HANDLING,
    "grpc_server_handling_seconds_count": _HANDLING,
    "tarneeb_moves_total": {"rule_set": None, "move": None, "verdict": {"legal", "refused"}, "reason": None},
    "tarneeb_snapshot_problems_total": {"reason": None},
    "tarneeb_shed_calls_total": {"reason": {"overloaded", "unauthenticated"}},
    "tarneeb_batch_items_bucket": {"le": None},
    "tarneeb_batch_items_sum": {},
    "tarneeb_batch_items_count": {},
    "tarneeb_reload_failures_total": {"files": {"tls", "tokens"}},
    "tarneeb_build_info": {"version": None, "rules_revision": None},
    "tarneeb_calls_in_flight": {},
    "tarneeb_calls_limit": {},
    "tarneeb_certificate_expiry_timestamp_seconds": {},
    "tarneeb_serving": {},
    "tarneeb_memory_lookups_total": {"result": {"hit", "miss"}},
    "tarneeb_memory_games": {},
    "tarneeb_log_lines_dropped_total": {},
    "tarneeb_log_lines_left_out_total": {"kind": None},
    "process_cpu_seconds_total": {},
    "process_resident_memory_bytes": {},
    "envoy_cluster_membership_healthy": {"envoy_cluster_name": {"tarneeb"}},
    "envoy_http_downstream_rq_xx": {
        "envoy_http_conn_manager_prefix": {"calls"},
        "envoy_response_code_class": set("12345"),
    },
}
_SERIES = re.compile(r"\b([a-zA-Z_:][a-zA-Z0-9_:]*)\s*\{([^}]*)\}")
_MATCHER = re.compile(r'([a-z_]+)\s*(=~|!~|!=|=)\s*"([^"]*)"')
_GROUPING = re.compile(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)")


def asked_in_vain(expr: str, recorded: set[str]) -> Iterator[str]:
    """What an expression asks for that no series has.

    ``recorded`` are the names of recording rules, whose labels are not looked at.
    """
    labels_seen = {*TARGET, "le"}
    found = _SERIES.findall(expr)
    if not found:
        yield "asks for no series"
    for name, selector in found:
        if name in recorded:
            labels_seen |= {"reason"}
            continue
        if name not in KNOWN:
            yield f"asks for {name}, which is no metric"
            continue
        known = {**TARGET, **KNOWN[name]}
        labels_seen |= known.keys()
        for label, operator, value in _MATCHER.findall(selector):
            if label not in known:
                yield f"asks {name} for a label {label}"
            elif (allowed := known[label]) is not None and value != ANY:
                values = value.split("|") if "~" in operator else [value]
                for each in sorted(set(values) - allowed):
                    yield f'asks {name} for {label}="{each}", which is never so'
    for grouping in _GROUPING.findall(expr):
        for label in re.findall(r"[a-z_]+", grouping):
            if label not in labels_seen:
                yield f"groups by {label}, which nothing has"
