"""Rendering the overlays, and finding what is in them."""

import os
import subprocess
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import yaml

from tools.release import version

ROOT = Path(__file__).resolve().parent.parent.parent
KUBECTL = ROOT / ".venv/bin/kubectl"
K8S = ROOT / "deploy/k8s"
OVERLAYS = ("development", "production")
# Combinations that no overlay has, but a team may want.
COMBINATIONS = {
    "tls": ("monitoring", "tls"),
    "mutual-tls": ("monitoring", "mutual-tls"),
    "tls-tokens": ("monitoring", "tls", "tokens"),
    "mutual-tls-tokens": ("monitoring", "mutual-tls", "tokens"),
}
UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}

Document = dict[str, Any]

# Ten times as fast, where PyYAML was built with it.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(text: str) -> Any:
    """The one document of a text."""
    return yaml.load(text, _LOADER)  # noqa: S506  # a safe loader


def render(folder: Path) -> list[Document]:
    """What kustomize makes of a folder."""
    done = subprocess.run(
        [str(KUBECTL), "kustomize", str(folder)], capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{folder}: {done.stderr.strip()}")
    return list(yaml.load_all(done.stdout, _LOADER))


def render_all(names: Collection[str] = (*OVERLAYS, *COMBINATIONS)) -> dict[str, list[Document]]:
    """Every overlay and combination by name, or some."""
    rendered = {name: render(K8S / "overlays" / name) for name in OVERLAYS if name in names}
    for name, components in COMBINATIONS.items():
        if name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            # kustomize takes relative paths only, and resolves links before it does.
            base = os.path.relpath(K8S, Path(folder).resolve())
            content = {
                "resources": [f"{base}/base"],
                "components": [f"{base}/components/{component}" for component in components],
                "images": [{"name": "tarneeb-service", "newTag": version()}],
            }
            (Path(folder) / "kustomization.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
            rendered[name] = render(Path(folder))
    return rendered


def title(document: Document) -> str:
    return f"{document['kind']}/{document['metadata']['name']}"


def find(documents: list[Document], kind: str, name: str) -> Document:
    """The document of a kind whose name, a generated hash aside, is the given one.

    Raises:
        KeyError: There is none.
    """
    for document in documents:
        found = document["metadata"]["name"]
        if document["kind"] == kind and (found == name or (kind == "ConfigMap" and found[:-11] == name)):
            return document
    raise KeyError(f"{kind}/{name}")


def container(deployment: Document) -> Document:
    only: Document = deployment["spec"]["template"]["spec"]["containers"][0]
    return only


def bytes_of(quantity: str) -> int:
    """A Kubernetes quantity of memory, such as 448Mi, in bytes."""
    number = quantity.rstrip("kMGi")
    return int(float(number) * UNITS[quantity[len(number) :]])


def pod_of(deployment: Document) -> Document:
    spec: Document = deployment["spec"]["template"]["spec"]
    return spec


def labels_of(deployment: Document) -> dict[str, str]:
    """The labels of a Deployment's pods."""
    found: dict[str, str] = deployment["spec"]["template"]["metadata"]["labels"]
    return found


def of_kind(documents: list[Document], kind: str) -> list[Document]:
    return [document for document in documents if document["kind"] == kind]
