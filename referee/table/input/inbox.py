"""The event queue of the loop, in the order in which things happened."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from referee.game.match.events import Event
from referee.table.input.answers import Answer
from referee.table.input.requests import PendingRequest, PendingTouch
from referee.table.input.touches import Edge
from referee.table.looking.vision_worker import Done

Item = Edge | Done | Answer | PendingRequest | PendingTouch | Event | None
"""None: end after what is being done."""


class Inbox:
    """The loop's only queue. After a delay, the loop finds everything in it that happened meanwhile."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._queue: asyncio.Queue[Item] = asyncio.Queue()

    def put(self, item: Item) -> None:
        """Add an item; must be called in the loop's own thread."""
        self._queue.put_nowait(item)

    async def take(self, wait: float) -> tuple[list[Item], float]:
        """Wait at most so many seconds; return all items, and the moment up to which nothing is missing.

        Whether a press has become a long one or time is up must be decided for that moment and not for a later one: an
        earlier edge may still be on its way.
        """
        items: list[Item] = []
        if self._queue.empty():
            with contextlib.suppress(TimeoutError):
                items.append(await asyncio.wait_for(self._queue.get(), wait))
        until = self._now()
        await asyncio.sleep(0)  # what other threads have handed over by now comes into the queue
        while not self._queue.empty():
            items.append(self._queue.get_nowait())
        return in_order(items), until


def in_order(items: Sequence[Item]) -> list[Item]:
    """The presses among these in order, edges by their time, fingers by when they came; all else stays where it is."""
    presses = iter(sorted((item for item in items if isinstance(item, Edge | PendingTouch)), key=_time_of_press))
    return [next(presses) if isinstance(item, Edge | PendingTouch) else item for item in items]


def _time_of_press(press: Edge | PendingTouch) -> float:
    return press.t if isinstance(press, Edge) else press.touch.came
