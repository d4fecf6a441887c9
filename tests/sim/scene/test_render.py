import cv2
import numpy as np
import pytest
from marker_truth import marker_truth

from referee.errors import BadInput
from referee.game.tiles import JOKER, TILE_SETS, Colour, Tile
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS, Lighting
from referee.sim.scene.render import render, truth
from referee.sim.scene.scene import MAKES, Cup, Hand, Placed, Rack, Scene, usual_make
from referee.sim.scene.surface import SURFACES

SMALL = Camera(width_px=1152, height_px=648, x_mm=455, y_mm=299, tilt_deg=0.6, pan_deg=-0.8, roll_deg=1.5)
FULL = Camera(x_mm=455, y_mm=299, tilt_deg=0.6, pan_deg=-0.8, roll_deg=1.5)
SEVEN = Placed(Tile(7, Colour.RED), 420.0, 310.0, 30.0)
AROUND = (Placed(JOKER, 250, 200, 91), Placed(None, 300, 420, 200), Placed(Tile(12, Colour.BLACK), 680, 380, 2))


def picture(scene: Scene, light: Lighting = LIGHTS["even"], seed: int = 1, camera: Camera = SMALL) -> np.ndarray:
    return render(scene, camera, light, np.random.default_rng(seed))


@pytest.mark.parametrize(
    ("surface", "light"), [*((name, "even") for name in SURFACES), *(("walnut", name) for name in LIGHTS)]
)
def test_the_markers_are_found_where_they_lie(surface: str, light: str) -> None:
    scene = Scene(surface=surface, marker_turns=(1.5, -2.0, 0.0, 3.0))
    exact = cv2.aruco.DetectorParameters()
    exact.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), exact)

    corners, ids, _ = detector.detectMarkers(picture(scene, LIGHTS[light], camera=FULL))

    found = {int(i): c[0] for i, c in zip(np.ravel(ids), corners, strict=True)}
    assert found.keys() == {0, 1, 2, 3}
    for marker, expected in marker_truth(scene, FULL).items():
        assert found[marker] == pytest.approx(expected, abs=0.6)


def test_a_missing_marker_is_missing() -> None:
    full, covered = picture(Scene()), picture(Scene(markers=(0, 1, 3)))

    (x, y), *_ = marker_truth(Scene(), SMALL)[2].astype(int)
    assert (full[y - 6, x - 6] > 150).all()
    assert (covered[y - 6, x - 6] < 150).all()


@pytest.mark.parametrize("angle", [0.0, 45.0, 133.0, 270.0])
def test_truth_is_where_the_tile_shows(angle: float) -> None:
    scene = Scene(tiles=(Placed(None, 300, 200, angle),), surface="green")
    light = Lighting(shadow=0.0, noise=0.0, warmth=0.0)

    changed = cv2.absdiff(picture(scene, light), picture(Scene(surface="green"), light)).max(axis=2) > 60

    corners = truth(scene, SMALL)[0]
    expected = np.zeros(changed.shape, np.uint8)
    cv2.fillConvexPoly(expected, np.round(corners * 16).astype(int), (1,), cv2.LINE_8, 4)
    overlap = np.sum(changed & (expected > 0)) / np.sum(changed | (expected > 0))
    assert overlap > 0.85  # the rest is the walls that the camera sees


def test_corners_run_clockwise_from_the_top_left_as_printed() -> None:
    upright, upside_down = truth(Scene(tiles=(Placed(None, 450, 300, 0), Placed(None, 450, 300, 180))), Camera())

    assert (upright[0] < upright[2]).all()
    assert upright[1][0] > upright[0][0]
    assert upside_down == pytest.approx(np.roll(upright, 2, axis=0), abs=0.5)


def test_digits_stand_upright_for_the_bottom_side() -> None:
    tile = Placed(Tile(7, Colour.RED), 450, 300, 0)
    scene = Scene(tiles=(tile,), look=MAKES["cream"], surface="green")

    image = picture(scene).astype(int)

    (left, top), _, (right, bottom), _ = np.round(truth(scene, SMALL)[0]).astype(int)
    face = image[top + 3 : bottom - 2, left + 3 : right - 2]
    red = face[..., 2] - face[..., 1] > 70
    upper, lower = np.array_split(red, 2)
    assert upper.sum() > 4 * lower.sum()  # printed in the upper half
    assert red[: len(red) // 4].sum(axis=1).max() > red[len(red) // 3 :].sum(axis=1).max()  # its bar is on top


def test_only_the_noise_depends_on_the_generator() -> None:
    scene = Scene(tiles=(SEVEN, *AROUND))
    still = Lighting(noise=0.0)

    assert np.array_equal(picture(scene, seed=4), picture(scene, seed=4))
    assert not np.array_equal(picture(scene, seed=4), picture(scene, seed=5))
    assert np.array_equal(picture(scene, still, seed=4), picture(scene, still, seed=5))


@pytest.mark.parametrize("look", MAKES)
@pytest.mark.parametrize("box", TILE_SETS)
def test_every_box_renders_with_every_look(box: str, look: str) -> None:
    kinds = tuple(TILE_SETS[box].inventory())
    tiles = tuple(Placed(t, 60 + 55.0 * (i % 14), 80 + 90.0 * (i // 14), i * 17) for i, t in enumerate(kinds))

    image = picture(Scene(tiles=tiles, tileset=TILE_SETS[box], look=MAKES[look]))

    assert image.shape == (648, 1152, 3)
    assert image.dtype == np.uint8


def test_things_around_the_play_area_and_hands_show() -> None:
    bare = picture(Scene(), Lighting(noise=0))
    things = (Rack(-110, 300, 270), Rack(1010, 300, 90, tiles=20), Cup(1000, 100))

    furnished = picture(Scene(props=things, hands=(Hand(500, 300, 20),)), Lighting(noise=0))

    changed = cv2.absdiff(bare, furnished).max(axis=2) > 30
    for x, y in ((-110, 300), (1010, 300), (1000, 100), (500, 300)):
        u, v = SMALL.project_flat(np.float32([[x, y]]))[0].astype(int)
        assert changed[v, min(u, 1151)]


def test_glare_bleaches_ink() -> None:
    scene = Scene(tiles=(Placed(Tile(8, Colour.BLACK), 300, 180, 0),), look=MAKES["cream"])
    middle = truth(scene, SMALL)[0].mean(axis=0).astype(int)
    face = np.s_[middle[1] - 12 : middle[1] + 4, middle[0] - 6 : middle[0] + 6]

    darkest = [picture(scene, LIGHTS[name])[face].min() for name in ("even", "glare")]

    assert darkest[1] > darkest[0] + 50


def test_a_jpeg_differs_a_little() -> None:
    scene = Scene(tiles=(SEVEN,))
    raw = picture(scene)

    packed = render(scene, SMALL, LIGHTS["even"], np.random.default_rng(1), jpeg_quality=85)

    assert 0 < np.abs(raw.astype(int) - packed).mean() < 4


def test_tiles_half_outside_the_picture_are_cut_off() -> None:
    edge = SMALL.ground(np.float32([[0, 300], [1151, 300], [600, 0], [5000, 300]]))

    picture(Scene(tiles=tuple(Placed(Tile(5, Colour.BLUE), float(x), float(y), 10) for x, y in edge)))


def test_an_unknown_table_top_is_named() -> None:
    with pytest.raises(BadInput, match=r"walnut.*'marble'"):
        picture(Scene(surface="marble"))


def test_every_box_has_a_usual_make() -> None:
    for box in TILE_SETS.values():
        assert {colour for colour, _ in usual_make(box).inks} >= set(box.colours)
