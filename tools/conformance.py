"""Run every conformance vector against the real server, started for the occasion: python -m tools.conformance.

With `--target HOST:PORT` another server is asked, in plain text.
"""

import argparse
import sys
import time

import grpc

from conformance import runner
from harness.serving import serving


def run_all(target: str, sections: list[str]) -> int:
    """Run the vectors, print a line a section and one for each failure; return how many failed."""
    began, total, failed = time.monotonic(), 0, 0
    with grpc.insecure_channel(target) as channel:
        send = runner.over_channel(channel)
        for path in runner.files():
            if sections and path.stem not in sections:
                continue
            document = runner.load(path)
            wrong = 0
            for vector in document["vectors"]:
                differences = runner.run(send, vector, document.get("deals", {}))
                wrong += bool(differences)
                for difference in differences:
                    print(f"{vector['id']}: {difference}")
            print(f"{path.stem:10} {len(document['vectors']):4} vectors, {wrong} failed")
            total, failed = total + len(document["vectors"]), failed + wrong
    print(f"took {time.monotonic() - began:.1f} s")
    print(f"conformance: {total} vectors, {failed} failed")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", help="HOST:PORT of a running server")
    parser.add_argument("sections", nargs="*", help="only these sections")
    options = parser.parse_args()
    if options.target:
        return 1 if run_all(options.target, options.sections) else 0
    with serving() as server:
        return 1 if run_all(f"127.0.0.1:{server.port}", options.sections) else 0


if __name__ == "__main__":
    sys.exit(main())
