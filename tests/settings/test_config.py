"""Settings: optional, typed, ranged; whatever is wrong is told with file, line and key."""

import os
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from referee.cli.parts.from_settings import pins_of
from referee.errors import BadInput
from referee.settings.file import text_of
from referee.settings.settings import SECTIONS, SETTINGS, Settings, example, load


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


def test_every_setting_has_a_meaning_and_a_range_that_holds_its_default() -> None:
    for name, setting in SETTINGS.items():
        assert setting.text.endswith("."), name
        assert setting.check(setting.default, name) == setting.default
        assert (setting.low is None) == (setting.high is None)


@pytest.mark.parametrize("ending", ["_mm", "_px", "_s", "_ms", "_m", "_hz", "_mb"])
def test_a_setting_whose_name_ends_in_a_unit_has_that_unit(ending: str) -> None:
    found = [setting for name, setting in SETTINGS.items() if name.endswith(ending)]
    assert found
    assert {setting.unit.lower() for setting in found} == {ending[1:]}


def test_settings_can_be_tried_with_a_text_of_the_pages_file_that_is_not_written(tmp_path: Path) -> None:
    flags = {"storage.state": str(tmp_path)}
    tried = load(None, {}, flags, state=Path, page="[game]\nrounds = 7\n")
    assert (tried.game.rounds, list(tmp_path.iterdir())) == (7, [])
    with pytest.raises(BadInput, match=r"page.toml, line 2: \[game\] rounds: expected a whole number"):
        load(None, {}, flags, state=Path, page="[game]\nrounds = 0\n")
    (tmp_path / "page.toml").write_text("[game]\nrounds = 9\n")
    assert load(None, {}, flags, state=Path, page="").game.rounds == 3
    assert load(None, {}, flags, state=Path).game.rounds == 9


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
        ("[game]\nxyzzy = 3", "line 2: unknown key xyzzy in [game]; known are coach, handicaps, language"),
        ('\n[camera]\nkind = "pie"', "line 3: [camera] kind: expected one of pi, usb, network, folder, video"),
        ("[game]\nrounds = 0", "line 2: [game] rounds: expected a whole number (1 to 100), found 0"),
        ("[game]\nrounds = true", "line 2: [game] rounds: expected a whole number (1 to 100), found true"),
        ("[table]\nwidth_mm = nan", "line 2: [table] width_mm: expected a number (100 to 5000 mm), found nan"),
        ("[storage]\npictures_mb = -1", "expected a whole number (0 to 1000000 MB), found -1"),
        ("[watching]\nread_ahead = 1", "expected true or false, found 1"),
        ('[game]\nplayers = ["Ann", 2]', "line 2: [game] players: expected a list of texts, found ['Ann', 2]"),
        (
            '[web]\nlisten = "127.0.0.1:80"',
            "expected a name or an address without a port, which is set by web.port, found",
        ),
        ('[web]\nlisten = "[::1]"', "line 2: [web] listen: expected a name or an address without a port"),
        ('[club]\nbroker = "mqtt://hall"', "which is set by club.port, found 'mqtt://hall'"),
        ('[club]\nbroker = "the hall"', "[club] broker: expected a name or an address without a port"),
        ("game = 3", "line 1: expected a table [game], found 3"),
        ("game.rounds = 0", "[game] rounds: expected a whole number"),
        ("[game]\nrules = \nrounds = 3", "expected TOML, found: Invalid value (at line 2"),
        ("panel = 3", "line 1: expected a table [panel], found 3"),
        ("[[panel]]", "line 1: expected a table [panel], found [{}]"),
        ("panel = ['a']", "line 1: expected a table [panel], found ['a']"),
        (
            "[panel]\nred_lamp = 0x" + "f" * 5000,
            "line 2: [panel] red_lamp: expected a setting of the panel, found some",
        ),
        ("[game]\nrounds = " + "9" * 5000, "expected TOML, found a number with thousands of digits"),
        ("[game]\nrounds = 0x" + "f" * 5000, "expected a whole number (1 to 100), found something endless..."),
        (
            "[table]\nwidth_mm = " + "9" * 400,
            "line 2: [table] width_mm: expected a number (100 to 5000 mm), found 9999",
        ),
        ("[game]\nrounds = " + "[" * 3000 + "]" * 3000, "expected TOML, found hundreds of brackets within each other"),
        (
            "[game]\nhandicaps = [5, 1" + "0" * 400 + "]",
            "expected a list of whole numbers (-3600 to 3600 s), found [5, 1",
        ),
        ('[storage]\nstate = "a\\u0000b"', "line 2: [storage] state: expected a text, found 'a\\x00b'"),
    ],
)
def test_whatever_is_wrong_is_told_with_file_line_and_key(tmp_path: Path, text: str, told: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadInput) as error:
        load(path, {})
    assert str(path) in str(error.value)
    assert told in str(error.value)
    assert len(str(error.value)) < 300


def test_a_bad_override_is_told_with_its_own_name() -> None:
    with pytest.raises(BadInput, match="REFEREE_GAME_ROUNDS: expected a whole number"):
        load(None, {"REFEREE_GAME_ROUNDS": "many"})
    with pytest.raises(BadInput, match=r"expected a setting, found camera.knid; did you mean camera.kind"):
        load(None, {}, {"camera.knid": "usb"})


@pytest.mark.parametrize("text", ["", "localhost", "192.168.1.4", "::", "fe80::1%eth0", "hall.local", "2001:db8::7"])
def test_names_and_addresses_of_both_kinds_may_be_listened_to(text: str) -> None:
    assert load(None, {}, {"web.listen": text, "club.broker": text}).web.listen == text


@pytest.mark.parametrize("text", ["9" * 5000, "0x" + "f" * 5000, "[" * 3000 + "]" * 3000])
def test_an_endless_override_is_told_in_one_line(text: str) -> None:
    for key in ("game.rounds", "panel.red_lamp"):
        with pytest.raises(BadInput, match=f"--set {key}: expected a") as error:
            load(None, {}, {key: text})
        assert len(str(error.value)) < 300


def test_the_panel_can_be_overridden_typed_as_in_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, '[panel]\nkind = "gpio"\nred_lamp = 23\n')
    flags = {"panel.kind": "console", "panel.turn_buttons": "[5, 6]", "panel.display_address": "0x3d"}
    settings = load(path, {"REFEREE_PANEL_RED_LAMP": "false", "REFEREE_PANEL_BOARD": "4"}, flags)
    assert settings.panel == {
        "kind": "console", "red_lamp": False, "board": "4", "turn_buttons": [5, 6], "display_address": 0x3D
    }  # fmt: skip
    settings = load(path, {"REFEREE_PANEL_GREEN_LAMP": "99"}, {"panel.kind": "consle"})
    with pytest.raises(BadInput, match=r"--set panel\.kind: expected one of gpio.* did you mean 'console'"):
        pins_of(settings)
    with pytest.raises(BadInput, match="REFEREE_PANEL_GREEN_LAMP: expected a GPIO"):
        pins_of(load(path, {"REFEREE_PANEL_GREEN_LAMP": "99"}))
    with pytest.raises(BadInput, match=r"found panel.knid; did you mean panel.kind\?"):
        load(None, {}, {"panel.knid": "console"})


def test_the_folder_of_the_journal_by_flag_variable_short_variable_and_file(tmp_path: Path) -> None:
    path = written(tmp_path, '[storage]\nstate = "/file"\n')
    short, long, flag = {"REFEREE_STATE": "/short"}, {"REFEREE_STORAGE_STATE": "/long"}, {"storage.state": "/flag"}
    assert load(path, {}).storage.state == "/file"
    assert load(path, {"REFEREE_STATE": ""}).storage.state == "/file"
    assert load(path, short).storage.state == "/short"
    assert load(path, short | long).storage.state == "/long"
    assert load(path, short | long, flag).storage.state == "/flag"


def test_a_variable_that_is_no_setting_is_told_with_the_nearest_one() -> None:
    load(None, {"REFEREE_MODELS": "m", "REFEREE_CONFIG": "c", "REFEREE_STATE": "s", "OTHER": "1"})
    with pytest.raises(BadInput, match=r"REFEREE_CAMERA_KNID: .* did you mean REFEREE_CAMERA_KIND\?"):
        load(None, {"REFEREE_CAMERA_KNID": "usb"})
    with pytest.raises(BadInput, match=r"REFEREE_XYZZY: .*`referee init` writes down every setting"):
        load(None, {"REFEREE_XYZZY": "usb"})


def test_the_mark_that_some_editors_put_before_a_text_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "referee.toml"
    path.write_bytes(b"\xef\xbb\xbf[game]\nrounds = 7\n")
    assert load(path, {}).game.rounds == 7
    assert text_of(path).startswith("[game]")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="found: No such file"):
        load(tmp_path / "none.toml", {})
    (tmp_path / "latin.toml").write_bytes(b"[game]\nplayers = ['J\xfcrgen']\n")
    with pytest.raises(BadInput, match="UTF-8"):
        load(tmp_path / "latin.toml", {})


def test_a_number_may_be_a_text_where_a_text_belongs():
    settings = load(None, {"REFEREE_GAME_SEASON": "2026"}, {"camera.source": "1", "table.tileset": '"gin"'})
    assert (settings.game.season, settings.camera.source, settings.table.tileset) == ("2026", "1", "gin")


def test_what_never_ends_or_never_begins_is_no_settings_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "long.toml").write_bytes(b"# all of it\n" * 100_000)
    for path, found in (("/dev/zero", "a device"), (tmp_path / "pipe", "a pipe"), (tmp_path, "a folder")):
        with pytest.raises(BadInput, match=f"expected a settings file, found {found}$"):
            load(Path(path), {})
    with pytest.raises(BadInput, match="at most 1,000,000 bytes, found more"):
        load(tmp_path / "long.toml", {})
    with pytest.raises(BadInput, match=r"settings file, found: (stat: )?embedded null (byte|character in path)$"):
        load(Path("a\0b"), {})


def test_nothing_at_all_is_a_settings_file_with_nothing_in_it() -> None:
    assert load(Path(os.devnull), {}).game == load(None, {}).game


@pytest.mark.parametrize("key", ["password", "source"])
def test_a_secret_of_the_wrong_type_is_not_shown(tmp_path: Path, key: str) -> None:
    path = tmp_path / "referee.toml"
    path.write_text(f"[camera]\n{key} = 4711\n", encoding="utf-8")
    with pytest.raises(BadInput, match="expected a text, found another value") as caught:
        load(path, {})
    assert "4711" not in str(caught.value)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("game.players", "Ann,Ben", ("Ann", "Ben")),
        ("game.players", " Ann , Ben ", ("Ann", "Ben")),
        ("game.players", "Ann", ("Ann",)),
        ("game.players", "1,2", ("1", "2")),
        ("game.players", '"Ann, A.","Ben"', ("Ann, A.", "Ben")),
        ("game.players", '["Ann","Ben"]', ("Ann", "Ben")),
        ("game.options", "jokers=2,minutes=3", ("jokers=2", "minutes=3")),
        ("game.handicaps", "0,30", (0, 30)),
        ("game.handicaps", "30", (30,)),
        ("web.hosts", "referee.lan", ("referee.lan",)),
        ("club.commands", "pause,look", ("pause", "look")),
    ],
)
def test_a_list_may_be_given_with_commas_alone(key: str, text: str, value: object) -> None:
    table, name = key.split(".")
    assert getattr(getattr(load(None, {}, {key: text}), table), name) == value
    assert getattr(getattr(load(None, {f"REFEREE_{table}_{name}".upper(): text}), table), name) == value


def test_a_list_of_pins_may_be_given_with_commas_alone() -> None:
    assert load(None, {}, {"panel.turn_buttons": "5,6", "panel.bar": "12"}).panel == {
        "turn_buttons": [5, 6],
        "bar": [12],
    }


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("game.handicaps", "0,soon", r"expected a list of whole numbers \(-3600 to 3600 s\), found \[0, 'soon'\]"),
        ("club.commands", "pause,dance", r"expected one of pause, .*found \['pause', 'dance'\]"),
        ("game.players", '["Ann"', r"expected a list of texts, found '\[\"Ann\"'"),
    ],
)
def test_a_list_with_a_wrong_member_is_refused(key: str, text: str, found: str) -> None:
    with pytest.raises(BadInput, match=f"--set {key}: {found}"):
        load(None, {}, {key: text})
