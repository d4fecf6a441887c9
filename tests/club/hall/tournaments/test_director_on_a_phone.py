"""The director's page, standings and results on a phone: short, with everything at hand, and never wider than it."""

import pytest
from hall_pages import hall_pages, tournament

from referee.club.tournament.events import Ended
from referee.i18n import LANGUAGES

pytestmark = pytest.mark.page
PHONE, SCREENS = (390, 844), 3.5
"""The most screens of a phone that 20 players at 5 tables may take."""
UNFOLD = "document.querySelectorAll('.fold-button[aria-expanded=false]').forEach(function (one) { one.click(); });"
INNER = """
return [].filter.call(document.querySelectorAll("main *"), function (one) {
  return one.clientWidth && getComputedStyle(one).overflowX === "auto" && one.scrollWidth > one.clientWidth;
}).map(function (one) { return one.outerHTML.slice(0, 200); });
"""


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


@pytest.mark.parametrize("language", LANGUAGES)
def test_ten_rounds_fit_on_a_narrow_phone(pages, screen, language):
    hosting = tournament(13, "between", 10)
    hosting.do(Ended(11.0))
    pages.show(hosting)
    screen.resize(360, 640)
    shown = {"/tournament": "#standings .below", "/tournament/director": "#podium li", "/results": "#hand-results li",
             "/ratings": ".standings .below"}  # fmt: skip
    for path, what in shown.items():
        screen.open(f"{pages.address}{path}?lang={language}")
        screen.find(what)
        screen.run(UNFOLD)
        assert (screen.sideways(), screen.run(INNER)) == (0, []), path
        assert screen.cut_off() == [], path
    assert screen.complaints() == []


def test_five_tables_are_short_and_a_draw_that_waits_says_why(pages, screen):
    pages.show(tournament(20, "playing"))
    screen.resize(*PHONE)
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.until("#draw-waits", "still have no result (3 of 5)")
    assert not screen.find("#draw").is_enabled()
    assert screen.find("#draw").get_attribute("aria-describedby") == "draw-waits"
    assert screen.run("return document.documentElement.scrollHeight") <= SCREENS * PHONE[1]
    screen.find("[data-jump][href='#files-section']").click()
    screen.find("#files-section a[href='/tournament-results.csv']")


def test_after_the_end_the_winner_and_the_files_come_first(pages, screen):
    hosting = tournament(20, "between")
    hosting.do(Ended(11.0))
    pages.show(hosting)
    screen.resize(*PHONE)
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.find("#podium li")
    best = screen.run("return Referee.parts.tournament.standings[0].name")
    screen.until("#podium", best)
    for what in (
        "#podium",
        "a[href='/tournament/certificates']",
        "a[href='/tournament.json']",
        "#reopen-fold summary",
    ):
        bottom = screen.run(
            "return document.querySelector('#over-section ' + arguments[0]).getBoundingClientRect().bottom"
            if what.startswith("a") else "return document.querySelector(arguments[0]).getBoundingClientRect().bottom",
            what,
        )  # fmt: skip
        assert bottom <= PHONE[1], what
