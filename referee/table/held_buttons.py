"""Two buttons of the panel, pressed together and held for some seconds: a gesture that nobody makes by accident.

1. Both must go down within `TOGETHER_S`, the second while the first is still held. Then neither press counts for the
   match, and whatever the first of them has done already is undone: a pause, or the end of a turn.
2. One second later a tone begins to sound every second, and the display counts down.
3. Whoever lets go of one before the end has changed nothing.

An elbow lies on two buttons for a moment, and is told by the tones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from referee.devices.panel.debounce import Broken, Down, Press, Told
from referee.game.notice import Notice
from referee.table.output.presenter import Presenter
from referee.table.output.signals import Cue

TOGETHER_S = 0.6
"""Two presses that begin further apart are two presses. Less than `DebounceTiming.long`: neither is a long one yet."""
STEP_S = 1.0
Undo = Callable[[str, float], None]
"""Undoes what the press of a contact has done that began at a moment (monotonic seconds)."""


class HeldButtons:
    """Follows two buttons. Subclasses say what players are told, and what happens at the end."""

    hold_s = 5.0
    keep, let_go = "system.keep_holding", Notice("system.let_go")
    """The key of the notice to hold on, and the notice for somebody who has let go."""

    def __init__(self, pair: frozenset[str], presenter: Presenter, undo: Undo) -> None:
        """`pair` are the two contacts; empty: there is no such gesture."""
        self._pair, self._presenter, self._undo = pair, presenter, undo
        self.barred: Callable[[], bool] = lambda: False
        """Whether the gesture may not begin now, because a button of it belongs to another one under way."""
        self._down: dict[str, float] = {}
        """By contact, when its last press began; monotonic seconds."""
        self._presses: set[tuple[str, float]] = set()
        """Presses that belong to the pair and so mean nothing else."""
        self._since: float | None = None
        """Since when both are held; None if they are not."""
        self._steps = 0
        """How many seconds were counted."""

    @property
    def under_way(self) -> bool:
        """Whether both buttons are being held."""
        return self._since is not None

    def finish(self) -> None:
        """Do what the gesture is for."""
        raise NotImplementedError

    def is_possible(self) -> bool:
        """Return whether the gesture may begin now."""
        return True

    def handle_contact(self, contact: Told) -> bool:
        """Return whether an event of a contact belongs to the pair and means nothing else."""
        if contact.contact not in self._pair:
            return False
        match contact:
            case Down(name, t):
                self._down[name] = t
                return self._begins(name, t)
            case Press(name, t, long):
                # A long press is reported while the button is still held, a short one when it is released.
                if not long and self._down.get(name) == t:
                    del self._down[name]
                return (name, t) in self._presses
            case Broken():
                self._cancel()
        return False

    def _begins(self, name: str, t: float) -> bool:
        (other,) = self._pair - {name}
        late = abs(t - self._down.get(other, -math.inf)) > TOGETHER_S
        if self._since is not None or late or self.barred() or not self.is_possible():
            return False
        if (other, self._down[other]) in self._presses:
            return False  # it was held already when the attempt before was given up
        self._presses = {(name, t), (other, self._down[other])}
        self._since, self._steps = t, 0
        self._undo(other, self._down[other])
        return True

    def watch(self, now: float, closed: Callable[[], Collection[str]]) -> None:
        """Count on, or end; `closed` returns the buttons that are closed now."""
        if self._since is None:
            return
        if not self._pair <= frozenset(closed()):
            self._cancel()
        elif now - self._since >= self.hold_s:
            self._since, self._steps = None, 0
            self._presenter.display(None)
            self.finish()
        elif (steps := int((now - self._since) / STEP_S)) > self._steps:
            self._count(steps)

    def next_due(self) -> float | None:
        """Return the next moment (monotonic seconds) at which `watch` has something to do; None if there is none."""
        return None if self._since is None else self._since + (self._steps + 1) * STEP_S

    def _count(self, steps: int) -> None:
        left = round(self.hold_s - steps * STEP_S)
        if not self._steps:
            self._presenter.say(Notice(self.keep, seconds=left))
        self._steps = steps
        self._presenter.play(Cue.COUNT)
        self._presenter.display(Notice("system.countdown", seconds=left))

    def _cancel(self) -> None:
        if self._since is not None and self._steps:
            self._presenter.say(self.let_go)
            self._presenter.play(Cue.LEFT)
            self._presenter.display(None)
        self._since, self._steps = None, 0
