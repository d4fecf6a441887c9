"""Results entered on players' own pages: over HTTP, by two phones at once, across a kill, and in a real browser."""

import http.client
import json
import threading
from contextlib import closing

import pytest
from browser import NARROW
from hall_evening import hall_evening
from kept_hall import KeptHall
from test_tournament_evening import Director

from referee.club.hall.tournaments.player_tokens import token_for
from referee.club.hall.tournaments.state import Placed
from referee.club.tournament import Rules, next_draw
from referee.club.tournament.events import CheckedIn, Drawn, Entered, ReportRejected, RoundBegun
from referee.game.rulebooks import RULESETS
from referee.i18n import LANGUAGES
from referee.letters import NAME_LETTERS
from referee.pages.hall.player_results import ResultFields, events_of


class Phones:
    """A hall without any referee box, and the phones of its players; each round has begun."""

    def __init__(self, evening, names=("Ann", "Ben", "Çelik", "Dora", "Émile", "Fay"), book="rummikub"):
        self.evening, self.keeper = evening, evening.keeper
        rules = Rules.by_book(RULESETS[book], 2, 7)
        self.keeper.open("Spring cup", rules).result()
        number = range(1, len(names) + 1)
        entered = [*(Entered(one, 1.0) for one in names), *(CheckedIn(one, 1.0) for one in number)]
        self.keeper.change(lambda *_: entered).result()
        self.keeper.change(lambda hosted, *_: [Drawn(next_draw(hosted.tournament), 2.0), RoundBegun(3.0)]).result()

    @property
    def hosted(self):
        return self.keeper.facts.current

    @property
    def table(self):
        return self.hosted.last_round.tables[0]

    def path(self, player):
        return f"/player/{token_for(self.keeper.facts.secret, self.hosted, player)}"

    def post(self, player, do, points, otherwise=None, draw=None, **more):
        """Status and sentence of what a player's phone posts."""
        fields = {"do": do, "draw": draw or self.hosted.draw_id(1, 1), "points": points, **more}
        if otherwise is not None:
            fields["otherwise"] = otherwise
        with closing(http.client.HTTPConnection("127.0.0.1", self.evening.server.port, timeout=60)) as connection:
            headers = {"Content-Type": "application/json"}
            connection.request("POST", f"{self.path(player)}/result", json.dumps(fields), headers)
            answer = connection.getresponse()
            told = json.loads(answer.read())
            return answer.status, told.get("told") or told.get("error")


@pytest.fixture
def phones(tmp_path):
    with hall_evening(tmp_path, 0) as evening:
        yield Phones(evening)


def test_one_enters_and_another_confirms(phones):
    one, other, _ = phones.table.players
    assert phones.post(one, "report", [40, -10, -30]) == (
        200, "Entered. Now ask another player at your table to confirm it.",
    )  # fmt: skip
    assert phones.table.points is None
    assert phones.post(one, "confirm", [40, -10, -30])[0] == 409
    assert phones.post(other, "confirm", [40, -10, -30]) == (200, "The result of your table is confirmed.")
    assert phones.table.points == (40, -10, -30)
    # Sent once more, because the answer was lost on the way: done already.
    assert phones.post(other, "confirm", [40, -10, -30])[0] == 200
    assert phones.post(one, "report", [40, -10, -30])[0] == 200
    assert phones.post(one, "report", [50, -10, -40])[0] == 409
    assert phones.table.points == (40, -10, -30)


def test_whoever_enters_the_same_confirms_and_whoever_enters_anything_else_disputes(phones):
    one, other, third = phones.table.players
    phones.post(one, "report", [40, -10, -30])
    assert phones.post(other, "report", [40, -30, -10]) == (200, "The director has been told.")
    assert phones.table.report.otherwise == (40, -30, -10)
    assert phones.post(third, "report", [40, -10, -30])[0] == 409
    assert phones.post(one, "report", [40, -30, -10]) == (200, "The result of your table is confirmed.")
    assert phones.table.points == (40, -30, -10)


def test_nobody_confirms_what_they_have_not_seen(phones):
    one, other, _ = phones.table.players
    phones.post(one, "report", [40, -10, -30])
    phones.post(one, "report", [40, -20, -20])
    for do in ("confirm", "dispute"):
        status, told = phones.post(other, do, [40, -10, -30])
        assert (status, told) == (409, "Something has changed at your table meanwhile. Look at it again.")
    assert phones.post(other, "confirm", [40, -20, -20], draw="spring-cup-1-r2-t1")[0] == 409
    assert phones.table.points is None


@pytest.mark.parametrize(
    ("points", "status", "told"),
    [
        ([40, 10, 30], 409, "These totals add up to 80."),
        ([1, 2], 409, "Table 1: enter one total for each player"),
        ([0.5, 0, 0], 400, "expected a whole number"),
        ("", 400, "expected a list"),
    ],
)
def test_points_that_cannot_be_are_refused_in_one_sentence(phones, points, status, told):
    found, said = phones.post(phones.table.players[0], "report", points)
    assert (found, told in said) == (status, True), said
    assert phones.table.report is None


def test_a_table_with_a_referee_takes_no_result_from_a_phone(tmp_path):
    with hall_evening(tmp_path, 1) as evening:
        phones = Phones(evening)
        phones.keeper.change(lambda *_: [Placed(("table-1", None), 4.0)]).result()
        status, told = phones.post(phones.table.players[0], "report", [40, -10, -30])
        assert (status, told) == (409, "At this table, the referee table-1 records the result.")


def test_a_stranger_and_another_table_are_refused(phones):
    stranger = phones.hosted.last_round.tables[1].players[0]
    assert phones.post(stranger, "report", [40, -10, -30])[0] == 409
    with closing(http.client.HTTPConnection("127.0.0.1", phones.evening.server.port, timeout=60)) as connection:
        connection.request("POST", f"/player/{'a' * 24}/result", "{}", {"Content-Type": "application/json"})
        assert connection.getresponse().status == 404


def test_two_phones_at_once_lose_nothing_and_double_nothing(phones):
    one, other, third = phones.table.players
    for points in ([40, -10, -30], [40, -30, -10]):
        begin, answers = threading.Barrier(3), []

        def enters(player, points=points, begin=begin, answers=answers):
            begin.wait(60)
            answers.append(phones.post(player, "report", points)[0])

        senders = [threading.Thread(target=enters, args=(player,)) for player in (one, other, third)]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
        # The second of them confirms what the first has entered, and whoever comes last enters what counts already.
        assert phones.table.points == (40, -10, -30)
        assert set(answers) == ({200} if points == [40, -10, -30] else {409})
    events = [one["event"] for one in json.loads(phones.keeper.save(phones.hosted.slug).result())["events"]]
    assert (events.count("result-reported"), events.count("report-confirmed")) == (1, 1)


def test_every_step_survives_a_kill(tmp_path):
    hall = KeptHall(tmp_path, 0)
    hall.opens(6)
    hall.do("draw")
    hall.do("begin")

    def posts(player, do, points, otherwise=None):
        fields = ResultFields(do, hall.keeper.facts.current.draw_id(1, 1), points, otherwise)
        hall.keeper.change(lambda hosted, _, t: events_of(fields, hosted, player, t)[1]).result()
        before = hall.now
        hall.killed()
        assert hall.now == before

    one, other, _ = hall.drawn.tables[0].players
    posts(one, "report", (40, -10, -30))
    assert "not confirmed" in hall.part["tables"][0]["state"]
    posts(other, "dispute", (40, -10, -30), (30, -10, -20))
    assert any("but" in one and "\N{MINUS SIGN}20. Decide" in one for one in hall.part["troubles"])
    hall.do("report-reject", table=1, who="Eve", why="Neither is right")
    hall.killed()
    assert hall.drawn.tables[0].report is None
    posts(other, "report", (20, -10, -10))
    assert hall.ask("report-confirm", table=1, points=[30, -10, -20]) == "results.changed"
    hall.do("report-confirm", table=1, points=[20, -10, -10], who="Eve")
    hall.do("rule", player=one, points=-3, why="Came late", who="Eve")
    hall.do("result", table=2, points=[1, 0, -1])
    hall.do("end")
    hall.do("reopen", who="Eve", why="One more round")
    hall.do("rule-withdraw", ruling=1, why="It was the train")
    before = hall.now
    hall.killed()
    assert hall.now == before
    assert hall.drawn.tables[0].points == (20, -10, -10)
    assert len(hall.part["traces"]) == 4
    assert "Eve" in hall.part["traces"][0]
    assert "Neither is right" in hall.part["traces"][0]
    hall.close()


@pytest.mark.page
def test_a_result_is_entered_on_a_phone_and_settled_on_the_directors_page(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        Director(evening, screen)
        phones = Phones(evening)
        one, other, _ = phones.table.players
        screen.narrow("320 px")
        screen.open(f"{evening.address}{phones.path(one)}?lang=en")
        for field, value in enumerate((40, 10, 30), 1):
            screen.find(f"#report-{field}").send_keys(str(value))
        for field in (2, 3):
            screen.find(f"[data-minus=report-{field}]").click()
        screen.find("[data-do=report] [type=submit]").click()
        screen.until("#player-answer", "Entered. Now ask another player")
        screen.until("#player-now", "Entered, not confirmed.")
        assert phones.table.report.points == (40, -10, -30)
        screen.open(f"{evening.address}{phones.path(other)}?lang=en")
        screen.until(".my-state", "entered this result. Is it right?")
        screen.find("#player-result summary").click()
        for field, value in ((1, "50"), (3, "-40")):
            screen.find(f"#dispute-{field}").clear()
            screen.find(f"#dispute-{field}").send_keys(value)
        screen.find("[data-do=dispute] [type=submit]").click()
        screen.until("#player-answer", "The director has been told.")
        assert phones.table.report.otherwise == (50, -10, -40)
        assert [one for one in screen.complaints() if "409" not in one] == []
        screen.open(f"{evening.address}/tournament/director?lang=en")
        screen.until("#troubles", "Table 1:")
        # Both versions stand side by side, each with a button; whoever decides says who they are.
        screen.until(".versions", "+50")
        screen.find("#report-other-1").click()
        assert phones.table.points is None
        screen.find("#report-who-1").send_keys("Eve")
        screen.find("#report-other-1").click()
        screen.wait(lambda: phones.table.points == (50, -10, -40), "the result")
        screen.find("#changes-heading button").click()
        screen.until("#changes", "By: Eve.")
        screen.open(f"{evening.address}/results?lang=en")
        screen.until("#hand-results", "\N{MINUS SIGN}40")
        assert screen.complaints() == []


@pytest.mark.page
def test_what_the_hall_answered_goes_once_another_player_has_confirmed_the_result(phones, screen):
    one, other, _ = phones.table.players
    screen.open(f"{phones.evening.address}{phones.path(one)}?lang=en")
    for field, value in enumerate(("40", "-10", "-30"), 1):
        screen.find(f"#report-{field}").send_keys(value)
    screen.find("[data-do=report] [type=submit]").click()
    screen.until("#player-answer", "Entered. Now ask another player")
    screen.until("#player-now", "Entered, not confirmed.")
    assert phones.post(other, "confirm", [40, -10, -30])[0] == 200
    screen.until("#player-now", "Your table has finished.")
    answer = "return document.getElementById('player-answer').textContent"
    screen.wait(lambda: screen.run(answer) == "", "no answer about a result that is confirmed")
    assert screen.complaints() == []


COLUMNS = """
return [].map.call(document.querySelectorAll(".my-versions tr"), function (row) {
  return [].map.call(row.cells, function (cell) { return cell.getBoundingClientRect().right; });
});
"""


@pytest.mark.page
def test_whoever_disputed_corrects_a_typo_in_the_own_version(phones, screen):
    one, other, third = phones.table.players
    phones.post(one, "report", [40, -10, -30])
    assert phones.post(other, "dispute", [40, -10, -30], [40, -20, -22])[0] == 200
    screen.resize(390, 844)
    screen.open(f"{phones.evening.address}{phones.path(third)}?lang=en")
    screen.find(".my-versions")
    assert not screen.all("#player-result summary")
    screen.open(f"{phones.evening.address}{phones.path(other)}?lang=en")
    lines = [row.text.split()[-2:] for row in screen.all(".my-versions tbody tr")]
    assert lines == [
        ["+40", "+40"],
        ["\N{MINUS SIGN}10", "\N{MINUS SIGN}20"],
        ["\N{MINUS SIGN}30", "\N{MINUS SIGN}22"],
    ]
    assert len({tuple(row) for row in screen.run(COLUMNS)}) == 1
    screen.find("#player-result summary").click()
    assert screen.find("#report-3").get_attribute("value") == "\N{MINUS SIGN}22"
    screen.find("#report-3").clear()
    screen.find("#report-3").send_keys("-20")
    screen.find("[data-do=report] [type=submit]").click()
    screen.until("#player-answer", "The director has been told.")
    assert phones.table.report.otherwise == (40, -20, -20)
    assert phones.table.report.points == (40, -10, -30)
    assert screen.complaints() == []


@pytest.mark.page
def test_whoever_disputed_without_a_version_of_their_own_can_enter_one_later(phones, screen):
    one, other, _ = phones.table.players
    phones.post(one, "report", [40, -10, -30])
    phones.post(other, "dispute", [40, -10, -30])
    screen.open(f"{phones.evening.address}{phones.path(other)}?lang=en")
    screen.find("#player-result summary").click()
    assert [field.get_attribute("value") for field in screen.all("[data-do=report] input")] == ["", "", ""]
    for field, value in enumerate(("40", "-20", "-20"), 1):
        screen.find(f"#report-{field}").send_keys(value)
    screen.find("[data-do=report] [type=submit]").click()
    screen.until(".my-versions", "\N{MINUS SIGN}20")
    assert phones.table.report.otherwise == (40, -20, -20)


BOTTOM = "return document.querySelector(arguments[0]).getBoundingClientRect().bottom"


@pytest.mark.page
def test_the_box_at_the_top_says_what_is_to_be_done_and_the_buttons_are_in_sight(phones, screen):
    one, other, third = phones.table.players
    screen.resize(390, 844)

    def opens(player):
        screen.open(f"{phones.evening.address}{phones.path(player)}?lang=en")
        return screen.text("#player-now .my-state")

    assert opens(other) == "The round has begun. Have a good match!"
    phones.post(one, "report", [40, -10, -30])
    name = phones.hosted.tournament.players[one - 1].name
    assert opens(other) == opens(third) == f"{name} entered this result. Is it right?"
    assert len(screen.all(".my-state")) == 1
    assert screen.run(BOTTOM, "[data-do=confirm] button") < 844
    assert screen.run(BOTTOM, "#player-result summary") < 844
    assert opens(one).startswith("Entered, not confirmed.")
    phones.post(other, "dispute", [40, -10, -30], [40, -20, -20])
    assert "says that your result is wrong" in opens(one)
    assert "The director decides." in opens(other)
    phones.keeper.change(lambda *_: [ReportRejected(1, 5.0, "Eve", "Neither is right")]).result()
    assert opens(one).startswith("The director has rejected the result that you entered:")
    assert screen.run("return document.querySelector('.my-state').className") == "my-state wrong"
    assert screen.complaints() == []


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_can_be_entered_by_everybody_on_any_phone(tmp_path, screen, language):
    names = ("W" * NAME_LETTERS, "Ben", "Çelik")
    with hall_evening(tmp_path, 0) as evening:
        phones = Phones(evening, names)
        one, other, third = phones.table.players
        steps = [
            (None, one),
            (lambda: phones.post(one, "report", [40, -10, -30]), one),
            (None, other),
            (lambda: phones.post(other, "dispute", [40, -10, -30], [40, -20, -20]), one),
            (None, other),
            (None, third),
        ]
        for step, player in steps:
            if step is not None:
                assert step()[0] == 200
            for size in NARROW:
                screen.narrow(size)
                screen.open(f"{evening.address}{phones.path(player)}?lang={language}")
                screen.find(".my-result")
                screen.run("document.querySelectorAll('details').forEach(function (one) { one.open = true; });")
                assert screen.violations_in_both_schemes() == []
                assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], []), (size, player)
        assert screen.complaints() == []
