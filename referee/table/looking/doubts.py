"""Which doubts keep a look from being judged, and what players are asked. Pure: computed from the look and the match.

A read in doubt stays in doubt until it can be read, or until players have said what it is. Suspicious circumstances,
such as something over the table or a hidden marker, are asked about once; pressing again confirms that the table lies
as it should. So nobody is blamed for a tile that a hand covers, and a bowl of nuts on the table does not stop a match.

A bad picture is reported before the doubts that it causes. Players are not asked about a doubt if the outcome is the
same whatever the tiles are.

After a question, the referee looks again without a press as soon as something has moved and the table is still again,
so a player who straightens a tile need not press. If a table could not be judged at all, because something moved or
there was no picture, the referee looks again at intervals even if nothing moves.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from referee.game.doubt import Doubt
from referee.game.gin.round import Stage
from referee.game.match.events import Event, Pressed, Reviewed, Seen, Settled, Unsure, Word
from referee.game.match.machine import OutOfOrder, apply
from referee.game.match.phases import Phase
from referee.game.match.round import begins_rebuilding
from referee.game.match.state import State, without_aside
from referee.game.notice import Notice
from referee.game.table import Table, in_order, tiles_on
from referee.game.tiles import FACE_DOWN, Tile
from referee.table.looking.look import Look
from referee.vision.asked import asked_about
from referee.vision.change.absence import Lies
from referee.vision.change.occlusion import Cover
from referee.vision.geometry.pose import place_of
from referee.vision.quality import CUT_OFF, complaint, complaint_of
from referee.vision.sighting import Read, Sighting

NEAR = 0.1
"""Something over the table counts as the same as before if it has moved by less than this share of the play area
between two presses. Chosen by hand."""
LARGER = 2.0
"""It does not count as the same if it has grown by more than this factor. Chosen by hand."""
_ALL_LIE_THERE = frozenset({Phase.LOOKING, Phase.ASKING, Phase.TIME_UP, Phase.COUNTING})
"""In these phases all tiles of the confirmed table must still lie there."""
_TAKES = frozenset({Stage.FIRST_OFFER, Stage.SECOND_OFFER, Stage.TURN})
"""In these stages of Gin the last discard may be taken."""
PLAUSIBLE = 0.002
"""Readings with a lower chance than this are ignored, except the two likeliest. Chosen by hand."""
AGAIN_S = 2.0
"""Seconds after which the referee looks again at a table that could not be judged at all, if nothing has moved.
Chosen by hand."""


@dataclass(frozen=True, slots=True)
class Suspicions:
    """What players were asked about and can confirm by pressing again."""

    covers: tuple[Cover, ...] = ()
    marker: bool = False
    missing: Counter[Tile] = field(default_factory=Counter)


NOTHING = Suspicions()


@dataclass(frozen=True, slots=True)
class Question:
    """What players must be asked about a look: its doubts and suspicions, determined before it is judged."""

    doubts: tuple[Doubt, ...]
    suspected: Suspicions
    news: bool = False
    """Whether this question is new to the players."""
    insisted: bool = False
    """Whether the look has no doubts only because a player insisted on a cover or a hidden marker."""


class Questions:
    """Remembers what players were asked last, and what they have insisted on by pressing again."""

    def __init__(self) -> None:
        self._again = Again()
        self._suspected = self._waived = self._judged = NOTHING

    def note_event(self, event: Event, *, asked: bool) -> None:
        """Take note of an event; `asked`: whether a question was open before it."""
        if isinstance(event, Settled):
            return  # an answer about a tile does not settle other questions
        if isinstance(event, Reviewed):
            self._waived = self._judged  # the same look again, so the same suspicions stay waived
            return
        self._waived = self._suspected if asked and isinstance(event, Pressed) else NOTHING
        self._suspected = NOTHING

    def question_about(self, look: Look, state: State, now: float) -> Question:
        """Return what must be asked about this look, whose result arrived at `now` (monotonic seconds)."""
        waived, self._waived = self._waived, NOTHING
        self._judged = waived
        doubts, suspected = doubts_of(look, state, waived)
        if doubts:
            return Question(doubts, suspected, news=self._again.is_new(look, now) or not state.asked)
        return Question(doubts, suspected, insisted=bool(waived.covers) or waived.marker)

    def note_asked(self, question: Question) -> None:
        """Remember what players were asked; pressing again insists on the suspicions in it."""
        self._suspected = question.suspected

    def wants_look(self, changes: int, now: float) -> bool:
        """Return whether to look again at the still table without a press; `changes` counts its movements so far."""
        return self._again.is_wanted(changes, now)


def notices_of(doubts: Iterable[Doubt]) -> tuple[Notice, ...]:
    """Return the notices of these doubts, for the players."""
    return tuple(doubt.notice for doubt in doubts)


def reads_in_doubt(look: Look) -> tuple[Doubt, ...]:
    """Return the doubts about what this look could not read."""
    if look.sighting is None:
        return (Doubt(look.trouble or Notice("play.nothing_at_all")),)
    return tuple(asked_about(look.sighting, look.picture, [(cover.x, cover.y) for cover in look.covers]))


def doubts_of(look: Look, state: State, waived: Suspicions = NOTHING) -> tuple[tuple[Doubt, ...], Suspicions]:
    """Return the doubts that keep this look from being judged, and the suspicions that players may insist on.

    `waived` are suspicions that players have insisted on already. If a tile is missing, the look is judged at once
    only if the tile's place is seen bare; while something seems to lie there, it is not judged at all.
    """
    doubts = list(reads_in_doubt(look))
    if look.sighting is None:
        return tuple(doubts), NOTHING
    missing = _missing_tiles(look, look.sighting.table, state)
    lies = _where_they_lay(missing, look)
    hiding = [cover for cover in look.covers if cover.hides and missing and lies is not Lies.NOTHING]
    new = [cover for cover in look.covers if not any(_is_same_cover(cover, other) for other in waived.covers)]
    asked = new or hiding
    marker = look.sighting.quality.hand and not waived.marker and not asked
    told = lies is Lies.NOTHING or (lies is Lies.UNTOLD and missing <= waived.missing)
    unsure = bool(missing) and (bool(hiding) or not told)
    if asked:
        doubts.append(Doubt(Notice("play.covered", place=place_of(asked[0].x, asked[0].y))))
    if marker:
        doubts.append(Doubt(Notice("play.marker_covered")))
    if unsure:
        doubts.append(Doubt(Notice("play.lay_there", tiles=in_order(missing.elements()))))
    # Insisting on a second thing does not revoke the first.
    suspected = Suspicions(look.covers if asked else (), marker, missing if unsure else Counter())
    return tuple(doubts), suspected


def as_confirmed(look: Look, state: State) -> bool:
    """Return whether a look shows everything clearly, with the table as it was confirmed last."""
    if look.sighting is None or not look.clear:
        return False
    return is_confirmed(look.sighting.table, state)


def shows_rebuilding(look: Look, state: State) -> bool:
    """Return whether a look ahead shows, free of hands and doubts, that a set of the table was taken apart."""
    if look.sighting is None or not look.clear:
        return False
    doubts, _ = doubts_of(look, replace(state, phase=Phase.LOOKING))
    return not doubts and begins_rebuilding(state.table, without_aside(state, look.sighting.table))


def is_confirmed(table: Table, state: State) -> bool:
    """Return whether these are the tiles of the table that was confirmed last."""
    return tiles_on(without_aside(state, table)) == tiles_on(state.table)


def lacks_confirmed(table: Table, state: State) -> bool:
    """Return whether a tile of the table that was confirmed last is missing from this one."""
    return bool(tiles_on(state.table) - tiles_on(table))


def _missing_tiles(look: Look, table: Table, state: State) -> Counter[Tile]:
    """Return the tiles of the confirmed table that are missing although they must lie there."""
    gin, missing = state.gin, tiles_on(state.table) - tiles_on(table)
    if state.phase not in _ALL_LIE_THERE or (gin is not None and gin.stage is Stage.TAKING_BACK):
        return Counter()
    if gin is not None and gin.stage in _TAKES:
        lies = {place.lies for place in look.places if place.tile in gin.open[-1:]}
        missing -= Counter(() if Lies.SOMETHING in lies else gin.open[-1:])
    return missing


def _where_they_lay(missing: Counter[Tile], look: Look) -> Lies:
    """Return what lies in the places of these tiles: something if in any of them, nothing only if in none."""
    seen = {place.lies for place in look.places if place.tile in missing}
    known = Counter(place.tile for place in look.places)
    if Lies.SOMETHING in seen:
        return Lies.SOMETHING
    return Lies.NOTHING if missing <= known and Lies.UNTOLD not in seen else Lies.UNTOLD


def _is_same_cover(cover: Cover, other: Cover) -> bool:
    """Return whether both lie in about the same place, and `cover` is not much larger, such as the same arm or cup."""
    near = abs(cover.x - other.x) < NEAR and abs(cover.y - other.y) < NEAR
    return near and cover.area_mm2 < LARGER * other.area_mm2


class Complaints:
    """Remembers the last complaint about the picture, so that it is not repeated."""

    def __init__(self) -> None:
        self._told: Notice | None = None

    def reason(self, look: Look) -> Notice | None:
        """Return what is wrong with the picture of a look that players are asked about; None if it is good."""
        self._told = _wrong_with(look)
        return self._told

    def early_complaint(self, look: Look) -> Notice | None:
        """Return a complaint to announce without a press: a new one that the camera cannot correct by itself."""
        found = _wrong_with(look)
        if found is not None and look.exposure_due:
            return None
        news = found != self._told
        self._told = found
        return found if news else None


def _wrong_with(look: Look) -> Notice | None:
    """Return the fault of the picture; None if it has none, or everything in it is read beyond doubt nevertheless.

    Tiles that are cut off by its edge may not have been read at all.
    """
    if look.sighting is None:
        return None if look.picture is None else complaint_of(look.picture)
    if look.sighting.doubts:
        return complaint(look.sighting)
    return CUT_OFF if look.sighting.quality.cut_off_px else None


def spare_question(
    look: Look, state: State, doubts: tuple[Doubt, ...], words: tuple[Word, ...], t: float
) -> Seen | None:
    """Return the event for a look that can be judged in spite of its doubts; None if players must be asked."""
    seen = look.sighting
    if seen is None or not doubts or any(doubt.read is None for doubt in doubts):
        return None
    if any(doubt.together for doubt in doubts):
        return None  # an answer would name many tiles, which also helps with the next look
    each = {number: doubt for doubt in doubts for number in doubt.copies or _own_id(doubt)}
    unsure = tuple(_unsure(seen, number, doubt) for number, doubt in each.items())
    if None in unsure:
        return None
    event = Seen(seen.table, t, words=words, unsure=tuple(one for one in unsure if one is not None))
    try:
        apply(state, event)
    except OutOfOrder:
        return None
    return event


def readings(read: Read) -> tuple[Tile | None, ...]:
    """Return what a tile may plausibly be, the likeliest first; None stands for a tile that is face down."""
    others = [(name, p) for name, p in read.alternatives if name != read.name]
    names = [read.name, *(name for i, (name, p) in enumerate(others) if i == 0 or p >= PLAUSIBLE)]
    return tuple(None if name == FACE_DOWN else Tile.from_name(name) for name in names)


def _own_id(doubt: Doubt) -> tuple[int, ...]:
    return () if doubt.read is None else (doubt.read.id,)


def _unsure(seen: Sighting, number: int, doubt: Doubt) -> Unsure | None:
    """Return the position of a doubtful tile in the table; None if it seems face down: it may belong to any set."""
    told = None if doubt.read is None else replace(doubt.read, id=number)
    for at, members in enumerate(seen.sets):
        shown = [i for i in members if seen.reads[i].tile is not None]
        if number in shown:
            return Unsure(at, shown.index(number), readings(seen.reads[number]), replace(doubt, read=told))
    return None


class Again:
    """Decides when to look again without a press after a question."""

    def __init__(self) -> None:
        self._changes: int | None = None
        self._due = -math.inf
        self._trouble: Notice | None = None

    def is_wanted(self, changes: int, now: float) -> bool:
        """Return whether to look again at the still table; `changes` counts how often something has moved."""
        if changes == self._changes or now < self._due:
            return False
        self._changes = changes
        return True

    def is_new(self, look: Look, now: float) -> bool:
        """Note that players must be asked about this look; return whether the question is new."""
        known, self._trouble = self._trouble, look.trouble
        self._changes, self._due = look.changes, -math.inf
        if look.trouble is not None:
            self._changes, self._due = None, now + AGAIN_S
        return look.trouble is None or look.trouble != known
