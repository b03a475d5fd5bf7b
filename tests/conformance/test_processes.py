"""Whatever was asked before, and in whichever process: the same request gets the same bytes (C32, C155, C160)."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.conformance.test_vectors import CASES

ROOT = Path(__file__).resolve().parents[2]


def started(seed: int) -> subprocess.Popen[str]:
    """A fresh process with hashes of its own, which takes the vectors in an order of its own."""
    command = [sys.executable, "-m", "tests.conformance.answers", str(seed)]
    paths = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": paths}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def test_processes_and_orders_agree_to_the_byte() -> None:
    running = [started(seed) for seed in (1, 2)]
    first, second = (json.loads(process.communicate(timeout=100)[0]) for process in running)
    assert first.keys() == {case.values[0]["id"] for case in CASES}
    assert [vector for vector in first if first[vector] != second[vector]] == []
