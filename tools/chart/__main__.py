"""Make the templates of the Helm chart from the kustomize base, or check that chart and base agree.

What kustomize renders is the templates' text. Only the places named here become values, and the default of each
in values.yaml must be what the base has there. `make chart-check` renders both and compares the objects.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

import yaml

from tools.chart.rendered import render_with
from tools.chart.template import Template
from tools.check_deploy import manifests
from tools.check_deploy.manifests import ROOT, Document, container, find

CHART = ROOT / "deploy/chart"
SCHEMA = CHART / "values.schema.json"
OPERATIONS = ROOT / "docs/operations.md"
HEAD = "{{- /* Made from deploy/k8s by tools/chart: change it there. */ -}}\n"
# Ports are in Services, probes and the network policy too, so they are no values.
FIXED_SETTINGS = ("TARNEEB_PORT", "TARNEEB_METRICS_PORT", "TARNEEB_HEALTH_PORT")
# Components that are an option of the chart, each with what it adds to the one before, and the option.
SECURE = {
    ("tls",): ".Values.tls.enabled",
    ("mutual-tls",): "and .Values.tls.enabled .Values.tls.mutual",
    ("mutual-tls", "tokens"): ".Values.tokens.enabled",
}
# Where a cluster's owner has a say; the base says nothing.
SCHEDULING = ("priorityClassName", "nodeSelector", "tolerations", "affinity")


def service_account(template: Template) -> None:
    metadata = template.document["metadata"]
    template.only_if(".Values.serviceAccount.create")
    template.value(metadata, "name", "serviceAccount.name")
    template.add_optional(metadata, "annotations", "serviceAccount.annotations")


def settings(template: Template) -> None:
    """The ports as they are, the files of TLS and tokens on their options, the rest from the values."""
    data = template.document["data"]
    template.put(template.document["metadata"], "name", "tarneeb-settings")
    lines, seen = [], set(data)
    for components, condition in SECURE.items():
        more = find(render_with(components), "ConfigMap", "tarneeb-settings")["data"]
        added = [f"{name}: {more[name]}" for name in sorted(more.keys() - seen)]
        lines += [f"{{{{- if {condition} }}}}", *added, "{{- end }}"]
        seen |= more.keys()
    template.defaults["settings"] = {
        name: data.pop(name) for name in sorted(data) if name not in FIXED_SETTINGS
    }
    each = '{{ $name }}: {{ include "tarneeb.text" $value | quote }}'
    lines += ["{{- range $name, $value := .Values.settings }}", each, "{{- end }}"]
    template.add(data, *lines)


def service(template: Template) -> None:
    for port in template.document["spec"]["ports"]:
        if port["name"] == "grpc":
            template.keep_if(port, "appProtocol", "not .Values.tls.enabled")


def deployment(template: Template) -> None:
    spec = template.document["spec"]
    one, pod, metadata = container(template.document), spec["template"]["spec"], spec["template"]["metadata"]
    waits = one["lifecycle"]["preStop"]["sleep"]["seconds"]
    spare = waits + manifests.SPARE_SECONDS
    template.add(
        spec,
        f'{{{{- include "tarneeb.checkSeconds" (dict "values" .Values "besides" {spare}) }}}}',
        "{{- if not .Values.autoscaler.enabled }}",
        "replicas: {{ .Values.replicas }}",
        "{{- end }}",
    )
    # The settings' name is fixed here, so it is this that rolls the pods when one changes.
    source = '{{ include (print $.Template.BasePath "/configmap.yaml") . | sha256sum }}'
    metadata["annotations"] = {}
    template.add(metadata["annotations"], f"checksum/settings: {source}")
    template.add(metadata["annotations"], *_entries("podAnnotations"))
    template.add(metadata["labels"], *_entries("podLabels"))
    template.value(pod, "serviceAccountName", "serviceAccount.name")
    template.value(pod, "securityContext", "podSecurityContext")
    template.value(pod, "terminationGracePeriodSeconds", "terminationGracePeriodSeconds")
    template.add_optional(pod, "imagePullSecrets", "image.pullSecrets")
    for key in SCHEDULING:
        template.add_optional(pod, key, key)
    template.put(one, "image", '{{ include "tarneeb.image" . }}')
    template.value(one, "imagePullPolicy", "image.pullPolicy")
    template.value(one, "resources", "resources")
    (source_of_settings,) = one["envFrom"]
    template.put(source_of_settings["configMapRef"], "name", "tarneeb-settings")
    _secrets(template, one, pod)


def _entries(name: str) -> tuple[str, ...]:
    """Lines that add the entries of a value to a mapping."""
    return f"{{{{- with .Values.{name} }}}}", "{{- toYaml . | nindent INDENT }}", "{{- end }}"


def _secrets(template: Template, one: Document, pod: Document) -> None:
    """The Secrets that the components mount, each on its option."""
    secure = find(render_with(("mutual-tls", "tokens")), "Deployment", "tarneeb")
    any_of = "{{- if or .Values.tls.enabled .Values.tokens.enabled }}"
    for parent, key, found in (
        (pod, "volumes", secure["spec"]["template"]["spec"]["volumes"]),
        (one, "volumeMounts", container(secure)["volumeMounts"]),
    ):
        lines = []
        for each in sorted(found, key=lambda item: str(item["name"])):
            name = each["name"]
            if "secret" in each:
                template.defaults[f"{name}.secretName"] = each["secret"]["secretName"]
                each["secret"]["secretName"] = "SECRET"
            written = yaml.safe_dump([each]).replace(
                "SECRET", f"{{{{ .Values.{name}.secretName | toJson }}}}"
            )
            lines += [f"{{{{- if .Values.{name}.enabled }}}}", *written.splitlines(), "{{- end }}"]
        template.add(parent, any_of, f"{key}:", *lines, "{{- end }}")


def autoscaler(template: Template) -> None:
    spec = template.document["spec"]
    template.only_if(".Values.autoscaler.enabled")
    template.value(spec, "minReplicas", "autoscaler.minReplicas")
    template.value(spec, "maxReplicas", "autoscaler.maxReplicas")
    (metric,) = spec["metrics"]
    template.value(metric["resource"]["target"], "averageUtilization", "autoscaler.targetCPUPercent")


def disruption_budget(template: Template) -> None:
    template.only_if(".Values.disruptionBudget.enabled")
    template.value(template.document["spec"], "maxUnavailable", "disruptionBudget.maxUnavailable")


def network_policy(template: Template) -> None:
    spec = template.document["spec"]
    template.only_if(".Values.networkPolicy.enabled")
    routed = find(render_with(("gateway-api",)), "NetworkPolicy", "tarneeb")["spec"]["ingress"]
    added = yaml.safe_dump([rule for rule in routed if rule not in spec["ingress"]]).splitlines()
    (scrapes,) = (
        peer["namespaceSelector"]["matchLabels"]
        for rule in spec["ingress"]
        for peer in rule["from"]
        if "namespaceSelector" in peer
    )
    template.value(scrapes, "kubernetes.io/metadata.name", "networkPolicy.scrapeNamespace")
    template.value(spec, "egress", "networkPolicy.egress")
    template.add(spec["ingress"], "{{- if .Values.gatewayApi.enabled }}", *added, "{{- end }}")
    template.add(spec["ingress"], *_entries("networkPolicy.moreIngress"))


def service_monitor(template: Template) -> None:
    labels = template.document["metadata"]["labels"]
    template.only_if(".Values.monitoring.enabled")
    # What is not ours is what the operator's release selects by.
    others = [name for name in labels if not name.startswith(("app.kubernetes.io/", "HOLE"))]
    template.defaults["monitoring.labels"] = {name: labels.pop(name) for name in others}
    template.add(labels, *_entries("monitoring.labels"))
    (endpoint,) = template.document["spec"]["endpoints"]
    template.value(endpoint, "interval", "monitoring.interval")


def route(template: Template) -> None:
    spec = template.document["spec"]
    template.only_if(".Values.gatewayApi.enabled")
    template.value(spec, "parentRefs", "gatewayApi.parentRefs")
    template.add_optional(spec, "hostnames", "gatewayApi.hostnames")


EDITS = {
    "ConfigMap": settings,
    "Deployment": deployment,
    "GRPCRoute": route,
    "HorizontalPodAutoscaler": autoscaler,
    "NetworkPolicy": network_policy,
    "PodDisruptionBudget": disruption_budget,
    "Service": service,
    "ServiceAccount": service_account,
    "ServiceMonitor": service_monitor,
}


def templates() -> dict[str, list[Template]]:
    """Every template by its kind. A kind that is new in the base comes in as it is."""
    made: dict[str, list[Template]] = {}
    options = (
        find(render_with(("monitoring",)), "ServiceMonitor", "tarneeb"),
        find(render_with(("gateway-api",)), "GRPCRoute", "tarneeb"),
    )
    for document in (*render_with(()), *options):
        template = Template(document)
        template.add(
            template.document["metadata"]["labels"], '{{- include "tarneeb.labels" . | nindent INDENT }}'
        )
        if edit := EDITS.get(document["kind"]):
            edit(template)
        made.setdefault(document["kind"], []).append(template)
    return made


def open_settings() -> list[str]:
    """The settings of docs/operations.md, which a test holds against the service, but ports and files."""
    named = re.findall(r"^\| `(TARNEEB_[A-Z_]+)` \|", OPERATIONS.read_text(encoding="utf-8"), re.MULTILINE)
    return sorted({name for name in named if name not in FIXED_SETTINGS and not name.endswith("_FILE")})


def schema() -> str:
    """The schema as it is by hand, with the names of the settings: a misspelt one is refused before it rolls out."""
    content = json.loads(SCHEMA.read_text(encoding="utf-8"))
    content["properties"]["settings"]["propertyNames"] = {"enum": open_settings()}
    return json.dumps(content, indent=2) + "\n"


def files(made: dict[str, list[Template]]) -> dict[Path, str]:
    """Every generated file of the chart with what belongs into it."""
    written = {
        CHART / f"templates/{kind.lower()}.yaml": HEAD + "---\n".join(each.text() for each in found)
        for kind, found in made.items()
    }
    return {**written, SCHEMA: schema()}


def value_at(values: Any, name: str) -> Any:
    """What values have at a dotted name; None where there is nothing."""
    for key in name.split("."):
        if not isinstance(values, dict) or key not in values:
            return None
        values = values[key]
    return values


def problems() -> list[str]:
    """What of the chart does not follow from the base."""
    made = templates()
    wanted = files(made)
    found = [
        f"{path.relative_to(ROOT)} is out of date"
        for path, text in wanted.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    found += [
        f"{path.relative_to(ROOT)} is of nothing in the base any more"
        for path in sorted((CHART / "templates").glob("*.yaml"))
        if path not in wanted and path.read_text(encoding="utf-8").startswith(HEAD)
    ]
    values = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    for template in (each for kind in made.values() for each in kind):
        for name, default in template.defaults.items():
            if (has := value_at(values, name)) != default:
                found.append(f"values.yaml has {name}: {has!r}, the base {default!r}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail when the chart does not follow"
    )
    if not parser.parse_args().check:
        for path, text in files(templates()).items():
            path.write_text(text, encoding="utf-8")
    if found := problems():
        sys.exit("\n".join(found) + "\n(templates and schema: python -m tools.chart; values.yaml: by hand)")


if __name__ == "__main__":
    main()
