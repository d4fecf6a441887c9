import pytest
from seats import checked_rounds, repeats_of

from referee.club.tournament.seating import constructions
from referee.club.tournament.seating.constructions import without_repeats


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("tables", range(1, 17))
def test_nobody_meets_anybody_twice(tables, size):
    rounds = without_repeats(tables, size, 8)
    assert 1 <= len(rounds) <= 8
    checked_rounds(rounds, [()] * len(rounds), tables * size, [size] * tables)
    assert repeats_of(rounds) == 0


@pytest.mark.parametrize(
    ("players", "size", "rounds"),
    [
        pytest.param(16, 4, 5, id="the affine plane over 4 elements"),
        pytest.param(64, 4, 21, id="the affine space over 4 elements"),
        pytest.param(9, 3, 4, id="the affine plane over 3 elements"),
        pytest.param(15, 3, 7, id="Kirkman's schoolgirls"),
        pytest.param(8, 2, 7, id="everybody against everybody"),
        pytest.param(28, 4, 9, id="everybody meets everybody once at tables of four"),
        pytest.param(32, 4, 10, id="as many as can be: of 31 others 30 are met"),
        pytest.param(24, 4, 7, id="as many as can be: of 23 others 21 are met"),
    ],
)
def test_these_are_complete(players, size, rounds):
    found = without_repeats(players // size, size, 100)
    assert len(found) == rounds
    checked_rounds(found, [()] * rounds, players, [size] * (players // size))
    assert repeats_of(found) == 0


@pytest.mark.parametrize("players", range(28, 65, 4))
def test_eight_rounds_of_full_tables_are_known_from_28_players(players):
    assert len(without_repeats(players // 4, 4, 8)) == 8


@pytest.mark.parametrize("order", constructions.POLYNOMIALS)
def test_fields_are_fields(order):
    prime, polynomial = constructions.POLYNOMIALS[order]
    times = constructions.multiplication(prime, polynomial)
    elements = range(order)
    for a in elements:
        assert {times(a, b) for b in elements} == ({0} if a == 0 else set(elements))
        assert times(a, 1) == a
        for b in elements:
            assert times(a, b) == times(b, a)
            together = constructions.add_elements(b, 1, prime)
            assert times(a, together) == constructions.add_elements(times(a, b), a, prime)
