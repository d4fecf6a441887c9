"""States of the search, coded as integers (the open runs after a column), and which states dominate which."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from referee.game.solver.columns import Runs, no_better


class Coding:
    """The coding of states as integers.

    Each colour has three counts of open runs (see `encode()`), each `width` bits wide, of which the highest bit is
    always 0. The counts of one colour take `size` bits, those of all colours `bits`; jokers, where included, come
    above.
    """

    def __init__(self, colours: int, copies: int, jokers: int) -> None:
        self.colours, self.copies, self.jokers = colours, copies, jokers
        self.width = copies.bit_length() + 1
        self.size = 3 * self.width
        self.bits = self.size * colours
        self.shifts = range(0, self.bits, self.size)
        self.fields = [Field(self, shift) for shift in self.shifts]
        self.mask = (1 << self.size) - 1
        self.open = (1 << self.bits) - 1
        each = self.open // self.mask if colours else 0
        top = 1 << self.width - 1
        self.more = each * (top - 1 << 2 * self.width)
        self.guards = each * (top | top << self.width | top << 2 * self.width) | 1 << self.bits + jokers.bit_length()
        """The highest bit of each count, and one above the jokers: see `beaten`."""

    def state(self, runs: Iterable[Runs]) -> int:
        """Return the code of the state with these open runs of each colour."""
        return sum(encode(each, self.width) << shift for each, shift in zip(runs, self.shifts, strict=True))

    def runs(self, state: int) -> list[Runs]:
        """Return the open runs of each colour in a state."""
        return [decode(state >> shift & self.mask, self.width) for shift in self.shifts]


class Field:
    """The position of the open runs of one colour in the states of a coding."""

    __slots__ = ("coding", "shift")

    def __init__(self, coding: Coding, shift: int) -> None:
        self.coding, self.shift = coding, shift


@lru_cache(maxsize=1 << 8)
def coding_of(colours: int, copies: int, jokers: int) -> Coding:
    """Return the coding for boards with this many colours, copies of a tile and jokers."""
    return Coding(colours, copies, jokers)


def encode(runs: Runs, width: int) -> int:
    """Code the runs of one colour: how many have one tile, how many at most two, and how many there are."""
    one, two, more = runs
    return one | one + two << width | one + two + more << 2 * width


def decode(code: int, width: int) -> Runs:
    """Return the runs of a code of `encode()`."""
    mask = (1 << width) - 1
    one, short, every = code & mask, code >> width & mask, code >> 2 * width
    return one, short - one, every - short


@lru_cache(maxsize=1 << 12)
def _beaten(code: int, width: int, copies: int) -> tuple[int, ...]:
    """Return the codes of the open runs that are dominated by those with this code."""
    return tuple(encode(runs, width) for runs in no_better(decode(code, width), copies))


class Front:
    """The states reached so far, each with one bit, in the order in which they came.

    For each colour and code, a mask has the states that dominate it in this colour. So a new state is compared with
    all others by a few ANDs.
    """

    __slots__ = ("coding", "count", "known")

    def __init__(self, coding: Coding) -> None:
        self.coding = coding
        self.count = 0
        self.known: list[tuple[int, dict[int, int]]] = [(shift, {}) for shift in coding.shifts]

    def rivals(self, state: int) -> int:
        """Return a mask of the states that dominate a state."""
        found, mask = (1 << self.count) - 1, self.coding.mask
        for shift, known in self.known:
            found &= known.get(state >> shift & mask, 0)
        return found

    def take(self, state: int) -> None:
        """Add a state."""
        coding, bit = self.coding, 1 << self.count
        mask, width, copies = coding.mask, coding.width, coding.copies
        self.count += 1
        for shift, known in self.known:
            for code in _beaten(state >> shift & mask, width, copies):
                known[code] = known.get(code, 0) | bit


def beaten(code: int, front: list[int], guards: int) -> bool:
    """Return whether a state, with the jokers that it uses, is dominated by one of those in `front`.

    In these codes the total numbers of runs are inverted (`Coding.more`) and the jokers come on top, so that less is
    better in every count. With a guard bit above each count, one subtraction compares all counts: a guard is cleared
    where the count is less. This is faster than `Front` for a few states.
    """
    guarded = code | guards
    for known in front:  # noqa: SIM110 - a generator takes twice as long
        if guarded - known & guards == guards:
            return True
    return False
