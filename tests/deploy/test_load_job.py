"""The load test's Job: nothing is wrong with it, and what could be is found."""

import copy
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from tools.check_deploy import load_job, manifests
from tools.check_deploy.documents import Document, container, find, labels_of, pod_of


@pytest.fixture(scope="module")
def job() -> list[Document]:
    return load_job.rendered()


@pytest.fixture(scope="module")
def service() -> list[Document]:
    return manifests.render_all(("production",))["production"]


def the(documents: list[Document]) -> Any:
    return find(documents, "Job", "tarneeb-loadtest")


def variable(documents: list[Document], name: str) -> Any:
    return next(each for each in container(the(documents))["env"] if each["name"] == name)


def test_nothing_is_wrong(job: list[Document], service: list[Document]) -> None:
    assert list(load_job.problems(job, service)) == []
    for version in (manifests.VERSIONS[0], manifests.VERSIONS[-1]):
        assert list(manifests.schema_problems(job, version)) == []


MISTAKES: dict[str, tuple[Callable[[list[Document]], Any], str]] = {
    "another port": (
        lambda d: variable(d, "LOCUST_HOST").update(value="tarneeb:50052"),
        "calls tarneeb:50052",
    ),
    "no label": (lambda d: labels_of(the(d)).pop("tarneeb-client"), "lets in pods"),
    "too long": (lambda d: variable(d, "LOCUST_RUN_TIME").update(value="290s"), "does not fit"),
    "tried again": (lambda d: the(d)["spec"].update(backoffLimit=3), "tried again"),
    "restarted": (lambda d: pod_of(the(d)).update(restartPolicy="OnFailure"), "tried again"),
    "no such mix": (lambda d: variable(d, "LOADTEST_MIX").update(value="some"), "has no mix 'some'"),
    "another folder": (lambda d: variable(d, "LOADTEST_MIXES").update(value="/etc/mixes.toml"), "not there"),
    "another map": (lambda d: pod_of(the(d))["volumes"][0]["configMap"].update(name="x"), "mounts {'x'}"),
    "a root file system": (
        lambda d: container(the(d))["securityContext"].update(readOnlyRootFilesystem=False),
        "readOnlyRootFilesystem",
    ),
    "a policy for others": (
        lambda d: find(d, "NetworkPolicy", "tarneeb-loadtest")["spec"]["podSelector"]["matchLabels"].update(
            a="b"
        ),
        "not for the Job's pods",
    ),
    "a policy without the service": (
        lambda d: find(d, "NetworkPolicy", "tarneeb-loadtest")["spec"]["egress"].pop(0),
        "may call pods of []",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found(job: list[Document], service: list[Document], name: str) -> None:
    change, said = MISTAKES[name]
    spoilt = copy.deepcopy(job)
    change(spoilt)
    found = list(load_job.problems(spoilt, service))
    assert any(said in each for each in found), found


def test_hadolint_finds_nothing() -> None:
    program = manifests.ROOT / ".venv/bin/hadolint"
    command = [program, load_job.FOLDER / "Dockerfile"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_image_may_copy_what_it_copies() -> None:
    ignored = (load_job.FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8")
    allowed = {line[1:] for line in ignored.splitlines() if line.startswith("!")}
    copied = set(load_job.copied())
    assert copied - {"loadtest/requirements.lock"} == allowed
    assert all((manifests.ROOT / path).exists() for path in copied)
