"""The lens calibrated at a screen: what a picture of the sheet counts for, what is missing, and what may go wrong."""

import numpy as np
import pytest
from sheets import LENS, SIZE, photograph, pose, poses, seen, series

from referee.cli.parts import lens_profiles
from referee.cli.parts.lens_profiles import LensKeeper, Optics
from referee.errors import BadInput, CameraLost
from referee.game.notice import Notice
from referee.table.input.requests import LensStep
from referee.table.preparation.enrol_steps import Wanted
from referee.table.preparation.lens_at_a_screen import LensCalibration, compute_lens, find_still_sheet
from referee.table.preparation.lens_steps import MOST_PICTURES, LensLearnt, Measuring, SheetSeen
from referee.vision.geometry.lens_calibration import calibrate_lens

NOBODY = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)


def pictured(one, view, size=SIZE):
    one.picture()
    return one.take_picture(SheetSeen(view, size))


def taken(views):
    one = Measuring()
    for view in views:
        assert pictured(one, view).well
    return one


def keeper(place, known=None):
    return LensKeeper(place, known or Optics(), lambda: "2026-03-01")


class TestSteps:
    def test_every_picture_tells_what_is_still_missing(self):
        one, views = Measuring(), series()
        assert [want.key for want in dict(one.remaining_notice.fields)["wants"]] == [
            "lens.want_pictures", "lens.want_places", "lens.want_tilt",
        ]  # fmt: skip
        step = pictured(one, views[0])
        assert step.told == Notice("lens.pictured", picture=1, corners=54)
        first = dict(one.remaining_notice.fields)["wants"]
        assert first[0] == Notice("lens.want_pictures", number=7)
        assert Notice("box.view_top_left") in dict(first[1].fields)["places"]
        pictured(one, views[1])
        assert Notice("box.view_top_left") not in dict(dict(one.remaining_notice.fields)["wants"][1].fields)["places"]
        for view in views[2:]:
            pictured(one, view)
        assert one.remaining_notice == Notice("lens.enough")

    def test_enough_pictures_of_a_sheet_that_lay_flat_want_it_tilted(self):
        flat = [seen(pose(at, turn=90 + 7 * i), seed=i) for i, at in enumerate([(x, y) for x in (-270, -90, 90, 270)
                                                                                for y in (-110, 110)])]  # fmt: skip
        assert dict(taken(flat).remaining_notice.fields)["wants"] == (Notice("lens.want_tilt"),)

    def test_a_picture_like_an_earlier_one_does_not_count(self):
        one = taken([seen(pose())])
        step = pictured(one, seen(pose((4, 0)), seed=3))
        assert (step.told, step.well, len(one.views)) == (Notice("lens.alike"), False, 1)

    def test_a_picture_of_another_size_does_not_count(self):
        one = taken([seen(pose())])
        assert pictured(one, seen(pose((200, 0))), (640, 480)).told == Notice("lens.other_size")

    def test_what_is_wrong_with_a_picture_is_told(self):
        one = Measuring()
        assert pictured(one, None).told == Notice("box.no_sheet")
        one.picture()
        assert one.take_picture(SheetSeen(None, wrong=Notice("box.hold_still"))).told == Notice("box.hold_still")
        assert one.views == []

    def test_the_last_picture_can_be_taken_back(self):
        one = taken(series()[:2])
        assert one.undo_last_picture().well
        assert len(one.views) == 1
        assert one.undo_last_picture().well
        assert one.undo_last_picture().told == Notice("lens.no_picture")
        assert one.learns().told == Notice("lens.no_picture")

    def test_one_thing_at_a_time(self):
        one = taken(series()[:1])
        assert one.picture().wanted is Wanted.PICTURE
        assert not any(step().well for step in (one.picture, one.undo_last_picture, one.learns))

    def test_there_is_an_end_to_pictures(self):
        one = Measuring(views=list(series()) * 4)
        assert len(one.views) >= MOST_PICTURES
        assert one.picture().told == Notice("lens.no_more_pictures", most=MOST_PICTURES)

    def test_the_picture_that_does_not_go_with_the_others_is_left_out(self):
        views = series()
        views.insert(4, seen(pose((60, 40), (20, 15), lens=LENS), noise=6.0, seed=9))
        one = taken(views)
        one.learns()
        step = one.handle_lens(compute_lens(_Learner(), tuple(one.views), SIZE))
        assert step.told.key == "lens.left_out"
        assert dict(dict(step.told.fields)["why"].fields)["picture"] == Notice("lens.view", number=5)
        assert len(one.views) == len(views) - 1
        one.learns()
        assert one.handle_lens(compute_lens(_Learner(), tuple(one.views), SIZE)).wanted is Wanted.END


class _Learner:
    focal = None

    def learn(self, views, size_px):
        return calibrate_lens(views, size_px)


class TestPictures:
    def test_the_sheet_is_found_in_two_pictures_of_one_view(self):
        picture = photograph(pose())
        came = find_still_sheet(lambda: picture)
        assert (len(came.seen.pixels), came.size_px, came.wrong) == (54, SIZE, None)

    def test_a_sheet_that_moves_is_to_be_held_still(self):
        frames = iter([photograph(pose()), photograph(pose((6, 0)))])
        assert find_still_sheet(lambda: next(frames)).wrong == Notice("box.hold_still")

    def test_no_sheet_is_no_view(self):
        assert find_still_sheet(lambda: NOBODY).seen is None

    @pytest.mark.parametrize(
        ("error", "told"),
        [
            (CameraLost(Notice("camera.waiting", why="...")), "camera.waiting"),
            (RuntimeError("a cable"), "play.stumbled_over"),
        ],
    )
    def test_a_camera_that_gives_none_ends_nothing(self, error, told):
        def frame():
            raise error

        assert find_still_sheet(frame).wrong.key == told


class TestKeeping:
    def test_the_profile_is_kept_with_what_is_known_of_the_camera(self, tmp_path):
        place = tmp_path / "state" / lens_profiles.NAME
        came = compute_lens(keeper(place, Optics(None, "", 1.2)), series(), SIZE)
        assert came.wrong is None
        found = lens_profiles.load(place)
        assert (found.optics, found.made, found.views) == (Optics(SIZE, "", 1.2), "2026-03-01", 13)
        assert found.lens.focal_px == pytest.approx(LENS.focal_px, rel=0.006)

    def test_what_will_not_do_keeps_the_old_one(self, tmp_path):
        place = tmp_path / lens_profiles.NAME
        place.write_text("the old one", encoding="utf-8")
        assert compute_lens(keeper(place), series()[:3], SIZE).wrong == Notice("lens.few", least=8, found=3)
        assert compute_lens(keeper(place, Optics(sensor="imx477")), series(), SIZE).wrong.key == "lens.other_camera"
        assert place.read_text(encoding="utf-8") == "the old one"

    def test_a_place_that_cannot_be_written_is_told(self, tmp_path):
        (tmp_path / "file").write_text("", encoding="utf-8")
        assert compute_lens(keeper(tmp_path / "file" / "lens.toml"), series(), SIZE).wrong.key == "lens.not_written"

    def test_what_nobody_has_thought_of_is_told(self):
        class Broken(_Learner):
            def learn(self, views, size_px):
                raise RuntimeError(len(views), size_px)

        assert compute_lens(Broken(), (), SIZE).wrong.key == "play.stumbled_over"


class _Worker:
    """Does nothing until told to."""

    def __init__(self, picture):
        self.errands, self.any_picture = [], lambda: picture

    def send(self, errand):
        self.errands.append(errand)


class _Presenter:
    def __init__(self):
        self.said = []

    def say(self, told):
        self.said.append(told)

    not_now = say


class TestAtAScreen:
    def test_it_goes_from_begin_to_a_lens(self):
        worker = _Worker(photograph(poses()[0]))
        lens = LensCalibration(_Learner(), worker, _Presenter())
        assert lens.screen_view is None
        assert lens.take_step(LensStep.PICTURE) == Notice("lens.none_begun")
        assert lens.take_step(LensStep.BEGIN) is None
        assert lens.take_step(LensStep.LEARN) == Notice("lens.no_picture")
        assert lens.take_step(LensStep.PICTURE) is None
        assert lens.screen_view.busy
        lens.take_result(worker.errands.pop()())
        assert (lens.screen_view.pictures, lens.screen_view.busy) == (1, False)
        assert any(map(any, lens.screen_view.grid))
        for view in series()[1:]:
            lens.take_step(LensStep.PICTURE)
            lens.take_result(SheetSeen(view, SIZE))
        lens.take_step(LensStep.LEARN)
        lens.take_result(worker.errands[-1]())
        assert not lens.screen_view.under_way
        assert lens.screen_view.told.key == "lens.known"

    def test_it_can_be_given_up_and_what_comes_then_is_nobodys(self):
        worker, presenter = _Worker(NOBODY), _Presenter()
        lens = LensCalibration(_Learner(), worker, presenter)
        lens.take_step(LensStep.BEGIN)
        lens.take_step(LensStep.PICTURE)
        assert lens.take_step(LensStep.STOP) is None
        lens.take_result(LensLearnt(None))
        assert lens.screen_view is None
        assert presenter.said[-1] == Notice("lens.stopped")
        lens.take_step(LensStep.BEGIN)
        lens.take_result(SheetSeen(seen(pose()), SIZE))  # the picture of before
        assert lens.screen_view.pictures == 0

    def test_without_a_real_camera_there_is_nothing_to_calibrate(self):
        assert LensCalibration(None, _Worker(NOBODY), _Presenter()).take_step(LensStep.BEGIN) == Notice(
            "setup.not_here"
        )


def test_the_command_line_tells_the_same():
    with pytest.raises(BadInput) as caught:
        calibrate_lens(series()[:3], SIZE)
    assert caught.value.args == (Notice("lens.few", least=8, found=3),)


def test_markers_beside_the_sheet_tell_a_print_that_was_scaled(monkeypatch):
    picture = photograph(pose())
    monkeypatch.setattr("referee.table.preparation.lens_at_a_screen.cards_mm", lambda *_: (41.2, 41.3))
    assert find_still_sheet(lambda: picture).wrong == Notice("lens.scale", percent=97)
    monkeypatch.setattr("referee.table.preparation.lens_at_a_screen.cards_mm", lambda *_: (40.1, 39.9))
    assert find_still_sheet(lambda: picture).wrong is None
