"""Totals below 0 on the director's page: each form says how a minus is made, and has a button for it."""

import pytest
from browser import NARROW
from hall_evening import hall_evening
from hall_pages import hall_pages
from hosting import Hosting
from selenium.webdriver.common.keys import Keys
from test_player_results import Phones
from test_tournament_evening import Director

from referee.club.hall.tournaments.state import Placed
from referee.club.tournament.reports import has_negative_totals
from referee.game.rulebooks import RULESETS
from referee.i18n import LANGUAGES

HINT = "A total below 0 gets a minus: press ± beside it, or type"


@pytest.fixture
def phones(tmp_path):
    with hall_evening(tmp_path, 0) as evening:
        yield Phones(evening)


def enter(screen, name, *totals):
    """Type totals without a minus, and press the button beside each that is below 0."""
    for seat, total in enumerate(totals):
        field = screen.find(f"#{name}-{seat}")
        field.clear()
        field.send_keys(str(abs(total)))
        if total < 0:
            screen.find(f"[data-minus='{name}-{seat}']").click()


def test_another_result_says_how_a_minus_is_made(phones, screen):
    director, one = Director(phones.evening, screen), phones.table.players[0]
    assert phones.post(one, "report", [40, -10, -30])[0] == 200
    screen.find("#report-third-fold-1 summary").click()
    screen.until("#report-third-fold-1 .soft", HINT)
    enter(screen, "report-third-1", 50, -20, -30)
    director.fill("#report-third-why-1", "Counted again")
    director.fill("#report-who-1", "Eve")
    screen.find("#report-third-do-1").click()
    screen.wait(lambda: phones.table.points == (50, -20, -30), "the result")


def test_a_result_by_hand_takes_every_kind_of_minus(phones, screen):
    Director(phones.evening, screen)
    screen.find("#hand-1").click()
    screen.until("#result-minus", HINT)
    enter(screen, "result-points", 40, -10)
    screen.find("#result-points-2").send_keys("\N{MINUS SIGN}30")
    screen.find("#result-do").click()
    screen.wait(lambda: phones.table.points == (40, -10, -30), "the result")


def test_totals_are_typed_one_after_the_other_with_the_tab_key(phones, screen):
    Director(phones.evening, screen)
    screen.find("#hand-1").click()
    screen.find("#result-points-0").send_keys("40", Keys.TAB, "-10", Keys.TAB, "-30", Keys.ENTER)
    screen.wait(lambda: phones.table.points == (40, -10, -30), "the result")


@pytest.mark.parametrize("plus", ["+", " + "])
def test_a_total_with_the_plus_that_pages_write_is_taken(phones, screen, plus):
    Director(phones.evening, screen)
    screen.find("#hand-1").click()
    for seat, total in enumerate((f"{plus}40", "\N{MINUS SIGN}10", "-30")):
        screen.find(f"#result-points-{seat}").send_keys(total)
    screen.find("#result-do").click()
    screen.wait(lambda: phones.table.points == (40, -10, -30), "the result")


def test_the_button_makes_a_minus_of_a_plus(phones, screen):
    Director(phones.evening, screen)
    screen.find("#hand-1").click()
    screen.find("#result-points-0").send_keys("+40")
    screen.find("[data-minus='result-points-0']").click()
    assert screen.find("#result-points-0").get_attribute("value") == "\N{MINUS SIGN}40"


def test_a_players_phone_takes_a_plus_too(phones, screen):
    screen.open(phones.evening.address + phones.path(phones.table.players[0]))
    for seat, total in enumerate(("+40", "\N{MINUS SIGN}10", "-30"), 1):
        screen.find(f"#report-{seat}").send_keys(total)
    screen.find("form[data-do=report] [type=submit]").click()
    screen.wait(lambda: phones.table.report and phones.table.report.points == (40, -10, -30), "the report")


def test_where_no_total_can_be_below_zero_there_is_no_button(screen):
    with hall_pages() as pages:
        for below in (True, False):
            hosting = Hosting(
                7, book=next(name for name, one in RULESETS.items() if has_negative_totals(one) is below)
            )
            hosting.draw()
            hosting.do(Placed((None,) * len(hosting.drawn.tables), 2.5))
            hosting.begin()
            pages.show(hosting)
            screen.open(f"{pages.address}/tournament/director?lang=en")
            screen.find("#hand-1").click()
            screen.find("#result-points-0")
            assert bool(screen.all("[data-minus]")) is below
            assert screen.all("#result-minus")[0].is_displayed() is below


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_forms_fit_on_a_narrow_phone(phones, screen, language):
    Director(phones.evening, screen)
    assert phones.post(phones.table.players[0], "report", [40, -10, -30])[0] == 200
    screen.narrow(next(iter(NARROW)))
    screen.open(f"{phones.evening.address}/tournament/director?lang={language}")
    screen.find("#report-third-fold-1 summary").click()
    screen.find("#report-third-1-0")
    assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
    assert screen.violations() == []
