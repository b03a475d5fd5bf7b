"""Files that change under a running service, as certificates and tokens do."""

from pathlib import Path
from time import monotonic

# Seconds between two looks; a look costs a call to the kernel for each file.
INTERVAL = 1.0
Stamp = tuple[tuple[int, int, int], ...] | None


class Watched:
    """Some files, and whether they changed since they were last read."""

    def __init__(self, *paths: str) -> None:
        """Remember them as they are now."""
        self._paths = [Path(path) for path in paths if path]
        self._stamp = self._look()
        self._looked = monotonic()

    def changed(self) -> bool:
        """Say whether they differ from the last time this said so; looks once an interval at most."""
        now = monotonic()
        if now - self._looked < INTERVAL:
            return False
        self._looked = now
        stamp = self._look()
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        return True

    def again(self) -> None:
        """Look anew next time, because what was read was no good, or is not there."""
        self._stamp = ()

    def _look(self) -> Stamp:
        try:
            # Kubernetes swaps a link, so what counts is the file it leads to.
            stats = [path.stat() for path in self._paths]
        except OSError:
            return None
        return tuple((stat.st_mtime_ns, stat.st_ino, stat.st_size) for stat in stats)
