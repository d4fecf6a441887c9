"""`referee play` where a match is under way: it goes on, or is ended after a question; other settings are told."""

import io
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import run

from referee.cli.programs import one_table
from referee.cli.programs.going_on import differences
from referee.cli.programs.pace import Pace
from referee.cli.programs.table import MatchParts, Outlets, ReadingParts, Tabletop
from referee.game.match.events import Started
from referee.game.match.machine import apply
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.journal.opening import Opened, open_journal
from referee.journal.rows import Setup
from referee.settings.settings import Settings
from referee.table.lobby import Plan

Captured = pytest.CaptureFixture[str]
NAMES = ("Anna", "Ben")
RUMMIKUB = Setup.now("rummikub", {})


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A journal whose only match is under way."""
    journal = open_journal(tmp_path / "state").journal
    event = Started(NAMES, 0.0, 3)
    journal.begin(RUMMIKUB, event, apply(RUMMIKUB.state(), event)[0])
    journal.close()
    return tmp_path / "state"


@pytest.fixture
def arguments(tmp_path: Path, state: Path) -> list[str]:
    """For a table without hardware."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "0.png"), np.full((360, 640, 3), 90, np.uint8))
    return [
        "play", "--set", "panel.kind=console", "--set", f"storage.state={state}", "--set", "camera.kind=folder",
        "--set", f"camera.source={pictures}", "--set", 'game.players=["Anna","Ben"]',
    ]  # fmt: skip


@pytest.fixture
def sat_down(monkeypatch: pytest.MonkeyPatch) -> list[State | None]:
    """What every table that was set goes on with; nobody plays at any."""
    found: list[State | None] = []

    async def run_nothing(table: Tabletop, *_: object, **__: object) -> None:
        found.append(table.state if table.state.phase.in_match else None)

    monkeypatch.setattr(Tabletop, "run", run_nothing)
    return found


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Somebody at the terminal who answers this."""

    def answers(text: str) -> None:
        monkeypatch.setattr("referee.cli.programs.going_on.at_a_terminal", lambda: True)
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))

    return answers


def kept(state: Path) -> Opened:
    opened = open_journal(state)
    opened.journal.close()
    return opened


def test_a_new_match_ends_the_one_under_way_after_asking(
    arguments: list[str], state: Path, capsys: Captured, says: Callable[[str], None], sat_down: list[State | None]
) -> None:
    says("y\n")
    assert run([*arguments, "--new"])[0] == 0
    assert "Match 1 (rummikub, Anna and Ben) is under way. End it for good? [y/N]" in capsys.readouterr().err
    assert sat_down == [None]
    found = kept(state).kept
    assert found is not None
    assert found.given_up


@pytest.mark.parametrize("answer", ["n\n", "\n", "", "perhaps\n"])
def test_whoever_does_not_say_yes_keeps_the_match(
    arguments: list[str],
    state: Path,
    capsys: Captured,
    says: Callable[[str], None],
    sat_down: list[State | None],
    answer: str,
) -> None:
    says(answer)
    assert run([*arguments, "--new"])[0] == 1
    assert capsys.readouterr().out == "Nothing was changed: the match goes on with `referee play`.\n"
    assert sat_down == []
    found = kept(state).kept
    assert found is not None
    assert not found.is_over


def test_where_nobody_can_be_asked_nothing_is_ended(
    arguments: list[str], state: Path, capsys: Captured, sat_down: list[State | None]
) -> None:
    assert run([*arguments, "--new"])[0] == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert (
        f"match 1 is under way, found none: add --yes, or end it with `referee scores --state {state} --end 1`" in told
    )
    assert sat_down == []
    assert run(["scores", "--state", state, "--end", "1"])[0] == 0
    assert run([*arguments, "--new"])[0] == 0
    assert sat_down == [None]


def test_with_yes_nobody_is_asked_and_what_was_ended_is_said(
    arguments: list[str], state: Path, capsys: Captured, sat_down: list[State | None]
) -> None:
    assert run([*arguments, "--new", "--yes"])[0] == 0
    told = capsys.readouterr()
    assert "Match 1 (rummikub, Anna and Ben) was given up after 0 rounds; its scores are kept." in told.out
    assert "End it for good?" not in told.err
    assert sat_down == [None]
    found = kept(state).kept
    assert found is not None
    assert found.given_up


def test_yes_alone_answers_nothing(arguments: list[str], capsys: Captured, sat_down: list[State | None]) -> None:
    assert run([*arguments, "--yes"])[0] == 2
    assert "expected --yes together with --new only" in capsys.readouterr().err
    assert sat_down == []


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ([], None),
        (["game.rules=classic"], "with rummikub (not classic): "),
        (['game.options=["minutes=2"]'], "with rummikub (not rummikub minutes=2): "),
        (['game.players=["Anna","Cleo"]'], "with Anna and Ben (not Anna and Cleo): "),
        (['game.players=["Anna","Ben","Cleo"]'], "with Anna and Ben (not Anna, Ben and Cleo): "),
        (["game.players=[]"], None),
        (["game.rounds=1", "game.season=Winter"], "with 3 rounds (not 1) and no season (not the season Winter): "),
        (["game.handicaps=[30,0]"], "with its own handicaps: "),
    ],
)
def test_settings_that_do_not_hold_for_the_match_that_goes_on_are_told_in_one_sentence(
    arguments: list[str], capsys: Captured, sat_down: list[State | None], chosen: list[str], told: str | None
) -> None:
    flags = [flag for setting in chosen for flag in ("--set", setting)]
    assert run([*arguments, *flags])[0] == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "goes on as it began" in line]
    start = "Match 1 goes on as it began, "
    end = "the current settings apply from the next match on."
    assert lines == ([] if told is None else [f"{start}{told}{end}"])
    assert sat_down[0] is not None


def test_a_default_that_is_named_is_no_difference(state: Path) -> None:
    found = kept(state).kept
    assert found is not None
    option = RUMMIKUB.ruleset().options[0]
    plan = Plan(replace(RUMMIKUB, options={option.name: option.default}), NAMES)
    assert differences(found, plan, named=True) == []


def test_a_match_of_older_rulings_goes_on_by_them_and_says_so(state: Path) -> None:
    found = kept(state).kept
    assert found is not None
    old = replace(RUMMIKUB, edition=1)
    older = replace(found, setup=old, state=replace(found.state, rules=old.ruleset()))
    assert differences(older, Plan(RUMMIKUB, NAMES, rounds=3), named=True) == [Notice("console.rulings_of_then")]
    classic = replace(RUMMIKUB, rules="classic")
    assert differences(older, Plan(classic, NAMES, rounds=3), named=True) == [
        Notice("console.rules_not", now="rummikub", wanted="classic")
    ]


def test_what_the_hall_has_said_of_a_match_is_no_difference(state: Path) -> None:
    found = kept(state).kept
    assert found is not None
    drawn = replace(found, setup=replace(RUMMIKUB, draw="cup-r1-t1"))
    other = Plan(replace(RUMMIKUB, rules="classic"), ("Cleo", "Dan"), rounds=7, handicaps=(30, 0))
    assert differences(drawn, other, named=True) == []
    old = replace(RUMMIKUB, edition=1, draw="cup-r1-t1")
    older = replace(found, setup=old, state=replace(found.state, rules=old.ruleset()))
    assert differences(older, other, named=True) == [Notice("console.rulings_of_then")]


def test_tiles_are_called_as_those_of_the_box_that_lies_there_whatever_the_hall_plays(
    arguments: list[str], state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_journal(state)
    opened.journal.give_up()
    gin, event = Setup("gin", {}, draw="cup-r1-t1"), Started(NAMES, 0.0)
    gin = replace(gin, edition=RUMMIKUB.edition)
    opened.journal.begin(gin, event, apply(gin.state(), event)[0])
    opened.journal.close()
    found: list[tuple[str, str]] = []

    class SatDown(Tabletop):
        def __init__(
            self, settings: Settings, match: MatchParts, reading: ReadingParts, outlets: Outlets, pace: Pace | None
        ) -> None:
            super().__init__(settings, match, reading, outlets, pace)
            found.append((self.state.rules.name, outlets.words.faces))

        async def run(self, *_: object, **__: object) -> None:
            """Nobody plays."""

    monkeypatch.setattr(one_table, "Tabletop", SatDown)
    assert run(arguments)[0] == 0
    assert found == [("gin", "numbers")]


def test_at_a_real_terminal_the_question_is_asked_there(arguments: list[str], state: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "referee", *arguments, "--new"]
    with subprocess.Popen(  # noqa: S603
        command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        os.write(ours, b"n\n")
        out, err = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 1
    assert re.search(r"End it for good\? \[y/N\]", err)
    assert out == "Nothing was changed: the match goes on with `referee play`.\n"
    assert kept(state).kept is not None
