"""What the director's page offers: only what can do something, and results by hand for the table that was chosen."""

from dataclasses import replace

import pytest
from hall_evening import hall_evening
from hall_pages import hall_pages, named
from hosting import Hosting
from test_tournament_evening import Director

from referee.club.hall.tournaments.state import Placed
from referee.club.tournament.events import CheckedIn, Described, Entered, ResultCorrected, ResultReported, ResultTold
from referee.club.tournament.rules import Drawing, GroupStage

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


def fresh(players=12, **rules):
    """A tournament in a hall without boxes; everybody is here, and no round is drawn."""
    hosting = Hosting(0, **rules)
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


def test_no_table_is_chosen_before_the_director_chooses_one(director):
    director.opens("\n".join(named(12)))
    director.all_here()
    director.draws()
    director.begins()
    screen = director.screen
    screen.until("#result-table option", "Choose a table")
    assert screen.run(CHOSEN) == ""
    director.writes(2, 30, -10, -10, -10)
    screen.wait(lambda: screen.run(CHOSEN) == "", "no table")
    screen.wait(lambda: screen.run("return document.activeElement.id") == "result-table", "the choice of the next one")
    assert not screen.all("#result-do")[0].is_displayed()
    director.press("#hand-3")
    screen.wait(lambda: screen.run(CHOSEN) == "1.3", "the table whose button was pressed")
    assert screen.find("#result-points-0").get_attribute("value") == ""
    assert screen.complaints() == []


def with_four_typed(pages, screen):
    """A round has begun, and the director has typed a 4 for the first player of table 1."""
    hosting = fresh()
    draw(hosting)
    hosting.begin()
    show(pages, screen, hosting)
    screen.find("#hand-1").click()
    screen.find("#result-points-0").send_keys("4")
    return hosting


def test_what_is_typed_stays_when_the_table_gets_a_result_and_nothing_is_corrected_unasked(pages, screen):
    hosting = with_four_typed(pages, screen)
    hosting.do(ResultTold(2, (9, 0, 0, -9), 4.0))
    pages.show(hosting)
    screen.until("#state-2", "written by hand")
    assert screen.run(CHOSEN) == "1.1"
    assert not screen.all("#result-meanwhile")[0].is_displayed()
    names = hosting.names(1)
    hosting.do(ResultTold(1, (9, 0, 0, -9), 4.0))
    pages.show(hosting)
    screen.until("#result-came", f"Table 1 has got a result in the meantime: {names[0]} +9, {names[1]} 0, ")
    assert screen.run(CHOSEN) == "1.1"
    assert screen.find("#result-points-0").get_attribute("value") == "4"
    assert not screen.all("#result-do")[0].is_displayed()
    assert screen.violations() == []
    # Chosen again after another table, it is still there, and still asks.
    screen.find("#hand-3").click()
    assert screen.find("#result-points-0").get_attribute("value") == ""
    screen.run(
        "var s = document.getElementById('result-table'); s.value = '1.1'; s.dispatchEvent(new Event('change'));"
    )
    assert screen.find("#result-points-0").get_attribute("value") == "4"
    screen.find("#result-go-on").click()
    screen.until("#result-do", "Correct the result")
    assert screen.find("#result-points-0").get_attribute("value") == "4"
    assert screen.find("#result-why").get_attribute("required")
    hosting.do(ResultCorrected(1, 1, (8, 0, 0, -8), 5.0, "Eve", "Counted again"))
    pages.show(hosting)
    screen.until("#result-came", f"{names[0]} +8")
    screen.find("#result-leave").click()
    screen.wait(lambda: screen.run(CHOSEN) == "", "no table")
    assert not screen.all("#result-what")[0].is_displayed()


def test_what_a_player_enters_meanwhile_is_told_before_the_directors_result_counts(pages, screen):
    hosting = with_four_typed(pages, screen)
    first = hosting.drawn.tables[0].players[0]
    hosting.do(ResultReported(1, (9, 0, 0, -9), first, 4.0))
    pages.show(hosting)
    screen.until("#result-came", f"At table 1, {hosting.names(1)[0]} has entered a result in the meantime: ")
    screen.until("#result-go-on", "Mine instead")
    screen.find("#result-go-on").click()
    screen.until("#result-entered", "A result that you write here counts instead.")
    assert screen.find("#result-points-0").get_attribute("value") == "4"


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


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({}, "Ratings are only shown: planned seats"),
        ({"drawing": Drawing.SWISS}, "Ratings are only shown: round 1 is drawn by lot"),
        ({"drawing": Drawing.GROUPS, "groups": GroupStage(4, 2)}, "Ratings make the groups equally strong"),
    ],
)
def test_the_list_of_players_has_clubs_and_ratings_and_says_what_ratings_do(pages, screen, rules, told):
    hosting = Hosting(0, **rules)
    hosting.do(Entered("Ann", 1.0), Entered("Ben", 1.0))
    show(pages, screen, hosting)
    screen.until("#players", "Ben")
    assert screen.run("return document.getElementById('players-ratings').textContent") == ""
    hosting.do(Described(1, 2.0, "Rummy club North", 1850))
    pages.show(hosting)
    screen.until("#players", "Ann · Rummy club North · 1850")
    screen.until("#players-ratings", told)


def test_round_one_by_the_standings_does_not_depend_on_ratings():
    def drawn(*, rated):
        hosting = fresh(12, drawing=Drawing.SWISS)
        for player in range(1, 13):
            hosting.do(Described(player, 1.5, "", 2400 - 100 * player if rated else None))
        hosting.draw()
        return hosting.drawn.tables

    assert [table.players for table in drawn(rated=True)] == [table.players for table in drawn(rated=False)]


def alone(hosting):
    """The same tournament in a hall that has no broker, and so no boxes."""
    return replace(hosting.facts, connected=False, alone=True, tables={})


@pytest.mark.parametrize("path", [PATH, "/director"])
def test_a_hall_without_boxes_does_not_speak_of_them(pages, screen, path):
    hosting = fresh()
    draw(hosting)
    seen = {}
    for facts in (hosting.facts, alone(hosting)):
        pages.tell(facts)
        screen.open(f"{pages.address}{path}?lang=en")
        screen.wait(lambda: screen.run("return Boolean(Referee.parts.hall)"), "the hall")
        screen.wait(lambda: screen.run("return Referee.parts.hall.alone !== ''") == facts.alone, "what kind of hall")  # noqa: B023
        boxes = screen.run("return [].map.call(document.querySelectorAll('[data-boxes]'), one => one.hidden)")
        seen[facts.alone] = boxes
        text = screen.run("return document.querySelector('main').innerText")
        if facts.alone:
            assert "Pause all tables" not in text
            assert "A table does only" not in text
            assert "as set at the tables" not in text
    assert len(seen[False]) == len(seen[True]) > 0
    assert not any(seen[False])
    assert all(seen[True])


def test_a_tournament_that_was_opened_by_mistake_can_be_ended_before_its_first_draw(pages, screen):
    show(pages, screen, fresh())
    screen.find("#end").click()
    screen.find("#end-yes")


def test_the_end_is_not_beside_the_draw_and_asks_once_more(pages, screen):
    hosting = fresh()
    draw(hosting)
    hosting.begin()
    for table in range(1, len(hosting.drawn.tables) + 1):
        hosting.do(ResultTold(table, (9, 0, 0, -9), 4.0))
    screen.resize(390, 844)
    show(pages, screen, hosting)
    screen.find("#draw")
    place = "return document.getElementById(arguments[0]).getBoundingClientRect()[arguments[1]]"
    screen.find("#end")
    assert screen.run(place, "end", "top") - screen.run(place, "draw", "bottom") > 44  # more than a finger
    assert "strong" not in screen.find("#end").get_attribute("class")
    screen.find("#end").click()
    screen.find("#end-yes")
    assert screen.run("return Referee.parts.tournament.ended") is False


def test_no_two_controls_of_a_ruling_are_called_the_same(pages, screen):
    show(pages, screen, fresh())
    screen.until("#rule-fold summary", "Warn a player, or give or take points")
    screen.find("#rule-fold summary").click()
    screen.until("#rule [type=submit]", "Record it")


def test_tie_breaks_are_called_tie_breaks(pages, screen):
    pages.show(None)
    screen.open(f"{pages.address}{PATH}?lang=en")
    screen.find("#open details summary").click()
    screen.until("label[for=open-tie-1]", "Tie-break 1")


def test_names_are_not_less_prominent_than_numbers(pages, screen):
    hosting = fresh()
    draw(hosting)
    hosting.begin()
    hosting.do(ResultTold(1, (9, 0, 0, -9), 4.0))
    show(pages, screen, hosting, "/tournament")
    screen.find("#by-table .seat-card.over .who")
    weight = "return Number(getComputedStyle(document.querySelector('#by-table .over ' + arguments[0])).fontWeight)"
    assert screen.run(weight, ".who") > screen.run(weight, ".result")
