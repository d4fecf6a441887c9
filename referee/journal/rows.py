"""What a line of the journal is, and how each is chained to the one before it.

Every match is a chain of rows: number 0 says what is played, the events follow from 1. Each row's sum covers the sum
before it, so that a changed, missing or exchanged row shows, whatever the disk did to it.

Each tells the time of day, in ISO 8601; whether the clock had been set by then is told from that.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.game.match.events import Event, Started
from referee.game.match.machine import new_match
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.rulebooks import Ruleset, ruleset
from referee.game.rulebooks.model import EDITION
from referee.game.scoring import ScoreSheet
from referee.journal.codec import event_to_text, to_text

MATCH = "match"
GIVEN_UP = "given-up"
FIRST_YEAR = 2024
"""Before the referee was written: a Pi without battery starts in 1970, or where it was switched off last."""


def clock_was_set(wall: str) -> bool:
    """Whether a time of day was told by a clock that had been set by then."""
    year = wall[:4]
    return year.isdecimal() and int(year) >= FIRST_YEAR


@dataclass(frozen=True, slots=True)
class Setup:
    """What is played: a rule book by name, the options chosen, and to what season and draw the match belongs."""

    rules: str
    options: Mapping[str, str] = field(default_factory=dict)
    season: str | None = None
    edition: int = 1
    """Of the rulings that the match was begun with; older journals do not tell."""
    draw: str | None = None
    """The hall's word for the seats of this match in a tournament; None where the table began it by itself."""

    @classmethod
    def now(cls, rules: str, options: Mapping[str, str], season: str | None = None) -> Setup:
        """A match that begins by the rulings of today."""
        return cls(rules, options, season, EDITION)

    def ruleset(self) -> Ruleset:
        """The rule book with its options; raises BadInput where this version does not know them."""
        return ruleset(self.rules).of_edition(self.edition).choose(**self.options)

    def state(self) -> State:
        """The match before it begins."""
        return new_match(self.ruleset())


@dataclass(frozen=True, slots=True)
class Standing:
    """What the score sheet is after a row, and whether the match is over."""

    sheet: ScoreSheet
    over: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One line. `t` is match time in seconds, `wall` the time of day (UTC), which is only ever shown.

    `score` holds the standing where it changed with this row.
    """

    match: int
    number: int
    t: float
    wall: str
    kind: str
    body: str
    score: str | None = None
    sum: int = 0

    def with_sum(self, before: int) -> Row:
        """The row with its sum, after a row with the sum `before` (0 for the first)."""
        return replace(self, sum=self._sum(before))

    def follows(self, before: int) -> bool:
        """Whether the row is what was written after a row with the sum `before`."""
        return self.sum == self._sum(before)

    def _sum(self, before: int) -> int:
        parts = (self.match, self.number, float(self.t), self.wall, self.kind, self.body, self.score)
        return zlib.crc32(repr(parts).encode("utf-8", "backslashreplace"), before)


@dataclass(frozen=True, slots=True)
class Tip:
    """Where a match's chain ends: its last row, the standing then, and the last known match time."""

    row: Row
    standing: Standing | None = None
    t: float = -math.inf

    def event(self, event: Event, state: State, wall: str) -> Tip:
        """The tip after one more event, which led to `state`; raises BadInput for a value that cannot be kept."""
        kind, body = event_to_text(event)
        standing = Standing(state.sheet, state.phase is Phase.OVER)
        score = None if standing == self.standing else to_text(standing, Standing)
        t = float(getattr(event, "t", max(self.t, 0.0)))
        return self._append_row(kind, body, t, wall, score, standing)

    def given_up(self, wall: str) -> Tip:
        """The tip after the players gave the match up."""
        return self._append_row(GIVEN_UP, "{}", max(self.t, 0.0), wall, None, self.standing)

    def _append_row(
        self, kind: str, body: str, t: float, wall: str, score: str | None, standing: Standing | None
    ) -> Tip:
        row = Row(self.row.match, self.row.number + 1, t, wall, kind, body, score)
        return Tip(row.with_sum(self.row.sum), standing, max(t, self.t))


def opening(match: int, setup: Setup, event: Started, state: State, wall: str) -> tuple[Row, Tip]:
    """The row that says what is played, and the tip after the event that began it."""
    first = Row(match, 0, float(event.t), wall, MATCH, to_text(setup, Setup)).with_sum(0)
    return first, Tip(first).event(event, state, wall)


def broken_at(rows: Iterable[Row]) -> int | None:
    """The number of the first row of a match that does not follow the one before it; None where all do."""
    before = 0
    for number, row in enumerate(rows):
        if row.number != number or not row.follows(before):
            return number
        before = row.sum
    return None


def renumber_rows(rows: Iterable[Row], match: int) -> list[Row]:
    """The rows of a match, from its first on, as those of another one."""
    chain: list[Row] = []
    for row in rows:
        chain.append(replace(row, match=match).with_sum(chain[-1].sum if chain else 0))
    return chain


def chains(rows: Iterable[Row]) -> Iterator[tuple[Row, ...]]:
    """The longest chain of every match that can be made of rows found in any order, some of them perhaps twice.

    Where two rows claim the same place and nothing follows either, the one found later holds.
    """
    found: dict[int, dict[int, list[Row]]] = {}
    for row in rows:
        found.setdefault(row.match, {}).setdefault(row.number, []).append(row)
    for match in sorted(found):
        if chain := _longest(found[match]):
            yield chain


def _longest(places: Mapping[int, Sequence[Row]]) -> tuple[Row, ...]:
    # All beginnings that can still go on; nearly always that is one.
    beginnings: list[tuple[Row, ...]] = [()]
    number = 0
    while True:
        longer = {
            row.sum: (*chain, row)
            for chain in beginnings
            for row in places.get(number, ())
            if row.follows(chain[-1].sum if chain else 0)
        }
        if not longer:
            return beginnings[-1]
        beginnings = list(longer.values())
        number += 1
