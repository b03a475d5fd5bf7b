"""What must hold for scraping and alerts: that a Prometheus takes them, finds the pods, and can ever alert."""

from collections.abc import Iterator

from tools.check_deploy.documents import Document, container, find, labels_of, of_kind, title
from tools.check_deploy.schemas import OPERATOR_FIELDS, unknown_fields
from tools.check_deploy.series import TARGET, asked_in_vain

# A Prometheus of the operator selects by this label; without it nothing is scraped.
RELEASE = "release"
SEVERITIES = {"page", "ticket"}


def problems(documents: list[Document]) -> Iterator[str]:
    """What is wrong with the monitoring of a rendered deployment, if it has any."""
    ours = [each for each in documents if each["kind"] in OPERATOR_FIELDS]
    if not ours:
        return
    for each in ours:
        yield from unknown_fields(each)
    releases = {each["metadata"].get("labels", {}).get(RELEASE) for each in ours}
    if len(releases) != 1 or None in releases:
        yield f"a Prometheus selects by the label {RELEASE}; there is {sorted(map(str, releases))}"
    if [each["kind"] for each in ours] != sorted(OPERATOR_FIELDS):
        yield f"one of {sorted(OPERATOR_FIELDS)} each is needed"
        return
    yield from _service_monitor(find(documents, "ServiceMonitor", "tarneeb"), documents)
    yield from _pod_monitor(find(documents, "PodMonitor", "tarneeb-gateway"), documents)
    for each in of_kind(documents, "PrometheusRule"):
        yield from _rules(each)
    board = find(documents, "ConfigMap", "tarneeb-dashboard")
    if board["metadata"].get("labels", {}).get("grafana_dashboard") != "1":
        yield f"{title(board)} lacks the label that Grafana's sidecar looks for"


def _endpoint(monitor: Document, endpoints: list[Document], path: str, ports: set[str]) -> Iterator[str]:
    if len(endpoints) != 1:
        yield f"{title(monitor)} scrapes {len(endpoints)} endpoints"
    for endpoint in endpoints:
        if endpoint.get("path") != path:
            yield f"{title(monitor)} scrapes {endpoint.get('path')}, metrics are on {path}"
        if endpoint.get("port") not in ports:
            yield f"{title(monitor)} scrapes a port {endpoint.get('port')}, there are {sorted(ports)}"
        interval, timeout = (
            int(str(endpoint.get(key, "0")).rstrip("s")) for key in ("interval", "scrapeTimeout")
        )
        # The alerts' rates need four scrapes in two minutes and more.
        if not 0 < timeout <= interval <= 30:
            yield f"{title(monitor)} scrapes every {interval} s and waits for {timeout} s"


def _service_monitor(monitor: Document, documents: list[Document]) -> Iterator[str]:
    spec = monitor["spec"]
    selector = spec["selector"].get("matchLabels", {})
    found = [
        each
        for each in of_kind(documents, "Service")
        if selector and selector.items() <= each["metadata"].get("labels", {}).items()
    ]
    # One Service, or each pod would be scraped twice.
    if [each["metadata"]["name"] for each in found] != ["tarneeb-headless"]:
        yield f"{title(monitor)} selects {[title(each) for each in found]}"
        return
    yield from _endpoint(monitor, spec["endpoints"], "/metrics", {"metrics"})
    job = found[0]["metadata"]["labels"].get(spec.get("jobLabel"))
    if job != "tarneeb":
        yield f"{title(monitor)} names the job {job}, alerts select tarneeb"
    if "metrics" not in {port["name"] for port in found[0]["spec"]["ports"]}:
        yield f"{title(found[0])} has no port metrics"


def _pod_monitor(monitor: Document, documents: list[Document]) -> Iterator[str]:
    try:
        deployment = find(documents, "Deployment", "tarneeb-gateway")
    except KeyError:
        return
    spec, labels = monitor["spec"], labels_of(deployment)
    selector = spec["selector"].get("matchLabels", {})
    if not selector or not selector.items() <= labels.items():
        yield f"{title(monitor)} selects {selector}, the pods have {labels}"
    named = {port["name"] for port in container(deployment)["ports"]} & {"stats"}
    yield from _endpoint(monitor, spec["podMetricsEndpoints"], "/stats/prometheus", named)
    job = labels.get(spec.get("jobLabel"))
    if job != "tarneeb-gateway":
        yield f"{title(monitor)} names the job {job}, alerts select tarneeb-gateway"


def _rules(document: Document) -> Iterator[str]:
    rules = [rule for group in document["spec"]["groups"] for rule in group["rules"]]
    recorded = {rule["record"] for rule in rules if "record" in rule}
    names = [rule.get("alert", rule.get("record")) for rule in rules]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"{name} is there more than once"
    for rule, name in zip(rules, names, strict=True):
        for problem in asked_in_vain(rule["expr"], recorded):
            yield f"{name} {problem}"
        if "alert" not in rule:
            continue
        if rule.get("labels", {}).get("severity") not in SEVERITIES:
            yield f"{name} has no severity of {sorted(SEVERITIES)}"
        if not rule.get("for"):
            yield f"{name} fires at once"
        if not {"summary", "runbook"} <= rule.get("annotations", {}).keys():
            yield f"{name} has no summary or no runbook"
        overridden = set(rule.get("labels", {})) & TARGET.keys()
        if overridden:
            yield f"{name} hides where it is: {sorted(overridden)}"
