"""The end of a turn: which tile was taken, which one was discarded, and whether that was allowed.

Every tile exists once, so the tiles that are new among the open ones or gone from them are known exactly. Their places
do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.game.gin.round import GinRound, Stage
from referee.game.judge.faults import too_many_of
from referee.game.judge.verdict import Fault, FaultKind, Verdict
from referee.game.notice import Notice
from referee.game.table import Set, Table, in_order, tiles_on
from referee.game.tiles import Tile, TileSet


@dataclass(frozen=True, slots=True)
class Discard:
    """The answer to one look at the end of a turn, and what is known of the round afterwards."""

    verdict: Verdict
    after: GinRound
    drew: bool = False
    """Whether a hidden tile was drawn."""
    left: bool = False
    """Whether the player declined the open tile that was offered."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What differs between the open tiles before and after a turn."""

    round: GinRound
    player: int
    new: Set
    gone: Set

    @property
    def last(self) -> Tile:
        """The latest open tile, which the player might take."""
        return self.round.open[-1]

    @property
    def took(self) -> bool:
        """Whether that tile was taken."""
        return self.last in self.gone

    @property
    def older(self) -> Set:
        """The other open tiles that are gone."""
        return tuple(tile for tile in self.gone if tile != self.last)


def judge_discard(before: GinRound, table: Table, player: int, box: TileSet) -> Discard:
    """Judge what `player` did in a turn by the open tiles on the table; an offer of the first tile is also a turn.

    If nothing has changed, an offered tile was declined. In any other turn the player may have taken the latest tile
    and discarded it again. But a forgotten discard is more likely, so this counts only if the next look shows the
    same.
    """
    if impossible := tuple(too_often(table, box)):
        return Discard(Verdict(accepted=False, faults=impossible), replace(before, confirming=False))
    seen, row = set(tiles_on(table)), set(before.open)
    look = _Look(before, player, in_order(seen - row), in_order(row - seen))
    unchanged = not look.new and not look.gone
    after = replace(before, confirming=unchanged and before.stage is Stage.TURN)
    if faults := tuple(_faults(look)):
        return Discard(Verdict(accepted=False, faults=faults), after)
    if unchanged:
        told = Notice("gin.you_left" if before.stage.offer else "gin.you_put_back", tile=look.last)
        return Discard(Verdict(accepted=True, explanation=(told,)), after, left=before.stage.offer)
    row_after = (*(tile for tile in before.open if tile not in look.gone), *look.new)
    known = before.known[player].union(look.gone).difference(look.new)
    told = Notice("gin.took_hidden", tiles=look.new)
    if look.took:
        told = Notice("gin.took_open", tile=look.last, tiles=look.new)
    verdict = Verdict(accepted=True, laid=look.new, explanation=(told,))
    return Discard(verdict, replace(after, open=row_after).with_known_tiles(player, known), drew=not look.took)


def too_often(table: Table, box: TileSet) -> Iterator[Fault]:
    """Yield the tiles that lie there more often than the box holds them."""
    for tile, times in tiles_on(table).items():
        most = box.jokers if tile.is_joker else box.copies
        if times > most:
            where = tuple(index for index, tiles in enumerate(table) if tile in tiles)
            yield too_many_of(tile, times, most, where)


def not_yours(tiles: Set, known: frozenset[Tile]) -> Iterator[Fault]:
    """Yield the tiles that cannot come from a player's hand, since they are known to be in the other hand."""
    if theirs := tuple(tile for tile in tiles if tile in known):
        yield Fault(FaultKind.IMPOSSIBLE_TILE, theirs, (), Notice("gin.opponent_has", tiles=theirs))


def _faults(look: _Look) -> Iterator[Fault]:
    """Yield everything that is wrong with a turn."""
    stage = look.round.stage
    if look.older:
        yield Fault(FaultKind.TILE_VANISHED, look.older, (), Notice("gin.only_the_last", tiles=look.older))
    if look.took and stage is Stage.MUST_DRAW:
        yield Fault(FaultKind.TILE_VANISHED, (look.last,), (), Notice("gin.both_left_it", tile=look.last))
    if len(look.new) > 1:
        yield Fault(FaultKind.TOO_MANY_TILES, look.new, (), Notice("gin.one_tile_ends", tiles=look.new))
    if look.new and not look.gone and stage.offer:
        notice = Notice("gin.offer_first", tiles=look.new, last=look.last)
        yield Fault(FaultKind.TOO_MANY_TILES, look.new, (), notice)
    yield from not_yours(look.new, look.round.known[1 - look.player])
    if missing := None if look.new else _nothing_laid(look):
        yield Fault(FaultKind.NOTHING_LAID, (), (), missing)


def _nothing_laid(look: _Look) -> Notice | None:
    """Return why a turn cannot end without a new open tile; None if it can."""
    stage = look.round.stage
    if look.took:
        return Notice("gin.lay_one_open")
    if stage.offer:
        return Notice("gin.knock_later") if look.round.knocks else None
    if stage is Stage.MUST_DRAW:
        return Notice("gin.take_hidden_first")
    if look.gone or look.round.confirming:
        return None
    return Notice("gin.nothing_changed", tile=look.last)
