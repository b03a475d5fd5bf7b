"""Building the load test's image, and a run of it as its Job has it."""

from harness.serving import serving
from tools.check_deploy import load_job
from tools.image_check.buildah import Buildah
from tools.image_check.contents import expect

# Seconds.
_RUN = 3
# The thresholds of a cluster are none of a machine that has other work.
_LOOSE = "[all]\nfailed_share = 0.0\n"


def load_test_run(buildah: Buildah, image: str) -> str:
    """Run the image for some seconds against a service of its own; returns what it said of its calls."""
    with serving() as server, buildah.mounted(image) as (container, root):
        (root / "tmp/thresholds.toml").write_text(_LOOSE, encoding="utf-8")
        given = load_job.variables(load_job.rendered()) | {
            "LOCUST_HOST": f"127.0.0.1:{server.port}",
            "LOCUST_RUN_TIME": f"{_RUN}s",
            "LOADTEST_MIXES": "loadtest/mixes.toml",
            "LOADTEST_THRESHOLDS": "/tmp/thresholds.toml",
        }
        variables = [word for name, value in given.items() for word in ("--env", f"{name}={value}")]
        said = buildah("run", "--isolation", "chroot", *variables, container, "--", *load_job.entrypoint())
    expect("a run without a failed call", "all thresholds kept" in said, said)
    return next(line for line in said.splitlines() if line.startswith("all ")).split()[1]
