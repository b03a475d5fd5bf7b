"""Mistakes in what is scraped and alerted on."""

from collections.abc import Callable
from typing import Any

from tests.deploy.mistakes.places import Documents, Mistake, monitor, pod_monitor
from tools.check_deploy.documents import find


def rule(name: str) -> Callable[[Documents], Any]:
    """An alert, by its name."""
    return lambda documents: next(
        each
        for group in find(documents, "PrometheusRule", "tarneeb")["spec"]["groups"]
        for each in group["rules"]
        if each.get("alert") == name
    )


def reworded(name: str, old: str, new: str) -> Callable[[Documents], Any]:
    def change(documents: Documents) -> None:
        found = rule(name)(documents)
        assert old in found["expr"]
        found["expr"] = found["expr"].replace(old, new)

    return change


MONITORING: dict[str, Mistake] = {
    "monitor: misspelt path": Mistake(
        lambda d: monitor(d)["endpoints"][0].update(path="/metric"), "metrics are on /metrics"
    ),
    "monitor: misspelt field": Mistake(
        lambda d: monitor(d)["endpoints"][0].update(scrapeTimeot="5s"),
        "unknown field spec.endpoints.scrapeTimeot",
    ),
    "monitor: field in the wrong place": Mistake(
        lambda d: monitor(d).update(path="/metrics"), "unknown field spec.path"
    ),
    "monitor: another port": Mistake(
        lambda d: monitor(d)["endpoints"][0].update(port="grpc"), "scrapes a port grpc"
    ),
    "monitor: nothing selected": Mistake(
        lambda d: monitor(d)["selector"]["matchLabels"].update({"app.kubernetes.io/name": "tarneb"}),
        "selects []",
    ),
    "monitor: each pod twice": Mistake(
        lambda d: monitor(d)["selector"]["matchLabels"].pop("app.kubernetes.io/component"),
        "selects ['Service",
    ),
    "monitor: another job": Mistake(lambda d: monitor(d).pop("jobLabel"), "alerts select tarneeb"),
    "monitor: seldom": Mistake(
        lambda d: monitor(d)["endpoints"][0].update(interval="120s"), "scrapes every 120 s"
    ),
    "monitor: waits longer than it scrapes": Mistake(
        lambda d: monitor(d)["endpoints"][0].update(scrapeTimeout="20s"), "waits for 20 s"
    ),
    "monitor: no release": Mistake(
        lambda d: find(d, "ServiceMonitor", "tarneeb")["metadata"]["labels"].pop("release"),
        "the label release",
    ),
    "rules: another release": Mistake(
        lambda d: find(d, "PrometheusRule", "tarneeb")["metadata"]["labels"].update(release="other"),
        "the label release",
    ),
    "gateway's monitor: misspelt path": Mistake(
        lambda d: pod_monitor(d)["podMetricsEndpoints"][0].update(path="/metrics"), "metrics are on /stats"
    ),
    "gateway's monitor: another port": Mistake(
        lambda d: pod_monitor(d)["podMetricsEndpoints"][0].update(port="http"), "scrapes a port http"
    ),
    "gateway's monitor: nothing selected": Mistake(
        lambda d: pod_monitor(d)["selector"]["matchLabels"].update({"app.kubernetes.io/name": "gateway"}),
        "PodMonitor/tarneeb-gateway selects",
    ),
    "gateway's monitor: another job": Mistake(
        lambda d: pod_monitor(d).update(jobLabel="app.kubernetes.io/part-of"), "alerts select tarneeb-gateway"
    ),
    "dashboard: not found by Grafana": Mistake(
        lambda d: find(d, "ConfigMap", "tarneeb-dashboard")["metadata"]["labels"].pop("grafana_dashboard"),
        "Grafana's sidecar",
    ),
    "alert: a reason that never is": Mistake(
        reworded("TarneebShedding", 'reason="overloaded"', 'reason="overload"'), 'reason="overload"'
    ),
    "alert: a code that never is": Mistake(
        reworded("TarneebErrorRatio", "Internal|", "INTERNAL|"), 'grpc_code="INTERNAL"'
    ),
    "alert: a method that never is": Mistake(
        reworded("TarneebLatency", "ApplyMove", "PlayMove"), 'grpc_method="PlayMove"'
    ),
    "alert: a cluster that never is": Mistake(
        reworded("TarneebGatewayDown", 'envoy_cluster_name="tarneeb"', 'envoy_cluster_name="service"'),
        'envoy_cluster_name="service"',
    ),
    "alert: a label that never is": Mistake(
        reworded("TarneebShedding", "reason=", "cause="), "for a label cause"
    ),
    "alert: a metric that never is": Mistake(
        reworded("TarneebReloadFailing", "tarneeb_reload_failures_total", "tarneeb_reload_failed_total"),
        "which is no metric",
    ),
    "alert: a job that never is": Mistake(
        reworded("TarneebDown", 'job="tarneeb"', 'job="tarneb"'), 'job="tarneb"'
    ),
    "alert: grouped by nothing": Mistake(
        reworded("TarneebReloadFailing", "job, files", "job, file"), "groups by file"
    ),
    "alert: nobody is called": Mistake(lambda d: rule("TarneebDown")(d).pop("labels"), "no severity"),
    "alert: at once": Mistake(lambda d: rule("TarneebLatency")(d).pop("for"), "fires at once"),
    "alert: no runbook": Mistake(
        lambda d: rule("TarneebDown")(d)["annotations"].pop("runbook"), "no runbook"
    ),
    "alert: misspelt field": Mistake(
        lambda d: rule("TarneebDown")(d).update(annotation={}), "unknown field spec.groups.rules.annotation"
    ),
    "alert: twice": Mistake(
        lambda d: rule("TarneebLatency")(d).update(alert="TarneebDown"), "more than once"
    ),
    "alert: hides the namespace": Mistake(
        lambda d: rule("TarneebDown")(d)["labels"].update(namespace="all"), "hides where it is"
    ),
}
