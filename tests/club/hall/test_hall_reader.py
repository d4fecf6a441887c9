"""The hall at a broker that is none: what tables tell becomes facts, what is missing is asked for, orders go out."""

import json
import sqlite3
import zlib
from datetime import UTC, datetime

import pytest
from recorded_broker import RecordedBroker

from referee.club.hall import reader as reading
from referee.club.hall.intake import STALE_S, TableIntake
from referee.club.hall.reader import HallReader
from referee.club.hall.store import HallStore
from referee.club.protocol import Do, Event, Kind, Online, Snapshot, encode_document, topic
from referee.club.protocol.facts import MatchStarted, RoundOver
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.i18n import Wording

EPOCH, WALL = "0123abcd", "2026-11-20T12:00:00Z"


def epoch_of(table):
    """Every table has a journal of its own."""
    return EPOCH if table == "one" else f"{zlib.crc32(table.encode()):08x}"


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
        payload = document if isinstance(document, bytes) else encode_document(document)
        self.reader.on_message(topic("referee", table, kind), payload, retained=retained)

    def event(self, table, seq, *facts):
        self.tell(table, Kind.EVENT, Event(epoch_of(table), seq, 1, seq, WALL, facts))

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
    assert (hall.store.last("one", EPOCH), hall.store.last("two", epoch_of("two"))) == (2, 1)
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
    assert hall.store.last("one", EPOCH) == 3


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
    assert hall.store.last("one", EPOCH) == 3
    assert hall.facts.trouble is None


def test_a_table_that_does_not_come_back_after_a_power_cut_is_missed(hall):
    hall.event("one", 1)
    hall.event("two", 1)
    hall.step()
    again = Hall(hall.store)
    assert list(again.facts.tables) == ["one", "two"]
    assert not any(view.online for view in again.facts.tables.values())
    again.tell("two", Kind.ONLINE, Online(True, epoch_of("two"), WALL))
    again.step()
    assert [view.online for view in again.facts.tables.values()] == [False, True]
    again.reader.forget("one")
    again.step()
    assert list(Hall(hall.store).facts.tables) == ["two"]


def test_the_hall_says_that_it_is_cut_off(hall):
    hall.tell("one", Kind.ONLINE, Online(True, EPOCH, WALL))
    hall.step()
    why = Notice("club.wrong_password", address="broker:1883", user="hall")
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
    hall.reader.on_message(name, b"{}")
    hall.step()
    assert (hall.facts.strangers, dict(hall.facts.tables)) == (1, {})


@pytest.mark.parametrize(
    "told",
    [Notice("club.no_broker", address="x", reason="y"), Notice("club.silent", address="x"),
     Notice("club.lost", address="x"), Notice("club.failed", error="x")],
    ids=lambda told: told.key,
)  # fmt: skip
def test_the_hall_speaks_of_its_line_in_its_own_words(hall, told):
    """No game goes on at a hall."""
    hall.reader.on_disconnect(told)
    found = hall.facts.trouble
    assert found == Notice(told.key.replace("club.", "hall."), **dict(told.fields))
    for language in ("en", "de", "fr", "it"):
        assert Wording(language)(found) != Wording(language)(told)


def test_no_more_tables_than_a_hall_holds(hall, monkeypatch):
    monkeypatch.setattr(reading, "MOST_TABLES", 3)
    for number in range(5):
        hall.event(f"table-{number}", 1)
    hall.step()
    assert (len(hall.facts.tables), hall.facts.beyond) == (3, 2)


def test_strangers_who_came_first_make_room_for_a_table_once_they_are_silent(hall, monkeypatch):
    monkeypatch.setattr(reading, "MOST_TABLES", 5)
    hall.tell("old", Kind.ONLINE, Online(True, epoch_of("old"), WALL))
    hall.event("old", 1)
    for number in range(3):
        hall.tell(f"stranger-{number}", Kind.ONLINE, Online(True, epoch_of(str(number)), WALL))
    hall.tell("rubbish", Kind.STATE, b"{}")
    hall.event("real", 1)  # takes the place of the one that told nothing
    hall.step()
    assert ("real" in hall.facts.tables, "rubbish" in hall.facts.tables) == (True, False)
    hall.event("late", 1)
    hall.step()
    assert ("late" in hall.facts.tables, hall.facts.beyond) == (False, 1)
    hall.step(STALE_S + 1)
    hall.event("real", 2)
    for name in ("late", "later", "latest"):
        hall.event(name, 1)
    hall.step()
    assert sorted(hall.facts.tables) == ["late", "later", "latest", "old", "real"]
    hall.step(STALE_S + 1)
    hall.event("last", 1)  # those of which something is kept go last, the longest silent first
    hall.step()
    assert "old" not in hall.facts.tables
    hall.event("old", 2)
    hall.step()
    assert hall.store.last("old", epoch_of("old")) == 2


def test_whatever_goes_wrong_with_a_message_costs_its_own_table_only(hall, monkeypatch, capsys):
    take_message = TableIntake.take_message

    def stumbles(table, *args, **told):
        if table.view.name == "one":
            raise ZeroDivisionError("nobody has thought of it")
        return take_message(table, *args, **told)

    hall.event("one", 1)
    monkeypatch.setattr(TableIntake, "take_message", stumbles)
    hall.event("one", 2)
    hall.event("two", 1)
    hall.step()
    assert hall.store.last("two", epoch_of("two")) == 1
    assert [told.key for told in hall.facts.tables["one"].troubles] == ["hall.bad_messages"]
    assert "nobody has thought of it" in capsys.readouterr().err


def test_what_cannot_be_kept_of_one_table_costs_the_others_nothing(hall, monkeypatch, capsys):
    keep = hall.store.keep

    def stumbles(documents, received):
        if "bad" in {table for table, _ in documents}:
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
        return keep(documents, received)

    monkeypatch.setattr(hall.store, "keep", stumbles)
    for table in ("one", "bad", "two"):
        for seq in (1, 2):
            hall.event(table, seq)
    hall.step()
    assert [hall.store.last(name, epoch_of(name)) for name in ("one", "bad", "two")] == [2, 0, 2]
    assert [told.key for told in hall.facts.tables["bad"].troubles] == ["hall.table_full"]
    assert "surrogates" in capsys.readouterr().err


def test_a_journal_that_was_put_back_is_told_and_its_newest_state_shown(hall):
    """A table is set up anew from a backup: its epoch is the same, its numbers are given again."""

    def round_over(seq, points, number):
        hall.event("one", seq, RoundOver(number, 0, (points, -points), (0, 5), "out", (points, -points)))

    hall.tell("one", Kind.ONLINE, Online(True, EPOCH, WALL))
    hall.event("one", 1, MatchStarted("rummikub", ("Ann", "Ben"), 3))
    for seq, points, number in ((2, 5, 1), (3, 6, 2), (4, 7, 3)):
        round_over(seq, points, number)
    hall.tell("one", Kind.STATE, Snapshot(EPOCH, 4, "2026-11-20T00:00:00Z", Phase.OVER, "rummikub", "Rummikub"))
    hall.step()
    assert hall.facts.tables["one"].troubles == ()
    later = "2026-11-20T00:00:30Z"
    hall.tell("one", Kind.ONLINE, Online(True, EPOCH, later))
    hall.tell("one", Kind.STATE, Snapshot(EPOCH, 2, later, Phase.TURN, "rummikub", "Rummikub"))
    hall.event("one", 1, MatchStarted("rummikub", ("Ann", "Ben"), 3))
    round_over(2, 5, 1)
    round_over(3, 50, 2)
    hall.tell("one", Kind.STATE, Snapshot(EPOCH, 3, later, Phase.BETWEEN, "rummikub", "Rummikub"))
    hall.step()
    view = hall.facts.tables["one"]
    assert [told.key for told in view.troubles] == ["hall.contradicts"]
    assert (view.seq, view.snapshot.seq, view.snapshot.phase, view.missing) == (3, 3, Phase.BETWEEN, False)
    round_over(4, 60, 3)
    hall.step()
    totals = {key.epoch: result.totals[0] for key, result in hall.facts.results.items()}
    assert totals == {EPOCH: 18, f"{EPOCH}~1": 115}
    assert hall.asked("one") == []


def test_what_a_table_told_while_the_hall_was_away_after_its_journal_was_put_back_is_found_out(hall):
    hall.tell("one", Kind.ONLINE, Online(True, EPOCH, WALL))
    for seq in range(1, 6):
        hall.event("one", seq)
    hall.step()
    hall.broker.goes()
    hall.broker.comes()
    hall.tell("one", Kind.ONLINE, Online(True, EPOCH, WALL), retained=True)
    hall.tell("one", Kind.STATE, Snapshot(EPOCH, 4, WALL, Phase.TURN, "rummikub", "Rummikub"), retained=True)
    for _ in range(30):
        hall.step()
    assert hall.asked("one") == [("again", 1)]
    for seq in (1, 2):
        hall.event("one", seq)
    for seq in (3, 4):
        hall.tell("one", Kind.EVENT, Event(EPOCH, seq, 7, seq, WALL))
    hall.step()
    assert [told.key for told in hall.facts.tables["one"].troubles] == ["hall.contradicts"]
    assert hall.store.last("one", EPOCH) == 4
    hall.tell("one", Kind.EVENT, Event(EPOCH, 5, 7, 5, WALL))
    hall.step()
    assert (hall.store.last("one", EPOCH), hall.facts.tables["one"].seq) == (5, 5)


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
