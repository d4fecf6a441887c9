"""An earlier round written down wrongly: its facts are replaced, and everything that follows from them is new."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.errors import BadInput
from referee.game.match.events import Corrected, Effect, OutOfOrder, Say, ScoreRound
from referee.game.match.phases import Phase
from referee.game.match.round_end import settle
from referee.game.match.state import State, Step
from referee.game.notice import Notice
from referee.game.rulebooks.model import Ruleset
from referee.game.scoring import Ending, RoundScore, hand_points, no_score, score_counted, score_round


def correct(state: State, event: Corrected) -> Step:
    """Write an earlier round anew: nothing changes but the sheet and, between rounds, whether the match is over.

    Raises OutOfOrder for a round that was not played, BadInput for what no round can have been.
    """
    played = len(state.sheet.rounds)
    if not 1 <= event.round <= played:
        raise OutOfOrder(f"expected a round that was played, got {event.round} (rounds played: {played})")
    score = _score(event, state.rules, len(state.seats))
    was = state.phase
    state = replace(state, sheet=state.sheet.corrected(event.round, score, event.t))
    effects: tuple[Effect, ...] = (ScoreRound(score, event.round), Say(Notice("match.corrected", round=event.round)))
    if not was.scored:
        return state, effects
    state, more = settle(state)
    if was is Phase.OVER and state.phase is Phase.BETWEEN:
        more = (Say(Notice("match.open_again")),)
    return state, (*effects, *more)


def _score(event: Corrected, rules: Ruleset, players: int) -> RoundScore:
    winner, hands = event.winner, event.hands
    if len(hands) != players or min(hands) < 0:
        raise BadInput(f"expected points of {players} hands, none below 0, got {hands}")
    if sum(hands) > hand_points(Counter(rules.box.inventory()).elements(), rules):
        raise BadInput(f"expected no more points in the hands than the box has, got {hands}")
    if winner is not None and not 0 <= winner < players:
        raise BadInput(f"expected a winner out of seats 0-{players - 1}, got {winner}")
    if rules.knocking is not None:
        return _given(event, players)
    if event.scores is not None:
        raise BadInput(f"expected points left in the hands, from which scores follow, got scores {event.scores}")
    if winner is None:
        if event.in_one_turn:
            raise BadInput("expected a winner who laid the whole hand in one turn, got none")
        if rules.laying.stock_counts:
            return score_counted(hands, rules)
        if any(hands):
            raise BadInput(f"expected who went out, for otherwise nobody scores, got only hands {hands}")
        return no_score(players)
    if hands[winner]:
        raise BadInput(f"expected no points in the hand of the winner, got {hands[winner]}")
    return score_round(hands, winner, rules, in_one_turn=event.in_one_turn)


def _given(event: Corrected, players: int) -> RoundScore:
    if event.scores is None or len(event.scores) != players:
        raise BadInput(f"expected the scores of {players} players, got {event.scores}")
    others = [points for seat, points in enumerate(event.scores) if seat != event.winner]
    if any(others) or (event.winner is not None and event.scores[event.winner] <= 0):
        raise BadInput(f"expected points for the winner only, got {event.scores} with the winner {event.winner}")
    return RoundScore(event.winner, event.hands, event.scores, Ending.GIVEN)
