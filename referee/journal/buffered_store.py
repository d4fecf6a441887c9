"""Stores that never stop the game: rows that the disk does not take stay in memory, and are written once it does.

`ThreadedStore` writes in a thread, so that the event loop can do urgent work while it waits. Cheap cards stop for
seconds now and then while they tidy up. Nothing is shown before it is written, so the loop waits for the card.
Meanwhile it still makes lamps blink, ends tones, and tells the watchdog that it is alive.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from typing import ParamSpec, TypeVar

from referee.errors import RefereeError
from referee.game.notice import Notice, told_by
from referee.journal.errors import JournalDamaged, JournalError
from referee.journal.rows import Row, renumber_rows
from referee.journal.store import Disk, Store

RETRY_S = 5.0
"""Seconds of match time between two attempts to write to a disk in trouble, while nothing happens at the table."""
SLICE_S = 0.1
"""Seconds between two calls of the function for waiting times. A shorter wait is not noticed."""
Meanwhile = Callable[[float], None]
"""Called during a wait with the seconds waited so far. It must not use the journal."""
P = ParamSpec("P")
R = TypeVar("R")


class SafeStore:
    """Passes all calls on to a store. While that fails, `trouble` says why, and the rows wait here in order.

    All rows of the running match stay in memory, so that a journal that breaks during the match is rebuilt with all of
    them. A match that began while the journal could not be read gets a number after those in the journal.
    """

    def __init__(
        self,
        store: Disk | None,
        reopen: Callable[[], Disk],
        rows: Iterable[Row] = (),
        trouble: Notice | None = None,
    ) -> None:
        """`rows` are the rows of a running match that are already on disk. If `store` is None, it is opened later."""
        self.trouble = trouble
        self.notices: list[Notice] = []
        self._store, self._reopen = store, reopen
        self._rows = list(rows)
        self._waiting = 0
        self._tried = -math.inf
        self._newest = 0
        self._blind = store is None and not self._rows

    def put(self, rows: Sequence[Row]) -> None:
        """Store rows on disk if possible, and otherwise in memory."""
        if rows[0].number == 0 and not self._waiting:
            self._rows = []
        self._rows += rows
        self._waiting += len(rows)
        self._catch_up()

    def amend(self, rows: Sequence[Row]) -> bool:
        """Append rows to an older match; return False if other rows have been appended there in the meantime.

        Raises JournalError while the disk is in trouble: these rows are not part of the game, so they do not wait.
        """
        if self._store is None or self.trouble is not None:
            raise JournalError(self.trouble or Notice("journal.held", path=""))
        if not self._store.amend(rows):
            return False
        if self._rows and self._rows[-1].match == rows[0].match:
            self._rows += rows
        return True

    def beat(self, match: int | None, t: float) -> None:
        """Store the match time if the disk takes it.

        While the disk is in trouble, try now and then whether it works again.
        """
        if self.trouble is not None:
            if 0 <= t - self._tried < RETRY_S:
                return
            self._tried = t
            self._catch_up()
        if match is not None and self._store is not None and self.trouble is None:
            try:
                # The number of the match may have just changed.
                self._store.beat(self._rows[-1].match if self._rows else match, t)
            except JournalError as error:
                self._tried = t
                self._note_failure(error)

    def newest(self) -> int:
        """Return the number of the newest match that is known."""
        return max([self._newest, *(row.match for row in self._rows[-1:])])

    def as_kept(self, row: Row) -> Row | None:
        """Return the row that was put last, with the present number of its match; None while that is not certain."""
        return None if self._blind else self._rows[-1] if self._rows else row

    def close(self) -> None:
        """Write the waiting rows and close the store.

        If they cannot be written, raises JournalError that says how many are lost.
        """
        if self._waiting:
            self._catch_up()
        if self._store is not None:
            self._store.close()
        if self._waiting and self.trouble is not None:  # a failed attempt sets `trouble`
            raise JournalError(Notice("journal.rows_lost", rows=self._waiting, why=self.trouble))

    def _catch_up(self) -> None:
        """Write all waiting rows in order; if the store turns out to be damaged, reopen it at once and try again."""
        try:
            try:
                self._write()
            except JournalDamaged:
                self._let_go()
                self._write()
        except RefereeError as error:
            self._note_failure(error)
        else:
            self._waiting, self.trouble = 0, None

    def _write(self) -> None:
        if self._store is None:
            self._store = self._reopen_disk()
            # It is not known which rows a reopened journal still has, so all are written; it skips those that it has.
            self._waiting = len(self._rows)
        rows = self._rows[-self._waiting :] if self._waiting else []
        # Rows of a match that ended and of the next one may both wait; for each, all are written or none.
        for match in sorted({row.match for row in rows}):
            self._store.put([row for row in rows if row.match == match])

    def _reopen_disk(self) -> Disk:
        store = self._reopen()
        self.notices += store.notices
        try:
            self._go_behind(store)
        except BaseException:  # also Ctrl-C: the file must be closed
            store.close()
            raise
        return store

    def _go_behind(self, store: Disk) -> None:
        """Give a match another number if the journal has a different match under its number, or only later matches."""
        newest, moved, rows = store.newest(), False, list[Row]()
        for match in sorted({row.match for row in self._rows}):
            chain = [row for row in self._rows if row.match == match]
            moved = moved or store.clashes(chain)
            if moved:
                newest += 1
                chain = renumber_rows(chain, newest)
                self.notices.append(Notice("journal.renumbered", match=newest))
            rows += chain
        self._rows, self._newest, self._blind = rows, newest, False

    def _note_failure(self, error: RefereeError) -> None:
        self.trouble = told_by(error)
        if isinstance(error, JournalDamaged):
            self._let_go()

    def _let_go(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            store.close()


class ThreadedStore:
    """Passes all calls on to a store. Calls that use the disk are made in a thread, one at a time."""

    def __init__(self, store: Store, thread: Executor) -> None:
        """`thread` makes one call after the other. It is shut down with the store."""
        self._store, self._thread = store, thread
        self._meanwhile: Meanwhile | None = None

    def meanwhile(self, do: Meanwhile | None) -> None:
        """Set the function to call while waiting for the disk; None for no function."""
        self._meanwhile = do

    @property
    def notices(self) -> list[Notice]:
        """Notices for the players about damage that was repaired."""
        return self._store.notices

    @property
    def trouble(self) -> Notice | None:
        """What keeps rows from being written to disk now; None while all is well."""
        return self._store.trouble

    def put(self, rows: Sequence[Row]) -> None:
        """Store rows in the thread, and wait until they are stored; raises JournalError."""
        self._wait(self._store.put, rows)

    def amend(self, rows: Sequence[Row]) -> bool:
        """Append rows to an older match in the thread; return False if others were appended there before.

        Raises JournalError.
        """
        return self._wait(self._store.amend, rows)

    def beat(self, match: int | None, t: float) -> None:
        """Store the match time `t` (seconds) in the thread, and wait until it is stored; raises JournalError."""
        self._wait(self._store.beat, match, t)

    def newest(self) -> int:
        """Return the number of the newest match, as far as it is known; 0 if there is none."""
        return self._store.newest()

    def as_kept(self, row: Row) -> Row | None:
        """Return the row that was put last, as it is stored; None while the number of its match is not certain."""
        return self._store.as_kept(row)

    def close(self) -> None:
        """Close the store in its thread, wait for that, and end the thread."""
        try:
            self._wait(self._store.close)
        finally:
            self._thread.shutdown(wait=False)

    def _wait(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        future, slices = self._thread.submit(call, *args, **kwargs), 0
        while True:
            try:
                return future.result(SLICE_S)
            except TimeoutError:
                if future.done():  # the call raised this itself, or its result has just come
                    return future.result()
            slices += 1
            if self._meanwhile is not None:
                self._meanwhile(slices * SLICE_S)
