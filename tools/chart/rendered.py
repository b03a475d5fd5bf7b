"""What kustomize makes of the base and some components."""

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from tools.check_deploy.manifests import K8S, Document, render


def render_with(components: Sequence[str], more: Mapping[str, Any] | None = None) -> list[Document]:
    """The base with components and whatever else a kustomization may have."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        # kustomize takes relative paths only.
        k8s = os.path.relpath(K8S, folder)
        content = {
            "resources": [f"{k8s}/base"],
            "components": [f"{k8s}/components/{component}" for component in components],
            **(more or {}),
        }
        (folder / "kustomization.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        return render(folder)
