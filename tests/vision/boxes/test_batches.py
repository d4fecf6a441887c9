"""The pictures of an enrolment and the contact sheet of a box."""

from dataclasses import replace

import numpy as np
import pytest
from made_up import READER, batch_for, box_for, known_for, quads, whole_box

from referee.game.tiles import Tile, tile_set
from referee.i18n import ENGLISH
from referee.vision.boxes.batches import faults_of, reread, tile_in_question
from referee.vision.boxes.contact_sheet import GAP, HEIGHT, LABEL, WIDTH, Face, contact_sheet, face_of
from referee.vision.boxes.enrol import Question
from referee.vision.reading.joint import Calibration
from referee.vision.sighting import Quality

GIN = tile_set("gin")
CELL = HEIGHT + LABEL + GAP


def test_a_good_picture_has_no_faults() -> None:
    assert faults_of(batch_for("a.png", ["red-7", "blue-7"], GIN)) == ()


def test_every_fault_of_a_picture_is_told_in_one_sentence_each() -> None:
    quality = Quality(sharp=False, dark=True, hand=True, grey=True, cut_off_px=((1.0, 2.0),))
    batch = batch_for("a.png", ["red-7", "face-down", "face-down"], GIN, quality=quality, scale="tiles")
    faults = [ENGLISH(fault) for fault in faults_of(batch)]
    assert len(faults) == 7
    assert all(fault.endswith(".") and "\n" not in fault for fault in faults)
    assert "2 tiles are face down" in faults[-1]


def test_too_small_a_picture_is_not_called_blurred_too() -> None:
    faults = faults_of(batch_for("a.png", ["red-7"], GIN, quality=Quality(sharp=False), width=14))
    assert len(faults) == 1
    assert "14 pixels wide" in ENGLISH(faults[0])


def test_a_question_says_which_tile_is_meant() -> None:
    batches = [batch_for("a.png", ["red-7"], GIN), batch_for("b.png", ["red-1", "red-8"], GIN)]
    one = tile_in_question(Question(1, 1, ("red-8", "red-3")), batches, (900.0, 600.0))
    assert (one.number, one.picture, one.index) == (2, "b.png", 1)
    assert ENGLISH(one.place) == "at the top left (57, 29 mm)"
    assert (one.names, one.tiles) == (("red-8", "red-3"), tuple(map(Tile.from_name, ("red-8", "red-3"))))
    bare = replace(batches[1].sighting.reads[1], x_mm=None, y_mm=None)
    sighting = replace(batches[1].sighting, reads=(bare, bare))
    unmarked = tile_in_question(
        Question(1, 1, ()), [batches[0], replace(batches[1], sighting=sighting)], (900.0, 600.0)
    )
    assert ENGLISH(unmarked.place) == "at 114, 57 pixels"
    assert unmarked.tiles == ()


def test_the_pictures_read_with_the_box_learnt_from_them() -> None:
    batches = [batch_for(f"{i}.png", names, GIN) for i, names in enumerate(whole_box(GIN))]
    again = reread(batches, box_for(GIN), GIN, known_for(GIN), Calibration())
    assert (again.sure, again.total, again.strange) == (52, 52, ())
    assert [name for name, _ in again.names[0]] == whole_box(GIN)[0]
    twice = reread([*batches, batches[0]], box_for(GIN, reader=READER), GIN, known_for(GIN), Calibration())
    assert twice.strange == tuple(sorted(whole_box(GIN)[0]))


def test_a_contact_sheet_has_a_place_for_every_tile_and_shows_what_is_there() -> None:
    grey = np.full((HEIGHT, WIDTH, 3), 77, np.uint8)
    faces = [Face("black-1", False, grey), Face("red-13", True, grey), Face("face-down", False, grey)]
    sheet = contact_sheet(GIN, faces)
    assert sheet.shape == (5 * CELL + GAP, 13 * (WIDTH + GAP) + GAP, 3)

    def shown(row: int, column: int) -> bool:
        y, x = GAP + row * CELL + HEIGHT // 2, GAP + column * (WIDTH + GAP) + WIDTH // 2
        return bool((sheet[y, x] == 77).all())

    assert shown(0, 0)
    assert shown(GIN.colours.index("red"), 12)
    assert shown(4, 0)
    assert not shown(0, 1)


def test_copies_lie_below_each_other_and_jokers_before_what_is_too_much() -> None:
    box = tile_set("rummikub")
    grey = np.full((HEIGHT, WIDTH, 3), 77, np.uint8)
    faces = [Face(name, False, grey) for name in ("joker", "joker", "red-1", "red-1", "red-1", "yellow-2")]
    assert contact_sheet(box, faces).shape[0] == 9 * CELL + GAP
    assert contact_sheet(box, [])[0, 0, 0] > 240


def test_a_crop_is_upright_whichever_way_the_tile_lay() -> None:
    picture = np.full((400, 400, 3), 200, np.uint8)
    corners = quads(1, 100.0)[0]
    picture[20:60, 20:120] = 30
    upright = face_of(picture, corners, "red-7", doubtful=False).crop
    turned = face_of(picture, np.roll(corners, 2, axis=0), "red-7", doubtful=False).crop
    assert upright[5].mean() < 60 < upright[-5].mean()
    assert turned[5].mean() > 60 > turned[-5].mean()
    with pytest.raises(ValueError, match="expected a crop"):
        Face("red-7", False, upright[1:])
