"""Looks: watched, read ahead, confirmed after the press; never of a table on which something moves."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from referee.devices.camera.camera import Frame
from referee.errors import CannotJudge
from referee.game.notation import format_table
from referee.game.tiles import TILE_SETS, Tile
from referee.i18n import ENGLISH
from referee.table.looking.table_watcher import TRIES, TableWatcher
from referee.vision.sighting import Quality, Read, Sighting

BOX = TILE_SETS["rummikub"]


@dataclass
class Scene:
    """A camera and a reader in one: `shows` is what lies there, pictures differ when it differs."""

    shows: str = "R1"
    t: float = 10.0
    restless: int = 0
    reads: int = 0
    frames: list = field(default_factory=list)
    unreadable: bool = False
    doubtful: bool = False
    hidden: bool = False
    unmarked: bool = False
    outline: np.ndarray | None = None
    ink: tuple[int, int, int] | None = None
    misread: str = ""

    def now(self):
        return self.t

    def _grey(self, shape):
        picture = np.full(shape, 80, np.uint8)
        at = sum(map(ord, self.shows)) % 40
        picture[at : at + 30, at : at + 30] = 220
        if self.restless:
            self.restless -= 1
            picture[20 * (self.restless % 5) :, 60:] = 10
        return picture

    def frame(self, after):
        self.t = max(self.t, after) + 0.02
        self.frames.append(after)
        picture = np.dstack([self._grey((120, 160))] * 3)
        if self.ink is not None:
            picture[picture[..., 0] == 80] = self.ink
        return Frame(picture, self.t)

    def preview(self, after):
        self.t = max(self.t, after) + 0.01
        return self._grey((120, 160))

    def close(self):
        self.t = -1.0

    def read(self, picture, tileset, table_mm, *, marked_only):
        assert picture.shape == (120, 160, 3)
        assert tileset is BOX
        assert table_mm == (900.0, 600.0)
        if self.unreadable:
            raise CannotJudge("expected four markers, found one")
        if marked_only and self.unmarked:
            raise CannotJudge("none of the markers")
        self.reads += 1
        tile = Tile.from_name("red-" + (self.misread or self.shows)[1:])
        read = Read(
            tile, 0.9 if self.doubtful else 1.0, self.doubtful, (), np.zeros((4, 2), np.float32), 0.0, 5.0, 5.0
        )
        return Sighting("rummikub", "markers", (read,), ((0,),), Quality(hand=self.hidden),
                        outline_px=self.outline, sure_from=0.98)  # fmt: skip


@pytest.fixture
def scene():
    return Scene()


@pytest.fixture
def watcher(scene):
    return TableWatcher(scene, scene, lambda: BOX, (900.0, 600.0), scene.now)


def seen(look):
    return format_table(look.sighting.table)


def test_a_look_reads_a_picture_from_after_the_press(scene, watcher):
    look = watcher.look(42.0)
    assert seen(look) == "R1"
    assert not look.ahead
    assert all(after >= 42.0 for after in scene.frames)


def test_a_table_read_ahead_is_only_confirmed(scene, watcher):
    watcher.glance()
    watcher.read_ahead()
    assert watcher.ready
    look = watcher.look(50.0)
    assert look.ahead
    assert seen(look) == "R1"
    assert scene.reads == 1
    assert scene.t > 50.0


def test_what_was_changed_since_is_read_anew(scene, watcher):
    watcher.glance()
    watcher.read_ahead()
    scene.shows = "R7"
    look = watcher.look(50.0)
    assert not look.ahead
    assert seen(look) == "R7"


def test_a_change_that_was_undone_again_is_read_anew_too(scene, watcher):
    watcher.glance()
    watcher.read_ahead()
    scene.shows = "R7"
    watcher.glance()
    scene.shows = "R1"
    watcher.glance()
    assert not watcher.ready
    assert not watcher.look(50.0).ahead


def test_watching_tells_how_long_nothing_has_moved(scene, watcher):
    watcher.glance()
    scene.t += 3
    assert watcher.glance().still_s > 3
    scene.shows = "R9"
    glance = watcher.glance()
    assert glance.still_s < 0.1
    assert glance.changes == 2


def test_a_hand_in_the_picture_is_waited_for(scene, watcher):
    scene.restless = 3
    assert seen(watcher.look(20.0)) == "R1"
    assert scene.reads == 1


def test_a_table_that_never_rests_cannot_be_judged(scene, watcher):
    scene.restless = 5 * TRIES
    look = watcher.look(20.0)
    assert look.sighting is None
    assert ENGLISH(look.trouble) == "Something is moving on the table; please take your hands away."
    assert scene.reads == 0


def test_a_picture_without_markers_cannot_be_judged_and_is_never_kept(scene, watcher):
    watcher.glance()
    scene.unreadable = True
    assert ENGLISH(watcher.read_ahead().trouble) == "expected four markers, found one"
    assert not watcher.ready
    assert ENGLISH(watcher.look(20.0).trouble) == "expected four markers, found one"


def test_a_confirmed_table_is_read_anew_for_the_next_turn(watcher):
    watcher.glance()
    look = watcher.read_ahead()
    watcher.confirm(look)
    assert not watcher.ready


def test_closing_closes_the_camera(scene, watcher):
    watcher.close()
    assert scene.t == -1.0


def test_what_was_in_doubt_is_read_anew_at_every_press(scene, watcher):
    scene.doubtful = True
    watcher.glance()
    watcher.read_ahead()
    assert watcher.ready
    assert not watcher.look(50.0).ahead
    scene.doubtful = False
    assert watcher.look(51.0).clear
    assert scene.reads == 3


def test_two_tiles_exchanged_on_the_spot_are_seen_though_no_glance_saw_the_hand(scene, watcher):
    watcher.glance()
    watcher.read_ahead()
    scene.ink = (200, 60, 90)  # as bright as what was there
    look = watcher.look(50.0)
    assert not look.ahead
    assert scene.reads == 2


def test_a_picture_without_any_marker_is_not_judged(scene, watcher):
    scene.unmarked = True
    look = watcher.look(50.0)
    assert look.sighting is None
    assert ENGLISH(look.trouble) == "none of the markers"


def test_the_watched_area_follows_the_markers(scene, watcher):
    scene.outline = np.float32([[0, 0], [30, 0], [0, 30], [0, 0]])  # as if one marker were hidden
    watcher.glance()
    watcher.read_ahead()
    scene.outline = np.float32([[10, 10], [150, 10], [150, 110], [10, 110]])
    watcher.look(20.0)
    scene.shows = "R7"
    watcher.read_ahead()
    assert watcher.ready
    scene.shows = "R8"
    watcher.glance()
    assert not watcher.ready


def test_what_lies_over_the_table_is_told_until_it_may_stay(scene, watcher):
    scene.outline = np.float32([[5, 5], [155, 5], [155, 115], [5, 115]])
    watcher.confirm(watcher.look(20.0))
    assert watcher.is_accustomed
    assert watcher.look(21.0).covers == ()
    scene.shows = "R7"
    look = watcher.look(22.0)
    assert look.covers
    assert not look.clear
    watcher.accustom(look)
    assert watcher.look(23.0).covers == ()


def test_tiles_of_the_last_round_settle_no_doubt_of_the_next(scene, watcher):
    watcher.confirm(watcher.look(20.0))
    scene.doubtful = True
    assert watcher.look(21.0).clear
    watcher.clear()
    assert not watcher.look(22.0).clear


def test_what_was_let_stay_may_go_again(scene, watcher):
    scene.outline = np.float32([[5, 5], [155, 5], [155, 115], [5, 115]])
    watcher.confirm(watcher.look(20.0))
    scene.shows = "R7"
    watcher.accustom(look := watcher.look(21.0))
    assert look.covers
    scene.shows = "R1"
    assert watcher.look(22.0).covers == ()


def test_what_was_insisted_on_settles_no_doubt(scene, watcher):
    scene.outline = np.float32([[5, 5], [155, 5], [155, 115], [5, 115]])
    scene.doubtful = True
    watcher.accustom(watcher.look(20.0))
    assert not watcher.look(21.0).clear


def test_what_an_earlier_look_of_the_turn_was_sure_of_is_no_doubt(scene, watcher):
    watcher.look(20.0)
    scene.doubtful = True
    assert watcher.look(21.0).clear
    assert watcher.look(22.0).clear
    watcher.clear()
    assert not watcher.look(23.0).clear


def test_what_went_again_is_not_expected_to_come_back(scene, watcher):
    scene.outline = np.float32([[5, 5], [155, 5], [155, 115], [5, 115]])
    watcher.confirm(watcher.look(20.0))
    scene.shows = "R7"
    watcher.accustom(watcher.look(21.0))
    watcher.confirm(watcher.look(22.0))
    scene.shows = "R1"
    watcher.confirm(watcher.look(23.0))
    scene.shows = "R12"
    assert watcher.look(24.0).covers
    scene.shows = "R1"
    assert watcher.look(25.0).covers == ()


def test_the_place_of_a_tile_that_cannot_be_found_is_told(scene, watcher):
    scene.outline = np.float32([[5, 5], [155, 5], [155, 115], [5, 115]])
    watcher.confirm(watcher.look(20.0))
    assert watcher.look(21.0).places == ()
    scene.misread = "R9"
    look = watcher.look(22.0)
    assert [str(place.tile) for place in look.places] == ["R1"]
    watcher.clear()
    assert watcher.look(23.0).places == ()


def test_a_hidden_marker_that_may_stay_hidden_is_no_doubt_until_it_was_seen_again(scene, watcher):
    scene.hidden = True
    look = watcher.look(20.0)
    assert look.sighting.quality.hand
    watcher.accustom(look)
    assert watcher.look(21.0).clear
    scene.hidden = False
    assert watcher.look(22.0).clear
    scene.hidden = True
    assert not watcher.look(23.0).clear


def test_a_round_begins_with_no_view_of_the_last(scene, watcher):
    scene.outline = np.float32([[5, 5], [155, 5], [155, 115], [5, 115]])
    watcher.confirm(watcher.look(20.0))
    watcher.clear()
    assert not watcher.is_accustomed
    scene.shows = "R7"
    assert watcher.look(21.0).covers == ()


OUTLINE = np.float32([[5, 5], [155, 5], [155, 115], [5, 115]])


class Swinging(Scene):
    """A scene whose camera hangs a little elsewhere at each reading, as the list says."""

    def read(self, *arguments, **more):
        shift = self.swings.pop(0) if len(self.swings) > 1 else self.swings[0]
        self.outline = OUTLINE + np.float32(shift)
        return super().read(*arguments, **more)


def swinging(*swings):
    scene = Swinging()
    scene.swings = [0.0, *swings]
    return scene, TableWatcher(scene, scene, lambda: BOX, (900.0, 600.0), scene.now)


def test_a_camera_that_was_bumped_is_followed_without_a_question():
    scene, watcher = swinging(0.5, 0.5)
    watcher.confirm(watcher.look(20.0))
    look = watcher.look(21.0)
    assert look.moved
    assert look.clear
    assert scene.reads == 3  # a second picture shows that it is at rest
    assert not watcher.look(22.0).moved
    assert scene.reads == 4


def test_nothing_is_judged_while_the_camera_swings():
    scene, watcher = swinging(*(0.5 + 0.3 * i for i in range(TRIES + 1)), 0.4)
    watcher.confirm(watcher.look(20.0))
    look = watcher.look(21.0)
    assert look.sighting is None
    assert ENGLISH(look.trouble) == "The camera is moving; please let it come to rest."
    scene.swings = [0.4]
    look = watcher.look(22.0)
    assert look.moved
    assert look.clear


def test_a_doubt_settled_by_the_confirmed_table_stays_settled_from_the_cameras_new_place():
    scene, watcher = swinging(0.5, 0.5)
    watcher.confirm(watcher.look(20.0))
    scene.doubtful = True
    look = watcher.look(21.0)
    assert look.moved
    assert look.clear


def test_noise_of_the_markers_is_no_move():
    scene, watcher = swinging(0.03, -0.03, 0.02)
    for t in (20.0, 21.0, 22.0):
        assert not watcher.look(t).moved
    assert scene.reads == 3
