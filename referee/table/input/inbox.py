"""The input queue of the loop, which returns items in the order in which they happened."""

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
"""What the queue holds; None ends the loop."""


class Inbox:
    """The loop's only queue. After a delay, the loop finds everything in it that happened in the meantime."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._queue: asyncio.Queue[Item] = asyncio.Queue()

    def put(self, item: Item) -> None:
        """Add an item; must be called in the loop's own thread."""
        self._queue.put_nowait(item)

    async def take(self, wait: float) -> tuple[list[Item], float]:
        """Wait at most `wait` seconds; return all items, and the moment up to which no edge can be missing.

        Whether a press has become a long one, or time is up, must be decided for that moment, not for a later one:
        edges from in between may still be on their way.
        """
        items: list[Item] = []
        if self._queue.empty():
            with contextlib.suppress(TimeoutError):
                items.append(await asyncio.wait_for(self._queue.get(), wait))
        until = self._now()
        await asyncio.sleep(0)  # lets items that other threads have passed on by now enter the queue
        while not self._queue.empty():
            items.append(self._queue.get_nowait())
        return in_order(items), until


def in_order(items: Sequence[Item]) -> list[Item]:
    """Return the items with the presses sorted, edges by time, touches by arrival; all others stay in place."""
    presses = iter(sorted((item for item in items if isinstance(item, Edge | PendingTouch)), key=_time_of_press))
    return [next(presses) if isinstance(item, Edge | PendingTouch) else item for item in items]


def _time_of_press(press: Edge | PendingTouch) -> float:
    return press.t if isinstance(press, Edge) else press.touch.came
