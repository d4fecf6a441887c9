"""Reads matched with labels: what counts as found, misread, false, or beside the question."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.truth import Tally, photos, scene_label, tally_photo, tally_scene
from referee.game.tiles import FACE_DOWN, Tile
from referee.vision.sighting import Read, Sighting


def a_read(
    name: str, x: float, y: float, *, doubtful: bool = False, mm: tuple[float, float] | None = None, side: float = 40.0
) -> Read:
    corners = np.asarray([[-side, -side], [side, -side], [side, side], [-side, side]], np.float32) / 2
    tile = None if name == FACE_DOWN else Tile.from_name(name)
    x_mm, y_mm = mm or (None, None)
    return Read(tile, 0.9, doubtful, (), corners + np.asarray([x, y], np.float32), 0.0, x_mm, y_mm)


def seen(*reads: Read, sets: tuple[tuple[int, ...], ...] = ()) -> Sighting:
    return Sighting("rummikub", "markers", reads, sets)


def label(name: str, x: float, y: float, half: float = 25.0) -> dict[str, Any]:
    outline = [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
    return {"label": name, "outline": outline}


def photo(*labels: dict[str, Any]) -> dict[str, Any]:
    return {"image": "p.jpg", "session": "s", "size": [1000, 750], "tiles": list(labels)}


def counts(tally: Tally) -> dict[str, int]:
    """Everything that is not nought."""
    names = ("tiles", "found", "right", "silent_wrong", "doubtful", "false")
    return {name: getattr(tally, name) for name in names if getattr(tally, name)}


RED = label("red-7", 300, 300)


@pytest.mark.parametrize(
    ("reads", "labels", "expected"),
    [
        pytest.param([a_read("red-7", 310, 290)], [RED], {"tiles": 1, "found": 1, "right": 1}, id="right"),
        pytest.param([], [RED], {"tiles": 1}, id="missed"),
        pytest.param([a_read("red-1", 300, 300)], [RED], {"tiles": 1, "found": 1, "silent_wrong": 1}, id="silent"),
        pytest.param(
            [a_read("red-1", 300, 300, doubtful=True)], [RED], {"tiles": 1, "found": 1, "doubtful": 1}, id="doubtful"
        ),
        pytest.param(
            [a_read("red-7", 300, 300, doubtful=True)], [RED],
            {"tiles": 1, "found": 1, "right": 1, "doubtful": 1}, id="right in doubt",
        ),
        pytest.param([a_read("red-7", 340, 300)], [RED], {"tiles": 1, "false": 1}, id="beside the tile"),
        pytest.param(
            [a_read("red-7", 305, 300), a_read("red-7", 295, 300)], [RED],
            {"tiles": 1, "found": 1, "right": 1, "false": 1}, id="one tile read twice",
        ),
        pytest.param([a_read("red-7", 500, 500)], [], {"false": 1}, id="nothing there"),
        pytest.param([a_read("red-7", 15, 300)], [], {}, id="perhaps a tile cut by the edge"),
        pytest.param([], [label("red-7", 24, 300)], {}, id="a labelled tile cut by the left edge"),
        pytest.param([], [label("red-7", 300, 727)], {}, id="a labelled tile cut by the bottom"),
        pytest.param([a_read("red-1", 24, 300)], [label("red-7", 24, 300)], {}, id="a cut tile misread"),
        pytest.param([a_read(FACE_DOWN, 300, 300)], [RED], {"tiles": 1, "found": 1, "silent_wrong": 1}, id="back"),
    ],
)  # fmt: skip
def test_reads_of_a_photo_are_counted(reads: list[Read], labels: list[Any], expected: dict[str, int]) -> None:
    assert counts(tally_photo(seen(*reads), photo(*labels))) == expected


def test_each_read_counts_for_one_label_only() -> None:
    tally = tally_photo(seen(a_read("red-7", 320, 300)), photo(RED, label("red-8", 330, 300)))
    assert (tally.tiles, tally.found) == (2, 1)


def test_of_two_reads_in_one_outline_the_nearer_counts() -> None:
    tally = tally_photo(seen(a_read("red-8", 318, 300), a_read("red-7", 301, 300)), photo(RED))
    assert (tally.right, tally.false) == (1, 1)


@pytest.mark.parametrize(
    ("read", "told"),
    [
        pytest.param(None, "missed p.jpg red-7 at (300, 300)", id="missed"),
        pytest.param(
            a_read("red-1", 300, 300), "misread (SILENT 0.900) p.jpg red-7 at (300, 300) as red-1", id="wrong"
        ),
        pytest.param(
            a_read("red-1", 300, 300, doubtful=True),
            "misread (doubtful 0.900) p.jpg red-7 at (300, 300) as red-1", id="in doubt",
        ),
    ],
)  # fmt: skip
def test_a_failure_is_told_with_its_place(read: Read | None, told: str) -> None:
    assert tally_photo(seen(*([read] if read else [])), photo(RED)).failures == [told]


def hesitating(name: str, *others: tuple[str, float], doubtful: bool = True) -> Read:
    return replace(a_read(name, 300, 300, doubtful=doubtful), alternatives=others)


@pytest.mark.parametrize(
    ("read", "told"),
    [
        pytest.param(hesitating("red-7", doubtful=False), [], id="sure"),
        pytest.param(hesitating("red-7"), ["in doubt (0.900) p.jpg red-7 at (300, 300)"], id="alone"),
        pytest.param(
            hesitating("red-7", ("red-1", 0.06), ("red-7", 0.03), ("blue-7", 0.02), ("blue-1", 0.01)),
            ["in doubt (0.900) p.jpg red-7 at (300, 300), or red-1 0.060, blue-7 0.020"], id="with what it may be",
        ),
        pytest.param(
            hesitating("red-1", ("red-7", 0.1)),
            ["misread (doubtful 0.900) p.jpg red-7 at (300, 300) as red-1, or red-7 0.100"], id="wrong in doubt",
        ),
    ],
)  # fmt: skip
def test_a_doubt_is_told_with_what_else_it_may_be(read: Read, told: list[str]) -> None:
    tally = tally_photo(seen(read), photo(RED))
    assert tally.summary == told
    assert tally.asked == (1 if read.doubtful else 0)
    assert tally.sure == (0 if told else 1)


def test_a_picture_is_asked_about_once_however_many_doubts() -> None:
    tally = tally_scene(seen(at("red-7", 100, 100, doubtful=True), at("blue-7", 127, 100, doubtful=True)), PAIR, "t")
    assert (tally.asked, tally.pictures, len(tally.doubts)) == (1, 1, 2)


def truth(*tiles: tuple[str, float, float, int, int], face_down: int = 0) -> dict[str, Any]:
    """A table's truth of tiles (name, x, y, set, place in the set)."""
    listed = []
    for name, x, y, meld, pos in tiles:
        colour, _, number = name.partition("-")
        rank: Any = "joker" if name == "joker" else int(number)
        place = {"x_mm": x, "y_mm": y, "angle_deg": 0.0, "meld": meld, "pos": pos}
        listed.append({"rank": rank, "colour": None if name == "joker" else colour, **place})
    return {"tileset": "rummikub", "tiles": listed, "face_down": face_down}


def at(name: str, x: float, y: float, *, doubtful: bool = False) -> Read:
    return a_read(name, 2 * x, 2 * y, doubtful=doubtful, mm=(x, y))


PAIR = truth(("red-7", 100, 100, 0, 0), ("blue-7", 127, 100, 0, 1))


@pytest.mark.parametrize(
    ("reads", "expected"),
    [
        pytest.param(
            [at("red-7", 101, 100), at("blue-7", 127, 101)], {"tiles": 2, "found": 2, "right": 2}, id="right"
        ),
        pytest.param([at("red-7", 100, 100)], {"tiles": 2, "found": 1, "right": 1}, id="one missed"),
        pytest.param(
            [at("red-7", 100, 100), at("blue-7", 127, 113)], {"tiles": 2, "found": 1, "right": 1, "false": 1},
            id="too far away",
        ),
        pytest.param(
            [at("red-7", 100, 100), at("blue-9", 127, 100)], {"tiles": 2, "found": 2, "right": 1, "silent_wrong": 1},
            id="silent",
        ),
        pytest.param(
            [at("red-7", 100, 100), at("blue-9", 127, 100, doubtful=True)],
            {"tiles": 2, "found": 2, "right": 1, "doubtful": 1}, id="doubtful",
        ),
        pytest.param(
            [at("red-7", 100, 100), at("blue-7", 127, 100), at("joker", 400, 400)],
            {"tiles": 2, "found": 2, "right": 2, "false": 1}, id="something that is not there",
        ),
    ],
)  # fmt: skip
def test_reads_of_a_marked_table_are_counted(reads: list[Read], expected: dict[str, int]) -> None:
    assert counts(tally_scene(seen(*reads), PAIR, "t")) == expected


def test_distances_are_those_between_read_and_truth() -> None:
    tally = tally_scene(seen(at("red-7", 103, 104), at("blue-7", 127, 100)), PAIR, "t")
    assert tally.distances_mm == pytest.approx([5.0, 0.0])


@pytest.mark.parametrize(
    ("sets", "right"),
    [
        pytest.param(((0, 1),), 1, id="as laid"),
        pytest.param(((1, 0),), 0, id="the other way round"),
        pytest.param(((0,), (1,)), 0, id="apart"),
        pytest.param((), 0, id="not seen"),
    ],
)
def test_a_set_counts_when_it_is_seen_as_laid(sets: tuple[tuple[int, ...], ...], right: int) -> None:
    tally = tally_scene(seen(at("red-7", 100, 100), at("blue-7", 127, 100), sets=sets), PAIR, "t")
    assert (tally.sets, tally.sets_right) == (1, right)


def test_a_set_with_a_tile_too_many_is_not_as_laid() -> None:
    reads = (at("red-7", 100, 100), at("blue-7", 127, 100), at("joker", 154, 100))
    assert tally_scene(seen(*reads, sets=((0, 1, 2),)), PAIR, "t").sets_right == 0


def test_a_set_whose_tile_was_misread_is_still_as_laid() -> None:
    reads = (at("red-7", 100, 100), at("blue-9", 127, 100))
    assert tally_scene(seen(*reads, sets=((0, 1),)), PAIR, "t").sets_right == 1


def test_face_down_tiles_are_no_false_tiles_but_are_counted() -> None:
    tally = tally_scene(seen(at(FACE_DOWN, 300, 300)), truth(face_down=2), "t")
    assert tally.false == 0
    assert tally.failures == ["face-down t: expected 2, found 1"]


def test_of_face_down_tiles_those_beyond_doubt_are_counted() -> None:
    doubtful = replace(at(FACE_DOWN, 500, 300), doubtful=True)
    tally = tally_scene(seen(at(FACE_DOWN, 300, 300), doubtful, at("red-5", 700, 300)), truth(face_down=3), "t")
    assert (tally.backs, tally.backs_sure) == (3, 1)
    more = tally_scene(seen(at(FACE_DOWN, 300, 300), at(FACE_DOWN, 500, 300)), truth(face_down=1), "t")
    assert (more.backs, more.backs_sure) == (1, 1)  # something else was taken for the other one


def test_the_right_number_of_face_down_tiles_is_no_failure() -> None:
    assert tally_scene(seen(at(FACE_DOWN, 300, 300)), truth(face_down=1), "t").failures == []


@pytest.mark.parametrize(
    ("tile", "name"), [({"rank": 7, "colour": "red"}, "red-7"), ({"rank": "joker", "colour": None}, "joker")]
)
def test_a_tile_of_a_truth_has_its_long_name(tile: dict[str, Any], name: str) -> None:
    assert scene_label(tile) == name


def test_tallies_add_up() -> None:
    total = Tally()
    for _ in range(2):
        total.add(Tally(tiles=3, found=2, right=1, silent_wrong=1, doubtful=1, false=4, pictures=1, sets=5,
                        sets_right=4, distances_mm=[0.5], failures=["missed"], sure=1, asked=1,
                        backs=3, backs_sure=2, doubts=["in doubt"]))  # fmt: skip
    assert total == Tally(6, 4, 2, 2, 2, 8, 2, 10, 8, [0.5, 0.5], ["missed", "missed"], 2, 2, 6, 4, ["in doubt"] * 2)


def test_labels_are_read_line_by_line(tmp_path: Path) -> None:
    entries = [photo(RED), photo()]
    (tmp_path / "labels.jsonl").write_text("\n".join(json.dumps(e) for e in entries) + "\n")
    assert photos(tmp_path) == entries
