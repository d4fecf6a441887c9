"""Mistakes of Gin players in a turn; each function returns the open row and the hand after the mistake."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from referee.game.gin.round import Stage
from referee.game.table import Set
from referee.game.tiles import Tile


class GinSlip(enum.StrEnum):
    """Mistakes of Gin players, and a few legal actions about which the referee must ask."""

    TWO_OPEN = "two tiles laid open"
    NONE_OPEN = "a tile taken and none laid open"
    FORGOTTEN = "a hidden tile taken and none laid open"
    OLDER_TAKEN = "an older open tile taken"
    DRAWN_TOO_EARLY = "a hidden tile taken while the open one is offered"
    TAKEN_TOO_LATE = "the open tile taken after it was left"
    FOREIGN = "a tile of another box"
    PUT_BACK = "the last open tile, taken and put back"
    """This is allowed, but the referee has to ask, because it looks as if the discard was forgotten."""
    WITHDRAWN = "a knock, and no hand laid open"
    """This is allowed as well, but the referee has to ask."""
    DEALT_WRONG = "two tiles open at the deal"
    KNOCK = "a knock with too high a rest"
    HEAPED = "the whole hand in one row"
    TOO_FEW = "one tile left on the rack"
    ADDED_AFTER_GIN = "a tile added after gin"


@dataclass(frozen=True, slots=True)
class GinSituation:
    """The situation before a turn: the open row, the player's hand, the next hidden tile, the stage."""

    row: Set
    hand: frozenset[Tile]
    hidden: Tile
    stage: Stage
    confirming: bool = False
    """Whether the referee has said that nothing has changed, so that another press would confirm that."""


Wrong = tuple[Set, frozenset[Tile], bool]
"""The row, the hand, and whether the hidden tile was taken."""
Maker = Callable[[GinSituation, np.random.Generator], Wrong | None]


def wrong_turn(
    seen: GinSituation, rng: np.random.Generator, kind: GinSlip | None = None
) -> tuple[GinSlip, Wrong] | None:
    """Return a random turn that must be refused, of this `kind` if given; None if none is possible."""
    kinds = list(_MAKERS) if kind is None else [kind]
    for i in rng.permutation(len(kinds)):
        wrong = _MAKERS[kinds[i]](seen, rng)
        if wrong is not None:
            return kinds[i], wrong
    return None


def _some(tiles: frozenset[Tile], number: int, rng: np.random.Generator) -> Set:
    held = sorted(tiles)
    return tuple(held[int(i)] for i in rng.choice(len(held), number, replace=False))


def _two_open(seen: GinSituation, rng: np.random.Generator) -> Wrong | None:
    hand = seen.hand | {seen.hidden}
    laid = _some(hand, 2, rng)
    return (*seen.row, *laid), hand.difference(laid), True


def _none_open(seen: GinSituation, _: np.random.Generator) -> Wrong | None:
    if seen.stage is Stage.MUST_DRAW:
        return None
    return seen.row[:-1], seen.hand | {seen.row[-1]}, False


def _discard_forgotten(seen: GinSituation, _: np.random.Generator) -> Wrong | None:
    return None if seen.stage.offer or seen.confirming else (seen.row, seen.hand | {seen.hidden}, True)


def _older_taken(seen: GinSituation, rng: np.random.Generator) -> Wrong | None:
    if seen.stage is not Stage.TURN or len(seen.row) < 2:
        return None
    older = seen.row[int(rng.integers(len(seen.row) - 1))]
    (laid,) = _some(seen.hand, 1, rng)
    return (*(tile for tile in seen.row if tile != older), laid), seen.hand - {laid} | {older}, False


def _drawn_too_early(seen: GinSituation, rng: np.random.Generator) -> Wrong | None:
    if not seen.stage.offer:
        return None
    hand = seen.hand | {seen.hidden}
    (laid,) = _some(hand, 1, rng)
    return (*seen.row, laid), hand - {laid}, True


def _taken_too_late(seen: GinSituation, rng: np.random.Generator) -> Wrong | None:
    if seen.stage is not Stage.MUST_DRAW:
        return None
    (laid,) = _some(seen.hand, 1, rng)
    return (*seen.row[:-1], laid), seen.hand - {laid} | {seen.row[-1]}, False


def _foreign(seen: GinSituation, _: np.random.Generator) -> Wrong | None:
    if seen.stage.offer:
        return None
    return (*seen.row, seen.row[0]), seen.hand | {seen.hidden}, True


_MAKERS: Mapping[GinSlip, Maker] = {
    GinSlip.TWO_OPEN: _two_open,
    GinSlip.NONE_OPEN: _none_open,
    GinSlip.FORGOTTEN: _discard_forgotten,
    GinSlip.OLDER_TAKEN: _older_taken,
    GinSlip.DRAWN_TOO_EARLY: _drawn_too_early,
    GinSlip.TAKEN_TOO_LATE: _taken_too_late,
    GinSlip.FOREIGN: _foreign,
}
