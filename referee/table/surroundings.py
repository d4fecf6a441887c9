"""What surrounds the loop: clock, panel, service, whoever reads along, and what is wrong with the box itself."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Protocol

from referee.devices.panel.panel import OnEdge, Panel
from referee.devices.service import Service
from referee.game.match.events import Effect
from referee.game.notice import Notice
from referee.i18n import ENGLISH, Wording
from referee.table.looking.hung_job import Kernel
from referee.table.looking.look import Failure
from referee.table.output.audience import NOBODY, Audience
from referee.table.preparation.enrol_steps import Teacher
from referee.table.preparation.lens_steps import Optician
from referee.table.preparation.prepared import Inspect
from referee.vision.sighting import Image

Heard = Callable[[tuple[Effect, ...]], None]

WELL_AGAIN: Mapping[str, Notice] = {
    "camera": Notice("camera.well_again"),
    "reading": Notice("camera.reading_well_again"),
    "journal": Notice("journal.well_again"),
    "club": Notice("club.well_again"),
}
"""What is told of a part that had a trouble; any other part is a contact of the panel."""


class PinOfPage(Protocol):
    """The PIN that lets people do something at a page; None where there is none."""

    def on_display(self) -> Notice | None:
        """The PIN, as a display has room for it."""

    def new_pin(self) -> Notice | None:
        """Have another one from now on; gives what is told of it, to nobody but those at the table."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything around the loop.

    `say` tells a line to whoever reads along; `keep` takes the picture of a verdict; `heard` is told what every event
    came to, once the panel shows it.
    """

    monotonic: Callable[[], float]
    panel: Callable[[OnEdge], Panel]
    service: Service
    say: Callable[[str], None]
    keep: Callable[[int, int, Image], None] | None = None
    heard: Heard | None = None
    put_away: Callable[[], None] | None = None
    """Called once a match was put away, ended or over, and the players of the next one are waited for."""
    thread: Executor | None = None
    """Where looks are taken; without: a thread of their own."""
    teacher: Teacher | None = None
    """With whom a box can be enrolled before a match."""
    optician: Optician | None = None
    """Who learns the lens of the camera before a match."""
    kernel: Kernel = field(default_factory=Kernel)
    """Asked where a job does not come back."""
    lot: Callable[[int], int] = secrets.randbelow
    """Draws lots: a number below the one it is given."""
    words: Wording = ENGLISH
    """The language of the players."""
    keep_failure: Callable[[Failure], None] | None = None
    """Keeps what the referee has misread, where people say so."""
    audience: Audience = NOBODY
    """Whoever follows the match beside the panel."""
    touched: bool = False
    """Whether its buttons may be pressed on screens, too."""
    inspect: Inspect | None = None
    """Tells what is missing in a picture that somebody sees who sets the table up."""
    configure: Callable[[Mapping[str, Any] | None], Notice | None] | None = None
    """Takes other settings, or with None the same once more, and ends this; gives why they cannot be had."""
    pin: PinOfPage | None = None


@dataclass(slots=True)
class Troubles:
    """What is wrong with the box itself, by part; told once each."""

    by_part: dict[str, Notice] = field(default_factory=dict)

    def set(self, part: str, told: Notice | None) -> Notice | None:
        """Note or clear a trouble; gives what is to be told, if it is news."""
        if told is None:
            over = WELL_AGAIN.get(part) or Notice("panel.well_again", contact=part)
            return None if self.by_part.pop(part, None) is None else over
        news = self.by_part.get(part) != told
        self.by_part[part] = told
        return told if news else None
