"""The load test's Job: whether it fits the service that it loads, and its image has what it runs."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from loadtest.plan import PlanError, read_mix, read_thresholds
from tools.check_deploy.documents import ROOT, Document, container, find, labels_of, pod_of, render
from tools.check_deploy.workloads import hardening

NAME = "loadtest"
FOLDER = ROOT / "loadtest"
# What a Job may take beyond the run itself: an image to fetch, positions to play.
START_SECONDS = 60


def rendered() -> list[Document]:
    """What kustomize makes of loadtest/."""
    return render(FOLDER)


def variables(documents: list[Document]) -> dict[str, str]:
    """The Job's variables."""
    return {
        each["name"]: each["value"] for each in container(find(documents, "Job", "tarneeb-loadtest"))["env"]
    }


def copied() -> list[str]:
    """What the image takes of the repository."""
    text = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
    return [words.split()[0] for words in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE)]


def entrypoint() -> list[str]:
    """What the image runs."""
    text = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
    (words,) = re.findall(r"^ENTRYPOINT (.+)$", text, re.MULTILINE)
    command: list[str] = json.loads(words)
    return command


def problems(documents: list[Document], service: list[Document]) -> Iterator[str]:
    """What is wrong with the Job, beside a rendered deployment of the service."""
    job = find(documents, "Job", "tarneeb-loadtest")
    yield from hardening(job)
    host, _, port = variables(documents)["LOCUST_HOST"].partition(":")
    ports = [str(each["port"]) for each in find(service, "Service", host)["spec"]["ports"]]
    if port not in ports:
        yield f"the Job calls {host}:{port}, the Service has {ports}"
    let_in = [
        peer["podSelector"]["matchLabels"]
        for rule in find(service, "NetworkPolicy", "tarneeb")["spec"]["ingress"]
        for peer in rule["from"]
        if "podSelector" in peer and int(port) in [each["port"] for each in rule["ports"]]
    ]
    if not any(wanted.items() <= labels_of(job).items() for wanted in let_in):
        yield f"the service lets in pods of {let_in}, the Job's have {labels_of(job)}"
    yield from _egress(documents, service, int(port))
    seconds = int(variables(documents)["LOCUST_RUN_TIME"].removesuffix("s"))
    if seconds + START_SECONDS > job["spec"]["activeDeadlineSeconds"]:
        yield f"a run of {seconds} s does not fit into {job['spec']['activeDeadlineSeconds']} s"
    if job["spec"]["backoffLimit"] or pod_of(job)["restartPolicy"] != "Never":
        yield "a missed threshold is tried again until it is not missed"
    yield from _plan(documents, job)


def _egress(documents: list[Document], service: list[Document], port: int) -> Iterator[str]:
    policy = find(documents, "NetworkPolicy", "tarneeb-loadtest")["spec"]
    job = find(documents, "Job", "tarneeb-loadtest")
    if not policy["podSelector"]["matchLabels"].items() <= labels_of(job).items():
        yield "the NetworkPolicy is not for the Job's pods"
    pods = labels_of(find(service, "Deployment", "tarneeb"))
    out = [
        peer["podSelector"]["matchLabels"]
        for rule in policy["egress"]
        for peer in rule["to"]
        if "podSelector" in peer and port in [each["port"] for each in rule["ports"]]
    ]
    if not any(wanted.items() <= pods.items() for wanted in out):
        yield f"the Job may call pods of {out}, the service's have {pods}"


def _plan(documents: list[Document], job: Document) -> Iterator[str]:
    """Whether its files are mounted where its variables say, and hold the mix."""
    given, mounts = variables(documents), {each["mountPath"] for each in container(job)["volumeMounts"]}
    names = {each["configMap"]["name"] for each in pod_of(job)["volumes"] if "configMap" in each}
    data = find(documents, "ConfigMap", "tarneeb-loadtest")
    if data["metadata"]["name"] not in names:
        yield f"the Job mounts {names}, the ConfigMap is {data['metadata']['name']}"
    for variable in ("LOADTEST_MIXES", "LOADTEST_THRESHOLDS"):
        path = Path(given[variable])
        if str(path.parent) not in mounts or path.name not in data["data"]:
            yield f"{variable} is {path}, which is not there"
    try:
        read_mix(FOLDER / "mixes.toml", given["LOADTEST_MIX"])
        read_thresholds(FOLDER / "thresholds.toml")
    except PlanError as error:
        yield str(error)
