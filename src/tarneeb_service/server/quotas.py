"""How many calls a second one caller may make: the last resort for a noisy neighbour.

It bounds what is judged, not what arrives: to turn a call away costs about half of a small call, so a caller who does
not call less often when told to is a matter for a proxy in front.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from time import monotonic_ns

from tarneeb_service.telemetry.call import address_of

SECOND = 1_000_000_000
# Callers remembered, the latest. A stranger with more addresses than this can push the others out, and does no more
# than give them a full bucket.
MOST_CALLERS = 4_096


class Quotas:
    """A bucket of tokens for each caller: it holds a second's worth, and is filled evenly."""

    def __init__(
        self, per_second: int, clock: Callable[[], int] = monotonic_ns, most_callers: int = MOST_CALLERS
    ) -> None:
        """Allow so many calls in a second; ``clock`` counts nanoseconds."""
        self._pace, self._clock, self._most = SECOND // per_second, clock, most_callers
        # When a bucket will be full again: all there is to know of it.
        self._full: OrderedDict[bytes | str, int] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, caller: bytes | str) -> bool:
        """Say whether a caller may make one more call now, and count it if so."""
        now = self._clock()
        with self._lock:
            full = max(self._full.pop(caller, now), now)
            good = full + self._pace <= now + SECOND
            # A caller over his quota stays known too, or he would be pushed out and start anew.
            self._full[caller] = full + self._pace if good else full
            if len(self._full) > self._most:
                self._full.popitem(last=False)
        return good


# A connection's peer is the same text for all its calls.
@lru_cache(MOST_CALLERS)
def caller_of(peer: str) -> str:
    """Return who a peer counts as: his address without the port, of IPv6 the /64, which one household has to itself."""
    host, _ = address_of(peer)
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> 64 << 64))
