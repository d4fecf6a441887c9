"""How much light the camera should take in, told from what is white in a picture."""

from dataclasses import replace

import numpy as np
import pytest

from referee.game.tiles import TILE_SETS
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render, truth
from referee.sim.scene.scene import MAKES, Placed, Scene
from referee.vision.exposure import (
    BRIGHTER,
    DARKER,
    EVEN,
    GAMMA,
    HIGH,
    RANGE,
    USUAL,
    Whites,
    better,
    bracket,
    brought_right,
    is_bleached,
    is_dark,
    paper_of,
    whites,
)
from referee.vision.geometry.markers import find_markers
from referee.vision.sighting import Quality, Read, Sighting

CAMERA = Camera(height_mm=1010, width_px=1152, height_px=648)
TILES = tuple(TILE_SETS["rummikub"].inventory())
TABLE = (900.0, 600.0)


def taken(look: str, light: float, tiles: int = 20) -> tuple[np.ndarray, Sighting]:
    """A picture that so much light makes, and what lies where in it."""
    placed = tuple(Placed(t, 150 + 60.0 * (i % 10), 150 + 90.0 * (i // 10), 20.0) for i, t in enumerate(TILES[:tiles]))
    scene = Scene(tiles=placed, look=MAKES[look])
    lit = replace(LIGHTS["even"], brightness=light ** (1 / GAMMA))
    picture = render(scene, CAMERA, lit, np.random.default_rng(1))
    reads = tuple(Read(None, 1.0, False, (), quad, 0.0, 1.0, 1.0) for quad in truth(scene, CAMERA))
    outline = CAMERA.project_flat(np.float32([(0, 0), (900, 0), (900, 600), (0, 600)]), 0.3)
    return picture, Sighting("rummikub", "markers", reads, (), outline_px=outline)


def settled(look: str, lamps: float, tiles: int = 20) -> list[float]:
    """The factors that a camera is set to, one after the other, before lamps that shine so strongly."""
    factors = [1.0]
    for _ in range(8):
        found = whites(*taken(look, lamps * factors[-1], tiles), TABLE)
        assert found is not None
        if (factor := better(found, factors[-1])) == factors[-1]:
            return factors
        factors.append(factor)
    raise AssertionError(f"expected the exposure to settle, found {factors}")


@pytest.mark.parametrize("look", MAKES)
def test_a_well_exposed_picture_is_left_alone(look: str) -> None:
    assert settled(look, 1.0) == [1.0]


@pytest.mark.parametrize("tiles", [0, 20])
@pytest.mark.parametrize("look", ["cream", "beech"])
@pytest.mark.parametrize("lamps", [0.06, 0.2, 0.5, 2.0, 3.9])
def test_whatever_the_lamps_the_whites_come_to_rest_unclipped_and_not_dim(look: str, lamps: float, tiles: int) -> None:
    factors = settled(look, lamps, tiles)
    steps = np.diff(factors)
    assert (steps >= 0).all() or (steps <= 0).all()  # it never swings
    found = whites(*taken(look, lamps * factors[-1], tiles), TABLE)
    assert found is not None
    assert found.clipped < 0.3
    assert found.level > 100


def test_factors_stay_within_their_range() -> None:
    assert better(Whites(255, 1.0, 1.0), RANGE[0]) == RANGE[0]
    assert better(Whites(10, 0.0, 0.0), RANGE[1]) == RANGE[1]


def test_paper_at_the_edge_of_the_picture_is_left_out() -> None:
    picture, sighting = taken("cream", 1.0, 0)
    assert sighting.outline_px is not None
    outside = replace(sighting, outline_px=sighting.outline_px + 5000)
    assert whites(picture, outside, TABLE) is None


def test_without_markers_and_tiles_nothing_is_known_to_be_white() -> None:
    assert whites(np.zeros((10, 10, 3), np.uint8), Sighting("rummikub", "tiles", (), ()), TABLE) is None


@pytest.mark.parametrize(
    ("quality", "factors"),
    [
        (Quality(), USUAL),
        (Quality(sharp=False), USUAL),
        (Quality(bright=True), DARKER),
        (Quality(glare=True), DARKER),
        (Quality(dark=True), BRIGHTER),
    ],
)
def test_other_exposures_go_where_they_can_tell_more(quality: Quality, factors: tuple[float, float]) -> None:
    assert bracket(quality) == factors


@pytest.mark.parametrize("light", [0.2, 0.5, 1.0, 2.0])
def test_the_paper_around_the_markers_alone_tells_what_is_white(light: float) -> None:
    picture, sighting = taken(next(iter(MAKES)), light, tiles=0)
    seen, whole = paper_of(picture, find_markers(picture)), whites(picture, sighting, TABLE)
    assert seen is not None
    assert whole is not None
    assert seen.level == pytest.approx(whole.level, abs=6)


def test_no_marker_tells_nothing() -> None:
    assert paper_of(np.zeros((100, 100, 3), np.uint8), {}) is None


@pytest.mark.parametrize("level", [5.0, 60.0, 120.0, 149.0, 160.0, 200.0, 236.0])
def test_whites_are_brought_right_in_few_steps(level: float) -> None:
    light, factor = level**GAMMA, 1.0
    for _ in range(4):
        seen = Whites(min(255.0, (light * factor) ** (1 / GAMMA)), 0.0, 0.0)
        wanted = brought_right(seen, factor)
        if wanted == factor:
            break
        factor = wanted
    assert EVEN <= seen.level <= HIGH or factor == RANGE[1]


def test_what_is_clipped_is_brought_down() -> None:
    assert brought_right(Whites(255.0, 1.0, 1.0), 1.0) < brought_right(Whites(255.0, 0.3, 0.0), 1.0) < 1.0


@pytest.mark.parametrize(("level", "dark", "bleached"), [(10, True, False), (120, False, False), (255, False, True)])
def test_pictures_that_show_nothing(level: int, dark: bool, bleached: bool) -> None:
    picture = np.full((80, 80, 3), level, np.uint8)
    assert (is_dark(picture), is_bleached(picture)) == (dark, bleached)
