"""A pause on the table's page: how to go on stands there, on a phone and on its side."""

import pytest
from page_loop import playing
from page_states import SIZES, in_state

from referee.devices.wiring.pins import PinMap
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording


def paused(table):
    table.press("button-pause")
    table.until(lambda: table.state.phase is Phase.TURN, "the first turn")
    table.press("button-pause")
    table.until(lambda: table.state.phase is Phase.PAUSED, "a pause")
    return table


@pytest.mark.parametrize("size", ["phone", "phone-landscape"])
def test_a_tap_on_the_tables_page_ends_a_pause(screen, size):
    screen.resize(*SIZES[size])
    with playing() as table:
        screen.open(f"{paused(table).address}/?lang=en")
        screen.run("localStorage.setItem('referee-who', 'Ben')")  # who answers questions on this phone
        began = table.loop.t
        button = screen.find("#go-on", lambda button: button.text == "Continue")
        screen.find("#paused a", lambda link: link.get_attribute("href").endswith("/panel"))
        assert (screen.violations(), screen.small(), screen.sideways()) == ([], [], 0)
        screen.wait(lambda: table.loop.t > began + 1, "the second in which start counts once")
        button.click()
        table.until(lambda: table.state.phase is Phase.TURN, "the turn again")
        screen.wait(lambda: not screen.all("#paused")[0].is_displayed(), "no word of a pause")
        assert screen.complaints() == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_the_page_has_no_buttons_it_says_what_to_press(screen, language):
    screen.resize(*SIZES["phone"])
    with playing(pins=PinMap(kind="console"), touched=False) as table:
        screen.open(f"{paused(table).address}/?lang={language}")
        screen.find("#paused-told", lambda told: any(word in told.text for word in ("start", "Start", "Départ")))
        assert not screen.all("#go-on")[0].is_displayed()
        assert screen.sideways() == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_that_was_interrupted_is_told_as_that_with_both_ways(screen, language):
    screen.resize(*SIZES["phone"])
    with in_state("interrupted") as table:
        screen.open(f"{table.address}/?lang={language}")
        told = Wording(language)(Notice("page.live_cut"))
        screen.until("#live", told)
        screen.find("#paused-cut")
        screen.find("#go-on")
        screen.find("#paused-discard", lambda link: link.get_attribute("href").endswith("/setup"))
        assert (screen.violations(), screen.small(), screen.sideways()) == ([], [], 0)
