"""What the table hears of its hall: whether one is connected, and what the director's desk tells."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from referee.club.protocol import BadMessage, CallAnswer, CallState, Desk, Kind, Online, RoundTime, decode_document
from referee.table.desk_values import CallHeard, HallClock, HearHall
from referee.table.desk_values import CallState as OwnState

OLD_S = 1800.0
"""Seconds since the end of a round's time after which a retained clock is ignored: it is of another day."""


NOTHING_HEARD = HearHall(listens=False)


class HallSide:
    """The last words of the hall, as a request to the loop. To be used in the broker's thread."""

    def __init__(
        self, loop_now: Callable[[], float], wall: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        """`loop_now` is the clock of the loop, in monotonic seconds; `wall` the time of day."""
        self._loop_now, self._wall = loop_now, wall
        self.heard = NOTHING_HEARD
        """What the loop must know."""

    def note_presence(self, payload: bytes) -> bool:
        """Take a message about whether the hall is connected; return whether the loop must be told."""
        try:
            told = decode_document(Kind.ONLINE, payload) if payload else Online(False)
        except BadMessage:
            return False
        return self._now(HearHall(isinstance(told, Online) and told.online, self.heard.clock, self.heard.answer))

    def note_disconnection(self) -> bool:
        """Note that the connection to the broker is down, so that no hall can hear the table."""
        return self._now(HearHall(False, self.heard.clock, self.heard.answer))

    def note_desk(self, payload: bytes, *, retained: bool) -> bool:
        """Take what the desk tells this table; return whether the loop must be told."""
        try:
            told = decode_document(Kind.DESK, payload) if payload else None
        except BadMessage:
            return False
        if not isinstance(told, Desk):
            return self._now(HearHall(self.heard.listens))
        clock = None if told.clock is None else self._clock(told.clock, told.wall, retained=retained)
        return self._now(HearHall(self.heard.listens, clock, None if told.call is None else _answer(told.call)))

    def _clock(self, told: RoundTime, wall: str, *, retained: bool) -> HallClock | None:
        """Return the clock by that of the loop.

        What the broker had retained may be of any age; its age is known only by the time of day, which may be wrong.
        The hall tells a table that has just connected anew, so a mistake lasts for a moment only.
        """
        if not told.running:
            return HallClock(told.number, told.left, None, told.warn, started=told.started)
        age = (self._wall() - datetime.fromisoformat(wall)).total_seconds() if retained else 0.0
        left = told.left - max(0.0, age)
        if left < -OLD_S:
            return None
        return HallClock(told.number, max(0.0, left), self._loop_now() + left, told.warn)

    def _now(self, heard: HearHall) -> bool:
        news, self.heard = heard != self.heard, heard
        return news


def _answer(told: CallAnswer) -> CallHeard:
    state = OwnState.COMING if told.state is CallState.COMING else OwnState.WAITING
    return CallHeard(told.id, state, told.place, told.who, is_over=told.state is CallState.DONE)
