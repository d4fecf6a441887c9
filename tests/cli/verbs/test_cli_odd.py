"""Odd command lines and surroundings: one line and exit code 2, or simply the result; never a traceback or a hang."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import read_of, run, sighting_of

from referee.cli.terminal.output import ignore_odd_sizes

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize("columns", ["0", "-5", "abc", "1", "²", "", " ", "99999999999999999999"])
def test_a_terminal_of_an_odd_width_is_one_of_unknown_width(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", columns)
    assert run(["rules"])[0] == 0
    assert "rummikub" in capsys.readouterr().out


def test_sizes_that_are_sizes_stay() -> None:
    environ = {"COLUMNS": "120", "LINES": "0"}
    ignore_odd_sizes(environ)
    assert environ == {"COLUMNS": "120"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["demo", "--speed", "5"], "--speed: expected --page beside it, found none"),
        (["demo", "--speed", "nan"], "--speed"),
        (["demo", "--page", "--speed", "inf"], "--speed"),
        (["demo", "--rules", "gin", "--rounds", "3"], "--rounds: expected none in Gin, which is played up to 100"),
        (["demo", "--rounds", "101"], "--rounds: expected at most 100, found 101"),
        (["demo", "--rounds", "0"], "--rounds: expected at least 1, found 0"),
        (["demo", "--seed", "x"], "--seed: expected a whole number, found x"),
        (["judge", "--hand", "-1"], "--hand: expected at least 0, found -1"),
        (["scores", "--end", "1.5"], "--end: expected a whole number, found 1.5"),
        (["train", "--pictures", "0"], "--pictures: expected at least 100, found 0"),
        (["calibrate", "none.png", "--bar", "x"], "--bar: expected a number, found x"),
        (["init", ""], "FILE: expected a name, found nothing"),
        (["init", "."], ".: expected a file to write settings to, found a folder"),
        (["read", " "], "IMAGE: expected a name, found nothing"),
        (["enrol", "", "--tileset", "rummikub"], "IMAGE: expected a name, found nothing"),
        (["doctor", "--picture", ""], "--picture: expected a name, found nothing"),
        (["play", "--set", "=x"], "--set: expected TABLE.KEY=VALUE, found =x"),
        (
            ["play", "--set", "game.handicaps=[true]"],
            "expected a list of whole numbers (-3600 to 3600 s), found [true]",
        ),
        (["play", "--speed", "5", "--set", "camera.kind=folder"], "--speed: expected the virtual table"),
        (["play", "--seed", "5", "--set", "camera.kind=folder"], "--seed: expected the virtual table"),
        (["calibrate", "none.png", "--bar", "nan"], "--bar: expected a number, found nan"),
        (["calibrate", "none.png", "--bar", "inf"], "--bar: expected a number, found inf"),
        (["calibrate", "none.png", "--lens-position", "nan"], "--lens-position"),
        (
            ["judge", "--rules", "rummikub", "--before", "/", "--after", ""],
            "--before: expected a picture, a text file",
        ),
    ],
)
def test_what_would_be_ignored_or_is_no_number_is_refused(
    arguments: list[str], told: str, capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(arguments)[0] == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert told in lines[0]


RUMMIKUB = ["--rules", "rummikub"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["read"], "read: expected IMAGE, found none"),
        (["judge"], "judge: expected --rules, found none"),
        (["enrol", "a.jpg", "b.jpg", "c.jpg"], "enrol: expected --tileset, found none"),
        (["read", "a.jpg", "--tileset"], "--tileset: expected a value, found none"),
        (["scores", "--players=yes"], "--players: expected no value, found one"),
        (["rules", "gin", "nix"], "rules: expected no further argument, found nix"),
        (["nix"], "expected a verb, found 'nix'; `referee --help` lists them"),
        (["rulez"], "expected a verb, found 'rulez'; did you mean rules?"),
        (["--bogus"], "expected an option that exists, found --bogus; --help lists them"),
        (["calibrate", "--bogus"], "calibrate: expected an option that exists, found --bogus; did you mean --out?"),
        (["print", "--paper", "a3"], "--paper: expected one of a4, letter, found 'a3'"),
        (["rules", "nix"], "NAME: expected rules out of"),
        (["demo", "--rules", "nix"], "--rules: expected rules out of"),
        (["judge", "--rules", "nix", "--before", "", "--after", ""], "--rules: expected rules out of"),
        (["demo", "--out", "file/below"], "--out: expected a folder to write to, found a file ("),
    ],
)
def test_what_is_wrong_with_the_arguments_is_told_in_our_words(
    arguments: list[str], told: str, capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert run(arguments)[0] == 2
    err = capsys.readouterr().err
    assert err.startswith(f"referee: {told}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["judge", *RUMMIKUB, "--rules", "classic"],
            "--rules: expected one value, found both 'rummikub' and 'classic'",
        ),
        (["demo", "--seed", "1", "--seed=2"], "--seed: expected one value, found both '1' and '2'"),
        (["hall", "--setup", "a", "--setup", "b"], "--setup: expected one value, found both 'a' and 'b'"),
    ],
)
def test_an_option_with_two_values_is_refused(arguments: list[str], told: str, capsys: Captured) -> None:
    assert run(arguments)[0] == 2
    assert capsys.readouterr().err == f"referee: {told}\n"


def test_the_same_value_twice_is_one() -> None:
    sides = ["--before", "", "--after", "R10 B10 K10", "--opened", "--opened"]
    assert run(["judge", *RUMMIKUB, *RUMMIKUB, *sides])[0] == 0


@pytest.mark.parametrize("kind", ["device", "pipe", "folder"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["read", "{picture}", "--lens", "{it}"],
        ["read", "{it}"],
        ["judge", "--rules", "rummikub", "--after", "", "--before", "{it}"],
        ["calibrate", "{it}"],
        ["doctor", "--picture", "{it}"],
        ["doctor", "--first-evening", "--out", "{it}"],
        ["doctor", "--config", "{it}"],
        ["play", "--config", "{it}"],
    ],
    ids=" ".join,
)
def test_what_is_no_file_is_refused_by_every_option_that_reads_one(
    arguments: list[str], kind: str, tmp_path: Path, capsys: Captured
) -> None:
    it, picture = tmp_path / "it", tmp_path / "picture.png"
    cv2.imwrite(str(picture), np.full((40, 60, 3), 200, np.uint8))
    if kind == "device":
        it.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(it)
    else:
        it.mkdir()
    code, _ = run([one.format(it=it, picture=picture) for one in arguments])
    assert code == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert "it" in lines[0]
    assert kind in lines[0] or "found none" in lines[0]


@pytest.mark.parametrize(
    "arguments",
    [
        ["read", "loop.png"],
        ["read", "table.png", "--overlay", "loop.png"],
        ["enrol", "table.png", "table.png", "--tileset", "rummikub", "--out", "mine", "--sheet", "loop.png"],
        ["enrol", "loop.png", "loop.png", "--tileset", "rummikub", "--out", "mine"],
        ["init", "--force", "loop.png"],
        ["calibrate", "table.png", "--out", "loop.png"],
    ],
    ids=" ".join,
)
def test_a_link_that_leads_to_itself_is_told_in_one_line(
    arguments: list[str], capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop.png").symlink_to("loop.png")
    cv2.imwrite("table.png", np.full((40, 60, 3), 200, np.uint8))
    assert run(arguments, sighting_of([read_of("red-7")]))[0] == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert Path("loop.png").is_symlink()
