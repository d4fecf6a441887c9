"""Places after the turn for jokers that nothing set free: one choice for each set, and all of them at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.game.judge.jokers.values import Reading, counts, readings
from referee.game.rulebooks.model import Ruleset
from referee.game.table import Set, in_order
from referee.game.tiles import JOKER, Tile


class Choice(NamedTuple):
    """What may become of the jokers of a set: the tiles that free some, and what the others still stand for."""

    freed: tuple[Tile, ...]
    kept: tuple[Tile, ...]
    in_run: bool


Lying = tuple[tuple[Set, ...], int]
"""What jokers stand for in each of the places, and how many more jokers may lie anywhere."""
Sources = tuple[tuple[Set, tuple[Tile, ...]], ...]
"""Sets, and the tiles that set some of their jokers free."""

_FULL = (JOKER,)
"""Stands for whatever all jokers of a place stand for: nothing tells such places apart, as no joker more has room."""
Rooms = dict[tuple[int, tuple[Tile, ...], bool], frozenset[Tile]]
Offers = dict[tuple[frozenset[Lying], bool], frozenset[Tile] | None]
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
    choices: dict[Hashable, list[Choice]] = field(default_factory=dict)
    choices_in: dict[Hashable, tuple[Choice, ...]] = field(default_factory=dict)
    """The same for each way to see a set."""
    rooms: Rooms = field(default_factory=dict)
    offered: Offers = field(default_factory=dict)
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
    rooms: Rooms = field(default_factory=dict)
    """What one more joker of a place can stand for beside the others there."""
    offered: Offers = field(default_factory=dict)
    """What one more joker can stand for somewhere, those before it lying in some ways; None: for anything."""
    placed: Placed = field(default_factory=dict)
    """All three hold for the same places ever after."""
    failed: set[object] = field(default_factory=set)

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
            if choice.kept:
                offers = self._offers(ways, choice.in_run)
                if offers is not None and not offers.issuperset(choice.kept):
                    continue
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
            then = self.placed[key] = frozenset(
                [more for way in before for more in self._ways_to_place(way, last, in_run)]
            )
        return then

    def _ways_to_place(self, way: Lying, tile: Tile, in_run: bool) -> Iterator[Lying]:
        taken, anywhere = way
        for number, stand_for in enumerate(taken):
            if tile in self._room(number, stand_for, in_run):
                full = len(stand_for) + 1 == self.places[number].count(JOKER)
                then = _FULL if full else in_order((*stand_for, tile))
                yield (*taken[:number], then, *taken[number + 1 :]), anywhere
        if anywhere:
            yield taken, anywhere - 1

    def _room(self, number: int, stand_for: tuple[Tile, ...], in_run: bool) -> frozenset[Tile]:
        """What one more joker of a set after the turn can stand for, where others stand for these tiles."""
        key = number, stand_for, in_run
        room = self.rooms.get(key)
        if room is None:
            ways = readings(self.places[number], self.rules) if stand_for != _FULL else ()
            fitting = [way.tiles for way in ways if way.tiles.issuperset(stand_for) and self._is_kind(way, in_run)]
            room = self.rooms[key] = frozenset().union(*fitting).difference(stand_for)
        return room

    def _is_kind(self, way: Reading, in_run: bool) -> bool:
        """Whether it does not matter that a set is a run or a group, or it is the one that is wanted."""
        return self.rules.joker_rule.travels or way.in_run == in_run

    def _offers(self, ways: frozenset[Lying], in_run: bool) -> frozenset[Tile] | None:
        """What one more joker can stand for somewhere; None: for anything."""
        key = ways, in_run
        if key not in self.offered:
            rooms = [self._room(n, some, in_run) for taken, _ in ways for n, some in enumerate(taken)]
            self.offered[key] = None if any(anywhere for _, anywhere in ways) else frozenset().union(*rooms)
        return self.offered[key]
