"""Whole turns judged slowly and naively, by trying every order of actions: lay, exchange, add, rebuild.

Written from the rule books, side by side with the judge and sharing nothing with it but the tiles. A joker on the
table is here a tile of its own: what it stands for is chosen when it is laid, or as the turn begins, and then
it stands for that until a tile takes its place. All choices are tried that the rows allow which lie there before and
after.
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, permutations, product

from referee.game.tiles import JOKER, Colour, Tile

KINDS = {"yellow-green-blue-red": "ravensburger brettspielnetz", "black-yellow-blue-red": "piatnik classic gin",
         "black-orange-blue-red": "rummikub"}  # fmt: skip
BOXES = {name: frozenset(map(Colour, inks.split("-"))) for inks, names in KINDS.items() for name in names.split()}


@dataclass(frozen=True)
class Book:
    """What the rule books say, in the words of the comparison table."""

    minimum: int
    joker_points: int | None = None  # None: what it stands for
    same_turn: bool = False  # whether the table is open in the turn of the first meld
    longer_counts: str = "no"  # or "added", "whole"
    exchange_counts: bool = False
    takes_place: str = "nobody"  # a tile from "anywhere", from the "hand"; "nobody": a joker is simply free
    keeps_tile: bool = False  # whether an unfreed joker may go anywhere as its tile
    row_tells: bool = False
    place_counts: bool = False  # whether a joker in a row is the number of its place
    jokers_alone: str = "allowed"  # or "said", "never"
    cyclic: bool = False
    cap: int | None = None
    three_stay: bool = False
    must_lay: bool = False
    box_jokers: int = 2
    jokers_dealt: int | None = None  # so many to everybody, and no more can be drawn
    last_value: int | None = None
    last_value_or_more: bool = False
    tile_aside: bool = False
    colours: frozenset[Colour] = frozenset(Colour)

    @property
    def play(self):
        """What makes a set: whether runs are cyclic, and the colours that are played."""
        return self.cyclic, self.colours


BOOKS = {
    "ravensburger": Book(40, 25, same_turn=True, takes_place="anywhere", place_counts=True, box_jokers=4),
    "brettspielnetz": Book(30, 0, cap=12, jokers_dealt=1),
    "piatnik": Book(40, same_turn=True, takes_place="hand", keeps_tile=True, place_counts=True),
    "classic": Book(
        51,
        same_turn=True,
        longer_counts="whole",
        takes_place="hand",
        keeps_tile=True,
        row_tells=True,
        place_counts=True,
        jokers_alone="said",
        cyclic=True,
        box_jokers=6,
    ),
    "gin": Book(0, box_jokers=0),
    "rummikub": Book(30, takes_place="anywhere", keeps_tile=True, place_counts=True),
}
BOOKS = {name: replace(book, colours=BOXES[name]) for name, book in BOOKS.items()}


@dataclass(frozen=True)
class Player:
    opened: bool = True
    hand: int | None = None
    jokers: int | None = None
    aside: Tile | None = None
    said: bool = False


@cache
def patterns(length, play):
    """Every group and every run of so many tiles: the tiles as a set, and whether it is a run."""
    cyclic, colours = play
    found = []
    for number in range(1, 14):
        if 3 <= length <= 4:
            found += [
                (frozenset(Tile(number, c) for c in some), False) for some in combinations(sorted(colours), length)
            ]
    for colour in sorted(colours):
        for start in range(1, 14):
            numbers = [start + step for step in range(length)]
            if length > 13 or length < 3 or (numbers[-1] > 13 and not cyclic):
                continue
            found.append((frozenset(Tile((n - 1) % 13 + 1, colour) for n in numbers), True))
    return tuple(dict.fromkeys(found))


@cache
def ways(tiles, play):
    """Every way to see tiles as a set: whether a run, and the tiles that the jokers stand for."""
    plain = [t for t in tiles if t != JOKER]
    if len(set(plain)) < len(plain):
        return ()
    fit = [(p, run) for p, run in patterns(len(tiles), play) if p.issuperset(plain)]
    return tuple((run, p - frozenset(plain)) for p, run in fit)


def sort(tiles):
    return tuple(sorted(tiles, key=str))


def is_set(tiles, book):
    return bool(ways(sort(tiles), book.play)) and not (book.jokers_alone == "never" and set(tiles) == {JOKER})


def legal(before, after, player, book):
    """Whether some order of actions leads from one table to the other, and the turn keeps all other rules."""
    aside, used = player.aside if book.tile_aside else None, False
    before, after = list(before), list(after)
    lying = [tile for table in (before, after) for tiles in table for tile in tiles] + [player.aside]
    seen_colours = {tile.colour for tile in lying if tile} - {None}
    book = replace(book, colours=book.colours | seen_colours)
    if aside:
        seen, lies = (aside,) in before, (aside,) in after
        for table in (before, after):
            if (aside,) in table:
                table.remove((aside,))
        came = count(after) - count(before)
        if seen and not lies:
            used = came[aside] > 0
            if not used:
                return False
        elif not lies and came[aside]:  # it may lie out of sight, and this may be its twin from the hand
            used = count(after)[aside] == 2 or (player.hand is not None and came.total() > player.hand)
    if len(before) == len(after) and not new_sets(before, after, book):
        return True
    was, now = count(before), count(after)
    laid = now - was
    had = book.jokers_dealt if player.jokers is None else player.jokers
    number = laid.total() - used
    lying = now + Counter([aside] if aside and not used else [])
    return (
        not was - now
        and all(is_set(tiles, book) for tiles in after)
        and all(times <= (book.box_jokers if tile == JOKER else 2) for tile, times in lying.items())
        and (book.cap is None or number <= book.cap)
        and (bool(laid) or not book.must_lay)
        and (player.hand is None or number <= player.hand)
        and (had is None or laid[JOKER] <= had)
        and told(before, after, player, book)
        and ends_well(before, after, laid, number, used, player, book)
        and (not book.three_stay or three_stay(before, after, book))
        and any((goes_on if player.opened else opens)(start, after, laid, book) for start in fixed(before, book))
    )


def count(table):
    return Counter(tile for tiles in table for tile in tiles)


def new_sets(before, after, book):
    """The sets of the table after that did not lie there before, as laid; a joker that changed its place makes one."""
    old, left = list(before), list(after)
    for alike in (set.__eq__, lambda one, other: bool(one & other)):
        for tiles in tuple(left):
            for was in old:
                if sort(was) == sort(tiles) and (
                    JOKER not in tiles or was == tiles or alike(set(fixings(was, book)), set(fixings(tiles, book)))
                ):
                    old.remove(was)
                    left.remove(tiles)
                    break
    return left


def told(before, after, player, book):
    """Whether it is known what the jokers of new sets stand for, where the book asks."""
    for tiles in new_sets(before, after, book):
        if set(tiles) == {JOKER}:
            if book.jokers_alone == "said" and not player.said:
                return False
        elif book.row_tells and JOKER in tiles:
            seen = ways(sort(tiles), book.play)
            if all(run for run, _ in seen) and len(seen) > 1 and not in_row(tiles, book):
                return False
    return True


def in_row(tiles, book):
    """What jokers are by their places, once for each way in which numbers go up or down by one from place to place."""
    found = set()
    for order in (tiles, tiles[::-1]):
        for start in range(1, 14):
            numbers = [start + step for step in range(len(order))]
            if numbers[-1] > 13 and not book.cyclic:
                continue
            row = [(t, (n - 1) % 13 + 1) for t, n in zip(order, numbers, strict=True)]
            if all(t in (JOKER, Tile(number, t.colour or Colour.RED)) for t, number in row):
                found.add(frozenset(number for t, number in row if t == JOKER))
    return found


def ends_well(before, after, laid, number, used, player, book):
    """The rules about the last turn of a round."""
    if player.hand is None:
        return True
    out = number == player.hand > 0
    if player.aside and book.tile_aside and used != out:
        return False
    if not out or book.last_value is None:
        return True
    for tiles in new_sets(before, after, book):
        numbers = [t for t in tiles if t != JOKER]  # a joker may be one that was freed
        if not count([numbers]) - laid:
            for seen in fixings(tiles, book):
                worth = sum(t.number for t in seen.shows)
                if worth == book.last_value or (book.last_value_or_more and worth > book.last_value):
                    return True
    return False


def stand_ins(old, new, book):
    """How many tiles of a set took the place of a joker that lay in the old one."""
    left = old.count(JOKER) - new.count(JOKER)
    if left <= 0:
        return 0
    stood = [{cell.stands_for for cell in seen.cells if cell.tile == JOKER} for seen in fixings(old, book)]
    return min(left, max((len(set(new) & some) for some in stood), default=0))


def three_stay(before, after, book):
    """Follow every single tile: of each old set three end up together, stand-ins for jokers too, or no two do."""
    homes = {}
    for index, tiles in enumerate(after):
        for tile in tiles:
            homes.setdefault(tile, []).append(index)
    flat = [(index, tile) for index, tiles in enumerate(before) for tile in tiles]
    kinds = sorted({tile for _, tile in flat}, key=str)
    spread = [set(permutations(homes[kind], sum(tile == kind for _, tile in flat))) for kind in kinds]
    for choice in product(*spread):
        waiting = {kind: list(places) for kind, places in zip(kinds, choice, strict=True)}
        ends = [[] for _ in before]
        for index, tile in flat:
            ends[index].append(waiting[tile].pop())
        if all(
            len(set(places)) == len(places)
            or max(times + stand_ins(old, after[home], book) for home, times in Counter(places).items()) >= 3
            for old, places in zip(before, ends, strict=True)
        ):
            return True
    return False


# A set on its way through the turn: its tiles, each with the tile it stands for, and which of them were added.


@dataclass(frozen=True)
class Cell:
    tile: Tile
    stands_for: Tile


@dataclass(frozen=True)
class Lying:
    cells: frozenset
    run: bool
    added: frozenset = frozenset()
    own: bool = False

    @property
    def tiles(self):
        return sort(cell.tile for cell in self.cells)

    @property
    def shows(self):
        return frozenset(cell.stands_for for cell in self.cells)

    @property
    def joker_numbers(self):
        return frozenset(cell.stands_for.number for cell in self.cells if cell.tile == JOKER)


def plainly(tiles, run, stand_for):
    """A set of which the jokers stand for these tiles."""
    cells = {Cell(t, t) for t in tiles if t != JOKER} | {Cell(JOKER, t) for t in stand_for}
    return Lying(frozenset(cells), run)


@cache
def choices(tiles, play):
    """Every choice of what the jokers of a set stand for, whichever way it may be laid."""
    number = tiles.count(JOKER)
    return tuple(
        dict.fromkeys(
            plainly(tiles, run, some) for run, wide in ways(tiles, play) for some in combinations(sort(wide), number)
        )
    )


@cache
def fixings(tiles, book):
    """Those choices that go with the way in which it lies."""
    every, places = choices(sort(tiles), book.play), in_row(tiles, book)
    runs = [seen for seen in every if seen.run and seen.joker_numbers in places]
    if not book.place_counts or not runs or set(tiles) == {JOKER}:
        return every
    return tuple(seen for seen in every if not seen.run or seen in runs)


def fixed(table, book):
    """Every choice of what all jokers of a table stand for."""
    return product(*(fixings(tiles, book) for tiles in table))


def goes_on(table, after, hand, book):
    """Whether an opened player can lay this hand so that the table becomes `after`: exchange jokers, then rebuild."""
    if book.takes_place == "nobody":
        return True
    everything = set(count(after)) | {cell.tile for lying in table for cell in lying.cells}
    jokers = [(cell.stands_for, lying) for lying in table for cell in lying.cells if cell.tile == JOKER]
    return placed(jokers, Counter(hand), everything, [], [t for t in after if JOKER in t], book)


def placed(jokers, hand, everything, kept, places, book):
    """Free the jokers one after the other, or keep them and find them a place."""
    if not jokers:
        return fits(kept, places, book)
    (stands_for, lying), *others = jokers
    if book.takes_place == "anywhere" and stands_for in everything:
        return placed(others, hand, everything, kept, places, book)
    if book.takes_place == "hand" and hand[stands_for]:
        left = hand - Counter([stands_for])
        if placed(others, left, everything, kept, places, book):
            return True
    return placed(others, hand, everything, [*kept, (stands_for, lying)], places, book)


def fits(kept, places, book):
    """Whether the jokers that nothing has freed can all be found in the sets at the end."""
    slots = [place for place, tiles in enumerate(places) for _ in range(tiles.count(JOKER))]
    for chosen in set(permutations(slots, len(kept))):
        by_place = {}
        for (stands_for, lying), place in zip(kept, chosen, strict=True):
            by_place.setdefault(place, []).append((stands_for, lying))
        if all(can_be(places[place], some, book) for place, some in by_place.items()):
            return True
    return False


def can_be(tiles, kept, book):
    """Whether jokers of a set at the end can be these: each its own tile, and each come there by right."""
    wanted = [stands_for for stands_for, _ in kept]
    return any(
        len(set(wanted)) == len(wanted)
        and set(wanted) <= {cell.stands_for for cell in end.cells if cell.tile == JOKER}
        and all(book.keeps_tile or stays(lying.shows, end.shows, stands_for, book.play) for stands_for, lying in kept)
        for end in fixings(tiles, book)
    )


@cache
def stays(start, end, joker, play):
    """Whether one set can become the other tile by tile around a joker that is never taken up."""
    pool, seen, waiting = start | end, {start}, [start]
    while waiting:
        here = waiting.pop()
        if here == end:
            return True
        changes = [here | {tile} for tile in pool - here] + [here - {tile} for tile in here - {joker}]
        changes += [(here - {old}) | {new} for old in here - {joker} for new in pool - here]
        for there in changes:
            if there not in seen and (there == end or ways(sort(there), play)):
                seen.add(there)
                waiting.append(there)
    return False


def opens(table, after, laid, book):
    """Whether some first meld makes this turn legal; every order of laying it is tried."""
    first = tuple(table)
    seen, waiting = set(), [(first, frozenset(laid.items()))]
    while waiting:
        lying, hand = waiting.pop()
        if (frozenset(Counter(lying).items()), hand) in seen:
            continue
        seen.add((frozenset(Counter(lying).items()), hand))
        left = Counter(dict(hand))
        if points(lying, book) >= book.minimum:
            if book.same_turn:
                if goes_on(lying, after, left, book):
                    return True
            elif lies_there(lying, after, book):
                return True
        waiting += [(then, frozenset(rest.items())) for then, rest in steps(lying, left, book)]
    return False


def lies_there(lying, after, book):
    """Whether all these sets, their jokers being what they are, are the table after."""
    if not lying:
        return not after
    first, *others = lying
    for index, tiles in enumerate(after):
        fits = any((seen.cells, seen.run) == (first.cells, first.run) for seen in fixings(tiles, book))
        if fits and lies_there(others, [*after[:index], *after[index + 1 :]], book):
            return True
    return False


def points(lying, book):
    """What a first meld counts: own sets, and where the book says so sets of the table that got longer."""
    return sum(
        value(s.cells if s.own or book.longer_counts == "whole" else s.added, book) for s in lying if s.own or s.added
    )


def value(cells, book):
    fixed_points = book.joker_points
    return sum(
        cell.tile.number if cell.tile != JOKER else cell.stands_for.number if fixed_points is None else fixed_points
        for cell in cells
    )


def steps(lying, hand, book):
    """Everything that can be done next before the first meld is complete."""
    yield from own_sets(lying, hand, book)
    if book.longer_counts == "no":
        return
    for index, old in enumerate(lying):
        if old.own:
            continue
        for cell in one_more(old, hand, book):
            longer = Lying(old.cells | {cell}, old.run, old.added | {cell})
            yield (*lying[:index], longer, *lying[index + 1 :]), hand - Counter([cell.tile])
        for cell in old.cells if book.exchange_counts else ():
            if cell.tile == JOKER and hand[cell.stands_for] and cell not in old.added:
                new = Cell(cell.stands_for, cell.stands_for)
                then = Lying(old.cells - {cell} | {new}, old.run, old.added | {new})
                yield (*lying[:index], then, *lying[index + 1 :]), hand - Counter([new.tile]) + Counter([JOKER])


def own_sets(lying, hand, book):
    tiles = sort(hand.elements())
    for size in range(3, len(tiles) + 1):
        for some in set(combinations(tiles, size)):
            if is_set(some, book):
                for new in choices(some, book.play):
                    yield (*lying, Lying(new.cells, new.run, own=True)), hand - Counter(some)


def one_more(old, hand, book):
    """A tile, or a joker standing for one, that makes a set of the table longer."""
    for pattern, run in patterns(len(old.cells) + 1, book.play):
        if run == old.run and pattern >= old.shows:
            (new,) = pattern - old.shows
            if hand[new]:
                yield Cell(new, new)
            if hand[JOKER]:
                yield Cell(JOKER, new)
