"""What all tests share: the marker that names a rule, and how hard the random ones try."""

import pytest
from hypothesis import HealthCheck, settings

from tests.scale import SCALE

# A normal run must give the same answer twice; a scaled one looks for news.
settings.register_profile(
    "tarneeb",
    deadline=None,
    derandomize=SCALE == 1,
    database=None,
    max_examples=40 * SCALE,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("tarneeb")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): the rules of docs/rules.md that a test shows")
