"""The command line: ``tarneeb-service``."""

import argparse
import signal
import sys
import threading

from tarneeb_service import __version__
from tarneeb_service.ops.server import RunningServer


def main() -> None:
    """Run a command and exit with its code."""
    parser = argparse.ArgumentParser(prog="tarneeb-service", description="A referee for the Tarneeb family.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    serve_parser = commands.add_parser("serve", help="serve gRPC until told to stop")
    serve_parser.add_argument("--host", default="[::]", help="address to listen on (default: all)")
    serve_parser.add_argument(
        "--port", type=int, default=50051, help="port; 0 picks a free one (default: 50051)"
    )
    serve_parser.set_defaults(run=serve)
    arguments = parser.parse_args()
    sys.exit(arguments.run(arguments))


def serve(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        server = RunningServer(f"{arguments.host}:{arguments.port}")
    except RuntimeError:
        sys.stderr.write(f"port {arguments.port} can't be opened: choose another with --port\n")
        return 1
    sys.stdout.write(f"serving on port {server.port}\n")
    sys.stdout.flush()
    stop.wait()
    server.stop(10)
    return 0
