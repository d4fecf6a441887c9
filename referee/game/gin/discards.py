"""The end of a turn: which tile was taken, which one was laid open, and whether that was allowed.

Every tile exists once, so what is new among the open tiles and what is gone is exact; where they lie does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.game.gin.round import GinRound, Stage
from referee.game.judge.verdict import Fault, FaultKind, Verdict
from referee.game.table import Set, Table, in_order, tiles_on
from referee.game.tiles import Tile, TileSet
from referee.game.wording import count, listed, tile_words


@dataclass(frozen=True, slots=True)
class Discard:
    """The answer to one look at the end of a turn, and what is known of the round afterwards."""

    verdict: Verdict
    after: GinRound
    drew: bool = False
    """Whether a hidden tile was drawn."""
    left: bool = False
    """Whether the open tile that was offered was left."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What differs between the open tiles before and after a turn."""

    round: GinRound
    player: int
    new: Set
    gone: Set

    @property
    def last(self) -> Tile:
        """The tile that might be taken."""
        return self.round.open[-1]

    @property
    def took(self) -> bool:
        """Whether it was taken."""
        return self.last in self.gone

    @property
    def older(self) -> Set:
        """Other open tiles that are gone."""
        return tuple(tile for tile in self.gone if tile != self.last)


def judge_discard(before: GinRound, table: Table, player: int, box: TileSet) -> Discard:
    """Judge what `player` did in a turn, from the first offer on, by the open tiles on the table.

    A table on which nothing has changed means that an offered tile is left. At any other turn the player may have
    taken the last tile and put it back; as a forgotten discard is more likely, only the second such look counts.
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
        verb = "left" if before.stage.offer else "put back"
        told = f"You {verb} the {tile_words(look.last)}."
        return Discard(Verdict(accepted=True, explanation=(told,)), after, left=before.stage.offer)
    row_after = (*(tile for tile in before.open if tile not in look.gone), *look.new)
    known = before.known[player].union(look.gone).difference(look.new)
    source = f"the {tile_words(look.last)}" if look.took else "a hidden tile"
    told = f"You took {source} and laid {listed(look.new)} open."
    verdict = Verdict(accepted=True, laid=look.new, explanation=(told,))
    return Discard(verdict, replace(after, open=row_after).knowing(player, known), drew=not look.took)


def too_often(table: Table, box: TileSet) -> Iterator[Fault]:
    """The tiles that lie there more often than the box holds them."""
    for tile, times in tiles_on(table).items():
        most = box.jokers if tile.is_joker else box.copies
        if times > most:
            where = tuple(index for index, tiles in enumerate(table) if tile in tiles)
            text = f"{count(times, tile_words(tile))} on the table cannot be: the box holds only {most}."
            yield Fault(FaultKind.IMPOSSIBLE_TILE, (tile,) * times, where, text)


def not_yours(tiles: Set, known: frozenset[Tile]) -> Iterator[Fault]:
    """The tiles that cannot come from a player's hand, since they are known to be in the other one."""
    if theirs := tuple(tile for tile in tiles if tile in known):
        text = f"You cannot have {listed(theirs)}: your opponent has {'it' if len(theirs) == 1 else 'them'}."
        yield Fault(FaultKind.IMPOSSIBLE_TILE, theirs, (), text)


def _faults(look: _Look) -> Iterator[Fault]:
    """Everything that is wrong with a turn."""
    stage = look.round.stage
    if look.older:
        text = f"Put {listed(look.older)} back: only the last open tile may be taken."
        yield Fault(FaultKind.TILE_VANISHED, look.older, (), text)
    if look.took and stage is Stage.MUST_DRAW:
        text = f"Put the {tile_words(look.last)} back: you both left it, so a hidden tile must be taken."
        yield Fault(FaultKind.TILE_VANISHED, (look.last,), (), text)
    if len(look.new) > 1:
        text = f"You laid {listed(look.new)} open, but a turn ends with one tile."
        yield Fault(FaultKind.TOO_MANY_TILES, look.new, (), text)
    if look.new and not look.gone and stage.offer:
        text = f"Take {listed(look.new)} back: you may only take the {tile_words(look.last)} first, or leave it."
        yield Fault(FaultKind.TOO_MANY_TILES, look.new, (), text)
    yield from not_yours(look.new, look.round.known[1 - look.player])
    if missing := None if look.new else _nothing_laid(look):
        yield Fault(FaultKind.NOTHING_LAID, (), (), missing)


def _nothing_laid(look: _Look) -> str | None:
    """Why a turn cannot end without a new open tile; None if it can."""
    last, stage = tile_words(look.last), look.round.stage
    if look.took:
        return "Lay one tile open before you press."
    if stage.offer:
        return "You can knock only after you took a tile and laid one open." if look.round.knocks else None
    if stage is Stage.MUST_DRAW:
        return "Take a hidden tile and lay one tile open before you press."
    if look.gone or look.round.confirming:
        return None
    return f"Nothing has changed: lay one tile open, or press again if you took the {last} and put it back."
