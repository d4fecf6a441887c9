"""When players are told that the picture is a bad one."""

import numpy as np

from referee.game.tiles import Tile
from referee.table.looking.doubts import Complaints
from referee.table.looking.look import Look
from referee.table.looking.table_watcher import RESTLESS
from referee.vision.quality import BRIGHT, CUT_OFF, DARK
from referee.vision.sighting import Quality, Read, Sighting

BAD, DIM = Quality(bright=True), Quality(dark=True)


def look(quality: Quality, *, doubtful: bool = True, exposure_due: bool = False) -> Look:
    read = Read(Tile.from_name("red-7"), 0.6, doubtful, (), np.zeros((4, 2), np.float32), 0.0, 1.0, 1.0)
    return Look(Sighting("rummikub", "markers", (read,), ((0,),), quality), None, exposure_due=exposure_due)


def test_the_reason_stands_before_every_question():
    complaints = Complaints()
    assert complaints.reason(look(BAD)) == BRIGHT
    assert complaints.reason(look(BAD)) == BRIGHT
    assert complaints.reason(look(Quality())) is None


def test_a_bad_picture_that_leaves_no_doubt_is_no_matter():
    assert Complaints().reason(look(BAD, doubtful=False)) is None
    assert Complaints().early_complaint(look(BAD, doubtful=False)) is None


def test_a_look_that_could_not_be_taken_has_its_own_words():
    assert Complaints().reason(Look(None, None, trouble=RESTLESS)) is None


def test_nobody_waits_and_only_what_is_new_is_told():
    complaints = Complaints()
    assert complaints.early_complaint(look(BAD)) == BRIGHT
    assert complaints.early_complaint(look(BAD)) is None
    assert complaints.early_complaint(look(DIM)) == DARK
    assert complaints.early_complaint(look(Quality())) is None
    assert complaints.early_complaint(look(DIM)) == DARK


def test_what_was_the_reason_of_a_question_is_not_told_again():
    complaints = Complaints()
    complaints.reason(look(BAD))
    assert complaints.early_complaint(look(BAD)) is None


def test_what_the_camera_puts_right_by_itself_is_not_told():
    complaints = Complaints()
    assert complaints.early_complaint(look(BAD, exposure_due=True)) is None
    assert complaints.early_complaint(look(BAD)) == BRIGHT


def test_tiles_at_the_edge_that_could_not_be_read_are_told_even_if_all_others_are_sure():
    complaints = Complaints()
    shifted = look(Quality(cut_off_px=((3.0, 40.0),)), doubtful=False)
    assert complaints.early_complaint(shifted) == CUT_OFF
    assert complaints.early_complaint(shifted) is None
