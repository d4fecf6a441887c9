"""A time of day as text, ISO 8601, and whether the clock that told it had been set."""

from __future__ import annotations

FIRST_YEAR = 2024
"""Before the referee was written: a Pi without battery starts in 1970, or where it was switched off last."""


def clock_was_set(wall: str) -> bool:
    """Whether a time of day was told by a clock that had been set by then."""
    year = wall[:4]
    return year.isdecimal() and int(year) >= FIRST_YEAR
