"""The hall's own file: every event once, results of matches, contradictions told."""

import sqlite3

import pytest

from referee.club import Event
from referee.club.facts import GivenUp, MatchEnded, MatchStarted, RoundCorrected, RoundOver
from referee.hall.results import MatchKey
from referee.hall.store import HallStore

EPOCH, WALL = "0123abcd", "2026-11-20T12:00:00Z"
KEY = MatchKey("one", EPOCH, 1)


def event(seq, *facts, match=1):
    return Event(EPOCH, seq, match, seq, WALL, facts)


def played(*more):
    return [
        event(1),
        event(2, MatchStarted("rummikub", ("Ann", None), 2)),
        event(3, RoundOver(1, 0, (12, -12), (0, 12), "out", (12, -12))),
        event(4, RoundOver(2, 1, (-5, 5), (5, 0), "out", (7, -7)), MatchEnded((0,), (7, -7))),
        *more,
    ]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "hall.sqlite"


@pytest.fixture
def store(path):
    made = HallStore(path)
    yield made
    made.close()


def keep(store, events, table="one"):
    return store.keep([(table, one) for one in events], WALL)


def test_an_event_is_kept_once_whatever_comes_again(store):
    assert keep(store, played()) == []
    changes = store.changes
    assert keep(store, played()) == []
    assert store.changes == changes
    assert store.last() == {"one": {EPOCH: 4}}
    assert len(store.events("one", EPOCH)) == 4


def test_what_contradicts_is_told_and_does_not_count(store):
    keep(store, played())
    other = event(3, RoundOver(1, 1, (-90, 90), (90, 0), "out", (-90, 90)))
    assert keep(store, [other]) == ["one"]
    assert store.results[KEY].totals == (7, -7)


def test_results_are_those_of_the_rounds(store):
    keep(store, played())
    result = store.results[KEY]
    assert (result.players, result.totals, result.winners, result.over) == (("Ann", None), (7, -7), (0,), True)


def test_a_corrected_round_counts_as_corrected_and_may_open_the_match_again(store):
    keep(store, played(event(5, RoundCorrected(2, (-5, 5), (-20, 20), (-8, 8), False))))
    result = store.results[KEY]
    assert (result.totals, result.over, result.winners, result.rounds[1].corrected) == ((-8, 8), False, (), 1)


def test_a_match_that_was_given_up_is_one(store):
    keep(store, [event(1, MatchStarted("gin", ("Ann", "Ben"), 1)), event(2, GivenUp())])
    assert store.results[KEY].given_up


def test_the_next_start_knows_all_of_it(store, path):
    keep(store, played())
    again = HallStore(path)
    assert again.results == store.results
    assert again.last() == store.last()
    again.close()


def test_a_result_whose_beginning_is_not_known_is_none(store):
    keep(store, [event(1, RoundOver(1, 0, (1, -1), (0, 1), "out", (1, -1)))])
    assert store.results == {}


def test_nothing_is_kept_where_one_cannot_be(store):
    broken = Event(EPOCH, 2, 1, 2, WALL, (object(),))
    with pytest.raises(Exception):  # noqa: B017, PT011 - whatever the coding says
        keep(store, [event(1), broken])
    assert store.last() == {}
    keep(store, [event(1)])
    assert store.last() == {"one": {EPOCH: 1}}


def test_another_file_is_not_written_into(path):
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (a)")
    with pytest.raises(sqlite3.DatabaseError, match="expected the file of a hall"):
        HallStore(path)
