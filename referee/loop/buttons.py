"""What a press means just now: whose turn it ends, who sits down, start or pause, a press taken back.

A turn ends when its button is felt, not when it is let go, and a pause begins so. A press is waited for to its end
only where a long one means something else: outside of a turn, in Gin, and at the one button for all while the turn
before may still be taken back, for no other button could say so. A press of that button at the very beginning of a
turn was meant for the turn before, and does not count.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.devices.debounce import FOUND_S, Ailment, Broken, Down, Mended, Press, Told
from referee.devices.pins import EVERYONE, PAUSE, PinMap
from referee.game.state import Phase, State
from referee.game.undo import last_turn_is_open, may_withdraw
from referee.loop.desk import Players

TOO_EARLY_S = 1.0
"""Since the clock began to run; nobody has thought and played in less."""
BY_ITSELF_S = 3.0
"""The same where the turn before was accepted without a press: whoever was asked may just be about to confirm it."""
TOO_EARLY = "That press came too early in the turn to count; press again to end it."

_UNHURRIED = frozenset({Phase.LOBBY, Phase.BETWEEN, Phase.OVER, Phase.PAUSED})
"""The phases in which a press is waited for to its end, because a long one means something else."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Somebody presses for the own turn, felt at `t` (monotonic); `seat` None: nobody's button in this match."""

    contact: str
    seat: int | None
    t: float
    long: bool


@dataclass(frozen=True, slots=True)
class SitDown:
    """Somebody joins or leaves before the match; long: joins and asks to begin."""

    button: int
    long: bool


@dataclass(frozen=True, slots=True)
class Start:
    """The start/pause button, or a long press where there is none."""

    t: float
    long: bool


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A player wants the last press back, since `t`."""

    seat: int
    t: float


@dataclass(frozen=True, slots=True)
class NotNow:
    """A press that does not count, with a sentence about it."""

    text: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """A contact that is ignored, with a sentence about it; None: it counts again."""

    contact: str
    text: str | None


Command = EndTurn | SitDown | Start | TakeBack | NotNow | Trouble


@dataclass(frozen=True, slots=True)
class _Felt:
    """A press that counted as soon as it was felt; `again`: after one that it may ask to take back."""

    t: float
    again: bool


class Buttons:
    """Debounced contacts to commands."""

    def __init__(self, pins: PinMap, players: Players) -> None:
        self.players = players
        self._pins = pins
        self._felt: dict[str, _Felt] = {}
        self._waited: dict[str, float] = {}
        """First edges of presses in a turn that are waited for to their end."""
        self._last: dict[str, EndTurn | Start] = {}
        """The last press of each contact that the rules have taken."""

    @property
    def waited(self) -> float | None:
        """The first edge of a press that may still end the turn, once it is clear how long it is."""
        return min(self._waited.values(), default=None)

    def commands(self, told: Told, state: State, t: float, *, cut: bool = False) -> tuple[Command, ...]:
        """What this means in this state, at the match time `t`; nothing, or nothing yet, is empty.

        `cut`: a match waits to go on after a cut.
        """
        waiting = cut or state.phase in _UNHURRIED
        match told:
            case Down():
                return self._down(told, state, t, waiting)
            case Press():
                command = self._pressed(told, state, waiting)
                return () if command is None else (command,)
            case Broken(contact):
                return (Trouble(contact, told.text), *self._no_press(told, state, t))
            case Mended(contact):
                return (Trouble(contact, None),)

    def taken(self, command: EndTurn | Start) -> None:
        """The rules have taken this press; should its wire turn out to be loose, it was none."""
        self._last[command.contact if isinstance(command, EndTurn) else PAUSE] = command

    def refused(self, command: EndTurn) -> None:
        """The rules did not take this press; held on, it may ask for the press before."""
        if command.contact in self._felt:
            self._felt[command.contact] = _Felt(command.t, again=True)

    def _down(self, down: Down, state: State, t: float, waiting: bool) -> tuple[Command, ...]:
        contact, knocks = down.contact, state.rules.knocking is not None
        if contact == PAUSE:
            if state.phase is not Phase.TURN:
                return ()
            self._felt[contact] = _Felt(down.t, again=False)
            return (Start(down.t, long=False),)
        if waiting:
            return ()
        if contact == EVERYONE and _too_early(state, t):
            self._felt[contact] = _Felt(
                down.t, again=not knocks
            )  # where holding means knocking, it means nothing else
            return (NotNow(TOO_EARLY),)
        if knocks or (contact == EVERYONE and last_turn_is_open(state, t)):
            self._waited[contact] = down.t
            return ()
        self._felt[contact] = _Felt(down.t, again=state.phase is Phase.ASKING)
        return (EndTurn(contact, self._seat(contact, state), down.t, long=False),)

    def _pressed(self, press: Press, state: State, waiting: bool) -> Command | None:
        contact, t, long = press.contact, press.t, press.long
        felt, waited = self._felt.pop(contact, None), self._waited.pop(contact, None)
        if felt is not None and felt.t == t:
            return self._take_back(contact, state, t) if long and felt.again else None
        if contact == PAUSE:
            return Start(t, long)
        if waited == t and long and state.rules.knocking is None:
            return self._take_back(contact, state, t)
        if waited == t:
            return EndTurn(contact, self._seat(contact, state), t, long)
        return self._between_turns(press, state) if waiting else None

    def _between_turns(self, press: Press, state: State) -> Command | None:
        contact, t, long = press.contact, press.t, press.long
        if long and self._pins.pause_button is None:
            return Start(t, long=False)
        if state.phase is Phase.LOBBY:
            button = self._pins.seat_of(contact)
            return None if button is None else SitDown(button, long)
        return EndTurn(contact, self._seat(contact, state), t, long)

    def _no_press(self, broken: Broken, state: State, t: float) -> tuple[Command, ...]:
        """What a loose wire has made to happen just before it was found out is taken back, where that can be."""
        contact = broken.contact
        self._felt.pop(contact, None)
        self._waited.pop(contact, None)
        last = self._last.pop(contact, None)
        if broken.ailment is not Ailment.LOOSE or last is None or broken.t - last.t > FOUND_S or last.t <= broken.good:
            return ()
        match last:
            case Start():
                return (Start(broken.t, long=False),) if state.phase is Phase.PAUSED else ()
            case EndTurn(_, int() as seat) if may_withdraw(state, seat, t):
                return (TakeBack(seat, broken.t),)
        return ()

    def _seat(self, contact: str, state: State) -> int | None:
        button = self._pins.seat_of(contact)
        return state.current if button is None else self.players.seat(button)

    def _take_back(self, contact: str, state: State, t: float) -> TakeBack | None:
        seat = self._seat(contact, state)
        if contact == EVERYONE and state.phase is Phase.TURN and state.before is not None:
            seat = state.before.current
        return None if seat is None else TakeBack(seat, t)


def _too_early(state: State, t: float) -> bool:
    """Whether at `t` the turn has only just begun, so that a press was meant for the one before."""
    began = state.clock.since
    if state.phase is not Phase.TURN or began is None:
        return False
    # A press answers a question: where the question still stood, the look that ended that turn was taken without one.
    by_itself = state.before is not None and state.before.asked
    return t - began < (BY_ITSELF_S if by_itself else TOO_EARLY_S)
