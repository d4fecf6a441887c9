"""Pairs for tables of two in which everybody of a group meets everybody once.

These are the rounds of the circle method, by which the Berger tables of chess federations are made, too: as few as
possible. Whoever left is taken out of them, and those who would have met them have a bye. If somebody came, the pairs
who have not met are distributed over as few rounds as a search finds, and never over more than the circle needs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from referee.club.tournament.seating.constructions import without_repeats

Pair = tuple[int, int]
Pairs = tuple[Pair, ...]

TRIES = 20_000
"""The most pairs that are tried for one number of rounds. Chosen by hand: groups of 12 take some hundreds."""


class _GivenUp(Exception):
    """Too many pairs were tried."""


def round_robin(players: Sequence[int]) -> tuple[Pairs, ...]:
    """Return the rounds of the circle method; in a group of odd size, one player has a bye in each round."""
    places = len(players) + len(players) % 2
    rounds = without_repeats(places // 2, 2, places)
    return tuple(
        tuple((players[one], players[other]) for one, other in pairs if max(one, other) < len(players))
        for pairs in rounds
    )


def remaining_rounds(
    group: Sequence[int],
    here: Collection[int],
    met: Collection[frozenset[int]],
    former: Sequence[Sequence[Pair]] = (),
    turn: int = 0,
) -> tuple[Pairs, ...]:
    """Return rounds in which each two players who are present and not in `met` meet once; no round is empty.

    `group`: all players in the order in which the circle method takes them, also those who have left.
    `former`: the rounds planned so far. They are kept, without whoever has left, if nobody else has come.
    `turn`: with which round of the circle method to begin, so that a draw that was withdrawn comes out differently.
    """
    wanted = {frozenset(pair) for pair in combinations(here, 2)} - {*met}
    if not wanted:
        return ()
    kept = _only(former, wanted)
    if sum(map(len, kept)) == len(wanted):
        return kept
    circle = _only(round_robin(group), wanted)
    begin = turn % len(circle)
    missing = [pair for pairs in circle for pair in pairs]
    degree = max(sum(one in pair for pair in missing) for one in here)
    for rounds in range(max(degree, -(-len(missing) // (len(here) // 2))), len(circle)):
        found = _distribute(missing, rounds)
        if found is not None:
            return found
    return circle[begin:] + circle[:begin]


def _only(rounds: Sequence[Sequence[Pair]], wanted: Collection[frozenset[int]]) -> tuple[Pairs, ...]:
    """Return the rounds with the wanted pairs only, and without those in which none is left."""
    kept = (tuple(pair for pair in pairs if frozenset(pair) in wanted) for pairs in rounds)
    return tuple(pairs for pairs in kept if pairs)


def _distribute(pairs: Sequence[Pair], rounds: int) -> tuple[Pairs, ...] | None:
    """Return the pairs in `rounds` rounds; None if it is impossible, or the search takes too long.

    The next pair is always one with the fewest rounds left; this is a colouring of the edges of a graph.
    """
    made: list[list[Pair]] = [[] for _ in range(rounds)]
    busy: list[set[int]] = [set() for _ in range(rounds)]
    tries = 0

    def place(left: Sequence[Pair]) -> bool:
        nonlocal tries
        if not left:
            return True
        pair = min(left, key=lambda one: sum(busy[at].isdisjoint(one) for at in range(rounds)))
        rest = [one for one in left if one != pair]
        begun = sum(map(bool, made))
        for at in range(min(rounds, begun + 1)):  # all rounds that are still empty are alike
            if not busy[at].isdisjoint(pair):
                continue
            tries += 1
            if tries > TRIES:
                raise _GivenUp
            made[at].append(pair)
            busy[at].update(pair)
            if place(rest):
                return True
            made[at].pop()
            busy[at].difference_update(pair)
        return False

    try:
        return tuple(map(tuple, made)) if place(pairs) else None
    except _GivenUp:
        return None
