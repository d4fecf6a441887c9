"""What can be wrong with a turn, by kind; each fault names its tiles and has a notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import combinations

from referee.game.judge.first_meld import FirstMeld, seen_pieces
from referee.game.judge.jokers.moved import could_be_freed, moved_unfreed
from referee.game.judge.jokers.values import counts, only_jokers
from referee.game.judge.strict_rebuild import broken_up
from referee.game.judge.verdict import Fault, FaultKind
from referee.game.notice import Notice
from referee.game.rulebooks.model import Extended, JokerSets, Ruleset
from referee.game.sets import SMALLEST, is_set, order_tells, why_not
from referee.game.table import Change, Set, in_order, tiles_on
from referee.game.tiles import JOKER, Colour, Tile


def not_sets(change: Change, rules: Ruleset, agreed: Collection[Set] = ()) -> Iterator[Fault]:
    """Yield tiles that lie together and are neither a group nor a run, unless all have agreed to them."""
    for index, tiles in enumerate(change.after):
        if tiles and not counts(tiles, rules) and in_order(tiles) not in agreed:
            why = Notice("judge.why_jokers_alone") if is_set(tiles) else why_not(tiles)
            yield Fault(FaultKind.NOT_A_SET, tiles, (index,), Notice("judge.not_a_set", tiles=tiles, why=why))


def vanished_tiles(change: Change, rules: Ruleset) -> Iterator[Fault]:
    """Yield the fault of tiles that are gone from the table, and another if a freed joker is among them."""
    gone = in_order(change.vanished.elements())
    if not gone:
        return
    yield Fault(FaultKind.TILE_VANISHED, gone, (), Notice("judge.tile_vanished", tiles=gone))
    if change.vanished[JOKER] and could_be_freed(change, rules):
        jokers = (JOKER,) * change.vanished[JOKER]
        yield Fault(FaultKind.JOKER_NOT_REUSED, jokers, (), Notice("judge.joker_not_reused"))


def aside_gone(aside: Tile) -> Fault:
    """Return the fault that the tile set aside lies neither there nor on the table."""
    return Fault(FaultKind.TILE_VANISHED, (aside,), (), Notice("judge.aside_gone", tile=aside))


def impossible(change: Change, aside: Tile | None, rules: Ruleset) -> Iterator[Fault]:
    """Yield tiles of which more lie there than the box holds, and colours that it lacks.

    `aside` is the tile that lies beside the sets, which is counted, too; None: there is none.
    """
    box = rules.box
    for tile, times in tiles_on(change.after).items():
        most, lying = box.jokers if tile.is_joker else box.copies, times + (tile == aside)
        if lying > most:
            where = tuple(index for index, tiles in enumerate(change.after) if tile in tiles)
            yield too_many_of(tile, lying, most, where)
    yield from foreign(change, rules)


def foreign(change: Change, rules: Ruleset) -> Iterator[Fault]:
    """Yield colours that the box lacks, if it is known which box is in use."""
    lying = {tile.colour for tiles in change.after for tile in tiles} - {None} if rules.exact_box else set()
    for colour in (one for one in Colour if one in lying.difference(rules.box.colours)):
        tiles = in_order(tile for tiles in change.after for tile in tiles if tile.colour is colour)
        where = tuple(index for index, tiles in enumerate(change.after) if any(t.colour is colour for t in tiles))
        yield Fault(
            FaultKind.IMPOSSIBLE_TILE, tiles, where, Notice("judge.no_such_colour", tiles=tiles, colour=colour)
        )


def too_many_of(tile: Tile, lying: int, most: int, where: tuple[int, ...]) -> Fault:
    """Return the fault of a tile that lies there more often than the box holds it."""
    tiles = (tile,) * lying
    return Fault(FaultKind.IMPOSSIBLE_TILE, tiles, where, Notice("judge.more_than_box", tiles=tiles, most=most))


def opening_faults(change: Change, meld: FirstMeld, rules: Ruleset) -> Iterator[Fault]:
    """Yield what is wrong with a first meld: too few points, or changes to the table's sets too early."""
    if meld.enough or not (change.laid or change.old):
        return
    minimum, tiles = rules.opening.minimum, in_order(change.laid.elements())
    own = rules.opening.extended is Extended.NOTHING
    where = tuple(index for index, _ in change.new)
    pieces = seen_pieces(change, rules)
    if change.old and not pieces:
        key = "judge.not_opened" if own else "judge.not_opened_adding"
        told = _notice_on_joining(change, rules) or Notice(key, minimum=minimum)
        yield Fault(FaultKind.NOT_OPENED, tiles, where, told)
        return
    if meld.points < minimum:
        key = "judge.opening_too_low" if own else "judge.opening_too_low_adding"
        yield Fault(FaultKind.OPENING_TOO_LOW, tiles, where, Notice(key, points=meld.points, minimum=minimum))
    if len(change.old) > sum(piece.old >= 0 for piece in pieces):
        key = "judge.opening_uses_table" if own else "judge.opening_changes_table"
        yield Fault(FaultKind.OPENING_USES_TABLE, tiles, where, _notice_on_joining(change, rules) or Notice(key))


def _notice_on_joining(change: Change, rules: Ruleset) -> Notice | None:
    """Return why sets of the table may not be joined yet, if some were and others may be added to."""
    if rules.opening.extended is Extended.NOTHING or not _joins_sets(change):
        return None
    return Notice("judge.joining_is_rebuilding", minimum=rules.opening.minimum)


def _joins_sets(change: Change) -> bool:
    """Whether a new set holds all tiles of two sets of the table."""
    old = [Counter(tiles) for tiles in change.old]
    least = sum(sorted(map(len, change.old))[:2])
    for _, tiles in change.new:
        holds = Counter(tiles)
        inside = [one for one in old if one <= holds] if len(tiles) >= least else []
        if any(one + other <= holds for one, other in combinations(inside, 2)):
            return True
    return False


def undeclared_jokers(change: Change, declared: bool, rules: Ruleset) -> Iterator[Fault]:
    """Yield jokers of new sets whose meaning is not clear, where the book asks the player to make it clear."""
    for index, tiles in change.new:
        if JOKER not in tiles or not counts(tiles, rules):
            continue
        if only_jokers(tiles):
            if rules.joker_rule.alone is JokerSets.DECLARED and not declared:
                yield Fault(FaultKind.JOKER_UNDECLARED, tiles, (index,), Notice("judge.say_jokers", tiles=tiles))
        elif rules.joker_rule.declared and not order_tells(tiles, rules.wraps):
            yield Fault(FaultKind.JOKER_UNDECLARED, tiles, (index,), Notice("judge.place_joker", tiles=tiles))


def moved_jokers(change: Change, rules: Ruleset) -> Iterator[Fault]:
    """Yield jokers that were taken although nothing had freed them."""
    where = tuple(index for index, tiles in change.new if JOKER in tiles)
    for old in dict.fromkeys(moved_unfreed(change, rules)):
        yield Fault(FaultKind.JOKER_NOT_REPLACED, old, where, Notice("judge.joker_not_replaced", old=old))


def broken_up_sets(change: Change, rules: Ruleset) -> Iterator[Fault]:
    """Yield sets of which too little stayed together, by the strict reading of rebuilding."""
    for old in broken_up(change, rules) if rules.meld_rules.strict_rebuild else ():
        yield Fault(FaultKind.ORIGINAL_BROKEN_UP, old, (), Notice("judge.broken_up", old=old, fewest=SMALLEST))


def nothing_laid(change: Change, rules: Ruleset) -> Iterator[Fault]:
    """Yield the fault that the table was rebuilt without a tile from the hand, if that must be undone."""
    if rules.meld_rules.put_back and change.old and not change.laid:
        where = tuple(index for index, _ in change.new)
        yield Fault(FaultKind.NOTHING_LAID, (), where, Notice("judge.nothing_laid"))


def too_many(change: Change, from_hand: int, rules: Ruleset) -> Iterator[Fault]:
    """Yield the fault that more tiles were laid in one turn than the book allows."""
    if rules.cap is not None and from_hand > rules.cap:
        notice = Notice("judge.too_many_tiles", laid=from_hand, most=rules.cap)
        yield Fault(FaultKind.TOO_MANY_TILES, in_order(change.laid.elements()), (), notice)


def more_than_hand(change: Change, from_hand: int, hand: int | None, jokers: int | None) -> Iterator[Fault]:
    """Yield the faults of more tiles, or more jokers, than the hand can have held."""
    if hand is not None and from_hand > hand:
        notice = Notice("judge.more_than_hand", laid=from_hand, had=_had(hand))
        yield Fault(FaultKind.MORE_THAN_HAND, in_order(change.laid.elements()), (), notice)
    new = change.laid[JOKER]
    if jokers is not None and new > jokers:
        notice = Notice("judge.more_jokers_than_hand", laid=new, had=_had(jokers))
        yield Fault(FaultKind.MORE_THAN_HAND, (JOKER,) * new, (), notice)


def _had(number: int) -> Notice:
    return Notice("judge.had_only", number=number) if number else Notice("judge.had_none")
