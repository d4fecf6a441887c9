"""A place is bare only beyond doubt: what may be a tile is asked about, unless it would be a back."""

from typing import Any

import drawn_tiles as drawn
import numpy as np
import pytest
from test_badly_outlined import HIGH, WIDE, along, at, sighting_of, table

from referee.game.tiles import FACE_DOWN, Tile
from referee.table.looking.doubts import readings
from referee.vision.asked import asked_about
from referee.vision.reading.glyphs import BACK_KIND, NONE_KIND
from referee.vision.sighting import Read, perhaps_bare

FAR = along(5)


def hardly_sure(nothing: float, kind: int | None = None) -> drawn.Model:
    """The drawn tiles' reader, which beside the blue 12 also believes in nothing, and sees another kind at will."""

    def reads(array: Any) -> tuple[Any]:
        (answers,) = drawn.reader(array)
        other = answers[:, 11] <= 0
        if kind is not None:
            seen = answers[:, :NONE_KIND].max(axis=1) > 0
            answers[other & seen, :NONE_KIND] = 0.0
            answers[other & seen, kind] = 12.0
        answers[other, NONE_KIND] = 12.0 + nothing
        return (answers,)

    return reads


LONE = table(blue_12=along(0), red_7=FAR)


@pytest.mark.parametrize(
    ("score", "nothing", "expected"),
    [
        pytest.param(4.0, -8.0, ["blue-12", "red-7"], id="a tile beyond doubt"),
        pytest.param(1.0, -1.0, ["blue-12", "red-7?"], id="perhaps a tile"),
        pytest.param(-0.5, 3.0, ["blue-12"], id="a bare place"),
    ],
)
def test_what_may_be_a_tile_is_not_passed_over(score: float, nothing: float, expected: list[str]) -> None:
    seen = sighting_of(LONE, [at(*along(0)), at(*FAR)], hardly_sure(nothing), score)
    assert sorted(read.name + "?" * read.doubtful for read in seen.reads) == expected


def test_players_are_asked_whether_there_is_a_tile() -> None:
    seen = sighting_of(LONE, [at(*along(0)), at(*FAR)], hardly_sure(-1.0), 1.0)
    (doubt,) = asked_about(seen)
    assert doubt.notice.key == "reading.tile_or_bare"
    assert "red-7" in str(doubt.notice.to_json())
    assert doubt.read is not None
    assert FACE_DOWN in dict(doubt.read.alternatives)


def test_a_place_that_would_be_a_back_is_passed_over() -> None:
    seen = sighting_of(LONE, [at(*along(0)), at(*FAR)], hardly_sure(-1.0, BACK_KIND), 1.0)
    assert [read.name for read in seen.reads] == ["blue-12"]


@pytest.mark.parametrize("turn", range(30, 180, 30))
def test_a_tile_found_much_too_small_and_turned_otherwise_is_read(turn: int) -> None:
    """Of all turns the one is taken in which it looks most like a tile."""

    def reads(array: Any) -> tuple[Any]:
        (answers,) = drawn.reader(array)
        answers[:, NONE_KIND] = 12.0
        for row, crop in zip(answers, array, strict=True):
            light = crop.max(axis=0)
            rim = np.concatenate([light[0], light[-1], light[:, 0], light[:, -1]])
            row[NONE_KIND] = -12.0 if rim.max() < -0.25 else 20.0
        return (answers,)

    outlined = at(*FAR, WIDE * 0.3, HIGH * 0.3, turn=8.0 + turn)
    seen = sighting_of(LONE, [at(*along(0)), outlined], reads)
    assert drawn.names_of(seen.reads) == ["blue-12", "red-7"]


def read(name: str, confidence: float, *others: tuple[str, float]) -> Read:
    tile = None if name == FACE_DOWN else Tile.from_name(name)
    return Read(tile, confidence, False, others, np.zeros((4, 2), np.float32), 0.0)


def test_the_chance_of_a_bare_place_is_that_of_a_back() -> None:
    seen = perhaps_bare(read("red-7", 0.9, ("red-1", 0.06), (FACE_DOWN, 0.04)), 0.5)
    assert seen.name == "red-7"
    assert seen.doubtful
    assert seen.confidence == pytest.approx(0.45)
    assert dict(seen.alternatives) == pytest.approx({FACE_DOWN: 0.52, "red-1": 0.03})
    assert readings(seen) == (Tile.from_name("red-7"), None, Tile.from_name("red-1"))


def test_a_back_that_may_be_nothing_stays_a_back() -> None:
    seen = perhaps_bare(read(FACE_DOWN, 0.9, ("red-1", 0.1)), 0.5)
    assert seen.name == FACE_DOWN
    assert dict(seen.alternatives) == pytest.approx({"red-1": 0.05})
