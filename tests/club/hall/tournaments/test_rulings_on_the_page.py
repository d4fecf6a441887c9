"""Warnings, points given and taken, and the end undone: on the director's page, in the standings, on the own page."""

import pytest
from browser import NARROW
from hall_evening import hall_evening
from hall_pages import hall_pages, tournament
from kept_hall import KeptHall
from test_tournament_evening import Director

from referee.club.hall.tournaments.player_tokens import token_for
from referee.club.tournament.events import Ended, RulingMade, RulingWithdrawn
from referee.i18n import LANGUAGES

PATHS = ("/tournament", "/tournament/wall#standings", "/tournament/director")


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


@pytest.fixture
def hall(tmp_path):
    made = KeptHall(tmp_path, 0)
    made.opens(3)
    yield made
    made.close()


def test_a_ruling_needs_a_reason_and_says_when_by_whom_and_why(hall):
    hall.do("draw")
    hall.do("begin")
    hall.do("result", table=1, points=[9, 0, -9])
    with pytest.raises(ValueError, match="why"):
        hall.do("rule", player=1, points=-5, why=" ")
    hall.do("rule", player=1, points=-5, why="Came late.", who="Eve")
    hall.do("rule", player=2, points=0, why="Phone at the table", who="Eve")
    told = hall.part
    assert len(told["rulings"]) == 2
    for said in (
        "Tournament points from the director: \N{MINUS SIGN}5 (Player 1).",
        "2026",
        "By: Eve.",
        "Reason: Came late.",
    ):
        assert said in told["traces"][0]
    assert {one["name"]: one["mark"] for one in told["standings"]} == {
        "Player 1": "director \N{MINUS SIGN}5", "Player 2": "1 warning", "Player 3": "",
    }  # fmt: skip
    hall.do("rule-withdraw", ruling=1, why="It was the train")
    assert "Withdrawn: Tournament points from the director: \N{MINUS SIGN}5 (Player 1)." in hall.part["traces"][2]
    assert len(hall.part["rulings"]) == 1
    assert hall.ask("rule-withdraw", ruling=1, why="Twice") == "tournament.ruling_withdrawn_already"
    assert hall.ask("rule", player=9, points=0, why="Nobody") == "tournament.no_such_player"


@pytest.mark.page
def test_the_director_rules_withdraws_and_reopens(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        director = Director(evening, screen)
        director.opens("Ann\nBen\nCem")
        director.all_here()
        director.draws()
        director.begins()
        director.writes(1, 9, 0, -9)
        screen.find("#rule-fold summary").click()
        screen.run("document.querySelector('#rule-player').value = '1';")
        screen.run("var kind = document.getElementById('rule-kind'); kind.value = '-1'; "
                   "kind.dispatchEvent(new Event('change'));")  # fmt: skip
        director.fill("#rule-points", "5")
        director.fill("#rule-why", "Came late")
        director.fill("#rule-who", "Eve")
        director.press("#rule [type=submit]", "Ann: tournament points \N{MINUS SIGN}5. It is in the list of changes.")
        screen.until("#rulings", "Tournament points from the director: \N{MINUS SIGN}5 (Ann).")
        screen.until("#standings", "director \N{MINUS SIGN}5")
        hosted = evening.keeper.facts.current
        token = token_for(evening.keeper.facts.secret, hosted, 1)
        screen.open(f"{evening.address}/player/{token}?lang=en")
        screen.until(".my-rulings", "Tournament points from the director: \N{MINUS SIGN}5. Came late")
        screen.open(f"{evening.address}/tournament/director?lang=en")
        screen.find("#rulings summary").click()
        director.fill("#rule-back-1", "It was the train")
        director.press("#rulings [type=submit]", "The decision is withdrawn.")
        screen.wait(lambda: not screen.all("#rulings li"), "the ruling withdrawn")
        director.press("#end")
        director.press("#end-yes", "The tournament has ended.")
        director.stage("ended")
        screen.until("#podium", "Ann")
        screen.find("#over-section a[href='/tournament/certificates']")
        screen.find("#reopen-fold summary").click()
        assert screen.find("#reopen-who").get_attribute("value") == "Eve"  # typed once, for all that follows
        director.fill("#reopen-why", "One more round")
        director.press("#reopen [type=submit]", "The tournament is open again.")
        director.stage("between")
        screen.until("#changes", "The tournament had ended after round 1 and was reopened.")
        assert screen.text("#changes").count("By: Eve.") == 3
        director.draws(2)
        assert screen.complaints() == []


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_rulings_are_read_by_everybody(pages, screen, language):
    hosting = tournament(13, "between")
    hosting.do(RulingMade(1, -360, 9.0, "Eve", "W" * 200), RulingMade(1, 0, 9.0, "Eve", "Phone"))
    hosting.do(RulingMade(2, 3, 9.0, "Eve", "The clock stood"), RulingWithdrawn(3, 10.0, "Eve", "It did not"))
    for ended in (False, True):
        if ended:
            hosting.do(Ended(11.0))
        pages.show(hosting)
        for path in PATHS:
            screen.narrow("320 px")
            screen.open(f"{pages.address}{path.partition('#')[0]}?lang={language}#{path.partition('#')[2]}")
            screen.until("#name", "Spring cup")
            if ended and path == "/tournament/director":  # on a phone, the standings are folded then
                screen.find("#standings-section h2 button").click()
            screen.find(".standings .mark")
            screen.run("document.querySelectorAll('details').forEach(function (one) { one.open = true; });")
            assert screen.violations_in_both_schemes() == [], path
            for size in NARROW:
                screen.narrow(size)
                assert screen.sideways() <= 0, (path, size)
                if not path.startswith("/tournament/wall"):
                    assert (screen.cut_off(), screen.small()) == ([], []), (path, size)
    assert screen.complaints() == []
