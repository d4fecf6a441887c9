"""What the director's pages say about where things are: what is printed, what comes next, what a name leads to."""

from dataclasses import replace

import pytest
from hall_day_states import without_referees
from hall_evening import hall_evening
from hall_pages import hall_pages, tournament
from test_tournament_evening import Director

from referee.club.tournament.events import Ended

pytestmark = pytest.mark.page


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def test_the_seats_are_printed_from_the_sheets_of_the_director(pages, screen):
    pages.show(tournament(20, "playing"))
    screen.open(f"{pages.address}/tournament/director?lang=en")
    link = screen.find("#files-section #print-seats")
    assert link.text == "Print the seats"
    screen.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {"source": "window.print = function () { window.printed = document.body.getAttribute('data-sheet'); };"},
    )
    link.click()
    screen.wait(lambda: screen.run("return window.printed") == "seats", "the seats on paper")
    assert screen.run("return location.search") == ""
    assert screen.complaints() == []


@pytest.mark.parametrize("section", ["#over-section", "#files-section"])
def test_the_standings_are_printed_from_the_sheets_of_the_director_with_their_state_and_date(pages, screen, section):
    hosting = tournament(20, "between")
    if section == "#over-section":
        hosting.do(Ended(11.0))
    pages.show(hosting)
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.until("#standings-state", "Standings after round" if section == "#files-section" else "Final standings")
    screen.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {"source": "window.print = function () { window.printed = document.body.getAttribute('data-sheet'); };"},
    )
    screen.find(f"{section} a[href='/tournament?print=standings']").click()
    screen.wait(lambda: screen.run("return window.printed") == "standings", "the standings on paper")
    screen.prefers(media="print")
    assert screen.find("#standings-state").is_displayed()
    assert screen.find("#standings-state").text.endswith(("1969", "1970"))


def test_after_the_end_the_next_tournament_is_one_line(pages, screen):
    hosting = tournament(20, "between")
    pages.show(hosting)
    hosting.do(Ended(11.0))
    pages.show(hosting)
    for size in ((390, 844), (1280, 900)):
        screen.resize(*size)
        screen.open(f"{pages.address}/tournament/director?lang=en")
        screen.find("#podium li")
        assert not screen.all("#open-name")[0].is_displayed()
        screen.find("#open-heading button").click()
        screen.find("#open-name")


def test_without_a_tournament_the_form_is_open(pages, screen):
    pages.show(None)
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.find("#open-name")


def test_the_tab_of_the_director_has_another_name_than_the_page_for_everybody(pages, screen):
    pages.show(tournament(8, "drawn"))
    screen.open(f"{pages.address}/tournament/director?lang=en")
    links = {one.text.splitlines()[0]: one.get_attribute("href") for one in screen.all("header a, .director-ways b")}
    assert {"Tournament", "Direct the tournament"} <= links.keys()


def test_the_start_page_leads_to_what_it_names(pages, screen):
    hosting = without_referees()
    pages.tell(replace(hosting.facts, alone=True))
    screen.open(f"{pages.address}/?lang=en")
    assert [one.text for one in screen.all("#ways a")] == ["Tournament", "Director"]
    screen.find("#ways a").click()
    screen.find(".tournament-page")


def test_a_founded_league_says_what_comes_next(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        Director(evening, screen)
        screen.open(f"{evening.address}/leagues?lang=en")
        screen.find("#found-name").send_keys("Thursday league")
        screen.find("#found [type=submit]").click()
        screen.until("#answer", "open a tournament and choose the league there")
        screen.until(".league-list", "Thursday league")


def test_the_hint_of_the_file_names_all_columns(pages, screen):
    pages.show(tournament(8, "entering"))
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.find("#import summary").click()
    screen.until("#import-about", "name, club, rating and team")
