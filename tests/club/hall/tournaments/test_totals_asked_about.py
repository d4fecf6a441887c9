"""The director is asked once about totals that cannot be right by the rule book; the phones refuse the same."""

import json

import pytest
from hall_evening import hall_evening
from kept_hall import KeptHall
from test_hall_tournament_page import Page
from test_player_results import Phones
from test_tournament_evening import Director

from referee.club.tournament import Rules
from referee.club.tournament.reports import check_sum
from referee.errors import BadInput
from referee.game.notice import told_by
from referee.page.access import Policy

FORGOTTEN, RIGHT = (50, 40, 125, 35), (50, -40, 125, -135)


@pytest.fixture
def page(tmp_path):
    made = Page(tmp_path, Policy())
    made.do("open", name="Spring cup", rounds=2)
    made.do("enter", names="Ann\nBen\nCem\nDan")
    made.do("check-in")
    made.do("draw")
    made.do("begin")
    yield made
    made.close()


def points(page):
    return page.keeper.facts.current.tournament.rounds[0].tables[0].points


def asked(page, command, **values):
    status, told = page.ask(command, **values)
    assert (status, told["asks"]) == (409, True)
    return told["told"]


def test_forgotten_minus_signs_are_asked_about_and_taken_all_the_same(page):
    told = asked(page, "result", table=1, points=FORGOTTEN)
    assert told.startswith("These totals add up to 250. They can't be more than 0 together")
    assert told.endswith("Enter it all the same?")
    assert points(page) is None
    page.ask("result", table=1, points=FORGOTTEN, sure=True)
    assert points(page) == FORGOTTEN


def test_a_correction_is_asked_about_too(page):
    assert page.ask("result", table=1, points=RIGHT)[0] == 200
    asked(page, "correct", round=1, table=1, points=FORGOTTEN)
    assert points(page) == RIGHT
    page.ask("correct", round=1, table=1, points=FORGOTTEN, sure=True)
    assert points(page) == FORGOTTEN


MISREAD, WITHOUT_A_WINNER = (-40, 75, -12, -33), (-40, -5, -12, -33)


def test_a_sum_below_zero_with_a_winner_is_asked_about(page):
    told = asked(page, "result", table=1, points=MISREAD)
    assert told.startswith(
        "These totals add up to \N{MINUS SIGN}10. In a single round that somebody has won they add up to 0"
    )
    assert told.endswith("Enter it all the same?")
    page.ask("result", table=1, points=MISREAD, sure=True)
    assert points(page) == MISREAD


def test_a_round_without_a_winner_is_not_asked_about(page):
    assert page.ask("result", table=1, points=WITHOUT_A_WINNER)[0] == 200
    assert points(page) == WITHOUT_A_WINNER


@pytest.mark.parametrize(
    ("book", "match_rounds", "totals", "key"),
    [
        ("rummikub", None, MISREAD, "tournament.less_won_than_lost"),
        ("rummikub", 1, MISREAD, "tournament.less_won_than_lost"),
        ("rummikub", 3, MISREAD, None),
        ("rummikub", 1, WITHOUT_A_WINNER, None),
        ("rummikub", 1, RIGHT, None),
        ("ravensburger", 3, MISREAD, "tournament.not_zero"),
        ("ravensburger", 1, WITHOUT_A_WINNER, "tournament.not_zero"),
        ("ravensburger", 3, RIGHT, None),
        ("gin", None, (-10, 5), None),
        (None, None, MISREAD, None),
    ],
)
def test_only_sums_that_hardly_can_be_right_are_asked_about(book, match_rounds, totals, key):
    rules = Rules(3, book=book, match_rounds=match_rounds)
    if key is None:
        check_sum(totals, rules)
        return
    with pytest.raises(BadInput) as error:
        check_sum(totals, rules)
    assert told_by(error.value).key == key


def test_what_is_refused_anyway_is_not_asked_about(page):
    for values in ({"table": 1, "points": [1, 2]}, {"table": 9, "points": FORGOTTEN}):
        status, told = page.ask("result", **values)
        assert (status, "asks" in told) == (409, False)


def test_by_a_book_without_totals_below_zero_one_is_asked_about(tmp_path):
    hall = KeptHall(tmp_path)
    try:
        hall.do("open", name="Gin", rounds=1, book="gin")
        hall.do("enter", names="Ann\nBen")
        hall.do("check-in")
        hall.do("draw")
        hall.do("begin")
        assert hall.ask("result", table=1, points=[10, -10], sure=False) == "director.all_the_same"
        assert hall.ask("result", table=1, points=[10, -10]) is None
    finally:
        hall.close()


def fill(screen, name, totals):
    for seat, total in enumerate(totals):
        field = screen.find(f"#{name}-{seat}")
        field.clear()
        field.send_keys(str(total))


@pytest.mark.page
def test_the_second_press_with_the_same_totals_takes_them(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        phones = Phones(evening)
        Director(evening, screen)
        screen.find("#hand-1").click()
        odd = [50, 40, 125][: len(phones.table.players)]
        fill(screen, "result-points", odd)
        screen.find("#result-do").click()
        screen.until("#answer", "Enter it all the same?")
        fill(screen, "result-points", [60, *odd[1:]])
        screen.find("#result-do").click()  # other totals are asked about anew
        screen.until("#answer", f"add up to {sum(odd) + 10}")
        screen.find(".sure-no").click()
        screen.wait(lambda: not screen.find("#answer").is_displayed() if screen.all("#answer:not([hidden])") else True)
        screen.find("#result-do").click()
        screen.until("#answer", "Enter it all the same?")
        assert phones.table.points is None
        assert screen.violations() == []
        screen.find("#result-do").click()
        screen.wait(lambda: phones.table.points == (60, *odd[1:]), "the result")
        assert [line for line in screen.complaints() if "409" not in line] == []


@pytest.mark.page
def test_another_result_is_asked_about(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        phones = Phones(evening)
        assert phones.post(phones.table.players[0], "report", [40, -10, -30])[0] == 200
        Director(evening, screen)
        screen.find("#report-third-fold-1 summary").click()
        fill(screen, "report-third-1", (40, 10, 30))
        screen.find("#report-third-why-1").send_keys("Counted again")
        screen.find("#report-who-1").send_keys("Eve")
        screen.find("#report-third-do-1").click()
        screen.until("#answer", "add up to 80")
        screen.find(".sure-yes").click()
        screen.wait(lambda: phones.table.points == (40, 10, 30), "the result")


def test_the_answer_of_a_question_is_described(page):
    paths = json.loads(page.request("GET", "/api/openapi.json")[1])["paths"]
    refusal = paths["/api/command"]["post"]["responses"]["409"]
    assert "asks" in json.dumps(refusal)
