"""The journal as the loop uses it: begin a match, append what happened, keep the clock."""

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
from referee.journal.rows import Row, Setup, Tip, opening
from referee.journal.store import Store

Wall = Callable[[], datetime]
Now = Callable[[], float]

AGREES = timedelta(minutes=1)
"""Clocks that are set by the network step back by less than that now and then."""
PATIENCE_S = 180.0
"""How long the network has to set a clock that went back."""


def utc_now() -> datetime:
    """The time of day, for display only."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """A time of day as the journal has it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


class DayClock:
    """The time of day as the journal has it, and whether it went back.

    A Pi without a battery has an older time after a power cut, until the network sets it; only a clock that stays back
    is told to the players. The game goes on in any case: it has a clock of its own.
    """

    def __init__(self, wall: Wall, now: Now, latest: datetime | None) -> None:
        """`now` is monotonic; `latest` a time of day that has been already."""
        self._wall, self._now = wall, now
        self._latest = None if latest is None else (latest, now())
        self._back_since: float | None = None
        self.notices: list[Notice] = []

    @property
    def backward_step(self) -> Notice | None:
        """What the clock went back to just now; None where it did not, or has been told of."""
        wall = self._read()
        if self._latest is None or self._back_since is None:
            return None
        return _clock_notice("journal.clock_back", self._latest[0], wall)

    def stamp(self) -> str:
        """The time of day in the journal's form."""
        return stamp(self._read())

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
    """One writer's view of the journal.

    An event is appended after `apply` took it, and its effects are carried out after that::

        state, effects = apply(state, event)  # raises OutOfOrder: not appended
        journal.append(event, state)  # on disk when this returns

    Moments `t` are match time: seconds that only ever go on, whatever the system clock does.
    """

    def __init__(
        self,
        store: Store,
        newest: int = 0,
        kept: Kept | None = None,
        wall: Wall = utc_now,
        now: Now = time.monotonic,
    ) -> None:
        """`newest` is the last match in the store, `kept` a match that goes on."""
        self._store, self._newest = store, newest
        self._tip: Tip | None = None if kept is None or kept.given_up else kept.tip
        self._day = DayClock(wall, now, None if kept is None else _moment(kept.tip.row.wall))

    def meanwhile(self, do: Meanwhile | None) -> None:
        """See to this while a slow disk is waited for; it must not use the journal. None: to nothing."""
        if isinstance(self._store, ThreadedStore):
            self._store.meanwhile(do)

    @property
    def trouble(self) -> Notice | None:
        """What keeps the journal from the disk just now; None while all is well."""
        return self._store.trouble

    def take_notices(self) -> tuple[Notice, ...]:
        """What was done about damage, or happened to the clock, since this was asked last; for the players."""
        self._day.stamp()
        notices = (*self._store.notices, *self._day.notices)
        self._store.notices.clear()
        self._day.notices.clear()
        return notices

    @property
    def clock_back(self) -> Notice | None:
        """That the time of day went back just now; among `take_notices` only where it stays so for minutes."""
        return self._day.backward_step

    @property
    def match(self) -> int | None:
        """The number of the match that events are appended to."""
        return None if self._tip is None else self._tip.row.match

    @property
    def number(self) -> int:
        """The number of the last event, which names its pictures too; 0 before the first."""
        return 0 if self._tip is None else self._tip.row.number

    @property
    def place(self) -> tuple[int, int] | None:
        """Match and event under which the picture behind the last event is kept.

        None without a match, and while the number of the match may still change.
        """
        row = None if self._tip is None else self._store.as_kept(self._tip.row)
        return None if row is None else (row.match, row.number)

    def begin(self, setup: Setup, event: Started, state: State) -> int:
        """Begin a match with the event that began it and the state after; returns the match's number.

        A match under way is left as it is and never resumed. Raises BadInput for values that cannot be kept, and
        JournalError where the store does.
        """
        setup.ruleset()
        newest = max(self._newest, self._store.newest())
        row, tip = opening(newest + 1, setup, event, state, self._day.stamp())
        self._store.put((row, tip.row))
        self._newest, self._tip = row.match, tip
        self._follow()
        return self._newest

    def append(self, event: Event, state: State) -> int:
        """Keep an event and return its number; `state` is what it led to. Raises as `begin` does."""
        return self._put(self._current_tip.event(event, state, self._day.stamp()))

    def give_up(self) -> None:
        """The players stop here: the match stays on the score sheet but is not resumed."""
        self._put(self._current_tip.given_up(self._day.stamp()))
        self._tip = None

    def amend(self, rows: Sequence[Row]) -> bool:
        """Keep rows behind those of a match that is not played on, whichever it is, as `amending` has made them.

        False where the match has changed since they were made. Raises JournalError where the disk takes none, and
        nothing has changed then.
        """
        kept = self._store.amend(rows)
        if kept and self._tip is not None and self._tip.row.match == rows[0].match:
            self._tip = None  # whatever is played next is another match
        return kept

    def beat(self, t: float) -> None:
        """Keep the match time; called every second or so while a match is on, a power cut costs at most that.

        To be called without a match, too, while the journal is in trouble: that is tried again then.
        """
        self._store.beat(self.match, t)
        self._follow()

    def close(self) -> None:
        """Close the store; raises JournalError where events would be lost by that."""
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
        """Take over the number that the store gave a match which began before the journal could be read."""
        row = None if self._tip is None else self._store.as_kept(self._tip.row)
        if self._tip is not None and row is not None and row.match != self._tip.row.match:
            self._newest, self._tip = row.match, replace(self._tip, row=row)


def _clock_notice(key: str, was: datetime, now: datetime) -> Notice:
    before, after = (f"{moment.astimezone():%Y-%m-%d %H:%M}" for moment in (was, now))
    return Notice(key, before=before, after=after)


def _moment(wall: str) -> datetime | None:
    """A time of day out of the journal; None where it cannot be read."""
    try:
        return datetime.fromisoformat(wall).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
