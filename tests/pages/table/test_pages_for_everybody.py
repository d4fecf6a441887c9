"""Pages in all languages, light and dark; narrow and at twice the size; and with nothing that moves."""

import time

import pytest
from browser import NARROW
from page import open_sheet, served
from page_loop import playing
from page_process import ready_page

from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.i18n import LANGUAGES

SCHEMES = ("light", "dark")
WIFI = ("web.wifi_name=The house", "web.wifi_password=open;sesame")
STEPS = (
    *("", "/camera", "/game", "/start"),
    *("/more", "/language", "/table", "/panel", "/lens", "/box", "/extra"),
)


@pytest.fixture(scope="module")
def set_up(tmp_path_factory):
    folder, names = tmp_path_factory.mktemp("table"), 'game.players=["Maximiliane-Katharina","Ben"]'
    with ready_page(folder, "panel.kind=console", *WIFI, names) as process:
        yield process


@pytest.fixture(scope="module")
def table():
    with served() as made:
        made.press()
        made.see("R10 R11 R12 | B10 B11 K12")
        made.say(Notice("play.looking"))
        yield made


@pytest.fixture(scope="module")
def panel():
    with playing(names=("Maximiliane-Katharina", "Ben")) as made:
        made.press("button-pause")
        made.until(lambda: made.state.phase is Phase.TURN, "the first turn")
        yield made


@pytest.mark.parametrize("path", ["/", "/panel", "/display", "/overlay", "/more", "/coach", "/puzzle", "/scores"])
def test_every_id_is_given_once(table, screen, path):
    screen.open(f"{table.address}{path}?lang=en")
    screen.find("body")
    ids = screen.run("return [...document.querySelectorAll('[id]')].map(one => one.id)")
    assert sorted(ids) == sorted(set(ids))


def test_a_language_is_chosen_without_a_button_on_a_phone(table, screen):
    screen.resize(390, 844)
    screen.open(f"{table.address}/more?lang=en")
    screen.find(".languages option[value=de]").click()
    screen.until("h1", "Mehr")
    assert not [one for one in screen.all(".languages button") if one.is_displayed()]


def step(screen, process, name, language):
    screen.open(f"{process.url}/setup{name}?lang={language}")
    screen.wait(lambda: screen.run("return !!Referee.parts.setup"), "the stage")


def violations(screen):
    """By scheme; the page is the same in both."""
    found = {}
    for scheme in SCHEMES:
        screen.prefers(scheme=scheme, motion="reduce")  # otherwise colours fade from one scheme to the other
        found[scheme] = screen.violations()
    return found


NOTHING = {scheme: [] for scheme in SCHEMES}


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_nothing_keeps_anybody_from_setting_up(set_up, screen, language):
    for name in STEPS:  # in English: test_setup_in_chromium.py
        step(screen, set_up, name, language)
        assert screen.run("return document.documentElement.lang") == language
        assert violations(screen) == NOTHING, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_keeps_anybody_from_reading_the_television(table, screen, language):
    screen.resize(1920, 1080)
    screen.open(f"{table.address}/display?lang={language}")
    screen.find("#verdict h2")
    assert violations(screen) == NOTHING


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_keeps_anybody_from_telling_what_was_misread(table, screen, language):
    screen.open(f"{table.address}/?lang={language}")
    open_sheet(screen)
    time.sleep(0.5)  # a page takes no tap in the first moments
    screen.find("#tell button").click()
    screen.find("#tell .pick")
    assert violations(screen) == NOTHING


@pytest.mark.parametrize("size", NARROW)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_the_panel_is_cut_off(panel, screen, language, size):
    screen.narrow(size)
    screen.open(f"{panel.address}/panel?lang={language}")
    screen.find('[data-button="button-1"].turn')
    assert screen.sideways() <= 0
    assert screen.cut_off() == []
    assert screen.small() == []


@pytest.mark.parametrize("size", NARROW)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_the_set_up_is_cut_off(set_up, screen, language, size):
    screen.narrow(size)
    for name in STEPS:
        step(screen, set_up, name, language)
        assert screen.sideways() <= 0, name
        assert screen.cut_off() == [], name
        assert screen.small() == [], name


def moving(screen):
    running = "function (one) { return one.playState === 'running'; }"
    return screen.run(f"return document.getAnimations().filter({running}).length")


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_a_lamp_blinks_only_for_who_likes_it(panel, screen, motion, moves):
    screen.prefers(motion=motion)
    screen.open(f"{panel.address}/panel?lang=en")
    screen.find('[data-button="button-1"].turn')
    screen.run("Referee.parts.lamps = {'player-1': 'blink', amber: 'slow'};")
    screen.run("document.querySelector('[data-button=button-1]').classList.add('glow-blink');"
               "document.querySelector('#lamp-amber').hidden = false;"
               "document.querySelector('#lamp-amber').className = 'lamp lamp-amber glow-slow';")  # fmt: skip
    assert (moving(screen) > 0) is moves
    if not moves:  # it is told otherwise
        assert screen.run("return getComputedStyle(document.querySelector('.glow-blink')).borderStyle") == "dashed"


@pytest.mark.parametrize("path", ["/", "/display", "/scores", "/enter"])
def test_nothing_else_moves_for_who_does_not_like_it(table, screen, path):
    screen.prefers(motion="reduce")
    screen.open(f"{table.address}{path}")
    screen.find("main")
    assert moving(screen) == 0
