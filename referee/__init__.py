"""A referee for real tile Rummy on a real table.

`referee.read()`, `referee.judge()` and `referee.solve()` are the referee as a library (`docs/python-api.md`);
`docs/architecture.md` walks through the rooms, and `cli` is where the program begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.api import judge, read, solve

__version__ = "0.1.0"

__all__ = ["__version__", "judge", "read", "solve"]


def __getattr__(name: str) -> Any:
    """Load the library with its first use, so that importing `referee` by itself does nothing."""
    if name in ("judge", "read", "solve"):
        from referee import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
