"""Where files lie that come with the program: in the package that a wheel brings, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]


def places(folder: str) -> tuple[Path, Path]:
    """Where a folder of that name may lie, the package first."""
    return _PACKAGE / folder, _PACKAGE.parent / folder
