"""The page where the PIN is told, in a real browser."""

import time

import pytest
from browser import SIZES
from guarded import house

from referee.i18n import LANGUAGES
from referee.table.preparation.values import SetUp


@pytest.fixture
def home(tmp_path):
    with house(tmp_path) as made:
        made.address = f"http://{made.host}"
        yield made


def test_a_wrong_pin_is_told_and_the_right_one_goes_on_to_the_page_that_was_wanted(home, screen):
    screen.open(f"{home.address}/enter?next=/display")
    screen.find("#pin").send_keys(home.other_pin)
    screen.find("form.enter button").click()
    screen.until("#refused", "not the PIN")
    screen.complaints()  # the browser's own line about the status
    screen.find("#pin").send_keys(home.pin)
    screen.find("form.enter button").click()
    screen.wait(lambda: screen.driver.current_url == f"{home.address}/display", "the display")
    assert screen.complaints() == []
    screen.open(f"{home.address}/enter")
    screen.until("#entered", "You can do everything here")


def test_who_has_forgotten_the_pin_is_told_what_helps_at_that_machine(home, screen):
    screen.open(f"{home.address}/enter?lang=en")
    screen.until(".hint", "on its console")
    assert "hold start" not in screen.text(".hint")
    home.server.follower.follows(("button-1", "button-pause"), touchable=False)
    screen.wait(lambda: "hold start" in screen.open(f"{home.address}/enter?lang=en").text(".hint"), "the button")
    setup = SetUp(values={"panel.kind": "page"})
    home.server.sets_up(setup, time.monotonic, "en", (900.0, 600.0))
    home.server.follower.follows(("button-1", "button-pause"), touchable=True)
    screen.wait(lambda: "console" in screen.open(f"{home.address}/enter?lang=en").text(".hint"), "the console")


def test_wrong_pins_are_refused_for_a_while_and_a_new_pin_lets_in_again(home, screen):
    screen.open(f"{home.address}/enter")
    for _ in range(10):
        home.server.access.tries.wrong("127.0.0.1")
    screen.find("#pin").send_keys(home.pin)
    screen.find("form.enter button").click()
    screen.until("#refused", "Wait")
    home.server.access.new_pin()
    screen.find("#pin").send_keys(home.pin)
    screen.find("form.enter button").click()
    screen.wait(lambda: screen.driver.current_url == f"{home.address}/", "the table")


def test_a_pin_in_the_address_as_a_qr_code_has_it_enters_and_is_gone_from_the_address(home, screen):
    screen.open(f"{home.address}/enter?next=/display#pin={home.pin}")
    screen.wait(lambda: screen.driver.current_url == f"{home.address}/display", "the display")
    screen.driver.back()
    assert home.pin not in screen.driver.current_url


def test_where_reading_takes_the_pin_the_page_asks_for_it_first(tmp_path, screen):
    with house(tmp_path, reading="pin") as home:
        screen.open(f"http://{home.host}/display")
        assert screen.driver.current_url.endswith("/enter?next=/display")
        screen.find("#pin").send_keys(home.pin)
        screen.find("form.enter button").click()
        screen.until("#live", "starting")


def test_a_screen_whose_session_has_ended_asks_for_the_pin_again(tmp_path, screen):
    with house(tmp_path, reading="pin") as home:
        screen.open(f"http://{home.host}/enter#pin={home.pin}")
        screen.until("#live", "starting")
        home.server.access.new_pin()
        screen.find("#pin")
        assert "/enter" in screen.driver.current_url


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_can_use_it(home, screen, language, scheme):
    screen.prefers(scheme=scheme)
    screen.open(f"{home.address}/enter?lang={language}")
    screen.find("#pin")
    assert screen.violations() == []
    assert screen.complaints() == []


@pytest.mark.parametrize("size", SIZES)
def test_no_screen_scrolls_sideways(home, screen, size):
    screen.resize(*SIZES[size])
    screen.open(f"{home.address}/enter")
    screen.find("#pin")
    assert screen.sideways() <= 0
