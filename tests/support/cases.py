"""Small turns made by chance, legal and illegal ones, so that both the judge and the naive referee can be asked."""

import random
from collections import Counter
from dataclasses import dataclass, replace

import naive_turns as naive

from referee.game.judge.judge import Turn, judge
from referee.game.rulebooks import RULESETS, Ruleset
from referee.game.rulebooks.model import Extended, JokerSets
from referee.game.tiles import JOKER, Colour, Tile

COLOURS = (Colour.RED, Colour.BLUE, Colour.YELLOW, Colour.BLACK)


@dataclass(frozen=True)
class Case:
    """One turn with the rules, once for the judge and once for the naive referee."""

    name: str
    before: tuple
    after: tuple
    turn: Turn
    rules: Ruleset
    book: naive.Book

    @property
    def judged(self):
        return judge(self.before, self.after, self.turn, self.rules)

    @property
    def legal(self):
        turn = self.turn
        player = naive.Player(turn.opened, turn.hand, turn.jokers, turn.aside, turn.declared)
        return naive.legal(self.before, self.after, player, self.book)


def case(seed, name=None):
    """The turn that belongs to a number."""
    rng = random.Random(seed)  # noqa: S311 - turns need no cryptographic randomness
    name = name or rng.choice([n for n in RULESETS if n != "gin"])
    rules, book = _varied(rng, RULESETS[name], naive.BOOKS[name])
    maker = _Maker(rng, book)
    opened = rng.random() < 0.45
    # More jokers than that, each standing for anything, take the naive referee too long.
    most = 5 if opened or book.longer_counts == "no" else 3
    before, after, hand = next(made for made in iter(maker.turn, None) if naive.count(made[1])[JOKER] <= most)
    turn = Turn(
        opened=opened,
        hand=rng.choice([None, len(hand), len(hand), len(hand) + 1, max(0, len(hand) - 1)]),
        jokers=rng.choice([None, None, 0, 1, 2]) if name == "brettspielnetz" else None,
        declared=rng.random() < 0.5,
    )
    if book.tile_aside:
        before, after, turn = _with_aside(rng, before, after, hand, turn)
    return Case(name, before, after, turn, rules, book)


def _varied(rng, rules, book):
    """The book, now and then with other options and another minimum, so that small turns come near it."""
    if rng.random() < 0.75:
        minimum = rng.choice([3, 8, 12, 18, 24, 27, 30, 33, 36, 40, 45])
        rules, book = rules.with_value("opening.minimum", minimum), replace(book, minimum=minimum)
    if rng.random() < 0.15:
        rules, book = rules.with_value("put_back", True), replace(book, must_lay=True)
    if book.cap and rng.random() < 0.5:
        rules, book = replace(rules, cap=4), replace(book, cap=4)
    names = {option.name for option in rules.options}
    if "rebuild" in names and rng.random() < 0.3:
        rules, book = rules.with_value("strict_rebuild", True), replace(book, three_stay=True)
    if "joker-sets" in names and rng.random() < 0.3:
        rules, book = rules.with_value("joker_rule.alone", JokerSets.REFUSED), replace(book, jokers_alone="never")
    if "joker-place" in names and rng.random() < 0.2:
        rules, book = rules.with_value("joker_rule.as_laid", False), replace(book, place_counts=False)
    if "opening-counts" in names and rng.random() < 0.4:
        rules, book = rules.with_value("opening.extended", Extended.ADDED), replace(book, longer_counts="added")
    if "exchange" in names and rng.random() < 0.5:
        rules, book = rules.with_value("opening.exchange_counts", True), replace(book, exchange_counts=True)
    if "declare" in names and rng.random() < 0.7:
        rules, book = rules.with_value("joker_rule.declared", False), replace(book, row_tells=False)
    if "last-tile" in names and rng.random() < 0.2:
        rules, book = replace(rules, finish=replace(rules.finish, last_tile=True)), replace(book, tile_aside=True)
    if "winning-set" in names and rng.random() < 0.2:
        value, least = rng.choice([6, 9, 12, 15, 30]), rng.random() < 0.5
        rules = replace(rules, finish=replace(rules.finish, set_value=value, at_least=least))
        book = replace(book, last_value=value, last_value_or_more=least)
    return rules, book


def _with_aside(rng, before, after, hand, turn):
    """The same turn with one tile lying aside, which is perhaps one of those laid."""
    aside = rng.choice([*(t for t in hand if t != JOKER), Tile(2, Colour.GREEN)])
    if rng.random() < 0.7:
        before = (*before, (aside,))
    if rng.random() < 0.5:
        after = (*after, (aside,))
    elif turn.hand is not None and rng.random() < 0.7:
        turn = replace(turn, hand=max(0, turn.hand - 1))
    return before, after, replace(turn, aside=aside)


class _Maker:
    """Makes sets and turns with it; numbers are few, so that tiles often fit together."""

    def __init__(self, rng, book):
        self.rng, self.book = rng, book
        low = rng.choice([1, 1, 4, 9])
        self.numbers = [(low + step - 1) % 13 + 1 for step in range(5)]
        if book.cyclic and rng.random() < 0.6:
            self.numbers = [11, 12, 13, 1, 2]
        self.colours = rng.sample(COLOURS, 3)
        self.joker = rng.choice([0.0, 0.1, 0.25]) if book.box_jokers else 0.0

    def set(self):
        size = self.rng.choice([3, 3, 3, 4])
        if self.rng.random() < 0.45:
            colours = self.rng.sample(COLOURS, size)
            tiles = [Tile(self.rng.choice(self.numbers), c) for c in colours]
            tiles = [Tile(tiles[0].number, t.colour) for t in tiles]
        else:
            start = self.rng.choice(self.numbers)
            if start + size > 14 and not self.book.cyclic:
                start = 14 - size
            colour = self.rng.choice(self.colours)
            tiles = [Tile((start + step - 1) % 13 + 1, colour) for step in range(size)]
        tiles = [JOKER if self.rng.random() < self.joker else t for t in tiles]
        return tuple(tiles)

    def turn(self):
        """Two tables, and the tiles laid between them."""
        before = tuple(self.sets(self.rng.choice([0, 1, 1, 2, 2, 3])))
        return before, *self.played(before)

    def sets(self, number):
        found = []
        for _ in range(number):
            tiles = self.set()
            if self.possible([*found, tiles]) and naive.is_set(tiles, self.book):
                found.append(tiles)
        return found

    def possible(self, table):
        counts = naive.count(table)
        return all(n <= (self.book.box_jokers if t == JOKER else 2) for t, n in counts.items())

    def tile(self):
        if self.rng.random() < self.joker:
            return JOKER
        return Tile(self.rng.choice(self.numbers), self.rng.choice(self.colours))

    def played(self, before):
        """A table after a turn, and the tiles that were laid for it."""
        table, laid = [list(tiles) for tiles in before], []
        for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3])):
            action = self.rng.choice([self.own, self.own, self.add, self.exchange, self.exchange, self.shift])
            action(table, laid)
            if len(laid) >= 7:
                break
        if self.rng.random() < 0.5:
            table = self.rebuilt(table)
        if self.rng.random() < 0.12:
            self.spoil(table)
        if self.rng.random() < 0.6:
            table = [self.in_row(tiles) for tiles in table]
        for tiles in table:
            if self.rng.random() < 0.2:
                self.rng.shuffle(tiles)
        return tuple(tuple(tiles) for tiles in table if tiles), laid

    def in_row(self, tiles):
        """The tiles of a run in a row, from either side, the jokers in any places where they can be."""
        runs = [wide for run, wide in naive.ways(naive.sort(tiles), self.book.play) if run]
        plain = [tile for tile in tiles if tile != JOKER]
        if not plain or not runs:
            return tiles
        wide = self.rng.choice(runs)
        numbers = {tile.number for tile in (*plain, *wide)}
        start = next((n for n in sorted(numbers) if (n - 2) % 13 + 1 not in numbers), 1)
        by_number = {tile.number: tile for tile in plain}
        row = [by_number.get((start + step - 1) % 13 + 1, JOKER) for step in range(len(tiles))]
        return row if self.rng.random() < 0.5 else row[::-1]

    def own(self, table, laid):
        tiles = self.set()
        if len(laid) + len(tiles) <= 8:
            table.append(list(tiles))
            laid += tiles

    def add(self, table, laid):
        if table:
            tiles = self.rng.choice(table)
            for _ in range(12):
                tile = self.tile() if self.rng.random() < 0.3 else self.near(tiles)
                if naive.is_set((*tiles, tile), self.book):
                    tiles.append(tile)
                    laid.append(tile)
                    return

    def near(self, tiles):
        like = self.rng.choice(tiles)
        if like == JOKER:
            return self.tile()
        if self.rng.random() < 0.5:
            return Tile((like.number + self.rng.choice([0, -2, 0, -1, 1]) - 1) % 13 + 1, like.colour)
        return Tile(like.number, self.rng.choice(COLOURS))

    def exchange(self, table, laid):
        """Put a tile where a joker lies and lay the joker elsewhere, mostly with two new tiles."""
        homes = [tiles for tiles in table if JOKER in tiles]
        if not homes:
            return self.own(table, laid)
        home = self.rng.choice(homes)
        ways = naive.ways(naive.sort(home), self.book.play)
        if ways and self.rng.random() < 0.8:
            tile = self.rng.choice(sorted(self.rng.choice(ways)[1]))
            donors = [t for t in table if tile in t and t is not home]
            if donors and self.rng.random() < 0.6:
                donors[0].remove(tile)
            else:
                laid.append(tile)
            home[home.index(JOKER)] = tile
        else:
            home.remove(JOKER)
        spare = [t for t in table if naive.is_set((*t, JOKER), self.book)]
        if spare and self.rng.random() < 0.3:
            self.rng.choice(spare).append(JOKER)
            return None
        new = list(self.set())
        new[self.rng.randrange(len(new))] = JOKER
        laid += [t for t in new if t != JOKER]
        laid += [JOKER] * (new.count(JOKER) - 1)
        table.append(new)
        return None

    def shift(self, table, laid):
        """Move a tile of the table to another set, or two of them to a new one with a third."""
        if len(table) < 2:
            return self.add(table, laid)
        home, other = self.rng.sample(table, 2)
        if home:
            other.append(home.pop(self.rng.randrange(len(home))))
        return None

    def rebuilt(self, table):
        """All tiles put together anew, if they can be."""
        tiles = [tile for some in table for tile in some]
        if len(tiles) > 13:
            return table
        self.rng.shuffle(tiles)
        found = []
        for number, parts in enumerate(partitions(tiles, self.book)):
            found.append([list(part) for part in parts])
            if number == 30:
                break
        return self.rng.choice(found) if found else table

    def spoil(self, table):
        """One tile taken away, swapped or added."""
        full = [tiles for tiles in table if tiles]
        if not full:
            return
        tiles = self.rng.choice(full)
        place = self.rng.randrange(len(tiles))
        match self.rng.randrange(3):
            case 0:
                tiles.pop(place)
            case 1:
                tiles[place] = self.near(tiles)
            case _:
                tiles.append(self.near(tiles))


def partitions(tiles, book):
    """Ways to divide the tiles into sets."""
    if not tiles:
        yield ()
        return
    first, rest = tiles[0], tiles[1:]
    found = naive.combinations(range(len(rest)), 2), naive.combinations(range(len(rest)), 3)
    for picked in (some for sizes in found for some in sizes):
        group = (first, *(rest[i] for i in picked))
        if naive.is_set(group, book):
            for others in partitions([rest[i] for i in range(len(rest)) if i not in picked], book):
                yield (group, *others)


def tally(seeds, name=None):
    """How many turns were asked about, how many of them were legal, and those in which the two disagree."""
    counts, apart = Counter(), []
    for seed in seeds:
        turn = case(seed, name)
        legal = turn.legal
        counts[turn.name, turn.turn.opened, legal] += 1
        if turn.judged.accepted != legal:
            apart.append(seed)
    return counts, apart
