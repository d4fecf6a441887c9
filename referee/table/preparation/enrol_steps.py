"""Steps of an enrolment at the table, before a match. Pure: from presses and pictures to what is said and done next.

All tiles are laid face up in a few batches. A tap of start takes a picture of each batch; holding start says that all
tiles were shown. Any player's button removes the last picture. If a tile cannot be identified, the referee asks about
it: start goes on to the next of the names it may have, a player's button says yes.
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
"""A line at the console such as 2:430,210=R7: the picture, from 1; the place in it in pixels; the tile."""
_PLACES_TOLD = 6
"""How many places of things taken for no tile are listed; more would not fit on two lines."""

Named = Mapping[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class Pictured:
    """The result of one picture of an enrolment: the tiles that were read in it, or why it does not count."""

    batch: Batch | None
    faults: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Learnt:
    """The result of learning from all pictures; `trouble` is why the box could not be stored."""

    enrolment: Enrolment
    trouble: Notice | str | None = None
    names: tuple[tuple[tuple[str, bool], ...], ...] = ()
    """If a box was learnt: for each tile of each picture its name, and whether that is in doubt."""


class Teacher(Protocol):
    """Reads the pictures, learns the box and stores it; the methods are called in the worker's thread."""

    @property
    def name(self) -> str:
        """The name that the box will have."""

    @property
    def tileset(self) -> TileSet:
        """The kind of box."""

    @property
    def table_mm(self) -> tuple[float, float]:
        """Width and depth of the play area in millimetres."""

    def picture(self, picture: Image, number: int) -> Pictured:
        """Read one picture."""

    def with_tile(self, batch: Batch, picture: Image, place_px: tuple[float, float], tile: Tile) -> Batch:
        """Return the batch of a picture with `tile` added at a pixel."""

    def learn(self, batches: Sequence[Batch], named: Named, *, sure: bool = False) -> Learnt:
        """Learn a box from all batches; if that succeeds, the box is stored and used for reading from then on.

        `sure`: the box is known to be of this kind, whatever its inks look like.
        """


class Wanted(enum.Enum):
    """What the caller must do next."""

    NOTHING = enum.auto()
    PICTURE = enum.auto()
    LEARN = enum.auto()
    END = enum.auto()


@dataclass(frozen=True, slots=True)
class Instruction:
    """What to tell people, and what to do next; `well`: whether that is good news, which decides about the tone."""

    told: Notice | None
    wanted: Wanted = Wanted.NOTHING
    well: bool = True


@dataclass
class Enrolling:
    """The state of one enrolment under way."""

    tileset: TileSet
    table_mm: tuple[float, float]
    batches: list[Batch] = field(default_factory=list)
    named: dict[tuple[int, int], str] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    busy: bool = False
    corrected: dict[tuple[int, int], str] = field(default_factory=dict)
    """Names that somebody on a screen has given to tiles."""
    looks_like: str | None = None
    """Another kind of box that the inks suggest; people were asked whether the box is of the kind that is set."""
    sure: bool = False
    """Whether somebody has confirmed the kind that is set."""
    _at: int = 0
    """The index of the name that is offered, among those of the first question."""
    _told: bool = False
    """Whether people were last told that the box is not complete; if so, holding start gives up."""

    def press(self, *, long: bool) -> Instruction:
        """Handle a press of the start button."""
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
        """Handle a press of any player's button: it says yes to what is offered, or removes the last picture."""
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
        """Handle a name that somebody on a screen gives to a tile of a picture, whether it was asked about or not."""
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
        """Handle that somebody on a screen says that all tiles were shown."""
        if self.busy or not self.batches:
            return Instruction(BUSY if self.busy else NO_PICTURE, well=False)
        if self.looks_like is not None:
            return self._confirms()
        self.busy, self._told = True, False
        return Instruction(None, Wanted.LEARN)

    def _confirms(self) -> Instruction:
        """Handle the confirmation that the box is of the kind that is set."""
        self.looks_like, self.sure = None, True
        self.busy, self._told = True, False
        return Instruction(None, Wanted.LEARN)

    def _lookalike_notice(self) -> Notice:
        return Notice("box.looks_like", box=self.tileset.name, other=self.looks_like or "")

    def gives_up(self) -> Instruction:
        """End the enrolment without learning anything."""
        return Instruction(STOPPED, Wanted.END, well=False)

    @property
    def answers(self) -> dict[tuple[int, int], str]:
        """All names that people have given to tiles."""
        return {**self.named, **self.corrected}

    def take_line(self, text: str) -> Instruction:
        """Handle a line at the console: the letter of a name that is offered, or a tile in notation."""
        if self.busy or not self.questions:
            return Instruction(BUSY if self.busy else Notice("box.nothing_asked"), well=False)
        names = self.questions[0].names
        letters = dict(zip("abcde", names, strict=False))
        if text in letters:
            return self._name(letters[text])
        tile = self._tile(text)
        return Instruction(tile, well=False) if isinstance(tile, Notice) else self._name(tile.name)

    def place_said(self, text: str) -> AddTile | Notice:
        """Return the tile that a line such as 2:430,210=R7 adds to a picture; a notice if the line is not valid."""
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
        """Return a tile of the box from its notation; a notice if the box has no such tile."""
        try:
            tile = parse_tile(text)
        except BadInput:
            tile = None
        if tile is None or tile not in self.tileset.inventory():
            return Notice("box.expected_tile", box=self.tileset.name, found=text[:40])
        return tile

    def take_picture(self, came: Pictured) -> Instruction:
        """Handle the result of a picture."""
        self.busy = False
        number = len(self.batches) + 1
        if came.batch is None or came.faults:
            return Instruction(Notice("box.does_not_count", picture=number, faults=came.faults), well=False)
        self.batches.append(came.batch)
        self.named, self.looks_like, self.sure = {}, None, False
        found = len(came.batch.sighting.reads)
        return Instruction(Notice("box.pictured", picture=number, found=found, left=self.remaining_notice))

    def handle_outcome(self, came: Learnt) -> Instruction:
        """Handle the result of learning from all pictures."""
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
        """Handle that a tile was added to the picture of this index, from 0."""
        self.busy, self._told = False, False
        self.batches[number] = batch
        self.looks_like, self.sure = None, False
        return Instruction(Notice("box.added", picture=number + 1, tile=tile, left=self.remaining_notice))

    def fail(self) -> Instruction:
        """Handle that an errand has failed."""
        self.busy = False
        return Instruction(Notice("box.failed"), well=False)

    def _decline_offer(self, *, long: bool) -> Instruction:
        """Reject the name that is offered: offer the next one, or with a long press end the questions."""
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
        """Return the question about the first tile, with the name that is offered."""
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
        """The notice of how many tiles have yet to be shown."""
        shown = sum(len(batch.sighting.reads) for batch in self.batches)
        if shown == self.tileset.total:
            return Notice("box.all_shown", shown=shown)
        if shown > self.tileset.total:
            return Notice("box.too_many_shown", shown=shown, total=self.tileset.total)
        return Notice("box.left", left=self.tileset.total - shown, total=self.tileset.total)
