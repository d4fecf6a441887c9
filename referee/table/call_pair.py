"""Calling the director at the panel: start and the last player's button, pressed together and held for three seconds.

Start alone is no gesture for this: held during a pause it ends the match. Start and the first player's button switch
the machine off (`held_pair.py`). A panel with fewer than two players' buttons, or without start, has no such gesture;
people at such a table call on the page.
"""

from __future__ import annotations

from referee.devices.wiring.pins import PAUSE, PinMap
from referee.game.notice import Notice
from referee.table.desk import Desk
from referee.table.desk_values import CallDirector
from referee.table.held_buttons import HeldButtons, Undo
from referee.table.output.presenter import Presenter


def call_pair_of(pins: PinMap) -> frozenset[str]:
    """Return start and the button of the last player; empty if the panel has no start, or fewer than two players."""
    buttons = [contact for contact in pins.contacts if contact != PAUSE]
    return frozenset((PAUSE, buttons[-1])) if PAUSE in pins.contacts and len(buttons) > 1 else frozenset()


class CallPair(HeldButtons):
    """Follows the two buttons that call the director; held once more, they withdraw the call."""

    hold_s = 3.0
    keep, let_go = "desk.keep_holding", Notice("desk.let_go")

    def __init__(self, pins: PinMap, desk: Desk, presenter: Presenter, undo: Undo) -> None:
        super().__init__(call_pair_of(pins) if desk.in_club else frozenset(), presenter, undo)
        self._desk = desk

    def finish(self) -> None:
        """Call the director, and stop the clock: whoever calls at the panel has no hands free to choose."""
        refused = self._desk.withdraw() if self._desk.is_calling else self._desk.call(CallDirector(stops=True))
        if refused is not None:
            self._presenter.not_now(refused)
