"""A store that never stops the game: what the disk does not take is kept in memory and written as soon as it does.

`ThreadedStore` writes in a thread, so that whoever waits for it sees to what cannot wait. Cheap cards stop for seconds
now and then while they tidy up. Nothing is shown before it is written, so the loop waits for the card; but it goes on
blinking, ends its tones, and tells its watchdog that it is alive.
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
"""Match time between two tries to reach a disk in trouble, when nothing happens at the table."""
SLICE_S = 0.1
"""So often whoever waits sees to the rest; shorter waits go by unnoticed."""
Meanwhile = Callable[[float], None]
"""Called with the seconds waited so far; must not use the journal."""
P = ParamSpec("P")
R = TypeVar("R")


class SafeStore:
    """Passes everything on to a store; while that fails, `trouble` says why and the rows wait here in order.

    All rows of the running match stay in memory: a journal that breaks meanwhile is made anew with all of them.
    A match that began while the journal could not be read goes behind those that stand in it.
    """

    def __init__(
        self,
        store: Disk | None,
        reopen: Callable[[], Disk],
        rows: Iterable[Row] = (),
        trouble: Notice | None = None,
    ) -> None:
        """`rows` are those of a running match that the disk has already; without a `store` one is tried for later."""
        self.trouble = trouble
        self.notices: list[Notice] = []
        self._store, self._reopen = store, reopen
        self._rows = list(rows)
        self._waiting = 0
        self._tried = -math.inf
        self._newest = 0
        self._blind = store is None and not self._rows

    def put(self, rows: Sequence[Row]) -> None:
        """Keep rows, on the disk if that can be."""
        if rows[0].number == 0 and not self._waiting:
            self._rows = []
        self._rows += rows
        self._waiting += len(rows)
        self._catch_up()

    def amend(self, rows: Sequence[Row]) -> bool:
        """Keep rows behind those of an older match; False where other rows have been put there meanwhile.

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
        """Keep the match time if the disk takes it; in trouble, try now and then whether it works again."""
        if self.trouble is not None:
            if 0 <= t - self._tried < RETRY_S:
                return
            self._tried = t
            self._catch_up()
        if match is not None and self._store is not None and self.trouble is None:
            try:
                # Its number may have changed just now.
                self._store.beat(self._rows[-1].match if self._rows else match, t)
            except JournalError as error:
                self._tried = t
                self._note_failure(error)

    def newest(self) -> int:
        """The newest match that is known of."""
        return max([self._newest, *(row.match for row in self._rows[-1:])])

    def as_kept(self, row: Row) -> Row | None:
        """The row that was put last, under the number that its match has now; None while that is not certain."""
        return None if self._blind else self._rows[-1] if self._rows else row

    def close(self) -> None:
        """Write what waits and close; raises JournalError that says how much is lost if that cannot be."""
        if self._waiting:
            self._catch_up()
        if self._store is not None:
            self._store.close()
        if self._waiting and self.trouble is not None:  # a try that fails leaves a trouble
            raise JournalError(Notice("journal.rows_lost", rows=self._waiting, why=self.trouble))

    def _catch_up(self) -> None:
        """Write all that waits, in order; a store that turns out to be damaged is opened anew at once."""
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
            # Nobody knows what a journal that was opened anew still has; it passes over what it has.
            self._waiting = len(self._rows)
        rows = self._rows[-self._waiting :] if self._waiting else []
        # A match that ended and one that began meanwhile may both wait; each is written whole or not at all.
        for match in sorted({row.match for row in rows}):
            self._store.put([row for row in rows if row.match == match])

    def _reopen_disk(self) -> Disk:
        store = self._reopen()
        self.notices += store.notices
        try:
            self._go_behind(store)
        except BaseException:  # also Ctrl-C: the file is closed
            store.close()
            raise
        return store

    def _go_behind(self, store: Disk) -> None:
        """Give a match another number where the journal has one under its own, or later ones only."""
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
    """Passes everything on to a store. What touches the disk is done in the thread, one call at a time."""

    def __init__(self, store: Store, thread: Executor) -> None:
        """`thread` does one thing after the other; it is shut down with the store."""
        self._store, self._thread = store, thread
        self._meanwhile: Meanwhile | None = None

    def meanwhile(self, do: Meanwhile | None) -> None:
        """See to this while the disk is waited for; None: to nothing."""
        self._meanwhile = do

    @property
    def notices(self) -> list[Notice]:
        """What was done about damage, for the players."""
        return self._store.notices

    @property
    def trouble(self) -> Notice | None:
        """What keeps rows from the disk just now; None while all is well."""
        return self._store.trouble

    def put(self, rows: Sequence[Row]) -> None:
        """Keep rows in the store's thread, and wait until they are kept; raises JournalError."""
        self._wait(self._store.put, rows)

    def amend(self, rows: Sequence[Row]) -> bool:
        """Keep rows behind those of an older match in the store's thread; False where others were put there before."""
        return self._wait(self._store.amend, rows)

    def beat(self, match: int | None, t: float) -> None:
        """Keep the match time `t` (seconds) in the store's thread, and wait until it is kept; raises JournalError."""
        self._wait(self._store.beat, match, t)

    def newest(self) -> int:
        """Return the number of the newest match, as far as it is known; 0 where there is none."""
        return self._store.newest()

    def as_kept(self, row: Row) -> Row | None:
        """Return the row that was put last as it is kept; None while the number of its match is not certain."""
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
                if future.done():  # the disk's own, or it came just now
                    return future.result()
            slices += 1
            if self._meanwhile is not None:
                self._meanwhile(slices * SLICE_S)
