"""The way from the server's thread to the loop's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from referee.game.notice import Notice
from referee.table.event_loop import Loop
from referee.table.input.requests import PendingRequest, PendingTouch, Request, Sender
from referee.table.input.touches import Touch

Answered = Callable[[Notice | None], None]
Wanted = Callable[[], bool]


class LoopControls:
    """Hands requests to a loop that runs in another thread."""

    def __init__(self, loop: Loop, journal: Path | None = None) -> None:
        self._loop = loop
        self.journal = journal
        """The folder of the journal that the loop writes; None where the page knows none."""

    def now(self) -> float:
        """Return the moment by the loop's clock, in monotonic seconds."""
        return self._loop.now

    async def send(self, request: Request) -> Notice | None:
        """Hand a request to the loop and wait for its answer: why it cannot be done, None where it was."""
        return await self._ask_loop(lambda answered, wanted: PendingRequest(request, Sender.PAGE, answered, wanted))

    async def touch(self, touch: Touch) -> Notice | None:
        """Hand a touched button to the loop and wait for its answer: why it does not count, None where it does."""
        return await self._ask_loop(lambda answered, wanted: PendingTouch(touch, answered, wanted))

    async def _ask_loop(self, pending: Callable[[Answered, Wanted], PendingRequest | PendingTouch]) -> Notice | None:
        here = asyncio.get_running_loop()
        answer: asyncio.Future[Notice | None] = here.create_future()

        def take_answer(refused: Notice | None) -> None:
            here.call_soon_threadsafe(_answer, answer, refused)

        try:
            # Whoever has been told that the loop is busy has given up: it may not do it later all the same.
            self._loop.request(pending(take_answer, lambda: not answer.cancelled()))
        except RuntimeError:  # it has just ended
            return Notice("page.not_ready")
        return await answer


def _answer(future: asyncio.Future[Notice | None], refused: Notice | None) -> None:
    if not future.done():
        future.set_result(refused)
