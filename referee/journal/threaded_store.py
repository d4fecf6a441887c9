"""A store on a disk that may be slow: it writes in a thread, and whoever waits for it sees to what cannot wait.

Cheap cards stop for seconds now and then while they tidy up. Nothing is shown before it is written, so the loop waits
for the card; but it goes on blinking, ends its tones, and tells its watchdog that it is alive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import ParamSpec, TypeVar

from referee.game.notice import Notice
from referee.journal.rows import Row
from referee.journal.store import Store

SLICE_S = 0.1
"""So often whoever waits sees to the rest; shorter waits go by unnoticed."""

Meanwhile = Callable[[float], None]
"""Called with the seconds waited so far; must not use the journal."""

P = ParamSpec("P")
R = TypeVar("R")


class Patient:
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
