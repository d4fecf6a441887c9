"""The hall at a broker that is none: what tables tell becomes facts, what is missing is asked for, orders go out."""

import json
import sqlite3
from datetime import UTC, datetime

import pytest

from referee.club import Do, Event, Kind, Online, encoded, topic
from referee.club.facts import MatchStarted, RoundOver
from referee.devices.broker.recorded import RecordedBroker
from referee.game.notice import Notice
from referee.hall import reader as reading
from referee.hall.reader import HallReader
from referee.hall.store import HallStore

EPOCH, WALL = "0123abcd", "2026-11-20T12:00:00Z"


class Hall:
    def __init__(self, store):
        self.t, self.told = 100.0, 0
        self.store, self.broker = store, RecordedBroker()
        self.reader = HallReader(
            store, "referee", self._news, lambda: self.t, lambda: datetime(2026, 11, 20, tzinfo=UTC)
        )
        self.broker.start(self.reader)
        self.broker.comes()

    def _news(self):
        self.told += 1

    @property
    def facts(self):
        return self.reader.facts

    def tell(self, table, kind, document, *, retained=False):
        payload = document if isinstance(document, bytes) else encoded(document)
        self.reader.came(topic("referee", table, kind), payload, retained=retained)

    def event(self, table, seq, *facts):
        self.tell(table, Kind.EVENT, Event(EPOCH, seq, 1, seq, WALL, facts))

    def step(self, seconds=1.0):
        self.t += seconds
        self.broker.step()

    def asked(self, table):
        sent = (json.loads(one.payload) for one in self.broker.sent if one.topic == topic("referee", table, Kind.DO))
        return [(one["do"], one["start"]) for one in sent]


@pytest.fixture
def hall():
    store = HallStore(":memory:")
    yield Hall(store)
    store.close()


def test_it_reads_all_tables_of_the_club(hall):
    assert hall.broker.topics == ["referee/1/+/#"]
    hall.tell("one", Kind.ONLINE, Online(True, EPOCH, WALL))
    hall.event("one", 1, MatchStarted("rummikub", ("Ann", "Ben"), 1))
    hall.event("one", 2, RoundOver(1, 0, (5, -5), (0, 5), "out", (5, -5)))
    hall.event("two", 1)
    hall.step()
    assert list(hall.facts.tables) == ["one", "two"]
    assert [result.totals for result in hall.facts.results.values()] == [(5, -5)]
    assert hall.store.last() == {"one": {EPOCH: 2}, "two": {EPOCH: 1}}
    assert hall.told >= 1


def test_nothing_new_is_no_news(hall):
    hall.event("one", 1)
    hall.step()
    told = hall.told
    hall.step()
    assert hall.told == told


def test_what_is_missing_is_asked_for(hall):
    hall.tell("one", Kind.ONLINE, Online(True, EPOCH, WALL))
    hall.event("one", 3)
    hall.step()
    assert hall.asked("one") == [("again", 1)]
    for seq in (1, 2, 3):
        hall.event("one", seq)
    hall.step()
    assert hall.store.last() == {"one": {EPOCH: 3}}


def test_what_the_disk_does_not_take_is_told_and_asked_for_again(hall, monkeypatch):
    hall.tell("one", Kind.ONLINE, Online(True, EPOCH, WALL))
    hall.event("one", 1)
    hall.step()

    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(hall.store, "keep", full)
        hall.event("one", 2)
        hall.event("one", 3)
        hall.step()
        assert hall.facts.trouble == Notice("hall.not_kept", reason="database or disk is full")
        assert hall.facts.tables["one"].seq == 1
    hall.step(3.0)
    assert hall.asked("one")[-1] == ("again", 2)
    hall.event("one", 2)
    hall.event("one", 3)
    hall.step()
    assert hall.store.last() == {"one": {EPOCH: 3}}
    assert hall.facts.trouble is None


def test_the_hall_says_that_it_is_cut_off(hall):
    hall.tell("one", Kind.ONLINE, Online(True, EPOCH, WALL))
    hall.step()
    why = Notice("club.lost", address="broker:1883")
    hall.broker.goes(why)
    assert (hall.facts.connected, hall.facts.trouble) == (False, why)
    assert hall.facts.tables["one"].stale(hall.t)
    hall.broker.comes()
    hall.tell("one", Kind.ONLINE, Online(True, EPOCH, WALL), retained=True)
    hall.step()
    assert hall.facts.trouble is None
    assert hall.facts.tables["one"].online


@pytest.mark.parametrize(
    "name", ["referee/1/one", "referee/1/ONE/state", "referee/1/one/else", "x", "referee/2/one/state"]
)
def test_what_comes_under_other_topics_is_counted_only(hall, name):
    hall.reader.came(name, b"{}")
    hall.step()
    assert (hall.facts.strangers, dict(hall.facts.tables)) == (1, {})


def test_no_more_tables_than_a_hall_holds(hall, monkeypatch):
    monkeypatch.setattr(reading, "MOST_TABLES", 3)
    for number in range(5):
        hall.event(f"table-{number}", 1)
    hall.step()
    assert (len(hall.facts.tables), hall.facts.strangers) == (3, 2)


def test_an_order_goes_to_its_table_once(hall):
    hall.reader.order("one", Do.ANNOUNCE, "Five minutes left.")
    hall.step()
    hall.step()
    (sent,) = [json.loads(one.payload) for one in hall.broker.sent]
    assert (sent["do"], sent["text"]) == ("announce", "Five minutes left.")


def test_contradicting_tables_are_told(hall):
    hall.event("one", 1)
    hall.step()
    hall.tell("one", Kind.EVENT, Event(EPOCH, 1, 2, 1, WALL))
    hall.step()
    assert [told.key for told in hall.facts.tables["one"].troubles] == ["hall.contradicts"]


def test_pictures_are_kept_for_a_few_tables(hall, monkeypatch):
    monkeypatch.setattr(reading, "PICTURES", 2)
    for name in ("a", "b", "c"):
        hall.tell(name, Kind.PICTURE, b"\xff\xd8\xff" + name.encode())
    assert list(hall.reader.pictures) == ["b", "c"]
    hall.step()
    assert hall.facts.tables["c"].picture == 1
