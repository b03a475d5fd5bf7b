"""Running the commands: in this process, or for real; and comparing what they write with what is kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tarneeb_service.cli.main import main

SNAPSHOTS = Path(__file__).parent / "snapshots"
COMMAND = Path(sys.executable).parent / "tarneeb-service"


def run(*arguments: str | Path) -> int:
    """The exit code of a command run in this process."""
    with pytest.raises(SystemExit) as caught:
        main([str(argument) for argument in arguments])
    code = caught.value.code
    assert isinstance(code, int)
    return code


def run_for_real(
    *arguments: str | Path, data: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """The command as people start it, with a pipe for its output."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [COMMAND, *arguments],
        input=data,
        capture_output=True,
        env={**kept, "PYTHONUTF8": "1", **variables},
        timeout=60,
        check=False,
    )


def same_as_kept(name: str, text: str) -> None:
    """Compare a text with the one that is kept; TARNEEB_KEEP=1 keeps this one."""
    path = SNAPSHOTS / name
    if os.environ.get("TARNEEB_KEEP"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text("utf-8")
