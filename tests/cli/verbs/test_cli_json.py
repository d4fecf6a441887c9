"""Verbs that answer something answer programs as well: one JSON object on one line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from kept_matches import journal_with
from played import short

from referee.cli.main import main
from referee.game.rulebooks import RULESETS

Captured = pytest.CaptureFixture[str]


def ask(capsys: Captured, *arguments: str) -> dict:
    assert main([*arguments, "--json"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    return json.loads(printed)


def test_all_rule_books(capsys: Captured) -> None:
    books = ask(capsys, "rules")["books"]
    assert [book["name"] for book in books] == list(RULESETS)
    by_name = {book["name"]: book for book in books}
    assert by_name["rummikub"]["first_meld"] == 30
    assert by_name["rummikub"]["players"] == {"fewest": 2, "most": 4}
    assert by_name["gin"]["first_meld"] is None


def test_one_rule_book_with_an_option(capsys: Captured) -> None:
    told = ask(capsys, "rules", "piatnik", "--option", "minutes=3", "--language", "en")
    (minutes,) = [option for option in told["options"] if option["name"] == "minutes"]
    assert minutes["chosen"] == "3"
    assert minutes["default"] in minutes["choices"]
    assert told["turn_seconds"] == 180
    assert all(sentence for sentence in told["rules"])


def test_a_sheet_that_was_written(capsys: Captured, tmp_path: Path) -> None:
    told = ask(capsys, "print", "markers", "--out", str(tmp_path / "m.png"))
    assert told == {"file": str(tmp_path / "m.png"), "sheets": ["markers"], "paper": "a4"}
    assert Path(told["file"]).is_file()


def test_scores_are_those_of_the_format_json(capsys: Captured, tmp_path: Path) -> None:
    state = str(journal_with(tmp_path / "state", short()))
    assert main(["scores", "--state", state, "--format", "json"]) == 0
    expected = capsys.readouterr().out
    assert main(["scores", "--state", state, "--json"]) == 0
    assert capsys.readouterr().out == expected
    assert main(["scores", "--state", state, "--json", "--format", "csv"]) == 2


def test_a_card_names_its_file_or_says_that_there_is_no_match(capsys: Captured, tmp_path: Path) -> None:
    state, card = journal_with(tmp_path / "state", short()), tmp_path / "evening.png"
    assert ask(capsys, "scores", "--state", str(state), "--card", str(card)) == {"file": str(card)}
    assert card.is_file()
    (tmp_path / "empty").mkdir()
    assert ask(capsys, "scores", "--state", str(tmp_path / "empty"), "--card", str(card)) == {"file": None}


def test_a_settings_file_that_was_written(capsys: Captured, tmp_path: Path) -> None:
    assert ask(capsys, "init", str(tmp_path / "referee.toml")) == {"file": str(tmp_path / "referee.toml")}
    assert refuse(capsys, "init", str(tmp_path / "referee.toml"))[0] == 2


def test_a_reset_names_the_backup_that_brings_everything_back(capsys: Captured, tmp_path: Path) -> None:
    state = journal_with(tmp_path / "state", short())
    told = ask(capsys, "reset", "--yes", "--set", f"storage.state={state}")
    assert (told["reset"], told["folder"]) == (True, str(state))
    assert Path(told["undo"]).is_file()
    assert not (state / "journal.db").exists()
    told = ask(capsys, "reset", "--yes", "--backups-too", "--set", f"storage.state={state}")
    assert (told["reset"], told["undo"]) == (True, None)


def refuse(capsys: Captured, *arguments: str) -> tuple[int, dict]:
    """The exit code and the object with which a verb answers that it fails, which are told to people as well."""
    code = main([*arguments, "--json"])
    printed = capsys.readouterr()
    assert printed.out.count("\n") == 1
    answer = json.loads(printed.out)
    assert set(answer) == {"error", "code"}
    assert printed.err == f"referee: {answer['error']}\n"
    return code, answer


NO_PLACE = ["--set", "storage.state=/nowhere/at/all"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["backup", *NO_PLACE],
        ["backup", "/nowhere/at/all/x.zip"],
        ["backup", "--to-usb", "x.zip"],
        ["restore", "/nowhere/at/all.zip", *NO_PLACE],
        ["restore"],
        ["reset", *NO_PLACE],
        ["update", "/nowhere/at/all.bundle"],
        ["update", "ftp://example.org/x"],
        ["doctor", "--bundle", "help.txt"],
        ["config", "solve"],
        ["rules", "chess"],
        ["scores", "--format", "csv"],
        ["scores", "--state", "/nowhere/at/all"],
        ["tournament", "--restore", "/nowhere/at/all.json"],
        ["print", "posters"],
        ["solve", "--no-such-option"],
        ["judge", "--hand", "many"],
        ["calibrate", "/nowhere/at/all.jpg"],
        ["enrol", "/nowhere/at/all.jpg", "--out", "box"],
        ["no-such-verb"],
    ],
)
def test_a_failure_is_an_object_with_what_is_said_and_the_exit_code(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str]
) -> None:
    monkeypatch.setenv("REFEREE_STATE", str(tmp_path))
    code, answer = refuse(capsys, *arguments)
    assert code == answer["code"] == 2


def test_without_json_a_failure_prints_nothing_for_programs(capsys: Captured) -> None:
    assert main(["rules", "chess"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_names_are_as_they_are_whatever_the_terminal_can_show(tmp_path: Path, encoding: str) -> None:
    name = os.fsdecode("Zoë-李-".encode() + b"\xff.toml")
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "referee", "config", "check", tmp_path / name, "--json"],
        capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert done.returncode == 2
    assert name in json.loads(done.stdout.decode(encoding))["error"]
