"""What the set-up pages know of the settings in use."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.game.notice import Notice


class SetupStage(enum.StrEnum):
    """How far the table is."""

    BUILDING = "building"
    """Camera, panel and journal are being opened."""
    READY = "ready"
    MISSING = "missing"
    """It cannot be built; whoever sees to that tells to try again."""


@dataclass(frozen=True, slots=True)
class KeptBox:
    """A box that was enrolled here, and whose tiles it holds."""

    name: str
    tileset: str


@dataclass(frozen=True, slots=True)
class SetUp:
    """`values` are settings by `table.key`; `run` counts how often the table was built."""

    run: int = 0
    stage: SetupStage = SetupStage.READY
    missing: Notice | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    panels: tuple[str, ...] = ()
    """The kinds of panel there are."""
    cameras: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    buttons: int = 0
    """How many end-turn buttons the panel has; 1 serves everybody."""
    where: Callable[[], str] = field(default=str, repr=False, compare=False)
    """Tells `address`, which the router may give only later, or another day another one."""
    sheets: tuple[Path, ...] = ()
    """Folders in which the sheets to print may lie."""
    boxes: Callable[[], Sequence[KeptBox]] = tuple
    """The boxes that can be played with; looks for them on the disk."""
    wifi: str = field(default="", repr=False)
    """What a QR code for the house's network says; empty without one."""
    decision: bool = False
    """Whether somebody must say what becomes of a match that was cut off."""

    @property
    def address(self) -> str:
        """Where the page is found from another machine in the house; empty where it is served for this one alone."""
        return self.where()
