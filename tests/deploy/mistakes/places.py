"""What a mistake is, and the places where the others make them."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tools.check_deploy.documents import Document, container, find

Documents = list[Document]
# Which rendering a mistake is made in, if not in production.
TOKENS = "mutual-tls-tokens"


class Mistake(NamedTuple):
    """What is done to the documents of a rendering, and what is said about it."""

    change: Callable[[Documents], Any]
    said: str
    rendering: str = "production"


def deployment(documents: Documents) -> Any:
    return find(documents, "Deployment", "tarneeb")


def gateway(documents: Documents) -> Any:
    return find(documents, "Deployment", "tarneeb-gateway")


def one(documents: Documents) -> Any:
    return container(deployment(documents))


def envoy_container(documents: Documents) -> Any:
    return container(gateway(documents))


def settings(documents: Documents) -> Any:
    return find(documents, "ConfigMap", "tarneeb-settings")["data"]


def spec(kind: str, name: str = "tarneeb") -> Callable[[Documents], Any]:
    return lambda documents: find(documents, kind, name)["spec"]


hpa = spec("HorizontalPodAutoscaler")
budget = spec("PodDisruptionBudget")
policy = spec("NetworkPolicy")
edge = spec("NetworkPolicy", "tarneeb-gateway")
headless = spec("Service", "tarneeb-headless")
by_name = spec("Service")
monitor = spec("ServiceMonitor")
pod_monitor = spec("PodMonitor", "tarneeb-gateway")
