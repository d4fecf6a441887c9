"""Small pictures of the last seconds before a press: how many, of when, what changed, and that they are deleted."""

import cv2
import numpy as np
import pytest
from page import rendered
from test_looking import BOX, Scene

from referee.devices.camera.camera import CaptureSettings, to_small_grey
from referee.table.looking.pictures_before import EVERY_S, MOST, WIDEST_PX, PicturesBefore
from referee.table.looking.table_watcher import TableWatcher
from referee.table.preparation.light_and_focus import Rest

TABLE_MM = (900.0, 600.0)
MIB = 2**20
WHOLE = np.asarray([(0, 0), (576, 0), (576, 324), (0, 324)], np.float32), (324, 576)
"""The play area fills the picture."""


def grey(spot=None, size=(324, 576)):
    picture = np.full(size, 80, np.uint8)
    if spot is not None:
        x, y = spot
        picture[y : y + 24, x : x + 16] = 220
    return picture


@pytest.fixture
def kept():
    made = PicturesBefore((960.0, 540.0))
    made.keep(True)
    return made


def seconds(kept, press):
    return [round(one.seconds, 2) for one in kept.before(press)]


def test_the_last_ten_pictures_are_kept_one_every_two_seconds(kept):
    for tick in range(200):  # a glance every quarter of a second, for 50 seconds
        kept.add(grey(), tick / 4, WHOLE)
    assert seconds(kept, 49.75) == [19.75 - EVERY_S * number for number in range(MOST)]


def test_pictures_from_after_the_press_and_older_ones_are_not_shown(kept):
    for t in (0.0, 10.0, 14.0, 21.0):
        kept.add(grey(), t, WHOLE)
    assert seconds(kept, 20.6) == [10.6, 6.6]
    assert seconds(kept, 100.0) == []


def test_what_changed_is_told_of_each_picture_but_the_first(kept):
    for number, spot in enumerate([(100, 100), (100, 100), (400, 200), None]):
        kept.add(grey(spot), EVERY_S * number, WHOLE)
    first, same, moved, gone = kept.before(EVERY_S * 3)
    assert (first.areas, same.areas) == ((), ())
    assert len(moved.areas) == 2
    assert len(gone.areas) == 1
    x, y, width, height = gone.areas[0]
    assert x < 400 / 576
    assert y < 200 / 324
    assert x + width > 415 / 576  # the view from above may be off by a part of a pixel
    assert y + height > 223 / 324
    assert width < 0.12


def test_the_first_picture_that_is_shown_is_compared_with_none(kept):
    for number, spot in enumerate([None, (100, 100), (400, 200)]):
        kept.add(grey(spot), 15.0 * number, WHOLE)
    assert [one.areas for one in kept.before(31.0)] == [(), kept.before(31.0)[1].areas]
    assert len(kept.before(31.0)[1].areas) == 2


def test_only_the_table_is_seen_and_from_above(kept):
    """Racks and people beside it are nobody's business, and nothing is kept before it is known where it lies."""
    rack = grey((10, 10))
    kept.add(rack, 0.0, None)
    assert (kept.before(0.0), kept.size) == ((), 0)
    outline = np.asarray([(600, 300), (1700, 300), (2000, 1200), (300, 1200)], np.float32)
    kept.add(rack, 2.0, (outline, (1296, 2304)))
    (above,) = (cv2.imdecode(np.frombuffer(one.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE) for one in kept.before(2.0))
    assert above.shape == (324, 576)
    assert above.max() < 100


def test_a_camera_with_large_previews_gives_smaller_pictures(kept):
    kept.add(grey(size=(1500, 2000)), 0.0, WHOLE)
    picture = cv2.imdecode(np.frombuffer(kept.before(0.0)[0].jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture.shape == (720, WIDEST_PX)


def test_outside_of_a_round_nothing_is_kept_and_what_was_kept_is_deleted(kept):
    kept.add(grey(), 0.0, WHOLE)
    kept.keep(False)
    kept.add(grey(), 1.0, WHOLE)
    assert (kept.before(1.0), kept.size) == ((), 0)


def test_ten_pictures_of_a_real_table_take_less_than_half_a_megabyte(kept):
    picture, sighting = rendered("R10 R11 R12 | B10 B11 B12")
    small = to_small_grey(picture, CaptureSettings().preview_px)
    noise = np.random.default_rng(1)
    for number in range(MOST):
        shown = np.clip(small + noise.normal(0, 4, small.shape), 0, 255).astype(np.uint8)
        kept.add(shown, EVERY_S * number, (sighting.outline_px, picture.shape[:2]))
    assert 0 < kept.size < 0.5 * MIB


# What the watcher does with them.


PLAY_AREA = np.float32([[0, 0], [160, 0], [160, 120], [0, 120]])


@pytest.fixture
def scene():
    return Scene(outline=PLAY_AREA)


@pytest.fixture
def watcher(scene):
    made = TableWatcher(scene, scene, lambda: BOX, TABLE_MM, scene.now)
    made.set_rest(Rest.NONE)
    made.keep_pictures(True)
    made.look(scene.now())  # from then on it is known where the table lies
    return made


def test_a_look_comes_with_the_pictures_from_before_the_press(scene, watcher):
    watcher.glance()
    scene.t, scene.shows = 13.0, "R9"
    watcher.glance()
    look = watcher.look(15.0)
    assert [round(one.seconds) for one in look.before] == [5, 2]
    assert [bool(one.areas) for one in look.before] == [False, True]


def test_they_cost_no_picture_of_the_camera():
    class Counting(Scene):
        previews = 0

        def preview(self, after):
            self.previews += 1
            return super().preview(after)

    counting = Counting(outline=PLAY_AREA)
    watcher = TableWatcher(counting, counting, lambda: BOX, TABLE_MM, counting.now)
    watcher.keep_pictures(True)
    watcher.look(counting.t)
    counting.previews, taken = 0, len(counting.frames)
    for _ in range(20):
        counting.t += 1.0
        watcher.glance()
    assert (counting.previews, len(counting.frames)) == (20, taken)
    assert len(watcher.look(counting.t).before) == MOST


def test_a_new_round_begins_with_none(watcher, scene):
    watcher.glance()
    watcher.clear()
    assert watcher.look(scene.t + 1).before == ()


def test_a_look_that_is_repeated_stays_as_it_is(scene, watcher):
    watcher.glance()
    look = watcher.look(scene.t + 1)
    assert watcher.look(scene.t + 3, look) is look
