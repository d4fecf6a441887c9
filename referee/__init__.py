"""A referee for tile Rummy with real tiles on a real table.

The functions `read()`, `judge()` and `solve()` offer the referee as a library; see `docs/python-api.md`. The program
begins in `cli`. `docs/architecture.md` describes the packages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.api import judge, read, solve

__version__ = "0.1.0"

__all__ = ["__version__", "judge", "read", "solve"]


def __getattr__(name: str) -> Any:
    """Import the library when it is first used, so that `import referee` alone does nothing."""
    if name in ("judge", "read", "solve"):
        from referee import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
