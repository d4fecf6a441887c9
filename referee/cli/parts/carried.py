"""Folders of files that come with the program: in the package of a wheel, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]


def places(folder: str) -> tuple[Path, Path]:
    """Return both possible places of a folder, that in the package first."""
    return _PACKAGE / folder, _PACKAGE.parent / folder
