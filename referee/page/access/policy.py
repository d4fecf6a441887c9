"""What the page asks of those who come: the PIN, and how much each may have."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field

PIN, OPEN = "pin", "open"


@dataclass(frozen=True, slots=True)
class Rate:
    """How many at once, and how many more each second."""

    burst: float
    each_s: float


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one address may have, and all of them together.

    A page is six requests, and one that is open asks for a picture a look: reading is hardly ever refused.
    """

    reading: Rate = Rate(300, 50)
    writing: Rate = Rate(60, 10)
    body_bytes: int = 16_000
    larger: tuple[tuple[str, int], ...] = ()
    """Paths that take more than `body_bytes`, and how much."""
    body_s: float = 10.0
    """A body that has not come by then is not waited for."""
    idle_s: float = 15.0
    """A connection that has asked for nothing for this long is closed."""
    connections: int = 400
    connections_each: int = 100


@dataclass(frozen=True, slots=True)
class Policy:
    """What needs the PIN: `reading` and `writing` are "pin" or "open".

    `local`: only this machine can reach the page. Whoever sits before it may do everything.
    """

    local: bool = True
    reading: str = OPEN
    writing: str = PIN
    hosts: tuple[str, ...] = ()
    """Names of the page beside its addresses, localhost and those that end in .local."""
    limits: Limits = field(default_factory=Limits)

    @property
    def asks(self) -> bool:
        """Whether people of the house are ever asked for the PIN."""
        return not self.local and PIN in (self.reading, self.writing)


def is_local(listen: str) -> bool:
    """Whether an address to listen at is this machine alone."""
    if listen == "localhost":
        return True
    try:
        return ipaddress.ip_address(listen).is_loopback
    except ValueError:
        return False
