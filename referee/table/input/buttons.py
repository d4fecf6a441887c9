"""What a press of a button means at the moment: the end of a turn, taking a seat, start, pause, taking a press back.

A turn ends, or a pause begins, when the button goes down, not when it is released. The referee waits for the release
only if a long press would mean something else: outside of a turn; in Gin; if a count is in question; and at a shared
button (one for all players) while the last turn may still be taken back, as there is no other button for that. A press
of the shared button at the very beginning of a turn was meant for the previous turn, and does not count.

The start button deals, pauses and continues. A long press ends the match in every phase in which the referee waits for
people, or for a camera that may never answer. During a pause it does so at once, because the pause was itself a
deliberate press. In other phases, and after a power cut, it must be held a second time soon after, so that nobody ends
a match by leaning on the button. Before a match, holding it twice begins to enrol the box, if that is possible, and
holding it a third time sets a new PIN for the page, if the page has one.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

from referee.devices.panel.debounce import FOUND_S, Ailment, Broken, Down, Mended, Press, Told
from referee.devices.wiring.pins import EVERYONE, PAUSE, PinMap
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.match.take_back import last_turn_is_open, may_withdraw
from referee.game.notice import Notice
from referee.table.input.commands import (
    Begins,
    Call,
    Command,
    EndTurn,
    Insist,
    NotNow,
    SitDown,
    Start,
    TakeBack,
    Trouble,
)
from referee.table.session import Players

TOO_EARLY_S = 1.0
"""A press of the shared button does not count within this many seconds after the clock has started. Chosen by hand:
nobody thinks and plays faster."""
BY_ITSELF_S = 3.0
"""Like `TOO_EARLY_S`, but for a turn that follows one accepted without a press, after a question: the player of that
turn may be about to press to confirm it."""
TOO_EARLY = Notice("play.too_early")

APART_S = 1.0
"""A second tap of start within this many seconds is ignored. Otherwise a loose wire that is not recognised as loose
could pause the match over and over. Chosen by hand."""
TOO_SOON = Notice("play.too_soon")

_UNHURRIED = frozenset(phase for phase in Phase if not phase.in_round or phase is Phase.PAUSED)
"""The phases in which the referee waits for the release of a button, because a long press means something else."""
_PAUSES = frozenset({Phase.TURN, Phase.PAUSED})
"""The phases in which a tap of start pauses or continues."""
_STARTS = _PAUSES | _UNHURRIED
"""The phases in which a tap of start does anything."""
ONCE_MORE_S = 10.0
"""A second long press within this many seconds takes effect, such as ending the match. Chosen by hand."""
ONCE_MORE = Notice("play.hold_once_more", seconds=round(ONCE_MORE_S))
ENROL_ONCE_MORE = Notice("play.hold_once_more_to_enrol", seconds=round(ONCE_MORE_S))
_LOOKS = Notice("play.start_while_looking")
_WAITS_FOR = {
    Phase.LOOKING: _LOOKS,
    Phase.TIME_UP: _LOOKS,
    Phase.CHECKING: _LOOKS,
    Phase.COUNTING: _LOOKS,
    Phase.ASKING: Notice("play.start_while_asking"),
    Phase.PUTTING_RIGHT: Notice("play.start_before_put_right"),
    Phase.SHOWING: Notice("play.start_before_hand"),
}


@dataclass(frozen=True, slots=True)
class _Felt:
    """A press that took effect when the button went down at `t`.

    `again`: if the button is held, that takes back an earlier press.
    """

    t: float
    again: bool


class Buttons:
    """Turns debounced contacts into commands."""

    def __init__(self, pins: PinMap, players: Players) -> None:
        self.players = players
        self._pins = pins
        self._felt: dict[str, _Felt] = {}
        self._waited: dict[str, float] = {}
        """Presses during a turn that wait for the release: the first edge of each, by contact."""
        self._last: dict[str, EndTurn] = {}
        """The last press of each contact that the rules have accepted."""
        self._starts: tuple[Start, ...] = ()
        """The recent presses of start. They are kept because they may turn out to be the noise of a loose wire."""
        self._answered: Start | None = None
        """The press of start for which the players were last told that another one came too soon."""

    @property
    def undecided_since(self) -> float | None:
        """The first edge of the earliest press whose length decides whether it ends the turn; None without one."""
        return min(self._waited.values(), default=None)

    def commands(
        self, told: Told, state: State, t: float, *, cut: bool = False, choosing: bool = False, begins: bool = False
    ) -> tuple[Command, ...]:
        """Return what an event of a contact means in this state, at match time `t`; empty for nothing, or nothing yet.

        `cut`: a match waits to continue after a power cut. `choosing`: players choose what a tile is, on a panel
        without a start button, so that a long press has another meaning. `begins`: a press says who begins.
        """
        waiting = cut or choosing or state.phase in _UNHURRIED
        match told:
            case Down():
                return self._press_button(told, state, t, waiting)
            case Press():
                command = self._command_of(told, state, waiting, begins=begins)
                return () if command is None else (command,)
            case Broken(contact):
                return (Trouble(contact, told.notice), *self._no_press(told, state, t))
            case Mended(contact):
                return (Trouble(contact, None),)

    def note_accepted(self, command: EndTurn | Start) -> None:
        """Remember a press that the rules have accepted; if its wire turns out to be loose, the press is undone."""
        if isinstance(command, EndTurn):
            self._last[command.contact] = command
        elif command.phase is not None:
            self._starts = (*(start for start in self._starts if command.t - start.t <= FOUND_S), command)

    def note_refused(self, command: EndTurn) -> None:
        """Remember a press that the rules have refused; if it is held, it may take back an earlier press."""
        if command.contact in self._felt:
            self._felt[command.contact] = _Felt(command.t, again=True)

    def take_out(self, contact: str, pressed: float, state: State, t: float) -> tuple[Command, ...]:
        """Return the commands that undo a press which began at `pressed`, because it was no press of its own.

        `pressed` is a moment of the monotonic clock, `t` the same moment as match time.
        """
        just_before = math.nextafter(pressed, -math.inf)
        return self._no_press(Broken(contact, pressed, Ailment.LOOSE, just_before), state, t)

    def _press_button(self, down: Down, state: State, t: float, waiting: bool) -> tuple[Command, ...]:
        contact, knocks = down.contact, state.rules.knocking is not None
        if contact == PAUSE:
            if state.phase is not Phase.TURN:
                return ()
            start = self._start(down.t, state, long=False)
            if isinstance(start, Start):
                self._felt[contact] = _Felt(down.t, again=False)
            return () if start is None else (start,)
        if waiting:
            return ()
        if contact == EVERYONE and _too_early(state, t):
            # In Gin a long press knocks, so it takes nothing back.
            self._felt[contact] = _Felt(down.t, again=not knocks)
            return (NotNow(TOO_EARLY),)
        if knocks or state.in_question is not None or (contact == EVERYONE and last_turn_is_open(state, t)):
            self._waited[contact] = down.t
            return ()
        self._felt[contact] = _Felt(down.t, again=state.phase is Phase.ASKING)
        return (EndTurn(contact, self._seat(contact, state), down.t, long=False),)

    def _command_of(self, press: Press, state: State, waiting: bool, *, begins: bool) -> Command | None:
        contact, t, long = press.contact, press.t, press.long
        felt, waited = self._felt.pop(contact, None), self._waited.pop(contact, None)
        if felt is not None and felt.t == t:
            return self._hold_button(contact, state, t, again=felt.again) if long else None
        if contact == PAUSE:
            return self._start(t, state, long=long)
        if waited == t and long and state.rules.knocking is None:
            seat = self._seat(contact, state)
            if state.in_question is None or seat is None:
                return self._take_back(contact, state, t)
            return Insist(seat, t)
        if waited == t:
            return EndTurn(contact, self._seat(contact, state), t, long)
        return self._between_turns(press, state, begins=begins) if waiting else None

    def _hold_button(self, contact: str, state: State, t: float, *, again: bool) -> TakeBack | Call | None:
        """Return what holding a button means whose press took effect when it went down; None for nothing."""
        if again:
            return self._take_back(contact, state, t)
        last = self._last.get(contact)
        return None if last is None or last.t != t or last.seat is None else Call(last.seat)

    def _start(self, t: float, state: State, *, long: bool) -> Start | NotNow | None:
        """Return the command of the start button; if several taps come too soon, only the first gets an answer."""
        taps = (tap for tap in self._starts if tap.phase in _PAUSES and not tap.long and t - tap.t < APART_S)
        last = next(taps, None)
        if long or last is None:
            return Start(t, long, state.phase)
        answered, self._answered = self._answered is last, last
        return None if answered else NotNow(TOO_SOON)

    def _between_turns(self, press: Press, state: State, *, begins: bool) -> Command | None:
        contact, t, long = press.contact, press.t, press.long
        if begins:
            return Begins(self._pins.seat_of(contact), t, long)
        if long and self._pins.pause_button is None:
            return Start(t, long=False, phase=state.phase)
        if state.phase is Phase.LOBBY:
            button = self._pins.seat_of(contact)
            return None if button is None else SitDown(button, long)
        return EndTurn(contact, self._seat(contact, state), t, long)

    def _no_press(self, broken: Broken, state: State, t: float) -> tuple[Command, ...]:
        """Return the commands that undo, if possible, what a loose wire caused just before it was recognised."""
        contact = broken.contact
        self._felt.pop(contact, None)
        self._waited.pop(contact, None)
        last = self._last.pop(contact, None)
        if broken.ailment is not Ailment.LOOSE:
            return ()
        if contact == PAUSE:
            return self._as_before(broken, state)
        if last is None or not _is_noise(last, broken) or last.seat is None or not may_withdraw(state, last.seat, t):
            return ()
        return (TakeBack(last.seat, broken.t),)

    def _as_before(self, broken: Broken, state: State) -> tuple[Command, ...]:
        """Return the command that restores the pause or the turn from before the noise at the start button.

        If the noise began a turn from another phase, the command pauses that turn.
        """
        noise = (start.phase for start in self._starts if _is_noise(start, broken) and start.phase in _STARTS)
        before, self._starts = next(noise, None), ()
        wrong = Phase.PAUSED if before is Phase.TURN else Phase.TURN
        if before is None or state.phase is not wrong:
            return ()
        return (Start(broken.t, long=False, phase=None),)

    def _seat(self, contact: str, state: State) -> int | None:
        button = self._pins.seat_of(contact)
        return state.current if button is None else self.players.seat(button)

    def _take_back(self, contact: str, state: State, t: float) -> TakeBack | None:
        seat = self._seat(contact, state)
        if contact == EVERYONE and state.phase is Phase.TURN and state.before is not None:
            seat = state.before.current
        return None if seat is None else TakeBack(seat, t)


def _is_noise(press: EndTurn | Start, broken: Broken) -> bool:
    """Return whether this press was caused by the wire that turned out to be loose."""
    return broken.good < press.t and broken.t - press.t <= FOUND_S


def _too_early(state: State, t: float) -> bool:
    """Return whether the turn has only just begun at `t`, so that a press was meant for the previous turn."""
    began = state.clock.since
    if state.phase is not Phase.TURN or began is None:
        return False
    # A press would have closed the question. It was still open, so the turn ended by a look that no press asked for.
    by_itself = state.before is not None and state.before.asked
    return t - began < (BY_ITSELF_S if by_itself else TOO_EARLY_S)


class Meaning(enum.Enum):
    """What a press of the start button does."""

    DEAL = enum.auto()
    PAUSE = enum.auto()
    GO_ON = enum.auto()
    NEXT = enum.auto()
    """Clear the match that is over, to prepare the next one."""
    ONCE_MORE = enum.auto()
    """Nothing yet: held once more, it ends the match."""
    END = enum.auto()
    ENROL_ONCE_MORE = enum.auto()
    """Nothing yet: held once more before a match, it begins to enrol the box."""
    ENROL = enum.auto()
    PIN_TWICE_MORE = enum.auto()
    """Nothing yet: even if no box can be enrolled, start must be held three times for a new PIN."""
    PIN_ONCE_MORE = enum.auto()
    NOT_NOW = enum.auto()


HOLD_MORE = {
    Meaning.ONCE_MORE: ONCE_MORE,
    Meaning.ENROL_ONCE_MORE: ENROL_ONCE_MORE,
    Meaning.PIN_TWICE_MORE: Notice("play.hold_twice_more_for_pin", seconds=round(ONCE_MORE_S)),
    Meaning.PIN_ONCE_MORE: Notice("play.hold_once_more_for_pin", seconds=round(ONCE_MORE_S)),
}
"""The notice for players if start must be held again."""
_SHORT = {
    Phase.LOBBY: Meaning.DEAL,
    Phase.BETWEEN: Meaning.DEAL,
    Phase.TURN: Meaning.PAUSE,
    Phase.PAUSED: Meaning.GO_ON,
    Phase.OVER: Meaning.NEXT,
}
_HELD = {Phase.LOBBY: Meaning.DEAL, Phase.TURN: Meaning.PAUSE, Phase.PAUSED: Meaning.END, Phase.OVER: Meaning.NEXT}


def not_now(phase: Phase) -> Notice:
    """Return why the start button does nothing in this phase."""
    return _WAITS_FOR.get(phase, Notice("play.start_later"))


class StartButton:
    """The start button, with the time when it was last held."""

    def __init__(self) -> None:
        self._held = -math.inf

    def means(
        self, phase: Phase, now: float, *, long: bool, cut: bool, enrols: bool = False, has_pin: bool = False
    ) -> Meaning:
        """Return what a press reported at `now` (monotonic seconds) does.

        `cut`: a match waits to continue after a power cut. `enrols`: a box can be enrolled. `has_pin`: the page has a
        PIN.
        """
        if not long:
            return _SHORT.get(phase, Meaning.GO_ON if cut else Meaning.NOT_NOW)
        # After a power cut nobody pressed start for the pause, and a player told to press start may hold it too long.
        before_a_match = (enrols or has_pin) and phase is Phase.LOBBY
        if phase in _HELD and not before_a_match and not (cut and phase is Phase.PAUSED):
            return _HELD[phase]
        again, self._held = now - self._held <= ONCE_MORE_S, now
        if again:
            self._held = -math.inf
        if not before_a_match:
            return Meaning.END if again else Meaning.ONCE_MORE
        if again:
            return Meaning.ENROL if enrols else Meaning.PIN_ONCE_MORE
        return Meaning.ENROL_ONCE_MORE if enrols else Meaning.PIN_TWICE_MORE
