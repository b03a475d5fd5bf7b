"""Make the files of deploy/ that follow from others, or check that they are up to date.

The descriptor set by which Envoy maps JSON, the PrometheusRule of the plain alert rules, and the dashboard.
"""

import argparse
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from tools.dashboard import dashboard_json

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
DESCRIPTOR = ROOT / "deploy/k8s/components/envoy-gateway/tarneeb.binpb"
RULES = ROOT / "deploy/alerts/tarneeb.rules.yaml"
PROMETHEUS_RULE = ROOT / "deploy/alerts/prometheusrule.yaml"
DASHBOARD = ROOT / "deploy/dashboards/tarneeb.json"


def descriptor_set() -> bytes:
    """The service's descriptors, with the details that errors carry, so that Envoy can write them as JSON."""
    includes = [PROTO]
    for package in ("grpc_tools", "google.rpc"):
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            sys.exit(f"{package} is not installed: make setup")
        folder = Path(next(iter(spec.submodule_search_locations)))
        includes.append(folder / "_proto" if package == "grpc_tools" else folder.parent.parent)
    with tempfile.TemporaryDirectory() as folder_name:
        out = Path(folder_name) / "set.binpb"
        command = [
            *(sys.executable, "-m", "grpc_tools.protoc"),
            *(f"--proto_path={path}" for path in includes),
            "--include_imports",
            f"--descriptor_set_out={out}",
            "tarneeb/v1/tarneeb_service.proto",
            "google/rpc/error_details.proto",
        ]
        if subprocess.run(command, check=False).returncode:
            sys.exit("protoc failed; nothing was written")
        return out.read_bytes()


def prometheus_rule() -> bytes:
    """The alert rules as the Prometheus operator takes them."""
    rules = yaml.safe_load(RULES.read_text(encoding="utf-8"))
    resource = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {
            "name": "tarneeb",
            "labels": {"app.kubernetes.io/name": "tarneeb", "app.kubernetes.io/part-of": "tarneeb"},
        },
        "spec": rules,
    }
    head = f"# Made of {RULES.name} by tools/deploy_files.py.\n"
    return (head + yaml.safe_dump(resource, sort_keys=False, width=110)).encode()


def made() -> dict[Path, bytes]:
    """Every file with what belongs into it."""
    return {
        DESCRIPTOR: descriptor_set(),
        PROMETHEUS_RULE: prometheus_rule(),
        DASHBOARD: dashboard_json().encode(),
    }


def stale() -> list[str]:
    """The files that are not what they should be, relative to the repository."""
    return [
        str(path.relative_to(ROOT))
        for path, content in made().items()
        if not path.is_file() or path.read_bytes() != content
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file is out of date")
    if parser.parse_args().check:
        if old := stale():
            sys.exit("out of date: " + ", ".join(old) + " (python -m tools.deploy_files)")
        return
    for path, content in made().items():
        path.write_bytes(content)


if __name__ == "__main__":
    main()
