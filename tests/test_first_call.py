"""The client programs, against a real server."""

import json
import re
import subprocess
from collections.abc import Iterator

import grpc
import pytest

from harness.serving import Server, serving
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tools import first_call as clients

EXPECTED = """\
North may pass or bid 7, 8, 9, 10, 11, 12, 13
North bids 9: legal
West bids 8: refused, BID_TOO_LOW (A1): West must bid 10 or more.
West bids 10, made for revision 1: refused, STALE_REVISION (P1): The move was made for revision 1, the game is at 2: \
look again and decide anew.
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def test_python_plays(server: Server) -> None:
    assert clients.output(clients.PYTHON, f"127.0.0.1:{server.port}") == EXPECTED


def test_python_says_when_nobody_serves() -> None:
    done = subprocess.run(
        [*clients.PYTHON.run, "127.0.0.1:1"],
        cwd=clients.ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.startswith("127.0.0.1:1: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("language", clients.OTHERS)
def test_another_language_says_the_same(server: Server, language: str) -> None:
    if clients.missing(language):
        pytest.skip(f"{', '.join(clients.missing(language))} not found")
    if not (clients.ROOT / clients.OTHERS[language].run[-1]).exists():
        pytest.skip(f"not built: python -m tools.first_call {language}")
    assert clients.output(clients.OTHERS[language], f"127.0.0.1:{server.port}") == EXPECTED


def test_the_readme_shows_what_they_print_and_a_config_that_works(server: Server) -> None:
    readme = (clients.CLIENTS / "README.md").read_text("utf-8")
    assert f"```text\n{EXPECTED}```" in readme
    (config,) = re.findall(r"^```json\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    options = [("grpc.service_config", json.dumps(json.loads(config)))]
    with grpc.insecure_channel(f"dns:///127.0.0.1:{server.port}", options=options) as channel:
        presets = TarneebServiceStub(channel).ListRuleSets(pb.ListRuleSetsRequest()).rule_sets
    assert len(presets) == 10
