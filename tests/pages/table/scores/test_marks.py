"""Which tiles of a table are new, and which lie moved here from another set."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as some

from referee.game.notation import parse_table
from referee.game.table import laid_tiles
from referee.game.tiles import FACES
from referee.pages.table.scores.marks import Mark, marks

SIGNS = {Mark.NONE: ".", Mark.NEW: "n", Mark.MOVED: "m"}
TABLES = some.lists(
    some.lists(some.sampled_from(sorted(FACES, key=str)[:9]), min_size=1, max_size=5).map(tuple), max_size=5
).map(tuple)


def drawn(before: str, after: str) -> str:
    found = marks(parse_table(before), parse_table(after))
    return " ".join("".join(SIGNS[mark] for mark in each) for each in found)


@pytest.mark.parametrize(
    ("before", "after", "signs"),
    [
        pytest.param("", "R1 R2 R3", "nnn", id="a first set"),
        pytest.param("R1 R2 R3", "R1 R2 R3", "...", id="nothing has changed"),
        pytest.param("R1 R2 R3", "R1 R2 R3 R4", "...n", id="added at the end"),
        pytest.param("R1 R2 R3", "B1 B2 B3 | R1 R2 R3", "nnn ...", id="a set more, in another order"),
        pytest.param("R1 R2 R3 R4", "R1 R2 R3 | R4 B4 K4", "... mnn", id="a tile goes into a new set"),
        pytest.param("R1 R2 R3 R4 R5 R6", "R1 R2 R3 | R4 R5 R6", "... mmm", id="a set cut in two"),
        pytest.param("R1 R2 R3 R4 R5", "R1 R2 | R3 R4 R5", "mm ...", id="its larger part is the set"),
        pytest.param("R5 R6 R7", "R5 R6 R7 | R5 B5 K5", "... nnn", id="the second of two equal tiles is new"),
        pytest.param("R5 R6 R7 R8", "R6 R7 R8 | R5 B5 K5", "... mnn", id="the first of two has moved"),
        pytest.param("R1 ** R3", "R1 R2 R3 | ** B5 K5", ".n. mnn", id="a joker exchanged"),
        pytest.param("R1 R2 R3", "", "", id="nothing lies there any more"),
    ],
)
def test_marks(before, after, signs):
    assert drawn(before, after) == signs


@given(TABLES, TABLES)
def test_exactly_the_tiles_that_were_laid_are_new(before, after):
    found = marks(before, after)
    assert [len(each) for each in found] == [len(tiles) for tiles in after]
    new = Counter(
        tile for tiles, each in zip(after, found, strict=True)
        for tile, mark in zip(tiles, each, strict=True) if mark is Mark.NEW
    )  # fmt: skip
    assert new == laid_tiles(before, after)


@given(TABLES)
def test_on_an_unchanged_table_no_tile_is_marked(table):
    assert not any(mark for each in marks(table, table) for mark in each)
    assert not any(mark for each in marks(table, table[::-1]) for mark in each)
