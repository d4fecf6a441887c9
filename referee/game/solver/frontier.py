"""States of the search: what is open after a column, as one integer, and which states need not be followed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from referee.game.solver.columns import Runs, no_better


class Coding:
    """How states are written as integers.

    Three counts for the open runs of each colour, each `width` bits wide, of which the highest is always 0. `size`
    bits hold the counts of one colour, `bits` those of all; where jokers are written beside them, they come above.
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
        """The state in which these runs of each colour are open."""
        return sum(encode(each, self.width) << shift for each, shift in zip(runs, self.shifts, strict=True))

    def runs(self, state: int) -> list[Runs]:
        """The open runs of each colour."""
        return [decode(state >> shift & self.mask, self.width) for shift in self.shifts]


class Field:
    """Where the open runs of one colour stand in the states of a coding."""

    __slots__ = ("coding", "shift")

    def __init__(self, coding: Coding, shift: int) -> None:
        self.coding, self.shift = coding, shift


@lru_cache(maxsize=1 << 8)
def coding_of(colours: int, copies: int, jokers: int) -> Coding:
    """The coding for boards of this many colours, copies of a tile and jokers."""
    return Coding(colours, copies, jokers)


def encode(runs: Runs, width: int) -> int:
    """Runs of one colour as one integer: how many hold one tile, at most two, and how many there are."""
    one, two, more = runs
    return one | one + two << width | one + two + more << 2 * width


def decode(code: int, width: int) -> Runs:
    """The runs that `encode` packed."""
    mask = (1 << width) - 1
    one, short, every = code & mask, code >> width & mask, code >> 2 * width
    return one, short - one, every - short


@lru_cache(maxsize=1 << 12)
def _beaten(code: int, width: int, copies: int) -> tuple[int, ...]:
    """The open runs, as codes, that those with this code are as good as."""
    return tuple(encode(runs, width) for runs in no_better(decode(code, width), copies))


class Front:
    """States that were reached, and which of them are as good as another: a bit for each, in the order they came.

    Who of them is as good in one colour is a bit mask, so one more state costs a few ANDs.
    """

    __slots__ = ("coding", "count", "known")

    def __init__(self, coding: Coding) -> None:
        self.coding = coding
        self.count = 0
        self.known: list[tuple[int, dict[int, int]]] = [(shift, {}) for shift in coding.shifts]

    def rivals(self, state: int) -> int:
        """Those that are as good as a state, or better."""
        found, mask = (1 << self.count) - 1, self.coding.mask
        for shift, known in self.known:
            found &= known.get(state >> shift & mask, 0)
        return found

    def take(self, state: int) -> None:
        """Take in one more state."""
        coding, bit = self.coding, 1 << self.count
        mask, width, copies = coding.mask, coding.width, coding.copies
        self.count += 1
        for shift, known in self.known:
            for code in _beaten(state >> shift & mask, width, copies):
                known[code] = known.get(code, 0) | bit


def beaten(code: int, front: list[int], guards: int) -> bool:
    """Whether a state with the jokers it uses is no better than one of those reached so far, for a few of these.

    In a `code` the numbers of runs are turned round (`Coding.more`), and jokers come above all: of all counts less is
    better. With a bit set above each count, one subtraction tells whether any count is less than that of another:
    there the bit is gone.
    """
    guarded = code | guards
    for known in front:  # noqa: SIM110 - a generator takes twice as long
        if guarded - known & guards == guards:
            return True
    return False
