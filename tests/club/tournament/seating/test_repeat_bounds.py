from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seats import all_rounds, all_schedules, repeats_of

from referee.club.tournament.seating.bounds import fewest_repeats, repeats, table_sizes


@pytest.mark.parametrize(
    ("players", "sizes", "rounds"),
    [
        (3, (3,), 4),
        (4, (2, 2), 5),
        (5, (3, 2), 3),
        (5, (2, 2), 3),
        (6, (3, 3), 4),
        (6, (2, 2, 2), 3),
        (7, (4, 3), 3),
        (8, (4, 4), 3),
    ],
)
def test_no_schedule_has_fewer(players, sizes, rounds):
    least = min(repeats_of(schedule) for schedule, _ in all_schedules(players, sizes, rounds))
    assert fewest_repeats(players, sizes, rounds) <= least


@st.composite
def histories(draw, players=6):
    met = [[0] * players for _ in range(players)]
    for one, other in combinations(range(players), 2):
        met[one][other] = met[other][one] = draw(st.integers(0, 4))
    return met


@settings(max_examples=60, deadline=None)
@given(histories(), st.sampled_from([(3, 3), (2, 2, 2), (4,), (2, 2), (3, 2), (4, 2)]), st.integers(1, 2))
def test_no_schedule_after_others_adds_fewer(met, sizes, rounds):
    before = {(one, other): met[one][other] for one, other in combinations(range(6), 2)}
    ways = all_rounds(tuple(range(6)), sizes)
    if rounds == 1:
        least = min(repeats_of([one], before) for one in ways)
    else:
        least = min(repeats_of([one, other], before) for one in ways for other in ways)
    assert fewest_repeats(6, sizes, rounds, met) <= least


@pytest.mark.parametrize(
    ("players", "rounds", "bound"),
    [
        pytest.param(64, 8, 0, id="enough players"),
        pytest.param(4, 3, 18, id="all meet in every round: six pairs, three rounds"),
        pytest.param(8, 2, 4, id="four from two tables: two pairs at each"),
        pytest.param(12, 3, 9, id="four from three tables: a pair at each, for each two rounds"),
        pytest.param(16, 6, 24, id="144 meetings, 120 pairs"),
    ],
)
def test_bounds_that_can_be_counted_by_hand(players, rounds, bound):
    assert fewest_repeats(players, table_sizes(players), rounds) == bound


def test_a_third_meeting_counts_two_more():
    assert [repeats([[0, met], [met, 0]]) for met in range(5)] == [0, 0, 1, 3, 6]


def test_nobody_repeats_nothing():
    assert fewest_repeats(1, (), 3) == fewest_repeats(8, (4, 4), 0) == 0
