"""How much the random tests do: `TARNEEB_TEST_SCALE=20` for twenty times the normal run."""

import os

SCALE = int(os.environ.get("TARNEEB_TEST_SCALE", "1"))
