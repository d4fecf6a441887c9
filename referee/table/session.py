"""The referee's session: the match as it stands and the journal it is written in, always in step.

What happens is taken by the rules first, then written, and only then does anybody see or hear of it. A cut between any
two of these steps leaves a journal from which the same state comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.game.judge.verdict import FaultKind
from referee.game.match.events import Effect, Event, Paused, Resumed, Show, Started
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.journal.journal import Journal
from referee.journal.replay import Kept
from referee.journal.rows import Setup

Now = Callable[[], float]


class MatchTime:
    """Match time in seconds out of the monotonic clock; it goes on from where the last run ended."""

    def __init__(self, monotonic: Now, start: float = 0.0) -> None:
        self._monotonic = monotonic
        self._zero = monotonic() - start

    def now(self) -> float:
        """Match time now."""
        return self.time_at(self._monotonic())

    def time_at(self, monotonic: float) -> float:
        """Match time at a moment of the monotonic clock."""
        return monotonic - self._zero

    def monotonic(self, t: float) -> float:
        """The moment of the monotonic clock at the match time `t`."""
        return t + self._zero


@dataclass(frozen=True, slots=True)
class Players:
    """Who sits where: the names on all buttons, and for each seat of the match the number of its button."""

    names: tuple[str, ...]
    buttons: tuple[int, ...]

    @classmethod
    def for_names(cls, names: tuple[str, ...], playing: tuple[str, ...]) -> Players:
        """The players called `playing`, each at the button with that name; unknown ones in the order of the seats."""
        known = all(name in names for name in playing)
        buttons = tuple(names.index(name) for name in playing) if known else tuple(range(len(playing)))
        return cls(names, buttons)

    def seat(self, button: int) -> int | None:
        """The seat whose button that is; None for a button of nobody."""
        return self.buttons.index(button) if button in self.buttons else None


class Session:
    """The match and its journal."""

    def __init__(self, journal: Journal, setup: Setup, kept: Kept | None = None) -> None:
        """`kept` is the match that the journal ended with, if it is to go on."""
        self.journal = journal
        self.setup = setup if kept is None else kept.setup
        self.state: State = setup.state() if kept is None else kept.state
        self.undeclared = False
        """Whether nothing is wrong with the current player's turn but that nobody said what the jokers stand for."""

    @property
    def match_state(self) -> tuple[State, tuple[int, int] | None, str | None]:
        """The match as it stands, match and number of its last event in the journal, and the draw it belongs to."""
        return self.state, self.journal.place, self.setup.draw

    def players(self, names: tuple[str, ...]) -> Players:
        """Who sits where, `names` being those on the buttons; whom a draw has seated sits at the buttons in order."""
        playing = tuple(seat.name for seat in self.state.seats)
        return Players.for_names(names if self.setup.draw is None else playing, playing)

    def handle(self, event: Event) -> tuple[Effect, ...]:
        """Let the rules take an event and write it down; only then are its effects due.

        Raises OutOfOrder or BadInput for what cannot happen now: nothing has changed then.
        """
        state, effects = apply(self.state, event)
        if isinstance(event, Started):
            self.journal.begin(self.setup, event, state)
        else:
            self.journal.append(event, state)
        if not isinstance(event, Paused | Resumed):
            same_turn = state.phase is Phase.TURN and state.current == self.state.current
            self.undeclared = same_turn and any(map(_only_undeclared, effects))
        self.state = state
        return effects

    def back_after_a_cut(self, t: float) -> tuple[Effect, ...]:
        """Let a running clock stand from `t`, when the power came back."""
        return self.handle(Paused(t)) if self.state.phase is Phase.TURN else ()

    def clear(self, setup: Setup) -> None:
        """Leave the match as it is, and wait for the players of the next one."""
        if self.state.phase.in_match:
            self.journal.give_up()
        self.setup, self.state = setup, setup.state()


def _only_undeclared(effect: Effect) -> bool:
    """Whether a turn is refused for that one reason."""
    return isinstance(effect, Show) and {fault.kind for fault in effect.verdict.faults} == {FaultKind.JOKER_UNDECLARED}
