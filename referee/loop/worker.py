"""The worker that looks: one thread, one job at a time, the most urgent first."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from referee.loop.looking import Glance, Look, Looker

RETRY_S = 1.0
"""How long a camera that gave no picture is left alone."""

Deliver = Callable[["Done"], None]
"""Takes what the worker brings; called in the worker's thread."""


@dataclass(frozen=True, slots=True)
class Watch:
    """How the table is watched while nobody presses."""

    every_s: float = 0.25
    still_s: float = 0.5
    read_ahead: bool = True


@dataclass(frozen=True, slots=True)
class Done:
    """What the worker has brought: the answer to a look, a glance, or what went wrong.

    `asked` is True for looks that somebody waits for, False for those that were taken ahead.
    """

    result: Look | Glance | BaseException
    asked: bool = False


class Worker:
    """Looks, and glances in between. `want` is remembered until a picture could be taken."""

    def __init__(
        self, looker: Looker, watch: Watch, deliver: Deliver, now: float, thread: Executor | None = None
    ) -> None:
        self._looker, self._watch, self._deliver = looker, watch, deliver
        self._thread = thread or ThreadPoolExecutor(1, "look")
        self._busy = False
        self._wanted: float | None = None
        self._next_glance = now
        self._retry = -math.inf

    @property
    def waits(self) -> bool:
        """Whether somebody waits for a look that was not taken yet."""
        return self._wanted is not None

    def want(self, after: float) -> None:
        """A look is due, at a picture from after this moment (monotonic seconds)."""
        self._wanted = after

    def due(self) -> float:
        """The moment at which `work` has something to do."""
        if self._busy:
            return math.inf
        return max(self._retry, self._next_glance if self._wanted is None else self._wanted)

    def work(self, now: float) -> None:
        """Begin what is most urgent, if there is something and nothing else is being done."""
        if self._busy or now < self._retry:
            return
        if self._wanted is not None:
            after, self._wanted = self._wanted, None
            self._begin(lambda: self._looker.look(after), asked=True)
        elif now >= self._next_glance:
            self._next_glance = now + self._watch.every_s
            self._begin(self._looker.glance)

    def read_ahead(self) -> None:
        """Read the table that lies still, unless that was done already."""
        if self._watch.read_ahead and not self._busy and not self._looker.ready:
            self._begin(self._looker.read_ahead)

    def still(self, glance: Glance) -> bool:
        """Whether nothing has moved for long enough."""
        return glance.still_s >= self._watch.still_s

    def free(self) -> None:
        """Be free again; to be called in the loop's thread for everything that was delivered."""
        self._busy = False

    def lost(self, done: Done, now: float) -> None:
        """No picture came: try again a little later, also the look that somebody waits for."""
        self._retry = now + RETRY_S
        if done.asked and self._wanted is None:
            self._wanted = now

    def confirm(self, look: Look) -> None:
        """The table of this look was accepted."""
        self._looker.confirm(look)

    def accustom(self, look: Look) -> None:
        """What lies over the table in this look may stay there."""
        self._looker.accustom(look)

    @property
    def accustomed(self) -> bool:
        """Whether a cover over the table would be noticed."""
        return self._looker.accustomed

    def close(self) -> None:
        """Wait for what is being done, and let go of the camera."""
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._looker.close()

    def _begin(self, call: Callable[[], Any], *, asked: bool = False) -> None:
        self._busy = True

        def deliver(future: Future[Any]) -> None:
            if not future.cancelled():
                self._deliver(Done(future.exception() or future.result(), asked))

        self._thread.submit(call).add_done_callback(deliver)
