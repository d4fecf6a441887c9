"""What happens at the table, as small facts for lamps and home servers in the house."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from referee.game.match.events import Ask, Effect, MatchOver, ScoreRound, Show
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.table.output.audience import DisplayState, PartialAudience
from referee.table.output.clock_marks import ClockMarks

Fact = Mapping[str, Any]
WLED = {
    "turn": {"on": True, "bri": 90, "seg": [{"col": [[255, 214, 170]], "fx": 0}]},
    "accepted": {"on": True, "bri": 160, "seg": [{"col": [[0, 200, 60]], "fx": 0}]},
    "refused": {"on": True, "bri": 200, "seg": [{"col": [[220, 0, 0]], "fx": 0}]},
    "question": {"on": True, "bri": 160, "seg": [{"col": [[255, 140, 0]], "fx": 2, "sx": 120}]},
    "time_nearly_up": {"on": True, "bri": 200, "seg": [{"col": [[255, 60, 0]], "fx": 1, "sx": 160}]},
    "round_over": {"on": True, "bri": 160, "seg": [{"fx": 9, "sx": 128}]},
    "match_over": {"on": True, "bri": 200, "seg": [{"fx": 9, "sx": 200}]},
    "pause": {"on": True, "bri": 30, "seg": [{"col": [[255, 214, 170]], "fx": 0}]},
}
"""The state of a WLED lamp after each event, for its JSON API: brightness, colour, and effect (0 solid, 1 blink,
2 breathe, 9 rainbow)."""


def wled_state(fact: Fact) -> Fact:
    """Return the state of a WLED lamp that shows an event."""
    name = fact["event"]
    if name == "verdict":
        name = "accepted" if fact["accepted"] else "refused"
    return WLED[name]


class HookEvents(PartialAudience):
    """An audience that passes facts to `send`, which must return at once."""

    def __init__(self, send: Callable[[Fact], None], now: Callable[[], float]) -> None:
        """`now` is the clock of the loop, in monotonic seconds."""
        self._send, self._marks = send, ClockMarks(now)
        self._turn: tuple[int, int] | None = None
        self._paused = False

    def on_event(self, effects: tuple[Effect, ...], state: State) -> None:
        """Send verdicts, questions, and the ends of rounds and matches."""
        names = [seat.name for seat in state.seats]
        for fact in _facts(effects, names):
            self._send(fact)

    def on_update(self, scene: DisplayState) -> None:
        """Send whose turn it is when that changes, a pause, and that the time is nearly up."""
        if scene.waiting:
            return
        state = scene.state
        paused = state.phase is Phase.PAUSED
        if paused and not self._paused:
            self._send({"event": "pause"})
            self._turn = None
        self._paused = paused
        turn = (len(state.sheet.rounds), state.current) if state.phase is Phase.TURN else None
        if turn is not None and turn != self._turn:
            self._send({"event": "turn", "player": state.seat.name})
        if turn is not None or not state.phase.in_round:
            self._turn = turn
        for seconds in self._marks.passed(state, scene.zero):
            self._send({"event": "time_nearly_up", "player": state.seat.name, "seconds": seconds})

    def on_taken_back(self) -> None:
        """Send the turn of whoever took back the press once the panel shows it."""
        self._turn = None


def _facts(effects: Iterable[Effect], names: list[str]) -> Iterable[Fact]:
    for effect in effects:
        match effect:
            case Show(verdict):
                yield {
                    "event": "verdict",
                    "accepted": verdict.accepted,
                    "laid": [tile.name for tile in verdict.laid],
                    "points": verdict.points,
                    "faults": [fault.kind.value for fault in verdict.told_faults],
                }
            case Ask(doubts) if doubts:
                yield {"event": "question", "doubts": len(doubts)}
            case ScoreRound(score, number):
                yield {"event": "round_over", "round": number, "scores": dict(zip(names, score.scores, strict=False))}
            case MatchOver(winners, totals):
                won = [names[seat] for seat in winners if seat < len(names)]
                yield {"event": "match_over", "winners": won, "totals": dict(zip(names, totals, strict=False))}
