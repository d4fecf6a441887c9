"""Searches for seats, one at a time, in a thread of their own, so that a draw of many players keeps nobody waiting."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial

from referee.club.hall.tournaments.round_results import SeatSearch
from referee.club.hall.tournaments.state import Hosted
from referee.club.tournament import Tournament
from referee.club.tournament.drawing import improved_plan, plan
from referee.club.tournament.events import Draw
from referee.club.tournament.seating.schedule import STEPS, Progress, Watch
from referee.devices.thread import OneThread
from referee.errors import BadInput
from referee.game.notice import Notice, told_by

OFFERED_S = 3.0
"""Seconds after which the best seats so far are offered; most searches are over by then. Chosen by hand."""
SHOWN_S = 0.5
"""The least interval between two reports of a search's progress, in seconds. Chosen by hand."""

Find = Callable[[Tournament, Watch], tuple[Draw, ...] | None]
"""Finds seats for all remaining rounds. If it is to improve planned seats, it returns None if it finds none better."""


def find_plan(tournament: Tournament, watch: Watch) -> tuple[Draw, ...]:
    """Find seats for all remaining rounds in at most `STEPS` steps, and report the progress to `watch`.

    Raises OutOfOrder if too few players are present, or no round is left.
    """
    return plan(tournament, STEPS, watch)


def find_better(tournament: Tournament, watch: Watch) -> tuple[Draw, ...] | None:
    """Find seats with fewer repeats than the present plan, in at most `STEPS` steps; None if there are none."""
    return improved_plan(tournament, STEPS, watch)


@dataclass(eq=False, slots=True)
class Search:
    """A search for seats under way."""

    before: Hosted
    """The tournament that the seats are for."""
    begun: float
    later: bool = False
    """Whether it improves the seats of the rounds after the drawn one."""
    shown: float = -1e9
    """When its progress was last shown."""
    best: Progress | None = None
    over: threading.Event = field(default_factory=threading.Event)
    """Set when its result is no longer wanted."""

    def view(self, now: float) -> SeatSearch:
        """Return what the page shows of the search."""
        number, best = len(self.before.rounds) + 1, self.best
        if best is None:
            return SeatSearch(number, later=self.later)
        offered = not self.later and (best.proving or now - self.begun >= OFFERED_S)
        percent = min(99, int(100 * best.share))
        return SeatSearch(number, percent, best.best.repeats, best.best.bound, offered, self.later)


Finished = Callable[[Search, Sequence[Draw] | None, Notice | None], None]
"""Called with a search that is over, the seats found, and why there are none."""


class SeatSearches:
    """Runs searches; `current` is the one under way. All methods but `close()` are called in the owner's thread."""

    def __init__(
        self,
        find: Find,
        improve: Find,
        now: Callable[[], float],
        owner: Executor,
        show: Callable[[SeatSearch], None],
        finish: Finished,
    ) -> None:
        """Start the thread.

        `find`: finds seats for all remaining rounds.
        `improve`: finds better seats than the planned ones, or None.
        `now`: the monotonic clock, in seconds.
        `owner`: the thread in which `show` and `finish` are called.
        `show`: called with the progress of the current search.
        `finish`: called with the result of the current search; never with that of one that was ended.
        """
        self._find, self._improve, self._now = find, improve, now
        self._owner, self._show, self._finish = owner, show, finish
        self._thread = OneThread("draw")
        self.current: Search | None = None

    def begin(self, before: Hosted, *, later: bool) -> None:
        """Begin a search for the seats of a tournament, or with `later` for better ones in its later rounds."""
        search = self.current = Search(before, self._now(), later)
        self._show(search.view(search.begun))
        self._thread.submit(self._run, search)

    def end(self) -> None:
        """End the search, if there is one; its result is discarded."""
        if self.current is not None:
            self.current.over.set()
        self.current = None

    def close(self) -> None:
        """Stop the search and the thread."""
        search = self.current
        if search is not None:
            search.over.set()
        self._thread.shutdown()

    def _run(self, search: Search) -> None:
        """Find seats, in the thread for searches."""
        if search.over.is_set():
            return
        found: tuple[Draw, ...] | None = None
        why: Notice | None = None
        try:
            find = self._improve if search.later else self._find
            found = find(search.before.tournament, partial(self._watch, search))
        except BadInput as error:
            why = told_by(error)
        except Exception as error:  # noqa: BLE001 - any error in this thread would be lost: the page shows it instead
            traceback.print_exception(error)
            why = Notice("director.search_failed", error=f"{type(error).__name__}: {error}")
        self._owner.submit(self._pass_on, search, found, why)

    def _watch(self, search: Search, progress: Progress) -> bool:
        """Show the progress of a search, in its thread; return whether the search is to continue."""
        first, search.best = search.best is None, progress
        now = self._now()
        if first or progress.proving or now - search.shown >= SHOWN_S:
            search.shown = now
            self._owner.submit(self._show_progress, search)
        return not search.over.is_set()

    def _show_progress(self, search: Search) -> None:
        if search is self.current:
            self._show(search.view(self._now()))

    def _pass_on(self, search: Search, found: Sequence[Draw] | None, why: Notice | None) -> None:
        if search is self.current:
            self._finish(search, found, why)
