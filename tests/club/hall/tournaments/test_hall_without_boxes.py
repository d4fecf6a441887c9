"""A tournament in a hall whose tables have no boxes: all that players learn of the director, they learn on phones."""

import http.client
import itertools
import json
import re
from contextlib import closing
from dataclasses import replace

import pytest
from browser import NARROW
from hall_evening import hall_evening
from hall_pages import EMPTY
from mosquitto import until
from test_player_results import Phones
from test_tournament_evening import Director

from referee.club.hall.desk.keeper import Announced, DeskFacts, DeskKeeper
from referee.club.hall.tournaments.state import Placed
from referee.club.tournament import next_draw
from referee.club.tournament.events import (
    CheckedIn,
    Drawn,
    DrawWithdrawn,
    Ended,
    Entered,
    Left,
    ReportRejected,
    ResultCorrected,
    ResultTold,
    RoundBegun,
    Swapped,
)
from referee.club.tournament.written import totals
from referee.i18n import ENGLISH, LANGUAGES
from referee.letters import NAME_LETTERS
from referee.pages.hall.desk_part import calls as calls_part
from referee.pages.hall.desk_part import for_everybody
from referee.pages.hall.phone_desk import RATE
from referee.pages.hall.table_cards import table_token

LATE = "That came too late: the game has moved on. Look at the page and try again."


class Hall(Phones):
    """Phones, and somebody who directs over HTTP."""

    numbers = itertools.count()
    session = None

    def ask(self, path, method="GET", fields=None, **headers):
        """Status, headers and body of one request."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(http.client.HTTPConnection("127.0.0.1", self.evening.server.port, timeout=60)) as connection:
            body = None if fields is None else json.dumps(fields)
            connection.request(method, path, body, {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()

    def do(self, command, **fields):
        """A command of the director; returns what was told of it."""
        if self.session is None:
            given = self.ask("/api/enter", "POST", {"pin": self.evening.pin})[1]
            self.session = given["set-cookie"].split(";")[0]
        status, told = 409, {"told": LATE}
        while (status, told.get("told")) == (409, LATE):  # the director looks at the page again
            post = {"command": command, "id": f"director-{next(self.numbers)}", "n": self.seen(), **fields}
            status, _, body = self.ask("/api/command", "POST", post, Cookie=self.session)
            told = json.loads(body)
        assert status == 200, told
        return told.get("told", "")

    def seen(self):
        """The number of the state that the director's page has now."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.evening.server.port, timeout=60)) as connection:
            connection.request("GET", "/api/stream")
            lines = iter(connection.getresponse().readline, b"")
            return int(next(line for line in lines if line.startswith(b"id:")).partition(b":")[2].rpartition(b"-")[2])

    def happens(self, *events):
        self.keeper.change(lambda *_: events).result()

    def calls(self, player, name="call-number-1", **fields):
        """Status and sentence of what a player's phone is answered."""
        path = player if isinstance(player, str) else self.path(player)
        status, _, body = self.ask(f"{path}/call", "POST", {"do": "call", "id": name, **fields})
        told = json.loads(body)
        return status, told.get("told") or told.get("error")

    def page(self, player):
        """The text of a page, without its tags."""
        path = player if isinstance(player, str) else self.path(player)
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", self.ask(f"{path}?lang=en")[2].replace("&#39;", "'")))

    @property
    def card(self):
        return f"/at/{table_token(self.keeper.facts.secret, self.hosted, 1)}"

    @property
    def desk(self):
        self.evening.desk.phone(lambda state, _: state).result()  # whatever was asked before has happened
        return self.evening.desk.facts.state

    def draws(self):
        self.keeper.change(lambda hosted, *_: [Drawn(next_draw(hosted.tournament), 2.0)]).result()

    def finishes(self, *tables):
        for number in tables or self.hosted.last_round.missing_tables:
            players = self.hosted.last_round.tables[number - 1].players
            self.happens(ResultTold(number, tuple(range(len(players))), 4.0))


NEWS_OF_CALL = """const news = document.querySelectorAll("[role=status], [role=alert], [aria-live]");
return [].filter.call(news, function (one) {
  return one.textContent.indexOf("Director called") >= 0;
}).map(function (one) { return one.id; });"""
"""The ids of what a screen reader reads aloud about a call."""


@pytest.fixture
def hall(tmp_path):
    with hall_evening(tmp_path, 0) as evening:
        yield Hall(evening, ("Ann", "Ben", "Çelik", "Dora", "Émile", "Fay", "Gus", "Hana"))


def test_an_announcement_is_on_every_page_until_its_time_is_over(hall):
    one = hall.table.players[0]
    before = hall.ask(hall.path(one))[1]["etag"]
    assert hall.do("announce", text="The buffet is open.", minutes=10) == ""
    hall.desk  # noqa: B018
    status, headers, _ = hall.ask(hall.path(one), If_None_Match=before)
    assert (status, headers["etag"] == before) == (200, False)
    for page in (one, hall.hosted.last_round.tables[1].players[0], hall.card):
        assert "Announcement: The buffet is open." in hall.page(page)
    (told,) = hall.evening.desk.facts.announced
    assert (told.for_all, told.is_shown(told.t + 599, None), told.is_shown(told.t + 600, None)) == (True, True, False)
    assert float(headers["Referee-Now"]) == pytest.approx(told.t, abs=60)


@pytest.mark.page
def test_an_announcement_for_everybody_is_on_the_wall_and_on_the_public_page(hall, screen):
    for path in ("/tournament/wall", "/tournament"):
        hall.do("announce", text="Coffee and cake", minutes=10)
        screen.open(f"{hall.evening.address}{path}?lang=en")
        screen.until("#for-everybody", "Announcement: Coffee and cake")
        for text in ("Round two at eight", "A blue car has its lights on", "Keys were found"):
            hall.do("announce", text=text, minutes=10)
        screen.until("#for-everybody", "Keys were found")
        shown = [one.text for one in screen.all("#for-everybody .announcement")]
        texts = ["Keys were found", "A blue car has its lights on", "Round two at eight", "Coffee and cake"]
        assert shown == [f"Announcement: {text}" for text in (texts[:3] if path.endswith("wall") else texts)]
        assert screen.sideways() == 0
        assert screen.violations_in_both_schemes() == []
        for one in hall.evening.desk.facts.announced:
            hall.do("announce-withdraw", announcement=one.id)
        screen.wait(lambda: not screen.all("#for-everybody")[0].is_displayed(), "no announcement")
    assert screen.complaints() == []


def test_an_announcement_for_some_tables_is_not_for_everybody():
    told = Announced("one", "Please be quiet.", 5.0, ("table-1",), 65.0)
    facts = replace(EMPTY, desk=DeskFacts(announced=(told,)))
    assert for_everybody(facts, ENGLISH) == []
    facts = replace(EMPTY, desk=DeskFacts(announced=(told, replace(told, id="two", for_all=True))))
    assert for_everybody(facts, ENGLISH) == [{"id": "two", "text": "Please be quiet.", "until": 65.0}]


def test_an_announcement_for_some_tables_is_on_the_pages_of_their_players(tmp_path):
    with hall_evening(tmp_path, 2) as evening:
        hall = Hall(evening)
        until(lambda: sum(view.online for view in evening.reader.facts.tables.values()) == 2)
        hall.happens(Placed(("table-1", None), 4.0))
        hall.do("announce", text="Please be quiet.", tables=["table-1"])
        hall.desk  # noqa: B018
        assert "Please be quiet." in hall.page(hall.table.players[0])
        assert "Please be quiet." in hall.page(hall.card)
        assert "Please be quiet." not in hall.page(hall.hosted.last_round.tables[1].players[0])


def test_a_call_reaches_the_desk_once_with_table_and_name_and_its_answers_reach_the_page(hall):
    one, other = hall.table.players[:2]
    assert hall.calls(one, reason="dispute", text="A tile was moved") == (200, "The director has been called.")
    assert hall.calls(one, reason="dispute") == (200, "The director has been called.")
    third = hall.hosted.last_round.tables[1].players[0]
    assert hall.calls(third)[0] == 200
    assert [(call.caller.table, call.caller.player, call.text) for call in hall.desk.calls] == [
        (1, one, "A tile was moved"), (2, third, ""),
    ]  # fmt: skip
    assert hall.calls(other) == (409, "The director has been called already.")
    assert hall.calls(hall.card) == (409, "The director has been called already.")
    names = {player.number: player.name for player in hall.hosted.tournament.players}
    assert "Director called. You are next." in hall.page(one)
    assert "Withdraw the call" in hall.page(one)
    assert "Withdraw the call" not in hall.page(other)
    assert f"Called by {names[one]}. Director called. You are next." in hall.page(other)
    assert f"Called by {names[one]}. Director called. You are next." in hall.page(hall.card)
    assert "Director called. 1 table is before you." in hall.page(third)
    call = hall.desk.calls[0].id
    hall.do("call-coming", call=call, who="Eve")
    assert "The director is coming: Eve." in hall.page(one)
    hall.do("call-done", call=call)
    assert "The director has closed the call." in hall.page(one)
    assert "The director has closed the call." not in hall.page(other)
    assert hall.calls(one, reason="dispute")[0] == 200  # the answer to the first was lost on the way
    assert [one.caller.table for one in hall.desk.calls] == [2]


def test_a_call_is_withdrawn_by_the_page_that_made_it(hall):
    one, other = hall.table.players[:2]
    hall.calls(one)
    call = re.search('data-call="([^"]+)"', hall.ask(hall.path(one))[2])[1]
    assert 'data-do="withdraw"' not in hall.ask(hall.path(other))[2]
    for player, status in ((other, 409), (one, 200), (one, 200)):
        post = {"do": "withdraw", "id": call}
        assert hall.ask(f"{hall.path(player)}/call", "POST", post)[0] == status
    assert hall.desk.calls == ()
    assert "closed the call" not in hall.page(one)


def test_a_page_that_calls_too_often_waits(hall):
    one = hall.table.players[0]
    burst, answers = int(RATE.burst), []
    while not answers or (answers[-1][0] != 429 and len(answers) < 3 * burst):  # a busy machine gains a few meanwhile
        post = {"do": "call", "id": f"call-{len(answers)}-of-many"}
        answers.append(hall.ask(f"{hall.path(one)}/call", "POST", post))
    assert {status for status, _, _ in answers[:burst]} == {200, 409}
    status, headers, body = answers[-1]
    assert (status, 1 <= int(headers["Retry-After"]) <= 20, RATE.each_s) == (429, True, 0.05)
    assert json.loads(body)["told"]
    assert hall.calls(hall.hosted.last_round.tables[1].players[0])[0] == 200


@pytest.mark.parametrize(
    "fields",
    [
        {}, {"do": "call"}, {"do": "call", "id": "short"}, {"do": "shout", "id": "long-enough"},
        {"do": "call", "id": "long-enough", "reason": "hunger"},
        {"do": "call", "id": "long-enough", "text": "x" * 101},
    ],
)  # fmt: skip
def test_a_call_that_is_none_is_refused_in_one_sentence(hall, fields):
    status, _, body = hall.ask(f"{hall.path(1)}/call", "POST", fields)
    assert (status, "expected" in json.loads(body)["error"]) == (400, True)
    assert hall.desk.calls == ()


def test_nobody_without_a_token_calls_and_nobody_after_the_end(hall):
    assert hall.ask(f"/player/{'a' * 24}/call", "POST", {"do": "call", "id": "long-enough"})[0] == 404
    assert hall.ask(f"/at/{'a' * 24}/call", "POST", {"do": "call", "id": "long-enough"})[0] == 404
    hall.finishes()
    assert "Call the director" in hall.page(1)
    hall.happens(Ended(6.0))
    assert hall.calls(1) == (409, "Nobody can call from this page now: speak to the director.")
    assert hall.calls(hall.card)[0] == 409
    assert "Call the director" not in hall.page(1)


def test_a_player_without_a_table_calls_like_everybody_else(hall, tmp_path):
    hall.happens(Entered("Late", 5.0), Entered("Later", 5.0))
    for come in ((), (CheckedIn(9, 6.0),)):
        hall.happens(*come)
        assert "Call the director" in hall.page(9)
    assert hall.calls(9, reason="rules") == (200, "The director has been called.")
    assert "Director called. You are next." in hall.page(9)
    assert "Call the director" in hall.page(10)  # the call of another without a table is not theirs
    facts = replace(hall.evening.reader.facts, desk=hall.evening.desk.facts, tournaments=hall.keeper.facts)
    shown = calls_part(facts, ENGLISH)
    assert [(one["table"], one["by"], one["number"], one["place"]) for one in shown] == [("Late", "", None, None)]
    kept = DeskKeeper(tmp_path / "hall.sqlite")
    assert [one.caller for one in kept.facts.state.calls] == [one.caller for one in hall.desk.calls] != []
    kept.close()
    hall.finishes()
    hall.draws()  # and with a table it is still theirs
    assert hall.hosted.last_round.table_of(9) is not None
    assert "Director called." in hall.page(9)
    assert hall.do("call-done", call=hall.desk.calls[0].id) == ""
    assert hall.desk.calls == ()


def test_the_clock_of_all_rounds_follows_the_tournament_and_is_on_the_pages(hall):
    hall.do("clock-set", minutes=30, warn=5, each=True)
    hall.do("clock-start")
    hall.finishes()
    hall.draws()
    assert (hall.desk.clock.left, hall.desk.clock.since) == (1800, None)
    body = hall.ask(hall.path(1))[2]
    assert re.search(r'data-left="1800(\.0)?" data-ends-at=""', body)
    assert 'data-stands="not started"' in body
    assert 'data-warning="5 minutes are left for this round."' in body
    hall.happens(RoundBegun(6.0))
    assert hall.desk.clock.since is not None
    assert 'data-ends-at=""' not in hall.ask(hall.card)[2]
    hall.do("clock-pause")
    assert 'data-stands="stopped"' in hall.ask(hall.card)[2]
    hall.finishes()
    hall.happens(Ended(7.0))
    assert hall.desk.clock is None
    assert "data-number" not in hall.ask(hall.path(1))[2]


def test_a_rejected_result_is_told_with_its_reason_to_everybody_at_the_table_until_there_is_another(hall):
    one, other = hall.table.players[:2]
    elsewhere = hall.hosted.last_round.tables[1].players[0]
    name = hall.hosted.tournament.players[one - 1].name
    points = [40, -10, -30, 0]
    hall.post(one, "report", points)
    hall.do("tournament-report-reject", table=1, why="The sheet says otherwise.")
    told = "Reason: The sheet says otherwise. Agree at your table, and enter the right result below"
    written = totals(hall.hosted.tournament, hall.table.players, points)
    assert f"The director has rejected the result that you entered: {written}. {told}" in hall.page(one)
    assert f"The director has rejected the result that {name} entered: {written}." in hall.page(other)
    assert told in hall.page(other)
    assert "rejected" not in hall.page(elsewhere)
    hall.post(other, "report", points)
    assert "rejected" not in hall.page(one)
    hall.happens(ReportRejected(1, 5.0))
    assert "Reason" not in hall.page(one)
    assert "rejected" in hall.page(one)
    third = hall.table.players[2]
    hall.happens(Swapped(third, elsewhere, 6.0))
    assert "rejected" not in hall.page(one)


def test_a_rejection_of_a_draw_that_was_withdrawn_is_told_nobody(hall):
    hall.post(hall.table.players[0], "report", [40, -10, -30, 0])
    hall.happens(ReportRejected(1, 5.0), DrawWithdrawn(6.0))
    assert "rejected" not in hall.page(1)
    hall.draws()
    assert all("rejected" not in hall.page(player) for player in hall.table.players)


def test_a_corrected_result_is_told_to_its_players_with_the_reason(hall):
    one, other = hall.table.players[:2]
    for player in (one, other):
        hall.post(player, "report", [40, -10, -30, 0])
    hall.happens(ResultCorrected(1, 1, (40, -20, -20, 0), 8.0, "Eve", "A joker was missed"))
    written = totals(hall.hosted.tournament, hall.table.players, (40, -20, -20, 0))
    assert f"was corrected to {written}." in hall.page(other)
    assert "By: Eve. Reason: A joker was missed." in hall.page(other)
    assert "was corrected" not in hall.page(hall.hosted.last_round.tables[1].players[0])


def test_who_has_left_is_told_so_and_who_never_came_otherwise(hall):
    hall.happens(Entered("Late", 5.0))
    hall.finishes()
    hall.happens(Left(1, 5.0))
    assert "You are not checked in." in hall.page(9)
    assert "You have left the tournament; your tournament points stay in the standings." in hall.page(1)
    hall.happens(CheckedIn(1, 6.0))
    assert "You have left" not in hall.page(1)
    hall.do("tournament-cut", players=4)
    cut = [one.number for one in hall.hosted.tournament.players if one.cut]
    assert len(cut) == 4
    assert "only the first in the standings play on" in hall.page(cut[0])


def test_a_place_says_how_final_it_is(hall):
    hall.finishes(1)
    assert "of 8 Not final: 1 table is still playing." in hall.page(1)
    hall.finishes()
    assert "of 8 After round 1." in hall.page(1)
    hall.draws()
    assert "of 8 After round 1." in hall.page(1)
    hall.happens(RoundBegun(6.0))
    hall.finishes()
    hall.happens(Ended(7.0))
    assert not re.search("Not final|After round", hall.page(1))


def test_a_round_begins_without_a_word_about_tables_that_the_hall_does_not_have(hall):
    hall.finishes()
    hall.draws()
    told = hall.do("tournament-begin")
    assert told == "The players enter the results on their own pages, or you write them by hand."


def test_of_some_tables_without_a_referee_one_sentence_tells(tmp_path):
    with hall_evening(tmp_path, 1) as evening:
        hall = Hall(evening, [f"Player {number}" for number in range(1, 13)])
        hall.finishes()
        hall.draws()
        told = hall.do("tournament-begin")
        assert told == (
            "There is no referee at tables 2 and 3: their players enter the results on their own pages, "
            "or you write them by hand."
        )


# In a browser --------------------------------------------------------------------------------------------------------


@pytest.mark.page
def test_two_phones_and_the_desk(hall, screen):
    director = Director(hall.evening, screen)
    one, other = hall.table.players[:2]
    player = hall.hosted.tournament.players[one - 1].name
    screen.open(f"{hall.evening.address}{hall.path(one)}?lang=en")
    screen.find("#player-call summary").click()
    screen.find("#call-reason option[value=rules]").click()
    screen.find("#call-text").send_keys("May a joker be taken?")
    screen.find("[data-do=call] button").click()
    screen.until("#player-called", "Director called. You are next.")
    screen.until(
        "#player-call-state", "Director called. You are next."
    )  # where the button is, and not read aloud again
    assert screen.run(NEWS_OF_CALL) == ["player-called"]
    screen.open(f"{hall.evening.address}/director?lang=en")
    screen.until("#calls", "Table 1")
    screen.until("#calls", f"Called by {player}.")
    screen.until("#calls", "A question about the rules: May a joker be taken?")
    screen.find("#who").send_keys("Eve")
    screen.find("#calls .strong").click()
    screen.until("#calls", "On the way: Eve")
    screen.find("#clock-minutes").clear()
    screen.find("#clock-minutes").send_keys("20")
    screen.find("#clock-each").click()
    screen.find("#clock-set [type=submit]").click()
    screen.until("#clock-left", "20:00")
    screen.find("#clock-run").click()
    screen.find("#text").send_keys("The buffet is open.")
    screen.find("#announce [type=submit]").click()
    screen.until("#announced-list", "On the players' pages, on the large screen and on the page “Tournament”.")
    assert screen.complaints() == []
    screen.open(f"{hall.evening.address}{hall.path(other)}?lang=en")
    screen.until("#player-called", f"Called by {player}. The director is coming: Eve.")
    screen.until("#player-call-state", f"Called by {player}. The director is coming: Eve.")
    screen.until(".my-announcement", "The buffet is open.")
    screen.until(".my-clock", "19:5")
    assert screen.run("return document.querySelector('.my-clock .stands').textContent") == ""
    assert "Call the director" not in screen.text("#main")
    hall.do("clock-extend", minutes=-16)
    screen.until("#player-clock-told", "The director has changed the time: 4 minutes are left.")
    hall.do("clock-extend", minutes=-30)
    screen.until("#player-clock-told", "The time is up. Finish this turn, and begin no new round.")
    assert screen.text(".my-clock b") == "0:00"
    assert screen.complaints() == []
    assert director


@pytest.mark.page
def test_a_page_that_is_asked_for_again_knows_the_time_and_warns_at_the_end(hall, screen):
    path = f"{hall.evening.address}{hall.path(1)}?lang=en"
    screen.open(path)
    hall.do("clock-set", minutes=30, warn=29)
    screen.until(".my-clock", "not started")
    hall.do("clock-start")
    hall.do("clock-extend", minutes=-1)  # the warning is due at once
    screen.until("#player-clock.soon .my-clock", "28:")
    screen.open(path)  # perhaps from the browser's memory
    screen.until("#player-clock-told", "29 minutes are left for this round.")
    screen.until(".my-clock", "28:")
    hall.do("clock-pause")
    screen.until(".my-clock", "stopped")
    hall.do("clock-stop")
    screen.wait(lambda: not screen.run("return document.getElementById('player-clock').offsetParent"), "no clock")
    assert screen.complaints() == []


@pytest.mark.page
def test_after_the_next_draw_nothing_of_the_old_table_is_left_on_the_phone(hall, screen):
    one, other = hall.table.players[:2]
    hall.post(one, "report", [40, -10, -30, 0])
    screen.open(f"{hall.evening.address}{hall.path(other)}?lang=en")
    screen.find("[data-do=confirm] button").click()
    screen.until("#player-answer", "The result of your table is confirmed.")
    hall.finishes()
    hall.draws()
    screen.until("#player-now", "Round 2")
    answer = "return document.getElementById('player-answer').textContent"
    screen.wait(lambda: screen.run(answer) == "", "no answer of the round before")
    assert not screen.all(".my-result")
    hall.happens(RoundBegun(6.0))
    seated = hall.hosted.last_round.tables[hall.hosted.last_round.table_of(other) - 1].players
    names = [hall.hosted.tournament.players[number - 1].name for number in seated]
    screen.wait(lambda: len(screen.all(".my-total label")) == len(names), "the new form")
    assert [names[at] in one.text for at, one in enumerate(screen.all(".my-total label"))] == [True] * len(names)
    assert screen.complaints() == []


@pytest.mark.page
def test_the_directors_page_says_once_that_results_come_from_phones(hall, screen):
    director = Director(hall.evening, screen)
    screen.until("#state-1", "No result has been entered yet.")
    hall.finishes()
    screen.until("#result-table option", "Table 1")
    hall.draws()
    director.stage("drawn")
    assert screen.run("return document.getElementById('result-table').value") == ""
    assert screen.run("return document.getElementById('at-1').offsetParent") is None
    assert screen.run("return document.querySelectorAll('#troubles li').length") == 0
    director.press("#begin")
    screen.until("#begin-count", "The players enter the results on their own pages")
    assert screen.run("return document.querySelectorAll('#begin-missing li').length") == 0
    director.press("#begin-yes", "The round has begun. The players enter the results")
    director.stage("playing")
    assert screen.run("return document.getElementById('result-table').value") == ""
    screen.open(f"{hall.evening.address}/tournament/wall#tables")
    screen.until("#by-table", "No result has been entered yet.")
    assert screen.complaints() == []


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_can_read_and_use_it_on_any_phone(tmp_path, screen, language):
    with hall_evening(tmp_path, 0) as evening:
        hall = Hall(evening, ("W" * NAME_LETTERS, "Ben", "Çelik", "Dora"))
        one, other = hall.table.players[:2]
        hall.do("announce", text="W" * 200)
        hall.do("clock-set", minutes=100, warn=20)
        hall.post(one, "report", [40, -10, -30, 0])
        hall.do("tournament-report-reject", table=1, why="The sheet says otherwise")

        def comes():
            hall.do("call-coming", call=hall.desk.calls[0].id, who="Eve")

        def is_done():
            hall.do("call-done", call=hall.desk.calls[0].id)

        steps = (
            (lambda: None, (hall.path(one), hall.card)),
            (lambda: hall.calls(one, text="W" * 100), (hall.path(one), hall.path(other))),
            (comes, (hall.path(one),)),
            (is_done, (hall.path(one),)),
        )
        for step, pages in steps:
            step()
            for page in pages:
                for size in NARROW:
                    screen.narrow(size)
                    screen.open(f"{evening.address}{page}?lang={language}")
                    screen.find(".my-clock b")
                    screen.run("document.querySelectorAll('details').forEach(function (one) { one.open = true; });")
                    assert screen.violations_in_both_schemes() == []
                    assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], []), (size, page)
        assert screen.complaints() == []
