"""`referee doctor` from outside: what it prints, its exit code, and that nothing makes it crash."""

import fcntl
import io
import json
import os
import shutil
import stat
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import FakeReader, negative, read_of, sighting_of

from referee.cli.main import main
from referee.cli.parts.readers import Parts
from referee.cli.programs import checkup
from referee.cli.terminal import common
from referee.devices.wiring.pins import PinMap
from referee.game.notation import parse_table
from referee.sim.table import Setting, VirtualTable

Captured = pytest.CaptureFixture[str]
SIGHTING = sighting_of([read_of("red-7"), read_of("blue-7"), read_of("black-7")])
WITHOUT_PANEL = '[panel]\nkind = "console"\n'


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good table, rendered once: a test that needs another picture draws its own."""
    table = VirtualTable(replace(Setting(), jpeg_quality=90), np.random.default_rng(5))
    table.lay(parse_table("R7 B7 K7 | O3 O4 O5"))
    path = tmp_path_factory.mktemp("table") / "one.jpg"
    cv2.imwrite(str(path), table.picture())
    return path


@pytest.fixture
def folder(tmp_path: Path, picture: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of its own: a folder of pictures, settings that name it, an empty state folder."""
    for name in [name for name in os.environ if name.startswith("REFEREE_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_STATE", str(tmp_path / "state"))
    (tmp_path / "pictures").mkdir()
    shutil.copy(picture, tmp_path / "pictures")
    (tmp_path / "referee.toml").write_text(f'[camera]\nkind = "folder"\nsource = "pictures"\n{WITHOUT_PANEL}')
    return tmp_path


def doctor(*arguments: object, reader: Callable[[], FakeReader] = lambda: FakeReader([SIGHTING])) -> int:
    return main(["doctor", *map(str, arguments)], lambda: Parts(reader, negative))


def findings(capsys: Captured) -> dict[str, dict[str, object]]:
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    return {found["check"]: found for found in json.loads(printed)["findings"]}


def test_everything_is_checked_and_told_as_one_object(folder: Path, capsys: Captured) -> None:
    doctor("--json")
    found = findings(capsys)
    assert set(found) - {"journal place"} == {  # which a machine with the service has as well
        *(
            "settings",
            "pins",
            "game",
            "camera",
            "lens",
            "markers",
            "table size",
            "camera place",
            "play area",
            "resolution",
        ),
        *("focus", "light", "colour", "glare", "tiles", "flicker", "model", "reading", "box"),
        *("journal folder", "journal"),
        *("disk", "machine", "clock", "heat", "power", "memory", "service", "panel"),
    }
    for one in found.values():
        assert one["result"] in ("ok", "skipped", "attention", "wrong")
        assert str(one["found"]).endswith((".", "!", "?"))
        assert one["do"] or one["result"] in ("ok", "skipped")
    assert found["camera"]["result"] == found["markers"]["result"] == found["focus"]["result"] == "ok"
    assert found["camera"]["figures"]["width_px"] == 2304
    assert found["flicker"]["result"] == "skipped"
    # The prepared reader sees three tiles wherever it looks.
    assert found["reading"]["result"] == "wrong"
    assert not list(folder.glob("state/*"))


def test_a_person_gets_a_line_for_each_check_and_what_to_do(folder: Path, capsys: Captured) -> None:
    code = doctor("--picture", folder / "pictures" / "one.jpg")
    printed = capsys.readouterr().out
    assert code == 0
    assert "ok         markers        All four markers can be seen, in the right places." in printed
    assert printed.endswith("Everything is in order.\n")
    assert max(map(len, printed.splitlines())) <= 120


def test_something_wrong_is_told_by_the_exit_code(folder: Path, capsys: Captured) -> None:
    cv2.imwrite(str(folder / "dark.png"), np.full((720, 1280, 3), 9, np.uint8))
    code = doctor("--picture", folder / "dark.png")
    printed = capsys.readouterr().out
    assert code == 1
    assert "wrong      markers        None of the four markers can be seen." in printed
    assert "\n                          -> Print the referee's own markers" in printed
    assert "1 wrong" in printed.splitlines()[-1]


def test_a_picture_is_held_against_the_size_that_is_given(folder: Path, capsys: Captured) -> None:
    doctor("--picture", folder / "pictures" / "one.jpg", "--set", "table.width_mm=700", "--json")
    found = findings(capsys)
    assert set(found) >= {"settings", "markers", "table size", "focus", "light", "glare", "tiles"}
    assert not {"camera", "model", "journal", "panel"} & set(found)
    assert found["table size"]["result"] == "wrong"


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--config", "none.toml"], id="no such settings"),
        pytest.param(["--picture", "none.jpg"], id="no such picture"),
        pytest.param(["--picture", "referee.toml"], id="no picture"),
        pytest.param(["--set", "camera.kindd=usb"], id="no such setting"),
        pytest.param(["--set", "camera"], id="no value"),
        pytest.param(["--nonsense"], id="no such option"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_bad_input_is_one_line_and_exit_code_2(capsys: Captured, arguments: list[str]) -> None:
    assert doctor(*arguments) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)


@pytest.mark.usefixtures("folder")
def test_settings_that_may_not_be_looked_for_are_none(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the home of another user, on Python 3.11."""

    def refused(self: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "is_file", refused)
    assert doctor("--config", "mine.toml") == 2
    assert "expected a settings file, found none (mine.toml)" in capsys.readouterr().err
    doctor("--json")
    assert findings(capsys)["settings"]["found"] == "There is no settings file, so the defaults are used."


@pytest.mark.parametrize(
    ("text", "check", "words"),
    [
        pytest.param("[camera]\nkindd = 1", "settings", "line 2: unknown key kindd", id="unknown key"),
        pytest.param("[camera", "settings", "expected TOML", id="no TOML"),
        pytest.param(f'[camera]\nkind = "folder"\n{WITHOUT_PANEL}', "camera", "path of a folder", id="no source"),
        pytest.param(
            f'[camera]\nkind = "folder"\nsource = "nowhere"\n{WITHOUT_PANEL}', "camera", "nowhere", id="no folder"
        ),
        pytest.param(
            f'[camera]\nkind = "video"\nsource = "referee.toml"\n{WITHOUT_PANEL}', "camera", "video", id="no video"
        ),
        pytest.param('[camera]\nkind = "folder"\n[panel]\nbuzzer = 99', "pins", "line 4", id="no such pin"),
        pytest.param(f'[game]\nrules = "chess"\n{WITHOUT_PANEL}', "game", "chess", id="no such rules"),
        pytest.param('[storage]\nstate = "/proc/nowhere"', "journal folder", "/proc/nowhere", id="no place to write"),
    ],
)
def test_what_is_wrong_with_one_thing_does_not_hide_the_rest(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, text: str, check: str, words: str
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("REFEREE_STATE")  # it would hold before the file
    (folder / "referee.toml").write_text(text)
    assert doctor("--json") == 1
    found = findings(capsys)
    assert found[check]["result"] == "wrong"
    assert words in str(found[check]["found"])
    assert {"model", "disk", "clock", "memory"} <= set(found)


@pytest.mark.usefixtures("folder")
def test_a_reader_that_breaks_is_a_finding_of_its_own(capsys: Captured) -> None:
    def broken() -> FakeReader:
        raise ZeroDivisionError("surprise")

    assert doctor("--json", reader=broken) == 1
    found = findings(capsys)
    assert "ZeroDivisionError: surprise." in str(found["model"]["found"])
    assert "clock" in found


def test_a_damaged_model_is_told(folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_MODELS", str(folder))
    assert doctor("--json") == 1
    found = findings(capsys)["model"]
    assert "tiles.toml" in str(found["found"])
    assert "Install the program again" in str(found["do"])


def test_a_running_referee_is_no_fault_and_keeps_camera_and_pins(folder: Path, capsys: Captured) -> None:
    (folder / "state").mkdir()
    (folder / "referee.toml").write_text('[camera]\nkind = "pi"\n')
    with (folder / "state" / "journal.lock").open("w") as lock:
        lock.write("4711\n")
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        doctor("--json", "--panel")
    found = findings(capsys)
    assert "process 4711" in str(found["running"]["found"])
    assert found["running"]["result"] == "ok"
    assert found["camera"]["result"] == found["panel"]["result"] == "skipped"
    assert "sudo systemctl stop referee" in str(found["camera"]["do"])


def test_the_panel_is_gone_through_with_a_person(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    from referee.devices.panel.gpio import open_panel

    monkeypatch.setattr(
        checkup, "open_panel", lambda *more: open_panel(*more, factory=lambda: MockFactory(pin_class=MockPWMPin))
    )
    (folder / "typed").write_text("y\nn\nwhat?\ny\nq\n")
    (folder / "referee.toml").write_text('[camera]\nkind = "folder"\nsource = "pictures"\n')
    with (folder / "typed").open() as typed:
        monkeypatch.setattr(sys, "stdin", typed)
        assert doctor("--json", "--panel") == 1
    printed = capsys.readouterr()
    steps = [one for one in json.loads(printed.out)["findings"] if one["check"].startswith("panel ")]
    assert [one["result"] for one in steps[:5]] == ["ok", "wrong", "ok", "skipped", "skipped"]
    assert "the long leg" in steps[1]["do"]
    assert len(steps) == len(PinMap().lines)
    assert "1 of 19  Is only the yellow lamp of player 1 lit" in printed.err
    assert "y, n, s or q?" in printed.err


def test_the_known_table_is_the_same_every_time_and_shows_every_number_and_colour() -> None:
    one, other = checkup.known_table(), checkup.known_table()
    assert np.array_equal(one.picture, other.picture)
    assert {name.split("-")[-1] for name in one.tiles} == {*map(str, range(1, 14)), "joker"}
    assert {name.split("-")[0] for name in one.tiles} == {"red", "blue", "black", "orange", "joker"}


@pytest.mark.parametrize(("config", "found"), [("/dev/zero", "a device"), (".", "a folder"), ("none.toml", "none")])
@pytest.mark.usefixtures("folder")
def test_a_config_that_is_no_file_is_told_as_what_it_is(config: str, found: str, capsys: Captured) -> None:
    assert doctor("--config", config) == 2
    err = capsys.readouterr().err
    assert "--config" in err
    assert found in err
    assert err.count("\n") == 1


def test_a_bundle_is_shown_and_then_saved(folder: Path, capsys: Captured) -> None:
    with (folder / "referee.toml").open("a") as file:
        file.write('[game]\nplayers = ["Wolfgang", "Zoë"]\n')
    assert doctor("--bundle", "help.zip") == 0
    printed = capsys.readouterr().out
    with zipfile.ZipFile(folder / "help.zip") as file:
        texts = {name: file.read(name).decode() for name in file.namelist()}
    for text in texts.values():
        assert text.rstrip() in printed
        assert "Wolfgang" not in text
        assert str(folder) not in text
    assert "player 1 and player 2" in texts["findings.txt"]
    assert stat.S_IMODE((folder / "help.zip").stat().st_mode) == 0o600
    assert {one["check"] for one in json.loads(texts["findings.json"])} >= {"camera", "model", "journal", "panel"}


def test_a_bundle_that_is_only_shown_is_not_saved(folder: Path, capsys: Captured) -> None:
    assert doctor("--bundle", "help.zip", "--show", "--json") == 0
    printed = capsys.readouterr().out
    assert json.loads(printed)["saved"] is None
    assert set(json.loads(printed)["texts"]) == set(json.loads(printed)["names"])
    assert not (folder / "help.zip").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_bundle_that_root_saves_belongs_to_the_owner_of_its_folder(folder: Path) -> None:
    """Whoever calls it with sudo wants to send the file."""
    os.chown(folder, 4711, 4712)
    assert doctor("--bundle", "help.zip") == 0
    found = (folder / "help.zip").stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (4711, 4712, 0o600)


@pytest.mark.parametrize(
    ("allows", "target", "why"),
    [(True, "nowhere/help.zip", "no such folder"), (False, "help.zip", "Permission denied")],
)
def test_a_bundle_that_cannot_be_saved_there_is_refused_before_the_checks(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, allows: bool, target: str, why: str
) -> None:
    monkeypatch.setattr(checkup.Checks, "run_all", pytest.fail)
    monkeypatch.setattr(os, "access", lambda *_: allows)
    assert folder.is_dir()
    assert doctor("--bundle", target) == 2
    assert capsys.readouterr().err.rstrip().endswith(f"{target}: expected a place to save the bundle, found: {why}")


def zip_of(path: Path, **texts: str) -> None:
    with zipfile.ZipFile(path, "w") as file:
        for name, text in texts.items():
            file.writestr(name.replace("_", "."), text)


@pytest.mark.parametrize(
    ("put", "found"),
    [
        (lambda path: zip_of(path, holiday_txt="pictures"), "another ZIP file"),
        (lambda path: zip_of(path, about_txt="What I did", log_txt="in the holidays"), "another ZIP file"),
        (lambda path: path.write_bytes(b"a letter"), "no ZIP file"),
        (lambda path: path.mkdir(), "a folder"),
    ],
)
def test_a_bundle_replaces_no_other_file(
    folder: Path, capsys: Captured, put: Callable[[Path], object], found: str
) -> None:
    target = folder / "help.zip"
    put(target)
    before = target.read_bytes() if target.is_file() else None
    assert doctor("--bundle", "help.zip") == 2
    printed = capsys.readouterr()
    assert f"help.zip: expected no file there, or an earlier bundle to be replaced, found {found}" in printed.err
    assert printed.out == ""
    assert (target.read_bytes() if target.is_file() else None) == before
    assert doctor("--bundle", "help.zip", "--show") == 0


def test_a_bundle_replaces_an_earlier_one_and_an_empty_file(folder: Path) -> None:
    target = folder / "help.zip"
    target.touch()
    assert doctor("--bundle", "help.zip") == 0
    with zipfile.ZipFile(target, "a") as file:
        file.writestr("refused-1.jpg", b"a picture")
    assert doctor("--bundle", "help.zip") == 0
    with zipfile.ZipFile(target) as file:
        names = file.namelist()
    assert "about.txt" in names
    assert "refused-1.jpg" not in names
    with zipfile.ZipFile(target, "a") as file:
        file.writestr("letter.txt", "which somebody has added")
    assert doctor("--bundle", "help.zip") == 2


def test_a_file_that_came_while_somebody_was_asked_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = folder / "help.zip"

    def answer(_: str) -> str:
        target.write_bytes(b"a letter")
        return "y"

    monkeypatch.setattr(common, "at_a_terminal", lambda: True)
    monkeypatch.setattr(common, "ask_line", answer)
    assert doctor("--bundle", "help.zip", "--language", "en") == 2
    assert target.read_bytes() == b"a letter"


@pytest.mark.parametrize(("answer", "saved"), [("y", True), ("yes", True), ("n", False), ("", False)])
def test_somebody_at_a_terminal_is_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, answer: str, saved: bool
) -> None:
    monkeypatch.setattr(common, "at_a_terminal", lambda: True)
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{answer}\n"))
    assert doctor("--bundle", "help.zip", "--language", "en") == 0
    assert (folder / "help.zip").exists() == saved


@pytest.mark.parametrize(
    "arguments", [["--pictures"], ["--show"], ["--bundle", "help.txt"], ["--bundle", "a.zip", "--panel"]]
)
def test_a_bundle_is_asked_for_in_one_way(folder: Path, capsys: Captured, arguments: list[str]) -> None:
    assert doctor(*arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not list(folder.glob("*.zip"))
