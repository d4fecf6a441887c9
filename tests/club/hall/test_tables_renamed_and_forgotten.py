"""A table with another name keeps its history, and one that has retired is shown no more until it speaks again."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest
from recorded_broker import RecordedBroker

from referee.club.hall.reader import HallReader
from referee.club.hall.results import superseded_matches
from referee.club.hall.store import HallStore
from referee.club.hall.tournaments.round_results import matches_of
from referee.club.protocol import Event, Kind, Online, Snapshot, encode_document, topic
from referee.club.protocol.facts import GivenUp, MatchStarted, RoundOver
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.pages.hall.app import CSV_NAMES, result_as_json, result_lines
from referee.pages.hall.parts import results as results_part
from referee.pages.hall.parts import table_part

EPOCH, OTHER, WALL = "0123abcd", "4567abcd", "2026-11-20T12:00:00Z"
WORDS = Wording("en")


class Hall:
    """A hall that may be started anew; `asked` are the events that tables were asked for again."""

    def __init__(self, path):
        self.path, self.t = path, 100.0
        self.open()

    def open(self):
        self.store, self.broker = HallStore(self.path), RecordedBroker()
        self.reader = HallReader(
            self.store, "referee", lambda: None, lambda: self.t, lambda: datetime(2026, 11, 20, tzinfo=UTC)
        )
        self.broker.start(self.reader)
        self.broker.comes()

    def restart(self):
        self.store.close()
        self.open()

    def tell(self, table, kind, document, *, retained=False):
        self.reader.on_message(topic("referee", table, kind), encode_document(document), retained=retained)

    def online(self, table, *, epoch=EPOCH, there=True, retained=False):
        self.tell(
            table, Kind.ONLINE, Online(there, epoch if there else None, WALL if there else None), retained=retained
        )

    def state(self, table, seq, *, epoch=EPOCH, retained=False):
        told = Snapshot(epoch, seq, WALL, Phase.LOBBY, "rummikub", "Rummikub")
        self.tell(table, Kind.STATE, told, retained=retained)

    def event(self, table, seq, *facts, epoch=EPOCH, match=1, begun=WALL):
        self.tell(table, Kind.EVENT, Event(epoch, seq, match, seq, WALL, facts, begun))

    def match(self, table, start=1, *, epoch=EPOCH, rounds=1):
        self.event(table, start, MatchStarted("rummikub", ("Ann", "Ben"), 9), epoch=epoch)
        for number in range(1, rounds + 1):
            self.event(table, start + number, over(number, 5, -5), epoch=epoch)

    def step(self, seconds=1.0):
        self.t += seconds
        self.broker.step()

    @property
    def facts(self):
        self.step()
        return self.reader.facts

    def told(self, table):
        return table_part(table).render(self.facts, WORDS)

    def asked(self, table):
        sent = (json.loads(one.payload) for one in self.broker.sent if one.topic == topic("referee", table, Kind.DO))
        return [one["start"] for one in sent]


def over(number, *points):
    return RoundOver(number, 0, points, points, "out", points)


@pytest.fixture
def hall(tmp_path):
    made = Hall(tmp_path / "hall.sqlite")
    yield made
    made.store.close()


def test_a_table_that_waits_for_a_match_tells_no_round(hall):
    """How many rounds are set at the table is not in its state before a match."""
    hall.online("table-1")
    hall.state("table-1", 0)
    assert (hall.told("table-1")["text"], hall.told("table-1")["rounds"]) == ("Waiting for the players", 0)


def tables_of(hall):
    return [key.table for key in hall.facts.results]


def is_renamed(hall):
    """Table-1 has told a match; then its box is called table-9, and its line under the old name has ended."""
    hall.online("table-1")
    hall.match("table-1")
    hall.step()
    hall.online("table-1", there=False)
    hall.online("table-9")
    hall.step()


def test_a_renamed_table_has_one_history_and_the_hall_says_so(hall):
    is_renamed(hall)
    assert list(hall.facts.tables) == ["table-9"]
    assert tables_of(hall) == ["table-9"]
    assert hall.told("table-9")["formerly"] == "Formerly table-1; all its matches are shown under the new name."
    hall.event("table-9", 3, over(2, 7, -7))
    (result,) = hall.facts.results.values()
    assert result.totals == (12, -12)
    assert hall.asked("table-9") == []  # nothing is to be told again


def test_what_is_told_again_under_the_new_name_is_known(hall):
    is_renamed(hall)
    hall.match("table-9")
    hall.event("table-9", 3, GivenUp())
    (result,) = hall.facts.results.values()
    assert (result.totals, result.given_up) == ((5, -5), True)
    assert hall.facts.tables["table-9"].troubles == ()
    assert hall.store.last("table-1", EPOCH) == 0


@pytest.mark.parametrize("cut_s", [5.0, 600.0])
def test_what_a_bridge_sends_again_under_a_former_name_changes_nothing(hall, cut_s):
    """The bridge to another hall sends what its broker has retained as if it had just come."""
    is_renamed(hall)
    hall.state("table-9", 2)
    hall.step(cut_s)
    for _ in range(3):
        hall.online("table-1", there=False)
        hall.state("table-1", 2)
        hall.online("table-9")
        hall.state("table-9", 2)
        hall.step(5)
    assert tables_of(hall) == ["table-9"]
    assert list(hall.facts.tables) == ["table-9"]
    assert {told.key for told in hall.facts.tables["table-9"].troubles} <= {"hall.clock_off"}
    assert hall.told("table-9")["formerly"] == "Formerly table-1; all its matches are shown under the new name."


def test_a_table_that_was_forgotten_is_not_back_because_a_bridge_sends_what_was_retained(hall):
    hall.online("table-1")
    hall.state("table-1", 0)
    hall.online("table-1", there=False)
    hall.step()
    hall.reader.forget("table-1")
    hall.step()
    for _ in range(2):
        hall.online("table-1", there=False)
        hall.state("table-1", 0)
        hall.step(5)
        assert list(hall.facts.tables) == []
    hall.online("table-1")
    assert list(hall.facts.tables) == ["table-1"]


def test_a_hall_that_starts_anew_goes_by_the_new_name_whatever_the_broker_kept_of_the_old_one(hall):
    is_renamed(hall)
    hall.restart()
    hall.online("table-1", there=False, retained=True)
    hall.state("table-1", 2, retained=True)
    hall.online("table-9", retained=True)
    hall.state("table-9", 2, retained=True)
    hall.step(60)
    assert tables_of(hall) == ["table-9"]
    assert hall.told("table-9")["formerly"].startswith("Formerly table-1;")
    hall.event("table-9", 3, over(2, 7, -7))
    assert [one.totals for one in hall.facts.results.values()] == [(12, -12)]


def test_a_table_renamed_while_the_hall_was_away_is_known_by_what_it_says_itself(hall):
    hall.online("table-1")
    hall.match("table-1")
    hall.step()
    hall.restart()
    hall.online("table-1", there=False, retained=True)
    hall.online("table-9", retained=True)
    hall.state("table-9", 3, retained=True)
    assert tables_of(hall) == ["table-1"]
    hall.step(10)
    assert hall.asked("table-9") == [1]
    for seq, fact in enumerate((MatchStarted("rummikub", ("Ann", "Ben"), 9), over(1, 5, -5), over(2, 7, -7)), 1):
        hall.event("table-9", seq, fact)
    assert tables_of(hall) == ["table-9"]
    assert [one.totals for one in hall.facts.results.values()] == [(12, -12)]


def test_a_table_that_gets_its_old_name_back_keeps_its_history(hall):
    is_renamed(hall)
    hall.online("table-9", there=False)
    hall.online("table-1")
    assert tables_of(hall) == ["table-1"]
    assert hall.told("table-1")["formerly"].startswith("Formerly table-9;")


def test_two_boxes_with_copies_of_one_card_are_told_and_neither_takes_the_others_matches(hall):
    hall.online("table-1")
    hall.match("table-1")
    hall.step()
    hall.online("table-2")
    hall.match("table-2")
    assert sorted(tables_of(hall)) == ["table-1", "table-2"]
    views = hall.facts.tables
    assert views["table-2"].troubles == (Notice("hall.copied_journal", other="table-1"),)
    assert views["table-1"].troubles == (Notice("hall.copied_journal", other="table-2"),)


def is_renamed_after_a_power_cut(hall, told_again):
    """The plug of table-1 was pulled, which the broker tells late; by then its box is table-9 and tells all again."""
    hall.online("table-1")
    hall.match("table-1", rounds=2)
    hall.step()
    hall.online("table-9")
    if told_again:
        hall.match("table-9", rounds=told_again)
    hall.step()
    assert hall.facts.tables["table-9"].troubles == (Notice("hall.copied_journal", other="table-1"),)
    hall.online("table-1", there=False)


@pytest.mark.parametrize("told_again", [0, 1, 2, 3], ids="{} rounds told again".format)
def test_a_table_that_is_renamed_after_a_power_cut_is_no_copy(hall, told_again):
    is_renamed_after_a_power_cut(hall, told_again)
    views, rounds = hall.facts.tables, max(2, told_again)
    assert list(views) == ["table-9"]
    assert (views["table-9"].troubles, views["table-9"].formerly) == ((), ("table-1",))
    assert views["table-9"].seq == rounds + 1
    hall.event("table-9", rounds + 2, over(rounds + 1, 1, -1))
    (result,) = hall.facts.results.values()
    assert result.totals == (5 * rounds + 1, -5 * rounds - 1)
    hall.restart()
    assert list(hall.facts.results.values()) == [result]


def test_a_table_that_speaks_again_is_another_one(hall):
    hall.online("table-1")
    hall.match("table-1")
    hall.step()
    hall.online("table-9")
    hall.step()
    hall.state("table-1", 2)
    hall.step()
    hall.online("table-1", there=False)
    assert sorted(hall.facts.tables) == ["table-1", "table-9"]
    assert tables_of(hall) == ["table-1"]


def test_what_a_copy_tells_otherwise_is_not_joined(hall):
    hall.online("table-1")
    hall.match("table-1")
    hall.step()
    hall.online("table-9")
    hall.event("table-9", 1, MatchStarted("rummikub", ("Cem", "Dora"), 9))
    hall.step()
    hall.online("table-1", there=False)
    assert sorted(hall.facts.tables) == ["table-1", "table-9"]
    assert sorted(tables_of(hall)) == ["table-1", "table-9"]


def test_other_journals_of_a_name_stay_where_they_are(hall):
    """The old box is called otherwise, and a new box has its name."""
    hall.online("table-1", epoch=OTHER)
    hall.match("table-1", epoch=OTHER)
    hall.online("table-1", epoch=EPOCH)
    hall.match("table-1")
    hall.step()
    hall.online("table-1", epoch=OTHER)
    hall.online("table-9", epoch=EPOCH)
    found = {key.epoch: key.table for key in hall.facts.results}
    assert found == {OTHER: "table-1", EPOCH: "table-9"}
    assert sorted(hall.facts.tables) == ["table-1", "table-9"]


def test_branches_of_a_journal_that_was_put_back_go_with_it(hall):
    hall.online("table-1")
    put_back(hall, "table-1")
    hall.online("table-1", there=False)
    hall.online("table-9")
    assert {(key.table, key.epoch) for key in hall.facts.results} == {("table-9", EPOCH), ("table-9", f"{EPOCH}~1")}
    hall.event("table-9", 5, over(3, 1, -1))
    assert hall.facts.tables["table-9"].seq == 5
    for _ in range(2):
        assert hall.store.sizes["table-1"] == 0 < hall.store.sizes["table-9"]
        hall.step()
        hall.restart()


def put_back(hall, table):
    """Two rounds are told; then the journal is put back to after the first, and the match goes on otherwise."""
    hall.match(table, rounds=2)
    hall.step()
    hall.event(table, 3, over(2, 40, -40))
    hall.event(table, 4)
    hall.step()


def test_a_round_that_was_given_up_with_its_journal_is_marked_and_in_no_sum(hall):
    put_back(hall, "table-1")
    found = list(hall.facts.results.values())
    older = superseded_matches(found)
    assert [key.epoch for key in older] == [EPOCH]
    rows = [dict(zip(CSV_NAMES, row, strict=True)) for row in result_lines(found, older)]
    assert {(row["epoch"], row["superseded"]) for row in rows} == {(EPOCH, 1), (f"{EPOCH}~1", 0)}
    ann = [row["points"] for row in rows if row["player"] == "Ann" and not row["superseded"]]
    assert ann == [5, 40]
    documents = [result_as_json(one, superseded=one.key in older) for one in found]
    assert {(one["epoch"], one["superseded"], str(one["totals"])) for one in documents} == {
        (EPOCH, True, "None"), (f"{EPOCH}~1", False, "[45, -45]"),
    }  # fmt: skip
    shown = {one["state"]: one["totals"] for one in results_part(hall.facts, WORDS)}
    assert shown == {"superseded: reported differently since": [], "under way": [45, -45]}


def test_a_tournament_goes_by_what_is_told_last_even_where_more_was_told_before(hall):
    hall.match("table-1", rounds=3)
    hall.step()
    hall.event("table-1", 2, over(1, 8, -8))
    (match,) = matches_of(hall.facts.results)["table-1"]
    assert (match.key.epoch, match.totals) == (f"{EPOCH}~1", (8, -8))


def test_a_match_that_goes_on_in_a_new_journal_counts_once(hall):
    hall.match("table-1", rounds=1)
    hall.match("table-1", epoch=OTHER, rounds=2)
    found = hall.facts.results.values()
    assert [(key.epoch, key.table) for key in superseded_matches(found)] == [(EPOCH, "table-1")]


def test_a_table_that_has_retired_can_be_forgotten_and_its_results_stay(hall):
    hall.online("table-1")
    hall.match("table-1")
    hall.online("table-1", there=False)
    hall.step()
    hall.reader.forget("table-1")
    assert list(hall.facts.tables) == []
    assert tables_of(hall) == ["table-1"]
    for _ in range(2):
        hall.online("table-1", there=False, retained=True)
        hall.state("table-1", 2, retained=True)
        hall.online("table-1", there=False)  # its last word, told late
        assert list(hall.facts.tables) == []
        hall.restart()


def test_a_forgotten_table_is_there_again_once_it_speaks(hall):
    hall.online("table-1")
    hall.match("table-1")
    hall.online("table-1", there=False)
    hall.step()
    hall.reader.forget("table-1")
    hall.step()
    hall.online("table-1")
    hall.event("table-1", 3, over(2, 1, -1))
    assert hall.facts.tables["table-1"].seq == 3
    hall.restart()
    hall.online("table-1", there=False, retained=True)
    assert list(hall.facts.tables) == ["table-1"]


def test_a_table_that_is_connected_is_not_forgotten(hall):
    hall.online("table-1")
    hall.step()
    refused, unknown = hall.reader.forget("table-1"), hall.reader.forget("table-2")
    assert list(hall.facts.tables) == ["table-1"]
    assert refused.result(0) == Notice("hall.still_there", table="table-1")
    assert unknown.result(0) is None


def test_that_a_table_is_forgotten_is_answered_once_it_is_shown_no_more(hall):
    hall.online("table-1")
    hall.online("table-1", there=False)
    hall.step()
    done, answered = hall.reader.forget("table-1"), []
    done.add_done_callback(lambda outcome: answered.append((outcome.result(), list(hall.reader.facts.tables))))
    assert not done.done()
    hall.broker.step()
    assert answered == [(None, [])]


def test_a_disk_that_takes_no_note_keeps_the_table(hall):
    hall.online("table-1")
    hall.online("table-1", there=False)
    hall.step()
    with closing(sqlite3.connect(hall.path)) as other:
        other.execute("CREATE TRIGGER full BEFORE INSERT ON notes BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    refused = hall.reader.forget("table-1")
    assert list(hall.facts.tables) == ["table-1"]
    assert hall.facts.trouble.key == refused.result(0).key == "hall.not_kept"
