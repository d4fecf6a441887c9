"""What a table publishes from its journal: facts of rows, results of matches, and how much the broker has confirmed.

Facts are made by replaying the match of a row, and results from score sheets.
"""

from __future__ import annotations

import json
import re
from collections import deque
from pathlib import Path

from referee.club.protocol import MatchResult, facts_of
from referee.club.protocol.documents import WALL, Revision, RoundResult
from referee.club.protocol.facts import Fact, GivenUp
from referee.devices.whole_file import read_whole
from referee.errors import BadInput
from referee.game.match.machine import apply
from referee.game.match.state import State
from referee.journal.codec import event_from_text, from_text
from referee.journal.journal import stamp
from referee.journal.outbox import Entry, matches_changed, newest_matches, result_entries
from referee.journal.reading import rows_of
from referee.journal.rows import GIVEN_UP, MATCH, Row, Setup, clock_was_set, without_mark
from referee.journal.scores import MatchScore, read_score

RESULTS = 20
"""How many results of a table the broker retains, the newest ones. Chosen by hand; the events contain all results."""
FILE = "club.json"
EVERY_S = 5.0
"""The least time between two writes, in seconds. Chosen by hand, to reduce wear of the memory card."""


def is_moment(wall: str | None) -> bool:
    """Return whether a time of day has the form that documents require; it may have been altered on the disk."""
    return wall is not None and re.fullmatch(WALL, wall) is not None


class History:
    """Makes the facts of rows by replaying matches, one at a time.

    If rows come in order, each is applied to the state after the previous one, and nothing is replayed again.
    """

    def __init__(self, path: Path, *, names: bool) -> None:
        self._path, self._names = path, names
        self._row: Row | None = None
        """The row that was replayed last."""
        self._state: State | None = None
        self.begun: str | None = None
        """When the match of that row began; if the clock was not set then, the time of the first row when it was."""
        self._draw: str | None = None
        """The draw that the match belongs to."""

    def facts(self, row: Row) -> tuple[Fact, ...]:
        """Return the facts of a row; none if it, or an earlier row of its match, was altered.

        Raises JournalError if the journal cannot be read.
        """
        try:
            if not self._follows(row):
                self._state = None
                for earlier in rows_of(self._path, row.match)[0]:
                    if earlier.number < row.number:
                        self._facts_of_row(earlier)
            return self._facts_of_row(row)
        except BadInput:
            self._row, self._state = row, None
            return ()

    def _follows(self, row: Row) -> bool:
        last = self._row
        return row.kind == MATCH or (last is not None and (last.match, last.number + 1) == (row.match, row.number))

    def _facts_of_row(self, row: Row) -> tuple[Fact, ...]:
        self._row = row
        if self.begun is not None and not clock_was_set(self.begun) and clock_was_set(row.wall):
            self.begun = row.wall
        if row.kind == MATCH:
            setup: Setup = from_text(row.body, Setup)
            self.begun, self._draw, self._state = row.wall, setup.draw, setup.state()
            return ()
        if row.kind == GIVEN_UP:
            return (GivenUp(),)
        if self._state is None:
            return ()
        before, event = self._state, event_from_text(row.kind, row.body)
        self._state, effects = apply(before, event)
        return facts_of(before, event, self._state, effects, names=self._names, draw=self._draw)


class Results:
    """The results that are to be sent, the oldest first: those of the last matches, and each that has changed."""

    def __init__(self, path: Path, *, names: bool) -> None:
        self._path, self._names = path, names
        self._due: deque[int] = deque()
        self._looked: int | None = None
        """The newest entry of the outbox that was examined; None if the results of the last matches are to be sent."""
        self._told: dict[int, MatchResult] = {}

    def begin(self) -> None:
        """Send the results of the last matches again."""
        self._looked = None
        self._due.clear()
        self._told.clear()

    def put_back(self, result: MatchResult) -> None:
        """Send a result again because the broker did not accept it."""
        self._told.pop(result.match, None)
        self._add(result.match)

    def next(self, epoch: str, last: int) -> MatchResult | None:
        """Return the next result to be sent, as the journal has it now; None if there is none.

        `epoch`: the epoch of the outbox. `last`: the number of its newest entry. Raises JournalError if the journal
        cannot be read.
        """
        if self._looked is None:
            self._due.extend(reversed(newest_matches(self._path, RESULTS)))
        elif last > self._looked:
            for match in matches_changed(self._path, self._looked):
                self._add(match)
        self._looked = last
        while self._due:
            match = self._due[0]
            result = self._read(epoch, match)
            self._due.popleft()
            if result is not None and result != self._told.get(match):
                self._told[match] = result
                return result
        return None

    def _add(self, match: int) -> None:
        if match not in self._due:
            self._due.append(match)

    def _read(self, epoch: str, match: int) -> MatchResult | None:
        """Return the result of a match; None if the match cannot be read, or its beginning is not in the outbox."""
        try:
            score = read_score(self._path, match)
        except BadInput:
            return None
        found = result_entries(self._path, match)  # read after the score: it must not lack an event that the score has
        if score is None or found.epoch != epoch:
            return None
        return result_of(score, epoch, found.entries, names=self._names)


def result_of(score: MatchScore, epoch: str, entries: tuple[Entry, ...], *, names: bool) -> MatchResult | None:
    """Return the result of a match as a document; None if the beginning of the match is not among the entries.

    `score`: the score sheet of the match.
    `epoch`: the epoch of the outbox.
    `entries`: the entries of the match that may have changed the score sheet, in order.
    `names`: whether the document may contain the names of players.
    """
    over = {change.number: change.over for change in score.changes}
    changed = [one for one in entries if one.row.number in over or (score.given_up and one.row.kind == GIVEN_UP)]
    if not changed or changed[0].row.number != 1:
        return None
    ended, given_up = None, False
    for row in (one.row for one in changed):
        given_up |= row.kind == GIVEN_UP
        ended = (ended or without_mark(row.wall)) if given_up or over[row.number] else None
    players, corrections = score.sheet.players, [one.round for one in score.sheet.corrections]
    return MatchResult(
        epoch=epoch,
        match=score.match,
        begun=stamp(score.begun),
        rules=score.setup.rules,
        players=players if names else (None,) * len(players),
        planned=score.planned,
        rounds=tuple(
            RoundResult(line.scores, line.winner, corrections.count(number))
            for number, line in enumerate(score.sheet.rounds, 1)
        ),
        winners=score.winning_seats,
        over=score.over,
        given_up=score.given_up,
        ended=ended if is_moment(ended) else None,
        draw=score.setup.draw,
        revisions=tuple(Revision(one.seq, wall) for one in changed if is_moment(wall := without_mark(one.row.wall))),
        begun_is_guess=score.guessed,
    )


class Cursor:
    """Up to which event the broker has confirmed the outbox, and which results it retains. Stored beside the journal.

    It is not in the journal, because a second writer could make the match wait for the disk. After a power cut the
    file may be out of date or missing. Some events are then sent twice, and readers drop those that they have. A
    retained result that is no longer listed here stays at the broker, and is still valid.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self.epoch, self.sent = "", 0
        self._results: tuple[int, ...] = ()
        """The matches whose results the broker retains, the one that was sent last at the end."""
        self._confirmed: set[int] = set()
        self._written = self._news
        self._at = 0.0
        try:
            found = json.loads(read_whole(self._path, 10_000, "a cursor"))
            self.epoch, self.sent = str(found["epoch"]), max(0, int(found["sent"]))
            self._results = tuple(int(match) for match in found.get("results", ()))
        except (OSError, ValueError, KeyError, TypeError):
            pass

    def begin(self, epoch: str, last: int) -> None:
        """Set the epoch that numbers count in; `last` is its highest number. A new epoch starts at 0."""
        if self.epoch != epoch:
            self._results = ()  # these are of another journal; they stay at the broker
        if self.epoch != epoch or self.sent > last:
            self.epoch, self.sent = epoch, 0
        self._confirmed.clear()

    def confirm(self, seq: int) -> None:
        """Note that the broker has confirmed the event with this number."""
        self._confirmed.add(seq)
        while self.sent + 1 in self._confirmed:
            self.sent += 1
        self._confirmed = {seq for seq in self._confirmed if seq > self.sent}

    def retain_result(self, match: int, most: int) -> tuple[int, ...]:
        """Note that the broker retains the result of a match; return the matches whose results are to be deleted.

        `most`: how many results the broker is to retain.
        """
        known = (*(one for one in self._results if one != match), match)
        self._results = known[-most:]
        return known[:-most]

    def keep(self, now: float, *, at_once: bool = False) -> None:
        """Write the file if something has changed, but not more often than every `EVERY_S` seconds unless `at_once`.

        A failed write is ignored; the journal reports trouble with the disk.
        """
        news = self._news
        if news == self._written or (now - self._at < EVERY_S and not at_once):
            return
        self._written, self._at = news, now
        try:
            told = {"epoch": self.epoch, "sent": self.sent, "results": self._results}
            self._path.write_text(json.dumps(told), encoding="ascii")
        except OSError:
            return

    @property
    def _news(self) -> tuple[str, int, tuple[int, ...]]:
        return self.epoch, self.sent, self._results
