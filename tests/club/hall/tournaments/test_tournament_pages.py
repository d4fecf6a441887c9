"""The tournament in a real browser: for everybody, on a large screen, on paper; in all languages and sizes."""

import pytest
from browser import NARROW, SIZES
from hall_pages import hall, hall_pages, tournament
from hosting import Hosting

from referee.club.hall.tournaments.round_results import SeatSearch
from referee.club.tournament.events import Ended, Renamed, ResultTold
from referee.club.tournament.rules import Counting, Drawing
from referee.i18n import LANGUAGES
from referee.letters import NAME_LETTERS

STAGES = ("entering", "drawn", "playing", "between")
VIEWS = ("names", "tables", "standings")
ALL = ("/tournament", "/tournament/wall", "/tournament/director")


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def there(screen, pages, path, stage="playing", players=7, language="en"):
    """Open a page on a tournament of that stage, and wait until it shows it; gives the tournament."""
    hosting = tournament(players, stage)
    pages.show(hosting)
    mark = "&" if "?" in path else "?"
    path, _, view = path.partition("#")
    screen.open(f"{pages.address}{path}{mark}lang={language}{'#' * bool(view)}{view}")
    screen.until("#name", "Spring cup")
    screen.wait(lambda: screen.run("return Referee.parts.tournament.stage") == stage, stage)
    return hosting


def lines(screen, selector):
    texts = "return [].map.call(document.querySelectorAll(arguments[0]), function (one) { return one.innerText; })"
    return [" ".join(one.split()) for one in screen.run(texts, selector)]


def test_everybody_finds_the_own_seat_by_name_and_by_table(pages, screen):
    hosting = there(screen, pages, "/tournament", "drawn")
    assert screen.text("#round") == "Round 2 of 3"
    first = hosting.drawn.tables[0].players
    names = [hosting.now.tournament.players[one - 1].name for one in first]
    seats = lines(screen, "#by-name li")
    assert len(seats) == 6
    assert f"{names[0]} , Table 1 table-1 ▶ starts" in seats
    assert f"{names[1]} , Table 1 table-1" in seats
    assert [one.partition(" ")[0] for one in seats] == ["Ann", "Beatrice", "Çelik", "Dora", "Émile", "Gus"]
    table = lines(screen, "#by-table > li")[0]
    assert table.startswith(f"Table 1 table-1 {names[0]} ▶ starts {names[1]} {names[2]}")
    assert screen.complaints() == []


def test_who_has_a_bye_is_told_so(pages, screen):
    pages.show(two := two_at_a_table())
    screen.open(f"{pages.address}/tournament?lang=en")
    screen.until("#byes", "Bye: ")
    rests = two.now.tournament.players[two.drawn.byes[0] - 1].name
    assert screen.text("#byes") == f"Bye: {rests}"
    assert f"{rests} , bye" in lines(screen, "#by-name li")


def two_at_a_table():
    hosting = Hosting(5, rounds=2, smallest=2, largest=2)
    hosting.views = hall(2)
    hosting.draw()
    return hosting


def test_results_and_standings_come_in_by_themselves(pages, screen):
    hosting = there(screen, pages, "/tournament", "playing")
    assert len(screen.all("#by-table .over")) == 1
    hosting.do(ResultTold(1, (100, 90, -5), 9.0))
    pages.show(hosting)
    screen.until("h2", "Standings")
    screen.wait(lambda: not screen.run("return document.getElementById('tables-section').offsetParent"), "the end")
    best = hosting.now.tournament.players[hosting.drawn.tables[0].players[0] - 1].name
    assert any(line.startswith(f"1 {best}") or f" {best} " in line for line in lines(screen, "#standings tbody tr"))
    assert "Table 1" in lines(screen, "#past article")[0]
    assert "100" in lines(screen, "#past article")[0]
    hosting.do(Ended(10.0))
    pages.show(hosting)
    screen.until("#told", "The tournament is over")


def test_what_was_changed_can_be_read_by_everybody(pages, screen):
    there(screen, pages, "/tournament", "playing")
    changes = lines(screen, "#changes li")
    assert len(changes) == 2
    assert "Eve" in changes[1]
    assert "A joker was counted twice" in changes[1]


def test_without_a_tournament_there_is_one_sentence(pages, screen):
    pages.show(None)
    for path in ALL:
        screen.open(f"{pages.address}{path}?lang=en")
        screen.until("#told", "No tournament has been opened yet.")
        assert screen.violations() == [], path


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_hall_shows_who_is_ahead(pages, screen, language):
    hosting = tournament(13, "between")
    pages.show(hosting)
    screen.open(f"{pages.address}/?lang={language}")
    screen.until("#tournament", "Spring cup")
    screen.find("#tournament-first li")
    assert len(screen.all("#tournament-first li")) == 5
    assert screen.violations() == []
    screen.find("#tournament a").click()
    screen.until("#name", "Spring cup")


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_keeps_anybody_from_reading_them(pages, screen, language, stage):
    for path in (*ALL, *(f"/tournament/wall#{view}" for view in VIEWS)):
        there(screen, pages, path, stage, language=language)
        assert screen.run("return document.documentElement.lang") == language
        for scheme in ("light", "dark"):
            screen.prefers(scheme=scheme)
            assert screen.violations() == [], (path, scheme)
    assert screen.complaints() == []


@pytest.mark.parametrize("size", NARROW)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off_on_a_phone_or_at_twice_the_size(pages, screen, language, size):
    screen.narrow(size)
    for stage in STAGES:
        for path in ALL:
            there(screen, pages, path, stage, players=13, language=language)
            assert screen.sideways() <= 0, (path, stage)
            if size == "320 px" or not path.endswith("/wall"):
                assert screen.cut_off() == [], (path, stage)
            assert screen.small() == [], (path, stage)


def test_the_longest_name_there_can_be_is_broken_not_cut_off(pages, screen):
    screen.narrow("320 px")
    for stage in STAGES:
        hosting = tournament(7, stage)
        hosting.do(Renamed(1, "W" * NAME_LETTERS, 9.0))
        pages.show(hosting)
        for path in ALL:
            screen.open(f"{pages.address}{path}?lang=en")
            screen.until("main", "W" * NAME_LETTERS)
            assert screen.sideways() <= 0, (path, stage)
            assert screen.cut_off() == [], (path, stage)


WHOLE = """
var box = document.getElementById("wall"), low = box.getBoundingClientRect().bottom;
return [].filter.call(box.querySelectorAll("li, td, th, .who, .where, .result"), function (one) {
  var at = one.getBoundingClientRect();
  if (!at.width) { return false; }
  var outside = at.right > window.innerWidth + 1 || at.left < -1 || at.bottom > low + 1;
  return outside || one.className === "who" && one.scrollWidth > one.clientWidth + 1;
}).map(function (one) { return one.outerHTML.slice(0, 200); });
"""


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("players", [3, 13, 64])
def test_a_large_screen_shows_all_of_it_as_large_as_fits(pages, screen, players, view):
    screen.resize(*SIZES["television"])
    there(screen, pages, f"/tournament/wall#{view}", "playing", players)
    screen.find(f"[data-view={view}][aria-pressed=true]")
    assert screen.run(WHOLE) == []
    size = screen.run("return parseFloat(getComputedStyle(document.getElementById('wall')).fontSize)")
    assert size >= {3: 60, 13: 40, 64: 20}[players]


def test_a_large_screen_goes_along_with_the_tournament_unless_somebody_chose(pages, screen):
    for stage, shown in (
        ("entering", "seats"),
        ("drawn", "seats"),
        ("playing", "tables-section"),
        ("between", "standings-section"),
    ):
        there(screen, pages, "/tournament/wall", stage)
        assert screen.find(f"#{shown}").is_displayed()
    screen.find("[data-view=names]").click()
    screen.find("#seats")
    assert screen.driver.current_url.endswith("#names")
    screen.driver.refresh()
    screen.find("#seats li")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_standings_of_twenty_players_are_one_sheet_of_paper(pages, screen, language):
    hosting = tournament(20, "between", rounds=3, drawing=Drawing.SWISS, counting=Counting.STRENGTH)
    hosting.do(Ended(10.0))
    pages.show(hosting)
    screen.open(f"{pages.address}/tournament?lang={language}")
    screen.until("#name", "Spring cup")
    screen.run("window.print = function () {};")
    screen.find("[data-print=standings]").click()
    screen.prefers(media="print")
    screen.resize(718, 1000)  # A4 with margins of 1 cm; a browser shrinks what is wider
    assert screen.sideways() <= 0
    assert screen.paper() == 1


@pytest.mark.parametrize("players", [7, 30, 64, 100])
def test_the_seats_of_a_round_are_one_sheet_of_paper(pages, screen, players):
    there(screen, pages, "/tournament", "drawn", players, language="de")
    screen.run("window.print = function () {};")
    screen.find("[data-print=seats]").click()
    screen.prefers(media="print")
    assert screen.all("#by-name")[0].is_displayed()
    hidden = [".top", "#tables-section", "#standings-section", "#past-section", "[data-print=seats]"]
    assert not any(screen.all(one)[0].is_displayed() for one in hidden)
    assert screen.sideways() <= 0
    assert screen.paper() == 1


@pytest.mark.parametrize(
    ("sheet", "shown", "hidden"), [("standings", "#standings", "#past"), ("results", "#past", "#standings")]
)
def test_standings_and_results_are_sheets_of_their_own(pages, screen, sheet, shown, hidden):
    there(screen, pages, "/tournament", "playing", 30)
    screen.run("window.print = function () {};")
    screen.find(f"[data-print={sheet}]").click()
    screen.prefers(media="print")
    assert screen.all(shown)[0].is_displayed()
    assert not screen.all(hidden)[0].is_displayed()
    assert screen.sideways() <= 0
    if sheet == "results":  # those of the round under way, too
        assert [one.text.split("\n")[0] for one in screen.all("#past article")] == ["Round 2", "Round 1"]
    screen.run("window.dispatchEvent(new Event('afterprint'));")
    assert screen.all(hidden)[0].is_displayed()


def test_the_director_sees_how_far_the_search_for_seats_has_come_and_may_take_the_best(pages, screen):
    entering = tournament(17, "entering")
    pages.show(entering, SeatSearch(1, 8, 9, 4))
    screen.open(f"{pages.address}/tournament/director")
    screen.until("#told", "Seats for round 1 are being drawn.")
    screen.until("#search-told", "8% of the search is done. With the best seats so far, 9 pairs meet again")
    assert not screen.all("#draw")[0].is_displayed()
    assert not screen.all("#take")[0].is_displayed()
    pages.show(entering, SeatSearch(1, 42, 6, 4, offered=True))
    screen.wait(screen.all("#take")[0].is_displayed, "the best seats so far")
    assert screen.find("#search-bar").get_attribute("value") == "42"
    assert screen.violations() == []
    pages.show(tournament(17, "drawn"), SeatSearch(3, 10, 6, 4, later=True))
    screen.until("#search-told", "Nobody changes seats in this round.")
    assert not screen.all("#take")[0].is_displayed()
    pages.show(tournament(17, "drawn"))
    screen.wait(lambda: not screen.all("#search")[0].is_displayed(), "the end of the search")
    assert screen.complaints() == []
