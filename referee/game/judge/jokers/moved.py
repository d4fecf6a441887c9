"""Finds the jokers of the table that were moved although nothing had freed them.

From the beginning of a turn until it is freed, a joker stands for one and the same tile. If places matter, this is the
tile of its place in the row; otherwise any that its set allows, whichever is best for the player. The jokers of one
set stand for different tiles that complete it together. A joker is free once that very tile could have taken its
place: from the hand only (EXCHANGED; one tile of the hand frees one joker) or from anywhere on the table as well
(REPLACED; one tile can free several jokers, one after the other). The tile need not lie there in the end, since the
set may be rebuilt after the exchange.

A joker that is not free must still stand for its tile at the end of the turn: in any set where the rules let it
travel, otherwise in a set of the same kind (run or group). Its old neighbours need not be there any more, since tiles
may come and go beside a joker that stays in its place. But it cannot get from a run to a group without being taken up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from referee.game.judge.jokers.values import Reading, readings
from referee.game.judge.jokers.ways import Choice, Ends, SourceSearch
from referee.game.rulebooks.model import JokerFreedom, Ruleset
from referee.game.table import Change, Set, Table, in_order
from referee.game.tiles import JOKER, Tile


class Bound(NamedTuple):
    """A set of the table whose jokers are bound to what they stand for.

    `tiles` is the set as it lies, `key` the same tiles sorted, and `jokers` how many of them are jokers. The
    `readings` are what they may stand for.
    """

    tiles: Set
    key: Set
    jokers: int
    readings: tuple[Reading, ...]


class Freed(NamedTuple):
    """A set of the table before the turn, and the tiles that freed jokers of it."""

    old: Set
    tiles: tuple[Tile, ...]


def bind_jokers(tiles: Set, rules: Ruleset) -> Bound:
    """Return a set with its jokers bound to whatever they may stand for."""
    return Bound(tiles, in_order(tiles), tiles.count(JOKER), readings(tiles, rules))


@dataclass(frozen=True, slots=True)
class JokerCheck:
    """Searches for a legal way for all jokers from an earlier table to the table after the turn."""

    rules: Ruleset
    places: tuple[Set, ...]
    """The sets after the turn that hold jokers, as they lie."""
    reach: frozenset[Tile]
    """Every numbered tile on the table before or after the turn."""
    excused: int
    """The number of jokers that are missing after the turn; that is reported as another fault."""
    lying: frozenset[Set]
    """The places, each with its tiles sorted."""
    known: dict[tuple[Set, ...], Ends] = field(default_factory=dict, compare=False, repr=False)
    """Cache by the places left over: hundreds of searches may concern the same ones."""
    works: dict[tuple[Reading, ...], frozenset[tuple[Tile, bool]]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Cache of `_works()`."""

    @classmethod
    def for_change(cls, change: Change, rules: Ruleset) -> JokerCheck:
        """Prepare the check of one turn."""
        in_place = rules.joker_rule.as_laid
        places = tuple(tiles if in_place else in_order(tiles) for tiles in change.after if JOKER in tiles)
        return cls(
            rules, places, frozenset(change.reachable_tiles), change.vanished[JOKER], frozenset(map(in_order, places))
        )

    def way(self, sets: Sequence[Bound], hand: Counter[Tile]) -> tuple[Freed, ...] | None:
        """Return the jokers of `sets` that must have been freed; None if there is no legal way.

        `hand` are the numbered tiles that were laid from the hand.
        """
        if not sets or self.rules.joker_rule.freedom is JokerFreedom.ALWAYS:
            return ()
        moved, still, places = self._split_moved(sets)
        if not moved:
            return ()
        # First assume that sets which lie as before were not touched, and that as few jokers as possible were freed.
        way = self._search(moved, places, hand, thrifty=True)
        if way is not None:
            return way
        drawn_in = self._drawn_in(moved, still)
        if not drawn_in:
            return None
        places += [place for _, place in drawn_in]
        return self._search([*moved, *(group for group, _ in drawn_in)], places, hand, thrifty=False)

    def _split_moved(self, sets: Sequence[Bound]) -> tuple[list[Bound], list[tuple[Bound, Set]], list[Set]]:
        """Return the sets that no longer lie as before, those that do with their places, and the other places."""
        places, waiting = list(self.places), list(sets)
        still: list[tuple[Bound, Set]] = []
        as_laid = self.rules.joker_rule.as_laid
        for exactly in (True, False) if as_laid else (True,):
            moved = []
            for group in waiting:
                place = None
                if as_laid:
                    if group.key in self.lying:
                        place = next((place for place in places if self._lies_in(group, place, exactly)), None)
                elif group.key in places:
                    place = group.key
                if place is None:
                    moved.append(group)
                else:
                    still.append((group, place))
                    places.remove(place)
            waiting = moved
        return waiting, still, places

    def _lies_in(self, group: Bound, place: Set, exactly: bool) -> bool:
        """Whether this place holds the set with its jokers standing for the same: in all readings, or in one."""
        if len(group.key) != len(place) or group.key != in_order(place):
            return False
        ways = readings(place, self.rules)
        return group.readings == ways if exactly else not set(ways).isdisjoint(group.readings)

    def _drawn_in(self, moved: Sequence[Bound], still: list[tuple[Bound, Set]]) -> list[tuple[Bound, Set]]:
        """Return the unchanged sets whose jokers may have made room for a moved joker, directly or in a chain."""
        drawn_in: list[tuple[Bound, Set]] = []
        waiting = list(moved)
        while waiting:
            works = self._works(waiting.pop().readings)
            near = [(group, place) for group, place in still if works & self._works(readings(place, self.rules))]
            still = [pair for pair in still if pair not in near]
            drawn_in += near
            waiting += [group for group, _ in near]
        return drawn_in

    def _works(self, ways: tuple[Reading, ...]) -> frozenset[tuple[Tile, bool]]:
        """Return all tiles that jokers may stand for in these readings, each with its kind of set (see `_kind()`)."""
        if ways not in self.works:
            self.works[ways] = frozenset(
                [(tile, kind) for way in ways for kind in (self._kind(way),) for tile in way.tiles]
            )
        return self.works[ways]

    def stuck(self, sets: Sequence[Bound], hand: Counter[Tile]) -> tuple[int, ...]:
        """Return the indexes of the fewest sets without which there is a legal way for the jokers of all others."""
        if self.way(sets, hand) is not None:
            return ()
        numbers = range(len(sets))
        # If the jokers of a set cannot have moved when they are considered alone, they cannot with others either.
        lost = {i for i in numbers if self.way([sets[i]], hand) is None}
        return next(
            some
            for size in range(max(1, len(lost)), len(sets) + 1)
            for some in combinations(numbers, size)
            if lost.issubset(some) and self.way([sets[i] for i in numbers if i not in some], hand) is not None
        )

    def _search(
        self, sets: Sequence[Bound], places: Sequence[Set], hand: Counter[Tile], thrifty: bool
    ) -> tuple[Freed, ...] | None:
        exchanged = self.rules.joker_rule.freedom is JokerFreedom.EXCHANGED
        ends = self.known.get(tuple(places))
        if ends is None:
            ends = self.known[tuple(places)] = Ends.in_places(places, self.excused, self.rules)
        frees = frozenset([tile for tile in hand if hand[tile]]) if exchanged else self.reach
        choices = [self._choices(group, frees, ends, thrifty) for group in sets]
        if not all(choices):
            return None
        order = sorted(range(len(sets)), key=lambda i: len(choices[i]))
        tiles, choices = [sets[i].tiles for i in order], [choices[i] for i in order]
        search = SourceSearch(self.rules, tiles, choices, ends.places, ends.rooms, ends.offered, ends.placed)
        found = search.run(hand if exchanged else None, ends.anywhere)
        return None if found is None else tuple(Freed(tiles, freed) for tiles, freed in found)

    def _choices(self, group: Bound, frees: frozenset[Tile], ends: Ends, thrifty: bool) -> list[Choice]:
        """Return what may become of a set's jokers: which are freed, and what the others still stand for.

        With `thrifty`, choices that free few jokers come first; otherwise those that keep few bound. `frees` are the
        tiles that can free jokers.
        """
        key = group.readings, group.jokers, frees, thrifty
        choices = ends.choices.get(key)
        if choices is None:
            every = dict.fromkeys(
                choice
                for way in group.readings
                for choice in self._choices_in(way, group.jokers, way.tiles & frees, ends, thrifty)
            )
            choices = sorted(every, key=lambda choice: len(choice.freed if thrifty else choice.kept))
            ends.choices[key] = choices
        return choices

    def _choices_in(
        self, way: Reading, jokers: int, frees: frozenset[Tile], ends: Ends, thrifty: bool
    ) -> tuple[Choice, ...]:
        """Return the choices in one reading of a set, in which the tiles `frees` can free jokers.

        Cached by reading: a set of jokers alone has a hundred, and between searches `frees` differs in few of them.
        (Other sets have few.)
        """
        key = way, jokers, frees, thrifty
        choices = ends.choices_in.get(key)
        if choices is None:
            choices = ends.choices_in[key] = tuple(self._every_choice(way, jokers, frees, ends, thrifty))
        return choices

    def _every_choice(
        self, way: Reading, jokers: int, frees: frozenset[Tile], ends: Ends, thrifty: bool
    ) -> Iterator[Choice]:
        exchanged, kind = self.rules.joker_rule.freedom is JokerFreedom.EXCHANGED, self._kind(way)
        stay = way.tiles if ends.anywhere else frozenset([t for t in way.tiles if (t, kind) in ends.offers])
        for tiles in _picks(stay | frees, jokers):
            within = tuple([t for t in tiles if t in frees])
            must = len([t for t in within if t not in stay])
            fewest = must if exchanged or thrifty else len(within)
            for size in range(fewest, len(within) + 1):
                for freed in combinations(within, size):
                    kept = tuple([t for t in tiles if t not in freed])
                    if not must or stay.issuperset(kept):
                        yield Choice(freed, kept, kind)

    def _kind(self, way: Reading) -> bool:
        return way.in_run and not self.rules.joker_rule.travels


@lru_cache(maxsize=1 << 12)
def _picks(tiles: frozenset[Tile], number: int) -> tuple[tuple[Tile, ...], ...]:
    return tuple(combinations(in_order(tiles), number))


def bound_on(table: Table, rules: Ruleset) -> list[Bound]:
    """Return the valid sets of a table that have jokers; jokers in tiles that are no set are not bound to anything."""
    found = [bind_jokers(tiles, rules) for tiles in table if JOKER in tiles]
    return [group for group in found if group.readings]


def moved_unfreed(change: Change, rules: Ruleset) -> tuple[Set, ...]:
    """Return the old sets that lost a joker which nothing had freed, in the most lenient reading of the turn."""
    sets = _bound_sets_changed_first(change, rules)
    return tuple(sets[i].tiles for i in JokerCheck.for_change(change, rules).stuck(sets, change.numbered_laid))


def moved_by_right(change: Change, rules: Ruleset) -> bool:
    """Return whether no old set lost a joker which nothing had freed."""
    return (
        JokerCheck.for_change(change, rules).way(_bound_sets_changed_first(change, rules), change.numbered_laid)
        is not None
    )


def _bound_sets_changed_first(change: Change, rules: Ruleset) -> list[Bound]:
    changed = set(map(in_order, change.old))
    return sorted(bound_on(change.before, rules), key=lambda group: group.key not in changed)


def could_be_freed(change: Change, rules: Ruleset) -> bool:
    """Return whether a joker of a set that was changed could have been replaced in this turn."""
    reach = change.numbered_laid if rules.joker_rule.freedom is JokerFreedom.EXCHANGED else change.reachable_tiles
    return any(reach[t] for old in change.old for way in readings(old, rules) for t in way.tiles)
