"""What is told of the journal: facts of its rows, by replaying their match, results by score sheets, and how far."""

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
from referee.journal.rows import GIVEN_UP, MATCH, Row, Setup, clock_was_set
from referee.journal.scores import MatchScore, read_score

RESULTS = 20
"""How many results of a table the broker keeps: those of its last evenings. Chosen by hand; the events have all."""
FILE = "club.json"
EVERY_S = 5.0
"""Seconds between two writes, at least. Chosen by hand, to spare the card."""


def is_moment(wall: str | None) -> bool:
    """Whether a time of day is as documents have it; one that was altered on the disk is not."""
    return wall is not None and re.fullmatch(WALL, wall) is not None


class History:
    """Replays one match at a time; the next row of the same match costs no more than that row."""

    def __init__(self, path: Path, *, names: bool) -> None:
        self._path, self._names = path, names
        self._row: Row | None = None
        """The last one that was replayed."""
        self._state: State | None = None
        self.begun: str | None = None
        """When the match of that row began, or its first row was written with a clock that had been set."""
        self._draw: str | None = None
        """The draw that it belongs to."""

    def facts(self, row: Row) -> tuple[Fact, ...]:
        """What the row came to; nothing where that cannot be told, for it or one before it was altered.

        Raises JournalError where the journal cannot be read just now.
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
    """Which results are to be told, the oldest first: those of the last matches, and every one that changes."""

    def __init__(self, path: Path, *, names: bool) -> None:
        self._path, self._names = path, names
        self._due: deque[int] = deque()
        self._looked: int | None = None
        """The newest entry of the outbox that was looked at; None: the last matches are to be told again."""
        self._told: dict[int, MatchResult] = {}

    def begin(self) -> None:
        """Tell the results of the last matches again."""
        self._looked = None
        self._due.clear()
        self._told.clear()

    def put_back(self, result: MatchResult) -> None:
        """Tell a result once more, which has not arrived."""
        self._told.pop(result.match, None)
        self._add(result.match)

    def next(self, epoch: str, last: int) -> MatchResult | None:
        """The next result to be told, as the journal has it now; None where all are told.

        `epoch`: that of the outbox. `last`: its newest entry. Raises JournalError where the journal cannot be read
        just now.
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
        """The result of a match; None for one that was not told from its beginning, or that cannot be read."""
        try:
            score = read_score(self._path, match)
        except BadInput:
            return None
        found = result_entries(self._path, match)  # read last: it may know of more than the score, but not of less
        if score is None or found.epoch != epoch:
            return None
        return result_of(score, epoch, found.entries, names=self._names)


def result_of(score: MatchScore, epoch: str, entries: tuple[Entry, ...], *, names: bool) -> MatchResult | None:
    """The result of a match as a document; None for a match of which the beginning is not among the entries.

    `score`: the match on the score sheet.
    `epoch`: that of the outbox.
    `entries`: those of the match that may have changed the sheet, in order.
    `names`: whether players may be named.
    """
    over = {change.number: change.over for change in score.changes}
    changed = [one for one in entries if one.row.number in over or (score.given_up and one.row.kind == GIVEN_UP)]
    if not changed or changed[0].row.number != 1:
        return None
    ended, given_up = None, False
    for row in (one.row for one in changed):
        given_up |= row.kind == GIVEN_UP
        ended = (ended or row.wall) if given_up or over[row.number] else None
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
        revisions=tuple(Revision(one.seq, one.row.wall) for one in changed if is_moment(one.row.wall)),
    )


class Cursor:
    """Up to where the broker has confirmed the outbox, and which results it keeps; written down beside the journal.

    Not in the journal: a second writer could make the match wait for the disk. What stands here may be old or gone
    after a power cut; some events then go out twice, and whoever reads drops what it has. A result that nobody knows
    of any more stays with the broker, and is still one.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self.epoch, self.sent = "", 0
        self._results: tuple[int, ...] = ()
        """The matches whose results the broker keeps, the one told last at the end."""
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
        """Numbers count in this epoch, of which `last` is the highest."""
        if self.epoch != epoch:
            self._results = ()  # of another journal; they hold on
        if self.epoch != epoch or self.sent > last:
            self.epoch, self.sent = epoch, 0
        self._confirmed.clear()

    def confirm(self, seq: int) -> None:
        """The broker has the event of this number."""
        self._confirmed.add(seq)
        while self.sent + 1 in self._confirmed:
            self.sent += 1
        self._confirmed = {seq for seq in self._confirmed if seq > self.sent}

    def retain_result(self, match: int, most: int) -> tuple[int, ...]:
        """The broker keeps the result of a match; return the matches of which it shall keep none any more."""
        known = (*(one for one in self._results if one != match), match)
        self._results = known[-most:]
        return known[:-most]

    def keep(self, now: float, *, at_once: bool = False) -> None:
        """Write it down now and then; a disk that takes no writes is the journal's matter."""
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
