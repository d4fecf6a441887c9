"""Chooses the puzzle of a day: the same for everybody in the house, from a table that the family has laid.

It depends only on the date and on the matches that were begun before that day, so it stays the same all day.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo

from referee.errors import BadInput
from referee.game.puzzle.making import Pick, Puzzle, is_fit, make_puzzle, random_table
from referee.game.rulebooks.model import Ruleset
from referee.game.table import Table
from referee.journal.codec import from_text
from referee.journal.replay import intact_events
from referee.journal.rounds import RoundFollower
from referee.journal.rows import Row, Setup
from referee.journal.scores import MatchScore

MATCHES, TABLES = 3, 4
"""From how many matches at most, and how many tables of each, a puzzle is tried to be made; this bounds the time."""
MADE_UP = 60
"""How many tables are drawn at most until one makes a puzzle, if there is no earlier match. With fewer
than 60, every one of 60 days had a puzzle by each rule book, after a second at most."""

RowsOf = Callable[[int], Sequence[Row]]
"""Returns the rows of a match; raises JournalError."""


@dataclass(frozen=True, slots=True)
class Daily:
    """The puzzle of a day, and the match and round whose table it is; None if it is made up."""

    puzzle: Puzzle
    score: MatchScore | None = None
    round: int = 0

    @property
    def name(self) -> str:
        """A name that no other puzzle has, so that what is built is compared with the puzzle that was shown."""
        key = self.puzzle.rules.name, self.puzzle.table, self.puzzle.hand
        return hashlib.sha256(repr(key).encode()).hexdigest()[:16]


def earlier_matches(scores: Sequence[MatchScore], day: date, zone: tzinfo | None = None) -> list[MatchScore]:
    """Return the matches that a puzzle of this day may come from; days are those of `zone`, or of this machine."""
    return [
        score for score in scores if score.over and not score.damaged and score.begun.astimezone(zone).date() < day
    ]


def puzzle_of(day: date, scores: Sequence[MatchScore], rows_of: RowsOf, rules: Ruleset) -> Daily | None:
    """Return the puzzle of a day from one of these matches, or else a made-up one by `rules`; None without any."""
    chance = random.Random(f"puzzle {day.isoformat()}")  # noqa: S311 - the same for everybody, and no secret
    pick = chance.randrange
    left = list(scores)
    for _ in range(min(MATCHES, len(left))):
        score = left.pop(pick(len(left)))
        found = _from_match(score, rows_of(score.match), pick)
        if found is not None:
            return found
    for _ in range(MADE_UP):
        made = make_puzzle(random_table(rules, pick), rules, pick)
        if made is not None:
            return Daily(made)
    return None


def _from_match(score: MatchScore, rows: Sequence[Row], pick: Pick) -> Daily | None:
    tables = list(_tables(rows))
    for _ in range(min(TABLES, len(tables))):
        number, table, rules = tables.pop(pick(len(tables)))
        made = make_puzzle(table, rules, pick)
        if made is not None:
            return Daily(made, score, number)
    return None


def _tables(rows: Sequence[Row]) -> Iterator[tuple[int, Table, Ruleset]]:
    """Yield the confirmed tables of a match that are fit for a puzzle, each once, with round and rules."""
    try:
        follower = RoundFollower(from_text(rows[0].body, Setup).state())
        for _, event in intact_events(rows):
            follower.take(event)
    except (BadInput, IndexError):  # of another version
        return
    rules = follower.state.rules
    for played in follower.rounds:
        for table in dict.fromkeys(turn.after for turn in played.turns):
            if not played.agreed and is_fit(table, rules):
                yield played.number, table, rules
