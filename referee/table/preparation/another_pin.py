"""Another PIN of the page: start held three times in a row before a match, whatever else is going on then.

Whoever has a PIN that leaked can test the panel or begin an enrolment, and presses mean something else meanwhile. The
holds are counted before all that, so that those at the table are never kept from another one.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from referee.devices.panel.debounce import Press, Told
from referee.devices.wiring.pins import PAUSE
from referee.table.input.start_button import ONCE_MORE_S
from referee.table.output.presenter import Presenter
from referee.table.output.signals import Cue
from referee.table.surroundings import PinOfPage

TIMES = 3
"""So often in a row start is held."""


class AnotherPin:
    """Counts how often start was held in a row."""

    def __init__(self, pin: PinOfPage | None, presenter: Presenter, now: Callable[[], float]) -> None:
        self._pin, self._presenter, self._now = pin, presenter, now
        self._times, self._last = 0, -math.inf

    @property
    def possible(self) -> bool:
        """Whether the page asks for one."""
        return self._pin is not None and self._pin.on_display() is not None

    def handle_contact(self, contact: Told) -> bool:
        """Count a hold of start; return whether it was the third one, so that there is another PIN."""
        if self._pin is None or not isinstance(contact, Press) or contact.contact != PAUSE:
            return False
        now = self._now()
        soon, self._last = now - self._last <= ONCE_MORE_S, now
        self._times = (self._times if soon else 0) + 1 if contact.long else 0
        new = self._pin.new_pin() if self._times >= TIMES else None
        if new is None:
            return False
        self._times = 0
        self._presenter.confide(new)
        self._presenter.play(Cue.LONG)
        self._presenter.display(self._pin.on_display())
        return True
