from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.club.tournament.rules import Rules, Scheme, TieBreak
from referee.club.tournament.standings import of_round, of_table
from referee.club.tournament.state import Round, Table
from referee.errors import BadInput
from referee.game.rulebooks import RULESETS

HIGH, LOW = Rules(3), Rules(3, highest_wins=False)


def points(totals, rules=HIGH):
    played = of_table(Table(tuple(range(1, len(totals) + 1)), tuple(totals)), rules)
    return [played[player].points for player in range(1, len(totals) + 1)]


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ((50, -50), [12, 0]),
        ((7, 7), [6, 6]),
        ((30, -10, -20), [12, 6, 0]),
        ((5, 5, -10), [9, 9, 0]),
        ((10, -5, -5), [12, 3, 3]),
        ((-9, 3, 40, -34), [4, 8, 12, 0]),
        ((9, 9, 0, 0), [10, 10, 2, 2]),
        ((9, 9, 9, 0), [8, 8, 8, 0]),
        ((1, 1, 1, 1), [6, 6, 6, 6]),
    ],
)
def test_places_are_worth_points_and_ties_share_them(totals, expected):
    assert points(totals) == expected


def test_where_the_lowest_total_wins_places_turn_round():
    assert points((40, 0, 17), LOW) == [0, 12, 6]
    played = of_table(Table((1, 2, 3), (40, 0, 17)), LOW)
    assert [played[player].margin for player in (1, 2, 3)] == [Fraction(-63, 2), Fraction(57, 2), 3]
    assert played[2].ahead == {1, 3}


@given(st.lists(st.integers(-500, 500), min_size=2, max_size=4), st.sampled_from([HIGH, LOW]))
def test_tables_of_all_sizes_give_six_points_a_head(totals, rules):
    given_out = points(totals, rules)
    assert sum(given_out) == 6 * len(totals)
    assert all(one.denominator == 1 for one in given_out)
    played = of_table(Table(tuple(range(len(totals))), tuple(totals)), rules)
    assert sum(one.margin for one in played.values()) == 0
    assert sum(one.won for one in played.values()) == (len({*totals}) > 1)


def test_a_bye_is_worth_a_middle_place_and_a_table_without_result_nothing_yet():
    one = Round((Table((1, 2), (3, 4)), Table((4, 5))), (3,))
    played = of_round(one, HIGH)
    assert {player: line.points for player, line in played.items()} == {1: 0, 2: 12, 3: 6}
    assert played[3].place is None


def test_other_schemes_can_be_agreed():
    rules = Rules(3, scheme=Scheme(two=(3, 1), three=(4, 2, 1), four=(5, 3, 2, 1), bye=2))
    assert points((4, 3, 2, 1), rules) == [5, 3, 2, 1]
    assert points((4, 4, 2, 1), rules) == [4, 4, 2, 1]
    assert points((4, 3, 3), rules) == [4, Fraction(3, 2), Fraction(3, 2)]


@pytest.mark.parametrize("row", [(0, 12), (5, 5)])
def test_schemes_in_which_the_last_is_as_good_as_the_first_are_refused(row):
    with pytest.raises(BadInput, match="fall"):
        Scheme(two=row)


@pytest.mark.parametrize(
    "changes",
    [
        {"rounds": 0},
        {"rounds": 3, "seed": -1},
        {"rounds": 3, "smallest": 1},
        {"rounds": 3, "largest": 5},
        {"rounds": 3, "smallest": 4, "largest": 3},
        {"rounds": 3, "tie_breaks": (TieBreak.WINS, TieBreak.WINS)},
    ],
)
def test_rules_that_nobody_can_play_by_are_refused(changes):
    with pytest.raises(BadInput, match="expected"):
        Rules(**changes)


@pytest.mark.parametrize("name", RULESETS)
def test_every_rule_book_has_its_tournament(name):
    book = RULESETS[name]
    rules = Rules.by_book(book, rounds=5, seed=1)
    assert (rules.smallest, rules.largest) == book.players
    assert rules.highest_wins == book.scoring.highest_wins
