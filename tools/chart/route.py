"""Hold the GRPCRoute of the gateway-api component against the Gateway API's own schema.

That is a file of a Go module, so this needs Go.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from tools.chart.rendered import render_with
from tools.check_deploy.manifests import Document

MODULE = "sigs.k8s.io/gateway-api@v1.4.1"
FILE = "config/crd/standard/gateway.networking.k8s.io_grpcroutes.yaml"


def schema(version: str) -> dict[str, Any]:
    """The schema of a GRPCRoute, which knows no other fields than its own.

    Raises:
        RuntimeError: There is no Go, or no such module or version.
    """
    if not shutil.which("go"):
        raise RuntimeError("needs Go to get the Gateway API's schema")
    command = ["go", "mod", "download", "-json", MODULE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr or done.stdout)
    written = (Path(json.loads(done.stdout)["Dir"]) / FILE).read_text(encoding="utf-8")
    for each in yaml.safe_load(written)["spec"]["versions"]:
        if each["name"] == version and each["served"]:
            found: dict[str, Any] = closed(each["schema"]["openAPIV3Schema"])
            # Kubernetes' own, of which the file says only that it is there.
            found["properties"]["metadata"] = {"type": "object"}
            return found
    raise RuntimeError(f"{MODULE} serves no {version}")


def closed(part: Any) -> Any:
    """A schema by which a field that is not named is wrong, as kubectl warns and a strict server refuses."""
    if isinstance(part, list):
        return [closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    made = {key: closed(value) for key, value in part.items()}
    if isinstance(made.get("properties"), dict) and "type" in made:
        made.setdefault("additionalProperties", False)
    return made


def problems(route: Document) -> Iterator[str]:
    """Where a route breaks the schema."""
    version = route["apiVersion"].rpartition("/")[2]
    for error in jsonschema.Draft7Validator(schema(version)).iter_errors(route):
        yield f"GRPCRoute at {error.json_path}: {error.message}"


def main() -> None:
    (route,) = (each for each in render_with(("gateway-api",)) if each["kind"] == "GRPCRoute")
    try:
        found = list(problems(route))
        # What says nothing about a mistake says nothing.
        route["spec"]["rules"][0]["matches"][0]["method"]["services"] = "x"
        if not list(problems(route)):
            found.append("the schema finds no misspelt field")
    except RuntimeError as error:
        sys.exit(str(error))
    if found:
        sys.exit("\n".join(found))
    sys.stdout.write(f"the GRPCRoute fits {MODULE}\n")


if __name__ == "__main__":
    main()
