"""Nothing private gets into a bundle, wherever somebody wrote it."""

import io
import json
import os
import re
import sqlite3
import stat
import time
import unicodedata
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest
from kept_matches import journal_with
from played import short
from saved_tables import NOW, saved, table

from referee.backup.contents import Places, sources
from referee.backup.resetting import reset
from referee.backup.restoring import restore
from referee.cli.page import serving
from referee.cli.page.page import Page
from referee.cli.parts.readers import Parts
from referee.cli.programs import help_bundle
from referee.cli.programs.help_bundle import bundle_beside_match
from referee.cli.programs.last_failure import FILE as FAILURE
from referee.cli.programs.last_failure import keep_failure
from referee.cli.programs.one_table import Asked
from referee.cli.terminal import common
from referee.cli.terminal.common import Code
from referee.devices.system.safe_mode import SafeMode
from referee.doctor.setup import load_chosen
from referee.game.match.events import Corrected
from referee.game.match.machine import apply
from referee.game.notice import Notice
from referee.i18n import ENGLISH, LANGUAGES, Wording
from referee.journal.errors import JournalDamaged
from referee.journal.opening import open_journal
from referee.journal.pictures import FOLDER, Pictures
from referee.journal.rows import Setup
from referee.page.access.secret import Secret
from referee.report import bundle as bundle_module
from referee.report.bundle import OF_OTHERS, PICTURES, Bundle, make_bundle
from referee.report.matches import match_figures
from referee.report.privacy import GONE, Privacy
from referee.settings.settings import load

NAMES = ("Zoë-Żaneta O'Brien", "李雷", "Rot", "<b>Frieda</b>")
OTHERS = ("Straße", "Märta\tLindqvist", "j\u00f6rg 99")
WORDS = ("Gasthaus-Löwe 5G", "p@ß w0rt;geheim", "cam-ünser.fritz.box", "192.168.178.31", "fe80::1c2b:9fff", "kiosk7")
MAC = "dc:a6:32:0f:AA:9b"
HOST = "wohnzimmer-pi"


def everything_private(pin: str) -> list[str]:
    pieces = [part for text in (*NAMES, *OTHERS, *WORDS) for part in (text, *text.split()) if len(part) > 2]
    return [*pieces, "Frieda", "Brien", "Löwe", "Loewe", pin, MAC, HOST, "fritz", "192.168", "geheim", "w0rt"]


def settings_file(folder: Path) -> Path:
    path = folder / "referee.toml"
    path.write_text(
        f"""
        [game]
        players = {json.dumps(NAMES[:2], ensure_ascii=False)}
        season = "{OTHERS[0]}"
        [camera]
        kind = "network"
        source = "http://{WORDS[3]}/{WORDS[2]}"
        user = "{WORDS[5]}"
        password = "{WORDS[1]}"
        [web]
        hosts = ["{WORDS[2]}"]
        wifi_name = "{WORDS[0]}"
        wifi_password = "{WORDS[1]}"
        [club]
        broker = "{WORDS[3]}"
        user = "{WORDS[5]}"
        [hooks]
        wled = ["http://{WORDS[3]}"]
        [panel]
        kind = "console"
        display = "{WORDS[0]}"
        """
    )
    return path


def corrected(names: tuple[str, ...], who: str) -> list:
    steps = short(Setup.now("rummikub", {}, OTHERS[0]), names=names)
    event = Corrected(1, (0, 17), steps[-1].event.t + 5, winner=0, who=who, why=f"{who} / {WORDS[1]}")
    return [*steps, type(steps[0])(event, apply(steps[-1].state, event)[0])]


def log_of(pin: str) -> str:
    told = [
        f"Der PIN ist {pin}.",
        *(f"{name}, it is your turn. {name}'s clock; ({name.upper()})" for name in (*NAMES, *OTHERS)),
        *(f"Traceback: could not reach {word} ({MAC}) as {HOST}" for word in WORDS),
        f"{unicodedata.normalize('NFD', NAMES[0])} drückt; Anton und 271828 auch",
    ]
    lines = [
        {"__REALTIME_TIMESTAMP": "1770000000123456", "PRIORITY": "6", "_HOSTNAME": HOST, "MESSAGE": text}
        for text in told
    ]
    return "\n".join(map(json.dumps, lines)) + f'\nnot JSON {pin}\n{{"MESSAGE": [1, 2], "PRIORITY": "{pin}"}}\n[]'


@pytest.fixture
def made(tmp_path: Path) -> tuple[Bundle, str]:
    pin = Secret(tmp_path).pin
    journal_with(tmp_path, corrected(NAMES[2:], OTHERS[1]), Setup.now("rummikub", {}, OTHERS[0]))
    settings = load(settings_file(tmp_path), {})
    findings = [
        {
            "check": "broker",
            "result": "wrong",
            "found": f"The broker {WORDS[3]} ({MAC}) does not answer {NAMES[0]} and {OTHERS[1]}: {WORDS[1]}, {pin}.",
            "do": f"Ask {NAMES[1]} in {tmp_path}.",
            "figures": {"address": WORDS[3], "names": {NAMES[0]: 3}, "seconds": 1.5, "where": [HOST, OTHERS[2]]},
        }
    ]
    return make_bundle(settings, tmp_path, findings, lambda _: log_of(pin), HOST, root=tmp_path), pin


def files_of(bundle: Bundle, *, pictures: bool = True) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(bundle.zipped(pictures=pictures))) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_no_file_has_anything_private(made: tuple[Bundle, str], tmp_path: Path) -> None:
    bundle, pin = made
    for name, data in files_of(bundle).items():
        text = unicodedata.normalize("NFC", data.decode()).casefold()
        escaped = json.dumps(text)
        for private in (*everything_private(pin), str(tmp_path)):
            wanted = unicodedata.normalize("NFC", private).casefold()
            if wanted == "rot":  # also the beginning of a word
                assert " rot" not in text, name
                continue
            assert wanted not in text, (name, private)
            assert json.dumps(wanted)[1:-1] not in escaped, (name, private)


def test_names_become_numbers_that_are_the_same_in_all_files(made: tuple[Bundle, str]) -> None:
    texts = made[0].texts
    assert "player 1 and" in texts["findings.txt"]
    lines = [line for line in texts["log.txt"].splitlines() if "it is your turn." in line]
    assert len(lines) == len(NAMES) + len(OTHERS)
    players = {line.split("  ", 1)[1].split(",")[0] for line in lines[: len(NAMES)]}
    assert players == {f"player {number}" for number in (1, 2, 3, 4)}


BEFORE, AFTER, WRONG = 1_770_000_000, 1_770_000_200, 1_900_000_000
EXCHANGED_AT = 1_770_000_100


def log_around_an_exchange(_: object) -> str:
    told = [(WRONG, "Mia, it is your turn."), (BEFORE, "Max, it is your turn."), (AFTER, "The match is over.")]
    lines = ({"__REALTIME_TIMESTAMP": f"{at}000000", "PRIORITY": "6", "MESSAGE": text} for at, text in told)
    return "\n".join(map(json.dumps, lines))


def texts_of_log(folder: Path) -> list[str]:
    lines = make_bundle(load(None, {}), folder, [], log_around_an_exchange).texts["log.txt"].splitlines()
    return [line.split("  ", 1)[1] for line in lines]


@pytest.mark.parametrize("how", ["reset", "restore"])
def test_names_from_before_a_reset_or_a_restore_do_not_stay_because_they_are_words_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    places = table(tmp_path, "one")
    other = saved(tmp_path / "b.zip", places)
    monkeypatch.setattr("pathlib.Path.touch", lambda path: (path.write_bytes(b""), os.utime(path, (0, EXCHANGED_AT))))
    if how == "reset":
        reset(places, NOW, forget=True, even_a_match=True)
    else:
        restore(other, places, NOW, lambda _: None)
    assert texts_of_log(places.state) == [GONE, GONE, "The match is over."]


def test_names_from_before_a_damaged_journal_was_set_aside_do_not_stay_either(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    for name in ("journal.db", "journal.db-wal"):
        (places.state / name).unlink(missing_ok=True)
    (places.state / "journal.db").write_bytes(b"SQLite format 3\0" + b"damaged" * 1000)
    open_journal(places.state).journal.close()
    assert list(places.state.glob("journal-damaged-*.db"))
    assert texts_of_log(places.state) == [GONE] * 3  # all of it is older


@pytest.mark.parametrize("box", ["Max", "/home/pi/Max.json"])
def test_the_name_of_a_box_does_not_stay_because_it_is_a_word_of_ours(tmp_path: Path, box: str) -> None:
    told = {
        "check": "box",
        "result": "ok",
        "found": "The box Max was enrolled in 3 pictures.",
        "do": "",
        "figures": {},
    }
    settings = load(None, {}, {"table.box": box})
    texts = make_bundle(settings, tmp_path, [told], lambda _: None).texts
    assert "The box … was enrolled in 3 pictures." in texts["findings.txt"]


def test_the_name_of_a_box_that_is_not_in_use_does_not_stay_either(tmp_path: Path) -> None:
    (tmp_path / "boxes").mkdir()
    for name in ("Otto", "rummikub"):
        (tmp_path / "boxes" / f"{name}.json").write_text("{}")
    told = log_with("The box Otto was enrolled in 3 pictures, the rummikub tiles too.")
    (line,) = logged(make_bundle(load(None, {}), tmp_path, [], told).texts)
    assert line.startswith("The box … was enrolled in 3 pictures, ")
    assert "rummikub" in line


@pytest.mark.parametrize("written", ["Weiß", "WEISS", "weiss", "Weiss"])
def test_a_name_is_found_however_its_letters_are_written(written: str) -> None:
    privacy = Privacy(["Weiß"], [], {"weiss", "presses"})
    assert privacy.clean(f"{written} presses") == "player 1 presses"


def test_the_name_of_a_host_does_not_stay_because_it_consists_of_words_of_ours(tmp_path: Path) -> None:
    settings = load(None, {}, {"camera.source": "http://Mia:Max@otto.table/video", "camera.kind": "network"})
    told = log_with("The camera otto.table does not answer Mia, Max; the table is OTTO.TABLE.")
    (line,) = logged(make_bundle(settings, tmp_path, [], told).texts)
    assert line == "The camera … does not answer … the table is …"


def test_names_in_settings_that_cannot_be_read_do_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them nobody knows that these words are names, and the error quotes them."""
    monkeypatch.setenv("REFEREE_STATE", str(tmp_path / "state"))
    path = tmp_path / "referee.toml"
    path.write_text('[game]\nplayers = "Max, Mia"\n[camera]\nkind = "virtual"\n')
    chosen = load_chosen(path, {}, {}, lambda _: tmp_path / "state")
    texts = help_bundle.bundle_of(chosen.settings, [chosen.finding]).texts
    assert "[game] players: expected a list of texts, found …" in texts["findings.txt"]
    assert not re.search("Max|Mia", "".join(texts.values()))


def test_players_without_a_name_do_not_take_the_numbers_from_the_sentences() -> None:
    privacy = Privacy(["1", "2", "Player 3", "Zoë"], [], {"gb", "free", "cores", "player"})
    assert privacy.clean("59.1 GB free, 2 cores; Zoë, 3") == "59.1 GB free, 2 cores; player 4, 3"


def test_what_helps_stays(made: tuple[Bundle, str]) -> None:
    texts = made[0].texts
    settings = json.loads(texts["settings.json"])
    assert settings["camera"]["source"] == settings["web"]["wifi_password"] == settings["panel"]["display"] == "set"
    assert settings["camera"]["kind"] == "network"
    assert settings["table"]["width_mm"] == 900
    assert settings["game"]["players"] == "2 set"
    (finding,) = json.loads(texts["findings.json"])
    assert finding["figures"]["seconds"] == 1.5
    assert finding["found"].startswith("The broker … does not answer player 1 and player")
    (match,) = json.loads(texts["matches.json"])["matches"]
    assert match["players"] == 2
    assert match["accepted"] == match["turns"] == 1
    assert match["seconds_from_press_to_verdict"] == {"median": 0.25, "largest": 0.25}
    assert "2026-02-02 02:40:00 info  " in texts["log.txt"]


def test_the_same_bundle_is_the_same_file(made: tuple[Bundle, str]) -> None:
    assert made[0].zipped(pictures=True) == made[0].zipped(pictures=True)


def test_refused_pictures_only_if_they_are_wanted_and_without_a_comment(tmp_path: Path) -> None:
    journal_with(tmp_path, refused_turns(PICTURES + 2))
    pictures = Pictures(tmp_path / FOLDER, 10**9, spare=0)
    plain = cv2.imencode(".jpg", np.full((90, 160, 3), 128, np.uint8))[1].tobytes()
    secret = b"Wolfgang"
    comment = b"\xff\xfe" + (len(secret) + 2).to_bytes(2, "big") + secret
    for number in range(1, 40):
        pictures.keep(1, number, plain[:2] + comment + plain[2:])
    bundle = make_bundle(load(None, {}), tmp_path, [], lambda _: None)
    assert not [name for name in files_of(bundle, pictures=False) if name.endswith(".jpg")]
    found = {name: data for name, data in files_of(bundle).items() if name.endswith(".jpg")}
    assert len(found) == PICTURES
    for data in found.values():
        assert secret not in data
        assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape == (90, 160, 3)


def refused_turns(times: int) -> list:
    from played import Step

    from referee.game.match.events import Pressed, Seen, Started
    from referee.game.notation import parse_table

    setup = Setup.now("rummikub", {})
    steps = []
    state = setup.state()
    for event in (Started(("Ann", "Ben"), 0.0, 1), *(
        made for turn in range(times) for made in (
            Pressed(0, 10.0 * turn + 1), Seen(parse_table("R1 B2 K3"), 10.0 * turn + 1.5)
        )
    )):  # fmt: skip
        state = apply(state, event)[0]
        steps.append(Step(event, state))
    return steps


def test_refusals_are_counted_by_kind(tmp_path: Path) -> None:
    from referee.journal.opening import FILE
    from referee.journal.reading import rows_of

    rows, _ = rows_of(journal_with(tmp_path, refused_turns(3)) / FILE, 1)
    figures = match_figures(rows)
    assert figures.refused == {"not-a-set": 3}
    assert figures.refused_events == [3, 5, 7]
    assert figures.accepted == 0
    assert not figures.unreadable
    broken = match_figures([*rows[:3], *rows[4:]])
    assert broken.unreadable
    assert match_figures([]).unreadable


def test_a_damaged_journal_is_only_named_by_the_kind_of_its_error(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"SQLite format 3\0" + b"Wolfgang" * 900)
    bundle = make_bundle(load(None, {}), tmp_path, [], lambda _: None)
    told = json.loads(bundle.texts["matches.json"])
    assert told["matches"] == []
    assert told["trouble"].isidentifier()


TOLD = "Max, it is your turn. Green waits; any red 7."
"""Names that are a word of Python and one of ours."""


def damage_whole(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(8000))


def damage_first_row(path: Path) -> None:
    """A match in which nobody can read any more who plays."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("UPDATE events SET body = '{}' WHERE number = 1")
    connection.close()


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA user_version = 9999")
    connection.close()


@pytest.mark.parametrize("damage", [damage_whole, damage_first_row, newer])
def test_where_names_cannot_be_known_no_text_is_left(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    setup = Setup.now("rummikub", {})
    path = journal_with(tmp_path, short(setup, names=("Max", "Green")), setup) / "journal.db"
    finding = {
        "check": "voice", "result": "wrong", "found": TOLD, "do": "Record Max.",
        "figures": {"names": {"Max": 1, "Green": 2}, "seconds": 1.5, "who": ["Green"]},
    }  # fmt: skip
    line = json.dumps({"__REALTIME_TIMESTAMP": "1770000000123456", "PRIORITY": "3", "MESSAGE": TOLD})

    def made() -> Bundle:
        return make_bundle(load(None, {}), tmp_path, [finding], lambda _: line, printed=[(1770000000.5, TOLD)])

    whole = made()
    assert not whole.is_cut
    assert "it is your turn" in whole.texts["log.txt"]
    damage(path)
    cut = made()
    assert cut.is_cut
    assert "left out" in cut.texts["about.txt"]
    assert cut.texts["log.txt"] == f"2026-02-02 02:40:00 error  {GONE}\n"
    (shown,) = json.loads(cut.texts["findings.json"])
    assert shown == {
        "check": "voice", "result": "wrong", "found": GONE, "do": GONE,
        "figures": {"names": {GONE: 2}, "seconds": 1.5, "who": [GONE]},
    }  # fmt: skip
    for name, text in cut.texts.items():
        for word in ("Max", "Green"):
            assert not re.search(rf"\b{word}\b", text), (name, word)


def test_names_are_known_even_if_the_figures_of_a_match_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = Setup.now("rummikub", {})
    journal_with(tmp_path, short(setup, names=("Max", "Green")), setup)

    def fails(*_: object) -> None:
        raise JournalDamaged(Notice("journal.damaged", path="x"))

    monkeypatch.setattr(bundle_module, "rows_of", fails)
    bundle = make_bundle(load(None, {}), tmp_path, [], lambda _: json.dumps({"MESSAGE": TOLD}))
    assert not bundle.is_cut
    assert json.loads(bundle.texts["matches.json"])["trouble"] == "JournalDamaged"
    assert bundle.texts["log.txt"].endswith("player 1, it is your turn. player 2 waits; any red 7.\n")


def test_without_a_log_what_the_program_printed_is_used(tmp_path: Path) -> None:
    bundle = make_bundle(load(None, {}), tmp_path, [], lambda _: None, printed=[(1770000000.5, "Wolfgang pressed.")])
    assert bundle.texts["log.txt"] == "2026-02-02 02:40:00 printed  … pressed.\n"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("red 7 R7 B13? **", "red 7 R7 B13? **"),
        ("12345 1.5 s 98% 10.0.0.1", "… 1.5 s 98% …"),
        ("Ann's and (ANN), ann; Anna", "player 1's and (player 1), player 1; …"),
        ("File /home/x/referee/table/loop.py, line 12", "File referee/table/loop.py, line 12"),
        ("a b", f"{GONE}"),
        ("pressed 271 828, 271.828 271,828 red", f"pressed {GONE} red"),
        ("+41 79 123 45 67", GONE),
        ("red 07 11", f"red {GONE}"),
        ("red 7, 8, 9, 10 and 0.125 s", "red 7, 8, 9, 10 and 0.125 s"),
        ("Anns red", "player 1 red"),
        ("line 2: expected list of text, found 'red, Mia'", f"line 2: expected list of text, found {GONE}"),
        ("KeyError: 'red'", f"KeyError: {GONE}"),
        ("expected number, found ['red', \"red's\"] in red", f"expected number, found {GONE} in red"),
        ("ValueError: red's 'red, red run' in red", f"ValueError: red's {GONE} in red"),
        (r"""KeyError: 'red\'s "red" run' in red""", f"KeyError: {GONE} in red"),
        ("KeyError: b'red' in red", f"KeyError: {GONE} in red"),
        ("KeyError: 'red, run", f"KeyError: {GONE}"),
    ],
)
def test_words_that_stay(text: str, clean: str) -> None:
    privacy = Privacy(["Ann"], ["a b"], {"red", "and", "pressed"}, ["referee/table/loop.py"])
    assert privacy.clean(text) == clean


def test_beside_a_match_without_a_settings_file_the_help_says_so(tmp_path: Path) -> None:
    made = bundle_beside_match(Parts(pytest.fail, pytest.fail), load(None, {}, {"storage.state": str(tmp_path)}))
    assert "There is no settings file, so the defaults are used." in made.texts["findings.txt"]
    assert "no settings file are in order" not in made.texts["findings.txt"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_players_without_a_name_are_called_hides_no_word(tmp_path: Path, language: str) -> None:
    names = tuple(Wording(language)(Notice("words.player_name", number=number)) for number in (1, 2))
    settings = load(None, {}, {"storage.state": str(tmp_path), "game.players": json.dumps(names)})
    found = {
        "check": "game",
        "result": "ok",
        "found": "The next match is for up to 4 players.",
        "do": "",
        "figures": {},
    }
    made = make_bundle(settings, tmp_path, [found], lambda _: None)
    assert "The next match is for up to 4 players." in made.texts["findings.txt"]


def test_the_number_of_a_camera_is_not_taken_from_the_sentences() -> None:
    assert Privacy([], ["1", "Box 12"], {"match", "red"}).clean("1 match, red 12, Box 12") == "1 match, red 12, …"


@pytest.mark.parametrize("host", ["referee", "Referee", "raspberrypi"])
def test_the_usual_name_of_a_machine_takes_no_word_away(tmp_path: Path, host: str) -> None:
    told = log_with("A referee is running.")
    assert logged(make_bundle(load(None, {}), tmp_path, [], told, host).texts) == ["A referee is running."]
    assert logged(make_bundle(load(None, {}), tmp_path, [], log_with("Otto waits."), "otto").texts) == ["… waits."]


def test_a_module_keeps_its_name_whatever_players_are_called() -> None:
    privacy = Privacy(["Table", "Referee"], ["api"], {"table", "file"}, ["referee/table/desk.py", "referee/api.py"])
    for module in ("referee/table/desk.py", "referee/api.py"):
        assert privacy.clean(f'File "/opt/lib/{module}", line 3') == f'File {module}", line 3'
    assert privacy.clean("/x/referee/table/max.py") == "player 2 player 1"
    assert privacy.clean("\uf780 \uf781") == ""


def test_a_temperature_keeps_its_unit() -> None:
    privacy = Privacy(["Anna"], [], {"the", "processor", "is", "at"})
    assert privacy.clean("The processor is at 48 °C; Anna") == "The processor is at 48 °C; player 1"


def log_with(*told: str) -> Callable[[object], str]:
    lines = [{"__REALTIME_TIMESTAMP": f"{AFTER}000000", "PRIORITY": "6", "MESSAGE": text} for text in told]
    return lambda _: "\n".join(map(json.dumps, lines))


def logged(texts: Mapping[str, str]) -> list[str]:
    return [line.split("  ", 1)[1] for line in texts["log.txt"].splitlines()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_sat_down_before_a_match_that_never_began_is_named_nowhere(tmp_path: Path, language: str) -> None:
    """Their names are in no journal, and these are words of the referee's as well."""
    words = Wording(language)
    who = Notice("play.name", name="Otto")
    told = [
        words(Notice("play.joins_now", who=who, playing=("Otto",))),
        words(Notice("play.leaves_now", who=who, playing=("Max", "Mia", "Emma"))),
        words(Notice("play.leaves", who=Notice("play.name", name="Rosso"))),
        words(Notice("play.joins", who=Notice("play.button", number=2))),
        words(Notice("start.is_it", player="Bianca")),
        words(Notice("club.seated", playing=("Blanche", "König"))),
        words(Notice("page.live_who_begins")),
    ]
    everybody = [*told, "Max, Mia, Bianca, Otto, König; Blanche, Rosso"]
    texts = make_bundle(load(None, {}), tmp_path, [], log_with(*everybody)).texts
    for name in ("Otto", "Max", "Mia", "Emma", "Bianca", "Blanche", "König", "Rosso"):
        assert name not in texts["log.txt"]
    assert (logged(texts)[3], logged(texts)[6]) == (told[3], told[6])
    assert len(re.findall(r"player \d", logged(texts)[-1])) == 7


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_of_what_a_hall_announces(tmp_path: Path, language: str) -> None:
    told = Wording(language)(Notice("club.announced", text="Max König is looking for Mia."))
    (line,) = logged(make_bundle(load(None, {}), tmp_path, [], log_with(told)).texts)
    assert line == f"{told.partition('Max')[0].strip()} {GONE}"
    printed = make_bundle(load(None, {}), tmp_path, [], lambda _: None, printed=[(AFTER, told)])
    assert logged(printed.texts)[0].endswith(line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_of_a_club_comes_to_the_table_is_named_nowhere(tmp_path: Path, language: str) -> None:
    """Their names are in no journal, and these are words of the referee's as well."""
    told = Wording(language)(Notice("desk.comes_by_name", who="Max König"))
    lines = logged(make_bundle(load(None, {}), tmp_path, [], log_with(told, "Max, König")).texts)
    assert lines == [f"{told.partition('Max')[0].strip()} {GONE}", GONE]


def test_in_safe_mode_the_help_has_the_settings_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = {"storage.state": str(tmp_path), "web.port": "0", "club.user": "Otto", "watching.per_second": "3"}
    assert SafeMode(tmp_path, {}).change(on=True) is None
    monkeypatch.setattr(help_bundle, "run_command", log_with("The table Otto is ready."))
    monkeypatch.setattr(help_bundle, "result_folder", lambda _: tmp_path)
    offered: list[Callable[[], Bundle]] = []
    made: list[Bundle] = []

    def run_tables(page: Page, *_: object) -> Code:
        assert page.loads().watching.per_second == 4
        made.append(offered[0]())
        return Code.DONE

    monkeypatch.setattr(Page, "offer_help", lambda _, making: offered.append(making))
    monkeypatch.setattr(serving, "run_tables", run_tables)
    serving.serve_tables(
        load(None, {}, flags),
        lambda _=None: load(None, {}, flags),
        lambda _: ENGLISH,
        Asked(Parts(pytest.fail, pytest.fail)),
    )
    texts = made[0].texts
    assert "attention  safe mode: The referee is running in safe mode, with" in texts["findings.txt"]
    assert json.loads(texts["settings.json"])["watching"]["per_second"] == 3
    assert "Otto" not in "".join(texts.values())
    assert logged(texts) == ["The table … is ready."]


def test_help_after_a_failure_says_what_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = {"storage.state": str(tmp_path), "web.port": "0", "game.players": '["Max", "Mia"]'}
    settings = load(None, {}, flags)

    def fail(*_: object) -> Code:
        raise KeyError("no place for Max")

    monkeypatch.setattr(serving, "run_tables", fail)
    monkeypatch.setattr(help_bundle, "run_command", lambda _: None)
    monkeypatch.setattr(serving, "PRINTED", [(float(AFTER), "Max, it is your turn."), (float(AFTER), "PIN 271828")])
    with pytest.raises(KeyError):
        serving.serve_tables(
            settings, lambda _=None: settings, lambda _: ENGLISH, Asked(Parts(pytest.fail, pytest.fail))
        )
    monkeypatch.setattr(common, "PRINTED", [])  # the next start
    assert stat.S_IMODE((tmp_path / FAILURE).stat().st_mode) == 0o600
    lines = logged(help_bundle.bundle_of(settings, []).texts)
    assert lines[:3] == ["player 1, it is your turn.", f"PIN {GONE}", "Traceback (most recent call last):"]
    assert 'File referee/cli/page/serving.py", line' in "\n".join(lines)
    assert lines[-1] == f"KeyError: {GONE}"
    assert FAILURE not in [source.path.name for source in sources(Places(tmp_path))]
    renamed = load(None, {}, flags | {"game.players": '["Ann", "Ben"]'})
    assert logged(help_bundle.bundle_of(renamed, []).texts)[0] == "… it is your turn."
    (tmp_path / FAILURE).write_text(
        '{"lines": [[1e30, "Max"], [1770000000, "Mia"]], "private": [], "since": -Infinity}'
    )
    assert logged(help_bundle.bundle_of(settings, []).texts) == ["player 2"]
    (tmp_path / FAILURE).write_text('{"a": 1}')
    assert "There is no log" in help_bundle.bundle_of(settings, []).texts["log.txt"]


def test_help_leaves_out_a_failure_from_before_the_journal_was_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The names of its players are known to nobody; and after a power cut the clock may be behind."""
    settings, next_day = load(None, {}, {"storage.state": str(tmp_path)}), time.time() + 86_400
    monkeypatch.setattr(help_bundle.common, "PRINTED", [])  # other tests have printed in this process
    monkeypatch.setattr(help_bundle, "run_command", lambda _: None)
    keep_failure(settings, KeyError("King"), [(next_day, "King, it is your turn.")])
    assert logged(help_bundle.bundle_of(settings, []).texts)[0] == "King, it is your turn."
    (tmp_path / "journal-damaged-1.db").write_bytes(b"King")
    assert "There is no log" in help_bundle.bundle_of(settings, []).texts["log.txt"]


def test_of_the_log_of_another_journal_only_time_and_gravity_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with `sudo referee doctor --bundle`: root has a journal of its own, the service that with the names."""
    ask = log_with("Max, it is your turn.")
    monkeypatch.setattr(help_bundle, "run_command", ask)
    monkeypatch.setattr(common, "PRINTED", [])
    settings = load(None, {}, {"storage.state": str(tmp_path)})
    line = "2026-02-02 02:43:20 info  "
    assert help_bundle.bundle_of(settings, []).texts["log.txt"] == f"{OF_OTHERS}{line}{GONE}\n"
    monkeypatch.setattr(help_bundle, "result_folder", lambda _: tmp_path)
    assert help_bundle.bundle_of(settings, []).texts["log.txt"] == f"{line}Max, it is your turn.\n"
