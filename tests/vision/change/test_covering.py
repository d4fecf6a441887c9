"""What lies over the table: hands, sleeves and cups are noticed; tiles, noise, light and shadows are not."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from referee.game.notation import parse_table
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render, truth
from referee.sim.scene.scene import Cup, Hand, Placed, Scene
from referee.vision.change.occlusion import RIM_PX, TopView, covers, light
from referee.vision.sighting import Read, Sighting

TABLE_MM = (900.0, 600.0)
CORNERS_MM = np.float32([[0, 0], [900, 0], [900, 600], [0, 600]])
CAMERA = Camera(x_mm=452, y_mm=298, width_px=1152, height_px=648, tilt_deg=0.5, pan_deg=-0.4, roll_deg=0.9)
SKINS = {"light": (235, 190, 165), "medium": (201, 150, 122), "brown": (120, 82, 62), "dark": (80, 55, 42)}


def row(text, x, y):
    (tiles,) = parse_table(text)
    return tuple(Placed(tile, x + 27.0 * i, y, 0.0) for i, tile in enumerate(tiles))


SETS = (*row("R10 B10 K10", 150, 150), *row("B3 B4 B5", 600, 300))
NEW = row("K1 K2 K3", 500, 480)


@cache  # most pictures are taken of a few tables
def view(scene, *, camera=CAMERA, light="even", seed=1):
    """What a reader that errs in nothing makes of a picture."""
    picture = render(scene, camera, LIGHTS[light], np.random.default_rng(seed))
    reads = [Read(None, 1.0, False, (), np.float32(quad), 0.0) for quad in truth(scene, camera)]
    outline = np.float32(camera.project_flat(CORNERS_MM))
    made = TopView.from_sighting(
        picture, Sighting("rummikub", "markers", tuple(reads), (), outline_px=outline), TABLE_MM
    )
    assert made is not None
    return made


def covered(scene, hand, tiles=SETS):
    """The scene with a hand over some tiles that cannot be seen, so that nobody reads them."""
    with_hand = view(replace(scene, tiles=tiles, hands=(hand,)))
    places_mm = (with_hand.tiles.mean(axis=1) - RIM_PX) / 0.6
    seen = with_hand.tiles[np.linalg.norm(places_mm - (hand.x_mm, hand.y_mm), axis=1) >= 90]
    return replace(with_hand, tiles=seen)


def test_tiles_that_are_laid_moved_and_taken_cover_nothing():
    before = view(Scene(tiles=SETS))
    assert covers(before, view(Scene(tiles=(*SETS, *NEW)), seed=2)) == ()
    assert covers(before, view(Scene(tiles=(*SETS[:3], *NEW)), seed=2)) == ()
    moved = tuple(replace(tile, x_mm=tile.x_mm + 120, angle_deg=30.0) for tile in SETS)
    assert covers(before, view(Scene(tiles=moved), seed=2)) == ()


def test_a_camera_that_was_knocked_and_light_that_fades_cover_nothing():
    before = view(Scene(tiles=SETS))
    knocked = replace(CAMERA, x_mm=458.0, roll_deg=2.0)
    assert covers(before, view(Scene(tiles=SETS), camera=knocked, seed=2)) == ()
    faint = replace(before, picture=np.uint8(before.picture * 0.7))
    assert covers(before, faint) == ()


def test_the_shadow_of_somebody_who_leans_over_covers_nothing():
    before = view(Scene(tiles=SETS))
    picture = before.picture.astype(float)
    picture[:, 300:420] *= 0.7
    assert covers(before, replace(before, picture=np.uint8(picture))) == ()


@pytest.mark.parametrize("skin", SKINS)
@pytest.mark.parametrize("surface", ["walnut", "oak", "white", "green"])
def test_a_hand_that_rests_is_noticed_whatever_its_skin_and_the_table(skin, surface):
    scene = Scene(tiles=SETS, surface=surface)
    found = covers(view(scene), view(replace(scene, hands=(Hand(450.0, 420.0, 0.0, SKINS[skin]),)), seed=2))
    assert found
    assert found[0].area_mm2 > 3000
    assert (found[0].x, found[0].y) == pytest.approx((0.5, 0.8), abs=0.15)


def test_the_tiles_that_a_hand_may_hide_are_told():
    scene = Scene(tiles=SETS)
    found = covers(view(scene), covered(scene, Hand(180.0, 170.0, 0.0)))
    assert set(found[0].hides) == {0, 1, 2}


def test_a_hand_beside_the_tiles_hides_none():
    scene = Scene(tiles=SETS)
    found = covers(view(scene), view(replace(scene, hands=(Hand(850.0, 500.0, 0.0),)), seed=2))
    assert found
    assert all(cover.hides == () for cover in found)


def test_a_cup_is_noticed():
    scene = Scene(tiles=SETS)
    assert covers(view(scene), view(replace(scene, props=(Cup(400.0, 400.0),)), seed=2))


def test_without_markers_there_is_no_view():
    assert (
        TopView.from_sighting(np.zeros((9, 16, 3), np.uint8), Sighting("rummikub", "tiles", (), ()), TABLE_MM) is None
    )


def test_a_table_full_of_tiles_and_one_of_another_size_tell_nothing():
    whole = np.float32([[[0, 0], [600, 0], [600, 420], [0, 420]]])
    before = view(Scene())
    assert covers(replace(before, tiles=whole), replace(before, picture=255 - before.picture)) == ()
    assert covers(before, replace(before, picture=before.picture[:100])) == ()


def test_what_hides_no_more_than_an_earlier_picture_of_the_bare_table_is_no_cover():
    empty, bowl = view(Scene(tiles=SETS)), view(Scene(tiles=SETS, props=(Cup(400.0, 400.0),)))
    known = np.ones(empty.picture.shape[:2], bool)
    assert covers(bowl, empty)
    assert covers(bowl, empty, ((empty.picture, known),)) == ()
    assert covers(bowl, empty, ((empty.picture, ~known),))
    assert covers(empty, bowl, ((empty.picture, known),))


def test_a_rack_pushed_onto_the_rim_covers_nothing():
    before = view(Scene(tiles=SETS))
    picture = before.picture.copy()
    picture[: RIM_PX - 2, 100:400] = (200, 30, 30)
    assert covers(before, replace(before, picture=picture)) == ()


@pytest.mark.parametrize("size", [(80, 100), (81, 99)], ids=["even", "odd"])
def test_light_is_the_same_measured_on_bytes_and_on_a_mean_of_pictures(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(8)
    before, now = (rng.integers(low, low + 90, (*size, 3), dtype=np.uint8) for low in (60, 110))
    within = rng.random(size) < 0.6
    found, mean = (light(one, other, within) for one, other in ((before, now), (before * 1.0, now * 1.0)))
    assert found is not None
    assert mean is not None
    assert np.array_equal(found, mean)
    expected = [(np.median(levels[::2, ::2][within[::2, ::2]], axis=0) + 1) for levels in (now, before)]
    assert found == pytest.approx(expected[0] / expected[1])
