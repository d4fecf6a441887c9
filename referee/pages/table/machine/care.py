"""What the page of the machine is given: checks of the machine, and what can be done to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from referee.devices.system.clock import SystemClock
from referee.devices.system.network import Network
from referee.devices.system.power import Power
from referee.devices.system.safe_mode import SafeMode
from referee.game.notice import Notice


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of a check: `result` is "ok", "attention", "wrong" or "skipped"."""

    name: Notice
    result: str
    found: Notice
    do: Notice | None = None

    @property
    def is_trouble(self) -> bool:
        """Whether somebody should do something."""
        return self.result in ("attention", "wrong")


Reset = Callable[[bool], Future[Notice | None]]
"""Deletes everything, with True the backups, too, and starts again; the result is why that is impossible, or None."""
Rebuild = Callable[[], Future[Notice | None]]


@dataclass(frozen=True, slots=True)
class Care:
    """The machine on which the referee runs."""

    version: str
    address: Callable[[], str]
    """Returns the page's address for other machines in the house; empty if they cannot reach it."""
    check: Callable[[], Sequence[Checked]]
    """Checks the machine, which takes a moment; may be called in any thread."""
    clock: SystemClock | None = None
    """Date and time; None if they are not the referee's business."""
    network: Network | None = None
    """The networks; None if they are not the referee's business."""
    power: Power | None = None
    """Switches the machine off; None if that is not the referee's business, as on somebody's own computer."""
    safe: SafeMode | None = None
    """Safe mode; None if there is none."""
    rebuild: Rebuild | None = None
    """Builds the table anew, with the settings as they are now; the result is why that is impossible, or None."""
    reset: Reset | None = None
    """Brings the machine back to what it was on its first day; None if that is impossible here."""
