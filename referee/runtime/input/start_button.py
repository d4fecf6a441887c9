"""What the start button means just now: pure, from the phase of the match.

It deals, pauses and goes on. Held, it ends the match in every phase in which the referee waits for people, or for a
camera that may never answer: during a pause at once, for a pause is a press of its own; elsewhere, and after a power
cut, only when it is held a second time soon after, so that no elbow ends a match.
"""

from __future__ import annotations

import enum
import math

from referee.game.match.phases import Phase

ONCE_MORE_S = 10.0
"""So long after it was told that holding once more ends the match, it does."""
ONCE_MORE = f"Hold start once more within {ONCE_MORE_S:.0f} seconds to end the match."

ENROL_ONCE_MORE = (
    f"Hold start once more within {ONCE_MORE_S:.0f} seconds to enrol the box of tiles; press it to begin."
)


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
    NOT_NOW = enum.auto()


_SHORT = {
    Phase.LOBBY: Meaning.DEAL,
    Phase.BETWEEN: Meaning.DEAL,
    Phase.TURN: Meaning.PAUSE,
    Phase.PAUSED: Meaning.GO_ON,
    Phase.OVER: Meaning.NEXT,
}
_HELD = {Phase.LOBBY: Meaning.DEAL, Phase.TURN: Meaning.PAUSE, Phase.PAUSED: Meaning.END, Phase.OVER: Meaning.NEXT}
_LOOKS = "the referee looks at the table"
_WAITS_FOR = {
    Phase.LOOKING: _LOOKS,
    Phase.TIME_UP: _LOOKS,
    Phase.CHECKING: _LOOKS,
    Phase.COUNTING: _LOOKS,
    Phase.ASKING: "the referee waits for an answer",
    Phase.PUTTING_RIGHT: "the table must be put right first",
    Phase.SHOWING: "a hand must be laid open first",
}


def not_now(phase: Phase) -> str:
    """Why the start button does nothing in this phase."""
    return f"Not now: {_WAITS_FOR.get(phase, 'the referee waits for something else')}; hold start to end the match."


class StartButton:
    """The start button, with the memory of having been held."""

    def __init__(self) -> None:
        self._held = -math.inf

    def means(self, phase: Phase, now: float, *, long: bool, cut: bool, enrols: bool = False) -> Meaning:
        """What a press told at `now` does; `cut`: a match waits to go on after a cut; `enrols`: a box can be."""
        if not long:
            return _SHORT.get(phase, Meaning.GO_ON if cut else Meaning.NOT_NOW)
        # After a cut nobody has asked for the pause: whoever is told to press start may press a little long.
        before_a_match = enrols and phase is Phase.LOBBY
        if phase in _HELD and not before_a_match and not (cut and phase is Phase.PAUSED):
            return _HELD[phase]
        again, self._held = now - self._held <= ONCE_MORE_S, now
        if not again:
            return Meaning.ENROL_ONCE_MORE if before_a_match else Meaning.ONCE_MORE
        self._held = -math.inf
        return Meaning.ENROL if before_a_match else Meaning.END
