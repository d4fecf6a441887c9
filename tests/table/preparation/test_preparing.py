"""Power-on in a dark room, then lamp and markers: light and focus come right by themselves, and again every round."""

from dataclasses import replace

import numpy as np
import pytest
from camera_doubles import Clock
from dark_room import Room
from picamera2_double import Picamera2
from virtual_evening import Evening as Virtual

from referee.devices.camera.pi_camera import PiCamera
from referee.devices.camera.pi_focus import USUAL_M
from referee.devices.camera.pi_settings import PiSettings
from referee.errors import CannotJudge
from referee.game.match.phases import Phase
from referee.game.notice import Notice, as_notice
from referee.i18n import ENGLISH
from referee.table.looking.doubts import Complaints
from referee.table.looking.look import Look
from referee.table.looking.table_watcher import TableWatcher
from referee.table.preparation.light_and_focus import TOO_DARK, Rest, rest_of
from referee.vision.exposure import EVEN, FEW, HIGH, paper_of
from referee.vision.geometry.markers import find_markers
from referee.vision.quality import BRIGHT, DARK

GLANCE_S = 0.25
SETTINGS = PiSettings(1152, 648, 288)


class Evening:
    """A Pi's camera before a room, watched as the loop does while nobody presses."""

    def __init__(self, *, rest=Rest.LOBBY, settings=SETTINGS, **room):
        self.clock = Clock(t=0.0)
        self.room = Room(self.clock, **room)
        self.device = Picamera2(self.clock, frame_s=1 / 30, room=self.room)
        self.camera = PiCamera(settings, build=lambda: self.device, now=self.clock)
        self.watcher = TableWatcher(self.camera, self, lambda: None, (900.0, 600.0), self.clock)
        self.watcher.set_rest(rest)
        self.told = []

    def read(self, *_, **__):
        raise CannotJudge(Notice("reading.no_markers"))

    def watch(self, until, done=lambda: False):
        while self.clock.t < until and not done():
            began = self.clock.t
            self.told += self.watcher.glance().told
            self.clock.t = max(self.clock.t, began + GLANCE_S)
        return self.clock.t

    def paper(self):
        picture = self.camera.frame(self.clock.t).picture
        return paper_of(picture, find_markers(picture))

    @property
    def right(self):
        seen = self.paper()
        return seen is not None and EVEN <= seen.level <= HIGH and seen.clipped <= FEW

    @property
    def scans(self):
        return sum("AfTrigger" in controls for controls in self.device.log)


@pytest.mark.parametrize("reflectance", [0.02, 0.05, 0.13, 0.4])
def test_power_on_in_the_dark_over_a_bare_table_then_lamp_and_markers(reflectance):
    evening = Evening(lamp=20.0, markers=20.0, reflectance=reflectance)
    opened = evening.clock.t
    assert opened < 5
    assert evening.device.lens == pytest.approx(1 / USUAL_M)
    evening.watch(20.0)
    assert evening.told == [TOO_DARK]
    assert evening.scans == 0
    evening.watch(23.0, lambda: evening.right)
    assert evening.clock.t <= 23.0
    assert evening.right
    evening.watch(30.0)
    assert evening.right
    assert evening.scans == 1
    assert evening.device.lens == 1.25
    assert evening.camera.fixed["AwbEnable"] is False
    assert evening.camera.fixed["ColourGains"] == pytest.approx((2.1, 1.6), rel=0.05)


def test_the_lamp_first_and_the_markers_later():
    evening = Evening(lamp=10.0, markers=30.0)
    evening.watch(30.0)
    assert evening.scans == 0
    evening.watch(33.0, lambda: evening.right)
    assert evening.right
    evening.watch(36.0)
    assert evening.scans == 1


def test_nothing_is_done_over_and_over_once_all_is_right():
    evening = Evening()
    evening.watch(20.0)
    asked, began = len(evening.device.log), evening.clock.t
    evening.watch(began + 60)
    assert len(evening.device.log) == asked
    assert evening.right


def test_a_scan_that_fails_is_told_once_and_the_lens_stays_by_the_geometry():
    evening = Evening()
    evening.device.focuses = False
    evening.watch(30.0)
    assert evening.scans == 1
    assert len(evening.told) == 1
    assert ENGLISH(evening.told[0]).startswith(
        "The camera could not focus on the markers; it is now focused at 0.92 m"
    )
    assert evening.device.lens == pytest.approx(1 / USUAL_M)
    evening.watcher.set_rest(Rest.NONE)
    evening.watch(evening.clock.t + 2)
    evening.watcher.set_rest(Rest.LOBBY)
    evening.watch(evening.clock.t + 10)
    assert evening.scans == 2
    assert len(evening.told) == 1


def test_between_two_rounds_the_light_is_measured_anew_and_the_focus_is_left_alone():
    evening = Evening()
    evening.watch(15.0)
    evening.watcher.set_rest(Rest.NONE)
    evening.watch(20.0)
    evening.room.warm = (1.7, 2.0)
    evening.watcher.set_rest(Rest.BETWEEN)
    evening.watch(30.0)
    assert evening.camera.fixed["ColourGains"] == pytest.approx((1.7, 2.0), rel=0.05)
    assert evening.scans == 1


def test_during_a_round_nothing_is_measured_unless_a_look_asks_for_it():
    evening = Evening()
    evening.watch(15.0)
    evening.watcher.set_rest(Rest.NONE)
    evening.watch(20.0)
    asked = len(evening.device.log)
    evening.room.lamp = float("inf")
    evening.watch(40.0)
    assert len(evening.device.log) == asked
    assert evening.watcher.look(evening.clock.t).trouble is not None
    evening.watch(50.0)
    assert sum("AeEnable" in controls for controls in evening.device.log[asked:]) >= 1


def test_a_round_that_begins_has_its_light_set_right_by_the_paper_and_no_more():
    evening = Evening(rest=Rest.NONE)
    assert not evening.right
    evening.watcher.clear()
    evening.watch(5.0)
    assert evening.right
    assert not any(controls.get("AeEnable") for controls in evening.device.log[1:])
    assert evening.scans == 0


def test_the_mean_alone_would_clip_white_on_a_dark_cloth():
    assert Evening(rest=Rest.NONE, reflectance=0.02).paper().clipped > 0.5


def test_what_the_settings_name_stays():
    evening = Evening(settings=replace(SETTINGS, exposure_ms=20.0, gain=1.0))
    evening.watch(15.0)
    assert evening.camera.fixed["ExposureTime"] == 20_000
    assert evening.camera.fixed["AnalogueGain"] == 1.0


class TestTold:
    def look(self, level):
        return Look(None, np.full((480, 640, 3), level, np.uint8), trouble=Notice("reading.no_markers"))

    @pytest.mark.parametrize(("level", "says"), [(10, DARK), (255, BRIGHT), (120, None)])
    def test_a_picture_without_a_table_says_whether_the_light_is_to_blame(self, level, says):
        assert Complaints().early_complaint(self.look(level)) == says

    def test_once(self):
        complaints = Complaints()
        assert [complaints.early_complaint(self.look(10)) for _ in range(2)] == [DARK, None]

    def test_before_what_cannot_be_seen(self):
        assert Complaints().reason(self.look(10)) == DARK


def test_who_rests_when():
    assert {phase: rest_of(phase) for phase in Phase if rest_of(phase) is not Rest.NONE} == {
        Phase.LOBBY: Rest.LOBBY, Phase.BETWEEN: Rest.BETWEEN}  # fmt: skip


class TestInTheLoop:
    """What the loop does with it."""

    def test_what_people_should_know_is_said_and_who_rests_is_passed_on(self):
        rests, due = [], [(as_notice("The lens is dirty."),)]

        async def script(evening):
            watcher, glance = evening.watcher, evening.watcher.glance
            watcher.set_rest = rests.append
            watcher.glance = lambda: replace(glance(), told=due.pop() if due else ())
            await evening.start()
            await evening.wait(1)

        said = Virtual().play(script).said
        assert said.count("The lens is dirty.") == 1
        assert rests[-1] is Rest.NONE
