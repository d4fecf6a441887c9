"""What the start button means just now: pure, from the phase of the match.

It deals, pauses and goes on. Held, it ends the match in every phase in which the referee waits for people, or for a
camera that may never answer: during a pause at once, for a pause is a press of its own; elsewhere, and after a power
cut, only when it is held a second time soon after, so that no elbow ends a match. Before a match, held twice it begins
to enrol the box, where that can be, and held a third time it asks for another PIN of the page, where one is asked for.
"""

from __future__ import annotations

import enum
import math

from referee.game.match.phases import Phase
from referee.game.notice import Notice

ONCE_MORE_S = 10.0
"""How long after it was told that holding once more ends the match, it does."""
ONCE_MORE = Notice("play.hold_once_more", seconds=round(ONCE_MORE_S))

ENROL_ONCE_MORE = Notice("play.hold_once_more_to_enrol", seconds=round(ONCE_MORE_S))


class Meaning(enum.Enum):
    """What a press of the start button does."""

    DEAL = enum.auto()
    PAUSE = enum.auto()
    GO_ON = enum.auto()
    NEXT = enum.auto()
    """Put the match that is over away."""
    ONCE_MORE = enum.auto()
    """Nothing yet: held once more it ends the match."""
    END = enum.auto()
    ENROL_ONCE_MORE = enum.auto()
    """Nothing yet: held once more before a match it begins to enrol the box of tiles."""
    ENROL = enum.auto()
    PIN_TWICE_MORE = enum.auto()
    """Nothing yet: where no box can be enrolled start is held three times all the same."""
    PIN_ONCE_MORE = enum.auto()
    NOT_NOW = enum.auto()


HOLD_MORE = {
    Meaning.ONCE_MORE: ONCE_MORE,
    Meaning.ENROL_ONCE_MORE: ENROL_ONCE_MORE,
    Meaning.PIN_TWICE_MORE: Notice("play.hold_twice_more_for_pin", seconds=round(ONCE_MORE_S)),
    Meaning.PIN_ONCE_MORE: Notice("play.hold_once_more_for_pin", seconds=round(ONCE_MORE_S)),
}
"""What is said where nothing is done yet."""
_SHORT = {
    Phase.LOBBY: Meaning.DEAL,
    Phase.BETWEEN: Meaning.DEAL,
    Phase.TURN: Meaning.PAUSE,
    Phase.PAUSED: Meaning.GO_ON,
    Phase.OVER: Meaning.NEXT,
}
_HELD = {Phase.LOBBY: Meaning.DEAL, Phase.TURN: Meaning.PAUSE, Phase.PAUSED: Meaning.END, Phase.OVER: Meaning.NEXT}
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


def not_now(phase: Phase) -> Notice:
    """Why the start button does nothing in this phase."""
    return _WAITS_FOR.get(phase, Notice("play.start_later"))


class StartButton:
    """The start button, with the memory of having been held."""

    def __init__(self) -> None:
        self._held = -math.inf

    def means(
        self, phase: Phase, now: float, *, long: bool, cut: bool, enrols: bool = False, has_pin: bool = False
    ) -> Meaning:
        """What a press told at `now` does; `cut`: a match waits to go on after a cut; `enrols`: a box can be.

        `has_pin`: the page asks for one.
        """
        if not long:
            return _SHORT.get(phase, Meaning.GO_ON if cut else Meaning.NOT_NOW)
        # After a cut nobody has asked for the pause: whoever is told to press start may press a little long.
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
