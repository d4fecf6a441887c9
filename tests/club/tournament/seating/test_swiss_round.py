"""The Swiss draw of one round: byes, repeats, distance in the standings and smaller tables, in this order."""

import random
from itertools import combinations

import numpy as np
import pytest

from referee.club.tournament.seating import swiss, table_sizes
from referee.club.tournament.seating.swiss import Costs, Ranked, swiss_round
from referee.errors import BadInput


def ranked(players, met=(), **known):
    none = np.zeros(players, np.int64)
    meetings = np.zeros((players, players), np.int64)
    for one, other in met:
        meetings[one, other] += 1
        meetings[other, one] += 1
    values = {"byes": none, "small": none, "floated": none, "score": none}
    return Ranked(meetings=meetings, **{**values, **{name: np.array(value) for name, value in known.items()}})


def every_round(left, sizes):
    """All ways to seat players at tables of these sizes; whoever remains has a bye."""
    if not sizes:
        yield (), tuple(left)
        return
    for table in combinations(left, sizes[0]):
        for tables, byes in every_round([one for one in left if one not in table], sizes[1:]):
            yield (table, *tables), byes


@pytest.mark.parametrize("players", [*range(2, 14), 24, 65])
def test_before_anybody_has_met_tables_are_filled_from_the_top(players):
    found = swiss_round(ranked(players), table_sizes(players), seed=1)
    assert [player for table in found.tables for player in table] == list(range(players))
    assert sorted(map(len, found.tables), reverse=True) == list(table_sizes(players))
    assert (found.repeats, found.bound, found.byes) == (0, 0, ())


@pytest.mark.parametrize("players", [20, 36])
def test_whoever_has_met_does_not_meet_again(players):
    """Whole tables of the round before stand together: everybody who has met is a neighbour."""
    met = [pair for at in range(0, players, 4) for pair in combinations(range(at, at + 4), 2)]
    found = swiss_round(ranked(players, met), table_sizes(players), seed=1)
    assert found.repeats == found.bound == 0
    assert not {pair for table in found.tables for pair in combinations(table, 2)} & set(met)
    assert max(table[-1] - table[0] for table in found.tables) < 20


@pytest.mark.parametrize("seed", range(12))
def test_small_rounds_are_the_best_of_all(seed):
    rng = random.Random(seed)  # noqa: S311 - no secret
    players, most = rng.choice([(7, 4), (8, 4), (9, 3), (5, 3), (6, 2), (7, 3)])
    sizes = table_sizes(players, 2, most)
    some = list(combinations(range(players), 2))
    counts = {name: [rng.randint(0, 1) for _ in range(players)] for name in ("byes", "small")}
    one = ranked(players, rng.choices(some, k=9), score=sorted(rng.choices(range(4), k=players), reverse=True),
                 floated=rng.choices((-1, 0, 1), k=players), **counts)  # fmt: skip
    found, costs = swiss_round(one, sizes, seed), Costs(one, tuple(sizes))
    if set(sizes) != {2} or found.repeats:
        assert found.proven
        assert costs.of_round(found.tables, found.byes) == min(
            costs.of_round(*each) for each in every_round(range(players), sizes)
        )


@pytest.mark.parametrize("seed", range(10))
def test_the_search_comes_close_to_the_proven_best(seed, monkeypatch):
    rng = random.Random(seed)  # noqa: S311 - no secret
    met = rng.sample(list(combinations(range(16), 2)), 40)
    one, sizes = ranked(16, met), table_sizes(16)
    proven = swiss_round(one, sizes, seed)
    monkeypatch.setattr(swiss, "best_tables", lambda _: None)
    found = swiss_round(one, sizes, seed)
    assert (proven.proven, found.proven, found.repeats) == (True, False, proven.repeats)
    costs = Costs(one, tuple(sizes))
    least, cost = (costs.of_round(each.tables, each.byes) for each in (proven, found))
    assert least <= cost <= 1.1 * least


def test_the_costs_of_the_search_are_those_of_the_round(monkeypatch):
    monkeypatch.setattr(swiss, "best_tables", lambda _: None)
    one = ranked(10, [(0, 1), (0, 2), (3, 4)], byes=[1] * 5 + [0] * 5)
    costs = Costs(one, (3, 3, 3))
    at, live, kinds = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3]), np.array([1, 1, 1, 0]), np.array([0, 0, 0, 2])
    gains = swiss.exchange_costs(costs, at, live, kinds)
    before = costs.of_round(((0, 1, 2), (3, 4, 5), (6, 7, 8)), (9,))
    assert gains[2, 3] == costs.of_round(((0, 1, 3), (2, 4, 5), (6, 7, 8)), (9,)) - before
    assert gains[0, 9] == costs.of_round(((9, 1, 2), (3, 4, 5), (6, 7, 8)), (0,)) - before


def test_whoever_floated_down_does_not_float_down_again():
    """The fourth of four with equal points must sit with two who have fewer; after floating down, the third does."""
    scores = [2, 2, 2, 2, 1, 1]
    assert swiss_round(ranked(6, score=scores), (3, 3), seed=1).tables == ((0, 1, 2), (3, 4, 5))
    again = swiss_round(ranked(6, score=scores, floated=[0, 0, 0, -1, 0, 0]), (3, 3), seed=1)
    assert again.tables == ((0, 1, 3), (2, 4, 5))


def test_the_bye_goes_to_the_last_player_who_has_had_none():
    assert swiss_round(ranked(5), (2, 2), seed=1).byes == (4,)
    assert swiss_round(ranked(5, byes=[0, 0, 0, 1, 1]), (2, 2), seed=1).byes == (2,)
    assert swiss_round(ranked(7, byes=[0] * 6 + [1]), (3, 3), seed=1).byes == (5,)


def test_a_bye_that_avoids_a_repeat_goes_to_somebody_higher():
    """2 has met everybody but 0 and 1, who have met everybody else: if 4 rested, 3 would have nobody to meet."""
    met = [(0, 3), (1, 3), (2, 3)]
    assert swiss_round(ranked(5, met), (2, 2), seed=1).byes == (3,)


def test_equal_seats_give_the_smaller_table_to_those_who_had_none():
    assert [len(table) for table in swiss_round(ranked(7, small=[0, 0, 0, 1, 1, 1, 1]), (4, 3), 1).tables] == [3, 4]
    assert [len(table) for table in swiss_round(ranked(7, small=[1, 1, 1, 0, 0, 0, 0]), (4, 3), 1).tables] == [4, 3]


def test_repeats_that_cannot_be_avoided_are_proven():
    met = list(combinations(range(6), 2))
    found = swiss_round(ranked(6, met), (3, 3), seed=1)
    assert (found.repeats, found.bound, found.proven) == (6, 6, True)
    assert found.tables == ((0, 1, 2), (3, 4, 5))


def test_tables_that_cannot_be_filled_are_refused():
    with pytest.raises(BadInput, match="expected tables that some of 3 players fill"):
        swiss_round(ranked(3), (4,), seed=1)
