"""Calling the director, the time of the round and announcements on a table's own pages, with a real loop behind."""

import pytest
from browser import NARROW
from page_loop import playing
from page_states import arrived, in_state

from referee.club.table_side.call_file import CallFile
from referee.game.match.phases import Phase
from referee.i18n import LANGUAGES
from referee.table.desk_values import CallHeard, CallState, HallClock, HearHall
from referee.table.input.requests import Announce, PendingRequest, Sender

STATES = ("round-time", "called", "director-comes", "round-time-up")


@pytest.fixture
def table(tmp_path):
    with playing(calls=CallFile(tmp_path)) as made:
        yield made


def hears(table, *, listens=True, left=None, answer=None, clock=None):
    if left is not None:
        clock = HallClock(1, left, table.loop.now + left, 300.0)
    table.loop.request(PendingRequest(HearHall(listens, clock, answer), Sender.CLUB, lambda _: None))


def seen(screen, name):
    """Whether an element takes any room."""
    return screen.run("return document.getElementById(arguments[0]).offsetHeight > 0", name)


def cut_off(screen):
    """What does not fit, apart from the picture, which is larger than its frame on purpose."""
    return [one for one in screen.cut_off() if "picture" not in one]


def in_a_turn(table):
    table.press("button-pause")
    table.until(lambda: table.state.phase is Phase.TURN)


def test_players_call_with_a_reason_and_see_what_becomes_of_it(table, screen):
    in_a_turn(table)
    hears(table)
    screen.open(table.address + "/?lang=en")
    screen.find("#call-open").click()
    assert screen.run("return document.activeElement.id") == "call-why"
    screen.find("#call-why option[value=dispute]").click()
    screen.find("#call-more").send_keys("A tile was moved")
    screen.find("#call-form [type=submit]").click()
    screen.until("#called", "Director called. The hall has not confirmed it yet.")
    table.until(lambda: table.state.phase is Phase.PAUSED)
    call = table.server.follower.facts.desk.call
    assert (call.reason, call.text, call.stopped) == ("dispute", "A tile was moved", True)
    hears(table, answer=CallHeard(call.id, CallState.WAITING, 3))
    screen.until("#called", "Director called. 2 tables are before you.")
    hears(table, listens=False, answer=CallHeard(call.id, CallState.WAITING, 3))
    screen.until("#called", "it gets the call as soon as it is back")
    hears(table, answer=CallHeard(call.id, CallState.COMING, who="Maya"))
    screen.until("#called", "The director is coming: Maya.")
    hears(table, answer=CallHeard(call.id, is_over=True))
    screen.find("#call-open", lambda found: found.is_displayed())
    assert not seen(screen, "called")
    assert screen.complaints() == []


def test_a_call_is_withdrawn_and_one_without_a_hall_is_refused_in_a_sentence(table, screen):
    screen.open(table.address + "/?lang=en")
    screen.find("#call-open").click()
    screen.find("#call-form [type=submit]").click()
    screen.until("#call-told", "Please fetch the director yourselves.")
    hears(table)
    screen.find("#call-form [type=submit]").click()
    screen.find("#call-withdraw", lambda found: found.is_displayed()).click()
    screen.find("#call-open", lambda found: found.is_displayed())
    assert table.server.follower.facts.desk.call is None


def test_an_announcement_is_dismissed(table, screen):
    screen.open(table.address + "/panel?lang=en")
    table.loop.request(PendingRequest(Announce("The buffet is open.", 600), Sender.CLUB, lambda _: None))
    screen.until("#announced", "The buffet is open.")
    screen.find("#dismiss").click()
    screen.wait(lambda: not seen(screen, "announced"), "no announcement")


def test_the_time_counts_down_and_says_what_to_do_at_the_end(table, screen):
    in_a_turn(table)
    screen.open(table.address + "/display?lang=en")
    hears(table, left=200.0)
    screen.until("#round-time", "3:1")
    assert "soon" in screen.find("#round-time").get_attribute("class")
    hears(table, left=0.3)
    screen.until("#round-up", "The time is up. Finish this turn, and begin no new round.")
    table.until(lambda: any(said.startswith("The time is up.") for said in table.said))


def test_a_table_without_a_club_offers_no_call(screen):
    with playing() as table:
        screen.open(table.address + "/?lang=en")
        screen.wait(lambda: "desk" in screen.run("return Object.keys(Referee.parts)"), "the parts of the page")
        assert not seen(screen, "call-box")
        assert not seen(screen, "desk")


@pytest.mark.parametrize("state", STATES)
def test_nothing_keeps_anybody_from_reading_it(screen, state):
    with in_state(state) as table:
        for language in LANGUAGES:
            for page in ("/", "/panel"):
                screen.open(f"{table.address}{page}?lang={language}")
                screen.find("#desk", lambda found: found.is_displayed())
                arrived(screen)
                screen.run(
                    "const open = document.getElementById('call-open'); if (open.offsetParent) { open.click(); }"
                )
                assert screen.violations_in_both_schemes() == [], (page, language)


@pytest.mark.parametrize("size", list(NARROW))
def test_nothing_of_it_is_cut_off(screen, size):
    with in_state("director-comes") as table:
        for language in LANGUAGES:
            for page in ("/", "/panel"):
                screen.narrow(size)
                screen.open(f"{table.address}{page}?lang={language}")
                screen.find("#desk", lambda found: found.is_displayed())
                assert (screen.sideways(), cut_off(screen), screen.small()) == (0, [], []), (page, language)


@pytest.mark.parametrize("state", STATES)
def test_on_a_television_everything_still_fits(screen, state):
    screen.resize(1920, 1080)
    with in_state(state) as table:
        for language in LANGUAGES:
            screen.open(f"{table.address}/display?lang={language}")
            screen.find("#desk", lambda found: found.is_displayed())
            assert cut_off(screen) == [], language
            assert screen.run("return document.documentElement.scrollHeight <= window.innerHeight"), language


def test_a_clock_that_was_never_started_is_not_called_stopped(table, screen):
    in_a_turn(table)
    for started, told in ((False, "not started"), (True, "stopped")):
        hears(table, clock=HallClock(1, 2700.0, None, 300.0, started=started))
        screen.open(table.address + "/?lang=en")
        screen.until("#round-time .state", told)
        assert screen.text("#round-time b") == "45:00"
