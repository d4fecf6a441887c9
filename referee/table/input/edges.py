"""The edge of a contact, as the loop hears of it."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact closed or opened at `t` (monotonic); `known`: up to when it is known to stay closed."""

    contact: str
    closed: bool
    t: float
    known: float = math.inf
