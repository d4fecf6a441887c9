"""Score sheets from the journal. They are read without writing anything, so a referee may be running."""

from __future__ import annotations

import enum
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path

from referee.errors import BadInput
from referee.game.match.events import Started
from referee.game.scoring import Correction, ScoreSheet
from referee.journal.codec import event_from_text, from_text, kind_of
from referee.journal.errors import JournalClosedToUs
from referee.journal.owner import refuse_planted
from referee.journal.reading import files_of, read_only, translate_errors
from referee.journal.recovery.altered_match import Checked, standings
from referee.journal.recovery.carving import refuse_foreign
from referee.journal.rows import FIRST_YEAR, GUESSED, Row, Setup, Standing, clock_was_set
from referee.journal.schema import NAMES_SINCE, ROWS, VERSION, version_of

STARTED = kind_of(Started)


class MatchState(enum.StrEnum):
    """The state of a match; the values are those of the exported files."""

    OVER = "over"
    GIVEN_UP = "given up"
    NOT_OVER = "not over"


@dataclass(frozen=True, slots=True)
class CorrectedRound:
    """A round that the players corrected, and the time of day (UTC) at which they did."""

    correction: Correction
    wall: datetime


@dataclass(frozen=True, slots=True)
class SheetChange:
    """The number of a row at which rounds, corrections or the end of a match changed, and whether it was over then."""

    number: int
    over: bool


@dataclass(frozen=True, slots=True)
class MatchScore:
    """A match on the score sheet.

    `begun`: the time of day of its first row from a clock that had been set; `guessed`: no row of it has such a time.
    `damaged`: its rows are not as they were written, so the sheet may be wrong.
    `planned`: how many rounds are to be played.
    `changes`: the rows from which the sheet is made, including the beginning.
    """

    match: int
    setup: Setup
    begun: datetime
    sheet: ScoreSheet
    over: bool = False
    given_up: bool = False
    corrections: tuple[CorrectedRound, ...] = ()
    damaged: bool = False
    planned: int = 0
    changes: tuple[SheetChange, ...] = ()
    guessed: bool = False

    @property
    def state(self) -> MatchState:
        """The state of the match."""
        if self.over:
            return MatchState.OVER
        return MatchState.GIVEN_UP if self.given_up else MatchState.NOT_OVER

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the winners: several if they share the win, none before the match is over."""
        return tuple(self.sheet.players[seat] for seat in self.winning_seats)

    @property
    def winning_seats(self) -> tuple[int, ...]:
        """The seats of the winners."""
        if not self.over:
            return ()
        try:
            return self.sheet.leaders(self.setup.ruleset())
        except BadInput:  # rules of another version: the points are still right
            return ()


@dataclass(frozen=True, slots=True)
class PlayerTotal:
    """The totals of a player with one rule book; points of different books cannot be added up.

    Matches count once they are over, rounds as soon as they are scored. A shared win counts for each of its winners.
    """

    player: str
    rules: str
    matches: int = 0
    matches_won: int = 0
    rounds: int = 0
    rounds_won: int = 0
    points: int = 0


def read_scores(path: Path) -> list[MatchScore]:
    """Return every match in the journal, oldest first; none if there is no journal.

    Raises NewerJournal, ForeignFile, JournalClosedToUs, or JournalError for a file that is damaged.
    """
    with _open_journal(path) as connection:
        return [] if connection is None else list(_matches(connection))


def read_score(path: Path, match: int) -> MatchScore | None:
    """Return one match in the journal, or None if there is no such match.

    Raises the same errors as `read_scores()`.
    """
    with _open_journal(path) as connection:
        return None if connection is None else next(_matches(connection, match), None)


class Sheets:
    """The score sheets of one journal, read again only if something new was written. For one thread or many."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: tuple[object, list[MatchScore]] | None = None

    def read(self) -> list[MatchScore]:
        """Return every match in the journal, oldest first; raises the same errors as `read_scores()`.

        The file is read again only if its newest row is not the same as at the previous call.
        """
        with _open_journal(self._path) as connection:
            if connection is None:
                return []
            # The journal only grows: its last row tells whether anything is new.
            last = connection.execute("SELECT max(rowid) FROM events").fetchone()[0]
            version, known = (self._path.stat().st_ino, last), self._known
            if known is None or known[0] != version:
                known = self._known = version, list(_matches(connection))
            return known[1]


@contextmanager
def _open_journal(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Return a context manager for reading the journal.

    Its value is None if there is no journal, or nothing in it.
    """
    try:
        refuse_planted(*files_of(path))
        there = path.exists()
        if there:
            path.open("rb").close()
    except JournalClosedToUs:
        raise
    except OSError as error:
        raise JournalClosedToUs(
            f"expected a journal that may be read, found: {error.strerror} ({path}); read it as its owner, "
            "for instance with sudo"
        ) from error
    if not there:
        yield None
        return
    refuse_foreign(path)
    with translate_errors(path), closing(read_only(path)) as connection:
        found = version_of(connection)
        if 0 < found < NAMES_SINCE:
            raise BadInput(
                f"expected a journal of version {VERSION}, found version {found} ({path}): "
                "start `referee play` once, it brings the journal up to date"
            )
        yield connection if found else None


def _matches(connection: sqlite3.Connection, only: int | None = None) -> Iterator[MatchScore]:
    chosen = connection.execute("SELECT id, given_up FROM matches WHERE ? IN (id, 0) ORDER BY id", (only or 0,))
    for match, given_up in chosen.fetchall():
        found = [(Row(*values), before) for *values, before in connection.execute(_SCORED, {"match": match})]
        rows = [(row, row.follows(before)) for row, before in found]
        damaged = not rows or not all(whole for _, whole in rows)
        yield replace(_score(match, rows), given_up=bool(given_up), damaged=damaged)


_SCORED = f"""
    SELECT e.*, coalesce((SELECT sum FROM events p WHERE p.match = :match AND p.number = e.number - 1), 0)
    FROM ({ROWS} WHERE match = :match AND number = 0
          UNION {ROWS} WHERE match = :match AND score IS NOT NULL
          UNION {ROWS} WHERE match = :match AND number = (
              SELECT number FROM events
              WHERE match = :match AND wall >= '{FIRST_YEAR}' AND wall NOT LIKE '%{GUESSED}' ORDER BY number LIMIT 1)
          ORDER BY number) e
"""  # noqa: S608 - made of our own words only


def _score(match: int, found: Sequence[Checked]) -> MatchScore:
    """Return a match from its first row and those at which the standing changed, as far as they are intact."""
    rows = [row for row, whole in found if whole]
    setup = next((from_text(row.body, Setup) for row in rows if row.number == 0), Setup("unreadable"))
    told = standings(found)
    last = told[-1][1] if told else Standing(ScoreSheet(()), over=False)
    corrections = []
    for number, correction in enumerate(last.sheet.corrections):
        row = next(row for row, standing in told if len(standing.sheet.corrections) > number)
        corrections.append(CorrectedRound(correction, _moment(row.wall)))
    walls = [row.wall for row in rows]
    known = next(filter(clock_was_set, walls), None)
    begun = _moment(known or (walls[0] if walls else ""))
    planned = next((_planned_rounds(row) for row in rows if row.kind == STARTED), 0)
    return MatchScore(
        match, setup, begun, last.sheet, last.over,
        corrections=tuple(corrections), planned=planned, changes=tuple(_changes(told)),
        guessed=known is None and bool(walls),
    )  # fmt: skip


def _changes(told: Iterable[tuple[Row, Standing]]) -> Iterator[SheetChange]:
    """Yield the rows at which rounds, corrections or the end of the match changed.

    A row at which only an agreement was added is not one of them.
    """
    before: object = None
    for row, standing in told:
        now = standing.sheet.rounds, standing.sheet.corrections, standing.over
        if now != before:
            yield SheetChange(row.number, standing.over)
        before = now


def _planned_rounds(row: Row) -> int:
    """Return how many rounds the event that began a match is for; 0 if this version cannot read it."""
    try:
        event = event_from_text(row.kind, row.body)
    except BadInput:
        return 0
    return event.rounds if isinstance(event, Started) else 0


def _moment(wall: str) -> datetime:
    """Return a time of day from a row that may have been altered; the beginning of 1970 if it cannot be read."""
    try:
        return datetime.fromisoformat(wall)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)


def totals(scores: Iterable[MatchScore]) -> list[PlayerTotal]:
    """Return the totals of every player, by rule book; the best first, by matches won and then by rounds won."""
    found: dict[tuple[str, str], PlayerTotal] = {}
    for score in scores:
        for seat, player in enumerate(score.sheet.players):
            key = (score.setup.rules, player)
            total = found.get(key, PlayerTotal(player, score.setup.rules))
            lines = score.sheet.rounds
            found[key] = replace(
                total,
                matches=total.matches + score.over,
                matches_won=total.matches_won + (player in score.winners),
                rounds=total.rounds + len(lines),
                rounds_won=total.rounds_won + sum(line.winner == seat for line in lines),
                points=total.points + sum(line.scores[seat] for line in lines),
            )
    return sorted(found.values(), key=lambda t: (t.rules, -t.matches_won, -t.rounds_won, t.player))


def in_season(scores: Sequence[MatchScore], name: str, zone: tzinfo | None = None) -> list[MatchScore]:
    """Return the matches of a season.

    `name` is the name of a season, a year, a month, or days such as 2026-03-01..2026-08-31. Days are those of `zone`,
    by default of this machine. Raises BadInput for any other name.
    """
    named = [score for score in scores if score.setup.season == name]
    if named:
        return named
    span = _span(name)
    if span is None:
        seasons = list(dict.fromkeys(s.setup.season for s in scores if s.setup.season))
        known = f"out of {', '.join(seasons)}, or " if seasons else ""
        raise BadInput(f"expected a season {known}such as 2026, 2026-03 or 2026-03-01..2026-08-31, found {name!r}")
    first, last = span
    return [score for score in scores if first <= score.begun.astimezone(zone).date().isoformat() <= last]


def _span(name: str) -> tuple[str, str] | None:
    """Return the first and the last day of a span of time, as text that sorts like days; None if it is not a span."""
    if re.fullmatch(r"\d{4}(-(0[1-9]|1[0-2]))?", name):
        return name, f"{name}~"
    parts = name.split("..")
    try:
        days = [date.fromisoformat(part) for part in parts]
    except ValueError:
        return None
    if len(days) != 2 or days[0] > days[1]:
        return None
    return days[0].isoformat(), days[1].isoformat()
