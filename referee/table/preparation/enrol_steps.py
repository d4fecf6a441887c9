"""Enrolling a box at the table, before a match: pure, from presses and pictures to what is said and done next.

All tiles are laid face up in a few batches. Start takes a picture of each; start held says that all were shown. Any
player's button takes the last picture back. A tile that cannot be told is asked about: start goes on to the next of
the names it may have, a player's button says yes.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from referee.errors import BadInput
from referee.game.notation import parse_tile
from referee.game.notice import Notice, as_notice
from referee.game.tiles import Tile, TileSet
from referee.table.input.requests import AddTile
from referee.vision.boxes.batches import tile_in_question
from referee.vision.boxes.enrol import Batch, Enrolment, Question
from referee.vision.sighting import Image

BEGIN = Notice("box.begin")
STOPPED = Notice("box.stopped")
BUSY = Notice("play.looking")
NO_PICTURE = Notice("box.no_picture")
MOST_PICTURES = 12
_PLACE = re.compile(r"([0-9]{1,3}):([0-9]{1,5}),([0-9]{1,5})=(.+)")
"""At the console: the picture, from 1, the place there in pixels, and the tile."""
_PLACES_TOLD = 6
"""So many of the places that were passed over fit on a line or two."""

Named = Mapping[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class Pictured:
    """One picture of an enrolment as it came back: what was read in it, or why it does not count."""

    batch: Batch | None
    faults: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Learnt:
    """What came of the pictures; `trouble`: why the box could not be stored."""

    enrolment: Enrolment
    trouble: Notice | str | None = None
    names: tuple[tuple[tuple[str, bool], ...], ...] = ()
    """Of a box that was learnt: what every tile of every picture is, and whether that is in doubt."""


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

    def with_tile(self, batch: Batch, picture: Image, place_px: tuple[float, float], tile: Tile) -> Batch:
        """The batch of that picture in which `tile` lies at a pixel."""

    def learn(self, batches: Sequence[Batch], named: Named, *, sure: bool = False) -> Learnt:
        """Learn from all of them; a box that comes of it is stored, and read with from then on.

        `sure`: the box is of that kind, whatever its inks look like.
        """


class Wanted(enum.Enum):
    """What is to be done next."""

    NOTHING = enum.auto()
    PICTURE = enum.auto()
    LEARN = enum.auto()
    END = enum.auto()


@dataclass(frozen=True, slots=True)
class Instruction:
    """What people are told, and what is to be done; `well`: whether it sounds like good news."""

    told: Notice | None
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
    corrected: dict[tuple[int, int], str] = field(default_factory=dict)
    """What somebody at a screen said that tiles are."""
    looks_like: str | None = None
    """Another kind of box that the inks speak for: it was asked whether the box is of the kind that was told."""
    sure: bool = False
    """Whether somebody has said that it is."""
    _at: int = 0
    """Which of the names of the first question is offered."""
    _told: bool = False
    """Whether the last answer was that the box is not whole: held again, start gives up."""

    def press(self, *, long: bool) -> Instruction:
        """The start button."""
        if self.busy:
            return Instruction(BUSY, well=False)
        if self.questions:
            return self._decline_offer(long=long)
        if self.looks_like is not None:
            return (
                Instruction(STOPPED, Wanted.END, well=False)
                if long
                else Instruction(self._lookalike_notice(), well=False)
            )
        if long and (not self.batches or self._told):
            return Instruction(STOPPED, Wanted.END, well=False)
        if not long and len(self.batches) >= MOST_PICTURES:
            return Instruction(Notice("box.no_more_pictures", most=MOST_PICTURES), well=False)
        self.busy, self._told = True, False
        return Instruction(None, Wanted.LEARN if long else Wanted.PICTURE)

    def button(self) -> Instruction:
        """Any player's button: yes to what is offered, or the last picture back."""
        if self.busy:
            return Instruction(BUSY, well=False)
        if self.questions:
            names = self.questions[0].names
            return self._name(names[self._at]) if names else Instruction(self._name_question(), well=False)
        if self.looks_like is not None:
            return self._confirms()
        if not self.batches:
            return Instruction(NO_PICTURE, well=False)
        self.batches.pop()
        self.named, self._told = {}, False
        self.corrected = {key: name for key, name in self.corrected.items() if key[0] < len(self.batches)}
        return Instruction(Notice("box.forgotten", left=self.remaining_notice))

    def corrects(self, batch: int, read: int, name: str) -> Instruction:
        """Somebody at a screen says what a tile of a picture is, asked or not."""
        if self.busy:
            return Instruction(BUSY, well=False)
        self.corrected[batch, read] = name
        if not self.questions:
            return Instruction(None)
        self.questions = [one for one in self.questions if (one.batch, one.read) != (batch, read)]
        self._at = 0
        if self.questions:
            return Instruction(None)
        self.busy = True
        return Instruction(None, Wanted.LEARN)

    def learns(self) -> Instruction:
        """Somebody at a screen says that all were shown."""
        if self.busy or not self.batches:
            return Instruction(BUSY if self.busy else NO_PICTURE, well=False)
        if self.looks_like is not None:
            return self._confirms()
        self.busy, self._told = True, False
        return Instruction(None, Wanted.LEARN)

    def _confirms(self) -> Instruction:
        """The box is of the kind that was told."""
        self.looks_like, self.sure = None, True
        self.busy, self._told = True, False
        return Instruction(None, Wanted.LEARN)

    def _lookalike_notice(self) -> Notice:
        return Notice("box.looks_like", box=self.tileset.name, other=self.looks_like or "")

    def gives_up(self) -> Instruction:
        """Nothing is learnt."""
        return Instruction(STOPPED, Wanted.END, well=False)

    @property
    def answers(self) -> dict[tuple[int, int], str]:
        """All that people have said of tiles."""
        return {**self.named, **self.corrected}

    def take_line(self, text: str) -> Instruction:
        """A line at the console: the letter of a name that is offered, or a tile in notation."""
        if self.busy or not self.questions:
            return Instruction(BUSY if self.busy else Notice("box.nothing_asked"), well=False)
        names = self.questions[0].names
        letters = dict(zip("abcde", names, strict=False))
        if text in letters:
            return self._name(letters[text])
        tile = self._tile(text)
        return Instruction(tile, well=False) if isinstance(tile, Notice) else self._name(tile.name)

    def place_said(self, text: str) -> AddTile | Notice:
        """The tile that a line at the console such as 2:430,210=R7 shows in a picture; a notice: why it shows none."""
        match = _PLACE.fullmatch(text)
        if match is None or not 1 <= int(match[1]) <= len(self.batches):
            return self._expected_place(text)
        tile = self._tile(match[4])
        if isinstance(tile, Notice):
            return tile
        return AddTile(int(match[1]) - 1, (float(match[2]), float(match[3])), tile)

    def _expected_place(self, text: str) -> Notice:
        if not self.batches:
            return NO_PICTURE
        number, found = len(self.batches), text[:40]
        middles = ((at, *quad.mean(axis=0)) for at, one in enumerate(self.batches, 1) for quad in one.passed_px)
        places = [f"{at}:{x:.0f},{y:.0f}" for at, x, y in middles]
        if not places:
            return Notice("box.expected_place", number=number, found=found)
        return Notice("box.expected_place_such_as", number=number, found=found, places=" ".join(places[:_PLACES_TOLD]))

    def _tile(self, text: str) -> Tile | Notice:
        """A tile of the box in notation; a notice where it is none."""
        try:
            tile = parse_tile(text)
        except BadInput:
            tile = None
        if tile is None or tile not in self.tileset.inventory():
            return Notice("box.expected_tile", box=self.tileset.name, found=text[:40])
        return tile

    def take_picture(self, came: Pictured) -> Instruction:
        """A picture has come back."""
        self.busy = False
        number = len(self.batches) + 1
        if came.batch is None or came.faults:
            return Instruction(Notice("box.does_not_count", picture=number, faults=came.faults), well=False)
        self.batches.append(came.batch)
        self.named, self.looks_like, self.sure = {}, None, False
        found = len(came.batch.sighting.reads)
        return Instruction(Notice("box.pictured", picture=number, found=found, left=self.remaining_notice))

    def handle_outcome(self, came: Learnt) -> Instruction:
        """What came of all pictures."""
        self.busy = False
        if came.trouble is not None:
            self._told = True
            return Instruction(Notice("box.not_stored", trouble=as_notice(came.trouble)), well=False)
        done = came.enrolment
        if done.box is not None:
            return Instruction(Notice("box.enrolled", box=done.box.name), Wanted.END)
        if done.problems:
            self._told, self.named = True, {}
            return Instruction(Notice("box.not_whole", problems=done.problems), well=False)
        if done.looks_like is not None:
            self.looks_like = done.looks_like
            return Instruction(self._lookalike_notice(), well=False)
        self.questions, self._at = list(done.questions), 0
        return Instruction(
            Notice("box.must_be_named", number=len(self.questions), question=self._name_question(how=True)), well=False
        )

    def add_tile(self, number: int, batch: Batch, tile: Tile) -> Instruction:
        """A tile was added to the picture of that number, from 0."""
        self.busy, self._told = False, False
        self.batches[number] = batch
        self.looks_like, self.sure = None, False
        return Instruction(Notice("box.added", picture=number + 1, tile=tile, left=self.remaining_notice))

    def fail(self) -> Instruction:
        """What was to be done could not be done."""
        self.busy = False
        return Instruction(Notice("box.failed"), well=False)

    def _decline_offer(self, *, long: bool) -> Instruction:
        """Not the name that is offered: the next one, or with a long press none at all."""
        if long:
            self.questions, self.named, self._told = [], {}, True
            return Instruction(Notice("box.none_named", left=self.remaining_notice))
        self._at = (self._at + 1) % max(1, len(self.questions[0].names))
        return Instruction(self._name_question())

    def _name(self, name: str) -> Instruction:
        one = self.questions.pop(0)
        self.named[one.batch, one.read] = name
        self._at = 0
        if self.questions:
            return Instruction(self._name_question())
        self.busy = True
        return Instruction(None, Wanted.LEARN)

    def _name_question(self, *, how: bool = False) -> Notice:
        """The question about the first tile, with the name that is offered."""
        one = self.questions[0]
        which = tile_in_question(one, self.batches, self.table_mm)
        if not one.names:
            return Notice("box.what_is_it", picture=which.number, place=which.place)
        tile, *others = which.tiles[self._at :]
        asked = Notice("box.is_it", picture=which.number, place=which.place, tile=tile)
        if others:
            asked = Notice("box.is_it_or", picture=which.number, place=which.place, tile=tile, others=tuple(others))
        return Notice("box.with_how", question=asked) if how else asked

    @property
    def remaining_notice(self) -> Notice:
        """How many tiles are still to be shown."""
        shown = sum(len(batch.sighting.reads) for batch in self.batches)
        if shown == self.tileset.total:
            return Notice("box.all_shown", shown=shown)
        if shown > self.tileset.total:
            return Notice("box.too_many_shown", shown=shown, total=self.tileset.total)
        return Notice("box.left", left=self.tileset.total - shown, total=self.tileset.total)
