"""The page about the gateway, taken at its word: `make gateway` runs, and its calls print what is shown there.

Run as a program it writes what they print into the page.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.check_deploy.gateway import expect
from tools.check_deploy.manifests import ROOT
from tools.check_deploy.processes import HOST, Service, end, free_ports, service

PAGE = ROOT / "docs/gateway.md"
SHOWN_ADDRESS = "localhost:8080"
SECONDS = 15
WRITE = "python -m tools.check_deploy.page"


def calls(text: str) -> list[tuple[str, str]]:
    """The commands of a page's consoles, each with the output that is shown."""
    consoles = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [
        (command, output)
        for console in consoles
        for command, _, output in (
            each.partition("\n") for each in re.split(r"^\$ ", console, flags=re.MULTILINE)
        )
        if command
    ]


def printed(command: str, port: int) -> str:
    """What a command prints when it asks another port than the page's."""
    done = subprocess.run(
        ["bash", "-c", command.replace(SHOWN_ADDRESS, f"localhost:{port}")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    # Headers end as HTTP has it, and not every answer ends its line.
    text = (done.stdout + done.stderr).replace("\r\n", "\n")
    return text if not text or text.endswith("\n") else f"{text}\n"


def command(port: int) -> list[str]:
    """What `make gateway` runs, on a port."""
    return [sys.executable, "-m", "tools.gateway", "--port", str(port)]


def settings(running: Service) -> dict[str, str]:
    """The environment in which the gateway finds a service."""
    return {
        **os.environ,
        "TARNEEB_PORT": str(running.port),
        "TARNEEB_HEALTH_PORT": str(running.health_port),
    }


@contextmanager
def gateway() -> Iterator[int]:
    """Run `make gateway` before a service of its own; its port. Ctrl-C must end it well."""
    (port,) = free_ports(1)
    with service() as running:
        process = subprocess.Popen(
            command(port), cwd=ROOT, env=settings(running), stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        try:
            said = [process.stdout.readline() for _ in range(2)]
            expect("the gateway says where it is", f"http://localhost:{port}," in said[0], said)
            expect("and how to end it", "Ctrl-C" in said[1], said)
            yield port
            process.send_signal(signal.SIGINT)
            expect("Ctrl-C ends it", process.wait(SECONDS) == 0, process.returncode)
        finally:
            end(process)
            process.stdout.close()


def check() -> str:
    """Every call of the page; returns how many there are.

    Raises:
        RuntimeError: One prints something else than the page shows.
    """
    shown = calls(PAGE.read_text(encoding="utf-8"))
    with gateway() as port:
        for call, output in shown:
            got = printed(call, port)
            expect(f"{call}\n{PAGE.name} shows ({WRITE} mends it)\n{output}", got == output, f"\n{got}")
    return f"make gateway on {HOST}, ended by Ctrl-C; its {len(shown)} calls print what {PAGE.name} shows"


def write(page: Path = PAGE) -> None:
    """Put into the page what its calls print."""
    text = page.read_text(encoding="utf-8")
    with gateway() as port:
        for call, output in calls(text):
            text = text.replace(f"$ {call}\n{output}", f"$ {call}\n{printed(call, port)}", 1)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
