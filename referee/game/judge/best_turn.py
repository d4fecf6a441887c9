"""The best legal turn: the most tiles of a hand, or the most points, laid by the rules of a book.

The judge decides about each proposal. The search is exact unless it is cut short, or the judge has reasons that it
does not know (see `best.search`); the turn says whether it is proven to be the best one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.errors import BadInput
from referee.game.judge.best.arranging import keep_sets
from referee.game.judge.best.parts import Part
from referee.game.judge.best.search import MOST_QUESTIONS, Proposal, TurnSearch
from referee.game.judge.jokers.rows import lay_rows
from referee.game.judge.judge import Turn, in_all_colours, judge_without_advice
from referee.game.moves import Step, steps_between
from referee.game.rulebooks.model import Extended, JokerSets, Ruleset
from referee.game.sets import is_set
from referee.game.solver import Play, best_sets, partition
from referee.game.solver.solve import face_value, one_each
from referee.game.table import Change, Set, Table, in_order
from referee.game.tiles import HIGHEST, JOKER, Tile


@dataclass(frozen=True, slots=True)
class BestTurn:
    """The tiles laid from the hand, the table after the turn, and the steps that lead there.

    No legal turn lays more than `most` tiles, or points if these count; `proven` says whether this one lays as many.
    """

    laid: Set
    table: Table
    steps: tuple[Step, ...]
    most: int = 0
    proven: bool = True

    @property
    def points(self) -> int:
        """The sum of the numbers laid; jokers count nothing."""
        return sum(tile.number for tile in self.laid)


def best_turn(
    table: Table,
    hand: Set,
    rules: Ruleset,
    *,
    opened: bool = True,
    points: bool = False,
    questions: int = MOST_QUESTIONS,
) -> BestTurn:
    """Return the legal turn that lays most tiles of the hand, or most points; nothing is laid if none is legal.

    The table must be legal (`api.check_before`). `questions`: how many the solver is asked at most, which bounds the
    time; fewer leave more turns unproven. Raises BadInput for rules by which nothing is laid turn by turn.
    """
    if rules.melds is None:
        raise BadInput(f"expected rules by which sets are laid turn by turn, got {rules.name}")
    turn = Turn(opened, len(hand), hand.count(JOKER))
    rules = in_all_colours(rules, Change.between(table, (*table, hand)), None)
    search = TurnSearch(table, table, rules, turn, points, Proposal((), table), left=questions)
    for start in _plain_turns(table, hand, rules, opened=opened):
        if judge_without_advice(table, start.table, turn, rules).accepted:
            search.improve(start)
            if not opened and rules.opening.same_turn:
                _go_on(search, start, hand)
    most = search.run(hand)
    laid, after = search.best
    return BestTurn(laid, after, steps_between(table, after), most, search.value(laid) == most)


def _go_on(search: TurnSearch, start: Proposal, hand: Set) -> None:
    """Look for a better turn that begins with a first meld."""
    left = Counter(hand) - Counter(start.laid)
    then = replace(search, table=start.table, first=Counter(start.laid), plans=[], waiting=[], seen=set())
    then.run(in_order(left.elements()))
    search.best, search.left = then.best, then.left


def arrange(table: Table, rules: Ruleset) -> BestTurn | None:
    """Return how the tiles of a table that is not legal can all lie in sets; None if they cannot."""
    found = partition((tile for tiles in table for tile in tiles), wraps=rules.wraps)
    if found is None:
        return None
    after = keep_sets(table, Part.whole(table, ()), found, rules)
    return BestTurn((), after, steps_between(table, after))


def _plain_turns(table: Table, hand: Set, rules: Ruleset, *, opened: bool) -> Iterator[Proposal]:
    """Yield turns that need no rebuilding: sets of the hand, and tiles of it added to sets of the table."""
    joker_sets = rules.joker_rule.alone is JokerSets.ALLOWED
    for worth in (one_each, _some_points, face_value):
        own = best_sets(hand, worth, wraps=rules.wraps, joker_sets=joker_sets)
        sets = lay_rows(own.sets, Counter(), rules)
        if own.tiles:
            yield Proposal(own.tiles, (*table, *sets))
        if opened or rules.opening.extended is not Extended.NOTHING:
            yield _only_growing(table, hand, Play(own.tiles, sets), rules.wraps)


def _some_points(tile: Tile) -> int:
    """Return a worth for which both the number of tiles and their points count."""
    return tile.number + HIGHEST // 2


def _only_growing(table: Table, hand: Set, own: Play, wraps: bool) -> Proposal:
    """Return the turn that lays these sets of the hand and adds single tiles of it to the sets of the table."""
    sets = list(table)
    left = Counter(hand) - Counter(own.tiles)
    grows = True
    while grows:
        grows = False
        for tile in in_order(left.elements()):
            place = next((i for i, tiles in enumerate(sets) if is_set((*tiles, tile), wraps)), None)
            if place is not None:
                sets[place] = _with_tile(sets[place], tile)
                left[tile] -= 1
                grows = True
    laid = in_order((Counter(hand) - +left).elements())
    return Proposal(laid, (*sets, *own.sets))


def _with_tile(tiles: Set, tile: Tile) -> Set:
    """Return the tiles of a set with one more at the end where it continues a run, or at the end of a group."""
    numbers = [t.number for t in tiles if not t.is_joker]
    rises = numbers == sorted(numbers)
    if tile.is_joker or not numbers or (tile.number < min(numbers)) != rises:
        return (*tiles, tile)
    return (tile, *tiles)
