"""Where tiles may lie: on a marked table, and at any scale without one."""

from dataclasses import replace

import cv2
import drawn_tiles as drawn
import numpy as np
import numpy.typing as npt
import pytest

from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render
from referee.sim.scene.scene import Placed, Scene
from referee.vision.finding import finder as find
from referee.vision.finding import search
from referee.vision.finding.search import (
    BORDER_MM,
    PART,
    PLANE_SHORT_PX,
    PYRAMID,
    REACH_MM,
    Candidates,
    at_any_scale,
    of_one_size,
    on_plane,
)
from referee.vision.geometry.markers import Located, locate
from referee.vision.sighting import Image

Floats = npt.NDArray[np.float32]

TABLE_MM = (900.0, 600.0)
TILE_MM = (26.0, 37.5, 9.5)
CAMERA = Camera(x_mm=455, y_mm=299, height_mm=1040, tilt_deg=0.6, pan_deg=-0.8, roll_deg=1.5)
EMPTY = render(Scene(), CAMERA, LIGHTS["even"], np.random.default_rng(1))


def table_with(*places: tuple[float, float, float], camera: Camera = CAMERA) -> tuple[Image, Floats]:
    """A marked table with tiles at (x mm, y mm, degrees), and their corners in pixels."""
    picture = EMPTY.copy() if camera == CAMERA else render(Scene(), camera, LIGHTS["even"], np.random.default_rng(1))
    quads = [camera.project_flat(Placed(None, x, y, turn).corners(TILE_MM[:2]), TILE_MM[2]) for x, y, turn in places]
    for corners in quads:
        drawn.paint(picture, corners, "red-7")
    return picture, np.asarray(quads, np.float32).reshape(-1, 4, 2)


def placed(picture: Image) -> Located:
    located = locate(picture, TABLE_MM)
    assert located is not None
    return located


def off_by(found: Floats, truth: Floats) -> float:
    """The largest distance of corners, whichever way up each quad was found."""
    worst = 0.0
    for corners in truth:
        nearest = found[np.linalg.norm(found.mean(axis=1) - corners.mean(axis=0), axis=1).argmin()]
        ways = [np.abs(np.roll(nearest, turn, axis=0) - corners).max() for turn in (0, 2)]
        worst = max(worst, float(min(ways)))
    return worst


@pytest.mark.parametrize("width", [1152, 2304, 4608])
def test_tiles_of_a_marked_table_are_found_at_every_size_of_picture(width: int) -> None:
    camera = replace(CAMERA, width_px=width, height_px=width * 9 // 16)
    picture, truth = table_with((120, 90, 0), (450, 300, 33), (800, 520, 190), camera=camera)
    found = on_plane(drawn.finder, picture, placed(picture), TILE_MM, TABLE_MM, 0.3)
    assert len(found.scores) == 3
    assert off_by(found.corners, truth) < 2 * camera.px_per_mm


def test_the_finder_sees_the_table_from_above_with_tiles_of_a_size_it_finds() -> None:
    seen: list[Floats] = []

    def finder(array: Floats) -> tuple[Floats]:
        seen.append(array)
        return drawn.finder(array)

    picture, _ = table_with((450, 300, 0))
    on_plane(finder, picture, placed(picture), TILE_MM, TABLE_MM, 0.3)
    px_per_mm = PLANE_SHORT_PX / TILE_MM[0]
    assert len(seen) == 1
    assert seen[0].shape[3] == pytest.approx((900 + 2 * BORDER_MM) * px_per_mm, abs=16)
    middle = seen[0][0, :, :, round((450 + BORDER_MM) * px_per_mm)].min(axis=0) > 0.3
    row = round((300 + BORDER_MM) * px_per_mm)
    assert middle[row + 2]
    assert not middle[row + round(TILE_MM[1] * px_per_mm)]


@pytest.mark.parametrize(
    ("place", "belongs"),
    [
        pytest.param((450, -REACH_MM + 6, 0), True, id="a little above the play area"),
        pytest.param((450, -REACH_MM - 6, 90), False, id="far above"),
        pytest.param((900 + REACH_MM - 6, 300, 0), True, id="a little to the right"),
        pytest.param((900 + REACH_MM + 6, 300, 0), False, id="far to the right"),
    ],
)
def test_a_tile_whose_middle_lies_too_far_outside_belongs_to_no_table(
    place: tuple[float, float, float], belongs: bool
) -> None:
    camera = replace(CAMERA, height_mm=1120)
    picture, _ = table_with(place, camera=camera)
    found = on_plane(drawn.finder, picture, placed(picture), TILE_MM, TABLE_MM, 0.3)
    assert (len(found.scores) == 1) is belongs


def answers_at(*spots_mm: tuple[float, float]) -> drawn.Model:
    """A finder that sees upright tiles at places of the table, whatever the picture shows."""

    def model(array: Floats) -> tuple[Floats]:
        px_per_mm = PLANE_SHORT_PX / TILE_MM[0]
        maps = np.zeros((find.CHANNELS, array.shape[2] // find.STRIDE, array.shape[3] // find.STRIDE), np.float32)
        maps[0] = -20.0
        for spot in spots_mm:
            column, row = ((np.asarray(spot) + BORDER_MM) * px_per_mm / find.STRIDE).astype(int)
            half = np.asarray([[0.0, TILE_MM[1]], [TILE_MM[0], 0.0]], np.float32) / 2 * px_per_mm / find.STRIDE
            maps[0, row, column] = 5.0
            maps[3:, row, column] = find.encode_vectors(half).ravel()
        return (maps[None],)

    return model


@pytest.mark.parametrize(("spot", "kept"), [((0, 0), 0), ((900, 600), 0), ((12, 8), 0), ((45, 0), 1), ((450, 300), 1)])
def test_a_marker_is_no_tile(spot: tuple[float, float], kept: int) -> None:
    found = on_plane(answers_at(spot), EMPTY, placed(EMPTY), TILE_MM, TABLE_MM, 0.3)
    assert len(found.scores) == kept


def test_a_marked_table_without_tiles_has_no_candidates() -> None:
    found = on_plane(drawn.finder, EMPTY, placed(EMPTY), TILE_MM, TABLE_MM, 0.3)
    assert found.corners.shape == (0, 4, 2)


@pytest.mark.parametrize("short", [10.5, 13.0, 16.0, 24.0, 31.0, 47.0, 75.0, 120.0, 190.0, 260.0])
def test_without_markers_tiles_are_found_at_any_scale(short: float) -> None:
    picture = drawn.bare(750, 1000)
    truth = [drawn.quad(250, 300, 20, short, 1.45 * short), drawn.quad(700, 450, 110, short, 1.45 * short)]
    for corners in truth:
        drawn.paint(picture, corners, "blue-13")
    found = at_any_scale(drawn.finder, picture, 0.3)
    assert len(found.scores) == 2
    assert off_by(found.corners, np.asarray(truth)) < 0.06 * short + 1


def test_tiles_of_slightly_different_sizes_are_found_once_each_and_the_best_come_first() -> None:
    picture = drawn.bare(750, 1000)
    truth = [drawn.quad(150 + 170.0 * i, 350, 15.0 * i, 50.0 + 6 * i, 72.0 + 9 * i) for i in range(5)]
    for corners in truth:
        drawn.paint(picture, corners, "red-5")
    found = at_any_scale(drawn.finder, picture, 0.3)
    assert len(found.scores) == 5
    assert found.scores.tolist() == sorted(found.scores.tolist(), reverse=True)
    assert off_by(found.corners, np.asarray(truth)) < 6


def test_a_tile_whose_middle_is_outside_the_picture_is_none() -> None:
    picture = drawn.bare(400, 600)
    drawn.paint(picture, drawn.quad(300, 200), "red-5")
    moved = picture.copy()
    moved[:, :310] = moved[:, 299:300]  # white to the left edge: its middle is far from the tile's
    inside = at_any_scale(drawn.finder, picture, 0.3).corners.mean(axis=1)
    assert len(inside) == 1
    for found in (inside, at_any_scale(drawn.finder, moved, 0.3).corners.mean(axis=1)):
        assert ((found > 0) & (found < (600, 400))).all()


@pytest.mark.parametrize("shape", [(1, 1), (20, 900), (4000, 30)], ids=["a pixel", "a strip", "a pole"])
def test_a_picture_too_small_for_any_level_has_no_candidates(shape: tuple[int, int]) -> None:
    assert len(at_any_scale(drawn.finder, drawn.bare(*shape), 0.3).scores) == 0


def test_no_level_is_larger_than_the_finder_can_take() -> None:
    sizes: list[int] = []

    def finder(array: Floats) -> tuple[Floats]:
        sizes.append(max(array.shape[2:]))
        return drawn.finder(array)

    at_any_scale(finder, drawn.bare(3000, 4000), 0.3)
    assert max(sizes) < 2600 + 16
    fine = [size for size in sizes if size == PART]
    assert 1 < len(fine) <= 12, "an empty picture is enlarged, in parts, but not without limit"
    assert len(sizes) - len(fine) < len(PYRAMID) + 4


def test_a_picture_is_not_enlarged_where_its_tiles_are_large() -> None:
    sizes: list[int] = []

    def finder(array: Floats) -> tuple[Floats]:
        sizes.append(max(array.shape[2:]))
        return drawn.finder(array)

    picture = drawn.bare(750, 1000)
    drawn.paint(picture, drawn.quad(250, 300, 20), "blue-13")
    assert len(at_any_scale(finder, picture, 0.3).scores) == 1
    assert max(sizes) <= 1000


def test_small_tiles_at_the_seams_of_the_parts_are_found_once() -> None:
    picture = drawn.bare(1000, 1700)
    truth = [drawn.quad(40.0 + 54 * i, 60 + 27.5 * i, 7 * i, 13.0, 19.0) for i in range(30)]
    for corners in truth:
        drawn.paint(picture, corners, "red-7")
    found = at_any_scale(drawn.finder, picture, 0.3)
    middles, places = found.corners.mean(axis=1), np.asarray(truth).mean(axis=1)
    assert len(middles) == len(places)
    assert np.linalg.norm(middles[:, None] - places, axis=2).min(axis=0).max() < 1


def sized(shorts: list[float], scores: list[float], step: float = 150.0) -> Candidates:
    """Tiles in a line, as wide as told."""
    quads = [drawn.quad(100 + step * i, 200, 10 * i, s, 1.4 * s) for i, s in enumerate(shorts)]
    return Candidates(np.asarray(quads, np.float32).reshape(-1, 4, 2), np.asarray(scores, np.float32))


@pytest.mark.parametrize(
    ("shorts", "scores", "usual"),
    [
        pytest.param([], [], [], id="no tile at all"),
        pytest.param([50], [0.9], [True], id="a single tile is its own measure"),
        pytest.param([50, 51, 35], [0.9, 0.9, 0.4], [True, True, False], id="half a tile beside two whole ones"),
        pytest.param([50] * 6 + [25], [0.9] * 7, [True] * 6 + [False], id="one stray among many"),
        pytest.param(
            [40 * 1.08**i for i in range(8)], [0.9] * 8, [True] * 8, id="a tilted view: each tile larger than the last"
        ),
        pytest.param(
            [40 * 1.08**i for i in range(7)] + [40.0], [0.9] * 8, [True] * 7 + [False], id="too small for its place"
        ),
    ],
)
def test_tiles_of_one_box_are_of_one_size(shorts: list[float], scores: list[float], usual: list[bool]) -> None:
    tiles = sized(shorts, scores)
    assert of_one_size(tiles, tiles).tolist() == usual


def test_weak_candidates_do_not_set_the_size() -> None:
    tiles = sized([50, 50, 20, 20, 20, 20], [0.95, 0.9, 0.3, 0.3, 0.3, 0.3])
    assert of_one_size(tiles, tiles).tolist() == [True, True, False, False, False, False]


def test_candidates_that_do_not_match_their_scores_are_refused() -> None:
    with pytest.raises(ValueError, match=r"expected corners of shape \(3, 4, 2\), got \(2, 4, 2\)"):
        Candidates(np.zeros((2, 4, 2), np.float32), np.zeros(3, np.float32))


def test_looking_changes_no_picture() -> None:
    picture = cv2.resize(table_with((450, 300, 0))[0], None, fx=0.5, fy=0.5)
    before = picture.copy()
    at_any_scale(drawn.finder, np.asarray(picture, np.uint8), 0.3)
    assert np.array_equal(picture, before)


LARGE = drawn.quad(700, 400, 20, 150, 210)


def on_a_cloth() -> Image:
    """One large tile on a cloth whose threads a finder takes for many small tiles."""
    picture = drawn.bare(750, 1000)
    for x in range(20, 480, 40):
        for y in range(20, 740, 50):
            drawn.paint(picture, drawn.quad(x, y, 0, 20, 28), "red-5")
    drawn.paint(picture, LARGE, "blue-13")
    return picture


def test_on_a_coarse_cloth_the_print_tells_how_large_tiles_are() -> None:
    asked: list[int] = []

    def evidence(found: Candidates) -> np.ndarray:
        asked.append(len(found.scores))
        is_tile = np.linalg.norm(found.corners.mean(axis=1) - LARGE.mean(axis=0), axis=1) < 5
        threads = np.arange(len(found.scores)) < 2  # two of them seem to bear a print
        return np.where(is_tile, 9.0, np.where(threads, 3.0, 0.0)).astype(np.float32)

    found = at_any_scale(drawn.finder, on_a_cloth(), 0.3, evidence)
    assert len(found.scores) == 1
    assert off_by(found.corners, LARGE[None]) < 10
    assert len(asked) == 1
    assert asked[0] <= search.TRIED * len(PYRAMID), "not every thread is read"


def test_where_nothing_bears_a_print_the_strongest_candidates_tell_the_size() -> None:
    found = at_any_scale(drawn.finder, on_a_cloth(), 0.3, lambda found: np.zeros(len(found.scores), np.float32))
    assert len(found.scores) > 100


def test_where_all_levels_agree_a_print_shows_that_no_smaller_tiles_need_to_be_searched() -> None:
    picture = drawn.bare(750, 1000)
    for i in range(4):
        drawn.paint(picture, drawn.quad(150 + 200 * i, 350, 10 * i), "red-5")
    asked: list[int] = []

    def evidence(found: Candidates) -> np.ndarray:
        asked.append(len(found.scores))
        return np.ones(len(found.scores), np.float32)

    assert len(at_any_scale(drawn.finder, picture, 0.3, evidence).scores) == 4
    assert asked == [4]
