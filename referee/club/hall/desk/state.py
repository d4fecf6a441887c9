"""The state of the director's desk: the clock of the round, and the calls of tables. Pure; times are passed in.

1. The clock is set, and stands until it is started. It ends no match: at zero the tables tell their players.
2. Calls are listed in the order in which they arrived. A table has one call at a time, whether its box or a phone
   made it (`phone_calls.py`).
3. A change that somebody else has made already is refused with a sentence, so two directors never undo each other's
   work unknowingly.
4. A call that is done stays known until its table has noticed, however often the table sends it again.
5. If every round has the same time, the clock follows the rounds of the tournament (`rounds.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from referee.club.hall.desk.announcements import SentAnnouncement
from referee.club.protocol.documents import LONGEST_CLOCK_S, CallAnswer, Calling, CallState, Reason, RoundTime
from referee.errors import BadInput
from referee.game.notice import Notice

MOST_DONE = 1000
"""How many calls that are done stay known: one of each of the most tables that a hall follows."""
MOST_CLOSED = 200
"""How many closed calls of phones stay known. Chosen by hand: all calls of a long day."""


@dataclass(frozen=True, slots=True)
class RoundClock:
    """The clock of the round: `left` seconds at the moment `since`, from which it runs; None: it stands."""

    number: int
    """Changes whenever the director sets another time, but not by a pause."""
    left: float
    since: float | None
    """A moment of the hall's monotonic clock, in seconds."""
    warn: float = 0.0
    """How many seconds before the end the tables are warned; 0: they are not."""
    started: bool = False
    """Whether it has run since it was set."""
    counted_on: bool = False
    """Whether the hall was started anew while the clock ran, so that it was computed from the time of day."""

    def left_at(self, t: float) -> float:
        """Return the seconds left at the moment `t`, at least 0."""
        return max(0.0, self.left if self.since is None else self.left - (t - self.since))

    def told(self, t: float) -> RoundTime:
        """Return the clock as documents for tables have it."""
        return RoundTime(self.number, round(self.left_at(t), 3), self.since is not None, self.warn, self.started)


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose page a call came from: a player's, or that of a table of the draw."""

    tournament: str
    """The id of the tournament in the hall."""
    round: int
    table: int | None
    """The number of the table in the draw; None for a player without one, as before the first draw."""
    player: int | None = None
    """The number of the player; None if the call came from the page of the table."""
    name: str = ""

    def is_same(self, other: Caller) -> bool:
        """Return whether a call came from the same page, perhaps in another round."""
        mine, theirs = (self.tournament, self.player), (other.tournament, other.player)
        return mine == theirs and (self.player is not None or self.table == other.table)


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call that is not done. `heard` is when it arrived, in seconds since 1970."""

    id: str
    table: str
    """The name of the table of the hall; of a table of the draw without one, a key that no name equals."""
    heard: float
    reason: Reason | None = None
    text: str = ""
    stopped: bool = False
    coming: bool = False
    who: str = ""
    """Who is coming, if they have said so."""
    caller: Caller | None = None
    """Whose page it came from; None if only the box of the table called."""
    by_box: bool = True
    """Whether the box of the table called, so that it must be told what becomes of the call."""


@dataclass(frozen=True, slots=True)
class ClosedCall:
    """A call from somebody's page that is done or withdrawn; `closed` is when, in seconds since 1970."""

    id: str
    caller: Caller
    closed: float
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class RoundNow:
    """How far the tournament of the hall is, as far as the clock follows it."""

    tournament: str
    round: int
    """The number of the round that was drawn last; 0 before the first."""
    withdrawals: int
    begun: bool
    ended: bool
    over: bool = False
    """Whether all tables of the round have a result."""


@dataclass(frozen=True, slots=True)
class DeskState:
    """Everything at the director's desk that must survive a restart."""

    clock: RoundClock | None = None
    numbers: int = 0
    """The number of the last clock."""
    calls: tuple[OpenCall, ...] = ()
    """In the order in which they arrived."""
    done: tuple[tuple[str, str], ...] = ()
    """Table and id of calls that are done, as long as their tables have not noticed; the oldest first."""
    closed: tuple[ClosedCall, ...] = ()
    """Calls from people's pages that are done or withdrawn, the oldest first."""
    every_round: float = 0.0
    """The seconds that every round has; 0 if the director sets each one."""
    every_warn: float = 0.0
    round: RoundNow | None = None
    """How far the tournament was when the clock followed it last; None if it never did."""
    sent: tuple[SentAnnouncement, ...] = ()
    """The last announcements, the oldest first, also those whose time is over."""

    def call_of(self, table: str) -> OpenCall | None:
        """Return the call of a table that is not done; None if there is none."""
        return next((call for call in self.calls if call.table == table), None)

    def answers(self) -> dict[str, CallAnswer]:
        """Return by table what it must be told about its call; tables of which no call is known are missing."""
        found = {table: CallAnswer(call, CallState.DONE) for table, call in self.done}
        waiting = 0
        for call in self.calls:
            waiting += not call.coming
            if not call.by_box:
                continue
            found[call.table] = (
                CallAnswer(call.id, CallState.COMING, who=call.who)
                if call.coming
                else CallAnswer(call.id, CallState.WAITING, waiting)
            )
        return found


Change = Callable[[DeskState, float], DeskState]
"""Returns the state after a change at a moment of the monotonic clock; raises BadInput if it is not possible."""


# The clock -----------------------------------------------------------------------------------------------------------


def set_clock(seconds: float, warn: float, *, each: bool = False) -> Change:
    """Set another time for the round; the clock stands until it is started. `each`: every round has this time."""

    def change(state: DeskState, _: float) -> DeskState:
        number, most = state.numbers + 1, min(warn, seconds)
        every = (seconds, most) if each else (0.0, 0.0)
        clock = RoundClock(number, seconds, None, most)
        return replace(state, clock=clock, numbers=number, every_round=every[0], every_warn=every[1])

    return change


def start_clock(state: DeskState, t: float) -> DeskState:
    """Start the clock, or let it run on after a pause."""
    clock = _clock_of(state)
    if clock.since is not None:
        raise BadInput(Notice("desk.runs_already"))
    if clock.left <= 0:
        raise BadInput(Notice("desk.clock_is_over"))
    return replace(state, clock=replace(clock, since=t, started=True, counted_on=False))


def pause_clock(state: DeskState, t: float) -> DeskState:
    """Let the clock stand."""
    clock = _clock_of(state)
    if clock.since is None:
        raise BadInput(Notice("desk.stands_already"))
    return replace(state, clock=replace(clock, left=clock.left_at(t), since=None, counted_on=False))


def extend_clock(seconds: float) -> Change:
    """Give the round more time, or less with a negative number."""

    def change(state: DeskState, t: float) -> DeskState:
        clock, number = _clock_of(state), state.numbers + 1
        left = min(max(0.0, clock.left_at(t) + seconds), LONGEST_CLOCK_S)
        since = None if clock.since is None else t
        clock = replace(clock, number=number, left=left, since=since, counted_on=False)
        return replace(state, clock=clock, numbers=number)

    return change


def stop_clock(state: DeskState, _: float) -> DeskState:
    """Remove the clock."""
    _clock_of(state)
    return replace(state, clock=None)


def _clock_of(state: DeskState) -> RoundClock:
    if state.clock is None:
        raise BadInput(Notice("desk.no_clock"))
    return state.clock


# The calls -----------------------------------------------------------------------------------------------------------


def hear_call(state: DeskState, table: str, call: Calling | None, wall: float) -> DeskState:
    """Return the state after a table has said whether it calls; `wall` is the time of day, in seconds since 1970."""
    if call is None:
        calls = tuple(one for one in state.calls if one.table != table or not one.by_box)
        done = tuple((at, closed) for at, closed in state.done if at != table)
        return state if (calls, done) == (state.calls, state.done) else replace(state, calls=calls, done=done)
    if any(closed == call.id for _, closed in state.done):
        return replace(state, done=tuple((table if one == call.id else at, one) for at, one in state.done))
    known = next((one for one in state.calls if one.id == call.id), None)
    if known is not None:
        told = replace(known, table=table, reason=call.reason, text=call.text, stopped=call.stopped)
        return replace(state, calls=tuple(told if one is known else one for one in state.calls))
    phone = next((one for one in state.calls if one.table == table and not one.by_box), None)
    if phone is not None:  # a table has one call: from now on its box is told what becomes of it, too
        reason, text = call.reason or phone.reason, call.text or phone.text
        told = replace(phone, id=call.id, reason=reason, text=text, stopped=call.stopped, by_box=True)
        return replace(state, calls=tuple(told if one is phone else one for one in state.calls))
    others = tuple(one for one in state.calls if one.table != table)
    return replace(state, calls=(*others, OpenCall(call.id, table, wall, call.reason, call.text, call.stopped)))


def come(call: str, who: str) -> Change:
    """Tell the table that somebody is coming."""

    def change(state: DeskState, _: float) -> DeskState:
        found = open_call(state, call)
        if found.coming:
            key = "desk.is_coming_already" if found.who else "desk.coming_already"
            raise BadInput(Notice(key, who=found.who) if found.who else Notice(key))
        coming = replace(found, coming=True, who=who)
        return replace(state, calls=tuple(coming if one is found else one for one in state.calls))

    return change


def finish(call: str, wall: float = 0.0) -> Change:
    """Close a call, because the director has been at the table, or it was settled without.

    `wall`: the time of day, in seconds since 1970.
    """

    def change(state: DeskState, _: float) -> DeskState:
        found = open_call(state, call)
        state = without_call(state, found, wall)
        if not found.by_box:
            return state
        others = tuple((at, closed) for at, closed in state.done if at != found.table)
        return replace(state, done=(*others, (found.table, found.id))[-MOST_DONE:])

    return change


def without_call(state: DeskState, call: OpenCall, wall: float, *, withdrawn: bool = False) -> DeskState:
    """Return the state without an open call; whoever called from their page is told what became of it."""
    calls, closed = tuple(one for one in state.calls if one is not call), state.closed
    if call.caller is not None:
        closed = (*closed, ClosedCall(call.id, call.caller, wall, withdrawn))[-MOST_CLOSED:]
    return replace(state, calls=calls, closed=closed)


def open_call(state: DeskState, call: str) -> OpenCall:
    """Return a call that is not done by its id; raises BadInput if there is none."""
    found = next((one for one in state.calls if one.id == call), None)
    if found is None:
        raise BadInput(Notice("desk.call_is_over"))
    return found
