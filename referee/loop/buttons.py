"""What a press means just now: whose turn it ends, who sits down, start or pause, a press taken back."""

from __future__ import annotations

from dataclasses import dataclass

from referee.devices.debounce import Broken, Down, Mended, Press, Told
from referee.devices.pins import EVERYONE, PAUSE, PinMap
from referee.game.state import Phase, State
from referee.loop.desk import Players

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
    """A player wants the last press back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Trouble:
    """A contact that is ignored, with a sentence about it; None: it counts again."""

    contact: str
    text: str | None


Command = EndTurn | SitDown | Start | TakeBack | Trouble


@dataclass(frozen=True, slots=True)
class _Felt:
    """A press that counted as soon as it was felt; `again`: after one that it may ask to take back."""

    t: float
    again: bool


class Buttons:
    """Debounced contacts to commands. A turn ends when its button is felt, not when it is let go."""

    def __init__(self, pins: PinMap, players: Players) -> None:
        self.players = players
        self._pins = pins
        self._felt: dict[str, _Felt] = {}

    def command(self, told: Told, state: State, *, cut: bool = False) -> Command | None:
        """What this means in this state; None: nothing, or nothing yet. `cut`: a match waits to go on after a cut."""
        waiting = cut or state.phase in _UNHURRIED
        match told:
            case Press(contact, t, long) if contact == PAUSE:
                return Start(t, long)
            case Down(contact, t) if contact != PAUSE and not self._unhurried(state, waiting):
                self._felt[contact] = _Felt(t, state.phase is Phase.ASKING)
                return EndTurn(contact, self._seat(contact, state), t, long=False)
            case Press():
                return self._pressed(told, state, waiting)
            case Broken(contact, _, _):
                return Trouble(contact, told.text)
            case Mended(contact, _):
                return Trouble(contact, None)
        return None

    def refused(self, command: EndTurn) -> None:
        """The rules did not take this press; held on, it may ask for the press before."""
        if command.contact in self._felt:
            self._felt[command.contact] = _Felt(command.t, again=True)

    def _unhurried(self, state: State, waiting: bool) -> bool:
        return waiting or state.rules.knocking is not None

    def _pressed(self, press: Press, state: State, waiting: bool) -> Command | None:
        contact, t, long = press.contact, press.t, press.long
        felt = self._felt.pop(contact, None)
        if felt is not None and felt.t == t:
            return self._take_back(contact, state) if long and felt.again else None
        if not self._unhurried(state, waiting):
            return None
        if long and self._pins.pause_button is None and waiting:
            return Start(t, long=False)
        if state.phase is Phase.LOBBY:
            button = self._pins.seat_of(contact)
            return None if button is None else SitDown(button, long)
        return EndTurn(contact, self._seat(contact, state), t, long)

    def _seat(self, contact: str, state: State) -> int | None:
        button = self._pins.seat_of(contact)
        return state.current if button is None else self.players.seat(button)

    def _take_back(self, contact: str, state: State) -> TakeBack | None:
        seat = self._seat(contact, state)
        if contact == EVERYONE and state.phase is Phase.TURN and state.before is not None:
            seat = state.before.current
        return None if seat is None else TakeBack(seat)
