"""Box files: written whole or not at all, refused in one line where they are not what was written."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_up import READER, box_for

from referee.devices.box_file import (
    MAX_BYTES,
    BadSeal,
    box_path,
    kept_boxes,
    load_box,
    read_sealed,
    save_box,
    write_sealed,
)
from referee.errors import BadInput
from referee.game.tiles import tile_set

GIN = tile_set("gin")
BOX = box_for(GIN)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save_box(tmp_path / "ours.json", BOX)
    return tmp_path / "ours.json"


def test_a_box_comes_back_as_it_was_stored(path: Path) -> None:
    box = load_box(path, READER, GIN)
    assert (box.name, box.tileset, box.style, box.faces) == (BOX.name, BOX.tileset, BOX.style, BOX.faces)
    assert np.allclose(box.inks, BOX.inks, atol=1e-4)
    assert np.allclose(box.prototypes, BOX.prototypes, atol=1e-4)
    assert path.stat().st_size < 100_000
    assert [one.name for one in path.parent.iterdir()] == ["ours.json"]


def outer(path: Path, **changed: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}), encoding="utf-8")


def content(path: Path, **changed: object) -> None:
    old = json.loads(path.read_text())["content"]
    write_sealed(path, "referee-box", 1, {**old, **changed})


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        pytest.param(lambda p: p.write_bytes(p.read_bytes()[:-200]), "cut off", id="cut off"),
        pytest.param(lambda p: p.write_bytes(b""), "cut off", id="empty"),
        pytest.param(lambda p: p.write_bytes(b"\x89PNG\xff"), "something else", id="a picture"),
        pytest.param(lambda p: p.write_text("[" * 100_000), "something else", id="brackets"),
        pytest.param(lambda p: p.write_bytes(b"1" * (MAX_BYTES + 9)), "at most 5,000,000 bytes", id="endless"),
        pytest.param(lambda p: p.write_text('{"kind": 3}'), "something else", id="another JSON"),
        pytest.param(lambda p: p.write_text(p.read_text().replace('"gin"', '"classic"')), "edited", id="edited"),
        pytest.param(lambda p: outer(p, version=2), "version 1, found referee-box, version 2", id="another version"),
        pytest.param(lambda p: outer(p, kind="referee-lens"), "found referee-lens", id="another kind"),
        pytest.param(lambda p: content(p, version=7), "values that no box has", id="another version within"),
        pytest.param(lambda p: content(p, inks=[[1]]), "values that no box has", id="wrong shapes"),
        pytest.param(lambda p: content(p, colours=["red"] * 4), "values that no box has", id="wrong inks"),
        pytest.param(lambda p: content(p, size_mm=None), "values that no box has", id="no size"),
        pytest.param(lambda p: content(p, tileset="mahjong"), "values that no box has", id="unknown tiles"),
        pytest.param(lambda p: content(p, reader="feed"), "made by another; enrol", id="another network"),
    ],
)
def test_what_was_not_written_so_is_refused_and_says_what_to_do(path: Path, spoil, told: str) -> None:
    spoil(path)
    with pytest.raises(BadInput, match="enrol the box again") as caught:
        load_box(path, READER)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_box_of_another_tile_set_is_refused(path: Path) -> None:
    with pytest.raises(BadInput, match="expected a box of classic tiles, found one of gin"):
        load_box(path, READER, tile_set("classic"))


def test_a_file_that_is_not_there_is_told_with_the_verb_that_makes_one(tmp_path: Path) -> None:
    for path in (tmp_path / "no.json", tmp_path):
        with pytest.raises(BadInput, match="`referee enrol` makes one"):
            load_box(path, READER)


@pytest.mark.parametrize("loop", [False, True])
def test_what_is_no_file_is_told_as_what_it_is(tmp_path: Path, loop: bool) -> None:
    place, found = tmp_path / "mine.json", "Too many levels of symbolic links" if loop else "a device"
    place.symlink_to(place if loop else "/dev/zero")
    with pytest.raises(BadInput, match=f"expected a box file, found {found}; `referee enrol` makes one"):
        load_box(place, READER)


def test_the_old_file_is_untouched_when_writing_fails(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match="No space left"):
        save_box(path, replace(BOX, name="other"))
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == ["ours.json"]


def test_a_value_that_json_does_not_know_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        write_sealed(tmp_path / "x.json", "kind", 1, {"a": float("nan")})
    assert not list(tmp_path.iterdir())


def test_a_seal_holds_whatever_the_layout(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_sealed(path, "kind", 1, {"b": [1.5, 0.1], "a": "ä"})
    path.write_text(json.dumps(json.loads(path.read_text()), indent=3), encoding="utf-8")
    assert read_sealed(path, "kind", 1) == {"a": "ä", "b": [1.5, 0.1]}
    with pytest.raises(BadSeal):
        read_sealed(path, "kind", 2)


@pytest.mark.parametrize(
    ("chosen", "found"),
    [("ours", "boxes/ours.json"), ("ours.json", "ours.json"), ("here/ours", "here/ours"), ("/x/y.JSON", "/x/y.JSON")],
)
def test_a_box_is_named_or_a_file(chosen: str, found: str) -> None:
    assert box_path(chosen, Path("boxes")) == Path(found)


@pytest.mark.parametrize("chosen", ["", "  ", "a\0b", "n" * 61])
def test_no_name_and_an_endless_one_are_refused(chosen: str) -> None:
    with pytest.raises(BadInput, match="expected the name"):
        box_path(chosen, Path("boxes"))


def test_boxes_are_listed_that_can_be_played_with(tmp_path: Path) -> None:
    for name in ("ours", "theirs", "old", "torn", "a.b", "b.json"):
        save_box(tmp_path / f"{name}.json", box_for(GIN, name, "another network" if name == "old" else READER))
    (tmp_path / "torn.json").write_text("{", encoding="utf-8")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    # The name b.json would mean a path.
    assert kept_boxes(tmp_path, READER) == [("a.b", "gin"), ("ours", "gin"), ("theirs", "gin")]
    assert kept_boxes(tmp_path / "nowhere", READER) == []


def test_the_boxes_folder_is_made_and_no_other_one(tmp_path: Path) -> None:
    save_box(tmp_path / "state" / "boxes" / "ours.json", BOX)
    assert load_box(tmp_path / "state" / "boxes" / "ours.json", READER).name == "ours"
    with pytest.raises(BadInput, match="No such file"):
        save_box(tmp_path / "nowhere" / "ours.json", BOX)
    with pytest.raises(BadInput, match="found a folder"):
        save_box(tmp_path, BOX)
