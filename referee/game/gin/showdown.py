"""The end of a round: who may knock, hands laid open, what the opponent can lay off, and the score.

Tiles that lie together without being a set are deadwood. But if some of them would form a set, a set and other tiles
lie too close to each other to be told apart, and the player is asked to separate them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, product

from referee.errors import BadInput
from referee.game.gin.discards import not_yours, too_often
from referee.game.gin.hands import Arrangement, arrange, least_rest
from referee.game.gin.round import GinRound
from referee.game.notice import Notice
from referee.game.rulebooks.gin import GIN
from referee.game.rulebooks.model import Knocking, Ruleset
from referee.game.scoring import Ending, RoundScore, hand_points
from referee.game.sets import LARGEST_GROUP, is_set, shape
from referee.game.table import Set, Table, in_order, tiles_on
from referee.game.tiles import HIGHEST, Colour, Tile


@dataclass(frozen=True, slots=True)
class LayOff:
    """The tiles that the opponent adds to the knocker's sets, and the arrangement of the others."""

    added: Set
    own: Arrangement


def knocking_of(rules: Ruleset) -> Knocking:
    """Return the rules for knocking; raises BadInput if the rule book has none."""
    if rules.knocking is None:
        raise BadInput(f"expected a rule book with knocking, got {rules.name}")
    return rules.knocking


def may_knock(hand: Iterable[Tile], rules: Ruleset = GIN) -> bool:
    """Return whether the deadwood of a hand, after the discard, is low enough for a knock."""
    return least_rest(hand, rules) < knocking_of(rules).below


def best_discard(hand: Iterable[Tile], rules: Ruleset = GIN) -> Tile:
    """Return the tile to discard for the least deadwood; of several, the one that counts most."""
    tiles = in_order(hand)
    return min(reversed(tiles), key=lambda tile: least_rest((t for t in tiles if t != tile), rules))


def lay_off(hand: Iterable[Tile], laid: Table, rules: Ruleset = GIN) -> LayOff:
    """Return the lay-offs on the knocker's sets `laid` that leave the opponent the least deadwood.

    Only tiles outside the player's sets are added, so it can be better to leave out a set and add its tiles. Runs grow
    tile by tile at both ends, groups to four; no tile of the knocker's sets is moved.
    """
    tiles = frozenset(hand)
    ways = product(*(grown for some in laid for grown in _ways_to_grow(some, tiles)))
    added = {frozenset(tile for part in way for tile in part) for way in ways}
    best = min(sorted(added, key=len), key=lambda some: least_rest(tiles - some, rules))
    return LayOff(in_order(best), arrange(tiles - best, rules))


def _ways_to_grow(laid: Set, hand: frozenset[Tile]) -> Iterator[list[Set]]:
    """Yield for each end at which a set can grow the tiles of the hand that can be added there, including none."""
    seen = shape(laid)
    if seen.group is not None and len(laid) < LARGEST_GROUP:
        yield [(), *((tile,) for colour in Colour if (tile := Tile(seen.group, colour)) in hand - set(laid))]
    for run in seen.runs:
        for numbers in (range(run[0] - 1, 0, -1), range(run[-1] + 1, HIGHEST + 1)):
            yield [(), *_chain(numbers, seen.colour, hand)]


def _chain(numbers: range, colour: Colour | None, hand: frozenset[Tile]) -> Iterator[Set]:
    """Yield each sequence from the beginning of `numbers` that the hand has in full."""
    row: Set = ()
    for number in numbers:
        if (tile := Tile(number, colour)) not in hand:
            return
        row = (*row, tile)
        yield row


def settle(knocker: int, rests: tuple[int, int], gin: bool, rules: Ruleset = GIN) -> RoundScore:
    """Return the score of a round; `rests` is the deadwood by seat, the opponent's after lay-offs.

    A knocker with less deadwood wins the difference, or after gin the opponent's deadwood and a bonus; otherwise the
    opponent wins the difference and a bonus.
    """
    knocking, opponent = knocking_of(rules), 1 - knocker
    lead = rests[opponent] - rests[knocker]
    if gin:
        winner, points = knocker, rests[opponent] + knocking.gin_bonus
    elif lead > 0:
        winner, points = knocker, lead
    else:
        winner, points = opponent, knocking.undercut_bonus - lead
    scores = tuple(points if seat == winner else 0 for seat in range(2))
    return RoundScore(winner, rests, scores, Ending.GIVEN)


@dataclass(frozen=True, slots=True)
class Laying:
    """The result of a look at a hand laid open."""

    tiles: Set
    hand: Arrangement | None = None
    """The hand as it lies; None if something must be corrected first."""
    wrong: tuple[Notice, ...] = ()
    """What the players must correct first."""
    too_high: bool = False
    """Whether the knock is refused, because no arrangement of these tiles has little enough deadwood."""


def knockers_hand(before: GinRound, table: Table, player: int, number: int, rules: Ruleset) -> Laying:
    """Examine the hand of `player`, who has knocked and holds `number` tiles.

    The hand counts as it lies. If its deadwood is too high but need not be, the player may arrange it again.
    """
    tiles = _new(table, before.open)
    if wrong := tuple(_wrong_tiles(before, table, player, number, rules)):
        return Laying(tiles, wrong=wrong)
    if not may_knock(tiles, rules):
        return Laying(tiles, too_high=True)
    piles = _piles(table, set(before.open))
    if wrong := tuple(_too_near(piles, rules)):
        return Laying(tiles, wrong=wrong)
    hand, below = _as_it_lies(piles, rules), knocking_of(rules).below
    if hand.points >= below:
        return Laying(tiles, wrong=(Notice("gin.lay_anew", points=hand.points, below=below),))
    return Laying(tiles, hand)


def opponents_hand(before: GinRound, table: Table, player: int, number: int, rules: Ruleset) -> Laying:
    """Examine the hand of `player`, who holds `number` tiles, beside the knocker's hand.

    The knocker's sets must be complete. Lay-offs may have been added to them, but not after gin. The hand counts as it
    lies, without the lay-offs.
    """
    knocker = before.laid
    tiles = _new(table, _old(before))
    if wrong := tuple(_wrong_tiles(before, table, player, number, rules)):
        return Laying(tiles, wrong=wrong)
    theirs = {tile for some in knocker.sets for tile in some}
    piles = _piles(table, {*before.open, *knocker.rest})
    own = [pile for pile in piles if theirs.isdisjoint(pile)]
    grown = [pile for pile in piles if not theirs.isdisjoint(pile)]
    if wrong := (*_wrong_added(knocker, grown), *_too_near(own, rules)):
        return Laying(tiles, wrong=wrong)
    return Laying(tiles, _as_it_lies(own, rules))


def _old(before: GinRound) -> Set:
    """Return every tile that lay open before this hand."""
    return (*before.open, *(tile for some in (*before.laid.sets, before.laid.rest) for tile in some))


def _new(table: Table, old: Set) -> Set:
    return in_order(set(tiles_on(table)).difference(old))


def _wrong_tiles(before: GinRound, table: Table, player: int, number: int, rules: Ruleset) -> Iterator[Notice]:
    """Yield the reasons why the new tiles cannot be the player's hand, or what else is missing."""
    if impossible := tuple(too_often(table, rules.box)):
        yield from (fault.notice for fault in impossible)
        return
    old = _old(before)
    new = _new(table, old)
    if gone := in_order(set(old).difference(tiles_on(table))):
        yield Notice("match.put_back", tiles=gone)
    if len(new) != number:
        yield Notice("gin.wrong_number", wanted=number, seen=len(new))
    yield from (fault.notice for fault in not_yours(new, before.known[1 - player]))
    if len(new) >= number and (missing := in_order(before.known[player].difference(new))):
        yield Notice("gin.must_hold", tiles=missing)


def _piles(table: Table, apart: set[Tile]) -> list[Set]:
    """Return the groups of tiles that lie together; tiles in `apart` are removed and separate their neighbours."""
    return [
        tuple(tiles)
        for together in table
        for left_out, tiles in groupby(together, key=lambda tile: tile in apart)
        if not left_out
    ]


def _too_near(piles: list[Set], rules: Ruleset) -> Iterator[Notice]:
    for pile in piles:
        if not is_set(pile) and arrange(pile, rules).sets:
            yield Notice("gin.too_near", tiles=pile)


def _as_it_lies(piles: list[Set], rules: Ruleset) -> Arrangement:
    rest = in_order(tile for pile in piles if not is_set(pile) for tile in pile)
    return Arrangement(tuple(pile for pile in piles if is_set(pile)), rest, hand_points(rest, rules))


def _wrong_added(knocker: Arrangement, piles: list[Set]) -> Iterator[Notice]:
    """Yield what is wrong with the knocker's sets, each of which must lie in one of these piles."""
    for some in knocker.sets:
        if not any(set(some) <= set(pile) for pile in piles):
            yield Notice("gin.set_must_stay", tiles=some)
    for pile in piles:
        added = tuple(tile for tile in pile if not any(tile in some for some in knocker.sets))
        if added and not knocker.rest:
            yield Notice("gin.nothing_after_gin", tiles=added)
        elif added and not is_set(pile):
            yield Notice("gin.lay_elsewhere", tiles=pile, added=added)
