"""What the messages of one table mean to the hall: events once and in order, holes asked for, rubbish told."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.club import Event, Health, Kind, Online, Snapshot, encoded
from referee.game.match.phases import Phase
from referee.hall.intake import ASK_S, AT_ONCE, LATE_S, STALE_S, TableIntake

EPOCH, OTHER = "0123abcd", "ffff0000"
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def wall(moment=NOON):
    return moment.isoformat().replace("+00:00", "Z")


def event(seq, epoch=EPOCH):
    return Event(epoch, seq, 1, seq, wall())


def snapshot(seq, epoch=EPOCH, at=NOON):
    return Snapshot(epoch, seq, wall(at), Phase.TURN, "rummikub", "Rummikub")


class Table:
    """An intake, its time, and what it has let through."""

    def __init__(self, last=None):
        self.t, self.kept, self.asked = 0.0, [], []
        self.intake = TableIntake("one", 0.0, {} if last is None else last)

    @property
    def view(self):
        return self.intake.view

    @property
    def troubles(self):
        return [told.key for told in self.view.troubles]

    def tell(self, document, *, retained=False):
        kinds = {Online: Kind.ONLINE, Snapshot: Kind.STATE, Event: Kind.EVENT, Health: Kind.HEALTH}
        self.take(kinds[type(document)], encoded(document), retained=retained)

    def take(self, kind, payload, *, retained=False):
        now = NOON + timedelta(seconds=self.t)
        outcome = self.intake.came(kind, payload, self.t, now, retained=retained)
        self.kept += [(one.epoch, one.seq) for one in outcome.events if (one.epoch, one.seq) not in self.kept]
        if outcome.again is not None:
            self.asked.append(outcome.again)
        return outcome

    def wait(self, seconds):
        self.t += seconds
        start = self.intake.due(self.t)
        if start is not None:
            self.asked.append(start)


@pytest.fixture
def table():
    made = Table()
    made.tell(Online(True, EPOCH, wall()))
    return made


def test_events_are_taken_in_order(table):
    for seq in (1, 2, 3):
        table.tell(event(seq))
    assert [seq for _, seq in table.kept] == [1, 2, 3]
    assert (table.view.seq, table.view.missing, table.asked) == (3, False, [])


def test_what_is_missing_is_asked_for_and_nothing_behind_it_is_taken_before(table):
    table.tell(event(1))
    table.tell(event(4))
    assert table.asked == [2]
    assert table.view.missing
    for seq in (2, 3, 4, 5):
        table.tell(event(seq))
    assert [seq for _, seq in table.kept] == [1, 2, 3, 4, 5]
    assert not table.view.missing


def test_a_table_that_does_not_answer_is_asked_less_and_less_often(table):
    table.tell(event(3))
    for _ in range(400):
        table.wait(0.5)
    assert 4 <= len(table.asked) <= 9
    assert set(table.asked) == {1}


def test_a_table_that_is_not_there_is_not_asked(table):
    table.tell(Online(False))
    table.tell(event(3))
    table.wait(100)
    assert table.asked == []


def test_a_snapshot_that_is_ahead_of_the_events_tells_of_missing_ones(table):
    table.tell(event(1))
    table.tell(snapshot(3))
    table.wait(LATE_S - 0.1)
    assert table.asked == []
    table.wait(0.2)
    assert table.asked == [2]
    table.tell(event(2))
    table.tell(event(3))
    assert not table.view.missing
    table.wait(60)
    assert table.asked == [2]


def test_events_that_only_come_later_than_their_snapshot_are_not_asked_for(table):
    table.tell(snapshot(2))
    table.wait(0.3)
    table.tell(event(1))
    table.tell(event(2))
    table.wait(60)
    assert table.asked == []


def test_another_epoch_counts_anew_and_the_one_before_is_not_forgotten():
    last = {}
    table = Table(last)
    table.tell(Online(True, EPOCH, wall()))
    table.tell(event(1))
    table.tell(event(1, OTHER))
    table.tell(event(2))
    assert table.kept == [(EPOCH, 1), (OTHER, 1), (EPOCH, 2)]
    assert last == {EPOCH: 2, OTHER: 1}
    assert table.troubles == []


def test_two_tables_of_one_name_are_told(table):
    for number in range(1, 6):
        table.tell(event(number))
        table.tell(event(number, OTHER))
    assert table.troubles == ["hall.two_tables"]


def test_an_older_snapshot_that_a_broker_had_kept_is_passed_over(table):
    table.tell(snapshot(7))
    table.tell(snapshot(3), retained=True)
    assert table.view.snapshot.seq == 7


@pytest.mark.parametrize("minutes", [-5, 5])
def test_a_clock_that_is_off_is_told_and_told_no_more_once_it_is_right(table, minutes):
    table.tell(snapshot(1, at=NOON + timedelta(minutes=minutes)))
    assert table.troubles == ["hall.clock_off"]
    table.tell(snapshot(1))
    assert table.troubles == []


def test_a_snapshot_of_some_age_holds_since_then(table):
    table.t = 600.0
    table.tell(snapshot(1, at=NOON + timedelta(seconds=540)), retained=True)
    assert table.view.told == pytest.approx(540.0)


@pytest.mark.parametrize(
    "payload", [b"\xff", b"[]", b"{", b'{"version":1}', b'{"version":1,"online":1}', b"x" * 70_000]
)
def test_rubbish_is_counted_and_told_and_changes_nothing(table, payload):
    before = table.view
    table.take(Kind.STATE, payload)
    assert (table.view.bad, table.troubles) == (1, ["hall.bad_messages"])
    assert table.view.snapshot is before.snapshot


def test_another_version_is_told_as_such(table):
    table.take(Kind.STATE, b'{"version":2}')
    assert table.troubles == ["hall.old_version"]


def test_a_flood_is_cut_off(table):
    payload = encoded(event(1))
    table.kept.append((EPOCH, 1))
    for _ in range(int(AT_ONCE) + 5):
        outcome = table.take(Kind.EVENT, payload)
    assert outcome.events == []
    assert table.troubles == ["hall.too_much"]


def test_whoever_says_nothing_for_long_is_not_known_to_be_well(table):
    table.tell(event(1))
    assert not table.view.stale(table.t + STALE_S - 1)
    assert table.view.stale(table.t + STALE_S + 1)
    table.tell(Online(False))
    assert table.view.stale(table.t)
    assert table.view.lost == table.t


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_whatever_is_lost_on_the_way_all_is_taken_once_and_in_order(data):
    """A table that sends again what it is asked for, over a line that loses, doubles and never reorders."""
    table = Table()
    table.tell(Online(True, EPOCH, wall()))
    sent, queue, length = 0, [], data.draw(st.integers(1, 30))
    for _ in range(length):
        sent += 1
        queue.append(sent)
        while queue:
            seq = queue.pop(0)
            fate = data.draw(st.sampled_from(["comes", "comes", "lost", "twice"]))
            for _ in range({"lost": 0, "comes": 1, "twice": 2}[fate]):
                table.tell(event(seq))
            if table.asked:
                queue = list(range(table.asked.pop(), sent + 1))
        table.wait(ASK_S)
    for _ in range(20):
        table.tell(snapshot(sent))
        table.wait(70)
        while table.asked:
            for seq in range(table.asked.pop(), sent + 1):
                table.tell(event(seq))
    assert [seq for _, seq in table.kept] == list(range(1, sent + 1))
    assert not table.view.missing
