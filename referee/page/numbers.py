"""Numbers in addresses, and in what a browser sends back."""

from __future__ import annotations

LONGEST = 16
"""No number of a state, a match, a look or a picture has more digits: scripts know none above 2**53."""


def number_in(text: str) -> int | None:
    """A number out of a text; None for anything else, and for more digits than any of ours has."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST else None
