"""A session: the state of the match together with its journal.

An event is first applied by the rules and then written to the journal; only then are its effects carried out. So
whenever the power is cut, the journal has everything that people have seen or heard.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.game.judge.verdict import FaultKind
from referee.game.match.events import Coached, Effect, Event, MatchTimeUp, Paused, Resumed, Show, Started
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.journal.journal import Journal
from referee.journal.replay import Kept
from referee.journal.rows import Setup

Now = Callable[[], float]


class MatchTime:
    """Converts the monotonic clock to match time in seconds, which continues from where the last run ended."""

    def __init__(self, monotonic: Now, start: float = 0.0) -> None:
        self._monotonic = monotonic
        self._zero = monotonic() - start

    def now(self) -> float:
        """Return the present match time."""
        return self.time_at(self._monotonic())

    def time_at(self, monotonic: float) -> float:
        """Return the match time at a moment of the monotonic clock."""
        return monotonic - self._zero

    def monotonic(self, t: float) -> float:
        """Return the moment of the monotonic clock at the match time `t`."""
        return t + self._zero


@dataclass(frozen=True, slots=True)
class Players:
    """Who sits where: the name at each button of the panel, and the number of the button of each seat of the match."""

    names: tuple[str, ...]
    buttons: tuple[int, ...]

    @classmethod
    def for_names(cls, names: tuple[str, ...], playing: tuple[str, ...]) -> Players:
        """Return the seats of `playing`, each with the button of that name.

        If one of them is not among `names`, the seats have the buttons in order: the first seat the first button.
        """
        known = all(name in names for name in playing)
        buttons = tuple(names.index(name) for name in playing) if known else tuple(range(len(playing)))
        return cls(names, buttons)

    def seat(self, button: int) -> int | None:
        """Return the seat that has this button; None if no player has it."""
        return self.buttons.index(button) if button in self.buttons else None


class Session:
    """The match and its journal."""

    def __init__(self, journal: Journal, setup: Setup, kept: Kept | None = None) -> None:
        """`kept` is the last match in the journal if it is to continue, otherwise None."""
        self.journal = journal
        self.setup = setup if kept is None else kept.setup
        self.state: State = setup.state() if kept is None else kept.state
        self.undeclared = False
        """Whether the current turn was refused only because nobody said what the jokers stand for."""

    @property
    def match_state(self) -> tuple[State, tuple[int, int] | None, str | None]:
        """The state of the match, the place of its last event in the journal (match, number), and the draw.

        The draw is that of a tournament; None if the match belongs to none.
        """
        return self.state, self.journal.place, self.setup.draw

    def players(self, names: tuple[str, ...]) -> Players:
        """Return who sits where, if the buttons have these names.

        In a match that belongs to the draw of a tournament the players sit at the buttons in order.
        """
        playing = tuple(seat.name for seat in self.state.seats)
        return Players.for_names(names if self.setup.draw is None else playing, playing)

    def handle(self, event: Event) -> tuple[Effect, ...]:
        """Apply an event and write it to the journal; return its effects, which the caller carries out.

        Raises OutOfOrder or BadInput if it cannot happen now; then nothing has changed.
        """
        state, effects = apply(self.state, event)
        if isinstance(event, Started):
            self.journal.begin(self.setup, event, state)
        else:
            self.journal.append(event, state)
        if not isinstance(event, Paused | Resumed | Coached | MatchTimeUp):
            same_turn = state.phase is Phase.TURN and state.current == self.state.current
            self.undeclared = same_turn and any(map(_only_undeclared, effects))
        self.state = state
        return effects

    def back_after_a_cut(self, t: float) -> tuple[Effect, ...]:
        """Pause the clock of a turn at `t`, when the power came back; return the effects."""
        return self.handle(Paused(t)) if self.state.phase is Phase.TURN else ()

    def clear(self, setup: Setup) -> None:
        """End the match, as given up if it is not over, and wait for the players of the next one."""
        if self.state.phase.in_match:
            self.journal.give_up()
        self.setup, self.state = setup, setup.state()


def _only_undeclared(effect: Effect) -> bool:
    """Return whether this is a verdict that only says that nobody said what a joker stands for."""
    return isinstance(effect, Show) and {fault.kind for fault in effect.verdict.faults} == {FaultKind.JOKER_UNDECLARED}
