"""Pages of the documentation, taken at their word."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
SHOWN_ADDRESS = "localhost:50051"


def page(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def blocks(name: str, language: str) -> list[str]:
    """The code blocks of a language on a page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page(name), re.MULTILINE | re.DOTALL)


def output_of(code: str, port: int, folder: Path) -> str:
    """What a page's Python prints, against a server on another port than the page's."""
    script = folder / "page.py"
    script.write_text(code.replace(SHOWN_ADDRESS, f"127.0.0.1:{port}"), "utf-8")
    command = [sys.executable, str(script)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
