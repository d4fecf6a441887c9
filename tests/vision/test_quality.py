"""Is the picture good enough: flags taken from the tiles themselves."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from referee.game.tiles import TILE_SETS
from referee.sim.camera import Camera
from referee.sim.light import LIGHTS, Glare, Light
from referee.sim.render import render, truth
from referee.sim.scene import LOOKS, Placed, Scene
from referee.vision.quality import assess
from referee.vision.sighting import Image, Quality

ALL = {0, 1, 2, 3}
CAMERA = Camera(height_mm=1010)
KINDS = tuple(TILE_SETS["rummikub"].inventory())
SCENE = Scene(
    tiles=tuple(Placed(t, 110 + 60.0 * (i % 12), 90 + 90.0 * (i // 12), 40.0 * i) for i, t in enumerate(KINDS)),
    look=LOOKS["cream"],
)
NOTHING = np.zeros((0, 4, 2), np.float32)


@lru_cache(maxsize=2)  # above all the usual picture, which is taken again and again
def taken(light: Light = LIGHTS["even"], blur_px: float = 0.65, scene: Scene = SCENE) -> Image:
    return render(scene, CAMERA, light, np.random.default_rng(2), blur_px=blur_px)


@pytest.mark.parametrize("light", [name for name in LIGHTS if name != "glare"])
@pytest.mark.parametrize("look", LOOKS)
def test_an_ordinary_picture_has_no_flag(light: str, look: str) -> None:
    scene = replace(SCENE, look=LOOKS[look])
    assert assess(taken(LIGHTS[light], scene=scene), truth(scene, CAMERA), ALL) == Quality()


def test_a_picture_out_of_focus_is_not_sharp() -> None:
    assert not assess(taken(blur_px=15.0), truth(SCENE, CAMERA), ALL).sharp


def test_a_dim_picture_is_dark_but_still_sharp() -> None:
    quality = assess(taken(Light(brightness=0.15, noise=0.5)), truth(SCENE, CAMERA), ALL)
    assert quality.dark
    assert quality.sharp


def test_a_lamp_mirrored_in_some_tiles_is_glare() -> None:
    light = Light(brightness=1.1, glare=(Glare(400.0, 200.0, 70.0, 0.97),))
    assert assess(taken(light), truth(SCENE, CAMERA), ALL).glare


def test_a_picture_bleached_all_over_is_glare() -> None:
    white = np.full((1296, 2304, 3), 255, np.uint8)
    assert assess(white, truth(SCENE, CAMERA), ALL).glare


@pytest.mark.parametrize(
    ("markers", "hand"),
    [
        pytest.param(ALL, False, id="all four seen"),
        pytest.param({0, 2, 3}, True, id="one covered"),
        pytest.param(None, False, id="a picture without markers"),
    ],
)
@pytest.mark.parametrize("corners", [NOTHING, truth(SCENE, CAMERA)], ids=["no tile", "tiles"])
def test_a_covered_marker_is_a_hand(markers: set[int] | None, hand: bool, corners: np.ndarray) -> None:
    assert assess(taken(), corners, markers).hand is hand


def test_a_bare_table_has_nothing_to_complain_of() -> None:
    assert assess(np.zeros((1296, 2304, 3), np.uint8), NOTHING, ALL) == Quality()
