"""How often the PIN may be tried: each address ever more slowly, and all addresses together no faster than is safe.

1. After `FREE` wrong PINs an address waits 1, 2, 4 … seconds before the next try, a minute at most.
2. The first `FREE` tries of an address ask nobody else's leave, so that whoever guesses keeps nobody else out. So many
   addresses may have free tries (`NEWCOMERS`), however many there are.
3. All other tries come out of one allowance for all addresses together (`ALL`).

With the free tries of 256 addresses twice a day and one more try every five seconds, half of a million PINs take
nearly four weeks. A new PIN forgets what was tried.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from referee.bucket import Bucket
from referee.page.access.policy import Rate

FREE = 3
"""How many wrong PINs of an address cost no time."""
LONGEST_S = 60.0
REMEMBERED_S = 12 * 3600.0
"""How long the wrong PINs of an address count."""
ALL = Rate(20, 0.2)
NEWCOMERS = Rate(256, 256 / REMEMBERED_S)
"""Wrong PINs of addresses that tried none before: 256 at once, as many addresses as the network of a house has."""
MOST = 2000
"""Addresses remembered; the one that has not tried for longest is forgotten, and counts as new if it comes back."""
_IPV6_NETWORK = 64
"""Bits of an IPv6 address that name the network: a machine gives itself as many of the rest as it likes."""


@dataclass(frozen=True, slots=True)
class _Record:
    """The wrong PINs of an address: how many, when the last, and whether the first ones were free."""

    count: int
    last: float
    free: bool


class Tries:
    """Wrong PINs by address."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self.forget()

    def forget(self) -> None:
        """Forget every wrong PIN."""
        now = self._now()
        self._all = Bucket(ALL.burst, ALL.each_s, now)
        self._newcomers = Bucket(NEWCOMERS.burst, NEWCOMERS.each_s, now)
        self._records: OrderedDict[str, _Record] = OrderedDict()

    def wait(self, address: str) -> float:
        """Return the seconds until this address may try; 0.0 lets it try now, and counts the try."""
        now, who = self._now(), _network(address)
        record = self._record(who, now)
        if record.count >= FREE:
            wait = min(LONGEST_S, 2.0 ** min(record.count - FREE, 16)) - (now - record.last)
            if wait > 0:
                return wait
        elif record.free:
            return 0.0
        return self._all.take(now)

    def wrong(self, address: str) -> None:
        """Count a wrong PIN."""
        now, who = self._now(), _network(address)
        record = self._record(who, now)
        self._keep(who, _Record(record.count + 1, now, record.free))

    def right(self, address: str) -> None:
        """Forget the wrong PINs of an address that has told the right one."""
        who = _network(address)
        record = self._record(who, self._now())
        self._keep(who, _Record(0, record.last, record.free))

    def _record(self, who: str, now: float) -> _Record:
        record = self._records.get(who)
        if record is not None and now - record.last <= REMEMBERED_S:
            return record
        record = _Record(0, now, free=not self._newcomers.take(now))
        self._keep(who, record)
        return record

    def _keep(self, who: str, record: _Record) -> None:
        self._records[who] = record
        self._records.move_to_end(who)
        while len(self._records) > MOST:
            self._records.popitem(last=False)


def _network(address: str) -> str:
    """Return what counts as one address: that of IPv4, the network of IPv6; other names stand for themselves."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address) or parsed.is_link_local:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed), _IPV6_NETWORK), strict=False))
