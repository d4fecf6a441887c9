"""A page that is the panel, tried on one phone: lamps and buttons beside the test."""

import pytest
from page_process import ready_page

pytestmark = pytest.mark.page


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    with ready_page(tmp_path_factory.mktemp("table"), "panel.kind=page", 'game.players=["Ann","Ben"]') as process:
        yield process


@pytest.fixture
def tried(table, screen):
    screen.resize(375, 812)
    screen.open(f"{table.url}/setup/panel?lang=en")
    screen.find("#test-begin").click()
    screen.find("#here [data-button='button-1']")
    yield screen
    screen.find("#test-end").click()
    table.until(lambda parts: parts["panel_test"] is None)


def test_a_lamp_is_seen_on_the_page_that_lights_it(tried):
    assert not any(lamp.is_displayed() for lamp in tried.all("#lamps .lamp"))
    tried.find("#test-lamps [data-part='red']").click()
    tried.find("#lamp-red svg")
    tried.find("#test-lamps [data-part='player-2']").click()
    tried.find("#here [data-button='button-2'].glow-on")
    lit = "#lamp-red:not([hidden])"
    tried.wait(lambda: not tried.find("#here").find_elements("css selector", lit), "the dark lamp")
    assert tried.complaints() == []


def test_a_button_is_pressed_on_the_page_that_waits_for_it(table, tried):
    tried.find("#here [data-button='button-1']").click()
    tried.wait(lambda: tried.all("#test-buttons li.seen"), "the press")
    seen = [step["name"] for step in table.parts["panel_test"]["steps"] if step["pressed"]]
    assert seen == ["button-1"]
    assert not any(one["joined"] for one in table.parts["match"]["buttons"])


def test_it_is_asked_for_what_the_page_shows(tried):
    tried.until("#test-lamps", "Does only Ann's button have a green edge")
    told = tried.text("#test-parts")
    assert "yellow" not in told
    assert "bar" not in told.lower().split()
    assert len(tried.all("#test-buttons li")) == len(tried.all("#here .pad")) == 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_try_it(tried, scheme):
    tried.prefers(scheme=scheme)
    tried.find("#test-lamps [data-part='amber']").click()
    tried.find("#lamp-amber svg")
    tried.resize(375, 1600)  # the tabs cover nothing
    assert (tried.violations(), tried.cut_off(), tried.small(), tried.complaints()) == ([], [], [], [])
    tried.narrow("320 px")
    assert (tried.sideways(), tried.cut_off()) == (0, [])


def test_whoever_takes_over_another_panel_tries_that_one_without_loading_the_page_again(tmp_path, screen):
    from selenium.webdriver.support.ui import Select

    with ready_page(tmp_path) as process:
        screen.open(f"{process.url}/setup/panel?lang=en")
        choice = Select(screen.find("#panel"))
        assert choice.first_selected_option.get_attribute("value") == "page"  # this machine has no pins
        run = process.parts["setup"]["run"]
        for kind in ("none", "page"):
            choice.select_by_value(kind)
            screen.find("#settings [type=submit]").click()
            run += 1
            process.until(lambda parts, run=run: parts["setup"]["run"] == run and parts["setup"]["stage"] == "ready")
        screen.wait(lambda: screen.run(f"return Referee.parts.setup.run === {run}"), "the table built anew")
        screen.find("#test-begin").click()
        screen.find("#here [data-button='button-1']").click()
        screen.wait(lambda: screen.all("#test-buttons li.seen"), "the press")
        assert screen.complaints() == []
