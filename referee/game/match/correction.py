"""Corrections of an earlier round: its facts are replaced, and everything that follows from them is computed again."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.errors import BadInput
from referee.game.match.events import Corrected, Effect, OutOfOrder, Say, ScoreRound
from referee.game.match.phases import Phase
from referee.game.match.round_end import settle
from referee.game.match.state import State, Transition
from referee.game.notice import Notice
from referee.game.rulebooks.model import Ruleset
from referee.game.scoring import Ending, RoundScore, hand_points, no_score, score_counted, score_round


def correct(state: State, event: Corrected) -> Transition:
    """Correct an earlier round. Only the score sheet changes and, between rounds, whether the match is over.

    Raises OutOfOrder for a round that was not played, and BadInput for values that no round can have had.
    """
    played = len(state.sheet.rounds)
    if not 1 <= event.round <= played:
        raise OutOfOrder(Notice("scores.not_played", round=event.round, played=played))
    score = _score(event, state.rules, len(state.seats))
    was = state.phase
    state = replace(state, sheet=state.sheet.with_correction(event.round, score, event.t, event.who, event.why))
    effects: tuple[Effect, ...] = (ScoreRound(score, event.round), Say(Notice("match.corrected", round=event.round)))
    if not was.is_scored:
        return state, effects
    state, more = settle(state)
    if was is Phase.OVER and state.phase is Phase.BETWEEN:
        more = (Say(Notice("match.open_again")),)
    return state, (*effects, *more)


def check_correction(state: State, asked: Corrected) -> Corrected | None:
    """Return the correction of a round in the form that the journal keeps; None if it would change nothing.

    `asked` has the points of the round in `hands`, even if the book gives them directly. Raises OutOfOrder for a round
    that was not played, and BadInput for values that no round can have had.
    """
    if state.rules.knocking is not None:
        asked = replace(asked, hands=(0,) * len(asked.hands), scores=asked.hands)
    after = correct(state, asked)[0].sheet.rounds[asked.round - 1]  # refuses a round that was not played
    before = state.sheet.rounds[asked.round - 1]
    return None if _correctable_values(state, before) == _correctable_values(state, after) else asked


def _correctable_values(state: State, score: RoundScore) -> tuple[object, ...]:
    """Return the values of a round that can be corrected; two rounds with equal ones look the same on the sheet."""
    if state.rules.knocking is not None:
        return score.winner, score.scores
    return score.winner, score.scores, score.hands


def _score(event: Corrected, rules: Ruleset, players: int) -> RoundScore:
    winner, hands = event.winner, event.hands
    if len(hands) != players or min(hands) < 0:
        raise BadInput(Notice("scores.wrong_number", hands=players))
    if sum(hands) > hand_points(Counter(rules.box.inventory()).elements(), rules) + _most_unopened(players, rules):
        raise BadInput(Notice("scores.more_than_box", points=sum(hands)))
    if winner is not None and not 0 <= winner < players:
        raise BadInput(f"expected a winner out of seats 0-{players - 1}, got {winner}")
    if rules.knocking is not None:
        return _given_score(event, players)
    if event.scores is not None:
        raise BadInput(f"expected points left in the hands, from which scores follow, got scores {event.scores}")
    if winner is None:
        if event.in_one_turn:
            raise BadInput(Notice("scores.nobody_in_one_turn"))
        if rules.meld_rules.stock_counts:
            return score_counted(hands, rules)
        if any(hands):
            raise BadInput(Notice("scores.nobody_went_out"))
        return no_score(players)
    if hands[winner]:
        raise BadInput(Notice("scores.winner_has_points", points=hands[winner]))
    return score_round(hands, winner, rules, in_one_turn=event.in_one_turn)


def _most_unopened(players: int, rules: Ruleset) -> int:
    """Return the most points that all hands can count whatever is in them."""
    return players * max(rules.scoring.unopened or 0, rules.scoring.withheld or 0)


def _given_score(event: Corrected, players: int) -> RoundScore:
    if event.scores is None or len(event.scores) != players:
        raise BadInput(f"expected the scores of {players} players, got {event.scores}")
    others = [points for seat, points in enumerate(event.scores) if seat != event.winner]
    if any(others) or (event.winner is not None and event.scores[event.winner] <= 0):
        raise BadInput(Notice("scores.only_the_winner"))
    return RoundScore(event.winner, event.hands, event.scores, Ending.GIVEN)
