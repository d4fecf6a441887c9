"""Groups and runs: what is a set, what its jokers may stand for, what it is worth.

Whether tiles are a set does not depend on their order: people sit around the table, so a run lies upside down for some
of them, and nobody is refused for an untidy row. If the numbers rise or fall along the row, the place of a joker tells
what it stands for (`runs_as_laid`). Where one answer is needed in any case, `as_laid` gives it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from referee.game.notice import Notice
from referee.game.table import Set, Table, in_order
from referee.game.tiles import HIGHEST, Colour, Tile

SMALLEST = 3
"""The fewest tiles of a set, in all rule books."""
LARGEST_GROUP = 4
"""The most tiles of a group, in all rule books."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Every reading of some tiles as a set.

    `group` is the number of the group that they form, if they do. `runs` lists the numbers of each run of `colour`
    that they can be. Tiles that are all jokers have neither number nor colour, although they can be a set.
    """

    tiles: Set
    jokers: int
    group: int | None = None
    colour: Colour | None = None
    runs: tuple[tuple[int, ...], ...] = ()

    @property
    def all_jokers(self) -> bool:
        """True if every tile is a joker."""
        return self.jokers == len(self.tiles)

    @property
    def valid(self) -> bool:
        """True for a group, a run, or 3 to 13 jokers."""
        return self.group is not None or bool(self.runs) or (self.all_jokers and SMALLEST <= self.jokers <= HIGHEST)

    @property
    def readings(self) -> tuple[frozenset[Tile], ...]:
        """For each reading of the set, the tiles that its jokers may stand for."""
        numbers = {tile.number for tile in self.tiles}
        ways = [frozenset(Tile(n, self.colour) for n in run if n not in numbers) for run in self.runs]
        if self.group is not None:
            used = {tile.colour for tile in self.tiles}
            ways.append(frozenset(Tile(self.group, colour) for colour in Colour if colour not in used))
        return tuple(ways)

    @property
    def roles(self) -> frozenset[Tile]:
        """Every tile that some joker of the set may stand for."""
        return frozenset().union(*self.readings) if self.jokers else frozenset()

    def value(self, joker: int | None) -> int:
        """Return the points of the set; a joker counts `joker` points, or with None the most it can stand for."""
        if joker is not None:
            return sum(tile.number for tile in self.tiles) + joker * self.jokers
        if self.all_jokers:
            return HIGHEST * self.jokers if self.jokers <= LARGEST_GROUP else sum(range(14 - self.jokers, 14))
        ways = [sum(run) for run in self.runs]
        if self.group is not None:
            ways.append(self.group * len(self.tiles))
        return max(ways, default=0)


def shape(tiles: Set, wraps: bool = False) -> Shape:
    """Return every reading of `tiles` as a set; with `wraps`, a run may go on from 13 to 1."""
    return _shape(in_order(tiles), wraps)


def is_set(tiles: Set, wraps: bool = False) -> bool:
    """Return whether the tiles are a valid group or run."""
    return shape(tiles, wraps).valid


@lru_cache(maxsize=1 << 14)
def _shape(tiles: Set, wraps: bool) -> Shape:
    plain = tuple(tile for tile in tiles if not tile.is_joker)
    jokers = len(tiles) - len(plain)
    if len(tiles) < SMALLEST or not plain:
        return Shape(tiles, jokers)
    numbers = {tile.number for tile in plain}
    colours = {tile.colour for tile in plain}
    group = (
        plain[0].number if len(numbers) == 1 and len(colours) == len(plain) and len(tiles) <= LARGEST_GROUP else None
    )
    if len(colours) > 1 or len(numbers) < len(plain):
        return Shape(tiles, jokers, group)
    return Shape(tiles, jokers, group, plain[0].colour, _runs(frozenset(numbers), len(tiles), wraps))


def _runs(numbers: frozenset[int], length: int, wraps: bool) -> tuple[tuple[int, ...], ...]:
    """Return every sequence of `length` consecutive numbers that contains all of `numbers`."""
    wanted = sum([1 << number for number in numbers])
    return tuple([stretch for stretch, covers in _stretches(length, wraps) if covers & wanted == wanted])


@lru_cache
def _stretches(length: int, wraps: bool) -> list[tuple[tuple[int, ...], int]]:
    """Return every sequence of consecutive numbers, and a mask with bit n set for each number n in it."""
    last_start = 0 if length > HIGHEST else HIGHEST if wraps else HIGHEST - length + 1
    every = [tuple((start + step - 1) % HIGHEST + 1 for step in range(length)) for start in range(1, last_start + 1)]
    return [(stretch, sum([1 << number for number in stretch])) for stretch in every]


def as_laid(tiles: Set, wraps: bool = False) -> Set:
    """Return the set with each joker replaced by what it stands for, according to the order of the tiles.

    A run may lie in ascending or descending order; for an untidy one, the reading with the highest numbers is taken.
    Jokers of a group stand for the missing colours in their usual order. Tiles that are no set, and jokers alone, are
    returned unchanged.
    """
    seen = shape(tiles, wraps)
    if seen.group is not None and not _run_as_laid(tiles, seen):
        missing = iter([c for c in Colour if c not in {tile.colour for tile in tiles}])
        return tuple(Tile(seen.group, next(missing)) if tile.is_joker else tile for tile in tiles)
    if not seen.runs:
        return tiles
    return _run_as_laid(tiles, seen) or _fill(tiles, seen)


def order_tells(tiles: Set, wraps: bool = False) -> bool:
    """Return whether it is clear what the jokers of a run stand for, if necessary from the order of its tiles.

    True for a set that can be a group: what its jokers stand for cannot be shown by their places.
    """
    seen = shape(tiles, wraps)
    return seen.group is not None or len(seen.runs) < 2 or bool(_run_as_laid(tiles, seen))


def runs_as_laid(tiles: Set, seen: Shape) -> tuple[tuple[int, ...], ...]:
    """Return those of `seen.runs` in which every tile is in its place; none if the tiles are not in order.

    Descending order counts as well: from the other side of the table it is ascending.
    """
    return tuple(run for run in seen.runs if _in_place(tiles, run) or _in_place(tiles, run[::-1]))


def _in_place(tiles: Set, numbers: tuple[int, ...]) -> bool:
    return all(tile.is_joker or tile.number == number for tile, number in zip(tiles, numbers, strict=True))


def _run_as_laid(tiles: Set, seen: Shape) -> Set:
    """Return the run with its jokers replaced by what their places tell; empty if the tiles are not in order."""
    for order in (*seen.runs[::-1], *(run[::-1] for run in seen.runs)):
        if _in_place(tiles, order):
            return tuple(Tile(number, seen.colour) for number in order)
    return ()


def _fill(tiles: Set, seen: Shape) -> Set:
    numbers = {tile.number for tile in tiles}
    free = iter([n for n in max(seen.runs, key=sum) if n not in numbers])
    return tuple(Tile(next(free), seen.colour) if tile.is_joker else tile for tile in tiles)


def split_long(table: Table, wraps: bool) -> Table:
    """Return the table with every cyclic row of more than 13 tiles split into runs.

    Players may lay such a row, but no run may contain a tile twice. The first run keeps the index of the row; the
    others are appended to the table.
    """
    if not wraps or all(len(tiles) <= HIGHEST for tiles in table):
        return table
    parts, more = list(table), []
    for index, tiles in enumerate(table):
        while len(parts[index]) > HIGHEST and is_set(parts[index][:SMALLEST], wraps):
            more.append(parts[index][:SMALLEST])
            parts[index] = parts[index][SMALLEST:]
        if not is_set(parts[index], wraps):
            more = [part for part in more if part != tiles[:SMALLEST]]
            parts[index] = tiles
    return (*parts, *more)


def why_not(tiles: Set) -> Notice:
    """Return the reason why these tiles are not a set."""
    plain = [tile for tile in tiles if not tile.is_joker]
    numbers = Counter(tile.number for tile in plain)
    colours = Counter(tile.colour for tile in plain)
    number_times, colour_times = max(numbers.values(), default=0), max(colours.values(), default=0)
    if len(tiles) < SMALLEST or not plain:  # jokers alone are invalid only if there are too many
        too_few = Notice("judge.why_too_few", fewest=SMALLEST)
        return too_few if len(tiles) < SMALLEST else Notice("judge.why_run_too_long", most=HIGHEST)
    if len(numbers) == 1 and number_times > 1:
        colour = colours.most_common(1)[0][0]
        if colour is None or colour_times == 1:
            return Notice("judge.why_group_too_large", most=LARGEST_GROUP)
        return Notice("judge.why_colour_twice", colour=colour)
    if len(colours) == 1:
        return _why_no_run(tiles, numbers)
    if number_times == colour_times:
        return Notice("judge.why_nothing_alike")
    return Notice("judge.why_numbers_differ" if number_times > colour_times else "judge.why_colours_differ")


def _why_no_run(tiles: Set, numbers: Counter[int]) -> Notice:
    number, times = numbers.most_common(1)[0]
    if times > 1:
        return Notice("judge.why_number_twice", number=number)
    if len(tiles) <= HIGHEST:
        return Notice("judge.why_numbers_missing")
    return Notice("judge.why_run_too_long", most=HIGHEST)
