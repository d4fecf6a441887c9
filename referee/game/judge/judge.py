"""The judge: whether there is a legal way from the table before to the table after.

Identical tiles are interchangeable, and the steps of a turn are not seen; so a turn is refused only if no explanation
of it is legal. Every fault is reported, not only the first. Colours that the rule book does not name are not a fault,
since its rules can be played with any box; more copies of a tile than the box holds are one.

An accepted turn is explained where it is not obvious how it came about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from referee.errors import BadInput
from referee.game.judge import faults
from referee.game.judge.first_meld import FirstMeld, first_meld
from referee.game.judge.jokers.moved import Freed, JokerCheck, bound_on
from referee.game.judge.jokers.places import place_faults
from referee.game.judge.jokers.values import change_by, only_jokers, readings, row_of
from referee.game.judge.last_turn import Apart, finish_faults, set_apart
from referee.game.judge.melds.pieces import Piece
from referee.game.judge.verdict import Fault, FaultKind, Verdict
from referee.game.notice import Notice
from referee.game.rulebooks.model import Ruleset
from referee.game.sets import as_laid, split_long
from referee.game.table import Change, Set, Table, in_order
from referee.game.tiles import JOKER, Colour, Tile


def explain(meld: FirstMeld | None, freed: Iterable[Freed], change: Change, rules: Ruleset) -> tuple[Notice, ...]:
    """Return what the first meld was and what it counted, and which tile freed which joker."""
    alone = [tiles for _, tiles in change.new if only_jokers(tiles)]
    return (
        *(_first_meld(meld, change, rules) if meld is not None and meld.pieces else ()),
        *map(_freed_notice, freed),
        *(Notice("judge.jokers_alone", tiles=tiles) for tiles in alone),
    )


def _first_meld(meld: FirstMeld, change: Change, rules: Ruleset) -> Iterator[Notice]:
    sets = tuple(_piece(piece, change, rules) for piece in meld.pieces)
    yield Notice("judge.first_meld", sets=sets, points=meld.points)


def _piece(piece: Piece, change: Change, rules: Ruleset) -> Notice:
    tiles = _as_it_lay(piece, rules)
    if piece.old < 0:
        return Notice("judge.own_set", tiles=tiles)
    return Notice("judge.extended_set", tiles=tiles, old=change.before[piece.old])


def _as_it_lay(piece: Piece, rules: Ruleset) -> Set:
    """Return the tiles of a piece, jokers in the places of what they count as, if places matter."""
    if piece.bound is None or not rules.joker_rule.as_laid:
        return piece.tiles
    way = piece.bound.readings[0]
    return row_of(piece.tiles, way) if way.in_run and way not in readings(piece.tiles, rules) else piece.tiles


def _freed_notice(freed: Freed) -> Notice:
    return Notice("judge.joker_freed", tiles=tuple(freed.tiles), old=freed.old)


@dataclass(frozen=True, slots=True)
class Turn:
    """What the judge must know besides the two tables; None means not known."""

    opened: bool = True
    """Whether the player had a first meld before this turn."""
    hand: int | None = None
    """Tiles in the hand before the turn."""
    jokers: int | None = None
    """The most jokers that hand can hold."""
    aside: Tile | None = None
    """The tile that lies open beside the sets until somebody goes out with it; a set of it alone is not part of the
    table."""
    declared: bool = False
    """Whether the player said what the jokers in a set of their own stand for."""
    agreed: tuple[Set, ...] = ()
    """Sets, their tiles in order, that may lie there although they are not valid: all players have agreed to them."""


def judge(before: Table, after: Table, turn: Turn, rules: Ruleset) -> Verdict:
    """Judge one turn that led from the table `before` to the table `after`.

    If only the places of jokers are wrong, the faults say where these belong.

    Raises BadInput for rules by which nothing is laid turn by turn (Gin).
    """
    if rules.melds is None:
        raise BadInput(f"expected rules by which sets are laid turn by turn, got {rules.name}")
    verdict = judge_without_advice(before, after, turn, rules)
    if verdict.accepted or _wrong_anyhow(verdict):
        return verdict
    before, after = split_long(before, rules.wraps), split_long(after, rules.wraps)
    misplaced = place_faults(before, after, rules, lambda table, rules: _is_accepted(before, table, turn, rules))
    return replace(verdict, faults=(*verdict.faults, *misplaced))


_WRONG_ANYHOW = {
    FaultKind.NOT_A_SET,
    FaultKind.TILE_VANISHED,
    FaultKind.IMPOSSIBLE_TILE,
    FaultKind.TOO_MANY_TILES,
    FaultKind.MORE_THAN_HAND,
}


def _wrong_anyhow(verdict: Verdict) -> bool:
    """Return whether a fault remains whatever the jokers stand for.

    Where no tile came or went, an invalid set may still be only a matter of the jokers' places.
    """
    kinds = {fault.kind for fault in verdict.faults}
    return not kinds.isdisjoint(_WRONG_ANYHOW) and (bool(verdict.laid) or FaultKind.TILE_VANISHED in kinds)


def judge_without_advice(before: Table, after: Table, turn: Turn, rules: Ruleset) -> Verdict:
    """Judge the turn without searching for the placements that would make it legal."""
    change, apart, rules = _compare_tables(before, after, turn, rules)
    if change.nothing and not apart.gone:
        return Verdict(accepted=True)
    meld = None if turn.opened else first_meld(change, rules)
    tiles = in_order(change.laid.elements())
    found = tuple(_faults(change, apart, turn, meld, rules))
    if meld is None:
        freed = JokerCheck.for_change(change, rules).way(bound_on(change.before, rules), change.numbered_laid) or ()
    else:
        freed = meld.freed
    return Verdict(
        not found,
        tiles,
        _points_laid(change, rules) if meld is None else meld.points,
        found,
        opens=meld is not None and bool(tiles) and not found,
        explanation=() if found else explain(meld, freed, change, rules),
        aside_used=apart.used,
    )


def _is_accepted(before: Table, after: Table, turn: Turn, rules: Ruleset) -> bool:
    """Return whether the turn is legal.

    Faster than `judge_without_advice()`: it stops at the first fault, looks for a first meld last, and skips scoring.
    """
    change, apart, rules = _compare_tables(before, after, turn, rules)
    if change.nothing and not apart.gone:
        return True
    if next(_faults(change, apart, turn, None, rules), None) is not None:
        return False
    return (
        turn.opened or next(faults.opening_faults(change, first_meld(change, rules, told=False), rules), None) is None
    )


def _compare_tables(before: Table, after: Table, turn: Turn, rules: Ruleset) -> tuple[Change, Apart, Ruleset]:
    """Return the change between both tables, the use of the tile aside, and the rules with all colours there."""
    before, after = split_long(before, rules.wraps), split_long(after, rules.wraps)
    apart = set_apart(before, after, turn.aside if rules.finish.last_tile else None, turn.hand, rules.box.copies)
    change = change_by(rules, apart.before, apart.after)
    return change, apart, in_all_colours(rules, change, turn.aside)


def _faults(change: Change, apart: Apart, turn: Turn, meld: FirstMeld | None, rules: Ruleset) -> Iterator[Fault]:
    from_hand = change.laid.total() - apart.used
    yield from faults.not_sets(change, rules, turn.agreed)
    yield from faults.vanished_tiles(change, rules)
    if apart.gone and turn.aside is not None:
        yield faults.aside_gone(turn.aside)
    yield from faults.impossible(change, turn.aside if not (apart.used or apart.gone) else None, rules)
    if meld is not None:
        yield from faults.opening_faults(change, meld, rules)
    yield from faults.undeclared_jokers(change, turn.declared, rules)
    yield from faults.moved_jokers(change, rules)
    yield from faults.broken_up_sets(change, rules)
    yield from faults.nothing_laid(change, rules)
    yield from faults.too_many(change, from_hand, rules)
    jokers = rules.jokers_known() if turn.jokers is None else turn.jokers
    yield from faults.more_than_hand(change, from_hand, turn.hand, jokers)
    yield from finish_faults(change, apart, turn.aside, turn.hand, rules)


def in_all_colours(rules: Ruleset, change: Change, aside: Tile | None) -> Ruleset:
    """Return the rules extended by the colours on the table and of the tile aside; jokers may stand for those, too."""
    lying = {tile.colour for table in (change.before, change.after) for tiles in table for tile in tiles}
    lying |= {aside.colour} if aside is not None else set()
    more = lying.difference(rules.colours, {None})
    return replace(rules, more_colours=tuple(c for c in Colour if c in more)) if more else rules


def _points_laid(change: Change, rules: Ruleset) -> int:
    """Return what the tiles laid count; jokers count as in a first meld."""
    points = sum(tile.number * times for tile, times in change.numbered_laid.items())
    jokers, fixed = change.laid[JOKER], rules.opening.joker
    if fixed is not None:
        return points + fixed * jokers
    worth = [
        told.number
        for _, tiles in change.new
        for tile, told in zip(tiles, as_laid(tiles, rules.wraps), strict=True)
        if tile.is_joker
    ]
    return points + sum(sorted(worth, reverse=True)[:jokers])
