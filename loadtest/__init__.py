"""Load on a running service: Locust, ghz and k6 with the same requests. docs/load-testing.md says how to use it."""

import sys
from pathlib import Path

# The choosing rule is that of the Python client, which need not be installed here.
sys.path.append(str(Path(__file__).resolve().parent.parent / "clients/python/src"))
