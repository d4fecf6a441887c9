"""Notices for what happens in the loop: effects, pauses, matches that are continued."""

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
from referee.game.notice import Notice, told_by
from referee.game.scoring import Correction, ScoreSheet

SAY_JOKERS = Notice("play.say_jokers")
"""The notice for a player whose turn was refused only because nobody said what a joker stands for."""
READY = Notice("play.ready")
"""The notice before a match."""

_NOT_NOW = Notice("play.not_now")
_PRESSED = {
    Phase.PAUSED: Notice("play.paused"),
    Phase.BETWEEN: Notice("play.between"),
    Phase.OVER: Notice("play.over"),
}
"""The answers to a press of a player's button in phases in which no turn can end."""


def told_of(effect: Effect, state: State) -> tuple[Notice, ...]:
    """Return the notices of an effect for the players; `state` is the state after the event.

    Empty if lamps and tones say everything.
    """
    names = [seat.name for seat in state.seats]
    told: tuple[Notice, ...] = ()
    match effect:
        case Say(notice):
            told = (notice,)
        case PutRight(steps=steps):
            told = steps
        case Show(verdict) if verdict.accepted and verdict.laid:
            gin = state.rules.knocking is not None
            told = (Notice("play.accepted") if gin else Notice("play.accepted_points", points=verdict.points),)
        case DrawTile(player, number):
            told = (Notice("play.draws", player=names[player], number=number),)
        case ScoreRound(score, number):
            told = (Notice("play.round_scored", round=number, scores=scores_told(names, score.scores)),)
        case MatchOver(winners, totals):
            won = tuple(names[seat] for seat in winners)
            told = (Notice("play.match_over", winners=won, scores=scores_told(names, totals)),)
    return told


def correction_notice(correction: Correction) -> Notice | None:
    """Return who corrected a round, and why, as far as that is known; None if neither is known."""
    who, why = correction.who, correction.why
    if who and why:
        return Notice("scores.by_because", who=who, why=why)
    if who:
        return Notice("scores.by", who=who)
    return Notice("scores.because", why=why) if why else None


def agreement_notices(sheet: ScoreSheet) -> list[tuple[Notice, Notice | None]]:
    """Return for each turn that counts by agreement: whose it was and what was wrong, and who agreed, if known."""
    found = []
    for mark in sheet.agreements:
        turn = Notice("console.was_agreed", round=mark.round, player=sheet.players[mark.player], wrong=mark.wrong)
        by = tuple(sheet.players[seat] for seat in mark.by)
        found.append((turn, Notice("scores.agreed_by", players=by) if by else None))
    return found


def pause_notice(event: Event, before: State, state: State) -> Notice | None:
    """Return the notice for a pause that begins or ends; None for every other event."""
    if isinstance(event, Paused):
        return _PRESSED[Phase.PAUSED]
    if isinstance(event, Resumed) and before.phase is Phase.PAUSED:
        return Notice("play.goes_on", player=state.seat.name)
    return None


def sat_down(names: Sequence[str], button: int, among: Collection[int], *, long: bool) -> Notice:
    """Return the notice of who sits down before the match, or leaves, and who plays now."""
    who = Notice("play.name", name=names[button]) if button < len(names) else Notice("play.button", number=button + 1)
    did = "begins" if long else "joins" if button in among else "leaves"
    playing = tuple(names[other] for other in sorted(among) if other < len(names))
    if not playing:
        return Notice(f"play.{did}", who=who)
    return Notice(f"play.{did}_now", who=who, playing=playing)


def back_after_a_cut(state: State) -> Notice:
    """Return the notice for a match that continues after a power cut, as the last sentence may not have been heard."""
    if state.phase is Phase.BETWEEN:
        return Notice("play.back_between", rounds=len(state.sheet.rounds))
    holding = tuple(Notice("play.should_hold", player=seat.name, hand=seat.hand) for seat in state.seats)
    return Notice("play.back", holding=holding)


def not_now(event: Event, state: State, error: BadInput) -> Notice:
    """Return why the rules do not accept an event at the moment."""
    if not isinstance(error, OutOfOrder):
        return told_by(error)
    if isinstance(event, Withdrawn):
        return Notice("play.no_way_back")
    if not isinstance(event, Pressed | Insisted):
        return _NOT_NOW
    if state.phase.in_round and state.phase is not Phase.PAUSED and event.player != state.current:
        key = "play.others_hand" if state.phase is Phase.SHOWING else "play.others_turn"
        return Notice(key, player=state.seat.name)
    return Notice("play.looking") if state.phase.looks else _PRESSED.get(state.phase, _NOT_NOW)


def scores_told(names: Sequence[str], points: Sequence[int]) -> tuple[Notice, ...]:
    """Return notices of the points that each player gets or has, with a sign."""
    told = zip(names, points, strict=True)
    return tuple(Notice("play.score", player=name, points=number) for name, number in told)
