"""`referee doctor --first-evening` from outside: it asks, records, goes on, and tells bad input in one line."""

import io
import json
import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from command_line import negative

from referee.cli.main import main
from referee.cli.parts.readers import Parts
from referee.cli.programs import first_evening
from referee.cli.programs.first_evening import Console, full_table, reader_on
from referee.doctor.first.bench import Left, Stopped
from referee.doctor.first.steps import STEPS
from referee.game.tiles import tile_set

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings of a machine without camera and pins, an empty state folder, nobody at the keyboard."""
    for name in [name for name in os.environ if name.startswith("REFEREE_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_STATE", str(tmp_path / "state"))
    (tmp_path / "referee.toml").write_text('[camera]\nkind = "folder"\n[panel]\nkind = "console"\n')
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    return tmp_path


def doctor(*arguments: object) -> int:
    return main(["doctor", *map(str, arguments)], lambda: Parts(lambda: pytest.fail("not read"), negative))


SKIPPED = [word for name in ("reading", "heat", "disk") for word in ("--skip", f"{name}=not today")]


def test_what_a_machine_lacks_is_recorded_step_by_step(folder: Path, capsys: Captured) -> None:
    assert doctor("--first-evening", *SKIPPED) == 0
    printed = capsys.readouterr().out
    assert "skipped    heat           Left out: not today." in printed
    assert "3 of 13 steps are done. Open: install," in printed
    steps = json.loads((folder / "state" / "first-evening.json").read_text())["steps"]
    assert [one["step"] for one in steps] == [one.name for one in STEPS]


def test_one_step_is_made_anew_and_the_record_printed(folder: Path, capsys: Captured) -> None:
    doctor("--first-evening", "--out", "mine.json", "--step", "disk", "--json")
    printed = capsys.readouterr()
    assert json.loads(printed.out) == json.loads((folder / "mine.json").read_text())
    assert [one["step"] for one in json.loads(printed.out)["steps"]] == ["disk"]
    assert "Check 8, disk:" in printed.err


def test_once_every_step_is_settled_the_file_can_be_sent(folder: Path, capsys: Captured) -> None:
    doctor("--first-evening", *[word for one in STEPS for word in ("--skip", f"{one.name}=no Pi")])
    assert f"The record can be sent: {folder / 'state' / 'first-evening.json'}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--step", "disk"], id="a step without the evening"),
        pytest.param(["--out", "mine.json"], id="a record without the evening"),
        pytest.param(["--first-evening", "--panel"], id="two things at once"),
        pytest.param(["--first-evening", "--step", "dusk"], id="no such step"),
        pytest.param(["--first-evening", "--skip", "heat"], id="no reason"),
        pytest.param(["--first-evening", "--skip", "heat= "], id="an empty reason"),
        pytest.param(["--first-evening", "--skip", "heats=hot"], id="no such step to skip"),
        pytest.param(["--first-evening", "--out", "referee.toml"], id="another file"),
        pytest.param(["--first-evening", "--out", "."], id="a folder"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_bad_input_is_one_line_and_exit_code_2(capsys: Captured, arguments: list[str]) -> None:
    assert doctor(*arguments) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)


@pytest.mark.parametrize(("option", "value"), [("--step", "dusk"), ("--skip", "dusk=dark")])
@pytest.mark.usefixtures("folder")
def test_the_option_is_named_that_has_an_unknown_step(capsys: Captured, option: str, value: str) -> None:
    assert doctor("--first-evening", option, value) == 2
    assert f"{option}: expected one of" in capsys.readouterr().err


def test_enter_goes_on_s_needs_a_reason_and_q_stops() -> None:
    told: list[str] = []
    lines = iter(["what?\n", "\n", "s\n", "s glued in\n", "q\n", ""])
    console = Console(told.append, lambda: next(lines))
    console.wait_until_done("Lay the markers.")
    assert told[-1] == "Enter, s and why, or q."
    with pytest.raises(Left, match="glued in"):
        console.wait_until_done("Lay the markers.")
    assert told[-1].startswith("s, and why")
    with pytest.raises(Stopped, match="Stopped"):
        console.wait_until_done("Lay the markers.")
    with pytest.raises(Stopped, match="Nobody is there to ask"):
        console.wait_until_done("Lay the markers.")


def test_without_any_input_nobody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(Stopped, match="Nobody is there"):
        Console(lambda _text: None).wait_until_done("Lay the markers.")


def test_the_full_table_is_one_that_a_box_has() -> None:
    tiles = [tile for lying in first_evening.parse_table(first_evening.FULL) for tile in lying]
    assert len(tiles) == 91
    inventory = tile_set("rummikub").inventory()
    assert all(count <= inventory[tile] for tile, count in Counter(tiles).items())


def test_the_full_table_is_read_on_any_number_of_threads() -> None:
    known = full_table()
    sighting = reader_on(1).read(known.picture, known.tileset, known.table_mm)
    assert Counter(one.name for one in sighting.reads) == Counter(known.tiles)
