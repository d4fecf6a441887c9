"""Setting up at a screen: what is missing is told, other settings build the table anew, and the page stays."""

import html
import tomllib
from pathlib import Path

import cv2
import pytest
from page_process import PageProcess, ready_page, rendered

from referee.page.command import text, visible_text

CONSOLE = "panel.kind=console"


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """A folder that shows an empty table, with marker 2 hidden."""
    from referee.vision.geometry.markers import find_markers

    folder = tmp_path_factory.mktemp("pictures")
    picture = rendered()
    marker = find_markers(picture)[2]
    cv2.fillPoly(picture, [(marker + (marker - marker.mean(0)) * 0.9).astype(int)], (60, 90, 120))
    cv2.imwrite(str(folder / "0.png"), picture)
    return folder


@pytest.fixture(scope="module")
def table(tmp_path_factory, pictures):
    """A table that stands, with a console."""
    shown = cv2.imread(str(pictures / "0.png"))
    with ready_page(tmp_path_factory.mktemp("table"), CONSOLE, picture=shown, arguments=("--keys",)) as process:
        yield process


def chosen(process: PageProcess) -> dict:
    """What stands in the file of the page."""
    state = Path(next(arg for arg in process.process.args if arg.startswith("storage.state=")).split("=", 1)[1])
    path = state / "page.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def test_without_a_camera_the_page_says_so_and_another_camera_is_taken_at_once(tmp_path, pictures):
    process = PageProcess(tmp_path / "state", CONSOLE)  # the default is a Pi's camera, and this is no Pi
    try:
        parts = process.until(lambda parts: parts["setup"]["stage"] == "missing")
        assert parts["setup"]["missing"].startswith("No camera yet: connect one")
        process.line("picamera2")  # operators have the reason
        status, page = process.get("/setup")
        assert (status, b'id="missing"' in page) == (200, True)
        assert process.post("begin")[0] == 409  # there is nothing to begin with
        assert process.post("try_again") == (200, "")
        process.until(lambda parts: parts["setup"]["run"] >= 2 and parts["setup"]["stage"] == "missing")
        assert process.configure(camera__kind="folder", camera__source=str(pictures)) == (200, "")
        process.ready(run=3)
        assert process.streams == 1
        assert chosen(process)["camera"] == {"kind": "folder", "source": str(pictures)}
    finally:
        process.close()


def test_what_was_chosen_holds_at_the_next_start_and_flags_come_after_it(tmp_path, pictures):
    state = tmp_path / "state"
    state.mkdir()
    (state / "page.toml").write_text(
        f'[camera]\nkind = "folder"\nsource = "{pictures}"\n[game]\nplayers = ["Ann", "Ben"]\n', encoding="utf-8"
    )
    process = PageProcess(state, CONSOLE, 'game.players=["Cleo","Dan"]')
    try:
        parts = process.ready()
        assert [one["name"] for one in parts["match"]["buttons"]] == ["Cleo", "Dan"]
        status, told = process.configure(game__players=["Eve", "Fay"])
        assert status == 409
        assert "This cannot be changed here" in told
        process.line("game.players cannot be changed here")
        assert chosen(process)["game"]["players"] == ["Ann", "Ben"]
    finally:
        process.close()


def test_a_file_of_the_page_that_cannot_be_used_is_told_on_the_page_and_written_anew(tmp_path, pictures):
    state = tmp_path / "state"
    state.mkdir()
    (state / "page.toml").write_text("[camera\n", encoding="utf-8")
    process = PageProcess(state, CONSOLE)
    try:
        parts = process.until(lambda parts: parts["setup"]["stage"] == "missing")
        assert "not working" in parts["setup"]["missing"]
        process.line("page.toml")
        assert process.configure(camera__kind="folder", camera__source=str(pictures)) == (200, "")
        process.ready()
    finally:
        process.close()


def test_players_book_and_options_are_taken_over(table):
    run = table.parts["setup"]["run"]
    told = table.configure(
        game__rules="classic", game__players=['Ann "the ace"', "Ben\\", "Zoë"], game__rounds=5,
        game__options=["starts=next", "minutes=3"], game__handicaps=[0, 30, -20],
    )  # fmt: skip
    assert told == (200, "")
    parts = table.ready(run + 1)
    assert parts["match"]["book"] == "Classic Rummy"
    assert [one["name"] for one in parts["match"]["buttons"]] == ['Ann "the ace"', "Ben\\", "Zoë"]
    assert table.streams == 1
    assert chosen(table)["game"]["options"] == ["starts=next", "minutes=3"]
    assert chosen(table)["game"]["rounds"] == 5


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"game__players": ["Ann", "Ann"]}, "Every player needs a name of their own."),
        ({"game__players": ["Ann", ""]}, "Every player needs a name of their own."),
        ({"game__players": ["Ann"]}, "2 to 4 players"),
        ({"game__players": ["Ann", "Ben"], "game__handicaps": [1]}, "extra time"),
        ({"game__players": ["Ann", "Ben"], "game__handicaps": [-3600, 0]}, "no time"),
        ({"game__options": ["jokers=99"]}, "jokers"),
        ({"camera__kind": "virtual", "panel__kind": "wishful"}, "cannot be done"),
        ({"game__rules": "rummikub", "game__options": [], "table__tileset": "gin"}, "gin"),
    ],
)
def test_what_does_not_fit_is_told_in_one_sentence_and_changes_nothing(table, settings, told):
    before, run = chosen(table), table.parts["setup"]["run"]
    status, found = table.configure(**{"game__rules": "classic", "game__handicaps": [], **settings})
    assert status == 409
    assert told in found
    assert "\n" not in found
    assert chosen(table) == before
    assert table.parts["setup"]["run"] == run


@pytest.fixture(scope="module")
def without_camera(tmp_path_factory):
    """A table whose camera is not there, and whose settings file names none."""
    process = PageProcess(tmp_path_factory.mktemp("without"), CONSOLE)
    process.until(lambda parts: parts["setup"]["stage"] == "missing")
    yield process
    process.close()


@pytest.mark.parametrize(
    ("kind", "source", "told"),
    [
        ("usb", "/dev/video7", "ihre Nummer oder Adresse"),
        ("usb", "9" * 30, "ihre Nummer oder Adresse"),
        ("usb", "http://10.0.0.7/x", "ihre Nummer oder Adresse"),
        ("folder", "", "ihre Nummer oder Adresse"),
        ("video", "/dev/zero", "ihre Nummer oder Adresse"),
        ("network", "", "Erwartet wird die Adresse einer Netzwerkkamera"),
        ("network", "phone", "eine, die weder mit http:// noch mit https:// oder rtsp:// beginnt"),
    ],
)
def test_a_camera_that_cannot_be_there_is_refused_in_the_readers_language(without_camera, kind, source, told):
    before = chosen(without_camera)
    status, found = without_camera.configure("de", camera__kind=kind, camera__source=source)
    assert status == 409
    assert told in found
    assert chosen(without_camera) == before


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"camera__kind": "folder", "camera__source": "empty"}, "ihre Nummer oder Adresse"),
        ({"panel__kind": "gpio"}, "Knöpfe und Lampen an Drähten gehen hier nicht"),
    ],
)
def test_what_is_missing_is_told_in_the_readers_language(tmp_path, pictures, settings, told):
    (tmp_path / "empty").mkdir()
    if "camera__source" in settings:
        settings = {**settings, "camera__source": str(tmp_path / "empty")}
    if "panel__kind" in settings:
        process = PageProcess(tmp_path, "camera.kind=folder", f"camera.source={pictures}")
    else:
        process = PageProcess(tmp_path, CONSOLE)
    try:
        process.until(lambda parts: parts["setup"]["stage"] in ("missing", "ready"))
        run = process.parts["setup"]["run"]
        assert process.configure(**settings) == (200, "")
        process.until(lambda parts: parts["setup"]["run"] > run and parts["setup"]["stage"] == "missing")
        page = html.unescape(process.get("/setup", {"Accept-Language": "de"})[1].decode())
        assert told in page.partition('id="missing"')[2].partition("</p>")[0]
    finally:
        process.close()


def test_tiles_that_do_not_suffice_are_told_in_the_readers_language_and_without_a_file(table):
    status, told = table.configure("de", game__rules="classic", game__options=[], table__tileset="gin")
    assert status == 409
    assert told.startswith("classic braucht mit diesen Optionen mindestens 2 von jedem Stein")
    assert "page.toml" not in told


def test_what_the_disk_does_not_take_is_told_in_the_readers_language(tmp_path, pictures):
    process = PageProcess(tmp_path, CONSOLE, "camera.kind=folder", f"camera.source={pictures}")
    try:
        process.ready()
        (tmp_path / "page.toml").mkdir()
        status, told = process.configure("fr", game__rounds=4)
        assert status == 409
        assert told.startswith("Impossible d'enregistrer ce qui est choisi sur la page")
    finally:
        process.close()


def test_of_a_text_what_nobody_can_see_is_left_out():
    assert text(0, 200, visible_text).read(" Ann\n\ud800e \x07") == "Anne"


@pytest.mark.parametrize(
    "settings",
    [
        {}, [], "all", {"storage.state": "/tmp"}, {"web.listen": "0.0.0.0"}, {"game.rounds": 0},  # noqa: S104, S108
        {"game.rounds": True}, {"game.players": "Ann"}, {"game.players": ["A" * 999, "B"]}, {"camera.kind": "eye"},
        {"table.width_mm": 10**9}, {"camera.source": 7},
    ],
)  # fmt: skip
def test_what_is_no_setting_is_refused_as_malformed(table, settings):
    assert table.post("configure", settings=settings)[0] == 400


def test_a_command_that_comes_again_is_answered_as_before_and_does_nothing(table):
    run = table.parts["setup"]["run"]
    settings = {"game.rounds": 4}
    first = table.post("configure", told_id="the-same-id-1", settings=settings)
    table.ready(run + 1)
    assert table.post("configure", told_id="the-same-id-1", settings=settings) == first == (200, "")
    assert table.parts["setup"]["run"] == run + 1


def test_sentences_come_in_the_language_of_the_browser(table):
    assert table.configure("de", game__players=["Ann", "Ann"])[1] == "Jeder Spieler braucht einen eigenen Namen."
    assert table.configure("fr", game__players=["Ann", "Ann"])[1] == "Chaque joueur doit avoir un nom différent."


def test_the_camera_picture_tells_what_is_missing(table):
    parts = table.until(
        lambda parts: parts["camera"] is not None, after=lambda: table.post("look_through")
    )  # fmt: skip
    camera = parts["camera"]
    assert [marker["outline"] is None for marker in camera["markers"]] == [False, False, True, False]
    assert camera["markers"][2]["text"] == "Marker 2 (bottom right): hidden"
    assert any("Marker 2" in one["found"] or "marker 2" in one["found"] for one in camera["remarks"])
    status, picture = table.get(f"/setup/camera/{camera['view']}.jpg")
    assert (status, picture[:2]) == (200, b"\xff\xd8")
    assert table.get("/setup/camera/999999.jpg")[0] == 404


def test_no_picture_is_taken_more_often_than_once_a_second(table):
    table.until(lambda parts: parts["camera"] is not None, after=lambda: table.post("look_through"))
    before = table.parts["camera"]["view"]
    for _ in range(5):
        table.post("look_through")
    table.until(lambda parts: parts["camera"]["view"] > before, after=lambda: table.post("look_through"))
    assert table.parts["camera"]["view"] <= before + 3


def test_the_panel_is_tried_and_presses_mean_nothing_else(table):
    assert table.post("try_panel", part="red") == (200, "")
    parts = table.until(lambda parts: parts["panel_test"] is not None and "red" in parts["lamps"])
    assert parts["panel_test"]["now"] == "red"
    assert parts["lamps"] == {"red": "on"}
    table.type("1")
    button = table.until(lambda parts: any(step["pressed"] for step in parts["panel_test"]["steps"]))
    assert [step["name"] for step in button["panel_test"]["steps"] if step["pressed"]] == ["button-1"]
    assert not any(one["joined"] for one in table.parts["match"]["buttons"])
    assert table.post("try_panel", part="siren") == (409, "The panel has no such part.")
    assert table.post("end_panel_test") == (200, "")
    table.until(lambda parts: parts["panel_test"] is None and "red" not in parts["lamps"])
    table.type("1")
    table.until(lambda parts: any(one["joined"] for one in parts["match"]["buttons"]))
    table.type("1")


def test_nothing_is_changed_while_a_match_is_under_way(tmp_path, pictures):
    table = PageProcess(tmp_path, CONSOLE, "camera.kind=folder", f"camera.source={pictures}",
                        'game.options=["starts=next"]')  # fmt: skip
    try:
        table.ready()
        refuses_all(table)
    finally:
        table.close()


def refuses_all(table):
    assert table.post("begin") == (200, "")
    table.until(lambda parts: parts["match"]["phase"] == "turn")
    for command, fields in (
        ("configure", {"settings": {"game.rounds": 2}}),
        ("try_again", {}),
        ("look_through", {}),
        ("try_panel", {"part": "red"}),
        ("enrol", {"step": "begin"}),
        ("begin", {}),
    ):
        assert table.post(command, **fields) == (409, "That can only be changed before a match.")
    assert table.parts["match"]["phase"] == "turn"
