"""The director's desk in the hall's file: what was told survives, and a clock that ran counts on."""

import json
import shutil
import sqlite3
from itertools import pairwise

import pytest

from referee.club.hall.desk.announcements import MOST_SENT
from referee.club.hall.desk.keeper import BEAT_S, Announced, DeskKeeper
from referee.club.hall.desk.state import come, pause_clock, set_clock, start_clock
from referee.club.hall.store import HallStore
from referee.club.protocol import Calling, DirectorCall, Reason
from referee.errors import BadInput

WALL = "2026-03-01T18:30:00Z"
EVENING = 1_795_197_600.0


class Hall:
    """A desk whose time passes by `wait` only; its program may be killed."""

    def __init__(self, folder):
        self.path, self.t, self.shift = folder / "hall.sqlite", 1000.0, EVENING
        self.store = HallStore(self.path)
        self.open()

    def open(self):
        self.desk = DeskKeeper(self.path, lambda: self.t + self.shift, lambda: self.t)

    def wait(self, seconds):
        self.t += seconds

    def killed(self, away=0.0, shift=0.0):
        """The power goes; the machine is back after `away` seconds with a time of day that is `shift` seconds off."""
        left = self.path.with_name(f"{self.path.stem}-{away}.sqlite")  # what is on the disk, without last words
        for end in ("", "-wal"):
            shutil.copy(f"{self.path}{end}", f"{left}{end}")
        self.desk.close()
        self.path = left
        self.t, self.shift = 50.0, self.t + self.shift + away + shift - 50.0
        self.open()

    def comes_so_far(self):
        """Wait until everything that was asked before has been done."""
        with pytest.raises(BadInput):
            self.do(start_clock)  # the clock runs already

    def do(self, change):
        self.desk.change(change).result()

    @property
    def left(self):
        return self.desk.facts.state.clock.left_at(self.t)

    def close(self):
        self.desk.close()
        self.store.close()


@pytest.fixture
def hall(tmp_path):
    made = Hall(tmp_path)
    yield made
    made.close()


def test_a_clock_that_ran_when_the_hall_was_killed_has_counted_on(hall):
    hall.do(set_clock(1200, 300))
    hall.do(start_clock)
    hall.wait(100)
    hall.killed(away=60)
    assert hall.left == pytest.approx(1040, abs=0.01)
    assert hall.desk.facts.state.clock.counted_on
    hall.wait(40)
    assert hall.left == pytest.approx(1000, abs=0.01)


def test_a_clock_that_stood_still_stands(hall):
    hall.do(set_clock(1200, 300))
    hall.do(start_clock)
    hall.wait(100)
    hall.do(pause_clock)
    hall.killed(away=3600)
    assert (hall.left, hall.desk.facts.state.clock.counted_on) == (1100, False)


def test_a_machine_that_lost_the_time_of_day_goes_on_with_what_was_stored_last(hall):
    hall.do(set_clock(1200, 0))
    hall.do(start_clock)
    for _ in range(10):
        hall.wait(BEAT_S)
        hall.desk.beat()
        hall.comes_so_far()
    hall.wait(3)
    hall.killed(away=60, shift=-86400)
    assert hall.left == pytest.approx(1100, abs=0.01)


def test_a_clock_that_ran_out_meanwhile_is_at_nothing(hall):
    hall.do(set_clock(60, 0))
    hall.do(start_clock)
    hall.killed(away=3600)
    assert hall.left == 0


def test_calls_and_who_comes_survive_in_their_order(hall):
    for name in ("b", "a"):
        hall.desk.hear(name, DirectorCall(WALL, Calling(f"id-{name}", Reason.DISPUTE, "it was moved", True)))
    hall.do(come("id-b", "Maya"))
    before = hall.desk.facts.state
    hall.killed(away=5)
    assert hall.desk.facts.state == before
    assert [(call.table, call.coming, call.who) for call in before.calls] == [("b", True, "Maya"), ("a", False, "")]


def test_what_cannot_be_written_is_not_changed_but_a_call_is_shown_all_the_same(hall):
    other = sqlite3.connect(hall.path, isolation_level=None)
    other.execute("DROP TABLE notes")
    with pytest.raises(BadInput, match=r"director\.not_kept"):
        hall.do(set_clock(60, 0))
    assert hall.desk.facts.state.clock is None
    hall.desk.hear("a", DirectorCall(WALL, Calling("id-a")))
    with pytest.raises(BadInput):
        hall.do(set_clock(60, 0))  # the thread has heard the call by now
    assert [call.table for call in hall.desk.facts.state.calls] == ["a"]
    other.close()


def test_a_desk_of_another_version_is_left_out(tmp_path):
    HallStore(tmp_path / "hall.sqlite").close()
    other = sqlite3.connect(tmp_path / "hall.sqlite", isolation_level=None)
    other.execute("INSERT INTO notes (kind, wall, body) VALUES ('desk', '', '{\"state\": 7}')")
    other.close()
    desk = DeskKeeper(tmp_path / "hall.sqlite")
    assert desk.facts.state.calls == ()
    desk.close()


def buffet(hall, key="announce-1", for_all=True):
    """An announcement that is shown for ten minutes from now."""
    told = Announced(key, "The buffet is open.", hall.t, ("table-1",), hall.t + 600, for_all)
    hall.desk.announce(told).result()
    return told


def test_an_announcement_survives_a_killed_hall_until_its_time_is_over(hall):
    told = buffet(hall)
    hall.wait(100)
    hall.killed(away=60)
    (again,) = hall.desk.facts.announced
    assert (again.id, again.text, again.tables, again.for_all) == (told.id, told.text, told.tables, told.for_all)
    assert again.t == pytest.approx(hall.t - 160, abs=0.01)
    assert again.until == pytest.approx(hall.t + 440, abs=0.01)
    hall.wait(439)
    assert again.is_shown(hall.t, None)
    hall.wait(2)
    assert not again.is_shown(hall.t, None)
    hall.killed(away=1)
    assert hall.desk.facts.announced == ()


def test_whatever_is_stored_later_keeps_the_announcement_and_its_end(hall):
    buffet(hall)
    hall.do(set_clock(1200, 300))
    hall.do(start_clock)
    hall.wait(50)
    hall.desk.hear("b", DirectorCall(WALL, Calling("id-b")))
    hall.comes_so_far()
    hall.killed(away=10)
    assert hall.desk.facts.announced[0].until == pytest.approx(hall.t + 540, abs=0.01)
    hall.killed(away=10.5)
    assert hall.desk.facts.announced[0].until == pytest.approx(hall.t + 529.5, abs=0.01)


def test_an_announcement_whose_time_was_over_while_the_hall_was_away_is_gone(hall):
    buffet(hall)
    hall.killed(away=601)
    assert hall.desk.facts.announced == ()


def test_after_the_time_of_day_was_lost_an_announcement_is_shown_no_longer_than_when_it_was_stored(hall):
    buffet(hall)
    hall.wait(100)
    hall.killed(away=60, shift=-86400)
    assert hall.desk.facts.announced[0].until == pytest.approx(hall.t + 600, abs=0.01)


def test_announcements_are_shown_together_each_until_its_own_time_is_over(hall):
    buffet(hall)
    hall.wait(400)
    buffet(hall, "announce-2")
    assert [one.id for one in hall.desk.facts.announced if one.is_shown(hall.t, None)] == ["announce-1", "announce-2"]
    hall.killed(away=100)
    assert [one.id for one in hall.desk.facts.announced if one.is_shown(hall.t, None)] == ["announce-1", "announce-2"]
    hall.wait(101)
    assert [one.id for one in hall.desk.facts.announced if one.is_shown(hall.t, None)] == ["announce-2"]
    buffet(hall, "announce-3")
    assert [one.id for one in hall.desk.facts.announced] == ["announce-2", "announce-3"]
    for number in range(4, 4 + MOST_SENT):
        buffet(hall, f"announce-{number}")
    assert len(hall.desk.facts.announced) == MOST_SENT


def test_a_withdrawn_announcement_stays_withdrawn_and_only_one_that_is_shown_can_be(hall):
    buffet(hall)
    hall.wait(400)
    buffet(hall, "announce-2", for_all=False)
    buffet(hall, "announce-3")
    hall.desk.withdraw_announcement("announce-2").result()
    assert [one.id for one in hall.desk.facts.announced] == ["announce-1", "announce-3"]
    hall.wait(201)
    with pytest.raises(BadInput, match=r"desk\.announcement_is_over"):
        hall.desk.withdraw_announcement("announce-1").result()
    hall.desk.withdraw_announcement("announce-3").result()
    with pytest.raises(BadInput, match=r"desk\.announcement_is_over"):
        hall.desk.withdraw_announcement("announce-2").result()
    hall.killed(away=1)
    assert hall.desk.facts.announced == ()


def test_an_announcement_that_cannot_be_written_is_not_shown(hall):
    other = sqlite3.connect(hall.path, isolation_level=None)
    other.execute("DROP TABLE notes")
    with pytest.raises(BadInput, match=r"director\.not_kept"):
        buffet(hall)
    assert hall.desk.facts.announced == ()
    other.close()


def test_a_desk_of_the_release_before_is_read_without_an_announcement(hall):
    hall.do(set_clock(1200, 300))
    other = sqlite3.connect(hall.path, isolation_level=None)
    (body,) = other.execute("SELECT body FROM notes WHERE kind = 'desk'").fetchone()
    kept = json.loads(body)
    kept.pop("shown", None)
    kept["state"].pop("sent", None)
    other.execute("UPDATE notes SET body = ? WHERE kind = 'desk'", (json.dumps(kept),))
    other.close()
    hall.killed(away=1)
    assert (hall.left, hall.desk.facts.announced) == (1200, ())
    assert hall.desk.facts.state.sent == ()


def test_the_last_announcements_stay_known_over_a_killed_hall_with_what_became_of_them(hall):
    for number in range(MOST_SENT + 2):
        buffet(hall, f"announce-{number}", for_all=number % 2 == 0)
        hall.wait(60)
    hall.desk.withdraw_announcement(f"announce-{MOST_SENT + 1}").result()
    hall.killed(away=601)
    sent = hall.desk.facts.state.sent
    assert [one.id for one in sent] == [f"announce-{number}" for number in range(2, MOST_SENT + 2)]
    assert [one.withdrawn for one in sent] == [False] * (MOST_SENT - 1) + [True]
    assert [one.for_all for one in sent[:2]] == [True, False]
    assert [one.until - one.wall for one in sent] == pytest.approx([600] * MOST_SENT)
    assert [other.wall - one.wall for one, other in pairwise(sent)] == pytest.approx([60] * (MOST_SENT - 1))
    assert (sent[0].text, sent[0].tables) == ("The buffet is open.", 1)
