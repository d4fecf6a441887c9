"""The command line as a whole: help, usage errors, exit codes."""

import subprocess
import sys

import pytest
from command_line import run

VERBS = ["demo", "read", "judge", "rules", "train"]


def test_no_verb_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([])[0] == 0
    shown = capsys.readouterr().out
    assert all(f"  {verb} " in shown for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([verb, "--help"])[0] == 0
    assert capsys.readouterr().out.startswith(f"Usage: referee {verb} ")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["dance"], id="unknown verb"),
        pytest.param(["--loud"], id="unknown option"),
        pytest.param(["read"], id="no picture"),
        pytest.param(["read", "t.jpg", "--colour"], id="unknown option of a verb"),
        pytest.param(["read", "t.jpg", "--table"], id="option without its value"),
        pytest.param(["read", "t.jpg", "--table", "big"], id="table of no size"),
        pytest.param(["read", "t.jpg", "--table", "9x6"], id="tiny table"),
        pytest.param(["read", "t.jpg", "--tileset", "domino"], id="unknown tile set"),
        pytest.param(["demo", "--rules", "chess"], id="unknown rules"),
        pytest.param(["demo", "--players", "5"], id="too many players"),
        pytest.param(["demo", "--rounds", "0"], id="no round to play"),
        pytest.param(["demo", "--out", "/dev/null/demo"], id="folder that cannot be"),
        pytest.param(["train", "--pictures", "none"], id="pictures in words"),
        pytest.param(["demo", "--out", ""], id="no folder to write to"),
        pytest.param(["train", "--out", ""], id="no folder for the model"),
        pytest.param(["train", "--work", " "], id="no folder for the pictures"),
        pytest.param(["calibrate", "t.jpg", "--out", ""], id="no profile to write"),
        pytest.param(["enrol", "t.jpg", "--tileset", "gin", "--out", "b", "--sheet", ""], id="no sheet to write"),
        pytest.param(["enrol", "t.jpg", "--tileset", "gin", "--out", ""], id="no box to write"),
        pytest.param(["read", "t.jpg", "--overlay", ""], id="no overlay to write"),
        pytest.param(["play", "--config", "/dev/zero"], id="settings without an end"),
    ],
)
def test_bad_arguments_are_told_in_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments)[0] == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("referee: ")
    assert err.count("\n") == 1


def as_module(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "referee", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environ, check=False)  # noqa: S603


def test_the_package_runs_as_a_module_without_a_traceback() -> None:
    done = as_module("read", "none.jpg", "--table", "big")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
