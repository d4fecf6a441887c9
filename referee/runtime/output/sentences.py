"""What the loop says: effects and resumed matches in plain sentences."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from referee.errors import BadInput
from referee.game.match.events import (
    DrawTile,
    Effect,
    Event,
    Insisted,
    MatchOver,
    OutOfOrder,
    Paused,
    Pressed,
    PutRight,
    Resumed,
    Say,
    ScoreRound,
    Show,
    Withdrawn,
)
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.wording import count, joined

SAY_JOKERS = "Say what the joker stands for, then press again."
"""What a player is told whose turn is refused for that reason only."""


_NOT_NOW = "Not now: the referee waits for something else."
_PRESSED = {
    Phase.PAUSED: "The match is paused: press start to go on.",
    Phase.BETWEEN: "The round is over: press start for the next one.",
    Phase.OVER: "The match is over: press start for another one.",
}
"""What a press for a turn is answered where no turn can end."""


def in_words(effect: Effect, state: State) -> tuple[Notice | str, ...]:
    """What an effect says to the players, sentence by sentence, with the state it led to.

    Nothing where lamps and tones say it all.
    """
    names = [seat.name for seat in state.seats]
    told: tuple[Notice | str, ...] = ()
    match effect:
        case Say(notice):
            told = (notice,)
        case PutRight(steps=steps):
            told = steps
        case Show(verdict) if verdict.accepted and verdict.laid:
            points = "" if state.rules.knocking is not None else f", {count(verdict.points, 'point')}"
            told = (f"Accepted{points}.",)
        case DrawTile(player, number):
            told = (f"{names[player]} draws {count(number, 'tile')}.",)
        case ScoreRound(score, number):
            told = (f"Round {number}: {_points(names, score.scores)}.",)
        case MatchOver(winners, totals):
            won = joined([names[seat] for seat in winners])
            told = (f"The match is over: {won} won ({_points(names, totals)}).",)
    return told


READY = "Ready: press start, or first the own button, everybody who plays."
"""What is told before a match."""


def stopped_in_words(event: Event, before: State, state: State) -> str | None:
    """What a pause that begins or ends is told as; None for every other event."""
    if isinstance(event, Paused):
        return _PRESSED[Phase.PAUSED]
    if isinstance(event, Resumed) and before.phase is Phase.PAUSED:
        return f"The match goes on: {state.seat.name}, it is your turn."
    return None


def joined_in_words(names: Sequence[str], button: int, among: Collection[int], *, long: bool) -> str:
    """Who sits down before the match, or leaves, and who plays now."""
    name = names[button] if button < len(names) else f"Button {button + 1}"
    did = "joins and begins" if long else "joins" if button in among else "leaves"
    playing = [names[other] for other in sorted(among) if other < len(names)]
    return f"{name} {did}" + (f"; {joined(playing)} {'plays' if len(playing) == 1 else 'play'}." if playing else ".")


def back_in_words(state: State) -> str:
    """Where a match stands that goes on after the power was cut: what was said last may not have been heard."""
    if state.phase is Phase.BETWEEN:
        return f"The match goes on after round {len(state.sheet.rounds)}: press start for the next one."
    holding = joined([f"{seat.name} should hold {count(seat.hand, 'tile')}" for seat in state.seats])
    return f"The match goes on where it stood: {holding}. Press start when all are seated."


def not_now_in_words(event: Event, state: State, error: BadInput) -> str:
    """Why the rules do not take an event just now."""
    if not isinstance(error, OutOfOrder):
        return str(error)
    if isinstance(event, Withdrawn):
        return "That press can no longer be taken back."
    if not isinstance(event, Pressed | Insisted):
        return _NOT_NOW
    if state.phase.in_round and state.phase is not Phase.PAUSED and event.player != state.current:
        shows = " to lay the hand down" if state.phase is Phase.SHOWING else ""
        return f"It is {state.seat.name}'s turn{shows}."
    return "One moment: the referee is looking." if state.phase.looks else _PRESSED.get(state.phase, _NOT_NOW)


def _points(names: Sequence[str], points: Sequence[int]) -> str:
    said = zip(names, points, strict=True)
    return ", ".join(f"{name} {number:+d}" if number else f"{name} 0" for name, number in said)
