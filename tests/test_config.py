"""Settings: optional, typed, ranged; whatever is wrong is told with file, line and key."""

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from referee.config import SECTIONS, Settings, example, load
from referee.errors import BadInput


def written(folder: Path, text: str) -> Path:
    path = folder / "referee.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_it_works_with_no_settings_at_all() -> None:
    assert load(None, {}) == Settings()


def test_the_example_file_names_every_setting_and_changes_none(tmp_path: Path) -> None:
    path = written(tmp_path, example())
    assert load(path, {}) == Settings(source=str(path))
    uncommented = "\n".join(line.removeprefix("#") if line.startswith("#") and " = " in line else line
                            for line in example().splitlines())  # fmt: skip
    tables = tomllib.loads(uncommented)
    assert {name: set(table) for name, table in tables.items()} == {
        name: {item.name for item in fields(kind)} for name, kind in SECTIONS.items()
    }
    assert load(written(tmp_path, uncommented), {}) == Settings(source=str(path))


def test_the_environment_overrides_the_file_and_flags_override_both(tmp_path: Path) -> None:
    path = written(tmp_path, '[game]\nrules = "gin"\nrounds = 2\nplayers = ["Ann", "Ben"]\n')
    settings = load(path, {"REFEREE_GAME_ROUNDS": "5", "REFEREE_CAMERA_KIND": "usb"}, {"camera.kind": "folder"})
    assert (settings.game.rules, settings.game.rounds, settings.camera.kind) == ("gin", 5, "folder")
    assert settings.game.players == ("Ann", "Ben")


def test_a_whole_number_will_do_for_a_length(tmp_path: Path) -> None:
    assert load(written(tmp_path, "[table]\nwidth_mm = 1000\n"), {}).table.width_mm == 1000.0


def test_the_panels_table_is_left_to_the_panel(tmp_path: Path) -> None:
    assert load(written(tmp_path, "[panel]\nwhatever = 4\n"), {}).panel == {"whatever": 4}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[camra]\nkind = "pi"', "line 1: unknown table [camra]; did you mean camera?"),
        ("[camera]\n\n  widht_px = 3", "line 3: unknown key widht_px in [camera]; did you mean width_px?"),
        ("[game]\nxyzzy = 3", "line 2: unknown key xyzzy in [game]; known are handicaps, options"),
        ('\n[camera]\nkind = "pie"', "line 3: [camera] kind: expected one of pi, usb, folder, video, virtual, found"),
        ("[game]\nrounds = 0", "line 2: [game] rounds: expected a whole number (1 to 100), found 0"),
        ("[game]\nrounds = true", "line 2: [game] rounds: expected a whole number (1 to 100), found True"),
        ("[table]\nwidth_mm = nan", "line 2: [table] width_mm: expected a number (100 to 5000), found nan"),
        ("[storage]\npictures_mb = -1", "expected a whole number (0 or more), found -1"),
        ("[watching]\nread_ahead = 1", "expected true or false, found 1"),
        ('[game]\nplayers = ["Ann", 2]', "line 2: [game] players: expected a list of texts, found ['Ann', 2]"),
        ("game = 3", "line 1: expected a table [game], found 3"),
        ("game.rounds = 0", "[game] rounds: expected a whole number"),
        ("[game]\nrules = \nrounds = 3", "expected TOML, found: Invalid value (at line 2"),
    ],
)
def test_whatever_is_wrong_is_told_with_file_line_and_key(tmp_path: Path, text: str, told: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadInput) as error:
        load(path, {})
    assert str(path) in str(error.value)
    assert told in str(error.value)


def test_a_bad_override_is_told_with_its_own_name() -> None:
    with pytest.raises(BadInput, match="REFEREE_GAME_ROUNDS: expected a whole number"):
        load(None, {"REFEREE_GAME_ROUNDS": "many"})
    with pytest.raises(BadInput, match=r"expected a setting, found camera.knid; did you mean camera.kind"):
        load(None, {}, {"camera.knid": "usb"})


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="found: No such file"):
        load(tmp_path / "none.toml", {})
    (tmp_path / "latin.toml").write_bytes(b"[game]\nplayers = ['J\xfcrgen']\n")
    with pytest.raises(BadInput, match="UTF-8"):
        load(tmp_path / "latin.toml", {})


def test_a_number_may_be_a_text_where_a_text_belongs():
    settings = load(None, {"REFEREE_GAME_SEASON": "2026"}, {"camera.source": "1", "table.tileset": '"gin"'})
    assert (settings.game.season, settings.camera.source, settings.table.tileset) == ("2026", "1", "gin")
