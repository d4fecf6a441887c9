"""Schedules without any repeat, constructed by algebra. They cannot be improved, and need no search.

A transversal schedule arranges the players in as many columns as a table has seats. In round r, table t gets from
column c the player in row t + f(c, r). Two players of different columns c and d meet at most once if f(c, r) - f(d, r)
is different in every round; f is then called a difference matrix. Over a field, f(c, r) = c * r has this property for
as many rounds as there are tables.

Players of the same column have not met by then, so each column can be seated by itself in further rounds. In this way
16 players have 5 rounds without a repeat, and 64 have 21: the affine geometries over the field of 4 elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

Table = tuple[int, ...]
Round = tuple[Table, ...]

POLYNOMIALS = {4: (2, (1, 1)), 8: (2, (1, 1, 0)), 9: (3, (2, 0)), 16: (2, (1, 1, 0, 0))}
"""The fields whose order is a power of a prime, by order: the prime, and the polynomial (lowest term first) that
equals x to the power of its degree."""
_TRIES = 20_000
"""The most steps in the search for a difference matrix; if one exists, it is found within a few hundred."""

_TURNED: dict[tuple[int, int], tuple[int, Round]] = {
    (24, 4): (7, ((13, 18, 23, 3), (6, 11, 8, 10), (1, 5, 0, 19), (17, 7, 16, 14), (12, 20, 22, 4), (15, 21, 9, 2))),
    (15, 3): (7, ((3, 10, 14), (12, 1, 13), (5, 0, 4), (11, 2, 8), (9, 6, 7))),
}  # fmt: skip
"""By number of players and size of tables: the number of rounds, and the first round. Each further round replaces
every player by the next one in a ring of as many players as there are rounds; players left over at the end stay. These
were found by search; a test proves them."""

_LISTED = {
    (28, 4): (
        "ABCDEFGHIJKLabMNcdefghijklmn",
        "AEgkBcFMdhlNeGImaHiJbCKnDfjL",
        "AFjnaBeEbfimcHKlGhLMCIkNdDgJ",
        "AciIBJnNEjKMdFLmbeglaCfGDhHk",
        "AbdGBgHmEiLNachnfFkKCejJDIlM",
        "AehKbBkLaFgIEfJlcjmNCdHMDGin",
        "AfHNBGjlbFhJeikMdEIncCgLaDKm",
        "AalLBdiKcGJkfgMnbHIjCEhmDeFN",
        "AJmMBfhICFilbcDEgGKNeHLnadjk",
    ),
    (32, 4): (
        "ABCDEFGHIJKLMNOP",
        "AEImBcgHDFKpjLNo",
        "AfloBhkmDGiNCeJP",
        "AciLBdjKFgoPEhMn",
        "AgKNBElPDHIoCfjm",
        "AhJpBFincDmOEgkL",
        "AdeFBGJochlNiKmP",
        "AbnPDglMcekofHiJ",
        "AGjMBeIODhLPcfKn",
        "AHkOBfLMDejnCgip",
    ),
}
"""By number of players and size of tables: the tables of each round, a letter for each player, one table after
another. If half of a round's tables are listed, the others have small letters for capital ones and capital letters for
small ones. For 28 players, everybody meets everybody exactly once. For 32, a plan of 10 rounds was first found by
A. Aguado in 2004. Both are listed in the file literature.md of the repository fpvandoorn/Dagstuhl-tables; a test
proves them."""


def without_repeats(tables: int, size: int, rounds: int) -> tuple[Round, ...]:
    """Return up to `rounds` rounds of `tables` tables with `size` players each, in which no two players meet twice.

    There are fewer rounds if no more are known.
    """
    if size == 2:
        return _circle(2 * tables)[:rounds]
    plans = []
    if (tables * size, size) in _LISTED:
        plans.append(_listed_rounds(tables * size, size)[:rounds])
    if (tables * size, size) in _TURNED:
        plans.append(_rounds_by_rotation(tables * size, size)[:rounds])
    return max([*plans, _transversal_and_columns(tables, size, rounds)], key=len)


def _transversal_and_columns(tables: int, size: int, rounds: int) -> tuple[Round, ...]:
    """Return a transversal schedule, and further rounds within its columns if it is complete."""
    found = _transversal(tables, size, min(rounds, tables))
    if len(found) == tables and tables % size == 0:
        within = without_repeats(tables // size, size, rounds - len(found))
        columns = [range(column * tables, (column + 1) * tables) for column in range(size)]
        found += tuple(tuple(_rename_players(table, column) for column in columns for table in one) for one in within)
    return found


def _rename_players(table: Table, names: Sequence[int]) -> Table:
    return tuple(names[player] for player in table)


def _circle(players: int) -> tuple[Round, ...]:
    """Return the rounds in which everybody meets everybody once, at tables of two: one player stays, others rotate."""
    ring = players - 1
    return tuple(
        ((ring, turn), *(((turn + k) % ring, (turn - k) % ring) for k in range(1, players // 2)))
        for turn in range(ring)
    )


def _rounds_by_rotation(players: int, size: int) -> tuple[Round, ...]:
    count, first = _TURNED[players, size]

    def turn(player: int, by: int) -> int:
        start = player // count * count
        return player if start + count > players else start + (player - start + by) % count

    return tuple(tuple(tuple(turn(player, by) for player in table) for table in first) for by in range(count))


def _listed_rounds(players: int, size: int) -> tuple[Round, ...]:
    listed = _LISTED[players, size]
    full = [one if len(one) == players else one + one.swapcase() for one in listed]
    names = {letter: name for name, letter in enumerate(sorted(full[0]))}
    starts = range(0, players, size)
    return tuple(tuple(tuple(names[letter] for letter in one[at : at + size]) for at in starts) for one in full)


def _transversal(tables: int, size: int, rounds: int) -> tuple[Round, ...]:
    add, columns = _difference_matrix(tables, size, rounds)
    return tuple(
        tuple(tuple(c * tables + add(t, by) for c, by in enumerate(one)) for t in range(tables)) for one in columns
    )


@cache
def _difference_matrix(order: int, size: int, rounds: int) -> tuple[Callable[[int, int], int], tuple[Table, ...]]:
    """Return the addition of rows, and for every round f(c, r) of each column; fewer rounds if no more are known."""
    if order in POLYNOMIALS and size <= order:
        prime, polynomial = POLYNOMIALS[order]
        times = multiplication(prime, polynomial)
        matrix = tuple(tuple(times(c, r) for c in range(size)) for r in range(rounds))
        return lambda a, b: add_elements(a, b, prime), matrix
    found: tuple[Table, ...] = ()
    while rounds and not found:
        found = next(_shifts(order, size, rounds, [_TRIES], ()), ())
        rounds -= 1
    return lambda a, b: (a + b) % order, found


def _shifts(order: int, size: int, rounds: int, left: list[int], made: Round) -> Iterator[Round]:
    """Yield difference matrices over the integers modulo `order`, by backtracking in at most `left[0]` steps."""
    if len(made) == rounds:
        yield made
        return
    least = made[-1][1] + 1 if made else 0
    for one in _columns(order, size, made, (0,), least, left):
        yield from _shifts(order, size, rounds, left, (*made, one))


def _columns(
    order: int, size: int, made: tuple[Table, ...], begun: Table, least: int, left: list[int]
) -> Iterator[Table]:
    if len(begun) == size:
        yield begun
        return
    for shift in range(least, order):
        left[0] -= 1
        if left[0] < 0:
            return
        if all((shift - by - other[len(begun)] + other[c]) % order for c, by in enumerate(begun) for other in made):
            yield from _columns(order, size, made, (*begun, shift), 0, left)


def add_elements(a: int, b: int, prime: int) -> int:
    """Return the sum of two elements of a field; their digits to the base `prime` are coefficients of polynomials."""
    total, place = 0, 1
    while a or b:
        total += (a + b) % prime * place
        a, b, place = a // prime, b // prime, place * prime
    return total


def multiplication(prime: int, polynomial: Sequence[int]) -> Callable[[int, int], int]:
    """Return the multiplication of the field in which x to the power of the degree is `polynomial`."""
    degree = len(polynomial)
    top: int = prime ** (degree - 1)
    carry = 0
    for term in reversed(polynomial):
        carry = carry * prime + term

    def by_x(a: int) -> int:
        high, low = divmod(a, top)
        shifted = low * prime
        for _ in range(high):
            shifted = add_elements(shifted, carry, prime)
        return shifted

    def times(a: int, b: int) -> int:
        total = 0
        while b:
            for _ in range(b % prime):
                total = add_elements(total, a, prime)
            a, b = by_x(a), b // prime
        return total

    return times
