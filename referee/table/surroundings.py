"""The surroundings of the loop: clock, panel, service, audience, and the troubles of the equipment."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from referee.devices.panel.panel import OnEdge, Panel
from referee.devices.service import Service
from referee.devices.system.power import Going
from referee.game.match.events import Effect
from referee.game.notice import Notice
from referee.game.tiles import TileSet
from referee.i18n import ENGLISH, Wording
from referee.journal.tile_places import PlacedSets
from referee.table.desk_values import CallKeeper
from referee.table.looking.hung_job import Kernel
from referee.table.looking.look import Failure
from referee.table.output.audience import NOBODY, Audience
from referee.table.preparation.enrol_steps import Teacher
from referee.table.preparation.lens_steps import Optician
from referee.table.preparation.prepared import Inspect
from referee.vision.sighting import Image, Sighting

Heard = Callable[[tuple[Effect, ...]], None]
ReadPicture = Callable[[Image, TileSet | None, bool], Sighting]
"""Returns what a BGR picture (H, W, 3) shows, given the tiles in use, and whether it is from the table's camera."""

WELL_AGAIN: Mapping[str, Notice] = {
    "camera": Notice("camera.well_again"),
    "reading": Notice("camera.reading_well_again"),
    "journal": Notice("journal.well_again"),
    "club": Notice("club.well_again"),
}
"""The notice when a trouble of a part is over; parts not in this table are contacts of the panel."""


class PinOfPage(Protocol):
    """The PIN that must be known for changing anything on a page."""

    def on_display(self) -> Notice | None:
        """Return the PIN, short enough for a display; None if the page has none."""

    def new_pin(self) -> Notice | None:
        """Set a new PIN; return its notice, which only those at the table may get, or None if the page has no PIN."""


class RealButtons(Protocol):
    """Who wants to know whether the table has real buttons, and not only pins that may have nothing wired to them."""

    def were_pressed(self) -> None:
        """A real button was pressed; this is called at every press."""


class MachinePower(Protocol):
    """What switches the machine off; `devices/system/power.py` has it."""

    going: Going | None
    """How the machine ends; None: it does not."""

    def end_soon(self, how: Going) -> Future[Notice | None]:
        """Ask the system in another thread; the result is why it refuses, or None once it has agreed."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything that the loop uses from outside.

    `say` takes each sentence for those at the table. `keep` stores the picture of a verdict, with the match and number
    of its event, and where the tiles of its sets lie. `heard` gets the effects of every event once the panel shows
    them.
    """

    monotonic: Callable[[], float]
    panel: Callable[[OnEdge], Panel]
    service: Service
    say: Callable[[str], None]
    keep: Callable[[int, int, Image, PlacedSets], None] | None = None
    heard: Heard | None = None
    put_away: Callable[[], None] | None = None
    """Called after a match was put away, when the table waits for the players of the next one."""
    thread: Executor | None = None
    """The executor in which looks are taken; None: a thread of their own."""
    teacher: Teacher | None = None
    """Learns a box in an enrolment before a match; None: no box can be enrolled."""
    optician: Optician | None = None
    """Computes the lens of the camera in a calibration before a match; None: that is impossible."""
    kernel: Kernel = field(default_factory=Kernel)
    """Asked if a job does not end."""
    lot: Callable[[int], int] = secrets.randbelow
    """Draws lots: returns a random number from 0 up to but not including its argument."""
    words: Wording = ENGLISH
    """The language of the players."""
    keep_failure: Callable[[Failure], None] | None = None
    """Stores what the referee has misread, if people ask for that."""
    audience: Audience = NOBODY
    """Those who follow the match beside the panel."""
    touched: bool = False
    """Whether the buttons of the panel may also be pressed on screens."""
    read_picture: ReadPicture | None = None
    """Reads pictures for the coach, in another thread than that of the looks; None: it reads none."""
    inspect: Inspect | None = None
    """Says what is wrong with a picture, for somebody who sets up the table."""
    configure: Callable[[Mapping[str, Any] | None], Notice | None] | None = None
    """Ends this loop to build the table with other settings, or with None the same; returns why it cannot."""
    pin: PinOfPage | None = None
    buttons: RealButtons | None = None
    power: MachinePower | None = None
    """Switches the machine off; None if that is not the referee's business."""
    calls: CallKeeper | None = None
    """Keeps the table's call for the director of its hall; None: the table belongs to no club."""
    news: tuple[Notice, ...] = ()
    """What players must know from before the start, such as an update that failed."""


@dataclass(slots=True)
class Troubles:
    """What is wrong with the equipment, by part; each trouble is announced once."""

    by_part: dict[str, Notice] = field(default_factory=dict)

    def set(self, part: str, told: Notice | None) -> Notice | None:
        """Set a trouble of a part, or clear it with None; return the notice to announce, None if nothing is new."""
        if told is None:
            over = WELL_AGAIN.get(part) or Notice("panel.well_again", contact=part)
            return None if self.by_part.pop(part, None) is None else over
        news = self.by_part.get(part) != told
        self.by_part[part] = told
        return told if news else None
