"""The panel in a real browser, before a real loop: presses, lamps, clock."""

import statistics
import time
from dataclasses import replace

import pytest
from browser import SIZES
from page import served
from page_loop import PATIENCE_S, playing
from virtual_evening import OPENING

from referee.devices.panel.lights import Glow, Lights
from referee.devices.wiring.pins import PinMap
from referee.game.match.events import TimeUp
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.i18n import LANGUAGES

START = '[data-button="button-pause"]'
ANNA, BEN = '[data-button="button-1"]', '[data-button="button-2"]'


@pytest.fixture
def table():
    with playing() as made:
        yield made


@pytest.fixture
def panel(table, screen):
    """The panel as it is opened the first time on a phone."""
    screen.open(f"{table.address}/panel?lang=en")
    screen.run("localStorage.clear()")
    screen.open(f"{table.address}/panel?lang=en")
    screen.find(START)
    screen.wait(lambda: screen.run("return Referee.connected() && Referee.doubt() !== null"), "the stream")
    return screen


def begun(table, panel):
    panel.find(START).click()
    table.until(lambda: table.state.phase is Phase.TURN, "the first turn")
    panel.until(ANNA, "End turn")


def held(screen, selector, seconds):
    from selenium.webdriver import ActionChains

    hold = ActionChains(screen.driver).click_and_hold
    screen.find(selector).do(lambda pad: hold(pad).pause(seconds).release().perform())


def test_an_evening_begins_goes_on_and_rests_on_a_screen(table, panel):
    begun(table, panel)
    assert "turn" in panel.find(ANNA).get_attribute("class")
    table.sight.table = OPENING
    panel.find(ANNA).click()
    table.until(lambda: table.state.current == 1, "Ben's turn")
    panel.until(BEN, "End turn")
    panel.until("#live", "Ben")
    time.sleep(0.8)  # a start button that has just changed takes no press
    panel.find(START).click()
    table.until(lambda: table.state.phase is Phase.PAUSED, "a pause")
    panel.until(START, "Continue")
    panel.wait(lambda: panel.all("#clock.stands"), "a clock that stands")
    assert panel.complaints() == []


def test_it_says_how_it_is_decided_who_begins_and_repeats_nothing_that_headline_and_buttons_say(screen):
    with playing(options={"starts": "drawn"}) as table:
        screen.open(f"{table.address}/panel?lang=en")
        screen.find(START).click()
        screen.until("#live", "Who goes first?")
        screen.until("#last-said", "Everybody draws a tile: the highest number begins.")
        screen.find(ANNA).click()
        screen.until("#last-said", "Anna, it is your turn.")
        time.sleep(0.8)  # a start button that has just changed takes no press
        screen.find(START).click()
        screen.until(START, "Continue")
        screen.wait(lambda: screen.all("#last-said")[0].text == "", "no word of a start button")


def test_beside_virtual_players_the_panel_says_who_presses(screen):
    with playing(touched=False) as table, playing(touched=False, chosen={"camera.kind": "virtual"}) as virtual:
        screen.open(f"{table.address}/panel?lang=en")
        screen.until("#switched-off", "The buttons are at the table")
        screen.open(f"{virtual.address}/panel?lang=en")
        screen.until("#switched-off", "Virtual players")
        assert screen.find(START).get_attribute("disabled")
        assert (screen.violations(), screen.complaints()) == ([], [])


def test_a_lamp_is_told_by_colour_shape_and_word(table, panel):
    begun(table, panel)
    panel.find(ANNA).click()  # nothing was laid: a tile is to be drawn
    panel.until("#lamps", "Draw a tile")
    assert panel.all(".lamp-draw svg path")
    panel.wait(lambda: "glow-on" in panel.find(BEN).get_attribute("class"), "the lamp of Ben")
    assert "(on)" in panel.find(BEN).get_attribute("textContent")


def test_a_refusal_is_told_with_all_of_its_faults_and_leads_to_where_a_misread_tile_is_told(table, panel):
    begun(table, panel)
    table.sight.table = parse_table("R1 R2 | B5 B7 B8")
    panel.find(ANNA).click()
    panel.until("#last-said", "at least 3 tiles")
    panel.until("#last-said", "there are numbers missing")
    panel.until("#to-table a", "misread")
    panel.find("#to-table a").click()
    panel.until("#verdict", "Refused: Anna")


def test_holding_start_in_a_pause_ends_the_match(table, panel):
    begun(table, panel)
    end = time.monotonic() + PATIENCE_S
    while table.state.phase is not Phase.LOBBY:  # a machine that is too busy for a held finger makes it a short press
        assert time.monotonic() < end
        if table.state.phase is Phase.TURN:
            time.sleep(1.1)
            panel.find(START).click()
            table.until(lambda: table.state.phase is Phase.PAUSED, "a pause")
        held(panel, START, 1.5)
        time.sleep(0.3)


def test_keys_press_buttons_too(table, panel):
    from selenium.webdriver.common.keys import Keys

    panel.find(START).send_keys(Keys.ENTER)
    table.until(lambda: table.state.phase is Phase.TURN, "the first turn")
    table.sight.table = OPENING
    panel.find(ANNA).send_keys(" ")
    table.until(lambda: table.state.current == 1, "Ben's turn")


def test_a_screen_reader_that_only_clicks_presses_as_well(table, panel):
    panel.find(START).do(lambda pad: panel.run("arguments[0].click()", pad))
    table.until(lambda: table.state.phase is Phase.TURN, "the first turn")


def test_a_phone_may_belong_to_one_player_and_remembers_it(panel):
    from selenium.webdriver.support.ui import Select

    assert len(panel.all(".pad.player")) == 2
    Select(panel.find("#whose")).select_by_visible_text("Ben")
    panel.wait(lambda: len(panel.all(".pad.player")) == 1, "one button")
    panel.driver.refresh()
    panel.until(BEN, "Ben")
    assert [one.text.splitlines()[0] for one in panel.all(".pad.player")] == ["Ben"]
    panel.run("localStorage.clear()")


def test_every_phone_says_who_draws_and_only_the_drawers_own_has_the_lamp(table, panel):
    from selenium.webdriver.support.ui import Select

    begun(table, panel)
    panel.find(ANNA).click()  # nothing was laid: Anna draws
    for whose, lit in (("Anna", True), ("Ben", False), ("all players", True)):
        Select(panel.find("#whose")).select_by_visible_text(whose)
        panel.until("#news", "Anna draws 1 tile.")
        panel.wait(lambda lit=lit: panel.all("#lamp-draw")[0].is_displayed() is lit, f"the lamp of {whose}")
    panel.run("localStorage.clear()")


def test_all_that_must_be_put_right_is_on_the_panel_with_its_tiles(screen):
    with served() as table:
        game = table.game.opened().fields(table=parse_table("R10 R11 R12"))
        game.t = game.state.clock.deadline
        game.do(TimeUp(game.t))
        table.follow()
        table.see("R10 R11 | K3 K4")
        screen.open(f"{table.address}/panel?lang=en")
        screen.until("#due", "red 12")
        steps = screen.all("#steps li")
        told = table.follower.facts.due.steps
        assert len(steps) == len(told) > 1
        assert all(step.find_elements("css selector", ".tile") for step in steps)
        assert screen.all("#last-said")[0].text == ""  # it would be the last step once more
        table.press()
        table.see("R10 R11 R12")
        screen.wait(lambda: not screen.all("#due")[0].is_displayed(), "no steps")
        assert screen.complaints() == []


def test_a_page_that_may_not_press_shows_lamps_and_says_so(screen):
    with playing(pins=PinMap(kind="none"), touched=False) as table:
        screen.open(f"{table.address}/panel?lang=en")
        screen.until("#switched-off", "The buttons are at the table")
        assert all(not pad.is_enabled() for pad in screen.all(".pad"))


def test_one_button_for_all_is_one_big_button(screen):
    with playing(pins=PinMap(kind="page", turn_buttons=(5,))) as table:
        screen.open(f"{table.address}/panel?lang=en")
        screen.until(".alone .pad.player", "All players")
        assert not screen.find("#pads").find_elements("css selector", ANNA)


def test_tones_sound_once_somebody_has_tapped(table, panel):
    panel.run(
        "window.played = []; const made = AudioContext.prototype.createOscillator;"
        "AudioContext.prototype.createOscillator = function () { window.played.push(1); return made.call(this); };"
    )
    panel.find("label.sound").click()
    begun(table, panel)
    table.panel.edge("button-2", True)  # not Ben's turn
    table.panel.edge("button-2", False)
    panel.find(BEN).click()
    panel.wait(lambda: panel.run("return window.played.length") > 0, "a tone")


def test_the_clock_on_the_page_is_the_panels(table, panel):
    begun(table, panel)
    panel.run(
        "window.seen = []; new MutationObserver(function () {"
        "  window.seen.push([Date.now() / 1000, document.querySelector('#clock .clock-text').textContent]);"
        "}).observe(document.querySelector('#clock .clock-text'), {childList: true, subtree: true});"
    )
    panel.wait(lambda: len(panel.run("return window.seen")) >= 5, "five seconds")
    ahead = statistics.median(time.time() - time.monotonic() for _ in range(9))
    ends = time.monotonic() + table.state.clock.deadline - table.loop.t
    off = []
    for moment, text in panel.run("return window.seen"):
        minutes, _, seconds = text.partition(":")
        panels = ends - (int(minutes) * 60 + int(seconds))
        off.append(moment - ahead - panels)
    print("the page's clock changes after the panel's by", [f"{one * 1000:.0f} ms" for one in off])
    assert min(map(abs, off)) <= 0.1


def test_urgency_is_told_by_shape_as_well(table, panel):
    begun(table, panel)
    shapes = {}
    for left in (40, 20, 5):
        panel.run(
            "Referee.parts.clock = {limit: 60, left: arguments[0], ends_at: null, running: true, warnings: [30, 10]}",
            left,
        )
        panel.wait(lambda left=left: panel.text(".clock-text") == f"0:{left:02}", "the clock")
        shapes[left] = (
            panel.all(".clock-shape path")[0].get_attribute("d"),
            panel.find("#clock").get_attribute("class"),
        )
    assert len({shape for shape, _ in shapes.values()}) == 3
    assert len({name for _, name in shapes.values()}) == 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_keeps_anybody_from_using_it(table, screen, language, scheme):
    screen.prefers(scheme=scheme)
    screen.open(f"{table.address}/panel?lang={language}")
    screen.find(START)
    assert screen.violations() == []


@pytest.mark.parametrize("size", SIZES)
def test_it_fits_on_every_screen(table, screen, size):
    screen.resize(*SIZES[size])
    screen.open(f"{table.address}/panel?lang=en")
    screen.find(START)
    assert screen.sideways() <= 0
    small = [pad for pad in screen.all("main button, main select") if pad.is_displayed() and pad.size["height"] < 44]
    assert not small


def test_names_stand_in_one_line_on_the_smallest_phone(screen):
    with playing(names=("Maximiliane", "Friederike")) as table:
        screen.resize(320, 640)
        screen.open(f"{table.address}/panel?lang=de")
        screen.run("localStorage.clear()")
        screen.find(START)
        broken = (
            "return [...document.querySelectorAll('.pad.player .pad-name')].filter(name => {"
            " const range = document.createRange(); range.selectNodeContents(name);"
            " return range.getClientRects().length > 1; }).map(name => name.textContent)"
        )
        screen.wait(lambda: len(screen.all(".pad.player .pad-name")) == 2, "two buttons")
        assert screen.run(broken) == []
        assert screen.sideways() == 0


@pytest.mark.parametrize(
    ("lights", "words"),
    [
        (Lights(green=Glow.SLOW), ["Ready"]),
        (Lights(green=Glow.ON), ["Fine"]),
        (Lights(amber=Glow.ON), ["Looking"]),
        (Lights(amber=Glow.BLINK), ["Asking"]),
        (Lights(red=Glow.ON), ["Not yet"]),
        (Lights(red=Glow.BLINK), ["Put it right"]),
        (Lights(red=Glow.OPPOSITE, amber=Glow.BLINK), ["Equipment fault"] * 2),
        (Lights(red=Glow.ON, amber=Glow.TICK), ["Not yet", "Equipment fault"]),
        (Lights(red=Glow.TICK, amber=Glow.BLINK), ["Equipment fault", "Asking"]),
    ],
    ids=lambda shown: (
        " ".join(f"{name} {glow.value}" for name, glow in shown.by_name() if glow is not Glow.OFF)
        if isinstance(shown, Lights)
        else ""
    ),
)
def test_a_lamp_says_what_it_means_by_how_it_glows(screen, lights, words):
    with served() as table:
        screen.open(f"{table.address}/panel?lang=en")
        table.follower.on_update(replace(table.follower.facts.scene, lights=lights))
        lit = "return [...document.querySelectorAll('.lamp:not([hidden]) .lamp-word')].map(word => word.textContent)"
        screen.wait(lambda: screen.run(lit) == words, f"{words}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lamp_fits_in_one_line_so_that_no_button_moves(screen, language):
    with served() as table:
        screen.resize(360, 740)
        screen.open(f"{table.address}/panel?lang={language}")
        screen.run("document.getElementById('lamps').style.minHeight = 0")
        for lights in (
            *(Lights(green=glow) for glow in (Glow.ON, Glow.SLOW)),
            *(Lights(amber=glow) for glow in (Glow.ON, Glow.BLINK, Glow.TICK)),
            *(Lights(red=glow) for glow in (Glow.ON, Glow.BLINK, Glow.TICK)),
            Lights(draw=Glow.ON),
        ):
            table.follower.on_update(replace(table.follower.facts.scene, lights=lights))
            glow = next(f"#lamp-{name}.glow-{glow.value}" for name, glow in lights.by_name() if glow is not Glow.OFF)
            screen.find(glow)
            lines = "return document.querySelector(arguments[0] + ' .lamp-word').getClientRects().length"
            height = "return document.querySelector(arguments[0] + ' .lamp-word').offsetHeight"
            assert (screen.run(lines, glow), screen.run(height, glow) < 45) == (1, True), glow
