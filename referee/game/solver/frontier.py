"""States of the search: what is open after a column, as one integer, and which states need not be followed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from referee.game.solver.columns import Runs, as_good, no_better


class Coding:
    """How states are written as integers.

    Three counts for the open runs of each colour, each `width` bits wide, then three for the runs of each colour that
    cross from the last column to the first; those stay the same all the way. `size` bits hold the counts of one
    colour, `bits` those of all colours' open runs.
    """

    def __init__(self, colours: int, copies: int) -> None:
        self.colours = colours
        self.copies = copies
        self.width = max(1, copies.bit_length())
        self.size = 3 * self.width
        self.bits = self.size * colours
        self.field = (1 << self.size) - 1
        self.open = (1 << self.bits) - 1

    def start(self, crossings: Iterable[Runs]) -> int:
        """The state before the first column."""
        code = sum(encode(runs, self.width) << index * self.size for index, runs in enumerate(crossings))
        return code | code << self.bits

    def crossings(self, state: int) -> list[Runs]:
        """The runs of each colour that cross from the last column to the first."""
        shifts = range(self.bits, 2 * self.bits, self.size)
        return [decode(state >> shift & self.field, self.width) for shift in shifts]


def encode(runs: Runs, width: int) -> int:
    """The three counts as one integer."""
    return runs[0] | runs[1] << width | runs[2] << 2 * width


def decode(code: int, width: int) -> Runs:
    """The three counts that `encode` packed."""
    mask = (1 << width) - 1
    return code & mask, code >> width & mask, code >> 2 * width


@lru_cache(maxsize=1 << 12)
def _beaten(code: int, width: int, copies: int) -> tuple[int, ...]:
    """The open runs, as codes, that those with this code are as good as."""
    return tuple(encode(runs, width) for runs in no_better(decode(code, width), copies))


@lru_cache(maxsize=1 << 12)
def _harder(code: int, width: int, copies: int) -> tuple[int, ...]:
    """The crossing runs, as codes, that ask for no less at the end than those with this code."""
    asked = decode(code, width)
    counts = range(copies + 1)
    every = ((one, two, more) for one in counts for two in counts for more in counts if one + two + more <= copies)
    return tuple(encode(runs, width) for runs in every if as_good(runs, asked))


class Front:
    """The states after one column that no other one beats.

    Who of them is as good in one respect is a bit mask, so one more state costs a few ANDs. The first state is only
    noted down: most often no other one comes.
    """

    __slots__ = ("coding", "count", "first", "jokers", "known", "wraps")

    def __init__(self, coding: Coding, jokers: int, wraps: bool) -> None:
        self.coding, self.wraps = coding, wraps
        self.first: tuple[int, int] | None = None
        self.count = 0
        self.jokers = [0] * (jokers + 1)
        self.known: list[tuple[int, dict[int, int]]] = []

    def admits(self, state: int, jokers: int) -> bool:
        """Take in a state that uses so many jokers, unless one that is no worse is there already."""
        if self.first is None:
            self.first = state, jokers
            return True
        coding = self.coding
        if not self.count:
            self.known = [(shift, {}) for shift in range(0, coding.bits * (2 if self.wraps else 1), coding.size)]
            self._take(*self.first)
        rivals = self.jokers[jokers]
        for shift, known in self.known:
            rivals &= known.get(state >> shift & coding.field, 0)
        if rivals:
            return False
        self._take(state, jokers)
        return True

    def _take(self, state: int, jokers: int) -> None:
        coding, bit = self.coding, 1 << self.count
        self.count += 1
        for used in range(jokers, len(self.jokers)):
            self.jokers[used] |= bit
        for shift, known in self.known:
            worse = _beaten if shift < coding.bits else _harder
            for code in worse(state >> shift & coding.field, coding.width, coding.copies):
                known[code] = known.get(code, 0) | bit
