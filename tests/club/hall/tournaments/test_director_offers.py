"""What the director's page offers: only what can do something, and for results by hand the table that is next."""

import pytest
from hall_evening import hall_evening
from hall_pages import hall_pages, named
from hosting import Hosting
from test_tournament_evening import Director

from referee.club.hall.tournaments.state import Placed
from referee.club.tournament.events import CheckedIn, Entered, ResultTold

pytestmark = pytest.mark.page
PATH = "/tournament/director"
CHOSEN = "return document.getElementById('result-table').value"


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


@pytest.fixture
def director(tmp_path, screen):
    with hall_evening(tmp_path, tables=0) as evening:
        yield Director(evening, screen)


def fresh(players=12):
    """A tournament in a hall without boxes; everybody is here, and no round is drawn."""
    hosting = Hosting(0)
    hosting.views = {}
    for number, name in enumerate(named(players), 1):
        hosting.do(Entered(name, 1.0), CheckedIn(number, 1.0))
    return hosting


def draw(hosting):
    hosting.draw()
    hosting.do(Placed((None,) * len(hosting.drawn.tables), 2.0))


def show(pages, screen, hosting, path=PATH):
    pages.show(hosting)
    screen.open(f"{pages.address}{path}?lang=en")
    screen.until("#name", "Spring cup")
    screen.wait(lambda: screen.run("return Boolean(Referee.parts.tournament)"), "the tournament")


def test_after_a_result_the_next_table_is_chosen_and_after_the_last_one_none(director):
    director.opens("\n".join(named(12)))
    director.all_here()
    director.draws()
    director.begins()
    screen = director.screen
    assert screen.run(CHOSEN) == "1.1"
    director.writes(2, 30, -10, -10, -10)
    screen.wait(lambda: screen.run(CHOSEN) == "1.3", "the table after it")
    screen.wait(lambda: screen.run("return document.activeElement.id") == "result-points-0", "the first total")
    director.writes(3, 30, -10, -10, -10)
    screen.wait(lambda: screen.run(CHOSEN) == "1.1", "the first table that is still open")
    director.writes(1, 30, -10, -10, -10)
    screen.wait(lambda: screen.run(CHOSEN) == "", "no table")
    assert not screen.all("#result-do")[0].is_displayed()
    director.draws(2)
    director.begins()
    screen.wait(lambda: screen.run(CHOSEN) == "2.1", "the first table of the next round")
    assert screen.complaints() == []


def test_a_result_that_players_enter_moves_nobody_who_types_or_corrects(pages, screen):
    hosting = fresh()
    draw(hosting)
    hosting.begin()
    show(pages, screen, hosting)
    screen.wait(lambda: screen.run(CHOSEN) == "1.1", "the first table")
    screen.find("#result-points-0").send_keys("4")
    hosting.do(ResultTold(1, (9, 0, 0, -9), 4.0))
    pages.show(hosting)
    screen.until("#result-do", "Correct the result")
    assert screen.run(CHOSEN) == "1.1"
    hosting.do(ResultTold(2, (9, 0, 0, -9), 4.0))
    pages.show(hosting)
    screen.until("#state-2", "written by hand")
    assert screen.run(CHOSEN) == "1.1"


def test_no_result_is_asked_for_before_the_round_has_begun(pages, screen):
    hosting = fresh()
    draw(hosting)
    show(pages, screen, hosting)
    screen.find("#tables [data-table]")
    assert screen.all("[id^=hand-]") == []
    assert not screen.all("#result-section")[0].is_displayed()
    hosting.begin()
    pages.show(hosting)
    screen.find("#hand-1")
    screen.find("#result-section")


@pytest.mark.parametrize("path", [PATH, "/tournament"])
def test_sheets_and_files_are_offered_once_there_is_something_in_them(pages, screen, path):
    hosting = fresh()
    draw(hosting)
    hosting.begin()
    show(pages, screen, hosting, path)
    screen.find("a[href='/tournament.json']")
    assert [one for one in screen.all("a[href='/tournament/certificates']") if one.is_displayed()] == []
    assert [one for one in screen.all("a[href='/tournament-results.csv']") if one.is_displayed()] == []
    hosting.do(ResultTold(1, (9, 0, 0, -9), 4.0))
    pages.show(hosting)
    screen.find("a[href='/tournament/certificates']")
    screen.find("a[href='/tournament-results.csv']")


def test_with_nobody_on_the_list_there_are_no_slips(pages, screen):
    hosting = fresh(0)
    show(pages, screen, hosting)
    screen.find("#enter-names")
    for what in ("#slips", "#all-here", "#players-count", "#rulings-section"):
        assert not screen.all(what)[0].is_displayed(), what
    hosting.do(Entered("Ann", 1.0))
    pages.show(hosting)
    screen.find("#slips a")
