"""Answers of players about tiles that remain in doubt: typed at the console, or given with two buttons.

Players are first asked to straighten a tile. They may say what it is only if it is in doubt a second time in the same
place without being read more surely. They can choose only tiles that the box holds: first those that the tile looks
like, the likeliest first, then any other. If the print is clear but the box holds fewer of that tile than were read,
straightening cannot help, and players may answer at once.

With a start button, each tap of start shows the next tile that it may be. The current player's button says yes; a long
press of that button takes the last press back, as usual. Without a start button, a long press of the player's button
begins the dialogue, taps go to the next tile, and another long press says yes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from referee.devices.wiring.pins import PinMap
from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.match.state import State
from referee.game.notation import parse_tile
from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, HIGHEST, JOKER, TILE_SETS, Colour, Tile, TileSet
from referee.table.input.commands import Call, Command, EndTurn, Start, TakeBack
from referee.table.looking.doubts import notices_of
from referee.table.looking.look import Look
from referee.vision.asked import in_vain
from referee.vision.sighting import Read, Sighting

PLACE_MM = 10.0
"""A tile in doubt within this distance of an earlier one is the same tile. Chosen by hand: less than half a tile."""
SURER = 0.1
"""If a look raises the confidence by more than this, players are asked to straighten it once more. Chosen by hand."""
MOST = 5
LETTERS = "abcde"


@dataclass(frozen=True, slots=True)
class Answer:
    """A line at the console: the letter of an offered tile, or a tile in notation; `button`: whose, if known."""

    text: str
    button: int | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """An open question: a tile that players were asked about `times` times, as it was last read."""

    read: Read
    offered: tuple[Tile | None, ...]
    box: TileSet
    times: int = 1
    best: float = 0.0
    """The highest confidence of all looks that asked about it."""
    ready: bool = False
    """Whether players may say what the tile is."""
    clear: bool = False
    """Whether its print is clear, and the only doubt is that the box holds fewer of this tile."""
    inks: bool = False
    """Whether the answer decides about all tiles of two inks."""


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One line of the dialogue: a tile, or if `leads` is given, the way to further lines."""

    label: Notice
    tile: Tile | None = None
    leads: Callable[[], tuple[MenuItem, ...]] | None = None
    """Returns the lines that follow, or none to end the dialogue without an answer; None if this line is an answer."""


_LOOK_AGAIN = MenuItem(Notice("play.label_look_again"), leads=tuple)


@dataclass
class Answers:
    """The open questions about tiles, and the dialogue about the first tile that players may name."""

    known: tuple[Open, ...] = ()
    _options: tuple[MenuItem, ...] = ()
    _at: int = 0
    _about: Read | None = None

    @property
    def open(self) -> Open | None:
        """The first tile that players may name; None without one."""
        return next((one for one in self.known if one.ready), None)

    @property
    def is_choosing(self) -> bool:
        """Whether a dialogue is under way."""
        return bool(self._options) and self.open is not None

    @property
    def shown_choice(self) -> Notice | None:
        """The choice that the dialogue shows at the moment; None without a dialogue."""
        return self._options[self._at].label if self.is_choosing else None

    def ask(self, sighting: Sighting | None, doubts: Sequence[Doubt], *, again: bool = False) -> tuple[Doubt, ...]:
        """Record that players are asked about these doubts; return them, with choices for tiles that players may name.

        `again`: the questions come from the same look as before, so they do not count as asked a second time.
        """
        if sighting is None:
            return tuple(doubts)  # nothing was read, so it is unknown whether any read has improved
        known, told = [], []
        for doubt in doubts:
            one = self._open_question(sighting, doubt, again=again)
            if one is not None:
                known.append(one)
            ready = one is not None and one.ready
            told.append(replace(doubt, offered=tuple(map(_name, one.offered))) if one and ready else doubt)
        self.known = tuple(known)
        if self.open is None or self._about is None or not _is_same_place(self.open.read, self._about):
            self.leave()
        return tuple(told)

    def clear(self) -> None:
        """Forget all questions."""
        self.known = ()
        self.leave()

    def settle(self, read: Read) -> None:
        """Record that players have named this tile."""
        self.known = tuple(one for one in self.known if not _is_same_place(one.read, read))
        if self._about is None or _is_same_place(self._about, read):
            self.leave()

    # By name ---------------------------------------------------------------------------------------------------------

    def tile(self, text: str) -> Tile | None:
        """Return the tile that a line at the console means, None for a back; raises BadInput with a notice if none."""
        about = self.open
        if about is None:
            raise BadInput(Notice("play.nothing_to_tell"))
        if len(text) == 1 and text in LETTERS[: len(about.offered)]:
            return about.offered[LETTERS.index(text)]
        if text in ("back", FACE_DOWN):
            return None
        try:
            tile = parse_tile(text)
        except BadInput:
            tile = None
        if tile is None or not about.box.inventory().get(tile):
            raise BadInput(Notice("play.expected_answer", offered=_letter_choices(about), found=text[:40]))
        return tile

    # By buttons ------------------------------------------------------------------------------------------------------

    def next(self) -> None:
        """Begin the dialogue, or show its next line."""
        about = self.open
        if about is None:
            return
        if self._options:
            self._at = (self._at + 1) % len(self._options)
            return
        lines = tuple(MenuItem(label(tile, about.read), tile) for tile in about.offered)
        another = MenuItem(Notice("play.label_another"), leads=partial(_others, about.box))
        self._options, self._at, self._about = (*lines, another, _LOOK_AGAIN), 0, about.read

    def yes(self) -> tuple[Tile | None] | None:
        """Choose the line that is shown; return its tile as a 1-tuple, or None if more lines follow."""
        option = self._options[self._at]
        if option.leads is None:
            return (option.tile,)
        self._options, self._at = option.leads(), 0
        return None

    def leave(self) -> None:
        """End the dialogue without an answer."""
        self._options, self._at, self._about = (), 0, None

    def _open_question(self, sighting: Sighting, doubt: Doubt, *, again: bool) -> Open | None:
        """Return the open question about a doubt, with its count raised; None if the doubt is not about a tile."""
        if doubt.read is None:
            return None
        read = sighting.reads[doubt.read.id]
        if read.x_mm is None:
            return None
        box = TILE_SETS.get(sighting.tileset)
        if box is None:
            return None
        clear, inks = in_vain(read, sighting), bool(doubt.together)
        now = Open(
            read, likely_tiles(read, box), box, best=read.confidence, ready=clear or inks, clear=clear, inks=inks
        )
        here = next((one for one in self.known if _is_same_place(one.read, read)), None)
        # A tile that is moved after each question must not be asked about for ever.
        before = here or next((one for one in self.known if one.read.name == read.name), None)
        if before is None:
            return now
        if again:
            return before
        times, surer = before.times + 1, read.confidence > before.best + SURER
        ready = now.ready or times > 2 or (here is not None and (before.ready or not surer))
        return replace(now, times=times, best=max(before.best, now.best), ready=ready)


def told_of(about: Open, *, start: bool) -> Notice:
    """Return the notice about a tile that players may name; `start`: whether there is a start button."""
    key = "play.take_away_or_say" if about.clear else "play.straighten_or_say"
    key = "play.say_which_ink" if about.inks else key
    return Notice(key if start else f"{key}_holding", offered=_letter_choices(about))


def _letter_choices(about: Open) -> tuple[Notice, ...]:
    lines = zip(LETTERS, about.offered, strict=False)
    return tuple(Notice("play.lettered", letter=letter, what=label(tile, about.read)) for letter, tile in lines)


def label(tile: Tile | None, read: Read | None = None) -> Notice:
    """Return the label of a tile (None: its back) as a choice; "no tile" if `read` is of a place that may be bare."""
    if tile is None:
        return Notice("play.label_no_tile" if read is not None and read.bare else "play.label_back")
    return Notice("play.label_tile", tile=tile)


def likely_tiles(read: Read, box: TileSet | None = None) -> tuple[Tile | None, ...]:
    """Return the tiles that a read may be, the likeliest first; if `box` is given, only tiles that it holds."""
    names = dict.fromkeys([read.name, *(name for name, _ in read.alternatives)])
    tiles = (None if name == FACE_DOWN else Tile.from_name(name) for name in names)
    return tuple(tile for tile in tiles if tile is None or box is None or box.inventory().get(tile))[:MOST]


def _others(box: TileSet) -> tuple[MenuItem, ...]:
    """Return lines for all tiles of a box: one line for each colour, then the joker and a back."""
    inks = (Notice("play.label_colour", colour=colour) for colour in box.colours)
    colours = (MenuItem(ink, leads=partial(_numbers, colour)) for ink, colour in zip(inks, box.colours, strict=True))
    joker = (MenuItem(label(JOKER), JOKER),) if box.jokers else ()
    return (*colours, *joker, MenuItem(label(None)))


def _numbers(colour: Colour) -> tuple[MenuItem, ...]:
    return tuple(MenuItem(label(tile), tile) for tile in (Tile(number, colour) for number in range(1, HIGHEST + 1)))


def _name(tile: Tile | None) -> str:
    return FACE_DOWN if tile is None else tile.name


def _is_same_place(read: Read, other: Read) -> bool:
    here, there = (read.x_mm or 0.0, read.y_mm or 0.0), (other.x_mm or 0.0, other.y_mm or 0.0)
    return math.dist(here, there) < PLACE_MM


@dataclass(frozen=True, slots=True)
class Reply:
    """The reaction to a command: a notice for the players, or once they have chosen, the tile in `chosen`."""

    told: Notice | None = None
    about: Open | None = None
    chosen: tuple[Tile | None, ...] = ()


class Settling:
    """The dialogue about tiles that players may name, as the buttons of this panel lead it."""

    def __init__(self, pins: PinMap) -> None:
        self.answers = Answers()
        self._start = pins.pause_button is not None

    @property
    def is_choosing(self) -> bool:
        """Whether a dialogue is under way in which a long press says yes."""
        return self.answers.is_choosing and not self._start

    def ask(self, look: Look, doubts: tuple[Doubt, ...], *, again: bool) -> tuple[tuple[Doubt, ...], Notice]:
        """Ask about these doubts; return them with choices, and the notice to say; `again`: same look as before."""
        doubts = self.answers.ask(look.sighting, doubts, again=again)
        about, unseen = self.answers.open, notices_of(doubts)
        if about is None:
            return doubts, Notice("play.cannot_see", doubts=unseen)
        return doubts, Notice("play.cannot_see_but_say", doubts=unseen, how=told_of(about, start=self._start))

    def reply_to(self, command: Command, state: State) -> Reply | None:
        """Return the reaction to a command that continues the dialogue; None if the command is not part of it."""
        if self.answers.open is None or not (state.asked or state.phase.awaits_table):
            return None
        choosing = self.answers.is_choosing
        match command:
            case Start(long=False) if self._start:
                return self._next_line()
            case Start(long=False) if choosing:
                return self._yes()
            case EndTurn(_, seat, _, False) if choosing and seat == state.current:
                return self._yes() if self._start else self._next_line()
            case TakeBack() | Call() | EndTurn(long=True) if not (self._start or choosing):
                return self._next_line()
        return None

    def _next_line(self) -> Reply:
        begun = not self.answers.is_choosing
        self.answers.next()
        return Reply(self._line_shown(how=begun))

    def _yes(self) -> Reply:
        about, chosen = self.answers.open, self.answers.yes()
        if chosen is not None:
            return Reply(about=about, chosen=chosen)
        return Reply(self._line_shown(how=False) or Notice("play.looks_again"))

    def _line_shown(self, *, how: bool) -> Notice | None:
        """Return the notice of the line that is shown; `how`: it also explains how to answer."""
        shown = self.answers.shown_choice
        if shown is None or not how:
            return None if shown is None else Notice("play.choice", what=shown)
        return Notice("play.is_it" if self._start else "play.is_it_holding", what=shown)
