"""Tournaments by the hall's page: its commands, its stream's part, its files; without a broker."""

import csv
import http.client
import io
import itertools
import json
import time
from contextlib import closing
from pathlib import Path

import pytest
from recorded_broker import RecordedBroker

from referee.club.hall.reader import HallReader
from referee.club.hall.store import HallStore
from referee.club.hall.tournaments.keeper import Keeper
from referee.club.protocol import Kind, Online, Snapshot, encode_document, topic
from referee.game.match.phases import Phase
from referee.page.access import Policy
from referee.pages.hall.ruling_commands import COMMANDS as RULING
from referee.pages.hall.server import HallServer
from referee.pages.hall.tournament_commands import COMMANDS

EPOCH, WALL = "0123abcd", "2026-11-20T12:00:00Z"

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""The mark at the beginning of a file, by which spreadsheets know UTF-8."""


class Page:
    """A hall with a page and two tables, as the program has it."""

    def __init__(self, folder, policy, keeper=True):
        self.store = HallStore(folder / "hall.sqlite")
        self.reader = HallReader(self.store, "referee", self._news)
        self.keeper = Keeper(folder / "hall.sqlite", lambda: self.reader.facts) if keeper else None
        self.server = HallServer("localhost", 0, self.reader, "en", policy, tournaments=self.keeper)
        if self.keeper is not None:
            self.keeper.news, self.keeper.begins = self.server.news, self.server.begin
        self.server.start()
        self.broker = RecordedBroker()
        self.broker.start(self.reader)
        self.broker.comes()
        for table in ("table-1", "table-2"):
            self.reader.on_message(topic("referee", table, Kind.ONLINE), encode_document(Online(True, EPOCH, WALL)))
            state = Snapshot(EPOCH, 0, WALL, Phase.LOBBY, "rummikub", "Rummikub")
            self.reader.on_message(topic("referee", table, Kind.STATE), encode_document(state))
        self.broker.step()
        self._ids = itertools.count()

    def _news(self):
        self.server.news()
        if self.keeper is not None:
            self.keeper.look()

    def request(self, method, path, body=None):
        with closing(http.client.HTTPConnection("localhost", self.server.port, timeout=60)) as connection:
            headers = {} if body is None else {"Content-Type": "application/json"}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def stream(self):
        """The newest state, and its number."""
        with closing(http.client.HTTPConnection("localhost", self.server.port, timeout=60)) as connection:
            connection.request("GET", "/api/stream")
            answer = connection.getresponse()
            while not (line := answer.readline()).startswith(b"data: {"):
                pass
            told = json.loads(line[6:])
            return told["n"], told["parts"]

    def ask(self, command, n=None, **values):
        number = self.stream()[0] if n is None else n
        post = {"id": f"command-{next(self._ids)}", "n": number, "command": f"tournament-{command}", **values}
        status, told = self.request("POST", "/api/command", json.dumps(post))
        return status, json.loads(told)

    def do(self, command, **values):
        if command in ("result", "correct", "report-decide"):
            values["sure"] = True
        assert self.ask(command, **values) == (200, {"done": True})
        while command == "draw" and (self.stream()[1]["tournament"] or {}).get("stage") != "drawn":
            time.sleep(0.01)  # seats are found beside everything else

    def close(self):
        self.server.close()
        if self.keeper is not None:
            self.keeper.close()
        self.store.close()


@pytest.fixture
def page(tmp_path):
    made = Page(tmp_path, Policy())
    yield made
    made.close()


def test_a_tournament_by_the_page(page):
    assert page.stream()[1]["tournament"] is None
    page.do("open", name="Spring cup", rounds=2)
    page.do("enter", names="Ann\nBen\nCem\nDan\n=Eve")
    page.do("check-in")
    page.do("draw")
    page.do("begin")
    told = page.stream()[1]["tournament"]
    assert [table["at"] for table in told["tables"]] == ["table-1", "table-2"]
    page.broker.step()
    sent = [json.loads(one.payload) for one in page.broker.sent]
    assert [(one["do"], one["draw"]) for one in sent] == [
        ("begin", "spring-cup-1-r1-t1"), ("begin", "spring-cup-1-r1-t2"),
    ]  # fmt: skip
    assert all(one["id"].startswith(f"{one['draw']}.") and set(one["players"]) == {None} for one in sent)
    page.do("result", table=1, points=[5, 3, -8])
    page.do("result", table=2, points=[5, -5])
    told = page.stream()[1]["tournament"]
    assert (told["stage"], told["standings"][0]["points"]) == ("between", 12)

    status, text = page.request("GET", "/tournament.json")
    assert (status, json.loads(text)["id"]) == (200, "spring-cup-1")
    assert json.loads(text)["places"] == [["table-1", "table-2"]]
    rows = list(csv.DictReader(io.StringIO(page.request("GET", "/tournament-standings.csv")[1].removeprefix(BOM))))
    assert len(rows) == 5
    assert "'=Eve" in {row["player"] for row in rows}
    rows = list(csv.DictReader(io.StringIO(page.request("GET", "/tournament-results.csv")[1].removeprefix(BOM))))
    assert [row["total"] for row in rows] == ["5", "3", "-8", "5", "-5"]


def test_the_director_chooses_how_rounds_are_drawn(page):
    page.do("open", name="Spring cup", rounds=2, drawing="swiss")
    page.do("enter", names="Ann\nBen\nCem\nDan")
    page.do("check-in")
    page.do("draw")
    parts = page.stream()[1]
    assert parts["tournament"]["drawn_by"] == "swiss"
    assert parts["tournament-why"]["draw"].startswith("The first round was drawn by lot")
    assert json.loads(page.request("GET", "/tournament.json")[1])["drawing"] == "swiss"
    page.do("begin")
    page.do("result", table=1, points=[1, 2, 3, 4])
    page.do("draw")
    best = page.stream()[1]["tournament"]["standings"][0]
    assert f"{best['name']}: place 1 of the 4 in this round by tournament points (12)" in str(
        page.stream()[1]["tournament-why"]["tables"]
    )


def test_the_director_chooses_what_a_bye_is_worth(page):
    page.do("open", name="Spring cup", rounds=2, players_most=2, bye=12)
    page.do("enter", names="Ann\nBen\nCem")
    page.do("check-in")
    page.do("draw")
    page.do("begin")
    page.do("result", table=1, points=[1, 1])
    told = page.stream()[1]["tournament"]
    best = told["standings"][0]
    assert (best["name"], best["points"]) == (told["byes"][0], 12)
    assert page.ask("open", name="Summer cup", rounds=2, bye=13)[0] == 400


def test_after_a_cut_the_first_in_the_standings_play_on(page):
    page.do("open", name="Spring cup", rounds=2, drawing="swiss", players_most=2)
    page.do("enter", names="Ann\nBen\nCem\nDan")
    page.do("check-in")
    assert page.ask("cut", players=2) == (409, {"told": "There are no standings yet: play a round first."})
    page.do("draw")
    assert page.ask("cut", players=2)[0] == 409
    page.do("begin")
    page.do("result", table=1, points=[9, 1])
    page.do("result", table=2, points=[8, 1])
    assert page.ask("cut", players=4) == (409, {"told": "Nobody would be eliminated: only 4 players are here."})
    assert page.ask("cut", players=1)[0] == 400
    winners = {line["name"] for line in page.stream()[1]["tournament"]["standings"][:2]}
    page.do("cut", players=2)
    page.do("draw")
    told = page.stream()[1]["tournament"]
    assert [{one["name"] for one in table["players"]} for table in told["tables"]] == [winners]
    assert [line["points"] for line in told["standings"]] == [12, 12, 0, 0]


def results(page):
    """Results of all tables of the round: the first seat wins."""
    for number, table in enumerate(page.stream()[1]["tournament"]["tables"], 1):
        page.do("result", table=number, points=[5 - 10 * seat for seat in range(len(table["players"]))])


def test_groups_teams_and_a_final_by_the_page(page):
    page.do("open", name="Spring cup", rounds=1, players_most=2, drawing="groups", group_size=3, final_rounds=1,
            final="swiss", carried=False, team_counts=1)  # fmt: skip
    page.do("enter", names="Ann\nBen\nCem\nDan\nEve\nFay")
    for player, team in enumerate(("Reds", "reds", "Blues", "Blues"), 1):
        page.do("team", player=player, team=team)
    page.do("check-in")
    assert page.ask("final", first=1) == (409, {"told": "The final can begin once a round was played in the groups."})
    page.do("draw")
    parts = page.stream()[1]
    told = parts["tournament"]
    assert (told["rounds"], told["in_groups"], len(told["byes"])) == (3, True, 2)
    assert [one["name"] for one in told["groups"]] == ["A", "B"]
    assert "everybody meets everybody once" in parts["tournament-why"]["draw"]
    assert page.ask("cut", players=2)[0] == 409
    page.do("begin")
    results(page)
    assert page.ask("cut", players=2)[0] == 409
    for _ in range(2):
        page.do("draw")
        page.do("begin")
        results(page)
    told = page.stream()[1]["tournament"]
    assert told["told"] == "The groups are over: round 3 of 3 has been played. The final comes next."
    assert told["final_offer"]["counts"] == [[2, 2], [4, 4], [6, 6]]
    first = [one["number"] for one in told["final_offer"]["order"]]
    last = page.stream()[0]
    assert page.ask("final", first=1, players=first[1:3]) == (
        409, {"told": "Meanwhile others would play the final: look at the names again."},
    )  # fmt: skip
    page.do("final", first=1, players=first[:2])
    told = page.stream()[1]["tournament"]
    assert (told["title"], told["final_undo"], told["final_offer"]) == ("Final", True, None)
    assert told["told"] == "2 players are in the final; its first round, round 4, is drawn next."
    page.do("final-withdraw", who="Dora", why="Cem was missing")
    told = page.stream()[1]["tournament"]
    assert (told["rounds"], told["in_groups"], sum(one["here"] for one in told["players"])) == (3, True, 6)
    assert told["traces"][-1].startswith("The beginning of the final after round 3 was undone; these players were in")
    assert page.ask("final", n=last, first=1, players=first[:2])[0] == 409
    page.do("final", first=1, players=first[:2])
    told = page.stream()[1]["tournament"]
    assert (told["rounds"], told["in_groups"], sum(one["here"] for one in told["players"])) == (4, False, 2)
    page.do("draw")
    page.do("begin")
    results(page)
    told = page.stream()[1]["tournament"]
    assert [one["points"] for one in told["standings"][:2]] == [12, 0]
    assert {one["name"] for one in told["teams"]} == {"Reds", "Blues"}
    document = json.loads(page.request("GET", "/tournament.json")[1])
    assert document["group_stage"] == {"size": 3, "final_rounds": 1, "final": "swiss", "carried": False}
    assert [len(group["standings"]) for group in document["groups"]] == [3, 3]
    assert document["final"]["after"] == 3
    rows = list(csv.DictReader(io.StringIO(page.request("GET", "/tournament-teams.csv")[1].removeprefix(BOM))))
    assert [row["counted"] for row in rows] == ["1", "1"]
    assert "Reds" in page.request("GET", "/tournament.html")[1]
    assert page.ask("team", player=1, team="x" * 41)[0] == 409


def test_who_comes_after_the_last_round_in_groups_is_still_seated(page):
    page.do("open", name="Spring cup", rounds=1, players_most=2, drawing="groups")
    page.do("enter", names="Ann\nBen")
    page.do("check-in")
    page.do("draw")
    page.do("begin")
    results(page)
    assert page.ask("draw")[0] == 409
    page.do("enter", names="Cem")
    page.do("check-in")
    assert page.stream()[1]["tournament"]["newcomers"]
    page.do("draw")
    assert page.stream()[1]["tournament"]["rounds"] == 3


def test_another_way_of_drawing_is_refused(page):
    assert page.ask("open", name="Spring cup", rounds=2, drawing="by-lot")[0] == 400


def test_older_tournaments_are_there_as_files(page):
    assert page.request("GET", "/tournament.json")[0] == 404
    assert json.loads(page.request("GET", "/tournaments.json")[1]) == []
    for name in ("First", "Second"):
        page.do("open", name=name, rounds=2)
        page.do("end")
    listed = json.loads(page.request("GET", "/tournaments.json")[1])
    assert [(one["id"], one["name"], one["ended"]) for one in listed] == [
        ("first-1", "First", True), ("second-2", "Second", True),
    ]  # fmt: skip
    assert json.loads(page.request("GET", "/tournament.json")[1])["tournament"] == "Second"
    assert json.loads(page.request("GET", "/tournament.json?of=first-1")[1])["tournament"] == "First"
    for path in ("/tournament.json", "/tournament-standings.csv", "/tournament-results.csv"):
        assert page.request("GET", f"{path}?of=third-3")[0] == 404


def test_why_something_is_not_done_is_one_sentence(page):
    status, told = page.ask("draw")
    assert (status, told) == (409, {"told": "No tournament is open: open one first."})
    assert page.ask("enter", names=3)[0] == 400


def test_what_is_about_a_draw_comes_too_late_once_there_is_another(page):
    page.do("open", name="Spring cup", rounds=2)
    page.do("enter", names="Ann\nBen\nCem")
    page.do("check-in")
    page.do("draw")
    before = page.stream()[0]
    page.do("withdraw", why="Dan comes")
    page.do("draw")
    status, told = page.ask("result", n=before, table=1, points=[1, 2, 3])
    assert status == 409
    assert page.stream()[1]["tournament"]["missing"] == [1]
    assert page.ask("enter", n=before, names="Dan")[0] == 200
    assert told["told"]


def test_every_command_stands_in_the_docs_with_its_fields():
    text = (Path(__file__).parents[4] / "docs" / "tournament.md").read_text(encoding="utf-8")
    lines = {line.split("`")[1]: line for line in text.splitlines() if line.startswith("| `tournament-")}
    commands = {**COMMANDS, **RULING}
    assert lines.keys() == commands.keys()
    for name, command in commands.items():
        assert all(f"`{field}`" in lines[name] for field in command.codec.schema["properties"]), name


def test_to_write_takes_the_pin(tmp_path):
    page = Page(tmp_path, Policy(local=False))
    try:
        assert page.ask("open", name="Spring cup", rounds=2)[0] == 403
        assert page.keeper.facts.all == ()
    finally:
        page.close()


def test_a_hall_that_keeps_no_tournaments_says_that_it_is_not_ready(tmp_path):
    page = Page(tmp_path, Policy(), keeper=False)
    try:
        assert page.ask("draw")[0] == 503
        assert page.stream()[1]["tournament"] is None
    finally:
        page.close()
