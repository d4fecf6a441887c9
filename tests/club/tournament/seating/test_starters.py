from collections import Counter
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from referee.club.tournament.drawing import starters
from referee.club.tournament.seating import seat, table_sizes

TABLES = st.lists(st.lists(st.integers(0, 6), min_size=2, max_size=4, unique=True).map(tuple), min_size=1, max_size=6)


def squares(chosen, before):
    count = Counter(before)
    count.update(chosen)
    return sum(number * number for number in count.values())


@given(TABLES, st.dictionaries(st.integers(0, 6), st.integers(0, 3)))
def test_no_choice_of_starters_is_more_even(tables, before):
    chosen = starters(tables, before)
    assert all(one in table for one, table in zip(chosen, tables, strict=True))
    assert squares(chosen, before) == min(squares(ways, before) for ways in product(*tables))


@given(st.integers(2, 40), st.integers(1, 6))
def test_over_a_schedule_starts_differ_by_one_at_most(players, rounds):
    seating = seat(players, table_sizes(players), rounds, seed=1, steps=200)
    chosen = Counter(starters([table for tables in seating.rounds for table in tables], {}))
    counts = [chosen[player] for player in range(players)]
    assert max(counts) - min(counts) <= 1
