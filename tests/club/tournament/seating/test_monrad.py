"""Pairs by the Monrad system: the next player in the standings not met before, as far as all can be paired."""

import random
from itertools import permutations

import numpy as np
import pytest

from referee.club.tournament.seating.monrad import pair_by_standings


def allowed(players, *met):
    may = ~np.eye(players, dtype=bool)
    for one, other in met:
        may[one, other] = may[other, one] = False
    return may


def every_pairing(left):
    """All pairings, the one that gives the first player the nearest opponent first."""
    if not left:
        yield ()
    for other in left[1:]:
        for rest in every_pairing([one for one in left[1:] if one != other]):
            yield ((left[0], other), *rest)


def test_without_earlier_rounds_neighbours_meet():
    assert pair_by_standings(range(6), allowed(6)) == ((0, 1), (2, 3), (4, 5))


def test_whoever_has_met_meets_the_next_one():
    """After a first round of neighbours in which the first of each pair won: winners meet, losers meet."""
    met = ((0, 4), (1, 5), (2, 6), (3, 7))
    assert pair_by_standings(range(8), allowed(8, *met)) == ((0, 1), (2, 3), (4, 5), (6, 7))
    assert pair_by_standings(range(4), allowed(4, (0, 1))) == ((0, 2), (1, 3))


def test_an_earlier_choice_is_changed_if_the_last_players_could_not_be_paired():
    """0-1 and 2-3 would leave 4 and 5, who have met: the pair before them is changed, not the first one."""
    assert pair_by_standings(range(6), allowed(6, (4, 5))) == ((0, 1), (2, 4), (3, 5))


def test_two_groups_of_odd_size_cannot_be_paired():
    met = [(one, other) for one in range(9) for other in range(9, 18)]
    assert pair_by_standings(range(18), allowed(18, *met)) is None


def test_a_search_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr("referee.club.tournament.seating.monrad.TRIES", 2)
    assert pair_by_standings(range(8), allowed(8)) is None


@pytest.mark.parametrize("seed", range(80))
def test_it_is_the_first_of_all_pairings_without_a_repeat(seed):
    rng = random.Random(seed)  # noqa: S311 - no secret
    players = rng.choice((4, 6, 8))
    pairs = [(one, other) for one in range(players) for other in range(one + 1, players)]
    may = allowed(players, *rng.sample(pairs, rng.randint(0, len(pairs) - 2)))
    expected = next((some for some in every_pairing(list(range(players))) if all(may[pair] for pair in some)), None)
    assert pair_by_standings(range(players), may) == expected


def test_the_order_of_numbers_does_not_matter_but_that_of_the_standings():
    for order in permutations(range(4)):
        assert pair_by_standings(order, allowed(4)) == (order[:2], order[2:])
