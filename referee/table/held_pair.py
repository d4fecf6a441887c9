"""Switching the machine off at the panel: two buttons, pressed together and held for five seconds.

At the end the system is asked to shut the machine down. If it refuses, that is told, and the match goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import Future

from referee.devices.system.power import Going
from referee.devices.wiring.pins import PAUSE, PinMap
from referee.game.notice import Notice
from referee.table.held_buttons import HeldButtons, Undo
from referee.table.output.presenter import Presenter
from referee.table.output.signals import Cue
from referee.table.surroundings import MachinePower

HOLD_S = HeldButtons.hold_s
ASKED_AGAIN_S = 0.25
"""How often it is looked whether the system has answered."""
NO_ANSWER = Notice("system.no_answer")


def pair_of(pins: PinMap) -> frozenset[str]:
    """Return the two buttons: start and that of the first player, or those of the first two players without a start.

    Empty if the panel has only one button.
    """
    buttons = [contact for contact in pins.contacts if contact != PAUSE]
    pair = [PAUSE, *buttons[:1]] if PAUSE in pins.contacts else buttons[:2]
    return frozenset(pair) if len(pair) == 2 else frozenset()


class HeldPair(HeldButtons):
    """Follows the two buttons that switch the machine off."""

    def __init__(
        self,
        pins: PinMap,
        power: MachinePower | None,
        presenter: Presenter,
        now: Callable[[], float],
        undo: Undo,
    ) -> None:
        """`power` None: nothing is switched off. `undo` undoes what a press that began at a moment has done."""
        super().__init__(frozenset() if power is None else pair_of(pins), presenter, undo)
        self._power, self._now = power, now
        self._asked: Future[Notice | None] | None = None
        self._told: Going | None = None

    def is_possible(self) -> bool:
        """Return whether the gesture may begin: not while the system has been asked already."""
        return self._asked is None

    def watch(self, now: float, closed: Callable[[], Collection[str]]) -> None:
        """Count on, or end, and take the answer of the system."""
        if self._asked is not None and self._asked.done():
            self._take_answer(self._asked)
        if self._power is not None and self._power.going is not self._told and self._asked is None:
            self._tell_going(self._power.going)
        super().watch(now, closed)

    def next_due(self) -> float | None:
        """Return the next moment (monotonic seconds) at which `watch` has something to do; None if there is none."""
        return self._now() + ASKED_AGAIN_S if self._asked is not None else super().next_due()

    def finish(self) -> None:
        """Ask the system to shut the machine down."""
        self._presenter.play(Cue.LONG)
        if self._power is not None:
            self._asked = self._power.end_soon(Going.OFF)

    def _take_answer(self, asked: Future[Notice | None]) -> None:
        self._asked = None
        refused = NO_ANSWER if asked.cancelled() or asked.exception() is not None else asked.result()
        if refused is not None:
            self._presenter.not_now(refused)

    def _tell_going(self, going: Going | None) -> None:
        """Tell those at the table that the machine ends, whoever has asked for that."""
        self._told = going
        if going is not None:
            self._presenter.say(Notice("system.goes_off" if going is Going.OFF else "system.restarts"))
