"""Which of several identical tiles went where: truth tables with one bit for every way to assign them.

Each tile that can be assigned in two ways is a choice, and n choices are 2 ** n ways. A table is a whole number with a
one for each way that is possible, so that thousands of ways are combined at once by `and` and `or` of two numbers. The
number of a way has one bit for each choice; `place` below is the position of that bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple


@lru_cache
def every(choices: int) -> int:
    """Return the table that holds every way to make this many choices."""
    return (1 << (1 << choices)) - 1


@lru_cache(maxsize=1 << 9)
def chosen(place: int, choices: int) -> int:
    """Return the table of the ways in which the choice at this place is one.

    The pattern is built once and doubled: dividing numbers of as many bits takes a thousand times as long.
    """
    width = 2 << place
    table = ((1 << (1 << place)) - 1) << (1 << place)
    while width < 1 << choices:
        table |= table << width
        width *= 2
    return table


def with_either(table: int, place: int, choices: int) -> int:
    """Return the ways that are possible if the choice at this place is free."""
    one, width = chosen(place, choices), 1 << place
    return table | (table & one) >> width | (table << width) & one


def likes(table: int, place: int, choices: int) -> tuple[bool, bool]:
    """Return whether, with one and with zero at this place, all ways are possible that are with the other value."""
    one = chosen(place, choices)
    with_one, with_zero = (table & one) >> (1 << place), table & ~one
    return not with_zero & ~with_one, not with_one & ~with_zero


def at_least(tables: Iterable[int], most: int, choices: int) -> list[int]:
    """Return for each number up to `most` the ways that are in at least this many of the tables."""
    found = [every(choices)] + [0] * most
    for table in tables:
        for number in range(most, 0, -1):
            found[number] |= found[number - 1] & table
    return found


class Twins(NamedTuple):
    """Identical tiles, and all ways to deal them out among the sets that they lay in.

    The ways are numbered, and the bits of such a number are the `choices`; a number that is too high means the way 0.
    """

    choices: range
    ways: tuple[tuple[int, ...], ...]
    """For each owner the set in which its tile lies then, -1 where none is left."""

    @classmethod
    def between(cls, owners: Sequence[int], lying: Sequence[int], first: int) -> Twins:
        """Tiles that lay in the sets `owners`, sorted, and lie in others; choices are numbered from `first` on."""
        ways = tuple(_deals(owners, (*lying, *[-1] * (len(owners) - len(lying)))))
        return cls(range(first, first + (len(ways) - 1).bit_length()), ways)

    def homes(self, owner: int, masks: Mapping[int, int], choices: int) -> dict[int, int]:
        """For each set in which the tile of an owner may lie the table of the ways in which it does.

        `masks` says of each choice in which ways it is one.
        """
        found: dict[int, int] = {}
        other = every(choices)
        for number in range(len(self.ways) - 1, -1, -1):
            table = self._table(number, masks, choices) if number else other
            other &= ~table
            home = self.ways[number][owner]
            found[home] = found.get(home, 0) | table
        return found

    def _table(self, number: int, masks: Mapping[int, int], choices: int) -> int:
        table = every(choices)
        for bit, choice in enumerate(self.choices):
            table &= masks[choice] if number >> bit & 1 else ~masks[choice]
        return table


def _deals(owners: Sequence[int], lying: Sequence[int], before: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every way to deal tiles out; of two that one owner gets the first lies in the set with the lower number."""
    index = len(before)
    if index == len(owners):
        yield before
        return
    lowest = before[-1] if index and owners[index] == owners[index - 1] else -1
    for home in sorted(set(lying)):
        if home >= lowest:
            at = lying.index(home)
            yield from _deals(owners, (*lying[:at], *lying[at + 1 :]), (*before, home))
