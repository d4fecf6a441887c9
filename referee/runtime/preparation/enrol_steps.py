"""Enrolling a box at the table, before a match: pure, from presses and pictures to sentences and what to do next.

All tiles are laid face up in a few batches. Start takes a picture of each; start held says that all were shown. Any
player's button takes the last picture back. A tile that cannot be told is asked about: start goes on to the next of
the names it may have, a player's button says yes.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from referee.errors import BadInput
from referee.game.notation import parse_tile
from referee.game.tiles import TileSet
from referee.game.wording import count
from referee.vision.boxes.batches import meant
from referee.vision.boxes.enrol import Batch, Enrolment, Question
from referee.vision.doubts import short
from referee.vision.sighting import Image

BEGIN = (
    "Enrolling the box: lay all its tiles face up in a few batches, apart from each other. "
    "Press start for a picture of each batch; hold start once all were shown."
)
STOPPED = "Nothing was stored; the box is not enrolled."
BUSY = "One moment: the referee is looking."
FORGOTTEN = "The last picture does not count any more; {left}."
NO_PICTURE = "No picture was taken yet."
MOST_PICTURES = 12

Named = Mapping[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class Pictured:
    """One picture of an enrolment as it came back: what was read in it, or why it does not count."""

    batch: Batch | None
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Learnt:
    """What came of the pictures; `trouble`: why the box could not be stored."""

    enrolment: Enrolment
    trouble: str | None = None


class Teacher(Protocol):
    """Reads the pictures, learns the box and stores it; both belong into the worker's thread."""

    @property
    def name(self) -> str:
        """What the box will be called."""

    @property
    def tileset(self) -> TileSet:
        """What kind of box it is."""

    @property
    def table_mm(self) -> tuple[float, float]:
        """Width and height of the play area."""

    def picture(self, picture: Image, number: int) -> Pictured:
        """What one picture shows."""

    def learn(self, batches: Sequence[Batch], named: Named) -> Learnt:
        """Learn from all of them; a box that comes of it is stored, and read with from then on."""


class Wanted(enum.Enum):
    """What is to be done next."""

    NOTHING = enum.auto()
    PICTURE = enum.auto()
    LEARN = enum.auto()
    END = enum.auto()


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence for the people, and what is to be done; `well`: whether it sounds like good news."""

    text: str
    wanted: Wanted = Wanted.NOTHING
    well: bool = True


@dataclass
class Enrolling:
    """One enrolment under way."""

    tileset: TileSet
    table_mm: tuple[float, float]
    batches: list[Batch] = field(default_factory=list)
    named: dict[tuple[int, int], str] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    busy: bool = False
    _at: int = 0
    """Which of the names of the first question is offered."""
    _told: bool = False
    """Whether the last answer was that the box is not whole: held again, start gives up."""

    def pressed(self, *, long: bool) -> Step:
        """The start button."""
        if self.busy:
            return Step(BUSY, well=False)
        if self.questions:
            return self._other(long=long)
        if long and (not self.batches or self._told):
            return Step(STOPPED, Wanted.END, well=False)
        if not long and len(self.batches) >= MOST_PICTURES:
            return Step(f"No more than {MOST_PICTURES} pictures: hold start.", well=False)
        self.busy, self._told = True, False
        return Step("", Wanted.LEARN if long else Wanted.PICTURE)

    def button(self) -> Step:
        """Any player's button: yes to what is offered, or the last picture back."""
        if self.busy:
            return Step(BUSY, well=False)
        if self.questions:
            names = self.questions[0].names
            return self._name(names[self._at]) if names else Step(self._offered(), well=False)
        if not self.batches:
            return Step(NO_PICTURE, well=False)
        self.batches.pop()
        self.named, self._told = {}, False
        return Step(FORGOTTEN.format(left=self._left()))

    def said(self, text: str) -> Step:
        """A line at the console: the letter of a name that is offered, or a tile in notation."""
        if self.busy or not self.questions:
            return Step(BUSY if self.busy else "No tile is asked about just now.", well=False)
        names = self.questions[0].names
        letters = dict(zip("abcde", names, strict=False))
        if text in letters:
            return self._name(letters[text])
        try:
            tile = parse_tile(text)
        except BadInput:
            tile = None
        if tile is None or tile not in self.tileset.inventory():
            return Step(f"Expected a tile of {self.tileset.name} such as =R7, found {text!r:.40}.", well=False)
        return self._name(tile.name)

    def pictured(self, came: Pictured) -> Step:
        """A picture has come back."""
        self.busy = False
        number = len(self.batches) + 1
        if came.batch is None or came.faults:
            return Step(f"Picture {number} does not count: {' '.join(came.faults)}", well=False)
        self.batches.append(came.batch)
        self.named = {}
        found = count(len(came.batch.sighting.reads), "tile")
        return Step(
            f"Picture {number}: {found}; {self._left()}. Press start for the next, hold it when all were shown."
        )

    def learnt(self, came: Learnt) -> Step:
        """What came of all pictures."""
        self.busy = False
        if came.trouble is not None:
            self._told = True
            return Step(f"The box could not be stored: {came.trouble}", well=False)
        done = came.enrolment
        if done.box is not None:
            return Step(f"The box is enrolled as {done.box.name}, and read as such from now on.", Wanted.END)
        if done.problems:
            self._told, self.named = True, {}
            told = " ".join(done.problems)
            return Step(f"{told} Show what is missing, or press a button to take the last picture back; "
                        "hold start again to give up.", well=False)  # fmt: skip
        self.questions, self._at = list(done.questions), 0
        return Step(f"{count(len(self.questions), 'tile')} must be named. {self._offered(how=True)}", well=False)

    def failed(self) -> Step:
        """What was to be done could not be done."""
        self.busy = False
        return Step("That did not work; press start to try again.", well=False)

    def _other(self, *, long: bool) -> Step:
        """Not the name that is offered: the next one, or with a long press none at all."""
        if long:
            self.questions, self.named, self._told = [], {}, True
            return Step(f"No tile was named; {self._left()}.")
        self._at = (self._at + 1) % max(1, len(self.questions[0].names))
        return Step(self._offered())

    def _name(self, name: str) -> Step:
        one = self.questions.pop(0)
        self.named[one.batch, one.read] = name
        self._at = 0
        if self.questions:
            return Step(self._offered())
        self.busy = True
        return Step("", Wanted.LEARN)

    def _offered(self, *, how: bool = False) -> str:
        """The question about the first tile, with the name that is offered."""
        one = self.questions[0]
        which = meant(one, self.batches, self.table_mm)
        where = f"Picture {which.number}, {which.place}"
        if not one.names:
            return f"{where}: what tile is it? Tell it at the console, or hold start and take the picture again."
        others = f" (or {', '.join(map(short, one.names[self._at + 1 :]))})" if self._at + 1 < len(one.names) else ""
        yes = " A player's button says yes, start goes on to the next." if how else ""
        return f"{where}: is it {short(one.names[self._at])}{others}?{yes}"

    def _left(self) -> str:
        """How many tiles are still to be shown."""
        shown = sum(len(batch.sighting.reads) for batch in self.batches)
        if shown == self.tileset.total:
            return f"all {shown} tiles were shown"
        if shown > self.tileset.total:
            return f"{shown} tiles were shown, more than the {self.tileset.total} of the box"
        return f"{self.tileset.total - shown} of {self.tileset.total} tiles are left"
