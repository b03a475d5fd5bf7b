"""Whether documents have the fields that Kubernetes and the Prometheus operator know."""

from collections.abc import Iterator
from typing import Any

import kubernetes_validate

from tools.check_deploy.documents import Document, title

# A span; what is in none of them is the Prometheus operator's.
VERSIONS = ("1.29", "1.32", "1.35", "1.37")
# What of the operator's kinds is used here, by path; a name that is not among these is new or misspelt, and the
# operator's own schema says which (make check-deploy).
_METADATA = {"name", "namespace", "labels", "annotations"}
_SCRAPE = {"port", "path", "interval", "scrapeTimeout"}
_SELECTOR = {"matchLabels"}
_RULE = {"alert", "record", "expr", "for", "keep_firing_for", "labels", "annotations"}
OPERATOR_FIELDS: dict[str, dict[str, set[str]]] = {
    "ServiceMonitor": {
        "spec": {"jobLabel", "selector", "endpoints"},
        "spec.selector": _SELECTOR,
        "spec.endpoints": _SCRAPE,
    },
    "PodMonitor": {
        "spec": {"jobLabel", "selector", "podMetricsEndpoints"},
        "spec.selector": _SELECTOR,
        "spec.podMetricsEndpoints": _SCRAPE,
    },
    "PrometheusRule": {
        "spec": {"groups"},
        "spec.groups": {"name", "interval", "rules"},
        "spec.groups.rules": _RULE,
    },
}


def schema_problems(documents: list[Document], version: str) -> Iterator[str]:
    """Where documents break the strict schema of a Kubernetes version."""
    for document in documents:
        if document["kind"] in OPERATOR_FIELDS:
            continue
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except (
            kubernetes_validate.ValidationError,
            kubernetes_validate.SchemaNotFoundError,
            kubernetes_validate.InvalidSchemaError,
        ) as error:
            yield f"{title(document)} on {version}: {getattr(error, 'message', error)}"


def unknown_fields(document: Document) -> Iterator[str]:
    """Fields of one of the operator's objects that are not among those in use here."""
    known = OPERATOR_FIELDS[document["kind"]]
    if document["apiVersion"] != "monitoring.coreos.com/v1":
        yield f"{title(document)} has the version {document['apiVersion']}"
    for name in sorted(document.keys() - {"apiVersion", "kind", "metadata", "spec"}):
        yield f"{title(document)} has an unknown field {name}"
    for name in sorted(document["metadata"].keys() - _METADATA):
        yield f"{title(document)} has an unknown field metadata.{name}"
    for path, fields in known.items():
        for part in _at([document], path):
            for name in sorted(part.keys() - fields):
                yield f"{title(document)} has an unknown field {path}.{name}"


def _at(parts: list[Any], path: str) -> list[dict[str, Any]]:
    for name in path.split("."):
        found: list[Any] = []
        for part in parts:
            value = part.get(name, [])
            found += value if isinstance(value, list) else [value]
        parts = found
    return parts
