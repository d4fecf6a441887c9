"""Looks for bundles on USB sticks while the page is open, and tells the table of a new version once.

It looks in a thread of its own, because a stick may be slow or broken. Nothing is installed here: the page offers what
was found, and somebody decides.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from pathlib import Path

from referee.backup.drives import removable_folders
from referee.devices.stick_bundles import StickBundle, find_bundles
from referee.game.notice import Notice
from referee.table.event_loop import Loop
from referee.table.input.requests import PendingRequest, Sender, TellNews

EVERY_S = 5.0
"""Seconds between two looks. Chosen by hand: nobody waits longer for the page to show a stick."""
ANSWER_S = 5.0
"""Seconds that the table has for an answer; if it is busy, it is asked again at the next look."""
Tell = Callable[[Notice], bool]
"""Tells the table something between two matches; returns False if that was not possible, so that it is tried again."""


def mounted_sticks() -> list[Path]:
    """Return where sticks are mounted that can be read."""
    return removable_folders(writable=False)


class StickWatch:
    """The bundles on the sticks that are mounted now."""

    def __init__(
        self,
        tell: Tell,
        old_versions: Callable[[], Collection[str]],
        sticks: Callable[[], Sequence[Path]] = mounted_sticks,
        every_s: float = EVERY_S,
    ) -> None:
        """`old_versions` returns those that are no news: the one in use, and one that was tried.

        `tell` is called in this object's thread.
        """
        self._tell, self._old_versions, self._sticks, self._every_s = tell, old_versions, sticks, every_s
        self._found: tuple[StickBundle, ...] = ()
        self._told: set[str] = set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="sticks", daemon=True)

    def found(self) -> tuple[StickBundle, ...]:
        """Return what was found at the last look; may be called in any thread."""
        return self._found

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self, patience_s: float = 2.0) -> None:
        """End the thread; if a stick keeps it waiting, it ends with the program."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(patience_s)

    def check(self) -> None:
        """Look once, and tell of a version that nobody was told of yet."""
        self._found = find_bundles(self._sticks(), self._found)
        news = [one for one in self._found if one.version and one.version not in self._told]
        if not news:
            return
        old = self._old_versions()
        for one in news:
            if one.version in old or self._tell(Notice("update.on_stick", version=one.version)):
                self._told.add(one.version)

    def _work(self) -> None:
        while not self._over.wait(self._every_s):
            self.check()


class TableNews:
    """Tells the players at the running table what they need not know during a match."""

    loop: Loop | None = None
    """The loop of the table; None while there is none."""

    def __init__(self, answer_s: float = ANSWER_S) -> None:
        self._answer_s = answer_s

    def tell(self, told: Notice) -> bool:
        """Return whether the players were told; not to be called in the loop's own thread."""
        loop, answer = self.loop, Future[Notice | None]()

        def take_answer(refused: Notice | None) -> None:
            if answer.set_running_or_notify_cancel():
                answer.set_result(refused)

        if loop is None:
            return False
        try:
            news = PendingRequest(TellNews(told), Sender.MACHINE, take_answer, lambda: not answer.cancelled())
            loop.request(news)
            return answer.result(self._answer_s) is None
        except (RuntimeError, TimeoutError):  # it has just ended, or is busy
            answer.cancel()
            return False
