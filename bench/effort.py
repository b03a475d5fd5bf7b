"""How long to measure."""

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effort:
    """A share of the bursts and calls of a whole run."""

    name: str
    share: float

    def rounds(self, whole: int) -> int:
        """So many rounds of a whole run's; three at least, or there are no quartiles."""
        return max(3, round(whole * self.share))


WHOLE, QUICK, GLANCE = Effort("whole", 1.0), Effort("quick", 0.3), Effort("glance", 0.05)


def chosen() -> Effort:
    """What the variable BENCH says: whole, quick, or a glance that shows no more than that it works."""
    efforts = {effort.name: effort for effort in (WHOLE, QUICK, GLANCE)}
    name = os.environ.get("BENCH", "") or WHOLE.name
    if name not in efforts:
        raise SystemExit(f"BENCH={name}: it is one of {', '.join(efforts)}")
    return efforts[name]
