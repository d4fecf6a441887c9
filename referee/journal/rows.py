"""The rows of the journal, and how each is chained to the one before it.

Every match is a chain of rows: row 0 says what is played, and the events follow from 1. The checksum of each row
(`sum`) covers the checksum of the row before. So a changed, missing or exchanged row is noticed, whatever the disk did
to it.

Each row has the time of day in ISO 8601, which also shows whether the clock had been set by then: a time that was only
a guess ends with `-00:00` in place of `+00:00`. Every version reads both as the same moment in UTC.
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
"""A clock that shows an earlier year was not set: the referee had not been written yet. A Pi without a battery starts
in 1970, or at the time when it was last switched off."""


KNOWN, GUESSED = "+00:00", "-00:00"
"""The ends of a time of day from a clock that had been set, and from one that had not (RFC 3339, 4.3)."""


def clock_was_set(wall: str) -> bool:
    """Return whether a time of day comes from a clock that had been set."""
    year = wall[:4]
    return year.isdecimal() and int(year) >= FIRST_YEAR and not wall.endswith(GUESSED)


def mark_guessed(wall: str) -> str:
    """Return a time of day of this module's form as one that was only a guess."""
    return wall.removesuffix(KNOWN) + GUESSED


def without_mark(wall: str) -> str:
    """Return a time of day without the mark that it was only a guess, as clubs know it."""
    return wall.removesuffix(GUESSED) + KNOWN if wall.endswith(GUESSED) else wall


@dataclass(frozen=True, slots=True)
class Setup:
    """What is played: a rule book by name, the options chosen, and the season and the draw of the match."""

    rules: str
    options: Mapping[str, str] = field(default_factory=dict)
    season: str | None = None
    edition: int = 1
    """The edition of the rules' interpretation with which the match began. Older journals do not state it."""
    draw: str | None = None
    """The hall's identifier for the seats of this match in a tournament; None if the table began it by itself."""

    @classmethod
    def now(cls, rules: str, options: Mapping[str, str], season: str | None = None) -> Setup:
        """Return the setup of a match that begins with the present edition."""
        return cls(rules, options, season, EDITION)

    def ruleset(self) -> Ruleset:
        """Return the rule book with its options; raises BadInput if this version does not know them."""
        return ruleset(self.rules).of_edition(self.edition).choose(**self.options)

    def state(self) -> State:
        """Return the state of the match before it begins."""
        return new_match(self.ruleset())


@dataclass(frozen=True, slots=True)
class Standing:
    """The score sheet after a row, and whether the match is over then."""

    sheet: ScoreSheet
    over: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `t` is match time in seconds; `wall` is the time of day (UTC), which is only for display.

    `score` is the standing, if it changed with this row. `sum` is the checksum.
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
        """Return the row with its checksum; `before` is the checksum of the row before it (0 for the first)."""
        return replace(self, sum=self._sum(before))

    def follows(self, before: int) -> bool:
        """Return whether the row is what was written after a row with the checksum `before`."""
        return self.sum == self._sum(before)

    def _sum(self, before: int) -> int:
        parts = (self.match, self.number, float(self.t), self.wall, self.kind, self.body, self.score)
        return zlib.crc32(repr(parts).encode("utf-8", "backslashreplace"), before)


@dataclass(frozen=True, slots=True)
class Tip:
    """The end of a match's chain: its last row, the standing then, and the last known match time."""

    row: Row
    standing: Standing | None = None
    t: float = -math.inf

    def event(self, event: Event, state: State, wall: str) -> Tip:
        """Return the tip after one more event; `state` is the state after it.

        Raises BadInput for a value that cannot be stored.
        """
        kind, body = event_to_text(event)
        standing = Standing(state.sheet, state.phase is Phase.OVER)
        score = None if standing == self.standing else to_text(standing, Standing)
        t = float(getattr(event, "t", max(self.t, 0.0)))
        return self._append_row(kind, body, t, wall, score, standing)

    def given_up(self, wall: str) -> Tip:
        """Return the tip after the players have given the match up."""
        return self._append_row(GIVEN_UP, "{}", max(self.t, 0.0), wall, None, self.standing)

    def _append_row(
        self, kind: str, body: str, t: float, wall: str, score: str | None, standing: Standing | None
    ) -> Tip:
        row = Row(self.row.match, self.row.number + 1, t, wall, kind, body, score)
        return Tip(row.with_sum(self.row.sum), standing, max(t, self.t))


def opening(match: int, setup: Setup, event: Started, state: State, wall: str) -> tuple[Row, Tip]:
    """Return the row that says what is played, and the tip after the event that began the match."""
    first = Row(match, 0, float(event.t), wall, MATCH, to_text(setup, Setup)).with_sum(0)
    return first, Tip(first).event(event, state, wall)


def broken_at(rows: Iterable[Row]) -> int | None:
    """Return the number of the first row of a match that does not follow the one before it; None if all do."""
    before = 0
    for number, row in enumerate(rows):
        if row.number != number or not row.follows(before):
            return number
        before = row.sum
    return None


def renumber_rows(rows: Iterable[Row], match: int) -> list[Row]:
    """Return the rows of a match, from its first on, as rows of the match with another number."""
    chain: list[Row] = []
    for row in rows:
        chain.append(replace(row, match=match).with_sum(chain[-1].sum if chain else 0))
    return chain


def chains(rows: Iterable[Row]) -> Iterator[tuple[Row, ...]]:
    """Yield the longest chain of every match that can be made of rows in any order, some of them perhaps twice.

    If two rows claim the same place and nothing follows either of them, the one found later is used.
    """
    found: dict[int, dict[int, list[Row]]] = {}
    for row in rows:
        found.setdefault(row.match, {}).setdefault(row.number, []).append(row)
    for match in sorted(found):
        if chain := _longest(found[match]):
            yield chain


def _longest(places: Mapping[int, Sequence[Row]]) -> tuple[Row, ...]:
    # All beginnings that can still be continued; nearly always there is only one.
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
