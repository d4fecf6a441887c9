"""Places after the turn for jokers that nothing set free: one choice for each set, and all of them at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from referee.game.judge.jokers.values import counts, readings, readings_in
from referee.game.rulebooks.model import Ruleset
from referee.game.table import Set, in_order
from referee.game.tiles import JOKER, Colour, Tile


class Choice(NamedTuple):
    """What may become of the jokers of a set: the tiles that free some, and what the others still stand for."""

    freed: tuple[Tile, ...]
    kept: tuple[Tile, ...]
    in_run: bool


Lying = tuple[tuple[Set, ...], int]
"""What jokers stand for in each of the places, and how many more jokers may lie anywhere."""
Sources = tuple[tuple[Set, tuple[Tile, ...]], ...]
"""Sets, and the tiles that set some of their jokers free."""

Homes = dict[tuple[Tile, bool], tuple[int, ...]]
Fitting = dict[tuple[int, tuple[Tile, ...], bool], bool]
Placed = dict[tuple[tuple[Tile, ...], bool, frozenset[Lying]], frozenset[Lying]]
"""Every way to find places for some jokers more, those before them lying in some ways."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Places for jokers after the turn, and what was found out about them."""

    places: tuple[Set, ...]
    """Those that are sets."""
    anywhere: int
    """How many jokers may lie anywhere."""
    offers: frozenset[tuple[Tile, bool]]
    """Everything that a joker may stand for in the places, and whether in a run."""
    fitting: Fitting = field(default_factory=dict)
    homes: Homes = field(default_factory=dict)
    choices: dict[Hashable, list[Choice]] = field(default_factory=dict)
    choices_in: dict[Hashable, tuple[Choice, ...]] = field(default_factory=dict)
    """The same for each way to see a set."""
    placed: Placed = field(default_factory=dict)

    @classmethod
    def in_places(cls, places: Sequence[Set], excused: int, rules: Ruleset) -> Ends:
        """The ends in these places, this many jokers being missing."""
        right = tuple([place for place in places if counts(place, rules)])
        # A set that is no set is refused itself, and its jokers give no second reason: they may be anything.
        anywhere = excused + sum([place.count(JOKER) for place in places if not counts(place, rules)])
        travels = rules.joker_rule.travels
        ways = [way for place in right for way in readings(place, rules)]
        return cls(right, anywhere, frozenset((t, way.in_run and not travels) for way in ways for t in way.tiles))


@dataclass(frozen=True, slots=True)
class SourceSearch:
    """Tries the choices of one set after the other; with each goes every way to place the jokers that are kept.

    The places are sets after the turn. What failed once is not tried again.
    """

    rules: Ruleset
    sets: list[Set]
    choices: list[list[Choice]]
    places: tuple[Set, ...]
    failed: set[object] = field(default_factory=set)
    homes: Homes = field(default_factory=dict)
    """By number the places where a joker can stand for a tile at all."""
    fitting: Fitting = field(default_factory=dict)
    """Whether jokers of a place can stand for some tiles together."""
    placed: Placed = field(default_factory=dict)
    """All three hold for the same places ever after."""

    def run(self, hand: Counter[Tile] | None, anywhere: int) -> Sources | None:
        """The first choices that go together, each tile of the hand, if there is one, freeing one joker."""
        held = None
        if hand is not None:
            wanted = {tile for choices in self.choices for choice in choices for tile in choice.freed}
            held = {tile: hand[tile] for tile in wanted}
        return self._next(0, held, frozenset({(((),) * len(self.places), anywhere)}))

    def _next(self, index: int, hand: dict[Tile, int] | None, ways: frozenset[Lying]) -> Sources | None:
        if index == len(self.sets):
            return ()
        key = index, None if hand is None else frozenset(hand.items()), ways
        if key in self.failed:
            return None
        tried: set[object] = set()
        for choice in self.choices[index]:
            left = hand
            if hand is None:
                if choice[1:] in tried:
                    continue  # nothing but what is kept matters then, and with this it failed
                tried.add(choice[1:])
            elif choice.freed:
                if any(hand[tile] < 1 for tile in choice.freed):
                    continue
                left = hand | {tile: hand[tile] - 1 for tile in choice.freed}
            then = self._place_jokers(choice.kept, choice.in_run, ways)
            rest = self._next(index + 1, left, then) if then else None
            if rest is not None:
                return ((self.sets[index], choice.freed), *rest) if choice.freed else rest
        self.failed.add(key)
        return None

    def _place_jokers(self, kept: tuple[Tile, ...], in_run: bool, ways: frozenset[Lying]) -> frozenset[Lying]:
        """Every way to find places for the jokers that are kept."""
        if not kept:
            return ways
        key = kept, in_run, ways
        then = self.placed.get(key)
        if then is None:
            *some, last = kept
            before = self._place_jokers(tuple(some), in_run, ways)
            then = self.placed[key] = frozenset([more for way in before for more in self._with(way, last, in_run)])
        return then

    def _with(self, way: Lying, tile: Tile, in_run: bool) -> Iterator[Lying]:
        taken, anywhere = way
        homes = self.homes.get((tile, in_run))
        if homes is None:
            every = range(len(self.places))
            homes = self.homes[tile, in_run] = tuple([i for i in every if self._fits(i, (tile,), in_run)])
        for number in homes:
            stand_for = in_order((*taken[number], tile)) if taken[number] else (tile,)
            if self._fits(number, stand_for, in_run):
                yield (*taken[:number], stand_for, *taken[number + 1 :]), anywhere
        if anywhere:
            yield taken, anywhere - 1

    def _fits(self, number: int, stand_for: tuple[Tile, ...], in_run: bool) -> bool:
        """Whether jokers of a set after the turn can stand for these tiles together."""
        key = number, stand_for, in_run
        known = self.fitting.get(key)
        if known is None:
            place, wanted, rule = self.places[number], frozenset(stand_for), self.rules.joker_rule
            enough = len(wanted) == len(stand_for) <= place.count(JOKER)
            kind = None if rule.travels else in_run
            known = enough and _can_stand(place, wanted, kind, self.rules.wraps, self.rules.colours, rule.as_laid)
            self.fitting[key] = known
        return known


@lru_cache(maxsize=1 << 14)
def _can_stand(
    place: Set, wanted: frozenset[Tile], in_run: bool | None, wraps: bool, colours: tuple[Colour, ...], in_place: bool
) -> bool:
    """Whether jokers of a set can stand for all these tiles, in a run or a group if that matters."""
    ways = readings_in(place, wraps, colours, in_place)
    return any(wanted <= way.tiles and in_run in {None, way.in_run} for way in ways)
