"""What can be wrong with a turn, kind by kind; each fault tells its tiles and says one plain sentence."""

from __future__ import annotations

from collections.abc import Iterator

from referee.game.judge.first_meld import FirstMeld, seen_pieces
from referee.game.judge.joker_values import counts, only_jokers
from referee.game.judge.jokers import could_be_freed, moved_unfreed
from referee.game.judge.strict_rebuild import broken_up
from referee.game.judge.verdict import Fault, FaultKind
from referee.game.notation import format_set
from referee.game.rulebooks.model import Extended, JokerSets, Ruleset
from referee.game.sets import SMALLEST, is_set, order_tells, why_not
from referee.game.table import Change, in_order, tiles_on
from referee.game.tiles import JOKER, Colour, Tile
from referee.game.wording import count, listed, tile_words


def not_sets(change: Change, rules: Ruleset) -> Iterator[Fault]:
    """Tiles that lie together and are neither a group nor a run."""
    for index, tiles in enumerate(change.after):
        if tiles and not counts(tiles, rules):
            why = "jokers alone are none" if is_set(tiles) else why_not(tiles)
            text = f"{format_set(tiles)} is no set: {why}."
            yield Fault(FaultKind.NOT_A_SET, tiles, (index,), text)


def vanished(change: Change, rules: Ruleset) -> Iterator[Fault]:
    """Tiles of the table that are gone, a joker that was freed among them."""
    gone = in_order(change.vanished.elements())
    if not gone:
        return
    are = "is" if len(gone) == 1 else "are"
    text = f"{listed(gone)} lay on the table before and {are} missing now."
    yield Fault(FaultKind.TILE_VANISHED, gone, (), text[0].upper() + text[1:])
    if change.vanished[JOKER] and could_be_freed(change, rules):
        text = "A joker that you set free must be played again in the same turn."
        yield Fault(FaultKind.JOKER_NOT_REUSED, (JOKER,) * change.vanished[JOKER], (), text)


def aside_gone(aside: Tile) -> Fault:
    """The tile aside is neither there nor on the table."""
    text = f"The {tile_words(aside)} lay aside before and is missing now."
    return Fault(FaultKind.TILE_VANISHED, (aside,), (), text)


def impossible(change: Change, aside: Tile | None, rules: Ruleset) -> Iterator[Fault]:
    """More of a tile than there is in the box; `aside` lies on the table too."""
    box = rules.box
    for tile, times in tiles_on(change.after).items():
        most, lying = box.jokers if tile.is_joker else box.copies, times + (tile == aside)
        if lying > most:
            where = tuple(index for index, tiles in enumerate(change.after) if tile in tiles)
            text = f"{count(lying, tile_words(tile))} on the table cannot be: the box holds only {most}."
            yield Fault(FaultKind.IMPOSSIBLE_TILE, (tile,) * lying, where, text)
    yield from _foreign(change, rules)


def _foreign(change: Change, rules: Ruleset) -> Iterator[Fault]:
    """Colours that the box lacks, where it is known which box is played; the rules can be played with any."""
    lying = {tile.colour for tiles in change.after for tile in tiles} - {None} if rules.exact_box else set()
    for colour in (one for one in Colour if one in lying.difference(rules.box.colours)):
        tiles = in_order(tile for tiles in change.after for tile in tiles if tile.colour is colour)
        where = tuple(index for index, tiles in enumerate(change.after) if any(t.colour is colour for t in tiles))
        text = f"{listed(tiles)} cannot be: the box holds nothing {colour}."
        yield Fault(FaultKind.IMPOSSIBLE_TILE, tiles, where, text[0].upper() + text[1:])


def opening_faults(change: Change, meld: FirstMeld, rules: Ruleset) -> Iterator[Fault]:
    """What is wrong with a first meld: too few points, or hands on the table's sets too early."""
    if meld.enough or not (change.laid or change.old):
        return
    minimum, tiles = rules.opening.minimum, in_order(change.laid.elements())
    where = tuple(index for index, _ in change.new)
    pieces = seen_pieces(change, rules)
    if change.old and not pieces:
        text = f"Leave the sets on the table alone until you have laid sets worth {minimum} points."
        if rules.opening.extended is not Extended.NOTHING:
            text = f"Before your first {minimum} points lie there you may only add to the sets on the table."
        yield Fault(FaultKind.NOT_OPENED, tiles, where, text)
        return
    if meld.points < minimum:
        are = "Your own sets are" if rules.opening.extended is Extended.NOTHING else "What you laid is"
        text = f"{are} worth {count(meld.points, 'point')}, but your first meld needs {minimum}."
        yield Fault(FaultKind.OPENING_TOO_LOW, tiles, where, text)
    if len(change.old) > sum(piece.old >= 0 for piece in pieces):
        text = "Your first meld must be made of your own tiles; leave the sets on the table as they are."
        if rules.opening.extended is not Extended.NOTHING:
            text = "Until your first meld lies there you may add to the sets on the table, but not change them."
        yield Fault(FaultKind.OPENING_USES_TABLE, tiles, where, text)


def undeclared(change: Change, declared: bool, rules: Ruleset) -> Iterator[Fault]:
    """Jokers of new sets of which nobody can tell what they stand for, where the book asks."""
    for index, tiles in change.new:
        if JOKER not in tiles or not counts(tiles, rules):
            continue
        if only_jokers(tiles):
            if rules.joker_rule.alone is JokerSets.DECLARED and not declared:
                text = f"Say what the jokers in {format_set(tiles)} stand for."
                yield Fault(FaultKind.JOKER_UNDECLARED, tiles, (index,), text)
        elif rules.joker_rule.declared and not order_tells(tiles, rules.wraps):
            text = f"Put the joker where it belongs in the row {format_set(tiles)}, so that all can see its number."
            yield Fault(FaultKind.JOKER_UNDECLARED, tiles, (index,), text)


def moved_jokers(change: Change, rules: Ruleset) -> Iterator[Fault]:
    """Jokers that were taken although nothing had freed them."""
    where = tuple(index for index, tiles in change.new if JOKER in tiles)
    for old in dict.fromkeys(moved_unfreed(change, rules)):
        text = f"The joker of {format_set(old)} was moved, but no fitting tile took its place first."
        yield Fault(FaultKind.JOKER_NOT_REPLACED, old, where, text)


def broken_up_sets(change: Change, rules: Ruleset) -> Iterator[Fault]:
    """Sets of which too little stayed together, by the strict reading."""
    for old in broken_up(change, rules) if rules.strict_rebuild else ():
        text = f"You took tiles from {format_set(old)}, so {SMALLEST} of them must stay together."
        yield Fault(FaultKind.ORIGINAL_BROKEN_UP, old, (), text)


def nothing_laid(change: Change, rules: Ruleset) -> Iterator[Fault]:
    """A table rebuilt without a tile from the hand, where that must be put back."""
    if rules.put_back and change.old and not change.laid:
        where = tuple(index for index, _ in change.new)
        text = "You laid no tile of your own, so the sets must lie as they did before."
        yield Fault(FaultKind.NOTHING_LAID, (), where, text)


def too_many(change: Change, from_hand: int, rules: Ruleset) -> Iterator[Fault]:
    """More tiles in one turn than the book allows."""
    if rules.cap is not None and from_hand > rules.cap:
        text = f"You laid {count(from_hand, 'tile')}, but only {rules.cap} are allowed in one turn."
        yield Fault(FaultKind.TOO_MANY_TILES, in_order(change.laid.elements()), (), text)


def more_than_hand(change: Change, from_hand: int, hand: int | None, jokers: int | None) -> Iterator[Fault]:
    """More tiles, or more jokers, than the hand can have held."""
    if hand is not None and from_hand > hand:
        lie = "lies" if from_hand == 1 else "lie"
        had = f"only {hand}" if hand else "none"
        text = f"{count(from_hand, 'new tile')} {lie} on the table, but you had {had} in your hand."
        yield Fault(FaultKind.MORE_THAN_HAND, in_order(change.laid.elements()), (), text)
    new = change.laid[JOKER]
    if jokers is not None and new > jokers:
        had = f"only {jokers}" if jokers else "none"
        lie = "lies" if new == 1 else "lie"
        text = f"{count(new, 'new joker')} {lie} on the table, but you had {had} in your hand."
        yield Fault(FaultKind.MORE_THAN_HAND, (JOKER,) * new, (), text)
