import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.club.tournament.seating.bounds import byes, table_sizes

LIMITS = st.sampled_from([(2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4)])


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (2, (2,)),
        (3, (3,)),
        (4, (4,)),
        (5, (3, 2)),
        (6, (3, 3)),
        (7, (4, 3)),
        (9, (3, 3, 3)),
        (13, (4, 3, 3, 3)),
        (63, (4,) * 15 + (3,)),
        (64, (4,) * 16),
    ],
)
def test_tables_are_few_and_equally_full(players, sizes):
    assert table_sizes(players) == sizes


@pytest.mark.parametrize(
    ("players", "limits", "sizes", "free"),
    [(5, (2, 2), (2, 2), 1), (7, (4, 4), (4,), 3), (5, (3, 4), (4,), 1), (2, (3, 4), (), 2), (1, (2, 4), (), 1)],
)
def test_some_sit_out_where_no_tables_hold_all(players, limits, sizes, free):
    assert table_sizes(players, *limits) == sizes
    assert byes(players, sizes) == free


@given(st.integers(0, 300), LIMITS)
def test_nobody_is_alone_and_nobody_sits_out_without_need(players, limits):
    smallest, largest = limits
    sizes = table_sizes(players, smallest, largest)
    assert all(smallest <= size <= largest for size in sizes)
    assert sizes == tuple(sorted(sizes, reverse=True))
    assert not sizes or sizes[0] - sizes[-1] <= 1
    free = byes(players, sizes)
    some_hold_all = any(tables * smallest <= players <= tables * largest for tables in range(players + 1))
    assert (free == 0) == some_hold_all
    if free:
        assert free < smallest or players < smallest or all(size == largest for size in sizes)
