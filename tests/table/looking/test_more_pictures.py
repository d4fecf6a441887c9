"""More pictures, in other light, before anybody is asked; and a better exposure while nobody looks."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from referee.devices.camera.camera import Frame
from referee.errors import CameraLost, CannotJudge
from referee.game.tiles import TILE_SETS, Tile
from referee.table.looking.exposure import Exposure
from referee.table.looking.table_watcher import TableWatcher
from referee.vision.sighting import Quality, Read, Sighting

BOX = TILE_SETS["rummikub"]
TABLE = (900.0, 600.0)
TILE = np.float32([[20, 20], [60, 20], [60, 80], [20, 80]])
OUTLINE = np.float32([[5, 5], [155, 5], [155, 115], [5, 115]])


@dataclass
class Room:
    """A camera and a reader in one. `white` is how bright its whites are at factor 1; a tile is read by `reads`."""

    white: float = 200.0
    able: tuple[float, float] = (0.05, 10.0)
    factor: float = 1.0
    t: float = 10.0
    frames: int = 0
    told: list = field(default_factory=list)
    noisy: bool = True
    moving_from: int = 99
    reads: dict = field(default_factory=dict)
    otherwise: tuple = ("red-7", 0.999)
    blind_below: float = 0.0
    quality: Quality = field(default_factory=Quality)
    lost_from: int = 99
    tried: float = 1.0

    def now(self):
        return self.t

    def picture(self):
        if self.frames >= self.lost_from:
            raise CameraLost("gone")
        white = min(255, round(self.white * self.factor**0.45))
        picture = np.full((120, 160, 3), white, np.uint8)
        picture[20:80, 20:60] = round(0.8 * white)
        picture[0, 0] = round(40 * self.factor)  # tells the reader
        return picture

    def frame(self, after):
        self.t = max(self.t, after) + 0.05
        self.frames += 1
        picture = self.picture()
        picture[0, 1] = self.frames if self.noisy else 0
        return Frame(picture, self.t)

    def preview(self, after):
        self.t = max(self.t, after) + 0.02
        grey = self.picture()[..., 0].copy()
        if self.frames >= self.moving_from:
            grey[:, 40 + 20 * (round(self.t * 50) % 4) :] = 50
        return grey

    def expose(self, factor):
        self.tried = factor
        if not self.able[0] <= factor <= self.able[1]:
            return False
        self.told.append(round(factor, 3))
        self.factor = factor
        return True

    def close(self):
        pass

    def read(self, picture, tileset, table_mm, *, marked_only):
        assert (tileset, table_mm, marked_only) == (BOX, TABLE, True)
        factor = picture[0, 0, 0] / 40
        if factor < self.blind_below:
            raise CannotJudge("expected markers, found none")
        name, confidence, *others = self.reads.get(factor, self.otherwise)
        read = Read(Tile.from_name(name), confidence, confidence < 0.985, tuple(others), TILE, 0.0, 5.0, 5.0)
        return Sighting("rummikub", "markers", (read,), ((0,),), self.quality, {"read": 1.0}, 0.985, OUTLINE)


def watcher(room):
    return TableWatcher(room, room, lambda: BOX, TABLE, room.now)


DOUBT = ("red-7", 0.8, ("red-1", 0.1))


def test_a_clear_look_takes_one_picture():
    room = Room()
    look = watcher(room).look(20.0)
    assert (look.frames, room.frames, room.told) == (1, 1, [])
    assert look.clear
    assert 0 < look.took_s < 15


def test_a_doubt_is_looked_at_in_other_light_until_it_is_settled_and_the_light_is_put_back():
    room = Room(reads={1.0: DOUBT})
    look = watcher(room).look(20.0)
    assert look.clear
    assert (look.frames, room.told) == (2, [0.7, 1.0])
    assert look.sighting.timings_ms == {"read": 2.0}


def test_never_more_than_three_pictures():
    room = Room(otherwise=DOUBT)
    look = watcher(room).look(20.0)
    assert not look.clear
    assert (look.frames, room.told, room.factor) == (3, [0.7, 1.4, 1.0], 1.0)


@pytest.mark.parametrize(
    ("quality", "factors"),
    [(Quality(glare=True), [0.6, 0.35, 1.0]), (Quality(dark=True), [1.6, 2.5, 1.0])],
)
def test_a_bad_picture_says_which_other_light_is_better(quality, factors):
    room = Room(otherwise=DOUBT, quality=quality)
    watcher(room).look(20.0)
    assert room.told == factors


def test_a_camera_that_cannot_be_told_takes_more_pictures_all_the_same():
    room = Room(reads={1.0: DOUBT}, able=(1.0, 1.0))
    look = watcher(room).look(20.0)
    assert (look.frames, room.frames) == (3, 3)


def test_a_still_is_not_read_again():
    room = Room(otherwise=DOUBT, able=(1.0, 1.0), noisy=False)
    assert watcher(room).look(20.0).frames == 1


def test_pictures_that_contradict_each_other_are_a_doubt_that_tells_both():
    room = Room(reads={1.0: DOUBT, 0.7: ("red-1", 0.999)})
    (read,) = watcher(room).look(20.0).sighting.reads
    assert read.doubtful
    assert {read.name, read.alternatives[0][0]} == {"red-7", "red-1"}


def test_a_picture_that_shows_no_table_is_left_out():
    room = Room(reads={1.0: DOUBT}, blind_below=0.8)
    look = watcher(room).look(20.0)
    assert look.clear
    assert look.frames == 2
    assert room.factor == 1.0


def test_something_that_moves_meanwhile_leaves_the_first_picture_as_it_was():
    room = Room(otherwise=DOUBT, moving_from=2)
    look = watcher(room).look(20.0)
    assert look.frames == 1
    assert not look.clear
    assert room.factor == 1.0


def test_what_was_confirmed_settles_doubts_before_more_pictures_are_taken():
    room = Room()
    looks = watcher(room)
    looks.confirm(looks.look(20.0))
    room.otherwise = ("red-7", 0.9, ("red-1", 0.05))
    look = looks.look(21.0)
    assert (look.clear, look.frames) == (True, 1)


def test_reading_ahead_takes_one_picture_whatever_it_leaves_in_doubt():
    room = Room(otherwise=DOUBT)
    looks = watcher(room)
    looks.glance()
    assert looks.read_ahead().frames == 1
    assert room.told == []


def test_a_camera_lost_in_other_light_is_told_and_putting_it_back_is_tried():
    room = Room(reads={1.0: DOUBT}, lost_from=2)
    with pytest.raises(CameraLost):
        watcher(room).look(20.0)
    assert room.tried == 1.0


def test_clipped_whites_are_exposed_less_while_nobody_looks_and_the_table_is_read_anew():
    room = Room(white=255.0)
    looks = watcher(room)
    looks.glance()
    ahead = looks.read_ahead()
    assert ahead.exposure_due
    assert (looks.ready, room.told) == (True, [])
    changes = looks.glance().changes
    assert room.factor < 1.0
    assert not looks.ready
    assert changes > ahead.changes
    again = looks.read_ahead()
    assert not again.exposure_due
    told = len(room.told)
    looks.glance()
    assert len(room.told) == told


def test_a_look_never_waits_for_a_better_exposure():
    room = Room(white=255.0)
    looks = watcher(room)
    assert looks.look(20.0).exposure_due
    assert looks.look(21.0).exposure_due
    assert room.told == []


def test_what_the_camera_cannot_do_is_asked_for_once():
    room = Room(white=255.0, able=(1.0, 1.0))
    exposure = Exposure(room)
    sighting = room.read(room.picture(), BOX, TABLE, marked_only=True)
    exposure.learn_from(room.picture(), sighting, TABLE)
    assert exposure.is_due
    assert not exposure.settle()
    exposure.learn_from(room.picture(), sighting, TABLE)
    assert not exposure.is_due


def test_other_light_is_a_multiple_of_the_better_exposure():
    room = Room(white=255.0, otherwise=DOUBT)
    looks = watcher(room)
    looks.read_ahead()
    looks.glance()
    usual = room.factor
    room.told.clear()
    room.reads = {}
    looks.look(20.0)
    assert room.told[0] == pytest.approx(0.7 * usual, abs=0.002)
    assert room.factor == usual


def test_a_folder_of_pictures_is_left_alone():
    class Still:
        frame = preview = close = None

    exposure = Exposure(Still())
    room = Room(white=255.0)
    exposure.learn_from(room.picture(), room.read(room.picture(), BOX, TABLE, marked_only=True), TABLE)
    assert not exposure.is_due
    assert not exposure.settle()
    with exposure.restore_after():
        assert not exposure.times(0.7)


def test_a_reader_that_need_not_read_all_of_it_again_is_asked_for_that_only() -> None:
    class Watchful(Room):
        closer: int = 0

        def read_closer(self, *arguments: object, **more: object) -> object:
            self.closer += 1
            return self.read(*arguments, **more)

    room = Watchful(otherwise=DOUBT)
    look = watcher(room).look(20.0)
    assert (look.frames, room.closer) == (3, 2)
