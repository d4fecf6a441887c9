"""What a table has to do with the director's desk of a hall: the time of the round, its own call, announcements.

1. The clock of the round is the director's. The table counts it down by itself, so it goes on while the hall or the
   broker is away. At the warning and at the end it tells the players; it never ends a turn, a round or a match.
2. A table has one call at a time. It is stored before it is shown, and the club's side sends it to the hall until the
   hall has it. Without a hall that listens nobody would come, so the call is refused.
3. Whoever calls may have the turn clock stopped. Only the players let it run on, by pressing start.
4. An announcement stays until its time is over, somebody dismisses it, or another one comes.

Everything here runs in the loop's own thread.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from referee.errors import BadInput
from referee.game.match.events import Paused
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.table.desk_values import (
    Announcement,
    CallDirector,
    CallHeard,
    CallKeeper,
    CallState,
    DeskShown,
    DismissAnnouncement,
    HallClock,
    HearHall,
    OwnCall,
)
from referee.table.output.signals import Cue
from referee.table.running_match import RunningMatch

SHOWN_S = 600.0
"""Seconds for which an announcement is shown that names no time."""
NO_CLUB, NOBODY_LISTENS = Notice("desk.no_club"), Notice("desk.nobody_listens")
CALLED_ALREADY, NOT_CALLED = Notice("desk.called_already"), Notice("desk.not_called")
MINUTE_S = 60.0


class Desk:
    """The table's side of the director's desk."""

    def __init__(self, match: RunningMatch, calls: CallKeeper | None, lot: Callable[[int], int]) -> None:
        """`calls` None: the table belongs to no club. `lot` draws random numbers, for the ids of calls."""
        self._match, self._presenter, self._calls, self._lot = match, match.presenter, calls, lot
        self._shown = DeskShown(True, calls is not None, call=None if calls is None else calls.load())
        self._given: set[float] = set()
        """The marks of the present clock that need no signal any more, in seconds before the end."""
        self._numbers = 0

    def begin(self) -> None:
        """Show what is known from before."""
        self._show()

    @property
    def in_club(self) -> bool:
        """Whether the table belongs to a club."""
        return self._shown.in_club

    @property
    def is_calling(self) -> bool:
        """Whether the table calls the director."""
        return self._shown.call is not None

    # Calls -----------------------------------------------------------------------------------------------------------

    def call(self, request: CallDirector) -> Notice | None:
        """Call the director; return why that is impossible."""
        if self._calls is None:
            return NO_CLUB
        if self._shown.call is not None:
            return CALLED_ALREADY
        if not self._shown.listens:
            return NOBODY_LISTENS
        stopped = (
            request.stops
            and self._match.state.phase is Phase.TURN
            and self._match.apply_event(Paused(self._match.time.now())) is None
        )
        call = OwnCall(f"call-{self._lot(1 << 48):012x}", request.reason, request.text, stopped)
        self._keep(call)
        self._presenter.say(Notice("desk.called_clock_stopped" if stopped else "desk.called"))
        self._presenter.play(Cue.CALLED)
        self._show(call=call, state=CallState.SENT, place=None, who="")
        return None

    def withdraw(self) -> Notice | None:
        """Withdraw the call; return why that is impossible."""
        if self._shown.call is None:
            return NOT_CALLED
        self._end_call(Notice("desk.withdrawn"))
        return None

    def _end_call(self, told: Notice) -> None:
        self._keep(None)
        self._presenter.say(told)
        self._show(call=None, state=CallState.SENT, place=None, who="")

    def _keep(self, call: OwnCall | None) -> None:
        if self._calls is not None:
            try:
                self._calls.keep(call)
            except BadInput:  # the journal reports the disk; the call itself must not depend on it
                return

    def _hear_answer(self, answer: CallHeard | None) -> None:
        call = self._shown.call
        if call is None or answer is None or answer.id != call.id:
            return
        if answer.is_over:
            waits = call.stopped and self._match.state.phase is Phase.PAUSED
            self._end_call(Notice("desk.over_press_start" if waits else "desk.over"))
            return
        if answer.state is CallState.COMING and self._shown.state is not CallState.COMING:
            self._presenter.say(Notice("desk.comes_by_name", who=answer.who) if answer.who else Notice("desk.comes"))
            self._presenter.play(Cue.COMING)
        self._show(state=answer.state, place=answer.place, who=answer.who)

    # The hall --------------------------------------------------------------------------------------------------------

    def hear(self, request: HearHall) -> None:
        """Take what the hall has told."""
        now, before, clock = self._match.out.monotonic(), self._shown.clock, request.clock
        if clock is None or before is None or clock.number != before.number:
            self._given = set() if clock is None else {mark for mark in _marks(clock) if clock.left_at(now) <= mark}
        if clock is not None and before is not None and clock.number != before.number and self._is_playing:
            minutes = math.ceil(clock.left_at(now) / MINUTE_S)
            self._presenter.say(Notice("desk.time_changed", minutes=minutes))
        self._show(listens=request.listens, clock=clock)
        self._hear_answer(request.answer)

    def announce(self, text: str, seconds: float | None) -> None:
        """Say and show an announcement."""
        self._numbers += 1
        until = self._match.out.monotonic() + (SHOWN_S if seconds is None else seconds)
        self._presenter.say(Notice("club.announced", text=text))
        self._presenter.play(Cue.ANNOUNCED)
        self._show(announcement=Announcement(self._numbers, text, until))

    def dismiss(self, request: DismissAnnouncement) -> None:
        """Remove an announcement, unless another one has come since."""
        shown = self._shown.announcement
        if shown is not None and shown.number == request.number:
            self._show(announcement=None)

    # Time ------------------------------------------------------------------------------------------------------------

    def watch(self, now: float) -> None:
        """Give the signals of the clock that are due at `now` (monotonic seconds), and remove what is over."""
        shown = self._shown
        if shown.announcement is not None and now >= shown.announcement.until:
            self._show(announcement=None)
        clock = shown.clock
        if clock is None or clock.ends is None:
            return
        passed = [mark for mark in _marks(clock) if clock.left_at(now) <= mark and mark not in self._given]
        self._given.update(passed)
        if passed and self._is_playing:
            self._signal(min(passed))

    def next_due(self) -> float | None:
        """Return the next moment (monotonic seconds) at which `watch` has something to do; None if there is none."""
        shown, moments = self._shown, list[float]()
        if shown.announcement is not None:
            moments.append(shown.announcement.until)
        clock = shown.clock
        if clock is not None and clock.ends is not None:
            moments += [clock.ends - mark for mark in _marks(clock) if mark not in self._given]
        return min(moments, default=None)

    @property
    def _is_playing(self) -> bool:
        return self._match.state.phase.in_match

    def _signal(self, mark: float) -> None:
        if mark > 0:
            self._presenter.say(Notice("desk.minutes_left", minutes=max(1, round(mark / MINUTE_S))))
            self._presenter.play(Cue.ROUND_TIME_SOON)
        else:
            self._presenter.say(Notice("desk.time_up"))
            self._presenter.play(Cue.ROUND_TIME_UP)

    def _show(self, **changed: object) -> None:
        self._shown = replace(self._shown, **changed)  # type: ignore[arg-type]
        self._presenter.show_desk(self._shown)


def _marks(clock: HallClock) -> tuple[float, ...]:
    """Return the seconds before the end at which players are told; the end itself is 0."""
    return (clock.warn, 0.0) if clock.warn > 0 else (0.0,)
