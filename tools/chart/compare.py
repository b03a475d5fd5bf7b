"""Render the base with kustomize and the chart with Helm, option by option, and compare the objects.

Helm is built from source at a pinned version, which needs Go; HELM=path names another one.
"""

import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tools.chart.__main__ import CHART
from tools.chart.rendered import render_with
from tools.check_deploy import manifests
from tools.check_deploy.manifests import Document, container
from tools.release import version

HELM_VERSION = "v4.3.2"
HELM = manifests.ROOT / f"build/tools/helm-{HELM_VERSION}/helm"
BUILD_SECONDS = 900
# A Helm built without its own flags takes Kubernetes for 1.20.
KUBERNETES = ("--kube-version", f"{manifests.VERSIONS[-1]}.0")
# What Helm adds and kustomize does not.
HELM_LABELS = {"app.kubernetes.io/instance", "app.kubernetes.io/managed-by", "helm.sh/chart"}
CHECKSUM = "checksum/settings"
# What kustomize appends to the settings' name, so that a changed one rolls the pods.
HASHED = re.compile(r"^(tarneeb-settings)-[a-z0-9]{10}$")
# Its component is not in the chart.
GATEWAY = "tarneeb-gateway"
IMAGE = {"repository": "tarneeb-service", "tag": "1.2.3"}


@dataclass(frozen=True)
class Case:
    """The same wish said to kustomize and to Helm."""

    components: Sequence[str] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    # An overlay instead of the base with components.
    overlay: str = ""


def values_for(cluster: str) -> dict[str, Any]:
    """The values that the chart has for a kind of cluster."""
    found: dict[str, Any] = yaml.safe_load((CHART / f"clusters/{cluster}.yaml").read_text(encoding="utf-8"))
    return found


_TLS = {"enabled": True}
_MUTUAL = {"enabled": True, "mutual": True}
_MONITORED = {"enabled": True}
CASES = {
    "base": Case(),
    "monitoring": Case(("monitoring",), {"monitoring": _MONITORED}),
    "tls": Case(("tls",), {"tls": _TLS}),
    "mutual-tls": Case(("mutual-tls",), {"tls": _MUTUAL}),
    "tls, tokens": Case(("tls", "tokens"), {"tls": _TLS, "tokens": {"enabled": True}}),
    "mutual-tls, tokens": Case(("mutual-tls", "tokens"), {"tls": _MUTUAL, "tokens": {"enabled": True}}),
    "gateway-api": Case(("gateway-api",), {"gatewayApi": {"enabled": True}}),
    "openshift": Case(("openshift",), values_for("openshift")),
    "mesh": Case(("mesh",), values_for("mesh")),
    "development": Case(
        overlay="development",
        values={
            "replicas": 1,
            "autoscaler": {"enabled": False},
            "disruptionBudget": {"enabled": False},
            "resources": {"requests": {"cpu": "100m"}},
            "settings": {"TARNEEB_REFLECTION": True},
            "image": {"tag": "development"},
        },
    ),
    "production": Case(
        overlay="production",
        values={
            "autoscaler": {"minReplicas": 3, "maxReplicas": 12},
            "monitoring": _MONITORED,
            "settings": {"TARNEEB_LOG_LEVEL": "info", "TARNEEB_REFLECTION": "false"},
            "image": {"tag": version()},
        },
    ),
}


def helm() -> Path:
    """Helm: the one that HELM names, or the pinned one, built when it is not there yet.

    Raises:
        RuntimeError: There is neither Helm nor Go.
    """
    if named := os.environ.get("HELM"):
        return Path(named)
    if not HELM.is_file():
        if not shutil.which("go"):
            raise RuntimeError("needs Go to build Helm, or HELM=path of one")
        sys.stdout.write(f"building Helm {HELM_VERSION} (minutes, once) ...\n")
        sys.stdout.flush()
        package = f"helm.sh/helm/{HELM_VERSION.partition('.')[0]}/cmd/helm@{HELM_VERSION}"
        env = {**os.environ, "GOBIN": str(HELM.parent), "CGO_ENABLED": "0"}
        done = subprocess.run(
            ["go", "install", package],
            env=env,
            capture_output=True,
            text=True,
            timeout=BUILD_SECONDS,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
    return HELM


def call_helm(program: Path, *arguments: str, values: Mapping[str, Any]) -> str:
    """What Helm prints for the chart with some values.

    Raises:
        RuntimeError: Helm refuses; the text says why.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(values, file)
        file.flush()
        command = [str(program), *arguments, str(CHART), *KUBERNETES, "--values", file.name]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip() or done.stdout.strip())
    return done.stdout


def render_chart(program: Path, values: Mapping[str, Any]) -> list[Document]:
    """The chart's objects with some values."""
    written = call_helm(program, "template", "tarneeb", values={"image": IMAGE, **values})
    return [document for document in yaml.safe_load_all(written) if document]


def render_base(case: Case) -> list[Document]:
    """What kustomize makes of the same wish, without the namespace itself and all that the gateway brings."""
    if case.overlay:
        rendered = manifests.render(manifests.K8S / "overlays" / case.overlay)
    else:
        image = {"name": IMAGE["repository"], "newTag": IMAGE["tag"]}
        rendered = render_with(case.components, {"images": [image]})
    for document in rendered:
        if document["kind"] == "NetworkPolicy":
            rules = document["spec"]["ingress"]
            document["spec"]["ingress"] = [rule for rule in rules if GATEWAY not in json.dumps(rule)]
    return [
        document
        for document in rendered
        if not document["metadata"]["name"].startswith(GATEWAY) and document["kind"] != "Namespace"
    ]


def title(document: Document) -> str:
    return f"{document['kind']}/{document['metadata']['name']}"


def normalised(documents: Sequence[Document]) -> dict[str, Document]:
    """Objects by kind and name without what differs by right: namespace, hash, and the order of volumes."""
    found = {}
    for document in copy.deepcopy(list(documents)):
        metadata = document["metadata"]
        metadata.pop("namespace", None)
        metadata["name"] = HASHED.sub(r"\1", metadata["name"])
        if document["kind"] == "Deployment":
            for source in container(document)["envFrom"]:
                source["configMapRef"]["name"] = HASHED.sub(r"\1", source["configMapRef"]["name"])
            pod = document["spec"]["template"]["spec"]
            for parent, key in ((pod, "volumes"), (container(document), "volumeMounts")):
                if key in parent:
                    parent[key].sort(key=lambda each: str(each["name"]))
        found[title(document)] = document
    return found


def without_helm(documents: Sequence[Document]) -> list[Document]:
    """The chart's objects without Helm's labels and the checksum, all of which must be there.

    Raises:
        RuntimeError: One is not.
    """
    stripped = copy.deepcopy(list(documents))
    for document in stripped:
        labels = document["metadata"]["labels"]
        if missing := HELM_LABELS - labels.keys():
            raise RuntimeError(f"{title(document)} lacks {', '.join(sorted(missing))}")
        for label in HELM_LABELS:
            del labels[label]
        if document["kind"] == "Deployment":
            pods = document["spec"]["template"]["metadata"]
            if not pods.setdefault("annotations", {}).pop(CHECKSUM, ""):
                raise RuntimeError(f"{title(document)} lacks {CHECKSUM}, so a changed setting rolls no pod")
            if not pods["annotations"]:
                del pods["annotations"]
    return stripped


def differences(base: Sequence[Document], chart: Sequence[Document]) -> list[str]:
    """Where the chart's objects are not those of the base, a line each."""
    ours, theirs = normalised(base), normalised(without_helm(chart))
    found = [f"{name}: only in the base" for name in sorted(ours.keys() - theirs.keys())]
    found += [f"{name}: only in the chart" for name in sorted(theirs.keys() - ours.keys())]
    for name in sorted(ours.keys() & theirs.keys()):
        found += _differences(ours[name], theirs[name], name)
    return found


def _differences(ours: Any, theirs: Any, at: str) -> list[str]:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return [
            line
            for key in sorted(ours.keys() | theirs.keys())
            for line in _differences(ours.get(key), theirs.get(key), f"{at}.{key}")
        ]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [line for number, (a, b) in pairs for line in _differences(a, b, f"{at}[{number}]")]
    # 1 and True are equal in Python and not in a cluster.
    if ours == theirs and type(ours) is type(theirs):
        return []
    return [f"{at}: the base has {_short(ours)}, the chart {_short(theirs)}"]


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) < 200 else text[:200] + " ..."


def compare(program: Path, name: str) -> list[str]:
    """The differences of a case."""
    case = CASES[name]
    return differences(render_base(case), render_chart(program, case.values))


def main() -> None:
    try:
        program = helm()
        call_helm(program, "lint", "--strict", "--quiet", values={})
        found = [f"{name}: {line}" for name in CASES for line in compare(program, name)]
    except RuntimeError as error:
        sys.exit(str(error))
    if found:
        sys.exit("\n".join(found))
    sys.stdout.write(f"the chart renders what kustomize does, in {len(CASES)} cases: {', '.join(CASES)}\n")


if __name__ == "__main__":
    main()
