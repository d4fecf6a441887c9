"""All seats are evened out, not only the first."""

from collections import Counter

import pytest

from referee.club.tournament.drawing import starters
from referee.club.tournament.seating import seat, table_sizes
from referee.club.tournament.seating.seats import even_seats


def spread(tables, players, seat_):
    counts = Counter(table[seat_] for table in tables if seat_ < len(table))
    return max(counts[player] for player in range(players)) - min(counts[player] for player in range(players))


def test_whoever_has_sat_in_a_seat_gets_another_one():
    assert even_seats([(1, 2, 3, 4)], {2: [0, 3, 0, 0], 3: [0, 0, 3, 0]}) == [(1, 3, 2, 4)]
    assert even_seats([(1, 2)], {2: [0, 9, 0, 0]}) == [(1, 2)]


def test_equal_orders_stay_as_they_were_drawn():
    assert even_seats([(4, 2, 3, 1), (5, 8, 7)], {}) == [(4, 2, 3, 1), (5, 8, 7)]


@pytest.mark.parametrize(("players", "rounds"), [(16, 8), (31, 8), (32, 8), (64, 7)])
def test_no_seat_is_taken_much_more_often_than_another(players, rounds):
    found = seat(players, table_sizes(players), rounds, seed=1, steps=200)
    tables = [table for one in found.rounds for table in one]
    first = starters(tables, {})
    led = [(player, *(one for one in table if one != player)) for player, table in zip(first, tables, strict=True)]
    evened = even_seats(led, {})
    assert [table[0] for table in evened] == first
    assert [sorted(table) for table in evened] == [sorted(table) for table in tables]
    before, after = ([spread(some, players, each) for each in range(4)] for some in (led, evened))
    assert max(after) <= 3 < max(before)
