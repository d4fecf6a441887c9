"""What the messages of one table mean to the hall: events once and in order, holes asked for, rubbish told."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.club.hall.intake import ASK_S, BEHIND_S, EPOCHS_AT_HAND, LATE_S, STALE_S, TOLD_S, TableIntake
from referee.club.hall.limits import BYTES, EPOCHS, MESSAGES, PICTURES
from referee.club.protocol import Event, Health, Kind, Online, Snapshot, encode_document
from referee.game.match.phases import Phase

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

    def __init__(self, **last):
        self.t, self.kept, self.asked, self.looked_up = 0.0, [], [], []
        self.last = last
        self.intake = TableIntake("one", 0.0, self._last_kept)

    def _last_kept(self, epoch):
        """What the store is asked."""
        self.looked_up.append(epoch)
        return self.last.get(f"e{epoch}", 0)

    @property
    def view(self):
        return self.intake.view

    @property
    def troubles(self):
        return [told.key for told in self.view.troubles]

    def tell(self, document, *, retained=False):
        kinds = {Online: Kind.ONLINE, Snapshot: Kind.STATE, Event: Kind.EVENT, Health: Kind.HEALTH}
        self.take(kinds[type(document)], encode_document(document), retained=retained)

    def take(self, kind, payload, *, retained=False):
        now = NOON + timedelta(seconds=self.t)
        outcome = self.intake.take_message(kind, payload, self.t, now, retained=retained)
        self.kept += [(one.epoch, one.seq) for one in outcome.events if (one.epoch, one.seq) not in self.kept]
        if outcome.again is not None:
            self.asked.append(outcome.again)
        return outcome

    def wait(self, seconds):
        self.t += seconds
        start = self.intake.resend_from(self.t)
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
    table = Table()
    table.tell(Online(True, EPOCH, wall()))
    table.tell(event(1))
    table.tell(event(1, OTHER))
    table.tell(event(2))
    assert table.kept == [(EPOCH, 1), (OTHER, 1), (EPOCH, 2)]
    assert table.view.seq == 2
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
    for number in (1, 2):
        table.tell(snapshot(number, at=NOON + timedelta(minutes=minutes)))
    assert table.troubles == ["hall.clock_off"]
    table.tell(snapshot(3))
    assert table.troubles == []


def test_a_clock_that_falls_behind_is_told_with_the_second_state(table):
    table.tell(snapshot(1))
    for number, troubles in ((2, []), (3, ["hall.clock_off"])):
        table.tell(snapshot(number, at=NOON - timedelta(minutes=5)))
        assert table.troubles == troubles
    assert table.view.skew_s == -300.0


def test_an_old_state_that_a_bridge_sends_again_is_no_sign_of_a_wrong_clock(table):
    """The line to the other hall is back after ten minutes: what its broker had retained comes as if just sent."""
    table.tell(snapshot(1))
    table.t = 600.0
    table.tell(snapshot(2, at=NOON + timedelta(seconds=30)))
    assert (table.troubles, table.view.skew_s, table.view.told) == ([], 0.0, pytest.approx(30.0))
    table.t = 700.0
    table.tell(snapshot(2, at=NOON + timedelta(seconds=30)))
    assert (table.troubles, table.view.skew_s, table.view.told) == ([], 0.0, pytest.approx(30.0))
    table.tell(snapshot(3, at=NOON + timedelta(seconds=700)))
    assert (table.troubles, table.view.skew_s, table.view.told) == ([], 0.0, 700.0)


def test_a_table_whose_first_state_is_old_is_believed_as_soon_as_it_says_more(table):
    table.t = 600.0
    table.tell(snapshot(1))
    assert table.troubles == []
    table.tell(snapshot(2, at=NOON + timedelta(seconds=600)))
    assert (table.troubles, table.view.skew_s) == ([], 0.0)


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
    payload = encode_document(event(1))
    table.kept.append((EPOCH, 1))
    for _ in range(int(MESSAGES) + 5):
        outcome = table.take(Kind.EVENT, payload)
    assert outcome.events == []
    assert table.troubles == ["hall.too_much"]


def test_what_a_table_is_allowed_grows_again_and_a_flood_that_is_over_is_told_no_more(table):
    for _ in range(int(MESSAGES) + 5):
        table.take(Kind.HEALTH, b"")
    table.wait(5.0)
    table.tell(event(1))
    assert (table.view.seq, table.troubles) == (1, ["hall.too_much"])
    table.wait(TOLD_S + 1)
    assert table.troubles == []


def test_long_documents_count_by_their_length(table):
    for _ in range(int(BYTES / 60_000) + 2):
        table.take(Kind.STATE, b" " * 60_000)
    assert "hall.too_much" in table.troubles
    assert table.view.bad < BYTES / 60_000 + 1


def test_pictures_have_an_allowance_of_their_own(table):
    taken = [table.take(Kind.PICTURE, b"\xff\xd8\xff" + bytes(2_000_000)).picture for _ in range(int(PICTURES) + 3)]
    assert sum(picture is not None for picture in taken) == PICTURES
    table.tell(event(1))
    assert table.view.seq == 1


def test_a_table_that_counts_in_ever_other_epochs_is_not_followed_and_costs_no_memory():
    table = Table(**{f"e{EPOCH}": 5})
    table.tell(Online(True, EPOCH, wall()))
    for number in range(3000):
        table.tell(event(1, f"{number:08x}"))
    assert len(table.kept) == EPOCHS
    assert "hall.too_much" in table.troubles
    table.tell(event(6))  # something is kept of the one that it began with
    assert table.kept[-1] == (EPOCH, 6)


def test_a_few_epochs_are_remembered_and_the_store_knows_the_others():
    epochs = [f"{number:08x}" for number in range(EPOCHS_AT_HAND + 1)]
    table = Table(**{f"e{epoch}": 5 for epoch in epochs})
    for epoch in epochs:
        table.tell(event(6, epoch))
    table.looked_up.clear()
    for epoch in (*epochs[1:], epochs[0]):
        table.tell(event(6, epoch))
    assert table.looked_up == epochs[:1]


def test_an_epoch_of_which_events_are_kept_is_never_one_too_many():
    table = Table(**{f"e{number:08x}": 7 for number in range(1000)})
    for number in range(1000):
        table.tell(event(8, f"{number:08x}"))
    assert len(table.kept) == 1000


def test_holes_in_turns_in_two_epochs_do_not_make_the_hall_ask_for_ever(table):
    for _ in range(500):
        table.tell(event(9))
        table.tell(event(9, OTHER))
    assert len(table.asked) <= 11


@pytest.mark.parametrize("wall", ["2026-99-99T99:99:99Z", "0000-00-00T00:00:00Z", "2026-02-30T12:00:00Z"])
def test_a_day_that_no_calendar_has_is_no_time(table, wall):
    table.take(Kind.STATE, encode_document(Snapshot(EPOCH, 3, wall, Phase.TURN, "rummikub", "Rummikub")))
    table.take(
        Kind.STATE, encode_document(Snapshot(EPOCH, 4, wall, Phase.TURN, "rummikub", "Rummikub")), retained=True
    )
    assert (table.view.snapshot.seq, table.view.told, table.view.skew_s) == (4, table.t, None)


def test_an_event_before_the_first_is_none(table):
    table.tell(event(0))
    assert (table.kept, table.view.bad) == ([], 1)


def test_a_journal_that_was_put_back_shows_its_newest_state_though_the_broker_kept_an_older_one(table):
    table.tell(snapshot(100))
    table.tell(snapshot(60, at=NOON + timedelta(seconds=50)), retained=True)
    assert table.view.snapshot.seq == 60
    table.tell(snapshot(61, at=NOON + timedelta(seconds=60)))
    assert table.view.snapshot.seq == 61


def test_a_state_that_stays_behind_the_events_has_all_of_them_told_again_once(table):
    for seq in (1, 2, 3):
        table.tell(event(seq))
    table.tell(snapshot(2))
    table.wait(BEHIND_S - 1)
    assert table.asked == []
    table.wait(2)
    assert table.asked == [1]
    table.tell(snapshot(2))
    table.wait(100)
    assert table.asked == [1]


def test_a_state_that_catches_up_with_the_events_is_as_it_should_be(table):
    table.tell(event(1))
    table.tell(snapshot(0))
    table.wait(1)
    table.tell(snapshot(1))
    table.wait(100)
    assert table.asked == []


def test_what_could_not_be_kept_is_gone_on_from_where_it_was(table):
    for seq in (1, 2, 3, 4):
        table.tell(event(seq))
    table.intake.stands_at(EPOCH, 2)
    table.tell(event(3))
    table.tell(event(5))
    assert (table.view.seq, table.asked) == (3, [4])


def test_a_table_of_which_no_more_is_kept_is_shown_all_the_same(table):
    table.tell(event(1))
    table.intake.full()
    table.tell(event(2))
    table.tell(event(7))
    table.tell(snapshot(7))
    table.wait(100)
    assert (table.view.seq, table.asked, table.view.snapshot.seq) == (1, [], 7)
    assert table.troubles == ["hall.table_full"]


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


def test_a_table_that_connects_is_starting_until_it_tells_its_state(table):
    assert (table.view.connections, table.view.starting, table.view.told_itself) == (1, True, False)
    table.tell(snapshot(0), retained=True)
    assert (table.view.starting, table.view.told_itself) == (False, False)
    table.tell(snapshot(0))
    assert (table.view.starting, table.view.told_itself) == (False, True)
    table.tell(Online(True, EPOCH, wall()), retained=True)  # as a broker tells a hall that asks once more
    assert (table.view.connections, table.view.starting) == (1, False)
    table.wait(5)
    table.tell(Online(True, EPOCH, wall(NOON + timedelta(seconds=5))))
    assert (table.view.connections, table.view.connected, table.view.starting) == (2, 5.0, True)
    table.tell(snapshot(0))
    table.intake.note_disconnection(table.t)
    table.tell(Online(True, EPOCH, wall()), retained=True)
    assert (table.view.connections, table.view.starting, table.view.told_itself) == (3, True, False)


def test_a_bridge_that_is_back_repeats_that_a_table_has_connected_but_its_program_is_not_starting(table):
    said = Online(True, EPOCH, wall(NOON + timedelta(seconds=1)))
    table.tell(said)
    table.tell(snapshot(0))
    before = table.view.connections
    for more in (1, 2):
        table.wait(5)
        table.tell(said)
        assert (table.view.connections, table.view.connected) == (before + more, table.t)
        assert (table.view.starting, table.view.told_itself) == (False, True)
    table.tell(Online(True, EPOCH, wall(NOON + timedelta(seconds=2))))  # the table itself has connected anew
    assert (table.view.connections, table.view.starting) == (before + 3, True)


def test_a_bridge_that_is_back_after_the_halls_own_broker_was_away_counts_as_a_new_connection(table):
    said = Online(True, EPOCH, wall(NOON + timedelta(seconds=1)))
    table.tell(said)
    table.tell(snapshot(0))
    before = table.view.connections
    table.intake.note_disconnection(table.t)
    table.tell(said)
    assert (table.view.online, table.view.connections, table.view.starting) == (True, before + 1, False)
