"""Work for the page that takes seconds: one piece at a time in a thread of its own, with a limit of time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from referee.devices.thread import OneThread

MOST_WAITING = 3
"""How many pieces of work may be under way or wait; whoever comes then is told to come again. Chosen by hand."""
R = TypeVar("R")


class Busy(Exception):
    """Too much waits already."""


class TooLong(Exception):
    """The work was not done in time."""


class OneAtATime:
    """Does one piece of work after the other; to be used in the thread of one event loop."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: OneThread | None = None
        self._under_way = 0

    async def run(self, work: Callable[[], R], patience_s: float) -> R:
        """Return what `work` returns; raises Busy, TooLong after `patience_s` seconds, or the error of the work.

        Work that has begun cannot be stopped: until it ends, everything else waits.
        """
        if self._under_way >= MOST_WAITING:
            raise Busy
        if self._thread is None:
            self._thread = OneThread(self._name)
        here = asyncio.get_running_loop()
        self._under_way += 1
        begun = self._thread.submit(work)
        begun.add_done_callback(lambda _: _tell(here, self._end))
        try:
            return await asyncio.wait_for(_awaitable(begun), patience_s)
        except TimeoutError as error:
            raise TooLong from error

    def _end(self) -> None:
        self._under_way -= 1


def _tell(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Call a function in the loop's thread, unless the loop has ended."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(call)


async def _awaitable(begun: Future[R]) -> R:
    """Return the result of work in another thread; work that has not begun is dropped if nobody waits any more."""
    return await asyncio.wrap_future(begun)
