"""Figures of the last matches, without names: how many turns, refusals and doubts, and how long they took."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.errors import BadInput
from referee.game.match.events import Agreed, Event, Pressed, Settled, Show, Withdrawn
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.rulebooks import RULESETS
from referee.journal.codec import from_text
from referee.journal.replay import intact_events
from referee.journal.rows import Row, Setup, broken_at, clock_was_set


@dataclass(slots=True)
class MatchFigures:
    """What is counted in one match."""

    setup: Setup
    day: str
    players: int = 0
    accepted: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """The refusals by the kind of their first fault."""
    asked: int = 0
    """How many looks had a doubt that players were asked about."""
    spared: int = 0
    """How many doubts needed no answer."""
    told: int = 0
    """How many tiles players named."""
    agreed: int = 0
    withdrawn: int = 0
    rounds: int = 0
    answers_s: list[float] = field(default_factory=list)
    """Seconds of match time from each press to its verdict."""
    turns_s: list[float] = field(default_factory=list)
    refused_events: list[int] = field(default_factory=list)
    """The numbers of the events whose verdict was a refusal, in order."""
    unreadable: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON values; only numbers, and names of ours."""
        rules = self.setup.rules if self.setup.rules in RULESETS else "unknown"
        return {
            "day": self.day,
            "rules": rules,
            "edition": self.setup.edition,
            "players": self.players,
            "rounds": self.rounds,
            "turns": len(self.turns_s),
            "accepted": self.accepted,
            "refused": dict(sorted(self.refused.items())),
            "looks_with_questions": self.asked,
            "doubts_without_question": self.spared,
            "tiles_named_by_players": self.told,
            "agreed": self.agreed,
            "withdrawn": self.withdrawn,
            "seconds_from_press_to_verdict": _spread(self.answers_s),
            "seconds_of_a_turn": _spread(self.turns_s),
            "unreadable_rows": self.unreadable,
        }


def match_figures(rows: Sequence[Row]) -> MatchFigures:
    """Return the figures of a match from its rows, as far as they can be read."""
    wall = next((row.wall for row in rows if clock_was_set(row.wall)), "")
    try:
        figures = MatchFigures(from_text(rows[0].body, Setup), _day(wall))
        state = figures.setup.state()
    except (BadInput, IndexError):
        return MatchFigures(Setup("unknown"), _day(wall), unreadable=True)
    figures.unreadable = broken_at(rows) is not None
    pressed: float | None = None
    turn: tuple[int, float] | None = None
    try:
        for number, event in intact_events(rows):
            before = state
            state, effects = apply(before, event)
            if isinstance(event, Pressed) and before.phase is Phase.TURN:
                pressed = event.t
            for effect in effects:
                if isinstance(effect, Show):
                    _count_verdict(figures, effect, number)
                    if pressed is not None:
                        figures.answers_s.append(event.t - pressed)
                        pressed = None
            _count_event(figures, event)
            turn = _follow_turn(figures, turn, state, event)
    except BadInput:  # of another version: what was read before it counts
        figures.unreadable = True
    figures.players, figures.rounds = len(state.seats), len(state.sheet.rounds)
    return figures


def _count_verdict(figures: MatchFigures, effect: Show, number: int) -> None:
    if effect.verdict.accepted:
        figures.accepted += 1
        return
    faults = effect.verdict.told_faults
    figures.refused[faults[0].kind.value if faults else "other"] += 1
    figures.refused_events.append(number)


def _count_event(figures: MatchFigures, event: Event) -> None:
    figures.asked += bool(getattr(event, "doubts", ()))
    figures.spared += len(getattr(event, "unsure", ()))
    figures.told += isinstance(event, Settled)
    figures.agreed += isinstance(event, Agreed)
    figures.withdrawn += isinstance(event, Withdrawn)


def _follow_turn(
    figures: MatchFigures, turn: tuple[int, float] | None, state: State, event: Event
) -> tuple[int, float] | None:
    """Return the player whose turn it is now, and since when; note how long the turn before took if it has ended."""
    if turn is not None and (state.current != turn[0] or not state.phase.in_round):
        figures.turns_s.append(max(0.0, event.t - turn[1]))
        turn = None
    if turn is None and state.phase is Phase.TURN:
        turn = state.current, event.t
    return turn


def _spread(seconds: Sequence[float]) -> dict[str, float] | None:
    """Return the median and the largest of some times, in seconds; None if there are none."""
    if not seconds:
        return None
    return {"median": round(statistics.median(seconds), 2), "largest": round(max(seconds), 2)}


def _day(wall: str) -> str:
    """Return the day of a time of day that the journal wrote; empty if it cannot be one."""
    day = wall[:10]
    return day if len(day) == 10 and all(one.isascii() and (one.isdigit() or one == "-") for one in day) else ""
