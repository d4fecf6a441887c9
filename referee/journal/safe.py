"""A store that never stops the game: what the disk does not take is kept in memory and written as soon as it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from referee.errors import RefereeError
from referee.journal.errors import JournalDamaged, JournalError
from referee.journal.rows import Row
from referee.journal.store import Store

RETRY_S = 5.0
"""Match time between two tries to reach a disk in trouble, when nothing happens at the table."""


class SafeStore:
    """Passes everything on to a store; while that fails, `trouble` says why and the rows wait here in order.

    All rows of the running match stay in memory: a journal that breaks meanwhile is made anew with all of them.
    """

    def __init__(
        self,
        store: Store | None,
        reopen: Callable[[], Store],
        rows: Iterable[Row] = (),
        trouble: str | None = None,
    ) -> None:
        """`rows` are those of a running match that the disk has already; without a `store` one is tried for later."""
        self.trouble = trouble
        self.notices: list[str] = []
        self._store, self._reopen = store, reopen
        self._rows = list(rows)
        self._waiting = 0
        self._tried = 0.0

    def put(self, rows: Sequence[Row]) -> None:
        """Keep rows, on the disk if that can be."""
        if rows[0].number == 0 and not self._waiting:
            self._rows = []
        self._rows += rows
        self._waiting += len(rows)
        self._catch_up()

    def beat(self, match: int, t: float) -> None:
        """Keep the match time if the disk takes it; in trouble, try now and then whether it works again."""
        if self.trouble is not None:
            if 0 <= t - self._tried < RETRY_S:
                return
            self._tried = t
            self._catch_up()
        if self._store is not None and self.trouble is None:
            try:
                self._store.beat(match, t)
            except JournalError as error:
                self._tried = t
                self._failed(error)

    def close(self) -> None:
        """Write what waits and close; raises JournalError that says how much is lost if that cannot be."""
        if self._waiting:
            self._catch_up()
        if self._store is not None:
            self._store.close()
        if self._waiting:
            raise JournalError(f"expected to write the last {self._waiting} rows of the journal, but {self.trouble}")

    def _catch_up(self) -> None:
        """Write all that waits, in order; a store that turns out to be damaged is opened anew at once."""
        try:
            try:
                self._write()
            except JournalDamaged:
                self._let_go()
                self._write()
        except RefereeError as error:
            self._failed(error)
        else:
            self._waiting, self.trouble = 0, None

    def _write(self) -> None:
        if self._store is None:
            self._store = self._reopen()
            self.notices += self._store.notices
            # Nobody knows what a journal that was opened anew still has; it passes over what it has.
            self._waiting = len(self._rows)
        rows = self._rows[-self._waiting :] if self._waiting else []
        # A match that ended and one that began meanwhile may both wait; each is written whole or not at all.
        for match in sorted({row.match for row in rows}):
            self._store.put([row for row in rows if row.match == match])

    def _failed(self, error: RefereeError) -> None:
        self.trouble = str(error)
        if isinstance(error, JournalDamaged):
            self._let_go()

    def _let_go(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            store.close()
