"""The worker that looks: one thread, one job at a time, the most urgent first.

Nothing that goes wrong in a job ends a match by itself. A camera that is lost is tried again. A picture that the
referee stumbles over is one that cannot be judged, and only where nothing at all succeeds any more the error goes on
to end the process. A job that does not come back, as with a driver that hangs, is told after a deadline; ending the
process is then the watchdog's business.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

from referee.devices.thread import OneThread
from referee.errors import CameraLost, CannotJudge
from referee.game.match.events import Word
from referee.game.table import Table
from referee.table.looking.look import Glance, Look, Reread
from referee.table.looking.table_watcher import TableWatcher
from referee.table.preparation.light_and_focus import Rest
from referee.vision.sighting import Image

RETRY_S = 1.0
"""How long a camera that gave no picture is left alone."""
AHEAD_AGAIN_S = 10.0
"""How long nothing is read ahead after a picture that could not be read: it may be the same one again."""
FAILURES = 5
"""How many unexpected errors in a row, without any success in between, end the process with the last one."""
DEADLINE_S = 20.0
"""A job that has not come back for this long hangs."""

Deliver = Callable[["Done"], None]
"""Takes what the worker brings; called in the worker's thread."""


class Job(enum.Enum):
    """What the worker does."""

    GLANCE = enum.auto()
    AHEAD = enum.auto()
    """A look ahead, that nobody waits for."""
    LOOK = enum.auto()
    ERRAND = enum.auto()
    """Something else that somebody waits for."""


@dataclass(frozen=True, slots=True)
class Watch:
    """How the table is watched while nobody presses."""

    every_s: float = 0.25
    still_s: float = 0.5
    read_ahead: bool = True
    deadline_s: float = DEADLINE_S


@dataclass(frozen=True, slots=True)
class Done:
    """What the worker has brought: the answer to a look, a glance, or what went wrong."""

    result: Look | Glance | BaseException
    job: Job

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for it."""
        return self.job is Job.LOOK


class Worker:
    """Looks, and glances in between. `want` is remembered until a picture could be taken."""

    def __init__(
        self, watcher: TableWatcher, watch: Watch, deliver: Deliver, now: float, thread: Executor | None = None
    ) -> None:
        self._watcher, self._watch, self._deliver = watcher, watch, deliver
        self._thread = thread or OneThread("look")
        self._begun: float | None = None
        """Since when something is being done."""
        self._failures = 0
        self._wanted: float | None = None
        self._known: Look | None = None
        """The look that is wanted again, where the table still shows it."""
        self._errand: Callable[[], Any] | None = None
        self._next_glance = now
        self._retry = self._ahead_again = -math.inf

    @property
    def waits(self) -> bool:
        """Whether somebody waits for a look that was not taken yet."""
        return self._wanted is not None

    def want(self, after: float, known: Look | None = None) -> None:
        """A look is due, at a picture from after this moment (monotonic seconds); `known` stands if that shows it."""
        self._wanted, self._known = after, known

    def want_nothing(self) -> None:
        """Nobody waits for a look any more."""
        self._wanted = self._known = None

    def send(self, errand: Callable[[], Any]) -> None:
        """Something else is to be done in the worker's thread as soon as it is free."""
        self._errand = errand

    @property
    def busy(self) -> bool:
        """Whether somebody waits for a look or an errand."""
        return self.waits or self._errand is not None

    def reread(self, look: Look, number: int) -> None:
        """Read a tile of a look once more as soon as there is time; what comes of it is a Reread."""

        def errand() -> Reread:
            try:
                return self._watcher.reread(look, number)
            except (CannotJudge, CameraLost):
                return Reread.from_look(look, number, None)

        self.send(errand)

    @property
    def has_errand(self) -> bool:
        """Whether an errand waits to be done."""
        return self._errand is not None

    def any_picture(self) -> Image:
        """The next picture, whatever moves in it; for errands only."""
        return self._watcher.any()

    def still_picture(self, after: float) -> Image:
        """A picture of the still table from after that moment; for errands only."""
        return self._watcher.still(after)

    def is_overdue(self, now: float) -> bool:
        """Whether what is being done should have come back."""
        return self._begun is not None and now - self._begun >= self._watch.deadline_s

    def next_due(self, now: float) -> float:
        """The moment at which `work` has something to do, or a job becomes overdue."""
        if self._begun is not None:
            return math.inf if self.is_overdue(now) else self._begun + self._watch.deadline_s
        if self._errand is not None:
            return self._retry
        return max(self._retry, self._next_glance if self._wanted is None else self._wanted)

    def work(self, now: float) -> None:
        """Begin what is most urgent, if there is something and nothing else is being done."""
        if self._begun is not None or now < self._retry:
            return
        if self._wanted is not None:
            after, known, self._wanted, self._known = self._wanted, self._known, None, None
            self._begin(Job.LOOK, lambda: self._watcher.look(after, known), now)
        elif self._errand is not None:
            errand, self._errand = self._errand, None
            self._begin(Job.ERRAND, errand, now)
        elif now >= self._next_glance:
            self._next_glance = now + self._watch.every_s
            self._begin(Job.GLANCE, self._watcher.glance, now)

    def read_ahead(self, now: float) -> None:
        """Read the table that lies still, unless that was done already."""
        if self._watch.read_ahead and self._begun is None and not self._watcher.ready and now >= self._ahead_again:
            self._begin(Job.AHEAD, self._watcher.read_ahead, now)

    def ahead_in_vain(self, now: float) -> None:
        """What was read ahead cannot be judged: it is not read over and over."""
        self._ahead_again = now + AHEAD_AGAIN_S

    def still(self, glance: Glance) -> bool:
        """Whether nothing has moved for long enough."""
        return glance.still_s >= self._watch.still_s

    def free(self, done: Done) -> None:
        """Be free again; to be called in the loop's thread for everything that was delivered."""
        self._begun = None
        if not isinstance(done.result, BaseException):
            self._failures = 0

    def note_failure(self, job: Job, error: Exception, now: float) -> None:
        """Wait before trying again after an unexpected error; raises it where nothing else happens any more."""
        self._failures += 1
        if self._failures >= FAILURES:
            raise error
        if job is Job.GLANCE:
            self._next_glance = now + RETRY_S
        else:
            self._ahead_again = now + AHEAD_AGAIN_S

    def note_lost_picture(self, done: Done, now: float) -> None:
        """Try again a little later, as no picture came; also the look that somebody waits for."""
        self._retry = now + RETRY_S
        if done.is_awaited and self._wanted is None:
            self._wanted = now

    def confirm(self, look: Look) -> None:
        """The table of this look was accepted."""
        self._watcher.confirm(look)

    def teach(self, look: Look, table: Table) -> None:
        """The table of this look was accepted as it was read, and may teach."""
        self._watcher.teach(look, table)

    def note_answers(self, look: Look) -> None:
        """Take note that players have said what lies in this look."""
        self._watcher.note_answers(look)

    def set_words(self, words: tuple[Word, ...]) -> None:
        """Set all that players have said of tiles that lie there."""
        self._watcher.memory.words = words

    def clear(self) -> None:
        """A round begins on an empty table."""
        self._watcher.clear()

    def set_rest(self, rest: Rest) -> None:
        """Set whether anybody's turn runs: if not, the camera may be made ready."""
        self._watcher.set_rest(rest)

    def accustom(self, look: Look) -> None:
        """What lies over the table in this look may stay there."""
        self._watcher.accustom(look)

    @property
    def is_accustomed(self) -> bool:
        """Whether a cover over the table would be noticed."""
        return self._watcher.is_accustomed

    def close(self) -> None:
        """Wait a while for what is being done, and let go of the camera; a job that hangs keeps it."""
        self._thread.shutdown(wait=True, cancel_futures=True)
        if not (isinstance(self._thread, OneThread) and self._thread.hangs):
            self._watcher.close()

    def _begin(self, job: Job, call: Callable[[], Any], now: float) -> None:
        self._begun = now

        def deliver(future: Future[Any]) -> None:
            if not future.cancelled():
                self._deliver(Done(future.exception() or future.result(), job))

        self._thread.submit(call).add_done_callback(deliver)
