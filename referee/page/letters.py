"""Text that can be sent: a name typed at a broken terminal, or out of an old journal, may hold half a character."""

from __future__ import annotations


def sendable(text: str) -> bytes:
    """The text as UTF-8, with a question mark for every half of a character."""
    return text.encode("utf-8", "replace")
