"""Parts of all turns from a table and a hand, and how they are divided into smaller ones.

Every way to divide a part leaves out no legal turn that is better than all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

from referee.game.judge.jokers.plans import STAYS, JokerPlan, Kept
from referee.game.judge.jokers.rows import lay_rows
from referee.game.rulebooks.model import JokerFreedom, Ruleset
from referee.game.sets import LARGEST_GROUP, SMALLEST
from referee.game.table import Set, Table, in_order
from referee.game.tiles import HIGHEST, JOKER, Tile


@dataclass(frozen=True, slots=True)
class Part:
    """Turns that have something in common.

    The tiles `must` lie in sets in the end. A joker that is bound is there as the tile that it stands for, and `kept`
    says which tiles are such jokers. `laid` are tiles of the hand that are in `must` or in the sets `done`, which are
    settled; those of `hand` may be laid as well. `plans` has what becomes of the jokers of each set of the table,
    None where that is open.
    """

    must: Counter[Tile]
    hand: Counter[Tile]
    laid: Counter[Tile]
    kept: Counter[Kept]
    done: Table
    plans: tuple[JokerPlan | None, ...]

    @classmethod
    def whole(cls, table: Table, hand: Set) -> Part:
        """Return the part of all turns."""
        must = Counter(tile for tiles in table for tile in tiles)
        return cls(must, Counter(hand), Counter(), Counter(), (), (None,) * len(table))

    @property
    def key(self) -> tuple[object, ...]:
        """What distinguishes this part from others."""
        counters = (self.must, self.hand, self.laid, self.kept)
        return (*(frozenset((+each).items()) for each in counters), self.done)

    def with_plan(self, index: int, tiles: Set, plan: JokerPlan, rules: Ruleset) -> Part | None:
        """Return the turns with this plan for the jokers of a set; None if the hand lacks a tile for it."""
        if plan.stays:
            return self.with_set_left(index, tiles)
        must, hand, laid = self.must.copy(), self.hand.copy(), self.laid.copy()
        replaced = rules.joker_rule.freedom is JokerFreedom.REPLACED
        for tile in plan.laid:
            if replaced and laid[tile]:
                continue  # one tile frees several jokers, one after the other
            if not hand[tile]:
                return None
            hand[tile] -= 1
            for counter in (must, laid):
                counter[tile] += 1
        for tile, _ in plan.kept:
            must[JOKER] -= 1
            must[tile] += 1
            if replaced:  # a tile that is laid frees the joker: that is another plan
                if laid[tile]:
                    return None
                hand[tile] = 0
        plans, kept = self._plans_with(index, plan), self.kept + Counter(plan.kept)
        return replace(self, must=must, hand=hand, laid=laid, kept=kept, plans=plans)

    def with_set_left(self, index: int, tiles: Set) -> Part:
        """Return the turns in which a set of the table stays as it is."""
        must, plans = self.must - Counter(tiles), self._plans_with(index, STAYS)
        return replace(self, must=must, done=(*self.done, tiles), plans=plans)

    def _plans_with(self, index: int, plan: JokerPlan) -> tuple[JokerPlan | None, ...]:
        return (*self.plans[:index], plan, *self.plans[index + 1 :])

    def without(self, tile: Tile, times: int) -> Part:
        """Return the turns in which this tile of the hand is laid less than so many times, beyond those in `laid`."""
        hand = self.hand.copy()
        hand[tile] = times - 1
        return replace(self, hand=hand)

    def with_joker_as(self, tile: Tile) -> Part:
        """Return the turns in which a joker of the hand is laid as this tile."""
        hand = self.hand - Counter([JOKER])
        must, laid = self.must + Counter([tile]), self.laid + Counter([JOKER])
        return replace(self, must=must, hand=hand, laid=laid, kept=self.kept + Counter([(tile, False)]))

    def settle(self, rules: Ruleset) -> Iterator[Part]:
        """Yield the turns with each set in which the first kept joker may lie, by rules that bind it to a kind of set.

        No run need be longer than five tiles, as it can be split beside the joker.
        """
        tile, in_run = next(iter(+self.kept))
        for faces in _runs_with(tile, rules.wraps) if in_run else _groups_with(tile, rules):
            for cells in product(*(self._fillings(face, (face, in_run), face is tile) for face in faces)):
                part = self._with_set(cells, in_run, rules)
                if part is not None:
                    yield part

    def _fillings(self, face: Tile, kept: Kept, bound: bool) -> list[tuple[Tile, str]]:
        """Return what can lie in the place of a tile, and where it comes from.

        A joker is of no use where the tile itself lies elsewhere: they could change places.
        """
        if bound or self.kept[kept]:
            return [(face, "kept")]
        if self.must[face] - self.kept[face, True] - self.kept[face, False] > 0:
            return [(face, "must")]
        jokers = [(JOKER, "must" if self.must[JOKER] > 0 else "hand")]
        return [(face, "hand"), *jokers] if self.hand[face] else jokers

    def _with_set(self, cells: tuple[tuple[Tile, str], ...], in_run: bool, rules: Ruleset) -> Part | None:
        must, hand, laid = self.must.copy(), self.hand.copy(), self.laid.copy()
        kept: Counter[Kept] = Counter()
        for tile, origin in cells:
            if origin == "kept":
                kept[tile, in_run] += 1
            if origin == "hand":
                hand[tile] -= 1
                laid[tile] += 1
            else:
                must[tile] -= 1
        if min(*must.values(), *hand.values()) < 0:
            return None
        (tiles,) = lay_rows([tuple(tile for tile, _ in cells)], kept, rules)
        return replace(self, must=must, hand=hand, laid=laid, kept=self.kept - kept, done=(*self.done, tiles))


def _runs_with(tile: Tile, wraps: bool) -> Iterator[Set]:
    for length in range(SMALLEST, 2 * SMALLEST):
        for start in range(tile.number - length + 1, tile.number + 1):
            if wraps or (start > 0 and start + length - 1 <= HIGHEST):
                yield tuple(Tile((start + step - 1) % HIGHEST + 1, tile.colour) for step in range(length))


def _groups_with(tile: Tile, rules: Ruleset) -> Iterator[Set]:
    others = in_order(Tile(tile.number, colour) for colour in rules.colours if colour is not tile.colour)
    for size in range(SMALLEST - 1, LARGEST_GROUP):
        for some in combinations(others, size):
            yield (tile, *some)
