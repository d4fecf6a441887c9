"""Is the picture good enough: flags taken from the tiles themselves."""

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.game.tiles import TILE_SETS
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS, Glare, Lighting
from referee.sim.scene.render import render, truth
from referee.sim.scene.scene import MAKES, Placed, Scene
from referee.vision.geometry.markers import locate
from referee.vision.quality import assess, chroma_step, is_grey
from referee.vision.sighting import Image, Quality

SHARED = Path(__file__).parents[2].parent / "shared"
ALL = {0, 1, 2, 3}
CAMERA = Camera(height_mm=1010)
KINDS = tuple(TILE_SETS["rummikub"].inventory())
SCENE = Scene(
    tiles=tuple(Placed(t, 110 + 60.0 * (i % 12), 90 + 90.0 * (i // 12), 40.0 * i) for i, t in enumerate(KINDS)),
    look=MAKES["cream"],
)
NOTHING = np.zeros((0, 4, 2), np.float32)


@lru_cache(maxsize=2)  # above all the usual picture, which is taken again and again
def taken(light: Lighting = LIGHTS["even"], blur_px: float = 0.65, scene: Scene = SCENE) -> Image:
    return render(scene, CAMERA, light, np.random.default_rng(2), blur_px=blur_px)


@pytest.mark.parametrize("light", [name for name in LIGHTS if name != "glare"])
@pytest.mark.parametrize("look", MAKES)
def test_an_ordinary_picture_has_no_flag(light: str, look: str) -> None:
    scene = replace(SCENE, look=MAKES[look])
    assert assess(taken(LIGHTS[light], scene=scene), truth(scene, CAMERA), ALL) == Quality()


def test_a_picture_out_of_focus_is_not_sharp() -> None:
    assert not assess(taken(blur_px=15.0), truth(SCENE, CAMERA), ALL).sharp


def test_a_dim_picture_is_dark_but_still_sharp() -> None:
    quality = assess(taken(Lighting(brightness=0.15, noise=0.5)), truth(SCENE, CAMERA), ALL)
    assert quality.dark
    assert quality.sharp


def test_a_lamp_mirrored_in_some_tiles_is_glare_and_told_where() -> None:
    light = Lighting(brightness=1.1, glare=(Glare(400.0, 200.0, 70.0, 0.97),))
    quality = assess(taken(light), truth(SCENE, CAMERA), ALL)
    assert quality.glare
    spot = CAMERA.project(np.float32([[400.0, 200.0, 9.5]]))[0]
    far = np.linalg.norm(np.float32(quality.glare_px) - spot, axis=1) / CAMERA.px_per_mm
    assert far.min() < 60.0
    assert far.max() < 180.0


def test_light_from_one_side_is_no_mirrored_lamp() -> None:
    light = Lighting(brightness=1.08, gradient=0.38, slant=0.75, from_deg=275.0)
    assert not assess(taken(light), truth(SCENE, CAMERA), ALL).glare


def test_a_picture_bleached_all_over_is_too_bright_and_mirrors_no_lamp() -> None:
    white = np.full((1296, 2304, 3), 255, np.uint8)
    quality = assess(white, truth(SCENE, CAMERA), ALL)
    assert quality.bright
    assert not quality.glare


@pytest.mark.parametrize("look", ["cream", "white"])
def test_tiles_that_are_white_all_over_are_too_bright(look: str) -> None:
    scene = replace(SCENE, look=MAKES[look])
    light = replace(LIGHTS["even"], brightness=1.4)
    assert assess(taken(light, scene=scene), truth(scene, CAMERA), ALL) == Quality(bright=True)


@pytest.mark.parametrize("turn", ["along", "across"])
def test_a_picture_taken_in_motion_is_not_sharp(turn: str) -> None:
    smear = np.zeros((13, 13), np.float32)
    smear[6] = 1 / 13
    moved = cv2.filter2D(taken(), -1, smear if turn == "along" else smear.T)
    assert not assess(moved, truth(SCENE, CAMERA), ALL).sharp


def test_a_picture_of_which_all_tiles_can_be_read_is_sharp() -> None:
    assert assess(taken(blur_px=1.8), truth(SCENE, CAMERA), ALL).sharp


def test_bare_backs_say_nothing_about_sharpness() -> None:
    scene = replace(SCENE, tiles=tuple(replace(tile, tile=None) for tile in SCENE.tiles))
    assert assess(taken(blur_px=4.0, scene=scene), truth(scene, CAMERA), ALL) == Quality()


@pytest.mark.parametrize("picture", sorted(SHARED.glob("scenes/*.jpg")) or [None], ids=lambda p: p and p.stem)
def test_the_scenes_are_good_pictures(picture: Path | None) -> None:
    if picture is None:
        pytest.skip("../shared is not there")
    assert _of_truth(picture) == Quality()


def test_a_badly_over_exposed_table_is_too_bright() -> None:
    picture = SHARED / "boxes" / "b12-t00.jpg"
    if not picture.exists():
        pytest.skip("../shared is not there")
    assert _of_truth(picture) == Quality(bright=True)


FIRST_PRINTS = [i for i, tile in enumerate(SCENE.tiles) if tile.tile is not None and not tile.tile.is_joker][:4]
INKS = np.full((len(SCENE.tiles), 3), 0.5, np.float32)
"""What a reader says of the prints; which ink it is, does not matter."""


def faded(picture: Image, corners: np.ndarray, left: float) -> Image:
    """The picture with one print of which only a part is left."""
    inside = np.zeros(picture.shape[:2], np.uint8)
    middle = corners.mean(axis=0)
    cv2.fillConvexPoly(inside, np.round(middle + 0.8 * (corners - middle)).astype(np.int32), 1)
    shown, body = picture.astype(np.float32), np.median(picture[inside > 0], axis=0)
    return np.where(inside[..., None] > 0, body + left * (shown - body), shown).round().astype(np.uint8)


@pytest.mark.parametrize("look", MAKES)
def test_prints_are_not_faint_and_backs_are(look: str) -> None:
    """Also the palest ink and the joker stand out."""
    backs = {3, 17}
    tiles = [replace(tile, tile=None) if i in backs else tile for i, tile in enumerate(SCENE.tiles)]
    scene = replace(SCENE, tiles=tuple(tiles), look=MAKES[look])
    inks = INKS.copy()
    inks[list(backs)] = np.nan
    assert assess(taken(scene=scene), truth(scene, CAMERA), ALL, inks=inks).faint == backs


@pytest.mark.parametrize(("left", "faint"), [(0.1, True), (0.2, True), (1.0, False)])
def test_a_print_that_has_faded_is_faint(left: float, faint: bool) -> None:
    corners = truth(SCENE, CAMERA)
    for tile in FIRST_PRINTS:
        quality = assess(faded(taken(), corners[tile], left), corners, ALL, inks=INKS)
        assert quality.faint == ({tile} if faint else set())


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param({"inks": None}, id="nobody says which are prints"),
        pytest.param({"inks": np.where(np.arange(len(INKS))[:, None] < 2, INKS, np.nan)}, id="two prints"),
        pytest.param({"inks": INKS, "step": 7.0}, id="colours lost"),
        pytest.param({"inks": INKS, "light": replace(LIGHTS["even"], brightness=1.4)}, id="bleached"),
    ],
)
def test_where_prints_do_not_show_how_much_they_stand_out_nothing_is_faint(spoil) -> None:
    corners, picture = truth(SCENE, CAMERA), taken(spoil.get("light", LIGHTS["even"]))
    spoilt = faded(picture, corners[FIRST_PRINTS[0]], 0.1)
    assert assess(spoilt, corners, ALL, spoil.get("step"), spoil["inks"]).faint == set()


def _of_truth(path: Path) -> Quality:
    """The quality of a picture whose face-up tiles lie where its truth says."""
    told = json.loads(path.with_suffix(".json").read_text())
    picture = np.asarray(cv2.imread(str(path)), np.uint8)
    located = locate(picture, tuple(told["table_mm"]))
    assert located is not None
    width, height, thick = told["tile_mm"]
    quads = [Placed(None, t["x_mm"], t["y_mm"], t["angle_deg"]).corners((width, height)) for t in told["tiles"]]
    seen = located.pose.on_plane(np.float32(quads).reshape(-1, 2), thick)
    return assess(picture, seen.reshape(-1, 4, 2).astype(np.float32), ALL)


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


@pytest.mark.parametrize(
    ("jpeg", "packed", "colourless"),
    [(8, True, True), (12, True, True), (22, True, False), (50, False, False), (90, False, False)],
)
def test_a_picture_compressed_until_its_colours_are_coarse_is_told(jpeg: int, packed: bool, colourless: bool) -> None:
    data = cv2.imencode(".jpg", taken(), [cv2.IMWRITE_JPEG_QUALITY, jpeg])[1]
    picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    quality = assess(picture, truth(SCENE, CAMERA), ALL)
    assert (quality.packed, quality.colourless) == (packed, colourless)


def test_a_picture_that_was_never_compressed_is_not() -> None:
    assert chroma_step(taken()) < 1.5
    assert not assess(taken(), truth(SCENE, CAMERA), ALL).packed


def test_a_picture_smaller_than_a_block_has_no_steps_of_chroma() -> None:
    assert chroma_step(np.zeros((10, 2000, 3), np.uint8)) == 0.0


def test_a_grey_picture_stays_grey_with_a_coloured_time_in_it() -> None:
    """Otherwise, all of its tiles were black without doubt."""
    picture = np.full((600, 800, 3), 120, np.uint8)
    cv2.putText(picture, "12:30:05", (5, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 255, 255), 2)
    assert is_grey(picture)
    picture[:200, :300] = (30, 30, 160)
    assert not is_grey(picture)


@pytest.mark.parametrize("jpeg", [None, 90, 30])
def test_a_picture_without_colours_is_grey(jpeg: int | None) -> None:
    grey = cv2.cvtColor(cv2.cvtColor(taken(), cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if jpeg is not None:
        grey = cv2.imdecode(cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, jpeg])[1], cv2.IMREAD_COLOR)
    assert assess(grey, truth(SCENE, CAMERA), ALL).grey


def test_a_table_that_bears_nothing_but_black_tiles_is_not_grey() -> None:
    black = replace(SCENE, surface="white", tiles=tuple(t for t in SCENE.tiles if t.tile and t.tile.colour == "black"))
    assert not assess(taken(scene=black), truth(black, CAMERA), ALL).grey
