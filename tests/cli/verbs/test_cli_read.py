"""`referee read`: pictures in, sets or JSON out; every picture is handled, bad ones with one line."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import read_of, run, sighting_of

from referee.game.tiles import TILE_SETS
from referee.vision.sighting import Quality

GROUP = sighting_of([read_of("red-7"), read_of("blue-7"), read_of("black-7")], loose=[read_of("face-down")])
NOTHING = sighting_of()

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((40, 60, 3), 200, np.uint8))
    return path


def test_sets_are_shown_in_notation(picture: Path, capsys: Captured) -> None:
    assert run(["read", picture], GROUP)[0] == 0
    out, err = capsys.readouterr()
    assert "R7 B7 K7" in out
    assert "3 tiles (rummikub), 1 face down" in out
    assert err == ""


def test_colour_appears_on_terminals_only(picture: Path, capsys: Captured) -> None:
    run(["read", picture], GROUP)
    assert "\x1b" not in capsys.readouterr().out


def test_a_doubtful_tile_is_marked_with_what_else_it_may_be(picture: Path, capsys: Captured) -> None:
    doubtful = read_of("red-7", True, (("red-7", 0.6), ("red-1", 0.3), ("joker", 0.05)))
    sighting = sighting_of([doubtful], quality=Quality(sharp=False, glare=True, dark=True, hand=True, grey=True))
    assert run(["read", picture], sighting)[0] == 0
    out = capsys.readouterr().out
    assert "R7? (or R1 or **)" in out
    assert "1 in doubt, blurred, glare, dark, a hand, without colours" in out


def test_doubts_that_are_the_boxs_alone_are_told_once(picture: Path, capsys: Captured) -> None:
    reads = [read_of(f"orange-{n}", True, ((f"orange-{n}", 0.9), (f"yellow-{n}", 0.1))) for n in (7, 8)]
    sighting = sighting_of([*reads, read_of("orange-9", True, (("orange-9", 0.6), ("orange-6", 0.4)))])
    assert run(["read", picture], sighting)[0] == 0
    assert "2 doubts would be none if the box were named: give it with --tileset" in capsys.readouterr().out
    assert run(["read", picture, "--tileset", "rummikub"], sighting)[0] == 0
    assert "--tileset" not in capsys.readouterr().out


def test_backs_in_doubt_are_told_apart_from_tiles_in_doubt(picture: Path, capsys: Captured) -> None:
    sighting = sighting_of([read_of("red-7", True)], loose=[read_of("face-down", True), read_of("face-down")])
    run(["read", picture], sighting)
    assert "1 tile (rummikub), 2 face down, 2 in doubt (1 of them face down)" in capsys.readouterr().out


def test_json_is_one_object_per_picture_and_nothing_else(picture: Path, capsys: Captured) -> None:
    assert run(["read", picture, picture, "--json"], GROUP)[0] == 0
    out, err = capsys.readouterr()
    first, second = (json.loads(line) for line in out.splitlines())
    assert first == second == GROUP.to_json(str(picture))
    assert err == ""


def test_the_options_reach_the_reader(picture: Path) -> None:
    code, reader = run(["read", picture, "--tileset", "piatnik", "--table", "1200 x 800.5"], GROUP)
    assert code == 0
    assert reader.asked[0][1:] == (TILE_SETS["piatnik"], (1200.0, 800.5))


def test_without_a_tile_set_the_reader_finds_out(picture: Path) -> None:
    assert run(["read", picture], GROUP)[1].asked[0][1:] == (None, (900.0, 600.0))


def test_a_picture_without_a_tile_cannot_be_judged(picture: Path, capsys: Captured) -> None:
    assert run(["read", picture, "--json"], NOTHING)[0] == 3
    out, err = capsys.readouterr()
    assert json.loads(out)["tiles"] == []
    assert "no tile" in err


def test_tiles_too_small_to_read_are_told(picture: Path, capsys: Captured) -> None:
    small = Quality(too_small=7)
    assert run(["read", picture], replace(NOTHING, quality=small))[0] == 3
    err = capsys.readouterr().err
    assert "7 tiles too small to read" in err
    assert "no tile" not in err
    assert run(["read", picture, "--json"], replace(GROUP, quality=small))[0] == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["quality"]["too_small"] == 7
    assert "7 tiles too small to read" in err


def test_tiles_cut_off_by_the_edge_are_told(picture: Path, capsys: Captured) -> None:
    cut_off = Quality(cut_off_px=((0.5, 20.0), (59.0, 3.25)))
    assert run(["read", picture], replace(NOTHING, quality=cut_off))[0] == 3
    err = capsys.readouterr().err
    assert "2 tiles cut off by the edge of the picture" in err
    assert "no tile" not in err
    assert run(["read", picture, "--json"], replace(GROUP, quality=cut_off))[0] == 0
    out, err = capsys.readouterr()
    quality = json.loads(out)["quality"]
    assert (quality["cut_off"], quality["cut_off_px"]) == (2, [[0.5, 20.0], [59.0, 3.2]])
    assert "2 tiles cut off by the edge of the picture" in err


def test_a_bad_picture_does_not_stop_the_others(picture: Path, tmp_path: Path, capsys: Captured) -> None:
    empty = tmp_path / "empty.jpg"
    empty.touch()
    assert run(["read", tmp_path / "none.jpg", empty, picture, "--json"], GROUP)[0] == 2
    out, err = capsys.readouterr()
    none, no_picture, seen = map(json.loads, out.splitlines())
    assert none["image"] == str(tmp_path / "none.jpg")
    assert (no_picture["image"], no_picture["code"]) == (str(empty), 2)
    assert [f"referee: {one['error']}" for one in (none, no_picture)] == err.splitlines()
    assert "error" not in seen


def test_the_highest_exit_code_wins(picture: Path, tmp_path: Path) -> None:
    assert run(["read", picture, tmp_path / "none.jpg", picture], GROUP, NOTHING)[0] == 3


def test_an_overlay_is_written_whole(picture: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    assert run(["read", picture, "--overlay", out], GROUP)[0] == 0
    assert cv2.imread(str(out))[0, 0].tolist() == [55, 55, 55]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.png", "table.png"]


@pytest.mark.parametrize(
    ("overlay", "there"),
    [("drawn", True), ("drawn/{name}-read.jpg", True), ("drawn/{name}-read.jpg", False), ("drawn/", False)],
)
def test_several_overlays_go_to_a_folder_or_by_name(picture: Path, tmp_path: Path, overlay: str, there: bool) -> None:
    if there:
        (tmp_path / "drawn").mkdir()
    other = tmp_path / "other.png"
    other.write_bytes(picture.read_bytes())
    assert run(["read", picture, other, "--overlay", f"{tmp_path}/{overlay}"], GROUP)[0] == 0
    assert len(list((tmp_path / "drawn").iterdir())) == 2


@pytest.mark.parametrize(
    "overlay",
    [
        pytest.param("out.png", id="one name for two pictures"),
        pytest.param("out", id="no suffix"),
        pytest.param("{name}.txt", id="suffix of no picture"),
        pytest.param("table.png/{name}.png", id="a picture for a folder"),
        pytest.param("{name}.png", id="the pictures themselves"),
        pytest.param("twins/{name}.png", id="the same name twice"),
    ],
)
def test_an_overlay_that_cannot_be_is_refused_before_any_work(
    picture: Path, tmp_path: Path, overlay: str, capsys: Captured
) -> None:
    (tmp_path / "twins").mkdir()
    before = picture.read_bytes()
    code, reader = run(["read", picture, picture, "--overlay", tmp_path / overlay], GROUP)
    assert code == 2
    assert reader.asked == []
    assert picture.read_bytes() == before
    assert capsys.readouterr().err.count("\n") == 1
