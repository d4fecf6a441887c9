"""The wall of a hall with 4, 12 and 40 tables is read from 4 m away; the director's page of 40 fits a phone."""

import time
from dataclasses import replace

import pytest
from browser import SIZES
from hall_pages import hall, hall_pages, tournament
from kept_hall import snapshot

from referee.club.protocol.documents import Clock
from referee.club.tournament.events import Renamed, ReportDisputed, ResultReported, ResultTold
from referee.game.match.phases import Phase
from referee.i18n import LANGUAGES

PLAYERS = {4: 15, 12: 47, 40: 159}
"""Players for so many tables: the last but one of them has not come."""
READABLE = 0.038
"""The least size of letters as a share of the height of the screen.

Capitals are 0.72 of it, so 2.7 % of the screen: 18.6 mm on a screen of 55 inches (685 mm high). At 4 m that is 16
minutes of arc, the least that ISO 9241-303 asks for.
"""
VIEWS = {"names": "#by-name .who, #by-name .at", "tables": "#by-table h3, #by-table .who, #by-table .live .time, "
         "#by-table .live .needs", "standings": "#columns tbody th, #columns tbody td"}  # fmt: skip
SMALL = """
var least = arguments[1] * innerHeight;
return [].filter.call(document.querySelectorAll(arguments[0]), function (one) {
  return one.textContent && one.offsetParent && parseFloat(getComputedStyle(one).fontSize) < least;
}).map(function (one) { return one.outerHTML.slice(0, 120) + getComputedStyle(one).fontSize; });
"""
ORDERED = """
return arguments[0].slice().sort(function (one, other) {
  return one.localeCompare(other, "en", { numeric: true, sensitivity: "base" });
});
"""
TABLES = """
return [].map.call(document.querySelectorAll("#tables > li"), function (one) {
  return one.getAttribute("data-table");
});
"""
OUTSIDE = """
var box = document.getElementById("wall"), low = box.getBoundingClientRect().bottom;
return [].filter.call(box.querySelectorAll("li, td, th, .who, .where, .result, .live span"), function (one) {
  var at = one.getBoundingClientRect();
  return at.width && (at.right > innerWidth + 1 || at.left < -1 || at.bottom > low + 1);
}).map(function (one) { return one.outerHTML.slice(0, 200); });
"""
TEXTS = "return [].map.call(document.querySelectorAll(arguments[0]), function (one) { return one.textContent; })"
PAGE = "return document.getElementById('page').textContent"
PHONE, SCREENS = (390, 844), 4


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def playing(tables):
    """A round under way at so many tables; at the first of them somebody is needed, and the clock of the turn runs."""
    hosting = tournament(PLAYERS[tables], "playing")
    hosting.views = hall(tables)
    first = hosting.now.current.places[0]
    state = snapshot(phase=Phase.TURN, clock=Clock(754.0, running=True), cut=True)
    hosting.views[first] = replace(hosting.views[first], snapshot=state, told=time.monotonic())
    return hosting


def wall(screen, pages, hosting, view, language="en"):
    screen.resize(*SIZES["television"])
    pages.show(hosting)
    screen.open(f"{pages.address}/tournament/wall?lang={language}#{view}")
    screen.until("#name", "Spring cup")
    screen.wait(lambda: screen.run("return document.getElementById('wall').style.fontSize"), "the letters")
    screen.wait(lambda: screen.run("return document.fonts.status") == "loaded", "the typeface")


def turned(screen):
    """All pages of the view, one after the other; gives what `#page` says of each."""
    first = screen.run(PAGE)
    yield first
    while screen.all("#next")[0].is_displayed():
        before = screen.run(PAGE)
        screen.find("#next").click()
        screen.wait(lambda before=before: screen.run(PAGE) != before, "the next page")
        if screen.run(PAGE) == first:
            return
        yield screen.run(PAGE)


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("tables", PLAYERS)
def test_every_page_is_read_across_the_room_and_nobody_is_left_out(pages, screen, tables, language):
    hosting = playing(tables)
    names = sorted(player.name for player in hosting.now.tournament.players if player.here)
    for view, selector in VIEWS.items():
        wall(screen, pages, hosting, view, language)
        found = []
        for _ in turned(screen):
            assert screen.run(SMALL, selector, READABLE) == [], (view, _)
            assert screen.run(OUTSIDE) == [], (view, _)
            found += screen.run(TEXTS, {"names": "#by-name .who", "tables": "#by-table .who",
                                        "standings": "#columns tbody th > span:first-child"}[view])  # fmt: skip
        assert sorted(found) == names, view
    assert screen.complaints() == []


@pytest.mark.page
def test_names_are_in_order_from_page_to_page_and_each_page_says_from_whom_to_whom(pages, screen):
    wall(screen, pages, playing(40), "names")
    found = []
    for page in turned(screen):
        names = screen.run(TEXTS, "#by-name .who")
        assert page.endswith(f"{names[0]} \N{EN DASH} {names[-1]}")
        found += names
    assert found == screen.run(ORDERED, found)


@pytest.mark.page
def test_the_clock_of_a_table_and_a_question_there_are_seen_first(pages, screen):
    hosting = playing(12)
    wall(screen, pages, hosting, "tables")
    first = next(number for number, one in enumerate(hosting.drawn.tables, 1) if one.points is None)
    assert first == 1
    card = screen.find("#by-table [data-table='1']")
    screen.wait(lambda: "12:" in card.text, "the clock")
    assert "? help" in card.text
    assert "needs" in card.get_attribute("class")
    assert screen.run("return document.getElementById('by-table').firstChild.getAttribute('data-table')") == "1"
    assert screen.violations_in_both_schemes() == []


@pytest.mark.page
def test_standings_say_how_many_rounds_everybody_has_played(pages, screen):
    for tables in PLAYERS:
        wall(screen, pages, playing(tables), "standings")
        assert "Rounds" in screen.run(TEXTS, "#columns thead th")
        counted = screen.run(TEXTS, "#columns tbody tr td:nth-child(4)")
        assert counted
        assert set(counted) <= {"1", "2"}


@pytest.mark.page
def test_pages_turn_by_themselves_until_somebody_stops_them(pages, screen):
    hosting = playing(40)
    wall(screen, pages, hosting, "names")
    screen.wait(lambda: screen.run(PAGE).startswith("Page 2"), "the second page")
    screen.find("#stop").click()
    assert screen.find("#stop").text == "Turn the pages"
    assert screen.run("return document.getElementById('page').textContent").startswith("Page 2")
    # News of the tournament neither turn the page nor lead back to the first one.
    hosting.do(ResultTold(1, tuple(range(len(hosting.drawn.tables[0].players))), 5.0))
    pages.show(hosting)
    screen.wait(lambda: 1 not in screen.run("return Referee.parts.tournament.missing"), "the result")
    assert screen.run(PAGE).startswith("Page 2")
    screen.find("#stop").click()
    screen.wait(lambda: screen.run(PAGE).startswith("Page 3"), "the third page")


@pytest.mark.page
def test_nothing_turns_for_those_who_want_no_motion(pages, screen):
    screen.prefers(motion="reduce")
    wall(screen, pages, playing(40), "names")
    assert screen.find("#stop").text == "Turn the pages"
    screen.find("#next").click()
    assert screen.run(PAGE).startswith("Page 2")


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("stage", ["drawn", "playing", "between"])
def test_the_directors_page_of_forty_tables_fits_four_screens_of_a_phone(pages, screen, stage, language):
    hosting = tournament(PLAYERS[40], stage)
    hosting.views = hall(20 if stage == "drawn" else 40)  # half of the tables have no referee
    if stage == "playing":
        one, other = hosting.drawn.tables[0].players[:2]
        hosting.do(ResultReported(1, (9, 0, 0, -9)[: len(hosting.drawn.tables[0].players)], one, 5.0))
        two, three = hosting.drawn.tables[2].players[:2]
        hosting.do(ResultReported(3, (9, 0, 0, -9)[: len(hosting.drawn.tables[2].players)], two, 5.0))
        hosting.do(ReportDisputed(3, three, 6.0))
        assert other != one
    screen.resize(*PHONE)
    pages.show(hosting)
    screen.open(f"{pages.address}/tournament/director?lang={language}")
    screen.until("#name", "Spring cup")
    screen.wait(lambda: screen.run("return Boolean(Referee.parts.tournament)"), "the tournament")
    assert screen.run("return document.documentElement.scrollHeight") <= SCREENS * PHONE[1]
    assert (screen.sideways(), screen.small()) == (0, [])
    assert screen.violations() == []
    if stage == "playing":  # what must be decided comes first and is unfolded; what has its result is folded away
        shown = screen.run(TABLES)
        assert shown[:2] == ["3", "1"]
        assert screen.find("#report-confirm-3").is_displayed()
        assert not screen.all("#tables-over")[0].is_displayed()
        assert len(shown) == 20
    # A folded section opens by its heading, and by whatever leads there.
    assert not screen.all("#players")[0].is_displayed()
    screen.find("#players-heading button").click()
    screen.find("#enter-names")
    assert screen.complaints() == []


CLOSE = """
return [].filter.call(document.querySelectorAll("#by-table .seated li"), function (one) {
  var who = one.querySelector(".who"), told = one.querySelector(".result"), name = document.createRange();
  name.selectNodeContents(who);
  var left = name.getBoundingClientRect(), right = told.getBoundingClientRect();
  var beside = right.width && Math.abs(right.top + right.bottom - left.top - left.bottom) < left.height;
  return beside && right.left - left.right < 0.5 * parseFloat(getComputedStyle(who).fontSize);
}).map(function (one) { return one.textContent; });
"""
"""Names that nearly touch what stands beside them: closer than half the height of their letters."""


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_names_keep_their_distance_from_what_stands_beside_them(pages, screen, language):
    hosting = tournament(20, "drawn", rounds=1)
    screen.resize(1920, 1080)
    for letters in range(8, 22):
        for seated in hosting.drawn.tables:
            name = f"{letters}{seated.players[0]} " + "Neumannweide"[: letters - 4]
            hosting.do(Renamed(seated.players[0], name.ljust(letters, "e"), 6.0))
        pages.show(hosting)
        screen.open(f"{pages.address}/tournament/wall?lang={language}#tables")
        screen.until("#by-table", name)
        assert screen.run(CLOSE) == [], letters
