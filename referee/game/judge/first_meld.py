"""The first meld: whether there is an order of laying in which it came first and was worth enough.

First come sets laid complete from the hand. Where the book lets sets of the table count that get longer (or whose
joker is exchanged), those come too; everything else stays as it is. Only then, and only if the book allows it in the
same turn, anything follows that a player may do who has a first meld, with the tiles that are left. So the first meld
may no longer lie there to be seen: some of the tiles laid must do. Jokers in it lay on the table once it lay there,
and from then on they are bound like any other. Sets that were rebuilt never count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from referee.game.judge.jokers.moved import Bound, Freed, JokerCheck, bound_on
from referee.game.judge.jokers.values import counts
from referee.game.judge.meld_hand import Named, Packed, Plan, code_of
from referee.game.judge.meld_pieces import Piece, longer_as_laid, longer_pieces, own_piece, own_pieces
from referee.game.rulebooks.model import Extended, JokerFreedom, Ruleset
from referee.game.sets import shape
from referee.game.solver.solve import best_sets, face_value
from referee.game.table import Change, Table, tiles_on
from referee.game.tiles import HIGHEST, JOKER


@dataclass(frozen=True, slots=True)
class FirstMeld:
    """The best first meld found: its pieces, its points, and whether they are enough."""

    pieces: tuple[Piece, ...]
    points: int
    enough: bool = False
    freed: tuple[Freed, ...] = ()
    """The jokers that were freed after it."""


def own_sets(change: Change, rules: Ruleset) -> Table:
    """The new sets that lie there complete and hold only tiles laid in this turn."""
    own, left = [], Counter(change.laid)
    for _, tiles in change.new:
        if counts(tiles, rules) and not Counter(tiles) - left:
            left -= Counter(tiles)
            own.append(tiles)
    return tuple(own)


def first_meld(change: Change, rules: Ruleset) -> FirstMeld:
    """The first meld of a turn: what can be seen of it, or else what can have come before the rest."""
    visible = seen_pieces(change, rules)
    points = sum(piece.points for piece in visible)
    if not rules.opening.same_turn:
        untouched = len(change.old) == sum(piece.old >= 0 for piece in visible)
        return FirstMeld(visible, points, untouched and points >= rules.opening.minimum)
    hunt = _Hunt.of(change, rules)
    if hunt.legal(visible):
        hunt.note(visible, points)
    if not hunt.best.enough:
        hunt.look()
    return replace(hunt.best, freed=hunt.way(hunt.best.pieces) or ())


def seen_pieces(change: Change, rules: Ruleset) -> tuple[Piece, ...]:
    """Own sets, and sets of the table that got longer, as they lie on the table in the end."""
    own = own_sets(change, rules)
    pieces = [own_piece(tiles, rules) for tiles in own]
    if rules.opening.extended is not Extended.NOTHING:
        left = change.laid - Counter(tile for tiles in own for tile in tiles)
        others = [tiles for _, tiles in change.new if tiles not in own]
        pieces += longer_as_laid(change, others, left, rules)
    return tuple(pieces)


@dataclass(slots=True)
class _Hunt:
    """Looks for a first meld that was built on before the turn ended."""

    change: Change
    rules: Ruleset
    check: JokerCheck
    bound: dict[int, Bound]
    """The sets of the table before with jokers, by index; without those whose jokers cannot have moved by right."""
    longer: tuple[Piece, ...] = ()
    worth: dict[int, int] = field(default_factory=dict)
    """What sets of the table count that can get longer."""
    lying: Sequence[tuple[int, int]] = ()
    """The same, those that count most first."""
    gaining: Counter[int] = field(default_factory=Counter)
    """The most jokers that can be exchanged out of each set of the table."""
    gains: int = 0
    """And all together."""
    joker: int = HIGHEST
    """The most that a joker counts."""
    best: FirstMeld = FirstMeld((), 0)
    known: dict[tuple[tuple[int, ...], int], tuple[Freed, ...] | None] = field(default_factory=dict)
    alone: dict[int, bool] = field(default_factory=dict)
    """By identity of the piece, as for `names` and `numbers`; all of them live as long as this."""
    names: dict[int, Named] = field(default_factory=dict)
    groups: dict[Bound, int] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, change: Change, rules: Ruleset) -> _Hunt:
        check = JokerCheck.of(change, rules)
        lying = {i: group for i, tiles in enumerate(change.before) for group in bound_on((tiles,), rules)}
        stuck = check.stuck(list(lying.values()), change.numbered_laid)
        moving = {i: group for n, (i, group) in enumerate(lying.items()) if n not in stuck}
        joker = HIGHEST if rules.opening.joker is None else rules.opening.joker
        return cls(change, rules, check, moving, joker=joker)

    def _find_longer(self) -> None:
        """Find what can be made of the sets of the table, and the most that it can bring."""
        before, rules = self.change.before, self.rules
        exchanges = tiles_on(before)[JOKER] if rules.opening.exchange_counts else 0
        if exchanges:
            gaining = longer_pieces(before, self.change.numbered_laid, rules)
            for piece in gaining:
                self.gaining[piece.old] = max(self.gaining[piece.old], piece.gains)
            self.gains = self.gaining.total()
            exchanges = max(1, self.gains)
        self.longer = tuple(longer_pieces(before, self.change.laid + Counter({JOKER: exchanges}), rules))
        if rules.opening.extended is Extended.WHOLE:
            for old in {piece.old for piece in self.longer}:
                self.worth[old] = shape(before[old], rules.wraps).value(rules.opening.joker)
        self.lying = sorted(self.worth.items(), key=lambda lies: -lies[1])

    def _at_a_glance(self) -> bool:
        """Whether single tiles laid on to sets of the table, the most valuable first, are enough already."""
        laid = self.change.laid
        pieces = longer_pieces(self.change.before, laid, self.rules, most=1)
        chosen: tuple[Piece, ...] = ()
        for piece in sorted(pieces, key=lambda piece: -piece.points):
            then = (*chosen, piece)
            fresh = all(piece.old != other.old for other in chosen)
            if fresh and not Counter(t for other in then for t in other.uses) - laid and self.legal(then):
                chosen = then
                if self.note(chosen, sum(piece.points for piece in chosen)):
                    return True
        return False

    def note(self, pieces: Sequence[Piece], points: int) -> bool:
        """Remember a legal first meld if it is the best so far; True once one is worth enough."""
        if points > self.best.points:
            self.best = FirstMeld(tuple(pieces), points, points >= self.rules.opening.minimum)
        return self.best.enough

    def legal(self, pieces: Sequence[Piece]) -> bool:
        """Whether from these pieces a legal way leads on to the table after the turn."""
        return self.way(pieces) is not None

    def _legal_alone(self, piece: Piece) -> bool:
        """The same of one piece; where it is illegal it is so ever after."""
        alone = self.alone.get(id(piece))
        if alone is None:
            alone = self.alone[id(piece)] = self.legal((piece,))
        return alone

    def way(self, pieces: Sequence[Piece]) -> tuple[Freed, ...] | None:
        """The jokers that must have been freed on the way from these pieces to the table after; None without a way."""
        exchanged = self.rules.joker_rule.freedom is JokerFreedom.EXCHANGED
        named = [self._named(piece) for piece in pieces]
        replaced = {piece.old for piece in pieces}
        groups = [self._number(group) for index, group in self.bound.items() if index not in replaced]
        groups += [one.group for one in named if one.group >= 0]
        if not groups or self.rules.joker_rule.freedom is JokerFreedom.ALWAYS:
            return ()
        key = tuple(sorted(groups)), sum([one.code for one in named]) if exchanged else 0
        if key not in self.known:
            hand = self.change.numbered_laid
            if exchanged:
                hand.subtract(tile for piece in pieces for tile in piece.uses if not tile.is_joker)
            sets = [group for index, group in self.bound.items() if index not in replaced]
            sets += [piece.bound for piece in pieces if piece.bound is not None]
            self.known[key] = self.check.way(sets, hand)
        return self.known[key]

    def _named(self, piece: Piece) -> Named:
        """A piece by numbers, which are found more quickly than what they stand for."""
        named = self.names.get(id(piece))
        if named is None:
            group = -1 if piece.bound is None else self._number(piece.bound)
            named = self.names[id(piece)] = Named(piece, group, code_of(piece.uses))
        return named

    def _number(self, group: Bound) -> int:
        number = self.numbers.get(id(group))
        if number is None:
            number = self.numbers[id(group)] = self.groups.setdefault(group, len(self.groups))
        return number

    def look(self) -> None:
        """Try every first meld that could be worth enough, the likeliest first."""
        rules, laid = self.rules, self.change.laid
        if rules.opening.extended is not Extended.NOTHING:
            if self._at_a_glance():
                return
            self._find_longer()
        numbers = sum(tile.number * times for tile, times in laid.items())
        if not self._enough(0, numbers, laid.total(), laid[JOKER], frozenset()):
            return
        if not self.longer:
            play = best_sets(laid.elements(), face_value, wraps=rules.wraps)
            numbers = sum(tile.number for tile in play.tiles)
            if not self._enough(0, numbers, laid.total(), laid[JOKER], frozenset()):
                return
            own = [own_piece(tiles, rules) for tiles in play.sets if counts(tiles, rules)]
            if self.legal(own) and self.note(own, sum(piece.points for piece in own)):
                return
        pieces = (*own_pieces(laid + Counter({JOKER: self.gains}), rules), *self.longer)
        # Pieces that bring much for every tile come first: where they do not make it, the others need not be tried.
        ordered = sorted(pieces, key=lambda piece: (not piece.gains, -piece.points / len(piece.uses)))
        hand = Packed.of(laid)
        plans = [plan for piece in ordered if hand.holds(plan := Plan.of(piece))]
        self._extend((), 0, plans, hand, numbers)

    def _enough(self, points: int, numbers: int, tiles: int, jokers: int, used: frozenset[int]) -> bool:
        """Whether so many tiles left in the hand, worth at most `numbers`, could still bring enough points."""
        lacking = self.rules.opening.minimum - points - numbers - (jokers + self.gains) * self.joker
        if lacking <= 0 or not self.worth:
            return lacking <= 0
        lying = [worth for old, worth in self.lying if old not in used]
        return sum(lying[: max(0, tiles + self.gains)]) >= lacking

    def _extend(
        self, chosen: tuple[Piece, ...], points: int, plans: Sequence[Plan], hand: Packed, numbers: int
    ) -> bool:
        """Add pieces to those chosen until they are worth enough; what is illegal stays so with more."""
        used = frozenset([piece.old for piece in chosen])
        tiles, minimum = hand.tiles + self.gains, self.rules.opening.minimum
        coming = self.gains - sum([self.gaining[old] for old in used])
        for index, plan in enumerate(plans):
            piece = plan.piece
            if not piece.gains and points + tiles * plan.each < minimum:
                return False
            then, worth, rest = (*chosen, piece), points + piece.points, min(numbers, hand.value - plan.value)
            jokers = hand.jokers - plan.jokers + piece.gains
            if not self.worth and worth + rest + (jokers + self.gains) * self.joker < minimum:
                continue
            left = hand.without(plan)
            # Jokers may be exchanged first and laid afterwards, whichever piece they belong to.
            if left.jokers < 0 and (
                (plan.jokers and not piece.gains) or left.jokers + coming < self.gaining[piece.old]
            ):
                continue
            could = self._enough(worth, rest, left.tiles, left.jokers, used | {piece.old})
            if not could or not self._legal_alone(piece) or not self.legal(then):
                continue
            if left.jokers >= 0 and self.note(then, worth):
                return True
            others = [p for p in plans[index + 1 :] if left.holds(p) and (p.piece.old != piece.old or piece.old < 0)]
            if self._extend(then, worth, others, left, rest):
                return True
        return False
