"""The automatic backup beside a table: at a quiet time, and once after every day with a match.

A thread looks whether one is due; what takes long is done in a process of its own (`referee.backup.apart`).
The first look after a start waits for no quiet time: at a table that is played at as soon as it is switched on, and
switched off right after the match, there is none.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from referee.backup.apart import copy_if_missing_apart, make_backup_apart
from referee.backup.automatic import all_sticks, back_up_if_due, last_event
from referee.backup.contents import Places
from referee.backup.writing import Stopped
from referee.errors import RefereeError
from referee.game.notice import Notice, told_by
from referee.journal.opening import FILE
from referee.settings.settings import BackupSettings

FIRST_S, EVERY_S = 120.0, 600.0
"""Seconds until the first check, by when the camera is open and the table has been read, and between two checks."""
QUIET = dt.timedelta(minutes=15)
"""How long nothing must have been played: a backup then is in nobody's way. Chosen by hand."""
Tell = Callable[[Notice], None]
Clock = Callable[[], dt.datetime]
Show = Callable[[tuple[Notice, ...]], None]
"""Takes why backups or copies are impossible at present; nothing once they are possible again."""


def local_now() -> dt.datetime:
    """Return the present time with the time zone of the house."""
    return dt.datetime.now().astimezone()


class NightlyBackup:
    """Makes the automatic backups of one table while it is open."""

    def __init__(
        self,
        places: Places,
        settings: BackupSettings,
        tell: Tell,
        now: Clock = local_now,
        sticks: Callable[[], Sequence[Path]] = all_sticks,
        waits: tuple[float, float] = (FIRST_S, EVERY_S),
        show: Show = lambda _: None,
        is_left_to_others: Callable[[], bool] = lambda: False,
    ) -> None:
        """`tell` and `show` may be called in any thread.

        `waits` are the seconds until the first check, and between two. `is_left_to_others` says at each check whether
        another program makes the backups.
        """
        self._places, self._settings, self._tell = places, settings, tell
        self._now, self._sticks, self._waits = now, sticks, waits
        self._show, self._is_left_to_others = show, is_left_to_others
        self._stop = threading.Event()
        self._troubles: tuple[Notice, ...] = ()
        self._served: frozenset[Path] = frozenset()
        """The sticks that are in and have got what was played before. One that stays in gets the nightly backups."""
        self._thread = threading.Thread(target=self._work, name="backup", daemon=True)

    def start(self) -> None:
        """Begin to look, from time to time, whether a backup is due."""
        self._thread.start()

    def close(self, patience_s: float = 5.0) -> None:
        """End the thread; a backup that it is making is given up, and made the next time."""
        self._stop.set()
        self._thread.join(patience_s)

    def check(self, *, quiet: bool = True) -> None:
        """Make a backup if one is due; report it, or once why it is not possible.

        With `quiet`, only if nothing is being played.
        """
        if self._is_left_to_others():
            return
        try:
            is_quiet = self._is_quiet()
            if quiet and not is_quiet:
                return
            there = frozenset(self._all_sticks())
            done = back_up_if_due(
                self._places,
                self._now(),
                pictures=self._settings.pictures,
                goes_on=self._goes_on,
                sticks=self._all_sticks,
                make=make_backup_apart,
                copy=copy_if_missing_apart,
                fresh=is_quiet and not there <= self._served,
            )
        except Stopped:
            return
        except (RefereeError, OSError) as error:
            self._report(Notice("backup.not_made", why=told_by(error)))
            return
        self._served = there if is_quiet and done.failure is None else self._served & there
        if done.path is not None:
            self._tell(Notice("backup.made", path=str(done.path)))
        for copy in done.copies:
            self._tell(Notice("backup.copied", path=str(copy)))
        troubles = [] if done.failure is None else [Notice("backup.not_made", why=told_by(done.failure))]
        self._report(*troubles, *(Notice("backup.not_copied", why=told_by(error)) for error in done.troubles))

    def _all_sticks(self) -> Sequence[Path]:
        return self._sticks() if self._settings.usb else ()

    def _goes_on(self) -> bool:
        return not self._stop.is_set()

    def _is_quiet(self) -> bool:
        last = last_event(self._places.state)
        # A time in the future only means that the clock was wrong.
        return last is None or not last <= self._now().replace(tzinfo=None) < last + QUIET

    def _report(self, *troubles: Notice) -> None:
        """Tell of troubles that were not there at the last check; with none, all are over."""
        for trouble in troubles:
            if trouble not in self._troubles:
                self._tell(trouble)
        self._troubles = troubles
        self._show(troubles)

    def _work(self) -> None:
        first, every = self._waits
        if not self._stop.wait(first):
            self.check(quiet=False)
        while not self._stop.wait(every):
            self.check()


@contextmanager
def backups_beside(
    places: Places,
    settings: BackupSettings,
    tell: Tell,
    show: Show = lambda _: None,
    is_left_to_others: Callable[[], bool] = lambda: False,
) -> Iterator[None]:
    """Make automatic backups within this context, if the settings say so; `is_left_to_others`: see NightlyBackup."""
    show(())
    if not settings.automatic:
        yield
        return
    nightly = NightlyBackup(places, settings, tell, show=show, is_left_to_others=is_left_to_others)
    nightly.start()
    try:
        yield
    finally:
        nightly.close()


def backups_of_hall(places: Places, settings: BackupSettings, tell: Tell) -> AbstractContextManager[None]:
    """Make automatic backups of a hall, as long as there is no table on the same machine.

    Those of a table contain the hall as well, and have the settings of the table: a hall would save its own with them.
    """
    return backups_beside(places, settings, tell, is_left_to_others=(places.state / FILE).exists)
