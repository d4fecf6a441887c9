"""A camera that was bumped is noticed, and what was known of the table still holds from its new place."""

from dataclasses import replace

import numpy as np
import pytest

from referee.game.notation import parse_table
from referee.game.tiles import TILE_SETS
from referee.sim.scene.camera import Camera
from referee.sim.table import Setting, VirtualTable
from referee.vision.change.absence import places
from referee.vision.change.bare_table import Bare
from referee.vision.change.motion import STEADY, Stand
from referee.vision.change.occlusion import TopView, covers
from referee.vision.geometry.markers import locate
from referee.vision.sighting import Read, Sighting

BOX = TILE_SETS["rummikub"]
TABLE_MM = (900.0, 600.0)
USUAL = Camera(x_mm=456.0, y_mm=297.0, height_mm=1010.0, tilt_deg=0.6, pan_deg=-0.5, roll_deg=0.8)
BUMPED = replace(USUAL, x_mm=470.0, y_mm=285.0, height_mm=1004.0, tilt_deg=-0.6, pan_deg=0.4, roll_deg=2.4)
OUTLINE = np.float32([[300, 100], [2000, 100], [2000, 1200], [300, 1200]])


def stand(shift=0.0, size=(1296, 2304)):
    return Stand(OUTLINE + np.float32(shift), size)


def test_noise_is_no_move_and_a_bump_is_one():
    rng = np.random.default_rng(1)
    assert not stand().differs(stand(rng.normal(0, 0.4, (4, 2))))
    assert stand().differs(stand([4.0, 0.0]))
    assert stand().differs(stand([2.0, 0.0]), STEADY)
    assert stand().differs(stand(size=(2592, 4608)))
    assert stand().differs(stand(np.nan))


def test_a_picture_without_a_marked_table_has_no_stand():
    assert Stand.from_sighting(Sighting("rummikub", "tiles", (), ()), (1296, 2304)) is None


def seen(table, camera, seed=1):
    """A picture of a virtual table from a camera, and what a faultless reader would make of it."""
    shown = VirtualTable(replace(table.setting, camera=camera), np.random.default_rng(seed))
    shown.layout, table = table.layout, shown
    picture = table.picture()
    located = locate(picture, TABLE_MM)
    outline = located.pose.on_plane([(0, 0), (900, 0), (900, 600), (0, 600)], 0.0).astype(np.float32)
    reads = tuple(
        Read(one.tile, 1.0, False, (), corners, one.angle_deg, one.x_mm, one.y_mm)
        for one, corners in zip(table.layout.tiles, table.corners_px(), strict=True)
    )
    return picture, Sighting("rummikub", "markers", reads, (), outline_px=outline)


@pytest.fixture(params=["walnut", "green"])
def laid(request):
    table = VirtualTable(replace(Setting.usual(BOX), surface=request.param), np.random.default_rng(4))
    table.lay(parse_table("R1 R2 R3 R4 | B7 K7 O7 | K10 K11 K12"))
    return table


def test_nothing_is_taken_for_a_cover_from_the_cameras_new_place(laid):
    before, now = (TopView.from_sighting(*seen(laid, camera, i), TABLE_MM) for i, camera in enumerate((USUAL, BUMPED)))
    assert covers(before, now, Bare.with_view(None, before).layers) == ()
    one, other = (Stand.from_sighting(seen(laid, camera)[1], (1296, 2304)) for camera in (USUAL, BUMPED))
    assert one.differs(other)


def test_a_tile_that_was_not_found_from_the_new_place_is_still_seen_to_lie_there(laid):
    """So nobody is accused of having taken it."""
    known = TopView.from_sighting(*seen(laid, USUAL), TABLE_MM)
    picture, sighting = seen(laid, BUMPED, 2)
    now = TopView.from_sighting(picture, replace(sighting, reads=sighting.reads[1:]), TABLE_MM)
    found = places(known, now, Bare.with_view(None, known))
    assert [place.lies.name != "NOTHING" for place in found] == [True]
