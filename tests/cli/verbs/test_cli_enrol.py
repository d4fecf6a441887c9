"""`referee enrol`: a box from a few pictures; whatever is wrong is told at once, and nothing is stored."""

import io
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import FakeReader, negative, sighting_of
from made_up import READER, MadeUpLearner, batch_for, box_for, whole_box

from referee.cli.main import main
from referee.cli.parts.readers import Parts
from referee.cli.terminal import common
from referee.devices.box_file import load_box, save_box
from referee.errors import CannotJudge
from referee.game.tiles import tile_set
from referee.vision.boxes.enrol import Enrolment
from referee.vision.sighting import Quality

GIN = tile_set("gin")
WHOLE = whole_box(GIN)
Captured = pytest.CaptureFixture[str]


def batches(doubtful: dict[str, str] | None = None, drop: str = "", add: tuple[str, ...] = ()) -> list:
    """Four pictures of a box; tiles named in `doubtful` may as well be another one."""
    found = []
    for i, whole in enumerate(WHOLE):
        names = [name for name in whole if name != drop] + (list(add) if i == 0 else [])
        unsure = {j: doubtful[name] for j, name in enumerate(names) if doubtful and name in doubtful}
        found.append(batch_for(f"{i}.png", names, GIN, unsure))
    return found


class Table:
    """Four pictures on the disk, and a place for boxes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder, folder / "state" / "boxes" / "ours.json"
        self.images = [folder / f"{i}.png" for i in range(4)]
        for i, image in enumerate(self.images):
            cv2.imwrite(str(image), np.full((600, 900, 3), 100 + i, np.uint8))

    def enrol(self, *arguments: object, seen: list | None = None, out: object = "ours") -> int:
        return self.run("enrol", *self.images, "--tileset", "gin", "--out", out, *arguments, seen=seen)

    def run(self, *arguments: object, seen: list | None = None) -> int:
        self.learner = MadeUpLearner("gin", seen or batches(), FakeReader([sighting_of()]))
        parts = Parts(lambda: FakeReader([]), negative, learner=lambda _: self.learner)
        return main([str(a) for a in arguments], lambda: parts)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("REFEREE_STATE", str(tmp_path / "state"))
    return Table(tmp_path)


def test_a_whole_box_is_learnt_and_stored_by_its_name(table: Table, capsys: Captured) -> None:
    assert table.enrol("--table", "800x500") == 0
    assert load_box(table.out, READER, GIN).name == "ours"
    assert table.learner.tables == [(800.0, 500.0)] * 4
    out, err = capsys.readouterr()
    assert "ours: 52 tiles of gin, 26 x 37.5 mm, faces 1 to 13, seen in 4 pictures." in out
    assert "With it 52 of its 52 tiles are read without doubt" in out
    assert err == ""


def test_a_check_stores_nothing(table: Table, capsys: Captured) -> None:
    assert table.enrol("--check") == 0
    assert not table.out.exists()
    assert "this was a check" in capsys.readouterr().out


def test_the_contact_sheet_is_a_picture_of_every_face(table: Table) -> None:
    sheet = table.folder / "sheet.png"
    assert table.enrol("--check", "--sheet", sheet) == 0
    picture = cv2.imread(str(sheet))
    assert picture is not None
    assert picture.shape[1] > picture.shape[0] > 400


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        pytest.param(batches(drop="red-7"), "Missing from the pictures: red 7.", id="a tile missing"),
        pytest.param(batches(add=("red-7",)), "More than a box of gin holds: red 7 (2 times)", id="a tile doubled"),
        pytest.param([*batches(), batches()[0]], "More than", id="a picture shown twice, or two boxes"),
        pytest.param(batches(add=("face-down",)), "1 tile is face down", id="face down"),
        pytest.param([CannotJudge("I see none of the markers.")], "Picture 1 (", id="no markers"),
        pytest.param([batch_for("", [], GIN)], "I cannot see any tiles in it.", id="no tiles"),
        pytest.param([batch_for("", WHOLE[0], GIN, quality=Quality(sharp=False))], "It is blurred", id="blurred"),
        pytest.param([batch_for("", WHOLE[0], GIN, quality=Quality(dark=True))], "It is too dark", id="dark"),
        pytest.param([batch_for("", WHOLE[0], GIN, quality=Quality(bright=True))], "It is too bright", id="bright"),
        pytest.param([batch_for("", WHOLE[0], GIN, quality=Quality(hand=True))], "corner markers is covered",
                     id="a hand"),
        pytest.param([batch_for("", WHOLE[0], GIN, width=20)], "20 pixels wide where 30 are needed", id="small"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_and_nothing_is_stored(table: Table, seen: list, told: str, capsys: Captured) -> None:
    images = [*table.images, *table.images[:1]] if len(seen) > 4 else table.images
    if len(images) > 4:
        images[4] = table.folder / "again.png"
        cv2.imwrite(str(images[4]), np.zeros((600, 900, 3), np.uint8))
    assert table.run("enrol", *images, "--tileset", "gin", "--out", "ours", seen=seen) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert "nothing was stored" in err
    assert not table.out.exists()


def test_all_that_is_wrong_with_all_pictures_is_told_together(table: Table, capsys: Captured) -> None:
    table.images[3].write_bytes(b"none")
    dark = batch_for("", WHOLE[0], GIN, quality=Quality(dark=True, hand=True))
    assert table.enrol(seen=[dark, CannotJudge("I see none of the markers.")]) == 2
    err = capsys.readouterr().err
    assert err.count("too dark") == err.count("covered") == 2
    assert "Picture 2" in err
    assert "Picture 4: " in err
    assert "another kind of file" in err


def test_an_old_file_stays_as_it_was_when_the_new_box_is_not_whole(table: Table) -> None:
    save_box(table.out, box_for(GIN))
    before = table.out.read_bytes()
    assert table.enrol(seen=batches(drop="red-7")) == 2
    assert table.out.read_bytes() == before


TWINS = {"black-1": "black-8", "black-8": "black-1"}


def test_another_file_is_not_replaced_by_a_box_but_an_earlier_box_is(table: Table, capsys: Captured) -> None:
    settings, earlier = table.folder / "settings.json", table.folder / "theirs.json"
    settings.write_text('{"version": 1}', encoding="utf-8")
    assert table.enrol(out=settings) == 2
    assert f"{settings}: expected no file there, or an earlier box to be replaced" in capsys.readouterr().err
    assert settings.read_text(encoding="utf-8") == '{"version": 1}'
    save_box(earlier, box_for(GIN))
    before = earlier.read_bytes()
    assert table.enrol(out=earlier) == 0
    assert earlier.read_bytes() != before


def test_a_damaged_box_in_the_folder_of_boxes_is_enrolled_again(table: Table) -> None:
    table.out.parent.mkdir(parents=True)
    table.out.write_text("cut off", encoding="utf-8")
    assert table.enrol() == 0
    assert load_box(table.out, READER, GIN).name == "ours"


def index_of(name: str) -> tuple[int, int]:
    return next((i, names.index(name)) for i, names in enumerate(WHOLE) if name in names)


def test_a_tile_in_doubt_is_listed_with_the_flag_that_names_it(table: Table, capsys: Captured) -> None:
    assert table.enrol(seen=batches(TWINS)) == 3
    assert not table.out.exists()
    err = capsys.readouterr().err
    for name in TWINS:
        i, j = index_of(name)
        assert f"picture {i + 1} ({i}.png), tile {j}, " in err
        assert f"--name {i + 1}:{j}=TILE" in err
    assert "K1, K8" in err


def test_who_names_the_tiles_gets_the_box(table: Table) -> None:
    (i, j), (k, m) = index_of("black-1"), index_of("black-8")
    assert table.enrol("--name", f"{i + 1}:{j}=K1", "--name", f"{k}.png:{m}=k8", seen=batches(TWINS)) == 0
    assert load_box(table.out, READER).name == "ours"


def test_a_wrong_name_is_found_out_by_what_is_missing_then(table: Table, capsys: Captured) -> None:
    i, j = index_of("black-1")
    assert table.enrol("--name", f"{i + 1}:{j}=R13", seen=batches(TWINS)) == 2
    assert "red 13 (2 times)" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["R7", "9:1=R7", "1:1=Z9", "1:1=O7", "1:1=**", "x.png:1=R7", "7:1=R7", "1:99=R7"])
def test_a_name_for_no_tile_is_refused(table: Table, name: str, capsys: Captured) -> None:
    assert table.enrol("--name", name) == 2
    assert "--name: expected" in capsys.readouterr().err


PASSED = np.asarray([[[200, 100], [240, 100], [240, 160], [200, 160]]], np.float32)


def overlooked() -> list:
    """Four pictures, of which in the second a tile was passed over that is then missing."""
    seen = batches(drop="red-7")
    seen[1] = replace(seen[1], passed_px=PASSED)
    return seen


def test_where_something_like_a_tile_was_passed_over_is_told_and_drawn(table: Table, capsys: Captured) -> None:
    sheet = table.folder / "sheet.png"
    assert table.enrol("--sheet", sheet, seen=overlooked()) == 2
    err = capsys.readouterr().err
    assert "Missing from the pictures: red 7." in err
    assert "picture 2 (1.png): something like a tile was passed over at pixel 220, 130" in err
    assert "--add 2:220,130=TILE" in err
    assert sheet.is_file()
    assert str(sheet) in err


def test_a_tile_that_was_not_found_is_added_and_the_box_is_learnt(table: Table, capsys: Captured) -> None:
    assert table.enrol("--add", "2:220,130=R7", "--json", seen=overlooked()) == 0
    assert table.learner.shown == [("1.png", (220.0, 130.0), "red-7")]
    assert load_box(table.out, READER).name == "ours"
    value = json.loads(capsys.readouterr().out)
    assert (value["learnt"]["tiles"], value["passed_over"]) == (52, [])


def test_json_tells_what_was_passed_over(table: Table, capsys: Captured) -> None:
    assert table.enrol("--json", seen=overlooked()) == 2
    value = json.loads(capsys.readouterr().out)
    assert value["passed_over"] == [{"picture": 2, "image": "1.png", "x_px": 220, "y_px": 130}]


@pytest.mark.parametrize(
    "added", ["2:5=R7", "9:1,1=R7", "1:1,1=Z9", "1:1,1=O7", "x.png:1,1=R7", "1:-1,1=R7", "1:900,1=R7", "1:1,99999=R7"]
)
def test_a_place_without_a_picture_or_a_tile_is_refused(table: Table, added: str, capsys: Captured) -> None:
    assert table.enrol("--add", added) == 2
    assert "--add: " in capsys.readouterr().err
    assert not table.out.exists()


class Unlike(MadeUpLearner):
    """A learner to whom every box looks like another kind, until somebody is sure."""

    def enrol(self, name, tileset, batches, named, *, sure=False):
        if not sure:
            return Enrolment(None, looks_like="rummikub")
        return super().enrol(name, tileset, batches, named, sure=sure)


@pytest.fixture
def unlike(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr("test_cli_enrol.MadeUpLearner", Unlike)
    return table


def test_a_box_that_looks_like_another_kind_is_refused(unlike: Table, capsys: Captured) -> None:
    assert unlike.enrol() == 3
    err = capsys.readouterr().err
    assert "--tileset: expected a box of gin, found inks that look like rummikub" in err
    assert "give --sure if it is really a box of gin, or else --tileset with the kind of box it is" in err
    assert not unlike.out.exists()
    assert unlike.enrol("--json") == 3
    assert json.loads(capsys.readouterr().out)["looks_like"] == "rummikub"


def test_who_is_sure_of_the_kind_gets_the_box(unlike: Table) -> None:
    assert unlike.enrol("--sure") == 0
    assert load_box(unlike.out, READER).name == "ours"


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 3), ("", 3)])
def test_at_a_terminal_the_kind_is_asked(
    unlike: Table, answer: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(common, "at_a_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    assert unlike.enrol() == code
    assert unlike.out.exists() is (code == 0)
    assert "look like a box of rummikub rather than one of gin" in capsys.readouterr().err


def test_at_a_terminal_it_is_asked(table: Table, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    (i, j), answers = index_of("black-1"), io.StringIO("z9\nG7\n1\nK8\n")
    monkeypatch.setattr(common, "at_a_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", answers)
    assert table.enrol(seen=batches(TWINS)) == 0
    err = capsys.readouterr().err
    assert f"Picture {i + 1} ({i}.png), tile {j}, " in err
    assert "1 K1  2 K8" in err
    assert "expected a tile of gin, found G7" in err


def test_who_answers_nothing_stops_it(table: Table, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(common, "at_a_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert table.enrol(seen=batches(TWINS)) == 3
    assert "nothing was stored" in capsys.readouterr().err


def test_json_tells_problems_questions_and_what_was_learnt(table: Table, capsys: Captured) -> None:
    assert table.enrol("--json", seen=batches(TWINS)) == 3
    value = json.loads(capsys.readouterr().out)
    assert value["box"] is None
    assert value["problems"] == []
    assert [one["tiles"] for one in value["pictures"]] == [13] * 4
    i, j = index_of("black-1")
    asked = next(one for one in value["questions"] if one["index"] == j and one["picture"] == i + 1)
    assert asked["names"] == ["black-1", "black-8"]
    assert table.enrol("--json") == 0
    value = json.loads(capsys.readouterr().out)
    assert value["box"] == str(table.out)
    assert value["learnt"] == {
        "name": "ours", "tileset": "gin", "size_mm": [26.0, 37.5, 9.0], "style": "numbers", "tiles": 52, "sure": 52,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--out", "ours.png"], "--out: expected the name of a box"),
        (["--out", ""], "--out: expected the name"),
        (["--out", "ours", "--sheet", "s.txt"], "--sheet: expected a name ending in"),
        (["--out", "ours", "--sheet", "no/where/s.png"], "--sheet: expected a folder"),
        (["--out", "ours", "--tileset", "mahjong"], "--tileset: expected a tile set"),
        (["--out", "ours", "--table", "9"], "--table: expected"),
    ],
)
def test_bad_arguments_are_told_before_any_work(
    table: Table, arguments: list[str], told: str, capsys: Captured
) -> None:
    given = ["--tileset", "gin", *arguments] if "--tileset" not in arguments else arguments
    assert table.run("enrol", *table.images, *given) == 2
    assert told in capsys.readouterr().err
    assert table.learner.tables == []


def test_a_picture_twice_and_too_many_are_refused(table: Table, capsys: Captured) -> None:
    rest = ("--tileset", "gin", "--out", "ours")
    assert table.run("enrol", table.images[0], table.images[0], *rest) == 2
    assert table.run("enrol", *[f"{i}.png" for i in range(13)], *rest) == 2
    assert table.run("enrol", *table.images, *rest, "--sheet", table.images[0]) == 2
    err = capsys.readouterr().err
    assert "found one twice" in err
    assert "found 13" in err
    assert "a picture's own" in err


def test_read_takes_the_box_and_its_size(table: Table, capsys: Captured) -> None:
    table.enrol()
    assert table.run("read", table.images[0], "--box", "ours") == 3
    assert table.learner.known[0][0].name == "ours"
    assert table.learner.reader.asked[0][1] == load_box(table.out, READER).measure(GIN)
    assert table.run("read", table.images[0], "--box", "ours", "--tileset", "piatnik") == 2
    assert table.run("read", table.images[0], "--box", "theirs") == 2
    err = capsys.readouterr().err
    assert "expected a box of piatnik tiles, found one of gin" in err
    assert "theirs.json: expected a box file, found none" in err


def test_judge_takes_the_box_and_its_tiles(table: Table, capsys: Captured) -> None:
    table.enrol()
    capsys.readouterr()
    run = ("judge", "--rules", "classic", "--before", "", "--after", table.images[0], "--box", "ours")
    assert table.run(*run) == 0
    assert table.learner.reader.asked[0][1].name == "gin"
    assert table.run(*run, "--tileset", "classic") == 2
    assert "expected a box of classic tiles" in capsys.readouterr().err
