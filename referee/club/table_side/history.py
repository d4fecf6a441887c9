"""What rows of the journal came to, found anew by replaying their match."""

from __future__ import annotations

from pathlib import Path

from referee.club.protocol import facts_of
from referee.club.protocol.facts import Fact, GivenUp
from referee.errors import BadInput
from referee.game.match.machine import apply
from referee.game.match.state import State
from referee.journal.codec import event_from_text, from_text
from referee.journal.reading import rows_of
from referee.journal.rows import GIVEN_UP, MATCH, Row, Setup
from referee.wall_clock import clock_was_set


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
