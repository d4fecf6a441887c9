"""Small pieces of the English texts of commands, which operators read."""

from __future__ import annotations


def count(number: int, noun: str) -> str:
    """A number with its noun: ``1 tile``, ``3 tiles``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
