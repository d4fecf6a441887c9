"""Wooden tables and close-ups that are drawn: always the same, of every kind of top, with what lies on them."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("PIL", reason="tables are drawn with the extra `train`")

from benchmarks import closeups, wood
from benchmarks.made_boxes import SIDE_PX, TABLE_MM
from benchmarks.wooden_tops import TOPS, top_like
from referee.errors import BadInput
from referee.train.pictures.typefaces import Faces, find_faces
from referee.vision.geometry.markers import locate
from referee.vision.sighting import Read, Sighting


@pytest.fixture(scope="module")
def faces() -> Faces:
    try:
        return find_faces()
    except FileNotFoundError as error:
        pytest.skip(f"type faces: {error}")


@pytest.mark.parametrize("kind", TOPS)
def test_a_top_is_the_same_every_time_and_no_plain_sheet(kind: str) -> None:
    body = np.asarray((220, 190, 140), np.float32)
    one, again = (top_like(np.random.default_rng(4), kind, body, 300, 1.8) for _ in range(2))
    assert one.shape == (300, 300, 3)
    assert np.array_equal(one, again)
    assert 0 <= one.min() < one.max() <= 255
    assert one.std(axis=(0, 1)).max() > 1


def test_tables_are_of_wooden_boxes_on_every_kind_of_top(faces: Faces) -> None:
    (kind, (name, picture, truth)), *_ = wood.tables(faces, seed=31, count=1)
    assert kind == next(iter(TOPS))
    assert name.endswith(kind)
    assert picture.shape == (SIDE_PX, SIDE_PX, 3)
    assert locate(np.ascontiguousarray(picture[..., 1]), TABLE_MM, None) is not None
    assert len(truth["tiles"]) >= wood.FEWEST - 2
    (_, (_, again, _)), *_ = wood.tables(faces, seed=31, count=1)
    assert np.array_equal(picture, again)


class Blind:
    """A reader that sees nothing."""

    def read(self, *_: object, **__: object) -> Sighting:
        return Sighting("rummikub", "markers", (), ())


def test_a_tile_that_nobody_sees_is_counted_as_missed_in_silence(faces: Faces) -> None:
    rows = {row.what: row for row in wood.measure(Blind(), faces, seed=31, count=1).rows}
    missed = rows["tiles missed in silence"]
    assert int(missed.figure) >= wood.FEWEST - 2
    assert missed.reached is False


def test_unusual_type_faces_are_unlike_those_of_the_usual_tables(faces: Faces) -> None:
    if not faces.unusual:
        pytest.skip("none of the unusual type faces is installed: make fonts")
    unusual = wood.with_unusual(faces)
    assert unusual.validation == faces.unusual
    assert not set(unusual.validation) & {*faces.training, *faces.validation}
    (one, other) = (next(iter(wood.tables(some, seed=31, count=1)))[1][1] for some in (faces, unusual))
    assert not np.array_equal(one, other)


def test_figures_of_unusual_type_faces_have_rows_of_their_own(faces: Faces, monkeypatch: pytest.MonkeyPatch) -> None:
    some = replace(faces, unusual=faces.unusual or faces.validation)
    monkeypatch.setattr(wood, "tables", lambda *_: iter(()))
    monkeypatch.setattr(wood, "find_faces", lambda: some)
    rows = wood.measure_all(Blind()).rows
    assert len({(row.what, row.on) for row in rows}) == len(rows)
    assert {row.on for row in rows if row.what == "tiles found"} == {wood.WOOD, wood.UNUSUAL}
    assert [row.target for row in rows if row.on == wood.UNUSUAL and row.target] == []


def test_without_unusual_type_faces_the_other_figures_are_there(faces: Faces, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wood, "find_faces", lambda: replace(faces, unusual=()))
    monkeypatch.setattr(wood, "tables", lambda *_: iter(()))
    *_, last = wood.measure_all(Blind()).rows
    assert (last.on, last.reached) == (wood.UNUSUAL, None)
    assert last.figure == "skipped: expected unusual type faces (make fonts installs them), found none"
    with pytest.raises(BadInput, match="expected unusual type faces"):
        wood.main(["--unusual"])


class Told:
    """A reader that knows what it is shown, or takes every tile for a 13, as surely as told."""

    def __init__(self, shown: list[closeups.CloseUp], *, wrong: bool, doubtful: bool) -> None:
        self.shown, self.wrong, self.doubtful = iter(shown), wrong, doubtful

    def read(self, *_: object, **__: object) -> Sighting:
        one = next(self.shown)
        tile = type(one.tile)(13 if one.tile.number != 13 else 1, one.tile.colour) if self.wrong else one.tile
        return Sighting("rummikub", "tiles", (Read(tile, 1.0, self.doubtful, (), one.corners, 0.0),), ())


@pytest.mark.parametrize(
    ("wrong", "doubtful", "silent"), [(False, False, 0), (True, False, 1), (True, True, 0)],
    ids=["right", "wrong", "wrong, and in doubt"],
)  # fmt: skip
def test_close_ups_are_compared_with_the_tile_in_them(
    faces: Faces, monkeypatch: pytest.MonkeyPatch, *, wrong: bool, doubtful: bool, silent: int
) -> None:
    monkeypatch.setattr(closeups, "TOPS", {"cork": TOPS["cork"]})
    monkeypatch.setattr(closeups, "HEIGHTS_PX", (220,))
    shown = list(closeups.close_ups(faces, seed=3, each=1))
    rows = {row.what: row for row in closeups.measure(Told(shown, wrong=wrong, doubtful=doubtful), faces, 3, 1).rows}
    assert rows["tiles found"].count == "1 of 1"
    assert rows["number wrong without doubt"].count == f"{silent} of 1"
