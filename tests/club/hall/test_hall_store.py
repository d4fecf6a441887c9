"""The hall's own file: every event once, results of matches, contradictions told."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from referee.club.hall import store as storing
from referee.club.hall.limits import LINES, ROUNDS
from referee.club.hall.results import MatchKey
from referee.club.hall.store import HallStore, Kept
from referee.club.protocol import Event
from referee.club.protocol.facts import GivenUp, MatchEnded, MatchStarted, RoundCorrected, RoundOver

EPOCH, WALL = "0123abcd", "2026-11-20T12:00:00Z"
KEY = MatchKey("one", EPOCH, 1)


RESULT_OF_VERSION_2 = """{"version": 1, "rules": "rummikub", "players": ["Ann", null], "planned": 2,
 "rounds": [[[12, -12], 0, 0], [[-20, 20], 1, 1]], "winners": [0], "over": true, "given_up": false, "draw": null}"""


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


def test_a_match_that_began_before_the_clock_was_set_gets_its_date_later(store):
    unset, later = "1970-01-01T00:05:00Z", "2026-11-20T12:30:00Z"
    first, second, third, *_ = played()
    keep(store, [replace(one, wall=unset, begun=unset) for one in (first, second)])
    assert store.results[KEY].begun == unset
    keep(store, [replace(third, begun=later)])
    assert store.results[KEY].begun == later


def keep(store, events, table="one"):
    return store.keep([(table, one) for one in events], WALL)


def test_an_event_is_kept_once_whatever_comes_again(store):
    assert keep(store, played()) == Kept()
    changes = store.changes
    assert keep(store, played()) == Kept()
    assert store.changes == changes
    assert store.last("one", EPOCH) == 4
    assert len(store.events("one", EPOCH)) == 4


def test_what_contradicts_is_told_and_changes_nothing_that_was_kept(store):
    keep(store, played())
    other = event(3, RoundOver(1, 1, (-90, 90), (90, 0), "out", (-90, 90)))
    assert keep(store, [other]) == Kept({"one"}, {("one", EPOCH): 3})
    assert store.results[KEY].totals == (7, -7)
    assert len(store.events("one", EPOCH)) == 4


def test_a_journal_that_was_put_back_tells_another_line_and_its_match_goes_on_in_it(store, path):
    keep(store, played())
    keep(store, [event(3, RoundOver(1, 1, (-90, 90), (90, 0), "out", (-90, 90)))])
    line = MatchKey("one", f"{EPOCH}~1", 1)
    assert store.results[line].totals == (-90, 90)
    assert store.last("one", EPOCH) == 3
    assert keep(store, [event(5)]).back == {("one", EPOCH): 3}  # behind what the first line had come to
    keep(store, [event(4, RoundOver(2, 0, (10, -10), (0, 10), "out", (-80, 80)))])
    keep(store, [event(5, match=2), event(6, MatchStarted("gin", ("Cleo", "Dan"), 1), match=2)])
    again = HallStore(path)
    for one in (store, again):
        assert one.last("one", EPOCH) == 6
        assert one.results[KEY].totals == (7, -7)
        assert one.results[line].totals == (-80, 80)
        assert one.results[MatchKey("one", f"{EPOCH}~1", 2)].rules == "gin"
    keep(again, [event(7, RoundOver(1, 0, (1, -1), (0, 1), "out", (1, -1)), match=2)])
    assert again.results[MatchKey("one", f"{EPOCH}~1", 2)].totals == (1, -1)
    again.close()


def test_a_match_of_the_shared_part_is_one_and_the_same_in_both_lines(store):
    keep(store, played())
    keep(store, [event(seq, match=2) for seq in (5, 6, 7)])
    keep(store, [event(6, MatchStarted("gin", ("Ann", "Ben"), 1), match=2)])
    keep(store, [event(7, RoundCorrected(2, (-5, 5), (-20, 20), (-8, 8), over=True))])
    assert store.results[KEY].totals == (-8, 8)
    assert MatchKey("one", f"{EPOCH}~1", 1) not in store.results


def test_a_line_may_be_left_again_before_or_behind_where_it_began(store, path):
    keep(store, [event(1), event(2, MatchStarted("gin", ("Ann", "Ben"), 9))])
    told = [(3, 10), (4, 20), (5, 30)]
    for seq, points in told:
        keep(store, [event(seq, RoundOver(seq - 2, 0, (points, 0), (0, 0), "out", (0, 0)))])
    for seq, points in ((5, 31), (4, 21), (5, 32)):
        keep(store, [event(seq, RoundOver(seq - 2, 0, (points, 0), (0, 0), "out", (0, 0)))])
    again = HallStore(path)
    for one in (store, again):
        totals = {key.epoch.partition("~")[2]: result.totals[0] for key, result in one.results.items()}
        assert totals == {"": 60, "1": 61, "2": 10 + 21 + 32}
        assert one.last("one", EPOCH) == 5
    again.close()


def test_an_epoch_that_contradicts_itself_for_ever_ends_doing_so(store):
    keep(store, played())
    for number in range(LINES + 5):
        told = keep(store, [event(4, RoundOver(2, 1, (number, 0), (5, 0), "out", (7, -7)))])
        assert told.contradicted == {"one"}
    assert len(store.results) == LINES + 1
    assert store.results[MatchKey("one", f"{EPOCH}~{LINES}", 1)].totals == (12 + LINES - 1, -12)


def test_of_one_table_no_more_is_kept_than_a_share_of_the_disk(store, path, monkeypatch):
    monkeypatch.setattr(storing, "KEPT_BYTES", 2000)
    found = [keep(store, [event(seq)]).full for seq in range(1, 20)]
    last = found.index({"one"})
    assert 3 < last < 12
    assert keep(store, [event(last + 1)]).full == {"one"}
    assert keep(store, [event(1)], "two").full == set()
    assert keep(store, [event(1)]) == Kept()  # what is there is there
    store.close()
    again = HallStore(path)
    assert keep(again, [event(last + 1)]).full == {"one"}
    again.close()


def test_the_newest_matches_of_a_table_are_at_hand(store, monkeypatch):
    monkeypatch.setattr(storing, "MATCHES", 3)
    for number in range(1, 7):
        keep(store, [event(number, MatchStarted("gin", ("Ann", "Ben"), 1), match=number)])
    keep(store, [event(1, MatchStarted("gin", ("Ann", "Ben"), 1))], "two")
    assert [(key.table, key.match) for key in store.results] == [("one", 4), ("one", 5), ("one", 6), ("two", 1)]
    assert len(store.events("one", EPOCH)) == 6


def test_a_match_has_no_more_rounds_than_anybody_plays(store):
    rounds = [RoundOver(number, 0, (1, -1), (0, 1), "out", (1, -1)) for number in range(1, ROUNDS + 50)]
    keep(store, [event(1, MatchStarted("gin", ("Ann", "Ben"), 1))])
    keep(store, [event(2 + at, *rounds[at * 40 : at * 40 + 40]) for at in range(len(rounds) // 40 + 1)])
    assert len(store.results[KEY].rounds) == ROUNDS


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_of_a_version_before_is_brought_up_to_date(store, path, version):
    keep(store, played(event(5, RoundCorrected(2, (-5, 5), (-20, 20), (-8, 8), True))))
    before, size = store.results[KEY], store.sizes["one"]
    store.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        old.execute("ALTER TABLE matches DROP COLUMN from_history")
        old.execute("UPDATE matches SET body = ?", (RESULT_OF_VERSION_2,))
        old.execute("DROP TABLE sizes" if version == 1 else "UPDATE sizes SET bytes = 1000")
        old.execute(f"PRAGMA user_version = {version}")
        old.execute(f"PRAGMA application_id = {0x48414C00 + version}")
    again = HallStore(path)
    assert again.last("one", EPOCH) == 5
    assert again.sizes["one"] > size / 2
    assert again.results == {KEY: replace(before, revisions=(), ended=None)}
    keep(again, [event(6, GivenUp())])
    assert again.results[KEY].given_up
    again.close()


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
    assert again.last("one", EPOCH) == store.last("one", EPOCH) == 4
    again.close()


def test_a_result_whose_beginning_is_not_known_is_none(store):
    keep(store, [event(1, RoundOver(1, 0, (1, -1), (0, 1), "out", (1, -1)))])
    assert store.results == {}


def test_nothing_is_kept_where_one_cannot_be(store):
    broken = Event(EPOCH, 2, 1, 2, WALL, (object(),))
    with pytest.raises(Exception):  # noqa: B017, PT011 - whatever the coding says
        keep(store, [event(1), broken])
    assert store.last("one", EPOCH) == 0
    keep(store, [event(1)])
    assert store.last("one", EPOCH) == 1


def test_another_file_is_not_written_into(path):
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE mine (a)")
    with pytest.raises(sqlite3.DatabaseError, match="expected the file of a hall"):
        HallStore(path)
