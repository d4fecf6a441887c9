"""What can be done at the page while no table is there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from referee.game.notice import Notice
from referee.table.input.requests import Configure, Decide, Request, TryAgain, Unfinished
from referee.table.input.touches import Touch

Taken = Callable[[Mapping[str, Any] | None], Future[Notice | None]]
"""Gives, once that is known, why settings cannot be had."""
Decided = Callable[[Unfinished], Future[Notice | None]]
"""Takes what is to become of a match that was cut off."""


class WithoutTable:
    """Takes what can be done while no table is there."""

    journal: Path | None = None
    """The folder of the journal; None, because nobody writes it now."""

    def __init__(self, taken: Taken, decided: Decided) -> None:
        """`taken` takes other settings, or with None the same ones."""
        self._taken, self._decided = taken, decided

    def now(self) -> float:
        """Return the monotonic time in seconds: there is no loop whose clock would count."""
        return time.monotonic()

    async def touch(self, touch: Touch) -> Notice | None:  # noqa: ARG002 - no button is there
        """Answer that the table is not ready: no button is there."""
        return Notice("page.not_ready")

    async def send(self, request: Request) -> Notice | None:
        """Change the settings, decide about an unfinished match, or try again; nothing else can be done yet."""
        match request:
            case Configure(changes):
                return await asyncio.wrap_future(self._taken(changes))
            case Decide(what):
                return await asyncio.wrap_future(self._decided(what))
            case TryAgain():
                return await asyncio.wrap_future(self._taken(None))
        return Notice("page.not_ready")
