"""The strict reading of the rules on rebuilding: if a set loses only some of its tiles, three must stay together.

A tile that takes a joker's place stays there for it: exchanging a joker is not breaking its set up.

Nobody saw which of two identical tiles (twins) went where. So the rule is kept if there is some assignment of the
twins with which it holds for all sets at once. Each set has a truth table of the assignments that satisfy it
(`twins.py`). A choice that suits all sets concerned is made at once. The remaining sets fall into parts without common
choices. In each part, a search makes one choice after the other (`TwinSearch`). If that takes too many steps, the
tables of all sets are combined, one after the other, and a choice is eliminated as soon as no later set depends on it,
so that few choices are open at any time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from referee.game.judge.jokers.values import readings
from referee.game.judge.twins import Demand, Twins, TwinSearch, at_least, choice_table, every, likes, with_either
from referee.game.rulebooks.model import Ruleset
from referee.game.sets import SMALLEST
from referee.game.table import Change, Set, Table
from referee.game.tiles import JOKER, Tile

MOST_STEPS = 400
"""Steps before a search gives up. The hardest of 1,500 random, nearly full tables (`benchmarks worst`) took 48."""


def broken_up(change: Change, rules: Ruleset) -> tuple[Set, ...]:
    """Return the fewest old sets that neither kept three tiles together nor were taken apart altogether.

    Taken apart means that every tile of the set can be found in a set of its own.
    """
    if not change.old:
        return ()
    search = _Search.for_change(change, rules)
    return tuple(change.old[i] for i in (*search.torn, *search.fewest_lost()))


def kept_together(change: Change, rules: Ruleset) -> bool:
    """Return whether no old set was broken up."""
    if not change.old:
        return True
    search = _Search.for_change(change, rules)
    return not search.torn and all(search.can_all_be_kept(part) for part in search.parts())


@dataclass(frozen=True, slots=True)
class _Old:
    """One set of the table before: its tiles with their twins, and the choices about them."""

    tiles: Sequence[tuple[Twins, int]]
    """The number is the index of this tile among its twins, in `Twins.ways`."""
    enough: Mapping[int, int]
    """How many tiles must be in a set after the turn (by its index) to have stayed together, where it is not three."""
    choices: tuple[int, ...]

    def table(self, masks: Mapping[int, int], choices: int) -> int:
        """Return the truth table of the assignments with which this set was kept together or taken apart."""
        lying = defaultdict(list)
        apart, together = every(choices), 0
        for twins, owner in self.tiles:
            for home, table in twins.homes(owner, masks, choices).items():
                if home < 0:
                    apart &= ~table
                else:
                    lying[home].append(table)
        for home, tables in lying.items():
            enough = self.enough.get(home, SMALLEST)
            times = at_least(tables, max(2, enough), choices)
            apart &= ~times[2]
            together |= times[enough]
        return together | apart


def _olds(sets: Sequence[Set], after: Table, rules: Ruleset) -> Iterator[_Old]:
    owners, lying = _where(sets), _where(after)
    tiles: list[list[tuple[Twins, int]]] = [[] for _ in sets]
    first = 0
    for tile, whose in owners.items():
        twins = Twins.between(whose, lying[tile], first)
        first = twins.choices.stop
        for owner, index in enumerate(whose):
            tiles[index].append((twins, owner))
    for old, some in zip(sets, tiles, strict=True):
        enough = _stood_in(old, after, rules) if JOKER in old else {}
        yield _Old(some, enough, tuple(sorted({choice for twins, _ in some for choice in twins.choices})))


def _where(table: Sequence[Set]) -> defaultdict[Tile, list[int]]:
    """Return for each tile the indexes of the sets that contain it, once for each copy."""
    found = defaultdict(list)
    for index, tiles in enumerate(table):
        for tile in tiles:
            found[tile].append(index)
    return found


def _stood_in(old: Set, after: Table, rules: Ruleset) -> dict[int, int]:
    """Return how many tiles of an old set must be in each new set if tiles there can have replaced its jokers."""
    ways = readings(old, rules)
    found = {}
    for index, tiles in enumerate(after):
        gone = old.count(JOKER) - tiles.count(JOKER)
        if gone > 0:
            stand_in = min(gone, max((len(way.tiles.intersection(tiles)) for way in ways), default=0))
            found[index] = max(0, SMALLEST - stand_in)
    return found


@dataclass(slots=True)
class _Search:
    """Finds the fewest sets that were broken up, over all assignments of the twins."""

    olds: Sequence[_Old]
    changed: int
    """How many sets were changed: these come first in `olds`; the others lie as before."""
    made: dict[int, bool] = field(default_factory=dict)
    """The values of the choices that are made."""
    depends: dict[int, list[int]] = field(default_factory=dict)
    """For each set that still depends on open choices, these choices."""
    likes: dict[tuple[int, int], tuple[bool, bool]] = field(default_factory=dict)
    """For a set and a choice: whether 1 suits the set at least as well as 0, and whether 0 does as well as 1."""
    torn: list[int] = field(default_factory=list)
    """Sets that were broken up with every assignment."""

    @classmethod
    def for_change(cls, change: Change, rules: Ruleset) -> _Search:
        """Prepare the search for one turn, and make the choices that suit all sets."""
        same = (Counter(change.before) - Counter(change.old)).elements()
        sets = [*change.old, *(tiles for tiles in same if len(tiles) >= SMALLEST)]
        search = cls(list(_olds(sets, change.after, rules)), len(change.old))
        todo: Collection[int] = range(len(sets))
        while todo:
            for index in todo:
                search._look(index)
            todo = search._choose()
        return search

    def _look(self, index: int) -> None:
        """Determine on which open choices a set still depends."""
        old = self.olds[index]
        live = [choice for choice in self.depends.get(index, old.choices) if choice not in self.made]
        table = old.table(self._masks(old, {choice: place for place, choice in enumerate(live)}, len(live)), len(live))
        self.depends[index] = []
        for place, choice in enumerate(live):
            liked = likes(table, place, len(live))
            if not all(liked):
                self.likes[index, choice] = liked
                self.depends[index].append(choice)
        if not self.depends[index]:
            del self.depends[index]
            self.torn += [] if table else [index]

    def _masks(self, old: _Old, places: Mapping[int, int], choices: int) -> dict[int, int]:
        """Return for each choice the truth table of the ways in which it is 1.

        `places` gives the bits of the open choices; a choice that matters to no set is taken as 0.
        """
        return {
            choice: choice_table(places[choice], choices)
            if choice in places
            else every(choices) * self.made.get(choice, 0)
            for choice in old.choices
        }

    def _choose(self) -> list[int]:
        """Make the choices that suit all sets; return the sets that must be examined again."""
        again: set[int] = set()
        for choice, sets in self._choices_by_set(self.depends).items():
            for value, suits in ((True, 0), (False, 1)):
                if choice not in self.made and all(self.likes[index, choice][suits] for index in sets):
                    self.made[choice] = value
                    again.update(sets)
        return sorted(again)

    def _choices_by_set(self, sets: Collection[int]) -> dict[int, set[int]]:
        """Return for each choice which of these sets depend on it."""
        found = defaultdict(set)
        for index in sets:
            for choice in self.depends[index]:
                found[choice].add(index)
        return found

    def parts(self) -> list[list[int]]:
        """Return the undecided sets, in parts that have no choice in common."""
        concerned, left, found = self._choices_by_set(self.depends), set(self.depends), []
        while left:
            part, waiting = [], [min(left)]
            left.discard(waiting[0])
            while waiting:
                index = waiting.pop()
                part.append(index)
                near = {other for choice in self.depends[index] for other in concerned[choice]} & left
                left -= near
                waiting += sorted(near)
            found.append(sorted(part))
        return found

    def can_all_be_kept(self, part: Sequence[int]) -> bool:
        """Return whether all sets of a part can have been kept together at once."""
        possible = TwinSearch(self._demands(part), MOST_STEPS).is_possible(part)
        return self.fewest(part, 0) == 0 if possible is None else possible

    def fewest_lost(self) -> list[int]:
        """Return the fewest changed sets without which all others can have been kept; the first of several answers."""
        lost: list[int] = []
        for part in self.parts():
            found = self._lost_by_search(part)
            lost += self._lost_by_tables(part) if found is None else found
        return sorted(lost)

    def _lost_by_search(self, part: Sequence[int]) -> Sequence[int] | None:
        """Return `fewest_lost()` for one part by search; None if the search gave up."""
        search = TwinSearch(self._demands(part), MOST_STEPS)
        changed = [index for index in part if index < self.changed]
        for number in range(len(changed) + 1):
            for lost in combinations(changed, number):
                possible = search.is_possible(index for index in part if index not in lost)
                if possible is not False:
                    return lost if possible else None
        raise AssertionError("sets that lie there as before contradict each other")  # pragma: no cover

    def _lost_by_tables(self, part: Sequence[int]) -> Sequence[int]:
        """Return `fewest_lost()` for one part by truth tables, which always succeeds."""
        most = 0
        while (number := self.fewest(part, most)) is None:
            most += 1
        lost, left = [], part
        for index in part:
            others = [other for other in left if other != index]
            if number and index < self.changed and self.fewest(others, number - 1) is not None:
                left, number = others, number - 1
                lost.append(index)
        return lost

    def _demands(self, part: Sequence[int]) -> dict[int, Demand]:
        """Return what each set of a part demands of the choices on which it depends."""
        found = {}
        for index in part:
            own = self.depends[index]
            masks = self._masks(self.olds[index], {choice: place for place, choice in enumerate(own)}, len(own))
            found[index] = Demand(tuple(own), self.olds[index].table(masks, len(own)))
        return found

    def fewest(self, part: Sequence[int], most: int) -> int | None:
        """Return the least number of broken-up sets in a part; None if it is more than `most`."""
        order, choices = self._in_turn(part)
        coming = Counter(choice for index in order for choice in self.depends[index])
        # tables[n] has the ways in which at most n sets are broken up.
        tables = [every(choices)] * (most + 1)
        places: dict[int, int] = {}
        free = list(range(choices))
        for index in order:
            for choice in self.depends[index]:
                if choice not in places:
                    places[choice] = free.pop()
            kept = self.olds[index].table(self._masks(self.olds[index], places, choices), choices)
            lost = [0, *tables] if index < self.changed else [0] * (most + 1)
            tables = [table & kept | one_lost for table, one_lost in zip(tables, lost, strict=False)]
            for choice in self.depends[index]:
                coming[choice] -= 1
                if not coming[choice]:
                    place = places.pop(choice)
                    free.append(place)
                    tables = [with_either(table, place, choices) for table in tables]
        return next((number for number, table in enumerate(tables) if table), None)

    def _in_turn(self, part: Sequence[int]) -> tuple[list[int], int]:
        """Order the sets of a part so that few choices are open at any time; return also the most that ever are."""
        concerned, left = self._choices_by_set(part), set(part)
        order, opened, most = list[int](), set[int](), 0

        def cost(index: int) -> tuple[int, int, int]:
            own = self.depends[index]
            staying = sum(any(other != index and other in left for other in concerned[choice]) for choice in own)
            known = len(opened.intersection(own))
            return staying - known, len(own) - known, index

        while left:
            near = {index for choice in opened for index in concerned[choice]} & left
            index = min(near or left, key=cost)
            order.append(index)
            left.remove(index)
            opened.update(self.depends[index])
            most = max(most, len(opened))
            opened = {choice for choice in opened if concerned[choice] & left}
        return order, most
