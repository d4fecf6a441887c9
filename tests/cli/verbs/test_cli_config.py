"""`referee config check`: every fault of the settings, with its line."""

import json
import os
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.settings.settings import example

FAULTY = """\
[camera]
# a comment
kind = "ubs"
width_px = 10
pasword = "geheim"

[panel]
kind = "console"
red_lamp = 99

[wb]
port = 1

[camera.more]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("REFEREE_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_STATE", str(tmp_path / "state"))
    return tmp_path


def check(*arguments: str) -> int:
    return main(["config", "check", *arguments])


def faults(capsys: pytest.CaptureFixture[str]) -> list[tuple[int | None, str]]:
    told = json.loads(capsys.readouterr().out)
    assert told["valid"] is not bool(told["faults"])
    return [(one["line"], one["key"]) for one in told["faults"]]


def test_every_fault_is_told_with_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "referee.toml").write_text(FAULTY)
    assert check("--json") == 2
    assert faults(capsys) == [
        (3, "camera.kind"),
        (4, "camera.width_px"),
        (5, "camera.pasword"),
        (9, "panel.red_lamp"),
        (11, "wb"),
        (None, "camera.more"),
    ]
    assert check() == 2
    printed = capsys.readouterr().out
    assert "referee.toml, line 3: [camera] kind: expected one of pi, usb," in printed
    assert "referee.toml, line 5: [camera] pasword: unknown key pasword in [camera]; did you mean password?" in printed
    assert "referee.toml, line 11: unknown table [wb]; did you mean web?" in printed
    assert "geheim" not in printed


def test_a_secret_of_the_wrong_kind_is_not_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "other.toml").write_text("[web]\nwifi_password = 271828\n")
    assert check("other.toml") == 2
    printed = capsys.readouterr().out
    assert "line 2: [web] wifi_password: expected a text" in printed
    assert "271828" not in printed


def test_what_init_writes_is_valid(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check() == 0
    assert "no settings file" in capsys.readouterr().out
    (folder / "referee.toml").write_text(example())
    assert check("--json") == 0
    assert faults(capsys) == []


def test_values_that_do_not_fit_together(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "referee.toml").write_text('[game]\nrules = "ginn"\n[panel]\nkind = "none"\n')
    assert check() == 2
    assert "gin" in capsys.readouterr().out
    (folder / "referee.toml").write_text("[panel]\nred_lamp = 5\n")
    assert check("--json") == 2
    assert faults(capsys) == [(2, "panel.red_lamp")]


@pytest.mark.parametrize(
    ("text", "key", "told"),
    [
        ('rules = "ginn"', "game.rules", "expected rules out of"),
        ('options = ["entri=30"]', "game.options", "expected an option of rummikub out of"),
        (
            'players = ["Ann", "Ann"]',
            "game.players",
            "expected a name of its own for every player, found 'Ann', 'Ann'",
        ),
        ("handicaps = [1, 2, 3, 4, 5]", "game.handicaps", "expected a handicap for each of 4 players, found 5"),
    ],
)
def test_a_value_that_does_not_fit_the_others_is_told_with_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, key: str, told: str
) -> None:
    (folder / "referee.toml").write_text(f"[game]\n{text}\n")
    assert check("--json") == 2
    assert faults(capsys) == [(2, key)]
    assert check() == 2
    printed = capsys.readouterr().out
    assert printed.startswith(f"referee.toml, line 2: [game] {key.partition('.')[2]}: {told}")
    assert "words." not in printed


def test_addresses_that_are_none_are_told_with_their_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "referee.toml").write_text(
        '[hooks]\nurls = ["http://192.168.1.20/x", "http://[::1"]\nwled = ["192.168.1.30"]\n'
    )
    assert check("--json") == 2
    assert faults(capsys) == [(2, "hooks.urls"), (3, "hooks.wled")]


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ('[camera]\nkind = "network"\nsource = "nonsense"', 3, "camera.source"),
        ('[camera]\nkind = "network"\nsource = "http://8.8.8.8/video"', 3, "camera.source"),
        (
            '[camera]\nkind = "network"\nsource = "https://192.168.1.9/video"\ncertificate = "sha256:zz"',
            4,
            "camera.certificate",
        ),
        ('[camera]\nkind = "network"', 2, "camera.kind"),
        ('[camera]\nkind = "usb"\nsource = "first"', 3, "camera.source"),
        ('[camera]\nkind = "folder"', 2, "camera.kind"),
        ('[camera]\nkind = "video"', 2, "camera.kind"),
        ('[club]\non = true\ntopic = "club/#"', 3, "club.topic"),
        ('[club]\non = true\ntable = "Ä B"', 3, "club.table"),
    ],
)
def test_a_camera_and_a_club_that_play_refuses_are_told_with_their_line(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, line: int, key: str
) -> None:
    (folder / "other.toml").write_text(f"{text}\n")
    assert check("other.toml", "--json") == 2
    assert faults(capsys) == [(line, key)]


def test_a_folder_of_pictures_must_be_there_if_the_settings_are_in_use(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "referee.toml").write_text('[camera]\nkind = "folder"\nsource = "/nowhere"\n')
    assert check("--json") == 2
    assert faults(capsys) == [(3, "camera.source")]
    assert check("referee.toml") == 0  # it may be for another machine


@pytest.mark.parametrize(
    ("text", "key", "told"),
    [
        (
            '[camera]\nlens = "nowhere.toml"',
            "camera.lens",
            "nowhere.toml: expected a lens profile, found: No such file",
        ),
        ('[table]\nbox = "nowhere"', "table.box", "nowhere.json: expected a box file, found none"),
        ('[backup]\nfolder = "~nobody7/backups"', "backup.folder", "expected a folder, found '~nobody7/backups'"),
    ],
)
def test_a_file_that_play_does_not_find_is_told_with_its_line_if_the_settings_are_in_use(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, key: str, told: str
) -> None:
    (folder / "referee.toml").write_text(f"{text}\n")
    assert check("--json") == 2
    (fault,) = json.loads(capsys.readouterr().out)["faults"]
    assert (fault["line"], fault["key"]) == (2, key)
    assert told in fault["text"]
    assert check("referee.toml") == 0  # it may be for another machine


def test_the_page_and_the_environment_are_checked_as_well(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "state").mkdir()
    (folder / "state" / "page.toml").write_text("[game]\nrounds = 0\n")
    assert check("--json") == 2
    assert faults(capsys) == [(2, "game.rounds")]
    (folder / "good.toml").write_text("[game]\nrounds = 2\n")
    assert check("good.toml") == 0
    capsys.readouterr()
    monkeypatch.setenv("REFEREE_CAMERA_KIND", "ubs")
    assert check() == 2
    assert "REFEREE_CAMERA_KIND" in capsys.readouterr().out


def test_what_is_no_toml_is_told_with_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "referee.toml").write_text("[camera]\nkind = \n")
    assert check("--json") == 2
    assert faults(capsys) == [(2, "")]


@pytest.mark.usefixtures("folder")
def test_a_file_that_is_not_there_and_another_action(capsys: pytest.CaptureFixture[str]) -> None:
    assert check("nothing.toml") == 2
    assert main(["config", "chek"]) == 2
    assert "expected check, found 'chek'" in capsys.readouterr().err
