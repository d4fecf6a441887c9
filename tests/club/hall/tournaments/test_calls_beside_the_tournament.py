"""The calls of players on the page from which a tournament is directed: who, where, why, and the answers."""

from dataclasses import replace

import pytest
from browser import NARROW
from hall_day_states import with_desk, without_referees
from hall_evening import hall_evening
from hall_pages import hall_pages
from test_hall_without_boxes import Hall
from test_tournament_evening import Director

from referee.club.hall.desk.keeper import DeskFacts
from referee.club.hall.desk.state import set_clock, stop_clock
from referee.club.tournament.events import CheckedIn
from referee.i18n import LANGUAGES

pytestmark = pytest.mark.page
PATH = "/tournament/director"


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def show(pages, screen, *, calls=True, language="en"):
    hosting = without_referees()
    pages.tell(replace(hosting.facts, desk=with_desk(hosting) if calls else DeskFacts()))
    screen.open(f"{pages.address}{PATH}?lang={language}")
    return hosting


def test_a_call_says_who_and_where_and_why_and_is_answered_in_place(tmp_path, screen):
    with hall_evening(tmp_path, tables=0) as evening:
        phones, director = Hall(evening), Director(evening, screen)
        director.stage("playing")
        assert not screen.all("#calls-section")[0].is_displayed()
        caller = director.told["tables"][0]["players"][0]
        assert phones.calls(caller["number"], reason="rules", text="May a joker be taken?")[0] == 200
        screen.until("#calls li", f"Called by {caller['name']}.")
        screen.until("#calls li", "Table 1")
        screen.until("#calls li", "A question about the rules: May a joker be taken?")
        screen.wait(lambda: screen.driver.title.startswith("(1) "), "the number of calls in the title")
        screen.find("#who").send_keys("Maya")
        screen.find("[data-answer^='call-coming']").click()
        screen.until("#calls li", "On the way: Maya")
        screen.until("#answer", "Table 1 reads that you are coming.")
        screen.find("[data-answer^='call-done']").click()
        screen.wait(lambda: not screen.all("#calls-section")[0].is_displayed(), "no call")
        screen.until("#answer", "Table 1: the call is closed.")
        assert not screen.driver.title.startswith("(")
        assert evening.desk.facts.state.calls == ()
        assert screen.complaints() == []


def test_a_call_is_seen_far_down_the_page(pages, screen):
    screen.resize(390, 844)
    show(pages, screen)
    screen.find("#calls li")
    assert not screen.all("#calls-note")[0].is_displayed()
    screen.run("window.scrollTo(0, document.documentElement.scrollHeight)")
    screen.until("#calls-link", "Calls: 2")
    screen.find("#calls-link").click()
    screen.wait(lambda: not screen.all("#calls-note")[0].is_displayed(), "the calls themselves")


def test_what_is_typed_stays_when_another_call_comes(pages, screen):
    hosting = show(pages, screen)
    screen.find("#enter-names").send_keys("Zoe")
    hosting.do(CheckedIn(12, 20.0))
    pages.tell(
        replace(hosting.facts, desk=replace(with_desk(hosting), state=replace(with_desk(hosting).state, calls=())))
    )
    screen.wait(lambda: not screen.all("#calls-section")[0].is_displayed(), "no call")
    assert screen.find("#enter-names").get_attribute("value") == "Zoe"
    assert screen.driver.switch_to.active_element.get_attribute("id") == "enter-names"


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_keeps_anybody_from_answering_a_call(pages, screen, language):
    show(pages, screen, language=language)
    screen.find("#calls li")
    assert screen.violations_in_both_schemes() == []
    for size in NARROW:
        screen.narrow(size)
        show(pages, screen, language=language)
        screen.find("#calls li")
        assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], []), size
    assert screen.complaints() == []


def test_begin_now_says_that_the_clock_starts_with_the_round(tmp_path, screen):
    with hall_evening(tmp_path) as evening:
        director = Director(evening, screen)
        director.opens()
        director.all_here()
        evening.desk.change(set_clock(1800, 300, each=True)).result()
        director.draws()
        director.press("#begin")
        screen.until("#begin-clock", "The clock of the round starts with it: 30:00.")
        evening.desk.change(stop_clock).result()
        screen.wait(lambda: not screen.all("#begin-clock")[0].is_displayed(), "no clock")
