"""The journal as the event loop uses it: begin a match, append events, and store the match time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from referee.errors import BadInput
from referee.game.match.events import Event, Started
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.journal.buffered_store import Meanwhile, ThreadedStore
from referee.journal.replay import Kept
from referee.journal.rows import Row, Setup, Tip, mark_guessed, opening
from referee.journal.store import Store

Wall = Callable[[], datetime]
Now = Callable[[], float]

AGREES = timedelta(minutes=1)
"""Smaller backward steps of the clock are ignored. Clocks that are set over the network make such steps now and
then."""
PATIENCE_S = 180.0
"""Seconds that the network has to set a clock that went back."""


def utc_now() -> datetime:
    """Return the time of day, for display only."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Return a time of day in the form that the journal uses."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _always() -> bool:
    return True


class DayClock:
    """The time of day for the journal, with a check whether it has gone back.

    After a power cut, a Pi without a battery has an earlier time until the network sets it. Players are told only
    about a clock that stays back. The game goes on in any case, because it has a clock of its own.
    """

    def __init__(self, wall: Wall, now: Now, latest: datetime | None, is_known: Callable[[], bool] = _always) -> None:
        """`now` is a monotonic clock. `latest` is a time of day that has already passed; None if none is known.

        `is_known` says whether the time of day is more than a guess.
        """
        self._wall, self._now, self._is_known = wall, now, is_known
        self._latest = None if latest is None else (latest, now())
        self._back_since: float | None = None
        self.notices: list[Notice] = []

    @property
    def backward_step(self) -> Notice | None:
        """The notice that the clock is back now; None if it is not, or if players have been told about it."""
        wall = self._read()
        if self._latest is None or self._back_since is None:
            return None
        return _clock_notice("journal.clock_back", self._latest[0], wall)

    def stamp(self) -> str:
        """Return the time of day in the form that the journal uses, marked if it is only a guess."""
        wall = stamp(self._read())
        return wall if self._is_known() else mark_guessed(wall)

    def _read(self) -> datetime:
        wall, now = self._wall().astimezone(UTC), self._now()
        expected = wall if self._latest is None else self._latest[0] + timedelta(seconds=now - self._latest[1])
        if wall >= expected - AGREES:
            self._latest, self._back_since = (wall, now), None
        elif self._back_since is None:
            self._back_since = now
        elif now - self._back_since >= PATIENCE_S:
            self.notices.append(_clock_notice("journal.clock_stays_back", expected, wall))
            self._latest, self._back_since = (wall, now), None
        return wall


class Journal:
    """The journal as its only writer uses it.

    An event is appended once `apply` has accepted it, and its effects are carried out after that::

        state, effects = apply(state, event)  # raises OutOfOrder: not appended
        journal.append(event, state)  # on disk when this returns

    Moments `t` are match time in seconds. It never goes back, whatever the system clock does.
    """

    def __init__(
        self,
        store: Store,
        newest: int = 0,
        kept: Kept | None = None,
        wall: Wall = utc_now,
        now: Now = time.monotonic,
        is_known: Callable[[], bool] = _always,
    ) -> None:
        """`newest` is the number of the last match in the store, and `kept` a match that goes on.

        `is_known` says whether `wall` is more than a guess.
        """
        self._store, self._newest = store, newest
        self._tip: Tip | None = None if kept is None or kept.given_up else kept.tip
        self._day = DayClock(wall, now, None if kept is None else _moment(kept.tip.row.wall), is_known)

    def meanwhile(self, do: Meanwhile | None) -> None:
        """Set the function to call while waiting for a slow disk; None for none. It must not use the journal."""
        if isinstance(self._store, ThreadedStore):
            self._store.meanwhile(do)

    @property
    def trouble(self) -> Notice | None:
        """What keeps the journal from being written to disk now; None while all is well."""
        return self._store.trouble

    def take_notices(self) -> tuple[Notice, ...]:
        """Return the notices for players since the last call: about repaired damage, and about the clock."""
        self._day.stamp()
        notices = (*self._store.notices, *self._day.notices)
        self._store.notices.clear()
        self._day.notices.clear()
        return notices

    @property
    def clock_back(self) -> Notice | None:
        """The notice that the time of day has gone back. `take_notices` has one only if it stays back for minutes."""
        return self._day.backward_step

    @property
    def match(self) -> int | None:
        """The number of the match to which events are appended; None without a match."""
        return None if self._tip is None else self._tip.row.match

    @property
    def number(self) -> int:
        """The number of the last event, which names its pictures too; 0 before the first."""
        return 0 if self._tip is None else self._tip.row.number

    @property
    def place(self) -> tuple[int, int] | None:
        """The numbers of match and event under which the picture for the last event is stored.

        None if there is no match, and while the number of the match may still change.
        """
        row = None if self._tip is None else self._store.as_kept(self._tip.row)
        return None if row is None else (row.match, row.number)

    def begin(self, setup: Setup, event: Started, state: State) -> int:
        """Begin a match with its first event and the state after it; return the number of the match.

        A match that is under way is left as it is and never resumed. Raises BadInput for values that cannot be stored,
        and JournalError if the store raises it.
        """
        setup.ruleset()
        newest = max(self._newest, self._store.newest())
        row, tip = opening(newest + 1, setup, event, state, self._day.stamp())
        self._store.put((row, tip.row))
        self._newest, self._tip = row.match, tip
        self._follow()
        return self._newest

    def append(self, event: Event, state: State) -> int:
        """Append an event and return its number; `state` is the state after it. Raises the same errors as `begin`."""
        return self._put(self._current_tip.event(event, state, self._day.stamp()))

    def give_up(self) -> None:
        """Give the match up: it stays on the score sheet but is not resumed."""
        self._put(self._current_tip.given_up(self._day.stamp()))
        self._tip = None

    def amend(self, rows: Sequence[Row]) -> bool:
        """Append rows that `amending` has made to any match that is not being played.

        Returns False if the match has changed since they were made. Raises JournalError if the disk does not accept
        writes. In both cases nothing is written.
        """
        kept = self._store.amend(rows)
        if kept and self._tip is not None and self._tip.row.match == rows[0].match:
            self._tip = None  # the next event must begin another match
        return kept

    def beat(self, t: float) -> None:
        """Store the match time.

        This is called about every second during a match, so a power cut costs at most that much. While the journal is
        in trouble, call it without a match as well: it then tries to write again.
        """
        self._store.beat(self.match, t)
        self._follow()

    def close(self) -> None:
        """Close the store; raises JournalError if events would be lost by that."""
        self._store.close()

    @property
    def _current_tip(self) -> Tip:
        if self._tip is None:
            raise BadInput("expected a match under way, got none: begin one first")
        return self._tip

    def _put(self, tip: Tip) -> int:
        self._store.put((tip.row,))
        self._tip = tip
        self._follow()
        return tip.row.number

    def _follow(self) -> None:
        """Take over the number of the match from the store.

        It may have changed if the match began before the journal could be read.
        """
        row = None if self._tip is None else self._store.as_kept(self._tip.row)
        if self._tip is not None and row is not None and row.match != self._tip.row.match:
            self._newest, self._tip = row.match, replace(self._tip, row=row)


def _clock_notice(key: str, was: datetime, now: datetime) -> Notice:
    before, after = (f"{moment.astimezone():%Y-%m-%d %H:%M}" for moment in (was, now))
    return Notice(key, before=before, after=after)


def _moment(wall: str) -> datetime | None:
    """Return a time of day from the journal; None if it cannot be read."""
    try:
        return datetime.fromisoformat(wall).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
