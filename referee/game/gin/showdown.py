"""The end of a round: who may knock, what the opponent can add to the knocker's sets, and what is counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from referee.errors import BadInput
from referee.game.gin.hands import Arrangement, arrange, least_rest
from referee.game.rulebooks.gin import GIN
from referee.game.rulebooks.model import Knocking, Ruleset
from referee.game.scoring import Ending, RoundScore
from referee.game.sets import LARGEST_GROUP, shape
from referee.game.table import Set, Table, in_order
from referee.game.tiles import HIGHEST, Colour, Tile


@dataclass(frozen=True, slots=True)
class LayOff:
    """What the opponent adds to the knocker's sets, and how the other tiles are arranged."""

    added: Set
    own: Arrangement


def knocking_of(rules: Ruleset) -> Knocking:
    """What the rule book says about knocking; raises BadInput where there is none."""
    if rules.knocking is None:
        raise BadInput(f"expected a rule book with knocking, got {rules.name}")
    return rules.knocking


def may_knock(hand: Iterable[Tile], rules: Ruleset = GIN) -> bool:
    """Whether the rest of a hand, after the discard, is low enough."""
    return least_rest(hand, rules) < knocking_of(rules).below


def best_discard(hand: Iterable[Tile], rules: Ruleset = GIN) -> Tile:
    """The tile without which the rest of the others counts least; of several the one that counts most itself."""
    tiles = in_order(hand)
    return min(reversed(tiles), key=lambda tile: least_rest((t for t in tiles if t != tile), rules))


def lay_off(hand: Iterable[Tile], laid: Table, rules: Ruleset = GIN) -> LayOff:
    """The least that the opponent can be left with, after adding tiles to the knocker's sets `laid`.

    Only tiles outside the player's sets are added, so it can be better to leave out a set and add its tiles. Runs grow
    tile by tile at both ends, groups to four; no tile of the knocker's sets is moved.
    """
    tiles = frozenset(hand)
    ways = product(*(grown for some in laid for grown in _grown(some, tiles)))
    added = {frozenset(tile for part in way for tile in part) for way in ways}
    best = min(sorted(added, key=len), key=lambda some: least_rest(tiles - some, rules))
    return LayOff(in_order(best), arrange(tiles - best, rules))


def _grown(laid: Set, hand: frozenset[Tile]) -> Iterator[list[Set]]:
    """For each place at which a set can grow, what of the hand can be added there, nothing included."""
    seen = shape(laid)
    if seen.group is not None and len(laid) < LARGEST_GROUP:
        yield [(), *((tile,) for colour in Colour if (tile := Tile(seen.group, colour)) in hand - set(laid))]
    for run in seen.runs:
        for numbers in (range(run[0] - 1, 0, -1), range(run[-1] + 1, HIGHEST + 1)):
            yield [(), *_chain(numbers, seen.colour, hand)]


def _chain(numbers: range, colour: Colour | None, hand: frozenset[Tile]) -> Iterator[Set]:
    """Each beginning of the row of these numbers that the hand holds."""
    row: Set = ()
    for number in numbers:
        if (tile := Tile(number, colour)) not in hand:
            return
        row = (*row, tile)
        yield row


def settle(knocker: int, rests: tuple[int, int], gin: bool, rules: Ruleset = GIN) -> RoundScore:
    """The score of a round: `rests` by seat, the opponent's after adding tiles to the knocker's sets.

    A knocker with a lower rest wins the difference, with gin the opponent's rest and a bonus; otherwise the opponent
    wins the difference and a bonus.
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
