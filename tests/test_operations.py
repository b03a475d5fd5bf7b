"""docs/operations.md has every metric that there is, and no other."""

import re

from tests.pages import page
from tests.server.support import Service

# There with TLS alone.
OF_TLS = {"tarneeb_certificate_expiry_timestamp_seconds"}


def test_every_metric_is_documented_and_no_other() -> None:
    section = page("docs/operations.md").partition("\n## Metrics\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"`((?:tarneeb|grpc)_\w+)`", row)}
    with Service() as service:
        families = list(service.metrics.registry.collect())
    served = {family.name + "_total" * (family.type == "counter") for family in families}
    served = {name for name in served if name.startswith(("grpc_", "tarneeb_"))}
    assert served | OF_TLS == documented
