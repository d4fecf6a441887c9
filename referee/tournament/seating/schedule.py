"""The seating of some rounds: by construction where one fits, else by search, and beside it what nobody can beat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from referee.errors import BadInput
from referee.tournament.seating.bounds import fewest_repeats, repeats
from referee.tournament.seating.constructions import Round, without_repeats
from referee.tournament.seating.exact import exact_round
from referee.tournament.seating.search import Before, Groups, Ints, Search, uneven

STEPS = 16_000
"""Exchanges in a search, all its beginnings together: a second at most on a desk, some on a small board."""
_BEGINNINGS = 2


@dataclass(frozen=True, slots=True)
class Seating:
    """Tables of players by their place in the list, round by round; who has a bye; what it costs."""

    rounds: tuple[Round, ...]
    byes: tuple[tuple[int, ...], ...]
    repeats: int
    """Repeats that these rounds add."""
    bound: int
    """No seating of these rounds adds fewer."""


def seat(
    players: int,
    sizes: Sequence[int],
    rounds: int,
    seed: int,
    *,
    before: Before | None = None,
    steps: int = STEPS,
) -> Seating:
    """Seats for `rounds` rounds: byes are evened out first, then repeats are few and smaller tables even.

    The same arguments give the same seats.
    """
    if not sizes or players < sum(sizes):
        raise BadInput(f"expected tables that some of {players} players fill, got {tuple(sizes)}")
    known = before or Before.nothing(players)
    groups = Groups.of(players, sizes)
    rng = np.random.default_rng(seed)
    so_far = repeats(known.meetings.tolist())
    bound = fewest_repeats(players, sizes, rounds, known.meetings.tolist())
    best: tuple[int, Ints] | None = None
    beginnings = list(_beginnings(groups, rounds, rng, constructed=before is None))
    for at in beginnings:
        found = Search(groups, known, at, rng).improve(steps // len(beginnings), so_far + bound)
        best = found if best is None or found[0] < best[0] else best
        if best[0] <= so_far + bound:
            break
    assert best is not None  # noqa: S101 - there is a random beginning at least
    at = best[1]
    if rounds == 1 and best[0] > so_far + bound:
        at, bound = _exactly(groups, known, at, bound)
    return _seating(groups, at, Search(groups, known, at, rng).repeats - so_far, bound)


def _exactly(groups: Groups, before: Before, at: Ints, bound: int) -> tuple[Ints, int]:
    """The best seats of one round and the fewest repeats of any; what was found before where that takes too much."""
    best = exact_round(groups, before)
    if best is None:
        return at, bound
    plain = bool(groups.live.all()) and not groups.small.any()
    fewest = best if plain else exact_round(groups, before, even=False)
    return best[1][None, :], bound if fewest is None else fewest[0]


def _beginnings(groups: Groups, rounds: int, rng: np.random.Generator, *, constructed: bool) -> Iterator[Ints]:
    """Where a search begins: at a construction, if any, and at random seats."""
    places = np.repeat(np.arange(len(groups.sizes)), groups.sizes)
    by_chance = [np.array([rng.permutation(places) for _ in range(rounds)]) for _ in range(_BEGINNINGS)]
    if constructed and groups.live.all():
        # Who stands where in a construction is drawn, or all tournaments of a size would be alike.
        order = rng.permutation(len(places))
        for number, tables in enumerate(_constructed(groups.sizes.tolist(), rounds)):
            for table, seated in enumerate(tables):
                by_chance[0][number, order[list(seated)]] = table
    yield from by_chance


def _constructed(sizes: list[int], rounds: int) -> tuple[Round, ...]:
    """Rounds without repeats; for smaller tables players are left out who never meet, so that no table lacks two."""
    largest = max(sizes)
    full = without_repeats(len(sizes), largest, rounds)
    left_out = _left_out(full, largest * len(sizes), largest * len(sizes) - sum(sizes))
    names = {player: name for name, player in enumerate(sorted({*range(largest * len(sizes))} - {*left_out}))}
    if len(names) > sum(sizes):
        return ()
    smaller = (tuple(tuple(names[one] for one in table if one in names) for table in tables) for tables in full)
    return tuple(tuple(sorted(tables, key=len, reverse=True)) for tables in smaller)


def _left_out(rounds: Sequence[Round], players: int, count: int) -> list[int]:
    """Players who never meet, chosen so that the places they leave are spread evenly; too few where there are none."""
    met = np.eye(players, dtype=np.int64)
    for tables in rounds:
        for table in tables:
            met[np.ix_(table, table)] = 1
    best: tuple[int, list[int]] | None = None
    for first in range(players if count else 0):
        chosen = [first]
        for _ in range(count - 1):
            free = [one for one in range(players) if not met[one, chosen].any()]
            if not free:
                break
            chosen.append(min(free, key=lambda one: _missed(met, [*chosen, one])))
        if len(chosen) == count and (best is None or _missed(met, chosen) < best[0]):
            best = _missed(met, chosen), chosen
        if best is not None and best[0] == 0:
            break
    return best[1] if best else []


def _missed(met: Ints, chosen: list[int]) -> int:
    """How unevenly the others miss those who are left out."""
    return uneven(np.delete(met[:, chosen].sum(1), chosen))


def _seating(groups: Groups, at: Ints, added: int, bound: int) -> Seating:
    tables = int(groups.live.sum())
    rounds = tuple(
        tuple(tuple(np.flatnonzero(one == table).tolist()) for table in range(len(groups.sizes))) for one in at
    )
    byes = tuple(tuple(player for group in one[tables:] for player in group) for one in rounds)
    return Seating(tuple(one[:tables] for one in rounds), byes, added, bound)
