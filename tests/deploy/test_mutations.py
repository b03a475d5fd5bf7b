"""Mistakes made in deploy/ one at a time: our own checks find each, and say what it is.

What Envoy, promtool, kubeconform and kube-score alone can find is in `make check-deploy linters`.
"""

import copy

import pytest

from tests.deploy.mistakes.gateway import GATEWAY
from tests.deploy.mistakes.kubernetes import KUBERNETES
from tests.deploy.mistakes.monitoring import MONITORING
from tests.deploy.mistakes.places import TOKENS
from tools.check_deploy import manifests
from tools.check_deploy.documents import Document

MISTAKES = {
    f"{place}: {name}": mistake
    for place, mistakes in (("k8s", KUBERNETES), ("monitoring", MONITORING), ("gateway", GATEWAY))
    for name, mistake in mistakes.items()
}


@pytest.fixture(scope="module")
def rendered() -> dict[str, list[Document]]:
    return manifests.render_all(("production", TOKENS))


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_found(rendered: dict[str, list[Document]], name: str) -> None:
    mistake = MISTAKES[name]
    documents = copy.deepcopy(rendered[mistake.rendering])
    mistake.change(documents)
    assert documents != rendered[mistake.rendering], "nothing was changed"
    found = list(manifests.problems(documents))
    assert any(mistake.said in problem for problem in found), found
