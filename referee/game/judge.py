"""The judge: whether there is a legal way from the table before to the table after.

Two identical tiles are interchangeable, and the steps between were not seen; so a turn is refused only where no
explanation of it is legal. Every fault is reported, not only the first. Colours are not held against the book, for its
rules can be played with any box; how often a tile exists is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.game.jokers import freed, moved_unfreed, reach_of
from referee.game.notation import format_set
from referee.game.opening import opening_points, own_sets
from referee.game.rebuild import broken_up
from referee.game.rulesets.base import Ruleset
from referee.game.sets import SMALLEST, as_laid, is_set, shape, why_not
from referee.game.table import Change, Table, in_order, tiles_on
from referee.game.tiles import JOKER, Tile
from referee.game.verdict import Fault, FaultKind, Verdict
from referee.game.wording import count, listed, tile_words


@dataclass(frozen=True, slots=True)
class Turn:
    """What the judge must know besides the two tables; what is None is not known."""

    opened: bool = True
    """Whether the player had a first meld before this turn."""
    hand: int | None = None
    """Tiles in the hand before the turn."""
    jokers: int | None = None
    """The most jokers that hand can hold."""
    aside: Tile | None = None
    """The tile that lies open aside until somebody goes out with it. A set of it alone is no part of the table."""
    declared: bool = False
    """Whether the player said what jokers stand for that lie in a set of their own."""


def judge(before: Table, after: Table, turn: Turn, rules: Ruleset) -> Verdict:
    """Judge one turn that led from the table `before` to the table `after`."""
    change = Change.between(before, after)
    if change.nothing:
        return Verdict(accepted=True)
    points = _points_laid(change, rules) if turn.opened else opening_points(change, rules)
    faults = (
        *_not_sets(change, rules),
        *_vanished(change, rules),
        *_impossible(change, rules),
        *(() if turn.opened else _opening_faults(change, points, rules)),
        *_moved_jokers(change, rules),
        *_broken_up(change, rules),
        *_too_many(change, turn, rules),
    )
    tiles = in_order(change.laid.elements())
    return Verdict(not faults, tiles, points, faults, opens=bool(tiles) and not turn.opened and not faults)


def _points_laid(change: Change, rules: Ruleset) -> int:
    """What the tiles laid count; jokers as in a first meld."""
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


def _not_sets(change: Change, rules: Ruleset) -> Iterator[Fault]:
    for index, tiles in enumerate(change.after):
        if tiles and not is_set(tiles, rules.wraps):
            text = f"{format_set(tiles)} is no set: {why_not(tiles)}."
            yield Fault(FaultKind.NOT_A_SET, tiles, (index,), text)


def _vanished(change: Change, rules: Ruleset) -> Iterator[Fault]:
    gone = in_order(change.vanished.elements())
    if not gone:
        return
    are = "is" if len(gone) == 1 else "are"
    yield Fault(
        FaultKind.TILE_VANISHED, gone, (), _sentence(f"{listed(gone)} lay on the table before and {are} missing now.")
    )
    reach = reach_of(change, rules)
    if change.vanished[JOKER] and any(freed(shape(tiles, rules.wraps), reach) for tiles in change.old):
        text = "A joker that you set free must be played again in the same turn."
        yield Fault(FaultKind.JOKER_NOT_REUSED, (JOKER,) * change.vanished[JOKER], (), text)


def _impossible(change: Change, rules: Ruleset) -> Iterator[Fault]:
    box = rules.box
    for tile, times in tiles_on(change.after).items():
        most = box.jokers if tile.is_joker else box.copies
        if times > most:
            where = tuple(index for index, tiles in enumerate(change.after) if tile in tiles)
            text = f"{count(times, tile_words(tile))} on the table cannot be: the box holds only {most}."
            yield Fault(FaultKind.IMPOSSIBLE_TILE, (tile,) * times, where, text)


def _opening_faults(change: Change, points: int, rules: Ruleset) -> Iterator[Fault]:
    """What is wrong with a first meld: too few points, or hands on the table's sets too early."""
    minimum, enough = rules.opening.minimum, points >= rules.opening.minimum
    tiles, touched = in_order(change.laid.elements()), bool(change.old)
    where = tuple(index for index, _ in change.new)
    if touched and not own_sets(change, rules) and not (enough and rules.opening.same_turn):
        text = f"Leave the sets on the table alone until you have laid sets of your own worth {minimum} points."
        yield Fault(FaultKind.NOT_OPENED, tiles, where, text)
        return
    if not enough:
        text = f"Your own sets are worth {count(points, 'point')}, but your first meld needs {minimum}."
        yield Fault(FaultKind.OPENING_TOO_LOW, tiles, where, text)
    if touched and not (enough and rules.opening.same_turn):
        text = "Your first meld must be made of your own tiles; leave the sets on the table as they are."
        yield Fault(FaultKind.OPENING_USES_TABLE, tiles, where, text)


def _moved_jokers(change: Change, rules: Ruleset) -> Iterator[Fault]:
    new = [tiles for _, tiles in change.new]
    where = tuple(index for index, tiles in change.new if JOKER in tiles)
    missing = change.vanished[JOKER]
    for old in dict.fromkeys(moved_unfreed(change.old, new, reach_of(change, rules), rules)[missing:]):
        text = f"The joker of {format_set(old)} was moved, but no fitting tile took its place first."
        yield Fault(FaultKind.JOKER_NOT_REPLACED, old, where, text)


def _broken_up(change: Change, rules: Ruleset) -> Iterator[Fault]:
    if rules.strict_rebuild:
        for old in broken_up(change):
            text = f"You took tiles from {format_set(old)}, so {SMALLEST} of them must stay together."
            yield Fault(FaultKind.ORIGINAL_BROKEN_UP, old, (), text)


def _too_many(change: Change, turn: Turn, rules: Ruleset) -> Iterator[Fault]:
    tiles = in_order(change.laid.elements())
    if rules.cap is not None and len(tiles) > rules.cap:
        text = f"You laid {count(len(tiles), 'tile')}, but only {rules.cap} are allowed in one turn."
        yield Fault(FaultKind.TOO_MANY_TILES, tiles, (), text)
    if turn.hand is not None and len(tiles) > turn.hand:
        text = f"{count(len(tiles), 'new tile')} lie on the table, but you had only {turn.hand} in your hand."
        yield Fault(FaultKind.MORE_THAN_HAND, tiles, (), text)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
