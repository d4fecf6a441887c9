"""Tiles whose outline was found badly: tried in the box's size, the other way round, and beside their neighbours."""

from typing import Any

import drawn_tiles as drawn
import numpy as np
import pytest

from referee.game.tiles import TILE_SETS
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render
from referee.sim.scene.scene import Placed, Scene
from referee.vision.finding import search
from referee.vision.finding.finder import CHANNELS, STRIDE, Candidates, encode_vectors
from referee.vision.geometry.markers import locate
from referee.vision.geometry.pose import Lens
from referee.vision.partial_reader import PartialReader
from referee.vision.pipeline import TableReader, tops
from referee.vision.reading.answers import COLUMNS
from referee.vision.reading.glyphs import BACK_KIND, NONE_KIND
from referee.vision.sighting import Floats, Image, Sighting

CAMERA = Camera(x_mm=455, y_mm=299, height_mm=1020, tilt_deg=0.6, pan_deg=-0.8, roll_deg=1.5)
RUMMIKUB = TILE_SETS["rummikub"]
WIDE, HIGH, _ = RUMMIKUB.size_mm
TABLE = (900.0, 600.0)
TURN = 8.0


def at(x: float, y: float, wide: float = WIDE, high: float = HIGH, turn: float = TURN) -> Floats:
    """A quad (4, 2) on the table, mm."""
    return np.asarray(Placed(None, x, y, turn).corners((wide, high)), np.float32)


def along(tiles: float, x: float = 300.0, y: float = 250.0) -> tuple[float, float]:
    """So many tiles' widths to the right of (x, y) in a row that is turned."""
    angle = np.radians(TURN)
    return x + float(np.cos(angle)) * tiles * WIDE, y + float(np.sin(angle)) * tiles * WIDE


def table(**laid: tuple[float, float]) -> Image:
    picture = render(Scene(), CAMERA, LIGHTS["even"], np.random.default_rng(1))
    for name, place in laid.items():
        drawn.paint(picture, CAMERA.project_flat(at(*place), RUMMIKUB.size_mm[2]), name.replace("_", "-"))
    return picture


PAIR = table(blue_12=along(0), red_7=along(1))


def finding(picture: Image, quads: list[Floats], score: float = 4.0) -> drawn.Model:
    """A finder that finds quads (4, 2), mm, whatever the picture shows."""
    located = locate(picture, TABLE, Lens.usual(picture.shape[1], picture.shape[0]))
    assert located is not None
    rectification = search.Rectification.for_finder(located, tops(RUMMIKUB), TABLE)

    def finder(array: Any) -> tuple[Any]:
        maps = np.zeros((1, CHANNELS, array.shape[2] // STRIDE, array.shape[3] // STRIDE), np.float32)
        maps[:, 0] = -20.0
        for quad in quads:
            corners = (quad + search.BORDER_MM) * rectification.px_per_mm / STRIDE
            middle = corners.mean(axis=0)
            column, row = middle.astype(int)
            up, across = corners[:2].mean(axis=0) - middle, corners[1:3].mean(axis=0) - middle
            coded = [encode_vectors(np.asarray(v, np.float32)[None])[0] for v in (up, across)]
            maps[0, :, row, column] = [score, *(middle - (column + 0.5, row + 0.5)), *np.concatenate(coded)]
        return (maps,)

    return finder


def sighting_of(
    picture: Image, quads: list[Floats], reads: drawn.Model = drawn.reader, score: float = 4.0
) -> Sighting:
    nets = drawn.nets(finding(picture, quads, score), reads)
    return TableReader(nets, {"finder": {"keep_from": 2.5}}, drawn.KNOWN).read(picture, RUMMIKUB)


def strict(array: Any) -> tuple[Any]:
    """The drawn tiles' reader, which sees nothing in what is not quite a tile."""
    (answers,) = drawn.reader(array)
    off = answers[:, BACK_KIND] > 0
    answers[off, BACK_KIND], answers[off, NONE_KIND] = 0.0, 12.0
    return (answers,)


@pytest.mark.parametrize(
    "outlined",
    [
        pytest.param(at(*along(1)), id="as it lies"),
        pytest.param(at(*along(1), WIDE * 0.6, HIGH * 0.6), id="much too small"),
        pytest.param(at(*along(1), HIGH, WIDE), id="turned by a quarter"),
        pytest.param(at(*along(0.75), WIDE * 0.8, HIGH * 0.6), id="half on its neighbour"),
    ],
)
def test_a_tile_is_read_however_badly_it_was_outlined(outlined: Floats) -> None:
    seen = sighting_of(PAIR, [at(*along(0)), outlined], strict)
    assert drawn.names_of(seen.reads) == ["blue-12", "red-7"]
    assert not any(read.doubtful for read in seen.reads)


def test_both_tiles_of_a_pair_are_read_though_neither_was_outlined_well() -> None:
    seen = sighting_of(PAIR, [at(*along(0.05), WIDE * 0.7, HIGH * 0.7), at(*along(0.8), HIGH * 0.8, WIDE)], strict)
    assert drawn.names_of(seen.reads) == ["blue-12", "red-7"]


@pytest.mark.parametrize("score", [0.0, 3.0])
@pytest.mark.parametrize("second", [0.2, 0.65])
def test_what_is_found_twice_is_one_tile(score: float, second: float) -> None:
    alone = table(blue_12=along(0))
    twice = [at(*along(0)), at(*along(second), WIDE * 0.7, HIGH * 0.7)]
    assert drawn.names_of(sighting_of(alone, twice, strict, score).reads) == ["blue-12"]


def blind_beside(array: Any) -> tuple[Any]:
    """A reader that sees nothing but the blue 12."""
    (answers,) = drawn.reader(array)
    other = answers[:, 11] <= 0
    answers[other] = np.zeros(COLUMNS, np.float32)
    answers[other, NONE_KIND] = 12.0
    return (answers,)


@pytest.mark.parametrize(("score", "asked"), [(2.0, True), (-0.5, False)])
def test_what_touches_a_tile_and_looks_like_another_is_never_passed_over(score: float, asked: bool) -> None:
    seen = sighting_of(PAIR, [at(*along(0)), at(*along(1))], blind_beside, score)
    assert [read.doubtful for read in seen.reads if read.name != "blue-12"] == [True] * asked
    assert [read.doubtful for read in seen.reads if read.name == "blue-12"] == [False]


def in_a_match(picture: Image, quads: list[Floats], reads: drawn.Model, score: float) -> PartialReader:
    nets = drawn.nets(finding(picture, quads, score), reads)
    return PartialReader(TableReader(nets, {"finder": {"keep_from": 2.5}}, drawn.KNOWN))


def test_such_a_doubt_stays_however_often_the_table_is_looked_at() -> None:
    reader = in_a_match(PAIR, [at(*along(0)), at(*along(1))], blind_beside, 2.0)
    for look in (reader.read, reader.read, reader.read_closer, reader.read):
        seen = look(PAIR, RUMMIKUB, TABLE)
        assert sorted((read.name, read.doubtful) for read in seen.reads) == [("blue-12", False), ("face-down", True)]


def test_a_tile_laid_beside_one_that_is_known_is_read_however_badly_it_was_outlined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The finder of this test knows whole views only.
    monkeypatch.setattr("referee.vision.change.unchanged_tiles.WHOLE", 0.0)
    alone = table(blue_12=along(0))
    badly = at(*along(0.75), WIDE * 0.8, HIGH * 0.6)
    one, both = finding(alone, [at(*along(0))]), finding(PAIR, [at(*along(0)), badly])
    laid = [False]
    nets = drawn.nets(lambda array: both(array) if laid[0] else one(array), strict)
    reader = PartialReader(TableReader(nets, {"finder": {"keep_from": 2.5}}, drawn.KNOWN))
    reader.read(alone, RUMMIKUB, TABLE)
    laid[0] = True
    for look in (reader.read, reader.read, reader.read_closer):
        seen = look(PAIR, RUMMIKUB, TABLE)
        assert sorted((read.name, read.doubtful) for read in seen.reads) == [("blue-12", False), ("red-7", False)]


def test_away_from_tiles_the_reader_decides() -> None:
    seen = sighting_of(PAIR, [at(*along(0)), at(*along(6))], blind_beside, 2.0)
    assert [read.name for read in seen.reads] == ["blue-12"]


def test_a_quad_beside_a_tile_is_that_tile_again_on_that_side() -> None:
    tile = at(100, 100, turn=0)[None]
    for way, step in (((20, 3), (WIDE, 0)), ((-20, 3), (-WIDE, 0)), ((3, 30), (0, HIGH)), ((2, -20), (0, -HIGH))):
        found = search.move_beside(at(100 + way[0], 100 + way[1], 15, 15)[None], tile)
        assert np.allclose(found, tile + np.asarray(step, np.float32), atol=1e-3)


def test_a_quad_that_touches_no_tile_stays() -> None:
    far = at(200, 100)[None]
    assert search.tiles_touched_by(far, at(100, 100)[None]).tolist() == [-1]
    assert np.array_equal(search.move_beside(far, at(100, 100)[None]), far)
    assert np.array_equal(search.move_beside(far, far[:0]), far)


def test_candidates_keep_their_usual_size_when_some_are_chosen() -> None:
    quads = np.stack([at(100, 100), at(200, 200)])
    both = Candidates(quads, np.asarray([0.5, 0.6], np.float32), np.stack([quads, quads + 1], axis=1))
    chosen = both[np.asarray([1])]
    assert chosen.usual is not None
    assert np.array_equal(chosen.usual[0, 1], quads[1] + 1)
