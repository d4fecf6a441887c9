"""Pairs of a group at tables of two, with earlier meetings and with players who came or left."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.club.tournament.seating import round_robin as module
from referee.club.tournament.seating.round_robin import remaining_rounds, round_robin


def pairs(rounds):
    return sorted(tuple(sorted(pair)) for one in rounds for pair in one)


def nobody_twice(rounds):
    return all(len({player for pair in one for player in pair}) == 2 * len(one) for one in rounds)


@given(
    edges=st.sets(st.integers(0, 8).flatmap(lambda one: st.tuples(st.just(one), st.integers(0, 8)))),
    turn=st.integers(0, 20),
)
@settings(deadline=None, max_examples=60)
def test_all_pairs_that_have_not_met_meet_once(edges, turn):
    met = {frozenset(edge) for edge in edges if edge[0] != edge[1]}
    wanted = [pair for pair in combinations(range(9), 2) if frozenset(pair) not in met]
    found = remaining_rounds(range(9), range(9), met, (), turn)
    assert pairs(found) == wanted
    assert nobody_twice(found)
    assert len(found) <= 9


def test_four_players_meet_in_three_rounds():
    rounds = {frozenset(map(frozenset, one)) for one in round_robin((1, 2, 3, 4))}
    wanted = (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3)))
    assert rounds == {frozenset(map(frozenset, one)) for one in wanted}


def test_another_turn_begins_with_another_round():
    first, second = (remaining_rounds(range(6), range(6), (), (), turn) for turn in (0, 1))
    assert first[0] != second[0]
    assert {*first} == {*second}


def test_a_search_that_takes_too_long_leaves_the_rounds_of_the_circle(monkeypatch):
    monkeypatch.setattr(module, "TRIES", 3)
    circle = round_robin(range(8))
    met = {frozenset(pair) for pair in (circle[0][0], circle[1][1], circle[2][2], circle[3][3])}
    found = remaining_rounds(range(7), range(7), met)
    assert pairs(found) == [pair for pair in combinations(range(7), 2) if frozenset(pair) not in met]


@pytest.mark.parametrize("here", [(), (1,)])
def test_nobody_is_left_to_meet(here):
    assert remaining_rounds((1, 2, 3), here, ()) == ()
