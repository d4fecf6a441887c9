"""Numbers in addresses."""

from __future__ import annotations

LONGEST = 9
"""No number of a match, a look or a picture has more digits."""


def number_in(text: str) -> int | None:
    """A number out of an address; None for anything else, and for more digits than any of ours has."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST else None
