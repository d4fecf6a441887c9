"""The replay of a match, turn by turn: what happened in each, the table after it, and how the page shows it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.errors import BadInput
from referee.game.match.events import Ask, Corrected, Effect, Event, Seen, Settled, Show, Withdrawn
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.table import Table
from referee.game.tiles import Tile
from referee.i18n import Wording
from referee.journal.codec import event_from_text, from_text
from referee.journal.rows import GIVEN_UP, Row, Setup, broken_at
from referee.page.wording import faces
from referee.pages.table.scores.marks import Mark, Marks, marks
from referee.pages.table.scores.sheets import NotThere, kept_rows
from referee.table.looking.doubts import notices_of
from referee.table.output.notices import correction_notice, pause_notice, told_of

_TOLD_BY = {
    "buttons": Notice("scores.told_with_buttons"),
    "console": Notice("scores.told_at_console"),
    "page": Notice("scores.told_on_page"),
}
REPLAYS = 3


@dataclass(frozen=True, slots=True)
class Happening:
    """What happened because of one event. `mark`: "accepted" or "refused" for a verdict, "asked", "told", or empty."""

    event: int
    told: tuple[Notice, ...]
    mark: str = ""


@dataclass(slots=True)
class Turn:
    """A turn, or (if `shows`) the showing of one hand at the end of a round; `player` is the seat.

    `before` and `table` are the table at its beginning and at its end, and `looks` the tables that the referee has
    read meanwhile, by event; pictures are kept under the same numbers.
    """

    player: int
    round: int
    shows: bool
    before: Table = ()
    looks: dict[int, Table] = field(default_factory=dict)
    events: list[int] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    laid: tuple[Tile, ...] = ()
    table: Table = ()

    @property
    def verdict(self) -> Happening | None:
        """The last verdict; None if there was none, as when the time was up."""
        return next((one for one in reversed(self.happenings) if one.mark in ("accepted", "refused")), None)


@dataclass(frozen=True, slots=True)
class Replay:
    """A match from the journal. `broken` is the number of the first event that cannot be read, None if all can."""

    players: tuple[str, ...]
    faces: str
    turns: tuple[Turn, ...]
    broken: int | None = None

    def of_event(self, number: int) -> int:
        """Return the index of the turn that an event belongs to; that of the last turn if there is none."""
        found = (place for place, turn in enumerate(self.turns) if number in turn.events)
        return next(found, len(self.turns) - 1)


def replay_turns(rows: Sequence[Row]) -> Replay:
    """Return the turns of a match from its rows, as far as they can be read; raises BadInput for unknown rules."""
    setup: Setup = from_text(rows[0].body, Setup)
    state = setup.state()
    broken = broken_at(rows)
    turns: list[Turn] = []
    for row in rows[1:broken]:
        if row.kind == GIVEN_UP:
            continue
        try:
            event = event_from_text(row.kind, row.body)
            after, effects = apply(state, event)
        except BadInput:
            broken = row.number
            break
        if isinstance(event, Withdrawn) and after.current != state.current:
            _take_turn_back(turns, after.current)
            state = after  # the event belongs to the turn that goes on
        turn = _turn_of(turns, state, after)
        turn.events.append(row.number)
        turn.table = after.table
        if isinstance(event, Seen):
            turn.looks[row.number] = event.table
        for effect in effects:
            if isinstance(effect, Show) and effect.verdict.accepted:
                turn.laid += effect.verdict.laid
        happening = _describe_event(row.number, event, effects, state, after)
        if happening is not None and not (turn.happenings and turn.happenings[-1].told == happening.told):
            turn.happenings.append(happening)
        state = after
    return Replay(tuple(seat.name for seat in state.seats), state.rules.box.faces, tuple(turns), broken)


def _take_turn_back(turns: list[Turn], player: int) -> None:
    """Remove the laid tiles from the last turn of this player, because they no longer count."""
    taken_back = next((turn for turn in reversed(turns) if turn.player == player and not turn.shows), None)
    if taken_back is not None:
        taken_back.laid = ()


def _turn_of(turns: list[Turn], before: State, after: State) -> Turn:
    """Return the turn in which an event happened: the last one, or a new one that it begins."""
    state = before if before.phase.in_round or not after.phase.in_round else after
    number = len(state.sheet.rounds) + state.phase.in_round
    shows = state.phase in (Phase.SHOWING, Phase.COUNTING)
    last = turns[-1] if turns else None
    if last is not None and not state.phase.in_round:
        return last
    if last is None or (last.player, last.round, last.shows) != (state.current, number, shows):
        turns.append(Turn(state.current, number, shows, state.table))
    return turns[-1]


def _describe_event(
    number: int, event: Event, effects: Sequence[Effect], before: State, after: State
) -> Happening | None:
    told, mark = list[Notice](), ""
    for effect in effects:
        match effect:
            case Show(verdict):
                mark = "accepted" if verdict.accepted else "refused"
                told += [fault.notice for fault in verdict.told_faults]
                told += told_of(effect, after)
            case Ask(doubts):
                mark = "asked"
                told.append(Notice("scores.asked_about", doubts=notices_of(doubts)))
            case _:
                told += told_of(effect, after)
    match event:
        case Settled():
            mark = "told"
            told += _settled_notices(event)
        case Corrected():
            by = correction_notice(after.sheet.corrections[-1])
            told += [] if by is None else [by]
        case Seen() if mark == "accepted" and not told:
            told.append(Notice("play.accepted"))
        case _:
            pause = pause_notice(event, before, after)
            told += [] if pause is None else [pause]
    return Happening(number, tuple(dict.fromkeys(told)), mark) if told else None


def _settled_notices(event: Settled) -> list[Notice]:
    """Return what a tile was read as before players said what it is, and how they said it."""
    told = []
    if event.word.offered:
        tile = event.word.offered[0]
        told.append(Notice("scores.was_read_as_back") if tile is None else Notice("scores.was_read_as", tile=tile))
    if event.by in _TOLD_BY and event.player is not None:  # otherwise another notice says so
        told.append(_TOLD_BY[event.by])
    return told


class Reruns:
    """The replays of the last matches that were requested; may be used in several threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, tuple[object, Replay]] = OrderedDict()
        self._guard = threading.Lock()

    def replay_of(self, path: Path, match: int) -> Replay:
        """Return the replay of a match from the journal as it is now; raises NotThere or JournalError."""
        rows = kept_rows(path, match)
        if not rows:
            raise NotThere(Notice("scores.no_such_match"))
        version = len(rows), rows[-1].sum
        with self._guard:
            known = self._known.get(match)
        if known is not None and known[0] == version:
            return known[1]
        try:
            replay = replay_turns(rows)
        except BadInput as error:
            raise NotThere(Notice("scores.unknown_rules")) from error
        if not replay.turns:
            raise NotThere(Notice("scores.unknown_rules"))
        with self._guard:
            self._known[match] = version, replay
            self._known.move_to_end(match)
            while len(self._known) > REPLAYS:
                self._known.popitem(last=False)
        return replay


@dataclass(frozen=True, slots=True)
class EventSentences:
    """What happened because of an event, in words."""

    event: int
    mark: str
    sentences: list[str]


@dataclass(frozen=True, slots=True)
class TurnShown:
    """A turn in one language: its tiles as the page draws them, and its events that have a picture."""

    player: str
    round: int
    shows: bool
    said: list[EventSentences]
    laid: list[dict[str, Any]]
    sets: list[list[dict[str, Any]]]
    pictures: list[int]
    marked: tuple[Mark, ...]


def turn_shown(replay: Replay, place: int, kept: Sequence[int], words: Wording) -> TurnShown:
    """Return the turn with this index in the replay; `kept` are the events of the match that have a picture."""
    turn, there = replay.turns[place], set(kept)
    marks = marks_of_turn(turn, turn.table)
    return TurnShown(
        replay.players[turn.player],
        turn.round,
        turn.shows,
        [EventSentences(one.event, one.mark, [words(told) for told in one.told]) for one in turn.happenings],
        [{**face, "mark": Mark.NONE} for face in faces(turn.laid, words)],
        [
            [{**face, "mark": mark} for face, mark in zip(faces(tiles, words), each, strict=True)]
            for tiles, each in zip(turn.table, marks, strict=True)
        ],
        [event for event in turn.events if event in there],
        tuple(mark for mark in (Mark.NEW, Mark.MOVED) if any(mark in each for each in marks)),
    )


def marks_of_turn(turn: Turn, table: Table) -> Marks:
    """Return the marks of a table that was read in this turn; a hand that is shown has none."""
    return tuple((Mark.NONE,) * len(tiles) for tiles in table) if turn.shows else marks(turn.before, table)
