"""The card with which the set-up begins while a match is under way: resume it, discard it, or begin a new one."""

import pytest
from page_loop import playing

from referee.game.match.phases import Phase
from referee.i18n import LANGUAGES
from referee.pages.table.setup.evenings import MOST_OFFERED, begun_last, earlier_players

pytestmark = pytest.mark.page


@pytest.fixture
def under_way():
    with playing() as table:
        table.press("button-pause")
        table.until(lambda: table.state.phase is Phase.TURN, "the first turn")
        yield table


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_who_plays_before_anything_else(under_way, screen, language):
    screen.resize(320, 1400)
    screen.open(f"{under_way.address}/setup?lang={language}")
    screen.until("#match", "Anna")
    assert screen.run("return document.querySelector('main').firstElementChild.id") == "match"
    for name in ("match-goes-on", "match-discarded", "match-anew"):
        screen.find(f"#{name}")
    assert not screen.all("#stage")[0].is_displayed()
    assert (screen.sideways(), screen.small(), screen.complaints()) == (0, [], [])
    for scheme in ("light", "dark"):
        screen.prefers(scheme=scheme, motion="reduce")
        assert screen.violations() == []


def test_resume_leads_to_where_players_press(under_way, screen):
    screen.open(f"{under_way.address}/setup?lang=en")
    screen.find("#match-goes-on").click()
    screen.wait(lambda: screen.driver.current_url == f"{under_way.address}/panel", "the buttons")
    assert under_way.state.phase is Phase.TURN


def test_nothing_is_discarded_by_one_tap(under_way, screen):
    screen.open(f"{under_way.address}/setup?lang=en")
    screen.find("#match-discarded").click()
    screen.until("#sure", "Discard this match?")
    assert screen.run("return document.activeElement.id") == "sure-yes"
    assert screen.violations() == []
    screen.find("#sure-no").click()
    screen.find("#match-discarded")
    assert screen.run("return document.activeElement.id") == "match-discarded"
    assert under_way.state.phase is Phase.TURN
    screen.find("#match-discarded").click()
    assert screen.complaints() == []  # before a match the page looks through the camera, and here is none
    screen.find("#sure-yes").click()
    under_way.until(lambda: under_way.state.phase is Phase.LOBBY, "the next match")
    screen.wait(lambda: not screen.all("#match")[0].is_displayed(), "no match")
    screen.until("#stage", "ready")


def test_a_new_match_begins_with_its_players(under_way, screen):
    screen.open(f"{under_way.address}/setup?lang=en")
    screen.find("#match-anew").click()
    assert under_way.state.phase is Phase.TURN
    screen.find("#sure-yes").click()
    screen.wait(lambda: screen.driver.current_url == f"{under_way.address}/setup/game", "the players")
    under_way.until(lambda: under_way.state.phase is Phase.LOBBY, "the next match")


def test_where_nothing_is_under_way_there_is_no_card(screen):
    with playing() as table:
        screen.open(f"{table.address}/setup?lang=en")
        screen.until("#stage", "ready")
        assert not screen.all("#match")[0].is_displayed()


def test_without_a_journal_nobody_is_known():
    assert (earlier_players([]), begun_last([]), MOST_OFFERED) == ((), None, 8)
