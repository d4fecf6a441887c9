"""Results of matches come as documents, one for each match: whatever appears twice, late, or from two sources."""

import itertools
import random
import shutil
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from club_table import ClubTable
from played import SETUPS, match, otherwise, short
from recorded_broker import RecordedBroker

from referee.club.hall import store as storing
from referee.club.hall.limits import EPOCHS
from referee.club.hall.reader import EVERY_S, HallReader
from referee.club.hall.results import MatchKey, superseded_matches
from referee.club.hall.store import HallStore, Kept
from referee.club.protocol import Event, Kind, MatchResult, Online, encode_document, topic
from referee.club.protocol.documents import Revision, RoundResult
from referee.club.protocol.facts import MatchEnded, MatchStarted, RoundCorrected, RoundOver

EPOCH, OTHER, WALL = "0123abcd", "4567abcd", "2026-11-20T12:00:00+00:00"
KEY, LINE = MatchKey("one", EPOCH, 1), MatchKey("one", f"{EPOCH}~1", 1)


def moment(number):
    return f"2026-11-20T12:{number // 60:02}:{number % 60:02}+00:00"


def result(*rounds, seqs=None, match=1, epoch=EPOCH, **told):
    """A result after these rounds of two players; the beginning is event 2, and every third one a round."""
    seqs = seqs or [2 + 3 * number for number in range(len(rounds) + 1)]
    lines = tuple(RoundResult((points, -points), 0 if points > 0 else 1) for points in rounds)
    revisions = tuple(Revision(seq, moment(seq)) for seq in seqs)
    return MatchResult(epoch, match, WALL, "rummikub", ("Ann", None), 2, lines, revisions=revisions, **told)


def corrected(told, points, seq=30):
    """The same after its first round was corrected."""
    line = RoundResult((points, -points), 1, told.rounds[0].corrected + 1)
    return replace(told, rounds=(line, *told.rounds[1:]), revisions=(*told.revisions, Revision(seq, moment(seq))))


def event(seq, *facts, match=1, **told):
    return Event(EPOCH, seq, match, seq, moment(seq), facts, **{"begun": WALL, **told})


def events(*rounds, over=None):
    """What a table tells of the same, event by event; others are in between."""
    facts = {2: (MatchStarted("rummikub", ("Ann", None), 2),)}
    for number, points in enumerate(rounds, 1):
        facts[2 + 3 * number] = (RoundOver(number, 0, (points, -points), (0, 0), "went-out", (0, 0)),)
    if over is not None:
        facts[max(facts)] += (MatchEnded(over, (0, 0)),)
    return [event(seq, *facts.get(seq, ())) for seq in range(1, max(facts) + 1)]


def keep(store, *told, table="one"):
    return store.keep([(table, one) for one in told], WALL)


def test_a_result_is_kept_as_it_was_told(store, path):
    told = result(12, -5, over=True, winners=(0,), ended=moment(8), draw="cup-r1-t1")
    keep(store, told)
    again = HallStore(path)
    for one in (store, again):
        assert list(one.results) == [KEY]
        assert one.results[KEY].document() == told
        assert not one.results[KEY].from_history
        assert one.tables == ("one",)
    again.close()


def test_a_repeat_changes_nothing(store):
    keep(store, result(12))
    changes = store.changes
    assert keep(store, result(12)) == Kept()
    assert store.changes == changes


def test_an_older_result_that_comes_late_changes_nothing():
    told = [result(), result(12), result(12, -5), corrected(result(12, -5, over=True, winners=(0,)), -20)]
    for order in itertools.permutations(told):
        one = HallStore(":memory:")
        for number, document in enumerate(order):
            assert keep(one, document) == Kept()
            assert one.results[KEY].document() == max(order[: number + 1], key=lambda told: len(told.revisions))
        assert list(one.results) == [KEY]
        one.close()


def test_a_correction_after_the_end_may_open_the_match_again(store):
    keep(store, result(12, -5, over=True, winners=(0,), ended=moment(8)))
    keep(store, corrected(result(12, -5), -20))
    kept = store.results[KEY]
    assert (kept.totals, kept.over, kept.winners, kept.rounds[0].corrected) == ((-25, 25), False, (), 1)


def test_a_journal_that_was_put_back_tells_another_line_and_both_are_kept(store, path):
    keep(store, result(12, -5))
    assert keep(store, result(12)) == Kept()  # what it has told before: nobody knows yet that it was put back
    other = result(12, 90, seqs=[2, 5, 9])
    assert keep(store, other).contradicted == {"one"}
    assert keep(store, result(12, -5)) == Kept()  # a broker had kept it
    assert keep(store, other) == Kept()
    keep(store, result(12, 90, 7, seqs=[2, 5, 9, 13]))
    again = HallStore(path)
    for one in (store, again):
        assert one.results[KEY].totals == (7, -7)
        assert one.results[LINE].totals == (109, -109)
        assert superseded_matches(one.results.values()) == {KEY}
    again.close()


@pytest.mark.parametrize(("epoch", "rebuilt"), [(EPOCH, OTHER), (OTHER, EPOCH)])
def test_a_match_that_ends_otherwise_in_a_rebuilt_journal_counts_as_it_ended_last(store, epoch, rebuilt):
    ended = corrected(result(12, -5, epoch=epoch, over=True, winners=(0,), ended=moment(8)), 20, seq=9)
    keep(store, ended)
    keep(store, result(12, epoch=rebuilt))  # what the rebuilt journal still has
    assert {key.epoch for key in superseded_matches(store.results.values())} == {rebuilt}
    keep(store, result(12, 7, epoch=rebuilt, seqs=[2, 5, 40], over=True, winners=(0,), ended=moment(40)))
    assert {key.epoch for key in superseded_matches(store.results.values())} == {epoch}


def test_rounds_tell_journals_apart_at_a_table_whose_clock_is_never_set(store):
    keep(store, result(12))
    assert keep(store, result(-30)).contradicted == {"one"}
    assert (store.results[KEY].totals, store.results[LINE].totals) == ((12, -12), (-30, 30))


def test_results_that_contradict_each_other_for_ever_end_doing_so(store):
    for number in range(60):
        keep(store, result(number, seqs=[2, 5 + number]))
    assert 20 <= len(store.results) <= 22


@pytest.mark.parametrize("first", ["the document", "the events"])
def test_where_both_say_as_much_the_document_holds(store, first):
    """Who has won a corrected round the events do not tell."""
    document = corrected(result(12, seqs=[2, 5]), -20, seq=6)
    told = [*events(12), event(6, RoundCorrected(1, (12, -12), (-20, 20), (-20, 20), False))]
    keep(store, document) if first == "the document" else keep(store, *told)
    keep(store, *told) if first == "the document" else keep(store, document)
    assert list(store.results) == [KEY]
    assert store.results[KEY].document() == document
    assert document.rounds[0].winner == 1
    assert store.last("one", EPOCH) == 6


def test_whichever_is_newer_holds_and_neither_takes_anything_back(store):
    keep(store, result(12))
    keep(store, *events(12, -5, over=(0,)))
    assert store.results[KEY].from_history
    assert (store.results[KEY].totals, store.results[KEY].over) == ((7, -7), True)
    keep(store, result(12))
    assert store.results[KEY].totals == (7, -7)
    keep(store, result(12, -5, over=True, winners=(0,), ended=moment(8)))
    assert not store.results[KEY].from_history
    assert store.results[KEY].totals == (7, -7)


def test_documents_and_events_in_any_order_come_to_the_same():
    documents = [result(), result(12), result(12, -5, over=True, winners=(0,), ended=moment(8))]
    for seed in range(40):
        rng, store = random.Random(seed), HallStore(":memory:")  # noqa: S311 - chance for tests
        told = [*documents, *documents, None] + [None] * len(events(12, -5))
        rng.shuffle(told)
        waiting = iter(events(12, -5, over=(0,)))
        for one in told:
            keep(store, *([one] if one is not None else itertools.islice(waiting, 1)))
        assert [one.document() for one in store.results.values()] == documents[-1:]
        store.close()


def test_a_put_back_journal_is_one_line_whichever_source_tells_of_it_first(store):
    """Its events differ before any round does."""
    keep(store, *events(12, -5), result(12, -5))
    other = result(12, 90, seqs=[2, 5, 7])
    again = [event(6, RoundOver(9, 0, (1, -1), (0, 0), "went-out", (0, 0))),
             event(7, RoundOver(2, 0, (90, -90), (0, 0), "went-out", (0, 0)))]  # fmt: skip
    assert keep(store, other).contradicted == {"one"}
    assert keep(store, *again).contradicted == {"one"}
    assert {key: one.totals for key, one in store.results.items()} == {KEY: (7, -7), LINE: (102, -102)}
    assert store.results[LINE].document() == other
    keep(store, event(8, RoundOver(3, 0, (5, -5), (0, 0), "went-out", (0, 0))))
    assert store.results[LINE].totals == (107, -107)
    keep(store, result(12, 90, 5, seqs=[2, 5, 7, 8]))
    assert list(store.results) == [KEY, LINE]
    assert not store.results[LINE].from_history


def test_a_beginning_that_a_set_clock_has_dated_is_never_lost(store):
    unset = "1970-01-01T00:05:00+00:00"
    keep(store, replace(result(12), begun=unset))
    keep(store, *(replace(one, begun=WALL) for one in events(12)))
    assert store.results[KEY].begun == WALL
    keep(store, replace(result(12), begun=unset), replace(result(12, -5), begun=unset))
    assert (store.results[KEY].begun, store.results[KEY].totals) == (WALL, (7, -7))


def test_of_one_table_no_more_is_kept_than_a_share_of_the_disk(store, monkeypatch):
    monkeypatch.setattr(storing, "KEPT_BYTES", 3000)
    full = [keep(store, result(12, match=number)).full for number in range(1, 30)]
    assert {"one"} in full
    assert 2 < len(store.results) < 20
    assert keep(store, result(12), table="two").full == set()


def test_an_older_match_than_those_at_hand_may_still_be_corrected(store, monkeypatch):
    monkeypatch.setattr(storing, "MATCHES", 3)
    for number in range(1, 7):
        keep(store, result(12, match=number, seqs=[10 * number, 10 * number + 1]))
    assert keep(store, corrected(result(12, match=1, seqs=[10, 11]), -20, seq=99)) == Kept()
    assert store.results[KEY].totals == (-20, 20)


def test_what_was_told_under_two_names_of_a_table_becomes_one(store, path):
    """The journal was put back in between, for match 1; of match 2 the former name was told more, of 3 less."""
    for name, told in (("old", (12, -5)), ("new", (12, 90))):
        keep(store, result(*told, seqs=[2, 5, 8 if name == "old" else 9]), table=name)
        keep(store, result(*((1, 2) if name == "old" else (1,)), match=2), table=name)
        keep(store, result(*((1,) if name == "old" else (1, 2)), match=3), table=name)
    keep(store, result(4, match=4), table="new")
    keep(store, result(5, epoch=OTHER), table="old")
    store.rename("old", "new", EPOCH, WALL)
    again = HallStore(path)
    for one in (store, again):
        assert {(key.table, key.epoch, key.match): kept.totals[0] for key, kept in one.results.items()} == {
            ("new", EPOCH, 1): 7, ("new", f"{EPOCH}~1", 1): 102, ("new", EPOCH, 2): 3, ("new", EPOCH, 3): 3,
            ("new", EPOCH, 4): 4, ("old", OTHER, 1): 5,
        }  # fmt: skip
        assert one.moved == {("old", EPOCH)}
    again.close()


class Hall:
    """A hall at a broker that only records."""

    def __init__(self, path=":memory:"):
        self.t = 100.0
        self.store, self.broker = HallStore(path), RecordedBroker()
        self.reader = HallReader(
            self.store, "referee", lambda: None, lambda: self.t, lambda: datetime(2026, 11, 20, tzinfo=UTC)
        )
        self.broker.start(self.reader)
        self.broker.comes()

    def hears(self, where, payload, *, retained=False):
        self.reader.on_message(where, payload, retained=retained)

    def tell(self, table, kind, document, *, retained=False):
        number = document.match if isinstance(document, MatchResult) else None
        self.hears(topic("referee", table, kind, number), encode_document(document), retained=retained)

    def online(self, table, epoch=EPOCH):
        self.tell(table, Kind.ONLINE, Online(True, epoch, WALL))

    def step(self, seconds=1.0):
        self.t += seconds
        self.broker.step()

    @property
    def results(self):
        self.step()
        return self.reader.facts.results


@pytest.fixture
def hall():
    made = Hall()
    yield made
    made.store.close()


def test_a_result_is_no_sign_that_its_table_counts_in_that_epoch(hall):
    """A broker keeps those of a journal that is no more."""
    hall.online("one")
    for number, epoch in enumerate([OTHER, EPOCH] * 4, 1):
        hall.tell("one", Kind.RESULT, result(12, match=number, epoch=epoch), retained=True)
    hall.step()
    assert len(hall.results) == 8
    assert hall.reader.facts.tables["one"].troubles == ()


def test_a_result_under_the_topic_of_another_match_is_none(hall):
    hall.hears(topic("referee", "one", Kind.RESULT, 2), encode_document(result(12)))
    hall.hears(topic("referee", "one", Kind.RESULT), encode_document(result(12)))
    assert hall.results == {}
    assert hall.reader.facts.tables["one"].bad == 2


def test_a_result_that_a_broker_keeps_no_more_stays(hall):
    hall.tell("one", Kind.RESULT, result(12))
    hall.hears(topic("referee", "one", Kind.RESULT, 1), b"")
    assert hall.results[KEY].totals == (12, -12)
    assert hall.reader.facts.tables["one"].bad == 0


def test_a_table_that_tells_results_of_ever_other_epochs_is_cut_off(hall):
    for number in range(int(EPOCHS) + 10):
        hall.tell("one", Kind.RESULT, result(12, epoch=f"0000{number:04}"))
    assert len(hall.results) == EPOCHS
    assert [told.key for told in hall.reader.facts.tables["one"].troubles] == ["hall.too_much"]


def test_a_disk_that_takes_nothing_costs_no_result(hall, monkeypatch):
    def full(*_):
        raise sqlite3.OperationalError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(hall.store, "keep", full)
        hall.tell("one", Kind.RESULT, result(12))
        hall.tell("one", Kind.RESULT, result(12, -5))
        assert hall.results == {}
        assert hall.reader.facts.trouble.key == "hall.not_kept"
        hall.tell("two", Kind.RESULT, result(1))
    hall.step(EVERY_S)
    assert {key.table: one.totals for key, one in hall.results.items()} == {"one": (7, -7), "two": (1, -1)}
    assert hall.reader.facts.trouble is None


def test_what_a_broker_kept_under_a_former_name_does_not_come_back(tmp_path):
    path = tmp_path / "hall.sqlite"
    hall = Hall(path)
    hall.online("old")
    hall.tell("old", Kind.RESULT, result(12))
    hall.step()
    hall.tell("old", Kind.ONLINE, Online(False))
    hall.online("new")
    assert {key.table for key in hall.results} == {"new"}
    hall.tell("new", Kind.RESULT, result(12, -5))
    for _ in range(2):
        hall.tell("old", Kind.RESULT, result(12), retained=True)
        assert {key.table: one.totals for key, one in hall.results.items()} == {"new": (7, -7)}
        hall.store.close()
        hall = Hall(path)
        hall.step()
    hall.online("old")  # it gets its old name back
    hall.tell("new", Kind.ONLINE, Online(False))
    hall.t += 1000.0
    hall.tell("old", Kind.RESULT, result(12, -5, 4))
    assert {key.table: one.totals for key, one in hall.results.items()} == {"old": (11, -11)}
    hall.store.close()


@pytest.mark.parametrize("order", [("old", "new"), ("new", "old")])
@pytest.mark.parametrize("speaks", [0, 1, 2], ids=["first", "between", "last"])
def test_a_new_hall_gives_a_renamed_table_what_the_broker_kept_under_both_names(hall, order, speaks):
    kept = {"old": result(12), "new": result(12, -5)}
    other = result(3, match=7, seqs=[1, 9])
    for number in range(3):
        if number == speaks:
            hall.online("new")
        if number < 2:
            name = order[number]
            hall.tell(name, Kind.ONLINE, Online(name == "new", EPOCH if name == "new" else None), retained=True)
            hall.tell(name, Kind.RESULT, kept[name], retained=True)
            if name == "new":
                hall.tell(name, Kind.RESULT, other, retained=True)
            hall.step()
    hall.step()
    assert {(key.table, key.match): one.totals for key, one in hall.results.items()} == {
        ("new", 1): (7, -7),
        ("new", 7): (3, -3),
    }


def forward(table, halls, since):
    """Hand on what a table has sent since; gives up to where."""
    for message in table.broker.sent[since:]:
        for hall, kinds in halls:
            kind = message.topic.split("/")[3]
            if kinds is None or kind in kinds:
                hall.hears(message.topic, message.payload)
    return len(table.broker.sent)


def truth(table):
    """The points of the rounds of a table's match, as its journal has them."""
    return [line.scores for line in table.state.sheet.rounds]


def test_a_table_of_the_present_release_beside_a_new_one(tmp_path, hall):
    """The former tells events only."""
    steps = match(SETUPS[0], 3, 120, rounds=5)
    tables = {}
    for name, kinds in (("events-only", {"online", "state", "event", "health"}), ("both", None)):
        table = ClubTable(tmp_path / name, table=name, names=True)
        table.broker.comes()
        since = 0
        for step in steps:
            table.play([step])
            table.broker.step()
            since = forward(table, [(hall, kinds)], since)
        table.broker.step(5)
        forward(table, [(hall, kinds)], since)
        tables[name] = table
    found = {key.table: one for key, one in hall.results.items()}
    for name, table in tables.items():
        assert [one.points for one in found[name].rounds] == truth(table)
        assert len(truth(table)) >= 2
        assert found[name].from_history == (name == "events-only")
        assert hall.store.last(name, found[name].epoch) == len(steps) + 1
        table.close()
    assert set(hall.results) == {one.key for one in found.values()}


def test_a_hall_that_was_emptied_has_the_results_again_from_what_the_broker_keeps(tmp_path):
    table = ClubTable(tmp_path / "state", names=True)
    before = Hall()
    table.broker.comes()
    since = 0
    for steps in (short(rounds=2), short(), match(SETUPS[0], 3, 120, rounds=5)):
        table.play(steps)
        table.broker.step(12)
        since = forward(table, [(before, None)], since)
    emptied = Hall()
    for where, payload in sorted(table.broker.retained.items()):
        if "/result/" in where:
            emptied.hears(where, payload, retained=True)
    assert len(emptied.results) == 3
    assert {key: one.document() for key, one in emptied.results.items()} == {
        key: one.document() for key, one in before.results.items()
    }
    assert not any(one.from_history for one in before.results.values())
    # And its history, once the table is asked for that, changes nothing of it.
    known = dict(emptied.results)
    forward(table, [(emptied, {"online", "event"})], 0)
    assert emptied.results == known
    epoch = next(iter(known)).epoch
    assert emptied.store.last("table-7", epoch) == len(table.seqs)
    for one in (before, emptied):
        one.store.close()
    table.close()


@pytest.mark.parametrize(
    "kinds", [None, {"online", "result"}, {"online", "event"}], ids=["both", "documents", "events"]
)
def test_a_journal_put_back_from_a_backup_counts_as_it_goes_on(tmp_path, kinds):
    steps, backed_up = match(SETUPS[0], 10, 160, rounds=60), 80
    hall, since = Hall(), 0
    table = ClubTable(tmp_path / "state", names=True)
    table.broker.comes()

    def goes_on(steps):
        nonlocal since
        for step in steps:
            table.play([step])
            table.broker.step(2)
            since = forward(table, [(hall, kinds)], since)

    goes_on(steps[:backed_up])
    table.close()
    shutil.copytree(tmp_path / "state", tmp_path / "backup")
    table, since = ClubTable(tmp_path / "state", names=True), 0
    table.broker.comes()
    goes_on(steps[backed_up:])
    told_first = truth(table)
    table.close()
    shutil.rmtree(tmp_path / "state")
    shutil.copytree(tmp_path / "backup", tmp_path / "state")
    table, since = ClubTable(tmp_path / "state", names=True), 0
    table.broker.comes()
    goes_on(otherwise(steps[backed_up - 1], 77, 80))
    goes_on_so = truth(table)
    assert (len(told_first), len(goes_on_so)) == (2, 3)
    found = hall.results
    points = {key.epoch.partition("~")[2]: [one.points for one in kept.rounds] for key, kept in found.items()}
    assert points == {"": told_first, "1": goes_on_so}
    assert {key.epoch.partition("~")[2] for key in superseded_matches(found.values())} == {""}
    table.close()
    hall.store.close()
