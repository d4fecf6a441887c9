"""The most tiles that a turn can lay, found by trying every way to lie in sets; the naive referee decides."""

from itertools import combinations, product

import naive_turns as naive

from referee.game.tiles import JOKER


def points(tiles):
    return sum(tile.number for tile in tiles)


def lays_more(table, hand, laid, player, book, worth=len):
    """Return a turn that lays more of the hand than these tiles, as the table after it; None if there is none."""
    lying = [tile for tiles in table for tile in tiles]
    for size in range(len(hand), 0, -1):
        for picked in dict.fromkeys(combinations(naive.sort(hand), size)):
            if worth(picked) <= worth(laid):
                continue
            for sets in partitions(naive.sort([*lying, *picked]), book):
                for after in product(*(rows(tiles, table, book) for tiles in sets)):
                    if naive.legal(table, after, player, book):
                        return after
    return None


def partitions(tiles, book):
    """Every way to divide the tiles into sets; identical tiles are not told apart."""
    if not tiles:
        yield ()
        return
    first, rest = tiles[0], tiles[1:]
    for size in range(2, len(tiles)):
        for picked in dict.fromkeys(combinations(rest, size)):
            if naive.is_set((first, *picked), book):
                left = list(rest)
                for tile in picked:
                    left.remove(tile)
                for others in partitions(tuple(left), book):
                    yield ((first, *picked), *others)


def rows(tiles, table, book):
    """Every way to lay a set that may make a difference: with its jokers in each place, or as it lay before."""
    if JOKER not in tiles or set(tiles) == {JOKER}:
        return [tiles]
    found = [old for old in table if naive.sort(old) == naive.sort(tiles)]
    ways = naive.choices(naive.sort(tiles), book.play)
    return dict.fromkeys([*found, *(in_a_row(seen) if seen.run else naive.sort(tiles) for seen in ways)])


def in_a_row(seen):
    """The tiles of a run, the lowest first, or the one after the gap if it goes on from 13 to 1."""
    cells = sorted(seen.cells, key=lambda cell: cell.stands_for.number)
    gaps = [
        place
        for place, cell in enumerate(cells)
        if (cell.stands_for.number - 2) % 13 + 1 not in {other.stands_for.number for other in cells}
    ]
    start = gaps[0] if gaps else 0
    return tuple(cell.tile for cell in cells[start:] + cells[:start])
