"""The choice of who begins, at the table: by lot, shown by lamps that light up in turn, or by pressing first.

With one button for everybody, the referee asks about one player after another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from referee.devices.panel.lights import Glow
from referee.devices.wiring.pins import EVERYONE, PinMap
from referee.game.match.round import way_to_choose_first
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.rulebooks.model import Starts
from referee.table.input.commands import Begins, Command, Start, Trouble
from referee.table.output.audience import Choosing, Way
from referee.table.output.presenter import Presenter
from referee.table.output.signals import Cue
from referee.table.session import Players

STEPS = 16
"""The least number of steps of the lamps."""
FIRST_STEP_S, SLOWER = 0.08, 1.1
"""The first step in seconds, and the factor from each step to the next: three to four seconds in all."""


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot that was drawn: lamps light up seat by seat from a moment on, ever slower, until they stop at a seat."""

    seats: int
    seat: int
    since: float

    def lit_seat(self, t: float) -> int:
        """Return the seat whose lamp is lit at `t`."""
        return sum(moment <= t for moment in self._moments) % self.seats

    def next_due(self, t: float) -> float | None:
        """Return the next moment after `t` at which the light moves on; None if it has stopped."""
        return next((moment for moment in self._moments if moment > t), None)

    @property
    def _moments(self) -> tuple[float, ...]:
        steps = STEPS + (self.seat - STEPS) % self.seats
        return tuple(self.since + FIRST_STEP_S * (SLOWER**step - 1) / (SLOWER - 1) for step in range(1, steps + 1))


@dataclass(frozen=True, slots=True)
class _Choice:
    """A choice under way: the names and buttons to choose from; the lot, or with one button who is asked about."""

    names: tuple[str, ...]
    buttons: tuple[int, ...]
    lot: Lot | None = None
    about: int | None = None


class WhoBegins:
    """Runs choices of who begins, at most one at a time.

    `deal` is called with the seat that was chosen, and the moment of the press or of the lot's end.
    """

    def __init__(
        self, pins: PinMap, lot: Callable[[int], int], presenter: Presenter, deal: Callable[[int, float], None]
    ) -> None:
        """`lot` returns a random number below its argument."""
        self._one_for_all, self._start = EVERYONE in pins.contacts, pins.pause_button is not None
        self._lot, self._presenter, self._deal = lot, presenter, deal
        self._choice: _Choice | None = None

    @property
    def by_press(self) -> bool:
        """Whether a press says at the moment who begins."""
        return self._choice is not None and self._choice.lot is None

    def choose(self, state: State, players: Players, now: float) -> bool:
        """Begin to choose if the rules want that; return False if it is known who begins."""
        way = way_to_choose_first(state)
        if way is None:
            return False
        names = tuple(seat.name for seat in state.seats) or tuple(players.names[b] for b in players.buttons)
        self._choice = _Choice(names, players.buttons)
        if way is Starts.LOT:
            self._choice = replace(self._choice, lot=Lot(len(names), self._lot(len(names)), now))
            self._presenter.say(Notice("start.lot"))
            return True
        if way is Starts.DRAWN:
            self._presenter.say(Notice("start.draw"))
        if self._one_for_all:
            self._ask(self._choice, 0)
        else:
            self._presenter.say(Notice("start.press"))
        self._presenter.play(Cue.LONG)
        return True

    def stop(self) -> None:
        """End the choice without a result."""
        if self._choice is not None:
            self._choice = None
            self._presenter.choice(None)

    def handle_command(self, command: Command) -> bool:
        """Handle a press as part of the choice; return False if there is no choice, or the press is not about it."""
        one = self._choice
        if one is None or isinstance(command, Trouble):
            return False
        if one.lot is not None:
            self._presenter.not_now(Notice("start.lot_runs"))
            return True
        match command:
            case Begins(button, t, long):
                self._answer_press(one, button, t, long=long)
            case Start(long=False) if one.about is not None:
                self._ask(one, one.about + 1)
            case Start(long=False):
                self._call_off()
            case Start():
                self.stop()
                return False
            case _:
                return False
        return True

    def deal_if_due(self, now: float) -> None:
        """Deal once the lamps of the lot have stopped."""
        lot = None if self._choice is None else self._choice.lot
        if lot is not None and lot.next_due(now) is None:
            self.stop()
            self._deal(lot.seat, now)

    def next_due(self, now: float) -> float | None:
        """Return the next moment after `now` at which the light of the lot moves on; None if there is none."""
        lot = None if self._choice is None else self._choice.lot
        return None if lot is None else lot.next_due(now)

    def current_choice(self, now: float) -> Choosing | None:
        """Return what panel and page show of the choice; None if nothing is being chosen."""
        one = self._choice
        if one is None:
            return None
        if one.lot is not None:
            return Choosing(Way.LOT, {one.buttons[one.lot.lit_seat(now)]: Glow.ON})
        if one.about is None:
            return Choosing(Way.PRESS, dict.fromkeys(one.buttons, Glow.BLINK))
        blinks = {one.buttons[one.about]: Glow.BLINK}
        return Choosing(Way.ASK, blinks, one.names[one.about], held=not self._start)

    def _answer_press(self, one: _Choice, button: int | None, t: float, *, long: bool) -> None:
        if one.about is not None:
            if long or self._start:
                self._choose(one.about, t)
            else:
                self._ask(one, one.about + 1)
        elif long and not self._start:
            self._call_off()
        elif button in one.buttons:
            self._choose(one.buttons.index(button), t)
        else:
            self._presenter.not_now(Notice("start.nobody"))

    def _choose(self, seat: int, t: float) -> None:
        self.stop()
        self._deal(seat, t)

    def _ask(self, one: _Choice, about: int) -> None:
        """Ask whether one player begins, with one button for all."""
        self._choice = one = replace(one, about=about % len(one.names))
        name = one.names[about % len(one.names)]
        self._presenter.choice(Notice("play.name", name=name))
        self._presenter.say(Notice("start.is_it" if self._start else "start.is_it_held", player=name))

    def _call_off(self) -> None:
        self.stop()
        self._presenter.say(Notice("start.called_off"))
