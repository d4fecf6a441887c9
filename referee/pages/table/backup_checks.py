"""The check of a backup before it is restored: one at a time, only as long as somebody waits for it.

1. The work is done in a thread, which waits for a process (`referee.backup.apart`). Both end once the browser that has
   asked for it goes away, as after *Cancel*; nobody waits for a USB stick that does not answer any more.
2. A backup that was sent, or copied from a stick, is kept on the card while the question whether to restore it waits
   for an answer, for `KEPT_S` at most.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request

from referee.backup.counting import Report
from referee.backup.writing import Continues, Stopped

KEPT_S = 600.0
"""Seconds for which the question waits: as long as somebody may need to ask the others.

`docs/backup.md` and the sentence `backup.restore_late` say how long that is.
"""
ENDS_S, LOOK_S = 5.0, 0.05
"""Seconds that a check that was given up may take to end, and between two looks."""
_Found = TypeVar("_Found")


class Read(Protocol):
    """Passes the bytes of a file on a USB stick to `write`, like `read_apart`."""

    def __call__(self, path: Path, write: Callable[[bytes], object], goes_on: Continues, report: Report) -> None: ...  # noqa: D102


class BackupChecks:
    """The check that is under way, if there is one, and how far it is."""

    def __init__(self, is_over: Callable[[], bool]) -> None:
        """`is_over`: whether the page is being closed, which ends a check."""
        self._is_over = is_over
        self._one = threading.Lock()
        self.percent: int | None = None
        """How far it is, below 100; None if none is under way."""
        self._ends = False

    @property
    def is_under_way(self) -> bool:
        """Whether a backup arrives or is checked."""
        return self._one.locked()

    async def settle(self) -> None:
        """Wait until a check that was given up has ended: whoever cancels one may begin another at once.

        While a file arrives, its browser may have gone, too: a slow card that is still writing hides that.
        """
        until = asyncio.get_running_loop().time() + ENDS_S
        while self.is_under_way and (self._ends or self.percent is None):
            if asyncio.get_running_loop().time() >= until:
                return
            await asyncio.sleep(LOOK_S)

    def end(self) -> None:
        """Note that the work will be over soon, whatever became of it, so that `settle` waits for it."""
        self._ends = True

    @contextmanager
    def alone(self, *, ends: bool = False) -> Iterator[bool]:
        """Within this context no other backup is taken; provides whether that was possible.

        With `ends` it will be over soon, so that `settle` waits for it.
        """
        if got := self._one.acquire(blocking=False):
            self._ends = ends
        try:
            yield got
        finally:
            if got:
                self.percent = None
                self._one.release()

    async def run(
        self, request: Request, work: Callable[[Continues, Report], _Found], part: int = 0, parts: int = 1
    ) -> _Found:
        """Do work in a thread while the browser waits; raises ClientDisconnect once it is gone, or the page ends.

        It is the part with this number of so many, which count alike.
        """
        gone = threading.Event()

        def report(done: int, total: int) -> None:
            self.percent = min(99, int(100 * (part + done / max(total, 1)) / parts))

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            self.end()
            gone.set()

        watching = asyncio.ensure_future(watch())
        try:
            return await run_in_threadpool(work, lambda: not gone.is_set() and not self._is_over(), report)
        except Stopped:
            raise ClientDisconnect from None
        finally:
            gone.set()  # also if the page is being closed
            watching.cancel()


@dataclass(frozen=True, slots=True)
class Checked:
    """A backup that was checked, and the id with which whoever has had it checked restores it."""

    id: str
    path: Path
    mark: tuple[int, ...]
    """What `mark_of` returned before the check."""


class WaitingQuestion:
    """The checked backup that waits for an answer; it is forgotten after a time."""

    def __init__(self, remove: Callable[[], Awaitable[None]]) -> None:
        """`remove` removes what has arrived on the card."""
        self._remove = remove
        self.seconds = KEPT_S
        self.checked: Checked | None = None
        self.is_confirmed = False
        """Once it is true, the checked backup is not replaced by another one any more."""
        self._late = ""
        self._expiry: asyncio.Task[None] | None = None

    def ask(self, path: Path, mark: tuple[int, ...]) -> str:
        """Let a backup wait; return its id."""
        self.checked = checked = Checked(secrets.token_urlsafe(18), path, mark)
        if self._expiry is not None:
            self._expiry.cancel()
        self._expiry = asyncio.ensure_future(self._expire(checked))
        return checked.id

    def find(self, chosen: str) -> Checked | None:
        """Return the backup that waits with this id; None if there is none."""
        checked = self.checked
        if checked is not None and secrets.compare_digest(checked.id.encode(), chosen.encode(errors="surrogatepass")):
            return checked
        return None

    def is_late(self, chosen: str) -> bool:
        """Return whether nobody has answered in time about the backup with this id."""
        return bool(self._late) and secrets.compare_digest(self._late.encode(), chosen.encode(errors="surrogatepass"))

    async def forget(self, checked: Checked) -> None:
        """Forget a backup unless another one has taken its place, or it is being restored."""
        if self.checked is checked and not self.is_confirmed:
            self.checked = None
            await self._remove()

    async def _expire(self, checked: Checked) -> None:
        await asyncio.sleep(self.seconds)
        while self.is_confirmed and self.checked is checked:  # that may be refused yet
            await asyncio.sleep(self.seconds)
        if self.checked is checked:
            self._late = checked.id
            await self.forget(checked)


def mark_of(path: Path) -> tuple[int, ...]:
    """Return by what a file is known again; nothing if there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
