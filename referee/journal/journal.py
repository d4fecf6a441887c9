"""The journal as the loop uses it: begin a match, append what happened, keep the clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from referee.errors import BadInput
from referee.game.events import Event, Started
from referee.game.state import State
from referee.journal.resume import Kept
from referee.journal.rows import Setup, Tip, opening
from referee.journal.store import Store

Wall = Callable[[], datetime]

AGREES = timedelta(minutes=1)
"""Clocks that are set by the network step back by less than that now and then."""


def utc_now() -> datetime:
    """The time of day, for display only."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """A time of day as the journal has it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


class Journal:
    """One writer's view of the journal.

    An event is appended after `apply` took it, and its effects are carried out after that::

        state, effects = apply(state, event)  # raises OutOfOrder: not appended
        journal.append(event, state)  # on disk when this returns

    Moments `t` are match time: seconds that only ever go on, whatever the system clock does.
    """

    def __init__(self, store: Store, newest: int = 0, kept: Kept | None = None, wall: Wall = utc_now) -> None:
        """`newest` is the last match in the store, `kept` a match that goes on."""
        self._store, self._newest, self._wall = store, newest, wall
        self._tip: Tip | None = None if kept is None or kept.given_up else kept.tip
        self._latest = None if kept is None else _moment(kept.tip.row.wall)
        self._set_back: list[str] = []

    @property
    def trouble(self) -> str | None:
        """What keeps the journal from the disk just now, in one sentence; None while all is well."""
        return self._store.trouble

    def take_notices(self) -> tuple[str, ...]:
        """What was done about damage, or happened to the clock, since this was asked last; for the players."""
        self._now()
        notices = (*self._store.notices, *self._set_back)
        self._store.notices.clear()
        self._set_back.clear()
        return notices

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
        row, tip = opening(newest + 1, setup, event, state, self._now())
        self._store.put((row, tip.row))
        self._newest, self._tip = row.match, tip
        self._follow()
        return self._newest

    def append(self, event: Event, state: State) -> int:
        """Keep an event and return its number; `state` is what it led to. Raises as `begin` does."""
        return self._put(self._going.event(event, state, self._now()))

    def give_up(self) -> None:
        """The players stop here: the match stays on the score sheet but is not resumed."""
        self._put(self._going.given_up(self._now()))
        self._tip = None

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
    def _going(self) -> Tip:
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

    def _now(self) -> str:
        """The time of day as the journal has it; that it went back is told once, and the game goes on."""
        now = self._wall().astimezone(UTC)
        if self._latest is not None and now < self._latest - AGREES:
            was, is_now = (f"{moment.astimezone():%Y-%m-%d %H:%M}" for moment in (self._latest, now))
            self._set_back.append(
                f"The machine's clock went back from {was} to {is_now}: set it right (sudo timedatectl set-time), "
                "or the score sheets show wrong days."
            )
        self._latest = now
        return stamp(now)


def _moment(wall: str) -> datetime | None:
    """A time of day out of the journal; None where it cannot be read."""
    try:
        return datetime.fromisoformat(wall).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
