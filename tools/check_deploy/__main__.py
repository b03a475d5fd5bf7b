"""``python -m tools.check_deploy``: every check of deploy/, one line each with its figures."""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable

import grpc

from tools.check_deploy import (
    affinity,
    downloads,
    gateway_checks,
    linters,
    load_job,
    losses,
    manifests,
    monitoring,
    page,
    strangers,
)
from tools.deploy_files import stale


def check_files() -> str:
    """Everything that is made of something else is up to date."""
    if old := stale():
        raise RuntimeError(f"out of date: {', '.join(old)} (python -m tools.deploy_files)")
    return "descriptor set, PrometheusRule and dashboard are up to date"


def check_manifests() -> str:
    """Every overlay renders, fits the schemas and holds together."""
    rendered = {**manifests.render_all(), load_job.NAME: load_job.rendered()}
    production = rendered["production"]
    found = [
        f"{name}: {problem}"
        for name, documents in rendered.items()
        for problem in (
            *(
                load_job.problems(documents, production)
                if name == load_job.NAME
                else manifests.problems(documents)
            ),
            *(
                each
                for version in manifests.VERSIONS
                for each in manifests.schema_problems(documents, version)
            ),
        )
    ]
    if found:
        raise RuntimeError("\n".join(found))
    count = sum(len(documents) for documents in rendered.values())
    return f"{count} objects of {', '.join(rendered)} fit Kubernetes {', '.join(manifests.VERSIONS)}"


def check_dockerfile() -> str:
    """The Dockerfiles pass hadolint."""
    program = manifests.ROOT / ".venv/bin/hadolint"
    files = [manifests.ROOT / "Dockerfile", load_job.FOLDER / "Dockerfile"]
    done = subprocess.run([program, *files], capture_output=True, text=True, timeout=30, check=False)
    if done.returncode:
        raise RuntimeError(done.stdout)
    return "hadolint finds nothing"


def check_rules() -> str:
    """Alerts and panels parse, and the alerts pass their tests."""
    return monitoring.check_syntax(downloads.prometheus()[1])


def check_prometheus() -> str:
    """A real Prometheus scrapes a real service and answers every panel."""
    return monitoring.check_running(*downloads.prometheus())


def check_gateway() -> str:
    """A real Envoy stands before two real services."""
    return gateway_checks.check(downloads.envoy())


def check_page() -> str:
    """What docs/gateway.md shows is what one gets."""
    downloads.envoy()
    return page.check()


def check_losses() -> str:
    """A real Envoy loses next to nothing when a service is killed or hangs."""
    return losses.check(downloads.envoy())


def check_affinity() -> str:
    """A real Envoy keeps a game on one replica, by the lines of the docs."""
    return affinity.check(downloads.envoy())


def check_strangers() -> str:
    """A real Envoy keeps strangers from holding anything up."""
    return strangers.check(downloads.envoy())


CHECKS: dict[str, Callable[[], str]] = {
    "files": check_files,
    "manifests": check_manifests,
    "dockerfile": check_dockerfile,
    "rules": check_rules,
    "prometheus": check_prometheus,
    "gateway": check_gateway,
    "page": check_page,
    "affinity": check_affinity,
    "losses": check_losses,
    "strangers": check_strangers,
    "refused": linters.check_refused,
    "linters": linters.check_linters,
}


# What needs no Go, and no more than two minutes on a new machine.
QUICK = [name for name in CHECKS if name not in ("losses", "strangers", "linters")]
CI = os.environ.get("CI") == "true"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "checks", nargs="*", metavar="CHECK", help=f"which ones, of: {', '.join(CHECKS)}; or quick"
    )
    asked = parser.parse_args().checks or list(CHECKS)
    names = [name for each in asked for name in (QUICK if each == "quick" else [each])]
    if unknown := [name for name in names if name not in CHECKS]:
        parser.error(f"no such check: {', '.join(unknown)}")
    failed = 0
    for name in names:
        began = time.monotonic()
        try:
            result, mark = CHECKS[name](), "ok"
        except downloads.MissingToolError as error:
            # Whoever changes a line of YAML need not have every tool; CI must.
            result, mark = str(error), "FAILED" if CI else "missing"
            failed += CI
        except (
            RuntimeError,
            OSError,
            subprocess.SubprocessError,
            grpc.RpcError,
            grpc.FutureTimeoutError,
        ) as error:
            result, mark = str(error) or type(error).__name__, "FAILED"
            failed += 1
        sys.stdout.write(f"{mark:7} {name} ({time.monotonic() - began:.1f} s): {result}\n")
        sys.stdout.flush()
    sys.exit(f"{failed} of {len(names)} checks failed" if failed else 0)


if __name__ == "__main__":
    main()
