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
        """As the protocol has it."""
        return self._store.notices

    @property
    def trouble(self) -> Notice | None:
        """As the protocol has it."""
        return self._store.trouble

    def put(self, rows: Sequence[Row]) -> None:
        """As the protocol has it."""
        self._wait(self._store.put, rows)

    def amend(self, rows: Sequence[Row]) -> bool:
        """As the protocol has it."""
        return self._wait(self._store.amend, rows)

    def beat(self, match: int | None, t: float) -> None:
        """As the protocol has it."""
        self._wait(self._store.beat, match, t)

    def newest(self) -> int:
        """As the protocol has it."""
        return self._store.newest()

    def as_kept(self, row: Row) -> Row | None:
        """As the protocol has it."""
        return self._store.as_kept(row)

    def close(self) -> None:
        """As the protocol has it."""
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
