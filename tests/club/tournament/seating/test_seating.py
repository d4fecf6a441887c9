import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seats import all_schedules, checked_rounds, repeats_of, unevenness, visits

from referee.club.tournament.seating import Before, seat, table_sizes
from referee.club.tournament.seating.search import SMALL_WEIGHT, Groups, Search
from referee.errors import BadInput

LIMITS = st.sampled_from([(2, 2), (2, 3), (2, 4), (3, 3), (4, 4)])


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 48), LIMITS, st.integers(1, 8), st.integers(0, 9))
def test_everybody_has_one_place_in_every_round_and_the_figures_are_true(players, limits, rounds, seed):
    sizes = table_sizes(players, *limits)
    found = seat(players, sizes, rounds, seed, steps=300)
    checked_rounds(found.rounds, found.byes, players, sizes)
    assert found.repeats == repeats_of(found.rounds) >= found.bound
    free = [sum(player in one for one in found.byes) for player in range(players)]
    assert max(free) - min(free) <= 1


@pytest.mark.parametrize(
    ("players", "rounds", "repeats"),
    [
        (64, 8, 0),
        (63, 8, 0),
        (62, 8, 0),
        (61, 8, 0),
        (64, 21, 0),
        (48, 8, 0),
        (32, 8, 0),
        (32, 10, 0),
        (31, 10, 0),
        (30, 10, 0),
        (30, 8, 0),
        (29, 8, 0),
        (28, 8, 0),
        (28, 9, 0),
        (24, 7, 0),
        (20, 5, 0),
        (16, 5, 0),
        (16, 6, 24),
        (12, 3, 9),
        (9, 4, 0),
        (8, 7, 84),
        (7, 3, 9),
        (6, 3, 6),
        (4, 3, 18),
        (3, 3, 9),
    ],
)
def test_these_reach_the_bound_so_that_nobody_can_do_better(players, rounds, repeats):
    found = seat(players, table_sizes(players), rounds, seed=1)
    assert found.repeats == repeats_of(found.rounds) == found.bound == repeats


def test_a_plan_without_repeats_is_preferred_to_more_even_places_at_smaller_tables():
    found = seat(29, table_sizes(29), 8, seed=1)
    counts = visits(found.rounds, 29, 4)
    assert sum(counts) == 72
    assert (found.repeats, max(counts)) == (0, 3)


@pytest.mark.parametrize("players", [61, 62, 63])
def test_smaller_tables_are_evened_out_where_that_costs_no_repeat(players):
    found = seat(players, table_sizes(players), 8, seed=1)
    counts = visits(found.rounds, players, 4)
    assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize(
    ("players", "sizes", "rounds"), [(5, (3, 2), 3), (6, (2, 2, 2), 3), (7, (4, 3), 3), (8, (4, 4), 3), (5, (2, 2), 3)]
)
def test_small_tournaments_are_as_good_as_the_best_of_all_seatings(players, sizes, rounds):
    def cost(schedule, byes):
        free = [sum(player in one for one in byes) for player in range(players)]
        small = SMALL_WEIGHT * unevenness(visits(schedule, players, max(sizes)))
        return unevenness(free), repeats_of(schedule) + small

    found = seat(players, sizes, rounds, seed=3)
    assert cost(found.rounds, found.byes) == min(cost(*one) for one in all_schedules(players, sizes, rounds))


def test_the_same_arguments_give_the_same_seats():
    assert seat(22, table_sizes(22), 4, seed=5) == seat(22, table_sizes(22), 4, seed=5)
    for players in (22, 64):
        assert seat(players, table_sizes(players), 4, seed=5) != seat(players, table_sizes(players), 4, seed=6)


def test_the_next_round_brings_strangers_together():
    met = np.zeros((16, 16), np.int64)
    for table in range(4):
        at = range(4 * table, 4 * table + 4)
        met[np.ix_(at, at)] = 1
    np.fill_diagonal(met, 0)
    none = np.zeros(16, np.int64)
    found = seat(16, (4,) * 4, 1, seed=1, before=Before(met, none, none))
    assert found.repeats == found.bound == 0
    assert all(len({player // 4 for player in table}) == 4 for table in found.rounds[0])


def test_who_sat_out_or_at_a_small_table_does_not_do_so_again():
    byes, small = np.array([1, 0, 0, 0, 0]), np.zeros(5, np.int64)
    found = seat(5, (2, 2), 4, seed=1, before=Before(np.zeros((5, 5), np.int64), byes, small))
    assert sorted(player for one in found.byes for player in one) == [1, 2, 3, 4]
    small = np.array([1, 1, 1, 1, 0, 0, 0])
    found = seat(7, (4, 3), 1, seed=1, before=Before(np.zeros((7, 7), np.int64), 0 * small, small))
    assert sorted(found.rounds[0][1]) == [4, 5, 6]


def test_tables_for_nobody_are_refused():
    with pytest.raises(BadInput):
        seat(3, (4,), 1, seed=0)
    with pytest.raises(BadInput):
        seat(1, (), 1, seed=0)


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 14), LIMITS, st.integers(1, 4), st.randoms(use_true_random=False))
def test_what_an_exchange_adds_is_what_it_was_said_to_add(players, limits, rounds, random):
    groups = Groups.for_tables(players, table_sizes(players, *limits))
    rng = np.random.default_rng(random.randrange(1000))
    places = np.repeat(np.arange(len(groups.sizes)), groups.sizes)
    before = Before.nothing(players)
    search = Search(groups, before, np.array([rng.permutation(places) for _ in range(rounds)]), rng)
    for _ in range(5):
        number = random.randrange(rounds)
        one, other = sorted(random.sample(range(players), 2))
        if search.at[number, one] == search.at[number, other]:
            continue
        said, cost = int(search.gains(number, 10_000, -(10**9))[one, other]), search.cost
        search.exchange(number, one, other, 0)
        assert search.cost - cost == said
        assert Search(groups, before, search.at.copy(), rng).cost == search.cost
