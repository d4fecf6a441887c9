"""Names of tiles in the picture: on dense tables, too, none lies on another one or on another tile."""

from itertools import combinations

import numpy as np
import pytest
from page import served

from referee.game.notation import parse_table
from referee.game.tiles import TILE_SETS
from referee.i18n import LANGUAGES, Wording
from referee.page.wording import face
from referee.sim.table import Setting, VirtualTable
from referee.vision.geometry.table_view import MARGIN

BOX = TILE_SETS["rummikub"]
SIZE, TABLE = np.array(BOX.size_mm[:2]), np.array([900.0, 600.0])
FULL = (
    "R10 R11 R12 R13 | B10 B11 B12 | K4 B4 R4 | O6 O7 O8 O9 | B1 B2 B3 B4 B5 | K10 O10 R10 | O1 O2 O3 | K6 K7 ** K9 | "
    "R1 R2 R3 R4 R5 R6 R7 R8 R9 | B5 B6 B7 B8 B9 B10 B11 B12 B13 | K1 K2 K3 K4 K5 K6 | O10 O11 O12 O13 | R7 B7 K7 | "
    "O4 O5 O6 O7 | K11 K12 K13 | K8 O8 R8 | R12 K12 O12 | R13 K13 O13 | B1 K1 O1 | R2 B2 K2 O2 | R6 B6 **"
)
TEXTS = """
return [].map.call(document.querySelectorAll("#picture .label"), function (name) {
  return [].map.call(name.querySelectorAll("text"), function (line) {
    var box = line.getBBox(), letters = 0.74 * parseFloat(name.getAttribute("font-size"));
    var middle = box.y + box.height / 2;
    return [box.x, middle - letters / 2, box.x + box.width, middle + letters / 2];
  });
});
"""
"""The lines of each name as they are drawn: left, top, right, bottom; letters are less high than their line."""


def outlines(tiles):
    """Corners (N, 4, 2) in parts of the picture of a table, as the page is told them."""
    low = -MARGIN * TABLE
    return (np.array([tile.corners(tuple(SIZE)) for tile in tiles]) - low) / (TABLE * (1 + 2 * MARGIN))


def drawn(tiles, words, doubtful=()):
    return [
        {
            **face(tile.tile, words),
            "outline": corners.round(4).tolist(),
            "state": "doubt" if number in doubtful else "sure",
        }
        for number, (tile, corners) in enumerate(zip(tiles, outlines(tiles), strict=True))
    ]


def laid(seed):
    """A nearly full table, as people lay it."""
    table = VirtualTable(Setting.usual(BOX), np.random.default_rng(seed))
    table.lay(parse_table(FULL))
    return table.layout.tiles


def heaped(seed):
    """Tiles as close to each other as they can lie, row by row, each row turned by quarters and a little more."""
    from referee.sim.scene.scene import Placed

    rng, tiles = np.random.default_rng(seed), list(BOX.inventory())
    rows = [
        Placed(tiles[int(rng.integers(len(tiles)))], 60.0 + 41 * column, 60.0 + 41 * row, float(angle), 0)
        for row in range(12)
        for angle in [rng.choice([0, 90, 180, 270]) + rng.normal(0, 2)]
        for column in range(20)
    ]
    return tuple(tile for tile in rows if tile.x_mm < 860 and tile.y_mm < 560)


def overlap(one, other, by=0.01):
    """Whether boxes (left, top, right, bottom) have more than that in common, both ways."""
    return min(one[2], other[2]) - max(one[0], other[0]) > by and min(one[3], other[3]) - max(one[1], other[1]) > by


def reaches(box, corners, by=0.05):
    """Whether a box has more than that in common with a tile that is turned anyhow."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    if not overlap(box, (*low, *high)):
        return False
    corner = np.array([[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]]])
    for axis in ([1, 0], [0, 1], corners[1] - corners[0], corners[2] - corners[1]):
        along = np.array(axis) / np.linalg.norm(axis)
        ours, theirs = corner @ along, corners @ along
        if min(ours.max(), theirs.max()) - max(ours.min(), theirs.min()) <= by:
            return False
    return True


@pytest.fixture(scope="module")
def table():
    with served() as made:
        yield made


@pytest.mark.parametrize("lay", [laid, heaped])
def test_no_name_lies_on_another_one_or_on_another_tile(table, screen, lay):
    screen.open(f"{table.address}/display?lang=en")
    aspect = TABLE[0] / TABLE[1]
    for seed, language in enumerate(LANGUAGES):
        tiles = drawn(lay(seed), Wording(language), doubtful=range(0, 90, 7))
        boxes = screen.run("return Referee.labels(arguments[0], arguments[1])", tiles, aspect)
        assert None not in boxes, seed
        assert [" ".join(box["lines"]).rstrip("?").strip() for box in boxes] == [
            f"{tile['sign']} {tile['letters']}".strip() for tile in tiles
        ]
        sides = [(box["x0"], box["y0"], box["x1"], box["y1"]) for box in boxes]
        assert not [pair for pair in combinations(range(len(sides)), 2) if overlap(*(sides[i] for i in pair))], seed
        corners = [np.array(tile["outline"]) * [1000, 1000 / aspect] for tile in tiles]
        assert not [
            (i, k) for i, box in enumerate(sides) for k, tile in enumerate(corners) if i != k and reaches(box, tile)
        ], seed


def test_names_on_a_roomy_table_are_as_large_as_their_tiles(table, screen):
    """Only where others lie in the way they are smaller."""
    screen.open(f"{table.address}/display?lang=en")
    rows = VirtualTable(Setting.usual(BOX), np.random.default_rng(1))
    rows.lay(parse_table("R1 R2 R3"))
    tiles = drawn(rows.layout.tiles, Wording("en"))
    boxes = screen.run("return Referee.labels(arguments[0], arguments[1])", tiles, TABLE[0] / TABLE[1])
    width = 1000 * SIZE[0] / (TABLE[0] * (1 + 2 * MARGIN))
    assert [round(box["x1"] - box["x0"]) for box in boxes] == [pytest.approx(width, rel=0.25)] * 3


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_letters_on_a_full_television_do_not_touch(screen, size):
    with served() as made:
        made.press()
        made.see(FULL)
        screen.resize(*size)
        screen.open(f"{made.address}/display?lang=de")
        screen.wait(lambda: len(screen.all("#picture .outline")) > 70, "the tiles")
        screen.wait(lambda: len(screen.all("#picture .label")) > 20, "the names")  # those that can be read from afar
        names = screen.run(TEXTS)
        assert not [
            (a, b) for a, b in combinations(names, 2) for one in a for other in b if overlap(one, other, by=0.5)
        ]
