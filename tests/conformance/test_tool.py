"""The tool that asks the real server, raw bytes included."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_real_server_passes_a_section() -> None:
    command = [sys.executable, "-m", "tools.conformance", "malformed"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith("conformance: ")
    assert done.stdout.endswith(" vectors, 0 failed\n")
