"""How far an installation has come, by what the installer prints."""

from __future__ import annotations

STAGES: tuple[tuple[str, ...], ...] = (
    (),
    ("Machine",),
    ("Packages of Raspberry Pi OS",),
    ("Program",),
    ("  one match at the virtual table",),
    ("Settings",),
)
"""The beginnings of the lines with which each stage begins. The first is the check of the bundle."""
PACKAGES = 2


def stage_of(line: str) -> int | None:
    """Return the number of the stage that begins with this line of the installer; None if none does."""
    return next((n for n, starts in enumerate(STAGES) if starts and line.startswith(starts)), None)
