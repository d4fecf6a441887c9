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
from referee.pages.hall.server import HallServer
from referee.pages.hall.tournament_commands import COMMANDS

EPOCH, WALL = "0123abcd", "2026-11-20T12:00:00Z"


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
        assert self.ask(command, **values) == (200, {"done": True})
        while command == "draw" and not (self.stream()[1]["tournament"] or {}).get("tables"):
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
    rows = list(csv.DictReader(io.StringIO(page.request("GET", "/tournament-standings.csv")[1])))
    assert len(rows) == 5
    assert "'=Eve" in {row["player"] for row in rows}
    rows = list(csv.DictReader(io.StringIO(page.request("GET", "/tournament-results.csv")[1])))
    assert [row["total"] for row in rows] == ["5", "3", "-8", "5", "-5"]


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
    assert lines.keys() == COMMANDS.keys()
    for name, command in COMMANDS.items():
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
