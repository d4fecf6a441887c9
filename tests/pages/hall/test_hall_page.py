"""The hall with a real broker, real tables' messages and a real browser."""

import http.client
import json
import time
import zlib
from contextlib import closing

import pytest

mosquitto = pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
from browser import browser  # noqa: E402
from mosquitto import MISSING, PROGRAM, Mosquitto, until  # noqa: E402

from referee.club.hall import reader as reading  # noqa: E402
from referee.club.hall.reader import HallReader  # noqa: E402
from referee.club.hall.store import HallStore  # noqa: E402
from referee.club.mqtt.line import Endpoint, Message  # noqa: E402
from referee.club.mqtt.mqtt import MqttBroker  # noqa: E402
from referee.club.protocol import (  # noqa: E402
    Command,
    Do,
    Event,
    Kind,
    Online,
    Player,
    Snapshot,
    decode_document,
    encode_document,
    topic,
)
from referee.club.protocol.documents import Clock  # noqa: E402
from referee.club.protocol.facts import MatchStarted, RoundOver  # noqa: E402
from referee.club.protocol.told import Told  # noqa: E402
from referee.game.match.phases import Phase  # noqa: E402
from referee.game.notice import Notice  # noqa: E402
from referee.page.access import Policy  # noqa: E402
from referee.pages.hall.server import HallServer  # noqa: E402

pytestmark = [pytest.mark.club, pytest.mark.skipif(PROGRAM is None, reason=MISSING)]


def epoch_of(table):
    """Every table has a journal of its own."""
    return f"{zlib.crc32(table.encode()):08x}"


def wall():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Tables:
    """Talks for many tables over one line, as the broker sees them; keeps what they are asked."""

    def __init__(self):
        self.out, self.asked, self.ready = [], [], False

    def on_connect(self, line):
        line.subscribe("referee/1/+/do")
        self.ready = True

    def step(self, line):
        while self.out:
            line.publish(self.out.pop(0))
        return 0.02

    def on_message(self, name, payload, *, retained):  # noqa: ARG002 - as Talker has it
        self.asked.append((name.split("/")[2], decode_document(Kind.DO, payload)))

    def on_confirmed(self, number, refused):
        pass

    def on_disconnect(self, why):  # noqa: ARG002 - as Talker has it
        self.ready = False

    def before_disconnect(self, line):
        pass


class Evening:
    def __init__(self, folder):
        self.broker = Mosquitto(folder / "broker", "max_packet_size 3000000")
        self.store = HallStore(folder / "hall.sqlite")
        self.reader = HallReader(self.store, "referee", lambda: self.server.news())  # noqa: PLW0108 - it is there later
        self.server = HallServer("localhost", 0, self.reader, "en", Policy())
        where = Endpoint("127.0.0.1", self.broker.port, "hall")
        self.line = MqttBroker(where, None, largest=3_000_000)
        self.server.wake = self.line.wake
        self.server.start()
        self.line.start(self.reader)
        self.tables = Tables()
        self.table_line = MqttBroker(Endpoint("127.0.0.1", self.broker.port, "tables"), None)
        self.table_line.start(self.tables)
        until(lambda: self.tables.ready and self.reader.facts.connected)

    @property
    def address(self):
        return f"http://localhost:{self.server.port}"

    def tell(self, table, kind, document):
        payload = document if isinstance(document, bytes) else encode_document(document)
        self.tables.out.append(Message(topic("referee", table, kind), payload, 1, kind.is_retained))
        self.table_line.wake()

    def sits(self, table, seq=2, question=(), phase=Phase.TURN):
        self.tell(table, Kind.ONLINE, Online(True, epoch_of(table), wall()))
        players = (Player("Ann", 12, 7, True), Player(None, -12, 9, False))
        told = tuple(Told.from_notice(one) for one in question)
        match = (1, False, 2, 3, players, 0, 40, "R7 B7 K7", Clock(55.0, True), ((12, -12),), told)
        self.tell(table, Kind.STATE, Snapshot(epoch_of(table), seq, wall(), phase, "rummikub", "Rummikub", *match))
        self.tell(
            table, Kind.EVENT, Event(epoch_of(table), 1, 1, 1, wall(), (MatchStarted("rummikub", ("Ann", None), 3),))
        )
        over = RoundOver(1, 0, (12, -12), (0, 12), "out", (12, -12))
        self.tell(table, Kind.EVENT, Event(epoch_of(table), 2, 1, 2, wall(), (over,)))

    def get(self, path):
        with closing(http.client.HTTPConnection("localhost", self.server.port, timeout=60)) as connection:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()

    def close(self):
        self.table_line.close()
        self.line.close()
        self.server.close()
        self.store.close()
        self.broker.close()


@pytest.fixture
def evening(tmp_path):
    made = Evening(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def window():
    with browser() as opened:
        opened.resize(1280, 900)
        yield opened


@pytest.fixture
def screen(window):
    """A browser on which nothing is left of the test before."""
    window.open("about:blank")
    window.complaints()
    return window


def test_all_tables_are_on_one_page_and_the_one_that_needs_somebody_is_marked(evening, screen):
    evening.sits("one")
    evening.sits("two", question=[Notice("words.text", text="Which tile is this?")], phase=Phase.ASKING)
    screen.open(evening.address)
    screen.until(".hall-tables", "Ann: +12 points")
    screen.until(".hall-tables", "Seat 2: \N{MINUS SIGN}12 points")
    screen.until(".card.needs", "Which tile is this?")
    screen.until("#sum", "Tables: 2 · waiting for help: 1")
    screen.wait(lambda: screen.text(".card .time"), "the server's clock")
    assert screen.text(".card .time").startswith("0:5")
    assert [one for one in screen.complaints() if evening.address in one] == []  # no more of a page before
    assert screen.violations() == []


def test_a_table_that_goes_and_a_broker_that_goes_are_told(evening, screen):
    evening.sits("one")
    screen.open(evening.address)
    screen.until(".hall-tables", "Ann")
    evening.tell("one", Kind.ONLINE, Online(False))
    screen.until(".card.silent", "Not connected since")
    evening.broker.kill()
    screen.until("#hall-troubles", "broker")
    evening.broker.start()
    screen.wait(lambda: not screen.run("return document.getElementById('hall-troubles').offsetParent"), "the broker")


def test_a_table_that_has_retired_comes_last_and_is_forgotten_until_it_speaks(evening, screen):
    evening.sits("one")
    evening.sits("two")
    names = lambda: [one.text for one in screen.all(".card h2")]  # noqa: E731
    screen.open(evening.address)
    screen.wait(lambda: names() == ["one", "two"], "both tables")
    assert not screen.all(".card button")  # a table that is connected is not forgotten
    evening.tell("one", Kind.ONLINE, Online(False))
    screen.wait(lambda: names() == ["two", "one"], "the table that is connected, first")
    screen.find(".card button").click()
    screen.wait(lambda: names() == ["two"], "the other one alone")
    evening.sits("one")
    screen.wait(lambda: names() == ["one", "two"], "both tables again")


def test_the_director_pauses_all_tables_and_announces(evening, screen):
    evening.sits("one")
    evening.sits("two")
    until(lambda: len(evening.reader.facts.tables) == 2)
    screen.open(evening.address + "/director")
    screen.find("[data-do=pause]").click()
    screen.until("#told", "Sent.")
    screen.find("#text").send_keys("Five minutes left.")
    screen.find("#announce button").click()
    until(lambda: len(evening.tables.asked) == 4)
    asked = [(table, one.do, one.text) for table, one in evening.tables.asked]
    assert sorted(asked[:2]) == [("one", Do.PAUSE, ""), ("two", Do.PAUSE, "")]
    assert sorted(asked[2:]) == [
        ("one", Do.ANNOUNCE, "Five minutes left."),
        ("two", Do.ANNOUNCE, "Five minutes left."),
    ]
    assert screen.violations() == []


def test_one_table_shows_its_rounds_and_its_picture_on_demand(evening, screen):
    evening.sits("one")
    until(lambda: "one" in evening.reader.facts.tables)
    screen.open(evening.address + "/table/one")
    screen.until("#sheet", "\N{MINUS SIGN}12")
    assert "+12" in screen.text("#sheet")
    screen.find("[data-do=picture]").click()
    until(lambda: any(one.do is Do.PICTURE for _, one in evening.tables.asked))
    evening.tell("one", Kind.PICTURE, b"\xff\xd8\xff" + b"x" * 1000)
    screen.wait(lambda: "/picture/one.jpg" in (screen.run("return document.getElementById('shown').src") or ""), "it")
    assert evening.get("/picture/one.jpg")[1].startswith(b"\xff\xd8\xff")
    assert evening.get("/table/none")[0] == 404
    assert screen.violations() == []


def test_results_are_there_on_the_page_and_as_files(evening, screen):
    evening.sits("one")
    until(lambda: evening.reader.facts.results)
    screen.open(evening.address + "/results")
    screen.until("#results", "Seat 2")
    assert screen.violations() == []
    assert evening.get("/results.csv")[1].decode().splitlines()[1].endswith(f",1,1,Ann,12,0,{epoch_of('one')},0,0")
    assert json.loads(evening.get("/results.json")[1])[0]["totals"] == [12, -12]
    assert evening.get("/results.xml")[0] == 404


def test_a_table_that_had_to_make_room_leaves_the_page(evening, screen, monkeypatch):
    monkeypatch.setattr(reading, "MOST_TABLES", 2)
    monkeypatch.setattr(reading, "STALE_S", 0.0)
    evening.sits("one")
    evening.sits("two")
    screen.open(evening.address)
    screen.until("#sum", "Tables: 2")
    evening.sits("three")
    names = "return [].map.call(document.querySelectorAll('.card h2'), function (one) { return one.textContent; })"
    screen.wait(lambda: screen.run(names) == ["three", "two"], "the other table")


def test_events_that_a_killed_broker_has_lost_are_asked_for(evening):
    evening.sits("one")
    until(lambda: evening.store.last("one", epoch_of("one")) == 2)
    evening.tell("one", Kind.EVENT, Event(epoch_of("one"), 5, 1, 5, wall()))
    until(lambda: ("one", Command(Do.AGAIN, evening.tables.asked[-1][1].id, 3)) in evening.tables.asked
          if evening.tables.asked else False)  # fmt: skip
    for seq in (3, 4, 5):
        evening.tell("one", Kind.EVENT, Event(epoch_of("one"), seq, 1, seq, wall()))
    until(lambda: evening.store.last("one", epoch_of("one")) == 5)


def test_rubbish_of_one_table_leaves_the_others_alone(evening, screen):
    evening.sits("good")
    for payload in (b"\xff\xfe", b"[" * 5000, b"{}", b"x" * 60_000):
        evening.tell("bad", Kind.STATE, payload)
    screen.open(evening.address)
    screen.until(".hall-tables", "Something is sending messages in this table's name")
    screen.until(".hall-tables", "Ann")
    assert evening.reader.facts.tables["bad"].bad == 4
