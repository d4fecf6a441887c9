"""Who begins a round: what follows from the match, and what players or lots must tell."""

import pytest
from gin_game import ANN
from match_driver import Game

from referee.game.match.events import RoundStarted, Started
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.match.round import usual_first_seat, way_to_choose_first
from referee.game.rulebooks import RULESETS, ruleset
from referee.game.rulebooks.model import Starts
from referee.game.scoring import ScoreSheet, no_score, score_round


@pytest.mark.parametrize(
    ("book", "way"),
    [("ravensburger", "lot"), ("brettspielnetz", "lot"), ("piatnik", "agreed"), ("classic", "lot"),
     ("gin", "winner"), ("rummikub", "drawn")],
)  # fmt: skip
def test_every_book_has_its_own_way(book, way):
    assert ruleset(book).starts == way
    option = next(option for option in RULESETS[book].options if option.name == "starts")
    assert set(option.every_choice) == set(Starts)


def between(starts, winner, first=0):
    game = Game(players=3, options={"starts": starts})
    score = no_score(3) if winner is None else score_round((0, 5, 6), winner, game.state.rules)
    return game.fields(phase=Phase.BETWEEN, sheet=ScoreSheet(("Ann", "Ben", "Cleo"), (score,)), first=first)


@pytest.mark.parametrize(
    ("starts", "winner", "begins"),
    [("next", 0, 2), ("lot", 0, 2), ("winner", 0, 0), ("winner", None, 1)],
)
def test_without_a_word_the_next_begins_or_the_winner_or_the_same_player(starts, winner, begins):
    game = between(starts, winner, first=1)
    assert usual_first_seat(game.state) == begins
    assert apply(game.state, RoundStarted(99.0))[0].first == begins
    assert apply(game.state, RoundStarted(99.0, first=0))[0].first == 0


def test_before_a_match_nobody_has_won():
    state = between("winner", None).fields(sheet=ScoreSheet(("Ann", "Ben", "Cleo"))).state
    assert usual_first_seat(state) == 0


@pytest.mark.parametrize("starts", list(Starts))
def test_what_must_be_chosen_at_the_table(starts):
    before = new_match(ruleset("ravensburger").choose(starts=starts))
    chosen = {Starts.NEXT: None, Starts.WINNER: Starts.LOT}.get(starts, starts)
    assert way_to_choose_first(before) is chosen
    later = None if starts in (Starts.NEXT, Starts.WINNER) else starts
    assert way_to_choose_first(between(starts, 0).state) is later


def test_a_match_of_the_first_edition_goes_on_clockwise():
    for book, rules in RULESETS.items():
        assert rules.of_edition(1).starts is (Starts.WINNER if book == "gin" else Starts.NEXT)


def test_gin_may_go_clockwise_too():
    state = new_match(ruleset("gin").choose(starts="next"))
    state, _ = apply(state, Started(("Ann", "Ben"), 0.0, first=1))
    assert (state.first, state.current, usual_first_seat(state)) == (1, ANN, 0)
