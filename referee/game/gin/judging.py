"""Judging a hand that was laid open after a knock: the knocker's, or the opponent's beside it.

Nothing is laid in Gin before the knock, so there is no earlier table to compare with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from referee.game.gin.discards import too_often
from referee.game.gin.hands import Arrangement, least_rest
from referee.game.gin.round import GinRound
from referee.game.gin.showdown import Laying, knockers_hand, knocking_of, opponents_hand, settle
from referee.game.judge.faults import foreign
from referee.game.judge.verdict import Fault, FaultKind, Verdict
from referee.game.notice import Notice
from referee.game.rulebooks.model import Ruleset
from referee.game.table import Change, Set, Table, in_order

_KNOCKER, _OPPONENT = 0, 1
_KINDS: Mapping[str, FaultKind] = {
    "match.put_back": FaultKind.TILE_VANISHED,
    "gin.wrong_number": FaultKind.WRONG_NUMBER,
    "gin.too_near": FaultKind.NOT_A_SET,
    "gin.lay_anew": FaultKind.KNOCK_TOO_HIGH,
    "gin.set_must_stay": FaultKind.ORIGINAL_BROKEN_UP,
    "gin.nothing_after_gin": FaultKind.TOO_MANY_TILES,
    "gin.lay_elsewhere": FaultKind.NOT_A_SET,
}


def judge_knock(table: Table, number: int, rules: Ruleset) -> tuple[Verdict, Arrangement | None]:
    """Judge the hand of this many tiles that a knocker has laid open; return the verdict, and the hand if accepted.

    The points of the verdict are the deadwood.
    """
    knocking = knocking_of(rules)
    if impossible := tuple(_impossible(table, rules)):
        return Verdict(accepted=False, faults=impossible), None
    laying = knockers_hand(GinRound(), table, _KNOCKER, number, rules)
    if laying.too_high:
        notice = Notice("gin.knock_too_high", least=least_rest(laying.tiles, rules), below=knocking.below)
        fault = Fault(FaultKind.KNOCK_TOO_HIGH, laying.tiles, (), notice)
        return Verdict(accepted=False, laid=laying.tiles, faults=(fault,)), None
    if laying.hand is None:
        return _refuse(laying), None
    rest = laying.hand.points
    told = Notice("gin.knocks_with", points=rest, below=knocking.below) if laying.hand.rest else Notice("gin.is_gin")
    return Verdict(accepted=True, laid=laying.tiles, points=rest, explanation=(told,)), laying.hand


def judge_opponent(knocker: Arrangement, table: Table, number: int, rules: Ruleset) -> Verdict:
    """Judge the hand of this many tiles that the opponent has laid open beside the knocker's, with any lay-offs.

    The points of the verdict are the opponent's deadwood; its explanation says who gets how many points.
    """
    if impossible := tuple(_impossible(table, rules)):
        return Verdict(accepted=False, faults=impossible)
    laying = opponents_hand(GinRound(laid=knocker), table, _OPPONENT, number, rules)
    if laying.hand is None:
        return _refuse(laying)
    rest = laying.hand.points
    told = tuple(_end(knocker, laying.hand, _laid_off_tiles(laying.tiles, laying.hand), rules))
    return Verdict(accepted=True, laid=laying.tiles, points=rest, explanation=told)


def _impossible(table: Table, rules: Ruleset) -> Iterator[Fault]:
    """Yield tiles that cannot be there: Gin is played with one of each and no jokers, whatever the box holds."""
    yield from too_often(table, replace(rules.box, copies=1, jokers=0))
    yield from foreign(Change.between((), table), rules)


def _refuse(laying: Laying) -> Verdict:
    return Verdict(accepted=False, laid=laying.tiles, faults=tuple(_faults(laying.wrong)))


def _faults(wrong: Iterable[Notice]) -> Iterator[Fault]:
    for notice in wrong:
        tiles = dict(notice.fields).get("tiles", ())
        yield Fault(_KINDS[notice.key], tiles, (), notice)  # type: ignore[arg-type]  # a field `tiles` holds tiles


def _laid_off_tiles(tiles: Set, hand: Arrangement) -> Set:
    own = {tile for some in (*hand.sets, hand.rest) for tile in some}
    return in_order(tile for tile in tiles if tile not in own)


def _end(knocker: Arrangement, hand: Arrangement, added: Set, rules: Ruleset) -> Iterator[Notice]:
    if added:
        yield Notice("gin.added", tiles=added)
    yield Notice("gin.rests", knocker=knocker.points, opponent=hand.points)
    score = settle(_KNOCKER, (knocker.points, hand.points), gin=not knocker.rest, rules=rules)
    key = "gin.knocker_gets" if score.winner == _KNOCKER else "gin.opponent_gets"
    yield Notice(key, points=max(score.scores))
