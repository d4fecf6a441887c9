"""Decides without the judge what is wrong with a slip, from both tables, the hand and the text of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations

from referee.game.match.state import State
from referee.game.rulebooks import Ruleset
from referee.game.rulebooks.model import Extended, JokerFreedom, JokerSets
from referee.game.table import Set, Table, in_order, tiles_on
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile
from referee.sim.players.gin_mistakes import GinSlip
from referee.sim.players.wrong_turns import Slip

KNOCK_BELOW = 10


@dataclass(frozen=True)
class Case:
    """The table before and after a slip, without the tile aside."""

    state: State
    before: Table
    after: Table
    rules: Ruleset
    aside_used: bool

    @classmethod
    def of(cls, state: State, table: Table, rules: Ruleset) -> Case:
        """Return the case for a look at `table`."""
        alone = (state.aside,)
        after = tuple(tiles for tiles in table if tiles != alone)
        return cls(state, state.table, after, rules, state.aside is not None and alone not in table)

    @property
    def laid(self) -> Counter[Tile]:
        """Tiles that came to the table, including the one that lay aside."""
        return tiles_on(self.after) - tiles_on(self.before)

    @property
    def gone(self) -> Counter[Tile]:
        """Tiles that left the table."""
        return tiles_on(self.before) - tiles_on(self.after)

    @property
    def new(self) -> Table:
        """Sets that were not there before, with their tiles in order."""
        return tuple((Counter(map(in_order, self.after)) - Counter(map(in_order, self.before))).elements())

    @property
    def old(self) -> Table:
        """Sets that are no longer there."""
        return tuple((Counter(map(in_order, self.before)) - Counter(map(in_order, self.after))).elements())

    @property
    def from_hand(self) -> int:
        """How many tiles left the hand."""
        return self.laid.total() - self.aside_used

    def most(self, tiles: Set) -> int:
        """Return the most points that a set can count in a first meld."""
        joker = self.rules.opening.joker
        if joker is not None:
            return sum(joker if tile.is_joker else tile.number for tile in tiles)
        return max((sum(tile.number for tile in full) for full in _covering(tiles, self.rules)), default=0)


def set_in_truth(tiles: Set, rules: Ruleset) -> bool:
    """Return whether tiles are a group or a run, by trying all sets that jokers could complete them to."""
    return len(tiles) >= 3 and bool(_covering(tiles, rules))


def wrong_in_truth(slip: StrEnum, state: State, table: Table, rules: Ruleset) -> bool:
    """Return whether a slip is indeed the mistake that its name says."""
    if isinstance(slip, Slip):
        return _WRONG[slip](Case.of(state, table, rules))
    if slip is GinSlip.KNOCK and state.gin is not None:
        hand = sorted(set(tiles_on(table)).difference(state.gin.open))
        return len(hand) < state.seat.hand or _rest(tuple(hand)) >= KNOCK_BELOW
    return True


def _covering(tiles: Set, rules: Ruleset) -> tuple[frozenset[Tile], ...]:
    return _all_covering(in_order(tiles), rules.box.colours, rules.wraps)


@lru_cache(maxsize=1 << 14)
def _all_covering(tiles: Set, colours: tuple[Colour, ...], wraps: bool) -> tuple[frozenset[Tile], ...]:
    """Return all complete sets of this length that contain all the numbered tiles."""
    plain = [tile for tile in tiles if not tile.is_joker]
    if len(set(plain)) < len(plain):
        return ()
    return tuple(full for full in _every_set(len(tiles), colours, wraps) if full.issuperset(plain))


@lru_cache(maxsize=256)
def _every_set(length: int, colours: tuple[Colour, ...], wraps: bool) -> tuple[frozenset[Tile], ...]:
    groups = [
        frozenset(Tile(number, colour) for colour in some)
        for number in range(1, HIGHEST + 1)
        for some in combinations(colours, length)
    ]
    starts = range(1, (HIGHEST if wraps else HIGHEST - length + 1) + 1) if length <= HIGHEST else ()
    runs = [
        frozenset(Tile((start + step - 1) % HIGHEST + 1, colour) for step in range(length))
        for colour in colours
        for start in starts
    ]
    return (*groups, *runs)


def _rest(hand: Set) -> int:
    """Return the least deadwood of a hand of Gin, by trying every choice of sets."""
    colours = tuple({tile.colour for tile in hand if tile.colour is not None})
    sets = [full for length in range(3, 11) for full in _every_set(length, colours, False) if full.issubset(hand)]
    return _least_deadwood(frozenset(hand), sets)


def _least_deadwood(hand: frozenset[Tile], sets: list[frozenset[Tile]]) -> int:
    best = sum(min(tile.number, 10) for tile in hand)
    for index, some in enumerate(sets):
        if some <= hand:
            best = min(best, _least_deadwood(hand - some, sets[index + 1 :]))
    return best


def _no_set(case: Case) -> bool:
    return any(not set_in_truth(tiles, case.rules) for tiles in case.after)


def _gone(case: Case) -> bool:
    return bool(case.gone)


def _too_often(case: Case) -> bool:
    box = Counter(case.rules.box.inventory())
    return bool(tiles_on(case.after) - box)


def _opening_too_low(case: Case) -> bool:
    one = len(case.new) == 1 and case.most(case.new[0]) < case.rules.opening.minimum
    return not case.state.seat.opened and not case.old and one and _leaning(case) < case.rules.opening.minimum


def _not_opened(case: Case) -> bool:
    few = case.laid.total() == 1 and len(case.old) == 1
    return not case.state.seat.opened and few and _leaning(case) < case.rules.opening.minimum


def _leaning(case: Case) -> int:
    """Return an upper bound for the points of the tiles laid, if extended sets of the table count, too."""
    tiles = list(case.laid.elements())
    own = sum(HIGHEST if tile.is_joker else tile.number for tile in tiles)
    if case.rules.opening.extended is not Extended.WHOLE:
        return own if case.rules.opening.extended is Extended.ADDED else 0
    some = [part for length in range(1, len(tiles) + 1) for part in combinations(tiles, length)]
    values = [case.most(old) for old in case.before if any(set_in_truth((*old, *part), case.rules) for part in some)]
    return own + sum(value + own for value in sorted(values, reverse=True)[: len(tiles)])


def _opening_uses_table(case: Case) -> bool:
    return not case.state.seat.opened and not case.rules.opening.same_turn and bool(case.old)


def _strictly_broken(case: Case) -> bool:
    shared = [[len(set(old) & set(new)) for new in case.new] for old in case.old]
    return case.rules.meld_rules.strict_rebuild and any(max(row) == 2 for row in shared)


def _joker_taken(case: Case) -> bool:
    if _no_set(case):
        return True
    exchanged = case.rules.joker_rule.freedom is JokerFreedom.EXCHANGED
    reach = case.laid if exchanged else tiles_on(case.before) | tiles_on(case.after)
    homes = [tiles for tiles in case.old if JOKER in tiles]
    roles = {tile for tiles in homes for full in _covering(tiles, case.rules) for tile in set(full) - set(tiles)}
    return bool(homes) and not any(reach[tile] for tile in roles)


def _joker_for_other_end(case: Case) -> bool:
    """Return whether the tile that the joker stood for is nowhere where it could have replaced the joker."""
    (old,) = [tiles for tiles in case.before if JOKER in tiles]
    row = old if old[-1].is_joker else old[::-1]
    step = row[-2].number - row[-3].number
    lay_as = Tile((row[-2].number + step - 1) % HIGHEST + 1, row[-2].colour)
    exchanged = case.rules.joker_rule.freedom is JokerFreedom.EXCHANGED
    reach = case.laid if exchanged else tiles_on(case.before) | tiles_on(case.after)
    return case.rules.joker_rule.as_laid and row[-1].is_joker and not case.gone and not reach[lay_as]


def _undeclared(case: Case) -> bool:
    rows = [tiles for tiles in case.after if len(tiles) == 3 and tiles[1].is_joker]
    return case.rules.joker_rule.declared and any(abs(row[0].number - row[2].number) == 1 for row in rows)


def _jokers_alone(case: Case) -> bool:
    refused = case.rules.joker_rule.alone is JokerSets.REFUSED or not case.state.declared
    return refused and any(set(tiles) == {JOKER} for tiles in case.new)


def _too_many(case: Case) -> bool:
    return case.rules.cap is not None and case.laid.total() > case.rules.cap


def _more_than_hand(case: Case) -> bool:
    return case.from_hand > case.state.seat.hand


def _nothing_laid(case: Case) -> bool:
    return case.rules.meld_rules.put_back and not case.laid and not case.gone and bool(case.new)


def _last_tile(case: Case) -> bool:
    goes_out = case.from_hand == case.state.seat.hand
    return case.rules.finish.last_tile and case.aside_used != goes_out


def _last_set(case: Case) -> bool:
    return case.from_hand == case.state.seat.hand and case.laid.total() <= 3


def _hand_short(case: Case) -> bool:
    return case.laid.total() < case.state.seat.hand


_WRONG: Mapping[Slip, Callable[[Case], bool]] = {
    Slip.TOO_SHORT: _no_set,
    Slip.WRONG_NUMBER: _no_set,
    Slip.SAME_COLOUR: _no_set,
    Slip.PAST_THIRTEEN: _no_set,
    Slip.WRONG_TILE_ADDED: _no_set,
    Slip.BROKEN_UP: _no_set,
    Slip.VANISHED: _gone,
    Slip.JOKER_KEPT: _gone,
    Slip.FOREIGN: _too_often,
    Slip.OPENING_TOO_LOW: _opening_too_low,
    Slip.NOT_OPENED: _not_opened,
    Slip.OPENING_USES_TABLE: _opening_uses_table,
    Slip.STRICTLY_BROKEN: _strictly_broken,
    Slip.JOKER_TAKEN: _joker_taken,
    Slip.JOKER_FOR_OTHER_END: _joker_for_other_end,
    Slip.UNDECLARED: _undeclared,
    Slip.JOKERS_ALONE: _jokers_alone,
    Slip.TOO_MANY: _too_many,
    Slip.MORE_THAN_HAND: _more_than_hand,
    Slip.NOTHING_LAID: _nothing_laid,
    Slip.LAST_TILE: _last_tile,
    Slip.LAST_SET: _last_set,
    Slip.HAND_SHORT: _hand_short,
}
