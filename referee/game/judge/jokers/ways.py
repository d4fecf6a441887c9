"""The search for places after the turn for all jokers that were not freed: one choice for each set of the table."""

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
    """What may become of the jokers of a set: the tiles that free some of them, and what the others stand for."""

    freed: tuple[Tile, ...]
    kept: tuple[Tile, ...]
    in_run: bool


Lying = tuple[tuple[Set, ...], int]
"""An assignment of jokers: what those in each place stand for, and how many more jokers may lie anywhere."""
Sources = tuple[tuple[Set, tuple[Tile, ...]], ...]
"""Sets, each with the tiles that free some of its jokers."""

_FULL = (JOKER,)
"""Marks a place whose jokers are all assigned. What they stand for no longer matters, as there is no room for more."""
Rooms = dict[tuple[int, tuple[Tile, ...], bool], frozenset[Tile]]
Offers = dict[tuple[frozenset[Lying], bool], frozenset[Tile] | None]
Placed = dict[tuple[tuple[Tile, ...], bool, frozenset[Lying]], frozenset[Lying]]
"""The caches of `SourceSearch`, which describes them."""


@dataclass(frozen=True, slots=True)
class Ends:
    """The places for jokers after the turn, with caches of what was computed about them."""

    places: tuple[Set, ...]
    """The sets with jokers after the turn that are valid."""
    anywhere: int
    """How many jokers may stand for anything, since they are missing or in no valid set."""
    offers: frozenset[tuple[Tile, bool]]
    """Every tile that a joker may stand for in a place, and whether in a run (always False where jokers travel)."""
    choices: dict[Hashable, list[Choice]] = field(default_factory=dict)
    choices_in: dict[Hashable, tuple[Choice, ...]] = field(default_factory=dict)
    """`choices` by set, `choices_in` by reading of a set; see `JokerCheck`."""
    rooms: Rooms = field(default_factory=dict)
    offered: Offers = field(default_factory=dict)
    placed: Placed = field(default_factory=dict)

    @classmethod
    def in_places(cls, places: Sequence[Set], excused: int, rules: Ruleset) -> Ends:
        """Prepare the search with these places, while `excused` jokers are missing."""
        right = tuple([place for place in places if counts(place, rules)])
        # An invalid set is a fault of its own; its jokers must not cause a second one, so they may stand for anything.
        anywhere = excused + sum([place.count(JOKER) for place in places if not counts(place, rules)])
        travels = rules.joker_rule.travels
        ways = [way for place in right for way in readings(place, rules)]
        return cls(right, anywhere, frozenset((t, way.in_run and not travels) for way in ways for t in way.tiles))


@dataclass(frozen=True, slots=True)
class SourceSearch:
    """A depth-first search over the choices of each set, with all assignments that are possible after each choice.

    States that failed are remembered and not tried again.
    """

    rules: Ruleset
    sets: list[Set]
    choices: list[list[Choice]]
    places: tuple[Set, ...]
    rooms: Rooms = field(default_factory=dict)
    """Cache: what one more joker in a place can stand for, given the others there."""
    offered: Offers = field(default_factory=dict)
    """Cache: what one more joker can stand for in any place, given the assignments so far; None means anything."""
    placed: Placed = field(default_factory=dict)
    """Cache: all assignments after some more jokers. The three caches are valid as long as the places are the same."""
    failed: set[object] = field(default_factory=set)

    def run(self, hand: Counter[Tile] | None, anywhere: int) -> Sources | None:
        """Return the first choices that are possible together; None if there are none.

        With a `hand`, each tile of it frees one joker at most.
        """
        held = None
        if hand is not None:
            wanted = {tile for choices in self.choices for choice in choices for tile in choice.freed}
            held = {tile: hand[tile] for tile in wanted}
        return self._choose_from(0, held, frozenset({(((),) * len(self.places), anywhere)}))

    def _choose_from(self, index: int, hand: dict[Tile, int] | None, ways: frozenset[Lying]) -> Sources | None:
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
                    continue  # without a hand only the jokers that are kept matter, and these failed before
                tried.add(choice[1:])
            elif choice.freed:
                if any(hand[tile] < 1 for tile in choice.freed):
                    continue
                left = hand | {tile: hand[tile] - 1 for tile in choice.freed}
            then = self._place_jokers(choice.kept, choice.in_run, ways)
            rest = self._choose_from(index + 1, left, then) if then else None
            if rest is not None:
                return ((self.sets[index], choice.freed), *rest) if choice.freed else rest
        self.failed.add(key)
        return None

    def _place_jokers(self, kept: tuple[Tile, ...], in_run: bool, ways: frozenset[Lying]) -> frozenset[Lying]:
        """Return every assignment after the jokers that are kept have been added to one of `ways`."""
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
        """Return what one more joker in a place can stand for, while others there stand for `stand_for`."""
        key = number, stand_for, in_run
        room = self.rooms.get(key)
        if room is None:
            ways = readings(self.places[number], self.rules) if stand_for != _FULL else ()
            fitting = [way.tiles for way in ways if way.tiles.issuperset(stand_for) and self._is_kind(way, in_run)]
            room = self.rooms[key] = frozenset().union(*fitting).difference(stand_for)
        return room

    def _is_kind(self, way: Reading, in_run: bool) -> bool:
        """Whether the reading is of the kind wanted (run or group), or the rules do not distinguish them."""
        return self.rules.joker_rule.travels or way.in_run == in_run

    def _offers(self, ways: frozenset[Lying], in_run: bool) -> frozenset[Tile] | None:
        """Return what one more joker can stand for in any place; None means anything."""
        key = ways, in_run
        if key not in self.offered:
            rooms = [self._room(n, some, in_run) for taken, _ in ways for n, some in enumerate(taken)]
            self.offered[key] = None if any(anywhere for _, anywhere in ways) else frozenset().union(*rooms)
        return self.offered[key]
