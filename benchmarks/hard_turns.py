"""Random turns that are hard to judge: many jokers, long runs, twins, rebuilt or disordered tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from referee.errors import BadInput
from referee.game.judge.judge import Turn
from referee.game.rulebooks import RULESETS, Ruleset
from referee.game.solver.solve import best_play
from referee.game.table import Set, Table
from referee.game.tiles import HIGHEST, JOKER, Tile

TRIES = 400
NEARLY_FULL = 94, 104


@dataclass(frozen=True)
class HardTurn:
    """One turn: how it was made, its tables, and the rules by which it is judged."""

    seed: int
    name: str
    before: Table
    after: Table
    turn: Turn
    rules: Ruleset


@dataclass
class _Maker:
    """Makes tables from one box; `style` determines which sets it prefers."""

    rng: Random
    rules: Ruleset
    style: str
    highest: int = HIGHEST
    """The highest number of a tile in a hand; with a low one, jokers must count for much."""

    def __post_init__(self) -> None:
        self.box = self.rules.box
        self.left = Counter(self.box.inventory())

    def sets(self, wanted: int) -> list[Set]:
        """Return random sets of tiles left in the box, with about `wanted` tiles in all."""
        made: list[Set] = []
        for _ in range(TRIES):
            if sum(map(len, made)) >= wanted:
                break
            some = self._with_jokers(self._set())
            for tiles in (some, some) if self.style == "twins" else (some,):
                if not Counter(tiles) - self.left:
                    self.left -= Counter(tiles)
                    made.append(tiles)
        return made

    def _set(self) -> list[Tile]:
        rng, colours = self.rng, self.rng.sample(self.box.colours, len(self.box.colours))
        if rng.random() < {"groups": 0.1, "runs": 1.0, "long": 0.95}.get(self.style, 0.6):
            length = rng.randint(5, HIGHEST) if self.style == "long" else rng.choice((3, 3, 3, 4, 5))
            first = rng.randint(1, HIGHEST if self.rules.wraps else HIGHEST - length + 1)
            return [Tile((first + step - 1) % HIGHEST + 1, colours[0]) for step in range(length)]
        number = rng.randint(1, HIGHEST)
        return [Tile(number, colour) for colour in colours[: rng.choice((3, 3, 4))]]

    def _with_jokers(self, tiles: list[Tile]) -> Set:
        share = {"jokers": 0.4, "plain": 0.0}.get(self.style, 0.12)
        some = [JOKER if self.rng.random() < share else tile for tile in tiles]
        if some.count(JOKER) == len(some) and self.rng.random() < 0.8:
            some[0] = tiles[0]
        return tuple(some)

    def drawn(self, number: int) -> list[Tile]:
        """Draw tiles from the box for a hand, jokers a little more often than by chance."""
        every = sorted(self.left.elements()) + [JOKER] * self.left[JOKER]
        hand: list[Tile] = []
        for tile in self.rng.sample(every, len(every)):
            if len(hand) < number and self.left[tile] and tile.number <= self.highest:
                self.left[tile] -= 1
                hand.append(tile)
        return hand

    def rebuilt(self, table: list[Set], hand: list[Tile]) -> list[Set]:
        """Return the tiles of these sets in other sets, together with tiles of the hand that can be laid."""
        colours = dict(zip(self.box.colours, self.rng.sample(self.box.colours, len(self.box.colours)), strict=True))
        back = {other: colour for colour, other in colours.items()}
        wraps = self.rules.wraps
        steps, mirror = (self.rng.randrange(HIGHEST) if wraps else 0), self.rng.random() < 0.5

        def there(tile: Tile) -> Tile:
            if tile.colour is None:
                return tile
            number = HIGHEST + 1 - tile.number if mirror else tile.number
            return Tile((number + steps - 1) % HIGHEST + 1, colours[tile.colour])

        def home(tile: Tile) -> Tile:
            if tile.colour is None:
                return tile
            number = (tile.number - steps - 1) % HIGHEST + 1
            return Tile(HIGHEST + 1 - number if mirror else number, back[tile.colour])

        play = best_play([there(t) for tiles in table for t in tiles], [there(t) for t in hand], wraps=wraps)
        return table if play is None else [tuple(map(home, tiles)) for tiles in play.sets]

    def turn(self) -> tuple[str, Table, Table, list[Tile]]:
        """Return how a turn was made, the tables before and after, and the tiles in the hand before."""
        rng = self.rng
        before = self.sets(rng.choice((12, 20, 30, 40, 50, 60, 80, self.box.total)))
        hand = self.drawn(rng.choice((3, 6, 10, 14, 18, 24, 40)))
        kind = rng.choice(("all rebuilt", "part rebuilt", "some rebuilt", "own sets", "own sets and rebuilt"))
        after = before[:]
        if kind.startswith("own sets"):
            own = self.rebuilt([], hand)
            after += own if rng.random() < 0.6 else own[: rng.randint(0, 2)]
            hand = list((Counter(hand) - Counter(t for tiles in own for t in tiles)).elements())
        if kind == "all rebuilt":
            after = self.rebuilt(after, hand)
        elif kind != "own sets":
            rng.shuffle(after)
            cut = rng.randint(0, len(after)) if kind == "part rebuilt" else rng.randint(0, min(4, len(after)))
            after = [*after[cut:], *self.rebuilt(after[:cut], hand)]
        spoil = rng.choice((None, *SPOILS)) if rng.random() < 0.7 else None
        if spoil is not None:
            for _ in range(rng.choice((1, 1, 2, 4))):
                after = [tiles for tiles in spoil(rng, after, self) if tiles]
        rows = [tuple(rng.sample(tiles, len(tiles))) if rng.random() < 0.1 else tiles for tiles in after]
        name = f"{self.style}, {kind}" + ("" if spoil is None else f", {spoil.__name__.strip('_')}")
        return name, tuple(before), tuple(rng.sample(rows, len(rows))), hand


def _place(rng: Random, table: list[Set]) -> tuple[int, int]:
    index = rng.randrange(len(table))
    return index, rng.randrange(len(table[index]))


def _removed(rng: Random, table: list[Set], _: _Maker) -> list[Set]:
    if not table:
        return table
    index, place = _place(rng, table)
    return [*table[:index], (*table[index][:place], *table[index][place + 1 :]), *table[index + 1 :]]


def _added(rng: Random, table: list[Set], maker: _Maker) -> list[Set]:
    tiles = tuple(maker.drawn(rng.choice((1, 1, 2, 5))))
    if not table or rng.random() < 0.3:
        return [*table, tiles]
    index = rng.randrange(len(table))
    return [*table[:index], (*table[index], *tiles), *table[index + 1 :]]


def _swapped(rng: Random, table: list[Set], _: _Maker) -> list[Set]:
    if not table:
        return table
    sets = [list(tiles) for tiles in table]
    (one, here), (other, there) = _place(rng, table), _place(rng, table)
    sets[one][here], sets[other][there] = sets[other][there], sets[one][here]
    return [tuple(tiles) for tiles in sets]


def _split(rng: Random, table: list[Set], _: _Maker) -> list[Set]:
    if not table:
        return table
    index, place = _place(rng, table)
    return [*table[:index], table[index][:place], table[index][place:], *table[index + 1 :]]


def _joined(rng: Random, table: list[Set], _: _Maker) -> list[Set]:
    some = rng.sample(table, len(table))
    cut = rng.choice((2, 2, 3, 5))
    return [*some[cut:], tuple(tile for tiles in some[:cut] for tile in tiles)]


def _jokers_about(rng: Random, table: list[Set], _: _Maker) -> list[Set]:
    """Exchange every joker of the table with a random tile."""
    sets = [list(tiles) for tiles in table]
    for index, tiles in enumerate(table):
        for place, tile in enumerate(tiles):
            if tile.is_joker:
                other, there = _place(rng, table)
                sets[index][place], sets[other][there] = sets[other][there], sets[index][place]
    return [tuple(tiles) for tiles in sets]


def _heaps(rng: Random, table: list[Set], _: _Maker) -> list[Set]:
    """Return all tiles in random heaps, as they may lie when the time is up."""
    tiles = [tile for some in table for tile in some]
    rng.shuffle(tiles)
    size, found = rng.choice((1, 3, 5, 12, 40, 110)), []
    while tiles:
        number = rng.randint(1, size) if rng.random() < 0.5 else size
        found.append(tuple(tiles[:number]))
        tiles = tiles[number:]
    return found


def _some_heaps(rng: Random, table: list[Set], maker: _Maker) -> list[Set]:
    some = rng.sample(table, len(table))
    cut = rng.randint(0, len(some))
    return [*some[cut:], *_heaps(rng, some[:cut], maker)]


SPOILS: tuple[Callable[[Random, list[Set], _Maker], list[Set]], ...] = (
    _removed, _added, _swapped, _split, _joined, _jokers_about, _heaps, _some_heaps,
)  # fmt: skip
STYLES = ("mixed", "mixed", "jokers", "jokers", "twins", "long", "runs", "groups", "plain")
BOOKS = tuple(name for name, rules in RULESETS.items() if rules.knocking is None)
STRICT = tuple(name for name in BOOKS if any(option.name == "rebuild" for option in RULESETS[name].options))


def chosen(rng: Random, rules: Ruleset) -> Ruleset:
    """Return the rules with random options; those of tournaments say nothing about a single turn."""
    while True:
        choices = {}
        for option in (option for option in rules.options if not option.for_tournaments):
            known = [name for name, _ in option.choices]
            if option.numbers and rng.random() < 0.7:
                known = [str(number) for number in option.numbers[0]]
            choices[option.name] = rng.choice(known)
        try:
            return rules.choose(**choices)
        except BadInput:
            continue


def hard_turn(seed: int, book: str | None = None) -> HardTurn:
    """Return the turn for a seed."""
    rng = Random(seed)  # noqa: S311 - turns need no cryptographic randomness
    rules = chosen(rng, RULESETS[book or rng.choice((*BOOKS, "classic", "ravensburger"))])
    maker = _Maker(rng, rules, rng.choice(STYLES))
    name, before, after, hand = maker.turn()
    laid = (Counter(t for tiles in after for t in tiles) - Counter(t for tiles in before for t in tiles)).total()
    turn = Turn(
        opened=rng.random() < 0.5,
        hand=rng.choice((None, laid, laid + 1, max(0, laid - 1), laid + len(hand))),
        jokers=rng.choice((None, None, 0, 1, 2)) if rules.jokers_each is not None else None,
        aside=rng.choice(sorted(maker.box.inventory())) if rules.finish.last_tile else None,
        declared=rng.random() < 0.5,
    )
    return HardTurn(seed, f"{rules.name}, {name}", before, after, turn, rules)


def hard_meld(seed: int) -> HardTurn:
    """Return a turn of Classic Rummy with a first meld, in which extended sets and exchanged jokers count."""
    rng = Random(seed)  # noqa: S311 - turns need no cryptographic randomness
    rules = chosen(rng, RULESETS["classic"]).with_value("opening.exchange_counts", rng.random() < 0.8)
    maker = _Maker(rng, rules, rng.choice(STYLES[1:]), highest=rng.choice((3, 5, 7, HIGHEST)))
    name, before, after, _ = maker.turn()
    return HardTurn(seed, f"first meld, {name}", before, after, Turn(opened=False), rules)


def jokers_alone(seed: int) -> HardTurn:
    """Return a first meld on a table with a set of jokers alone, which is exchanged, extended, rebuilt or unchanged.

    There are at most as many jokers as the box has, and at most six. If there are fewer than three, they are in the
    hand.
    """
    rng = Random(seed)  # noqa: S311 - turns need no cryptographic randomness
    rules = chosen(rng, RULESETS[rng.choice(("classic", "classic", "classic", *BOOKS))])
    maker = _Maker(rng, rules, rng.choice(STYLES), highest=rng.choice((3, 5, 7, HIGHEST)))
    jokers = rng.randint(1, maker.left[JOKER])
    sizes = rng.choice(([jokers], [jokers - jokers % 3 or jokers, jokers % 3], [3] * (jokers // 3)))
    before: list[Set] = [(JOKER,) * size for size in sizes if size >= 3]
    in_hand = jokers - sum(map(len, before))
    maker.left[JOKER] -= jokers
    before += maker.sets(rng.choice((0, 0, 6, 12, 30, 60)))
    hand = [*maker.drawn(rng.choice((3, 6, 8, 10, 14, 18, 24))), *(JOKER,) * in_hand]
    kind = rng.choice(("exchanged", "exchanged", "rebuilt", "longer", "kept"))
    after = before[:]
    if kind == "exchanged":
        after, hand = _exchanged(rng, after, hand)
    elif kind == "longer":
        after = [
            (*tiles, hand.pop(rng.randrange(len(hand)))) if hand and rng.random() < 0.4 else tiles for tiles in after
        ]
    after = maker.rebuilt(after, hand) if kind == "rebuilt" else [*after, *maker.rebuilt([], hand)]
    spoil = rng.choice(SPOILS) if rng.random() < 0.25 else None
    if spoil is not None:
        after = [tiles for tiles in spoil(rng, after, maker) if tiles]
    if rng.random() < 0.3:
        after = [tuple(rng.sample(tiles, len(tiles))) for tiles in after]
    turn = Turn(opened=rng.random() < 0.2, declared=rng.random() < 0.7)
    name = f"{rules.name}, {jokers} jokers, {kind}" + ("" if spoil is None else f", {spoil.__name__.strip('_')}")
    return HardTurn(seed, name, tuple(before), tuple(after), turn, rules)


def _exchanged(rng: Random, table: list[Set], hand: list[Tile]) -> tuple[list[Set], list[Tile]]:
    """Return table and hand after some jokers that lie alone were exchanged for tiles of the hand."""
    numbered, held = [tile for tile in hand if tile.number], [tile for tile in hand if not tile.number]
    rng.shuffle(numbered)
    after: list[Set] = []
    for tiles in table:
        row = list(tiles)
        for place in range(rng.randint(1, len(row)) if set(row) == {JOKER} else 0):
            like = [t for t in numbered if row[0].is_joker or t.colour == row[0].colour or t.number == row[0].number]
            if not like:
                break
            row[place] = rng.choice(like)
            numbered.remove(row[place])
            held.append(JOKER)
        after.append(tuple(row))
    return after, [*numbered, *held]


def nearly_full(seed: int) -> HardTurn:
    """Return a turn on a table of nearly all tiles, by a book that requires three tiles of a set to stay together.

    Half of these turns are unchanged; in the others up to three tiles were misread, as if a legal turn was read wrong.
    """
    rng = Random(seed)  # noqa: S311 - turns need no cryptographic randomness
    rules = chosen(rng, RULESETS[rng.choice(STRICT)]).with_value("strict_rebuild", True)
    maker = _Maker(rng, rules, rng.choice(STYLES))
    tiles = rng.randint(*NEARLY_FULL)
    before = maker.sets(tiles)
    while sum(map(len, before)) < tiles and maker.left.total():
        before = maker.rebuilt(before, maker.drawn(max(1, tiles - sum(map(len, before)))))
    laid = Counter(tile for some in before for tile in some)
    maker.left = Counter(maker.box.inventory()) - laid
    hand = maker.drawn(rng.choice((1, 3, 6, 10)))
    kind, cut = rng.choice((("all rebuilt", 0), ("part rebuilt", rng.randint(0, len(before) // 2))))
    rng.shuffle(before)
    after = [*before[:cut], *maker.rebuilt(before[cut:], hand)]
    misread = rng.choice((0, 0, 0, 1, 2, 3))
    for _ in range(misread):
        index, place = _place(rng, after)
        after[index] = (*after[index][:place], rng.choice(sorted(maker.box.inventory())), *after[index][place + 1 :])
    name = f"{rules.name}, {sum(map(len, before))} tiles, {kind}, {misread} misread"
    return HardTurn(seed, name, tuple(before), tuple(after), Turn(opened=True), rules)
