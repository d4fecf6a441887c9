"""What the set-up pages show of the settings in use."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.game.notice import Notice


class SetupStage(enum.StrEnum):
    """How far the building of the table has got."""

    BUILDING = "building"
    """Camera, panel and journal are being opened."""
    READY = "ready"
    MISSING = "missing"
    """It cannot be built until somebody sees to it and asks to try again."""


@dataclass(frozen=True, slots=True)
class KeptBox:
    """A box that was enrolled here: its name, and the name of its tile set."""

    name: str
    tileset: str


@dataclass(frozen=True, slots=True)
class SetUp:
    """The state of the set-up; `values` are settings by `table.key`, `run` counts how often the table was built."""

    run: int = 0
    stage: SetupStage = SetupStage.READY
    missing: Notice | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    panels: tuple[str, ...] = ()
    """The kinds of panel to choose from."""
    cameras: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    buttons: int = 0
    """The number of end-turn buttons of the panel; 1: one button for everybody."""
    where: Callable[[], str] = field(default=str, repr=False, compare=False)
    """Returns `address`; the router may assign it late, or change it from day to day."""
    sheets: tuple[Path, ...] = ()
    """The folders in which sheets for printing may be found."""
    boxes: Callable[[], Sequence[KeptBox]] = tuple
    """Returns the boxes that can be used for playing, which it looks up on the disk."""
    wifi: str = field(default="", repr=False)
    """The text of a QR code for the house's network; empty without one."""
    until: float | None = None
    """Until when what is missing is waited for, by the monotonic clock, in seconds; None if nothing is waited for."""
    decision: bool = False
    """Whether somebody must decide what becomes of an interrupted match."""

    @property
    def address(self) -> str:
        """The address of the page for other machines in the house; empty if it is served on this machine only."""
        return self.where()
