"""When time is up: the table that remains when the player takes as few tiles as possible.

Whether a table is legal is decided as the judge does, but without collecting faults, which is much faster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, product
from typing import Any, NamedTuple

from referee.game.judge import faults
from referee.game.judge.first_meld import first_meld
from referee.game.judge.jokers.back import jokers_on, table_without_wrong_sets, with_jokers_back, without_tiles
from referee.game.judge.jokers.moved import moved_by_right
from referee.game.judge.jokers.values import change_by
from referee.game.judge.judge import Turn, in_all_colours
from referee.game.judge.last_turn import Apart, finish_faults, set_apart
from referee.game.judge.strict_rebuild import kept_together
from referee.game.rulebooks.model import Ruleset
from referee.game.sets import SMALLEST, split_long
from referee.game.table import Change, Table, laid_tiles, tiles_on
from referee.game.tiles import JOKER, Tile


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate for the table that remains; tiles of the table that the player takes may be missing from it."""

    change: Change
    apart: Apart
    turn: Turn
    rules: Ruleset

    @classmethod
    def for_target(cls, before: Table, target: Table, turn: Turn, rules: Ruleset) -> Trial:
        """Prepare the trial of the table `target`."""
        if turn.aside is not None:
            before, target = (*before, (turn.aside,)), (*target, (turn.aside,))
        before, target = split_long(before, rules.wraps), split_long(target, rules.wraps)
        apart = set_apart(before, target, turn.aside if rules.finish.last_tile else None, turn.hand, rules.box.copies)
        change = change_by(rules, apart.before, apart.after)
        return cls(change, apart, turn, in_all_colours(rules, change, turn.aside))

    @property
    def nothing(self) -> bool:
        """Whether nothing has changed since the turn began."""
        return self.change.nothing and not self.apart.gone

    def opens(self) -> bool:
        """Return whether no first meld is required, or there is a sufficient one."""
        if self.turn.opened or self.nothing:
            return True
        meld = first_meld(self.change, self.rules, told=False)
        return not _any(faults.opening_faults(self.change, meld, self.rules))

    def right(self, taken: int) -> bool:
        """Return whether nothing else is wrong, if this many tiles are taken."""
        change, apart, rules, turn = self.change, self.apart, self.rules, self.turn
        if self.nothing:
            return True
        from_hand = change.laid.total() - apart.used
        jokers = rules.jokers_known() if turn.jokers is None else turn.jokers
        return not (
            _any(faults.too_many(change, from_hand, rules))
            or _any(faults.more_than_hand(change, from_hand, turn.hand, jokers))
            or (not taken and _any(faults.nothing_laid(change, rules)))
            or _any(faults.not_sets(change, rules))
            or _any(faults.impossible(change, None if apart.used or apart.gone else turn.aside, rules))
            or _any(finish_faults(change, apart, turn.aside, turn.hand, rules))
            or not self.jokers_are_legal()
            or not self.rebuilding_is_legal()
        )

    def jokers_are_legal(self) -> bool:
        """Return whether no joker was moved without being freed."""
        return moved_by_right(self.change, self.rules)

    def rebuilding_is_legal(self) -> bool:
        """Return whether enough of every set stayed together, if the rules ask for that."""
        return not self.rules.meld_rules.strict_rebuild or kept_together(self.change, self.rules)


def _any(found: Iterable[Any]) -> bool:
    return next(iter(found), None) is not None


_MOST_UNDONE = 2
"""The most new sets that are undone together before the whole turn is. Chosen by hand, as it bounds the time."""
_MOST_STARTS = 2
"""How many ways to give jokers back are tried. Chosen by hand, for the same reason."""


def table_after_taking(before: Table, now: Table, turn: Turn, rules: Ruleset) -> tuple[Table, bool] | None:
    """Return the table that remains after the player has taken tiles, and whether the turn counts as a first meld.

    None if no such table was found, so that the table must be restored.
    """
    most = laid_tiles(before, now).total()
    with_jokers = with_jokers_back(before, now, rules) if rules.edition > 1 else ()
    starts = with_jokers or (table_without_wrong_sets(now, rules),)
    for target in _targets(before, now, starts, turn, rules, keeps_jokers=bool(with_jokers)):
        taken = laid_tiles(target, now).total()
        if target not in starts and taken >= most:
            return None
        trial = Trial.for_target(before, target, turn, rules)
        first = target == starts[0]
        if first and not trial.opens():
            return None
        lies = turn.opened or (trial.change.laid and not trial.nothing)
        if lies and trial.right(taken) and (first or trial.opens()):
            return target, not turn.opened
    return None


def _targets(
    before: Table, now: Table, starts: Sequence[Table], turn: Turn, rules: Ruleset, *, keeps_jokers: bool
) -> Iterator[Table]:
    """Yield the candidates without repetition: first the `starts`, then by how many more tiles must be taken.

    Candidates that are plainly illegal are left out.
    """
    yield from starts
    found: list[tuple[_Undone, _Hopes]] = []
    for start in starts[:_MOST_STARTS]:
        hopes = _Hopes(before, start, turn, rules)
        found += [(other, hopes) for other in _tables_with_sets_undone(before, start, rules)]
    seen = set(starts)
    lying = tiles_on(before)
    complete = not any(tiles_on(one) - tiles_on(now) for one in (before, *starts))
    for other, hopes in sorted(found, key=lambda pair: -pair[0].tiles):
        # No better than restoring the table: as many tiles are taken as were laid.
        if complete and other.tiles <= lying.total():
            return
        if (keeps_jokers and other.jokers < lying[JOKER]) or hopes.is_hopeless(other):
            continue
        table = other.table
        if table not in seen:
            seen.add(table)
            yield table


class _Undone(NamedTuple):
    """A table in which some sets are undone.

    `left` is what remains of each of these, by index; `tiles` and `jokers` are how many are then on the table.
    """

    start: Table
    left: Mapping[int, Table]
    tiles: int
    jokers: int

    @property
    def table(self) -> Table:
        """The resulting table."""
        return tuple(part for i, tiles in enumerate(self.start) for part in self.left.get(i, (tiles,)))


def _tables_with_sets_undone(before: Table, start: Table, rules: Ruleset) -> Iterator[_Undone]:
    """Yield tables in which some of the new sets are undone, or all of them but some of the player's own."""
    change = change_by(rules, before, start)
    # What remains of a set is either nothing, or the valid part of what came from the table.
    ways = {
        i: dict.fromkeys(((), table_without_wrong_sets((without_tiles(tiles, change.laid.elements()),), rules)))
        for i, tiles in change.new
    }
    lying = tiles_on(start)
    total, jokers = lying.total(), lying[JOKER]
    for size in range(1, _MOST_UNDONE + 1):
        for some in combinations(ways, size):
            for parts in product(*(ways[i] for i in some)):
                gone = sum([len(start[i]) for i in some]) - sum([len(tiles) for part in parts for tiles in part])
                taken = sum([start[i].count(JOKER) for i in some]) - jokers_on(chain.from_iterable(parts))
                yield _Undone(start, dict(zip(some, parts, strict=True)), total - gone, jokers - taken)
    own = [tiles for _, tiles in change.new if not Counter(tiles) - change.laid]
    for size in range(len(own), max(0, len(own) - _MOST_UNDONE), -1):
        for sets in combinations(own, size):
            if not tiles_on(sets) - change.laid:
                table = (*before, *sets)
                yield _Undone(table, {}, tiles_on(table).total(), jokers_on(table))


_Test = Callable[[Trial], bool]
_Key = tuple[_Test, tuple[tuple[int, Table], ...]]


@dataclass(slots=True)
class _Hopes:
    """Recognizes tables that are illegal, and stay so if more sets without jokers are undone.

    With fewer tiles on the table, jokers have fewer tiles that can free them, and old sets keep fewer tiles together.
    Only two things can make a difference: the rest of a set with jokers may have other readings, and a set that falls
    into several parts may have more tiles in sets of their own.
    """

    before: Table
    start: Table
    turn: Turn
    rules: Ruleset
    known: dict[_Key, bool] = field(default_factory=dict)
    above: Mapping[Tile, int] = field(init=False)
    """How many more of each tile are on the table than the box holds."""
    old: int = field(init=False)
    """The number of tiles before the turn: a table with as many may be unchanged, and then nothing is wrong."""

    def __post_init__(self) -> None:
        box, aside = self.rules.box, () if self.turn.aside is None else (self.turn.aside,)
        lying = tiles_on((*self.start, aside))
        most = Counter({tile: box.jokers if tile.is_joker else box.copies for tile in lying})
        self.above, self.old = lying - most, tiles_on(self.before).total()

    def is_hopeless(self, other: _Undone) -> bool:
        """Return whether this table is plainly illegal."""
        if not other.left:
            return False
        if other.tiles != self.old and any(self._count_gone(tile, other.left) < n for tile, n in self.above.items()):
            return True
        jokers = {i: parts for i, parts in other.left.items() if JOKER in self.start[i]}
        if not self._right(Trial.jokers_are_legal, jokers):
            return True
        if not self.rules.meld_rules.strict_rebuild or any(len(tiles) < SMALLEST for tiles in self.before):
            return False
        several = {i: parts for i, parts in other.left.items() if len(parts) > 1}
        return not self._right(Trial.rebuilding_is_legal, several)

    def _count_gone(self, tile: Tile, undone: Mapping[int, Table]) -> int:
        """Return how many copies of a tile are removed by undoing these sets."""
        lay = sum([self.start[i].count(tile) for i in undone])
        return lay - sum([tiles.count(tile) for parts in undone.values() for tiles in parts])

    def _right(self, test: _Test, undone: Mapping[int, Table]) -> bool:
        key = test, tuple(undone.items())
        if key not in self.known:
            table = _Undone(self.start, undone, 0, 0).table
            self.known[key] = test(Trial.for_target(self.before, table, self.turn, self.rules))
        return self.known[key]
