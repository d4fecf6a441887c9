"""What can be chosen at a screen beside players and book: the season, and tiles that were enrolled here."""

import re
import tomllib
from html import unescape

import cv2
import pytest
from made_up import READER, box_for
from page_process import PageProcess, ready_page, rendered

from referee.cli.parts.readers import reader_checksum
from referee.devices.box_file import boxes_folder, save_box
from referee.game.notice import Notice
from referee.game.tiles import tile_set
from referee.i18n import LANGUAGES, Wording
from referee.i18n.notices import NOTICES
from referee.pages.table.parts.preparing import AT_A_SCREEN, at_a_screen
from tools.samples import samples


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    """The folder of a table at which boxes were enrolled, one of them with another network."""
    folder = tmp_path_factory.mktemp("state")
    for name, tileset in (("club", "gin"), ("home", "rummikub"), ("old", "rummikub")):
        reader = READER if name == "old" else reader_checksum()
        save_box(boxes_folder(folder) / f"{name}.json", box_for(tile_set(tileset), name, reader))
    return folder


@pytest.fixture(scope="module")
def table(state, tmp_path_factory):
    with ready_page(tmp_path_factory.mktemp("table"), "panel.kind=console", state=state) as process:
        yield process


def chosen(state) -> dict:
    path = state / "page.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def configured(table, **settings) -> None:
    run = table.parts["setup"]["run"]
    assert table.configure(**settings) == (200, "")
    table.ready(run + 1)


def test_the_season_is_chosen_and_shown(table, state):
    configured(table, game__season="Winter & more")
    assert chosen(state)["game"]["season"] == "Winter & more"
    text = table.get("/setup/extra")[1].decode()
    assert 'value="Winter & more"' in unescape(re.search(r'<input id="season"[^>]*>', text)[0])


def test_tiles_that_were_enrolled_here_are_offered_and_chosen(table, state):
    text = unescape(table.get("/setup/box", {"Accept-Language": "de"})[1].decode())
    offered = re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)<', text.partition('id="box"')[2])
    assert [name for name, _ in offered] == ["", "club", "home"]
    assert offered[2][1] == "home (Steine von rummikub)"
    configured(table, table__box="home")
    assert chosen(state)["table"]["box"] == "home"
    assert '<option value="home" selected>' in table.get("/setup/box")[1].decode()
    configured(table, table__box="")


@pytest.mark.parametrize("name", ["nobody", "old", "../state/home", "/etc/passwd", "home.json", "."])
def test_nothing_else_is_taken_for_a_box(table, state, name):
    before = chosen(state)
    assert table.configure("de", table__box=name) == (
        409, "Solche Steine sind hier nicht angelernt, oder sie müssen neu angelernt werden."
    )  # fmt: skip
    assert chosen(state) == before


def test_tiles_that_are_not_those_of_the_table_are_refused_in_the_readers_language(table):
    status, told = table.configure("de", table__box="club", table__tileset="rummikub")
    assert status == 409
    assert told.startswith("club ist eine Schachtel mit Steinen von gin")


def test_tiles_that_cannot_be_played_with_any_more_are_told_and_left_at_the_page(tmp_path):
    save_box(boxes_folder(tmp_path) / "old.json", box_for(tile_set("rummikub"), "old"))
    cv2.imwrite(str(tmp_path / "0.png"), rendered())
    (tmp_path / "page.toml").write_text('[table]\nbox = "old"\n', encoding="utf-8")
    process = PageProcess(tmp_path, "panel.kind=console", "camera.kind=folder", f"camera.source={tmp_path}")
    try:
        process.until(lambda parts: parts["setup"]["stage"] == "missing")
        text = unescape(process.get("/setup/box", {"Accept-Language": "de"})[1].decode())
        assert "Mit der gewählten Schachtel kann nicht gespielt werden" in text
        assert re.findall(r'<option value="([^"]*)"', text.partition('id="box"')[2]) == [""]
        assert process.configure(table__box="") == (200, "")
        process.ready(2)
    finally:
        process.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_a_screen_an_enrolment_speaks_of_what_can_be_tapped_there(language):
    words = Wording(language)
    labels = {words(Notice(key)) for key in ("setup.box_picture", "setup.box_learn")}
    named = set()
    for key in AT_A_SCREEN:
        for told in samples(key):
            text = words(at_a_screen(told))
            assert not re.search(r"\b(start|départ|button|taste|bouton|pulsante|hold|halte)\b", text, re.IGNORECASE)
            named |= {label for label in labels if label in text}
    assert named == labels
    assert set(AT_A_SCREEN) | set(AT_A_SCREEN.values()) <= NOTICES.keys()


def test_the_enrolment_of_the_page_is_told_so(table):
    assert table.post("enrol", step="begin") == (200, "")
    parts = table.until(lambda parts: parts["enrolment"] is not None)
    assert "tap “Take a picture”" in parts["enrolment"]["told"]
    assert table.post("enrol", step="stop")[0] == 200
