"""The worker that takes and reads pictures: one thread, which does one job at a time, the most urgent first.

A failed job does not end a match. If the camera is lost, the worker tries again. If reading a picture raises an
unexpected error, that picture counts as one that cannot be judged; only after several such errors in a row is the
error raised, which ends the process. A job that does not end, for instance because a driver hangs, is reported when
its deadline has passed; the watchdog may then end the process.
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
from referee.game.notice import Notice, told_by
from referee.game.table import Table
from referee.table.looking.look import Glance, Look, Reread
from referee.table.looking.table_watcher import TableWatcher
from referee.table.preparation.light_and_focus import Rest
from referee.vision.sighting import Image

RETRY_S = 1.0
"""Seconds before the next attempt if the camera delivered no picture. Chosen by hand."""
AHEAD_AGAIN_S = 10.0
"""Seconds without reading ahead after a picture that could not be read: the next may be no better. Chosen by hand."""
FAILURES = 5
"""If this many unexpected errors occur without a success in between, the process ends. Chosen by hand."""
DEADLINE_S = 20.0
"""Seconds after which a job counts as hanging. Chosen by hand, longer than any job takes on a Pi."""

Deliver = Callable[["Done"], None]
"""Takes the worker's results; called in the worker's thread."""


class Job(enum.Enum):
    """The kinds of jobs of the worker."""

    GLANCE = enum.auto()
    AHEAD = enum.auto()
    """Read the table ahead of a press; nobody waits for the result."""
    LOOK = enum.auto()
    ERRAND = enum.auto()
    """Anything else that somebody waits for."""


@dataclass(frozen=True, slots=True)
class Watch:
    """How the table is watched while nobody presses.

    `every_s` is the time between glances, `still_s` how long nothing must move before the table counts as still, and
    `deadline_s` the time after which a job counts as hanging, all in seconds. `read_ahead`: read the still table.
    """

    every_s: float = 0.25
    still_s: float = 0.5
    read_ahead: bool = True
    deadline_s: float = DEADLINE_S


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a job, or the error that it raised."""

    result: Look | Glance | BaseException
    job: Job

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for the result, which is a look then."""
        return self.job is Job.LOOK


@dataclass(frozen=True, slots=True)
class HandedOver:
    """A picture was taken for somebody who has it already."""


class Worker:
    """Takes looks on request, and glances in between. A request is kept until a picture could be taken for it."""

    def __init__(
        self, watcher: TableWatcher, watch: Watch, deliver: Deliver, now: float, thread: Executor | None = None
    ) -> None:
        self._watcher, self._watch, self._deliver = watcher, watch, deliver
        self._thread = thread or OneThread("look")
        self._begun: float | None = None
        """When the current job began (monotonic seconds); None without one."""
        self._failures = 0
        self._wanted: float | None = None
        self._known: Look | None = None
        """An earlier look, to be returned if the table has not changed since."""
        self._errand: Callable[[], Any] | None = None
        self._next_glance = now
        self._retry = self._ahead_again = -math.inf

    @property
    def waits(self) -> bool:
        """Whether a requested look has not begun yet."""
        return self._wanted is not None

    def want(self, after: float, known: Look | None = None) -> None:
        """Request a look at a picture taken after this moment (monotonic seconds).

        `known` is returned if the table has not changed since that look.
        """
        self._wanted, self._known = after, known

    def want_nothing(self) -> None:
        """Cancel the request for a look."""
        self._wanted = self._known = None

    def send(self, errand: Callable[[], Any]) -> None:
        """Request that a function be called in the worker's thread, as soon as the worker is free."""
        self._errand = errand

    @property
    def busy(self) -> bool:
        """Whether a look or an errand has been requested and has not begun yet."""
        return self.waits or self._errand is not None

    def hand_over_picture(self, take: Callable[[Image | Notice], None], after: float) -> bool:
        """Have a picture of the still table, taken after that moment, handed over to `take` in the worker's thread.

        `take` gets the reason instead if there is no such picture. Returns False, and does nothing, while another
        errand waits.
        """
        if self._errand is not None:
            return False

        def errand() -> HandedOver:
            try:
                picture = self._watcher.still(after)
            except (CannotJudge, CameraLost) as error:
                take(told_by(error))
                if isinstance(error, CameraLost):
                    raise
            else:
                take(picture)
            return HandedOver()

        self.send(errand)
        return True

    def reread(self, look: Look, number: int) -> None:
        """Read one tile of a look again as soon as possible; the result is a `Reread`."""

        def errand() -> Reread:
            try:
                return self._watcher.reread(look, number)
            except (CannotJudge, CameraLost):
                return Reread.from_look(look, number, None)

        self.send(errand)

    @property
    def has_errand(self) -> bool:
        """Whether an errand has been requested and has not begun yet."""
        return self._errand is not None

    def any_picture(self) -> Image:
        """Return the next picture, even if something moves in it; for errands only."""
        return self._watcher.any()

    def still_picture(self, after: float) -> Image:
        """Return a picture of the still table, taken after that moment; for errands only."""
        return self._watcher.still(after)

    def is_overdue(self, now: float) -> bool:
        """Return whether the current job has exceeded its deadline."""
        return self._begun is not None and now - self._begun >= self._watch.deadline_s

    def next_due(self, now: float) -> float:
        """Return when `work` next has something to do, or the current job becomes overdue (monotonic seconds)."""
        if self._begun is not None:
            return math.inf if self.is_overdue(now) else self._begun + self._watch.deadline_s
        if self._errand is not None:
            return self._retry
        return max(self._retry, self._next_glance if self._wanted is None else self._wanted)

    def work(self, now: float) -> None:
        """Begin the most urgent job that is due, if the thread is free."""
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
        """Read the still table ahead of a press, unless that has been done."""
        if self._watch.read_ahead and self._begun is None and not self._watcher.ready and now >= self._ahead_again:
            self._begin(Job.AHEAD, self._watcher.read_ahead, now)

    def ahead_in_vain(self, now: float) -> None:
        """Note that a look ahead could not be judged, so that reading ahead is not repeated at once."""
        self._ahead_again = now + AHEAD_AGAIN_S

    def still(self, glance: Glance) -> bool:
        """Return whether nothing has moved for long enough."""
        return glance.still_s >= self._watch.still_s

    def free(self, done: Done) -> None:
        """Mark the worker as free; must be called in the loop's thread for each delivered result."""
        self._begun = None
        if not isinstance(done.result, BaseException):
            self._failures = 0

    def note_failure(self, job: Job, error: Exception, now: float) -> None:
        """Note an unexpected error, and wait before the next attempt; raise the error after `FAILURES` in a row."""
        self._failures += 1
        if self._failures >= FAILURES:
            raise error
        if job is Job.GLANCE:
            self._next_glance = now + RETRY_S
        else:
            self._ahead_again = now + AHEAD_AGAIN_S

    def note_lost_picture(self, done: Done, now: float) -> None:
        """Note that the camera delivered no picture: try again soon, and repeat a look that somebody waits for."""
        self._retry = now + RETRY_S
        if done.is_awaited and self._wanted is None:
            self._wanted = now

    def confirm(self, look: Look) -> None:
        """Note that the table of this look was accepted; see `TableWatcher.confirm`."""
        self._watcher.confirm(look)

    def take_back(self) -> None:
        """Note that the last table that was accepted is no longer accepted."""
        self._watcher.take_back()

    def teach(self, look: Look, table: Table) -> None:
        """Learn about the box from this look, whose table was accepted just as it was read."""
        self._watcher.teach(look, table)

    def note_answers(self, look: Look) -> None:
        """Note that players have said what lies in the picture of this look."""
        self._watcher.note_answers(look)

    def set_words(self, words: tuple[Word, ...]) -> None:
        """Set all words of players about tiles on the table."""
        self._watcher.memory.words = words

    def clear(self) -> None:
        """Forget the table, because a round begins with an empty one."""
        self._watcher.clear()

    def set_rest(self, rest: Rest) -> None:
        """Set whether a turn is running; if not, the camera may be adjusted."""
        self._watcher.set_rest(rest)

    def keep_pictures(self, on: bool) -> None:
        """Set whether pictures of the last seconds before a press are kept."""
        self._watcher.keep_pictures(on)

    def accustom(self, look: Look) -> None:
        """Accept what lies over the table in this look, so that it is not reported any more."""
        self._watcher.accustom(look)

    @property
    def is_accustomed(self) -> bool:
        """Whether something over the table would be detected."""
        return self._watcher.is_accustomed

    def close(self) -> None:
        """Wait a limited time for the current job, then close the camera unless that job hangs."""
        self._thread.shutdown(wait=True, cancel_futures=True)
        if not (isinstance(self._thread, OneThread) and self._thread.hangs):
            self._watcher.close()

    def _begin(self, job: Job, call: Callable[[], Any], now: float) -> None:
        self._begun = now

        def deliver(future: Future[Any]) -> None:
            if not future.cancelled():
                self._deliver(Done(future.exception() or future.result(), job))

        self._thread.submit(call).add_done_callback(deliver)
