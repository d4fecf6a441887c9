"""Boxes that are drawn: whole, always the same, marked; and enrolments with them that must be refused."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

pytest.importorskip("PIL", reason="boxes are drawn with the extra `train`")

from made_up import box_for

from benchmarks import bad_enrolments, made_boxes
from benchmarks.bad_enrolments import KINDS, Laid
from benchmarks.made_boxes import KINDS as BOXES
from benchmarks.made_boxes import TABLE_MM, MadeBox, Piece, batch_of, dealt, make_box, table_of
from referee.cli.verbs.enrol import Result
from referee.game.notice import Notice
from referee.game.tiles import TILE_SETS, Tile
from referee.train.pictures.typefaces import Faces, find_faces
from referee.vision.boxes.batches import Meant
from referee.vision.geometry.markers import locate


@pytest.fixture(scope="module")
def faces() -> Faces:
    try:
        return find_faces()
    except FileNotFoundError as error:
        pytest.skip(f"type faces: {error}")


@pytest.fixture(scope="module")
def box(faces: Faces) -> MadeBox:
    return make_box(3, faces)


def test_a_box_has_the_inks_and_the_faces_of_its_kind(faces: Faces) -> None:
    for number in range(len(BOXES)):
        made = make_box(number, faces)
        assert made.tileset.name == BOXES[number]
        assert set(made.style.inks) == set(made.tileset.colours)
        assert made.style.signs.cards == (made.tileset.faces == "cards")
        assert made.style.face in faces.validation
        assert made.style.face not in faces.training


def test_the_pictures_of_an_enrolment_hold_every_tile_of_the_box(box: MadeBox) -> None:
    pieces = [piece for picture in dealt(box) for piece in picture]
    assert len(pieces) == len(set(pieces))
    assert Counter(tile for tile, _ in pieces) == box.tileset.inventory()


def test_a_piece_is_the_same_whenever_it_is_drawn(faces: Faces, box: MadeBox) -> None:
    again = make_box(box.number, faces)
    tile = Tile(7, box.tileset.colours[0])
    again.piece(tile, 0)
    assert np.array_equal(box.piece(tile, 1), again.piece(tile, 1))
    assert not np.array_equal(box.piece(tile, 0), box.piece(tile, 1))


def test_a_picture_shows_a_marked_table_and_tells_what_lies_there(box: MadeBox) -> None:
    _, picture, truth = batch_of(box, 1)
    located = locate(picture, TABLE_MM)
    assert located is not None
    assert len(located.corners) == 4
    assert len(truth["tiles"]) == len(dealt(box)[1])
    tile = truth["tiles"][0]
    (place,) = located.pose.on_plane([(tile["x_mm"], tile["y_mm"])], 0.0)
    assert (np.asarray(place) > 0).all()
    assert (np.asarray(place) < made_boxes.SIDE_PX).all()


def test_a_table_holds_rows_of_the_box(box: MadeBox) -> None:
    _, _, truth = table_of(box, 0)
    names = Counter((tile["rank"], tile["colour"]) for tile in truth["tiles"])
    assert made_boxes.FEWEST <= len(truth["tiles"]) <= made_boxes.MOST + 5
    assert max(count for (rank, _), count in names.items() if rank != "joker") <= box.tileset.copies


@pytest.fixture
def laid(faces: Faces, box: MadeBox, monkeypatch: pytest.MonkeyPatch) -> Laid:
    """A box whose pictures are only what lies in them."""

    def pieces_of(own: MadeBox, number: int, _: int = 0, pieces: Any = None, *, markers: bool = True) -> Any:
        return own.number, dealt(own)[number] if pieces is None else list(pieces), markers

    monkeypatch.setattr(bad_enrolments, "batch_of", pieces_of)
    others = make_box(7, faces), make_box(4, faces)
    return Laid(box, *others, [pieces_of(box, i) for i in range(4)], [0] * 4)


def lying(laid: Laid, kind: str) -> list[Piece]:
    return [piece for entry in KINDS[kind](laid) for piece in entry[1]]


@pytest.mark.parametrize(
    ("kind", "more"),
    [("a tile missing", -1), ("a tile doubled", 1), ("a face-down tile", 0), ("a tile of another box", 0)],
)
def test_one_tile_is_amiss(laid: Laid, kind: str, more: int) -> None:
    whole, found = [piece for i in range(4) for piece in dealt(laid.box)[i]], lying(laid, kind)
    assert len(found) - len(whole) == more
    assert sum((Counter(found) - Counter(whole)).values()) == (0 if more < 0 else 1)


def test_a_strange_tile_has_an_ink_that_the_box_lacks(laid: Laid) -> None:
    (strange,) = Counter(lying(laid, "a tile of another box")) - Counter(lying(laid, "a picture without markers"))
    assert strange[0] is not None
    assert strange[0].colour not in laid.box.tileset.colours


def test_boxes_are_mixed_by_halves(laid: Laid) -> None:
    for kind, whole in (("two boxes mixed", False), ("two boxes mixed, no tile twice", True)):
        pictures: Any = KINDS[kind](laid)
        assert [number for number, _, _ in pictures] == [3, 3, 7, 7]
        assert (Counter(tile for tile, _ in lying(laid, kind)) == laid.box.tileset.inventory()) is whole


def test_one_picture_is_without_markers(laid: Laid) -> None:
    pictures: Any = KINDS["a picture without markers"](laid)
    assert [marked for _, _, marked in pictures] == [False, True, True, True]


def test_what_was_not_refused_in_one_line_is_told() -> None:
    question = Meant(1, "0.png", 7, Notice("place.middle"), 1.0, 2.0, ("red-7",))
    results = [
        ("m00", Result((), (), problems=("Picture 1 (/tmp/x/0.png): I cannot see any tiles in it.",))),
        ("m03", Result((), (), problems=("One.", "Two."))),
        ("m05", Result((), (), questions=(question,))),
        ("m07", Result((), (), box=box_for(TILE_SETS["gin"]))),
    ]
    figures = bad_enrolments.figures({"a hand": results})
    (row,) = figures.rows
    assert (row.figure, row.reached) == ("3; Picture 1: I cannot see any tiles in it.", False)
    (lines,) = figures.failures.values()
    assert [line.split(":")[1].strip() for line in lines] == ["m03", "m05", "m07"]
    assert lines[-1].endswith("learnt, nothing was said")
