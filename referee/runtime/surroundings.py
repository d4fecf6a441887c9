"""What surrounds the loop: clock, panel, service, whoever reads along, and what is wrong with the box itself."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field

from referee.devices.panel.panel import OnEdge, Panel
from referee.devices.service import Service
from referee.game.match.events import Effect
from referee.messages import ENGLISH, Wording
from referee.runtime.looking.hung_job import Kernel
from referee.runtime.preparation.enrol_steps import Teacher
from referee.vision.sighting import Image

Heard = Callable[[tuple[Effect, ...]], None]


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
    thread: Executor | None = None
    """Where looks are taken; without: a thread of their own."""
    teacher: Teacher | None = None
    """With whom a box can be enrolled before a match."""
    kernel: Kernel = field(default_factory=Kernel)
    """Asked where a job does not come back."""
    lot: Callable[[int], int] = secrets.randbelow
    """Draws lots: a number below the one it is given."""
    words: Wording = ENGLISH
    """The language of the players."""


@dataclass(slots=True)
class Troubles:
    """What is wrong with the box itself, by part; told once each."""

    texts: dict[str, str] = field(default_factory=dict)

    def set(self, part: str, text: str | None) -> str | None:
        """Note or clear a trouble; gives the sentence to be told, if it is news."""
        if text is None:
            return None if self.texts.pop(part, None) is None else f"{part}: all is well again."
        news = self.texts.get(part) != text
        self.texts[part] = text
        return text if news else None
