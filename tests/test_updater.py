"""Two versions on one machine: the change between them, the trial, the way back, and power cuts at every step."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from update_box import HALL, HALL_EVENTS, LOOK_S, NEW_SCHEMA, OLD_SCHEMA, Box, copied
from updater import disk as disk_module
from updater import journal as journal_module
from updater.__main__ import watch
from updater.asking import ORDER, carry_out, is_asked, take_order
from updater.journal import HALL_SETTINGS, JournalFile, state_folder
from updater.services import WITHOUT_TABLE, Services
from updater.slots import ITS_PARTS, Slots
from updater.trial import BOOTS, CONFIRM_S, READY_S, Health, Reason, Watch

from referee.devices.service import WITHOUT_TABLE as SAID_WITHOUT_TABLE

PROGRAM = Path(__file__).parent / "support" / "update_box.py"
EVENTS = 51
KILLED = 9


def cut_off(box: Path, verb: str, step: int) -> bool:
    """Whether the verb, in a process of its own, was cut off before that step; False if it has fewer."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-S", "-E", PROGRAM, box, verb, str(step)], capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, KILLED), done.stderr
    return done.returncode == KILLED


def is_sound(box: Box) -> bool:
    """Whether the link leads to a complete version, and the journal can be read by it, with every event."""
    slot = box.slots.current()
    assert slot is not None
    schema, events = box.journal()
    return box.slots.is_complete(slot) and schema <= int(str(box.made_up(slot)["schema"])) and events == EVENTS


@pytest.mark.parametrize(
    ("manner", "schema", "stays"),
    [
        pytest.param("works", OLD_SCHEMA, "b", id="a version that works"),
        pytest.param("works", NEW_SCHEMA, "b", id="one that changes the journal"),
        pytest.param("crashes", OLD_SCHEMA, "a", id="one that crashes"),
        pytest.param("hangs", NEW_SCHEMA, "a", id="one that changes the journal and hangs"),
    ],
)
def test_wherever_it_is_cut_off_a_working_version_stays_and_no_event_is_lost(
    tmp_path: Path, manner: str, schema: int, stays: str
) -> None:
    Box.made(tmp_path / "box", manner, schema)
    step = 0
    while True:
        step += 1
        box = copied(tmp_path / "box", tmp_path / f"{step}")
        cut = cut_off(box.root, "watch", step)
        assert is_sound(box), step
        if step % 2:
            box.power_cut()
            assert is_sound(box), step
        box.watch()
        assert is_sound(box), step
        assert (box.slots.current(), box.running()) == (stays, stays), step
        assert box.result()["state"] == ("stays" if stays == "b" else "back"), step
        assert (box.root / "etc/systemd/system/referee.service").read_text() == f"# of {stays}\n"
        assert {path.name for path in box.slots.home.glob("*.json")} <= {"schemas.json"}
        shutil.rmtree(box.root)
        if not cut:
            break
    assert step > 40


def test_what_one_update_has_kept_no_other_one_replaces(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "crashes", NEW_SCHEMA)
    for _ in range(3):
        box.change.request("b")
        box.watch()
        with closing(sqlite3.connect(box.folder / "journal-after-update.db")) as kept, kept:
            kept.execute("INSERT INTO events VALUES (2, 0, 'seen', NULL)")
    kept = ["journal-after-update-2.db", "journal-after-update-3.db", "journal-after-update.db"]
    assert sorted(path.name for path in box.folder.glob("journal-after-*")) == kept
    assert all(box.journal(name) == (NEW_SCHEMA, EVENTS + 1) for name in kept)


def test_two_power_cuts_in_a_row_do_no_more_harm_than_one(tmp_path: Path) -> None:
    Box.made(tmp_path / "box", "crashes", NEW_SCHEMA)
    for first in range(30, 70, 8):
        once = copied(tmp_path / "box", tmp_path / f"{first}")
        cut_off(once.root, "watch", first)
        for second in range(1, 40, 4):
            box = copied(once.root, tmp_path / f"{first}-{second}")
            cut_off(box.root, "power_cut", second)
            assert is_sound(box), (first, second)
            box.power_cut()
            box.watch()
            assert is_sound(box), (first, second)
            assert box.running() == "a"


@pytest.mark.parametrize(
    ("manner", "reason"),
    [
        ("crashes", "stopped"),
        ("hangs", "not_ready"),
        ("gives up", "gave_up"),
        ("opens no table", "not_ready"),
    ],
)
def test_a_bad_version_is_taken_back_by_itself_and_it_is_told_why(tmp_path: Path, manner: str, reason: str) -> None:
    box = Box.made(tmp_path, manner)
    box.watch()
    assert box.running() == "a"
    told = {"state": "back", "version": "version b", "before": "version a", "reason": reason, "detail": "", "lost": 0}
    assert box.result() == told
    assert box.slots.is_complete("b")  # it may be tried again


@pytest.mark.parametrize("before", ["opens no table", "gives up"])
def test_a_version_that_lacks_what_the_one_before_lacked_as_well_stays(tmp_path: Path, before: str) -> None:
    box = Box.made(tmp_path, "opens no table", before=before)
    box.watch()
    assert (box.running(), box.result()["state"]) == ("b", "stays")


@pytest.mark.parametrize(
    ("said", "found"),
    [
        pytest.param(
            "ActiveState=active\nNRestarts=1\nStatusText=Anna's turn = long", Health(True, False, 1), id="plays"
        ),
        pytest.param(
            f"ActiveState=active\nStatusText={WITHOUT_TABLE}why", Health(True, False, 0, plays=False), id="none"
        ),
        pytest.param("ActiveState=failed\nNRestarts=\nStatusText=", Health(False, True, 0), id="given up"),
        pytest.param("", Health(False, False, 0), id="no answer"),
    ],
)
def test_what_systemd_says_of_a_service_is_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, found: Health
) -> None:
    (tmp_path / "said").write_text(said + "\n")
    (tmp_path / "systemctl").write_text(f"#!/bin/sh\ncat {tmp_path}/said\n")
    (tmp_path / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert Services().health("referee") == found


def test_a_hall_without_settings_which_systemd_does_not_start_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "systemctl").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    unit = (Path(__file__).parents[1] / "systemd/referee-hall.service").read_text(encoding="utf-8")
    assert f"\nConditionPathExists=/{HALL_SETTINGS}\n" in unit
    assert Services(tmp_path).enabled() == ("referee",)
    (tmp_path / HALL_SETTINGS).parent.mkdir(parents=True)
    (tmp_path / HALL_SETTINGS).touch()
    assert Services(tmp_path).enabled() == ("referee", "referee-hall")


def test_service_and_updater_use_the_same_word_for_a_table_that_cannot_be_opened() -> None:
    assert WITHOUT_TABLE == SAID_WITHOUT_TABLE


def test_a_version_that_stops_once_and_then_plays_stays(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "crashes once")
    box.watch()
    assert (box.running(), box.result()["state"]) == ("b", "stays")


def test_the_link_is_changed_only_between_matches(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works")
    with closing(sqlite3.connect(box.folder / "journal.db")) as journal, journal:
        journal.execute("INSERT INTO events VALUES (2, 0, 'match', NULL)")
    assert not box.change.switch()
    assert (box.slots.current(), box.running(), box.result()["state"]) == ("a", "a", "waits")
    with closing(sqlite3.connect(box.folder / "journal.db")) as journal, journal:
        journal.execute("INSERT INTO events VALUES (2, 1, 'given-up', NULL)")
    assert box.change.switch()
    assert (box.slots.current(), box.running(), box.result()["state"]) == ("b", "b", "trying")


def test_a_version_that_is_only_started_anew_is_not_told_as_one_that_waits(tmp_path: Path) -> None:
    """As after `make install` with other settings: nothing would be told of its end either."""
    box = Box.made(tmp_path, "works")
    box.change.request("a")
    with closing(sqlite3.connect(box.folder / "journal.db")) as journal, journal:
        journal.execute("INSERT INTO events VALUES (2, 0, 'match', NULL)")
    before = box.result() if (box.folder / "update.json").exists() else None
    assert not box.change.switch()
    assert (box.result() if (box.folder / "update.json").exists() else None) == before
    with closing(sqlite3.connect(box.folder / "journal.db")) as journal, journal:
        journal.execute("INSERT INTO events VALUES (2, 1, 'given-up', NULL)")
    assert box.change.switch()
    assert (box.slots.current(), box.change.requested()) == ("a", None)


def test_a_match_that_begins_while_the_service_is_being_stopped_goes_on_with_the_old_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = Box.made(tmp_path, "works")
    answers = iter([False, True])
    monkeypatch.setattr(JournalFile, "match_under_way", lambda _: next(answers))
    assert not box.change.switch()
    assert (box.slots.current(), box.running(), box.change.requested()) == ("a", "a", "b")
    assert box.change.trial() is None


def test_without_room_for_a_copy_of_the_journal_the_old_version_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    box = Box.made(tmp_path, "works")
    monkeypatch.setitem(journal_module.VERBS, "copy", full)
    assert box.change.switch()
    assert (box.slots.current(), box.running(), box.change.requested()) == ("a", "a", None)
    assert (box.result()["state"], box.result()["reason"]) == ("failed", "no_copy")
    assert "No space left" in str(box.result()["detail"])


def test_a_version_that_brings_the_machine_down_again_and_again_is_taken_back_before_the_service_starts(
    tmp_path: Path,
) -> None:
    box = Box.made(tmp_path, "works")
    box.change.switch()
    for _ in range(BOOTS):
        box.power_cut()
        assert box.running() == "b"
    box.power_cut()
    assert (box.running(), box.result()["reason"]) == ("a", "boots")


def test_stops_before_a_restart_of_the_machine_count(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "crashes once")
    box.change.switch()
    assert not box.change.step()
    box.power_cut()
    assert box.change.step()
    assert (box.running(), box.result()["reason"]) == ("a", "stopped")


def test_events_written_before_the_way_back_stay_unless_only_the_new_version_can_read_them(tmp_path: Path) -> None:
    for schema, kept, lost in ((OLD_SCHEMA, EVENTS + 3, 0), (NEW_SCHEMA, EVENTS, 3)):
        box = Box.made(tmp_path / str(schema), "hangs", schema)
        box.change.switch()
        with closing(sqlite3.connect(box.folder / "journal.db")) as journal, journal:
            journal.executemany("INSERT INTO events VALUES (2, ?, 'seen', NULL)", [(0,), (1,), (2,)])
        box.watch()
        assert box.running() == "a"
        assert box.journal() == (OLD_SCHEMA, kept)
        assert box.result()["lost"] == lost
        assert (box.folder / "journal-after-update.db").exists() is (lost > 0)
        if lost:
            with closing(sqlite3.connect(box.folder / "journal-after-update.db")) as after:
                assert after.execute("SELECT count(*) FROM events").fetchone() == (EVENTS + lost,)


@pytest.mark.parametrize("schema", [OLD_SCHEMA, NEW_SCHEMA])
def test_the_file_of_a_hall_is_put_back_like_the_journal(tmp_path: Path, schema: int) -> None:
    box = Box.made(tmp_path, "hangs", schema, hall=True)
    box.change.switch()
    with closing(sqlite3.connect(box.folder / HALL)) as file, file:
        file.executemany("INSERT INTO events VALUES ('one', ?)", [(-1,), (-2,)])
    box.watch()
    assert box.running() == "a"
    lost = 2 if schema == NEW_SCHEMA else 0
    assert box.journal(HALL) == (OLD_SCHEMA, HALL_EVENTS + 2 - lost)
    assert box.journal() == (OLD_SCHEMA, EVENTS)
    assert box.result()["lost"] == 0  # none of the journal's
    assert str(box.result()["detail"]).startswith(f"{lost} rows of the hall" if lost else "")
    assert (box.folder / "hall-after-update.sqlite").exists() is (lost > 0)
    if lost:
        assert box.journal("hall-after-update.sqlite") == (NEW_SCHEMA, HALL_EVENTS + 2)


def test_wherever_the_way_back_of_a_hall_is_cut_off_both_of_its_files_can_be_read(tmp_path: Path) -> None:
    box = Box.made(tmp_path / "box", "hangs", NEW_SCHEMA, hall=True)
    box.change.switch()
    step, cut = 0, True
    while cut:
        step += 3
        box = copied(tmp_path / "box", tmp_path / f"{step}")
        cut = cut_off(box.root, "watch", step)
        box.power_cut()
        box.watch()
        assert is_sound(box), step
        assert box.running() == "a", step
        assert box.journal(HALL) == (OLD_SCHEMA, HALL_EVENTS), step
        shutil.rmtree(box.root)


def test_a_hall_is_not_given_to_a_version_that_cannot_read_it(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works", hall=True)
    box.watch()
    assert (box.running(), box.result()["state"]) == ("b", "stays")
    with closing(sqlite3.connect(box.folder / HALL)) as file, file:
        file.execute(f"PRAGMA user_version = {NEW_SCHEMA}")
    box.change.go_back()
    assert (box.result()["state"], box.result()["reason"]) == ("failed", "tables")
    assert (box.running(), box.change.requested()) == ("b", None)


def test_a_file_that_a_hall_has_left_does_not_matter_where_there_is_none_any_more(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works")
    (box.folder / "hall-left").mkdir()
    (box.folder / "hall-left/hall.sqlite").write_text("damaged")
    (box.folder / "hall-left").rename(box.folder / "hall")
    box.enabled = lambda: ("referee",)  # type: ignore[method-assign]
    box.watch()
    assert (box.running(), box.result()["state"]) == ("b", "stays")


def test_if_everything_was_deleted_during_a_trial_the_version_before_begins_anew(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "hangs", NEW_SCHEMA)
    box.change.switch()
    (box.folder / "journal-before-update.db").unlink()
    box.watch()
    assert box.running() == "a"
    assert not box.slots.read("trial")
    assert (box.folder / "journal-after-update.db").exists()


def test_if_nothing_is_left_after_that_no_failure_is_told(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "hangs", NEW_SCHEMA)
    box.change.switch()
    for path in box.folder.glob("journal*"):
        path.unlink()
    box.watch()
    assert (box.running(), box.result()["state"], box.result()["detail"]) == ("a", "back", "")


def test_somebody_who_reads_the_journal_does_not_keep_a_version_from_being_taken_back(tmp_path: Path) -> None:
    for schema in (OLD_SCHEMA, NEW_SCHEMA):
        box = Box.made(tmp_path / str(schema), "hangs", schema)
        box.change.switch()
        with closing(sqlite3.connect(box.folder / "journal.db", isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM events").fetchone()
            box.watch()
        assert box.running() == "a"
        assert box.journal() == (OLD_SCHEMA, EVENTS)
        assert box.result()["detail"] == ""


class NoRoom:
    """A disk with room for so many copies of a journal, and a power cut before a renaming, counted from 0."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, copies: int, cut: int | None = None) -> None:
        self._left, self._cut = copies, cut
        self._copy_to, self._replace, self._open = journal_module.copy_to, Path.replace, journal_module.open_database
        monkeypatch.setattr(journal_module, "copy_to", self.copy_to)
        monkeypatch.setattr(journal_module, "open_database", self.open)

        def replace(path: Path, to: Path) -> Path:
            return self.replace(path, to)

        monkeypatch.setattr(Path, "replace", replace)

    def _take(self, error: Exception) -> None:
        if self._left == 0:
            raise error
        self._left -= 1

    def copy_to(self, journal: sqlite3.Connection, path: Path) -> None:
        self._take(OSError(28, "No space left on device"))
        self._copy_to(journal, path)

    def open(self, path: Path, mode: str) -> sqlite3.Connection:
        found = self._open(path, mode)
        if path.name == "journal.db" and mode == "rw":  # it is about to be written
            found.execute("PRAGMA query_only = ON")
        return found

    def replace(self, path: Path, to: Path) -> Path:
        if path.name.startswith("journal") and self._cut is not None:
            if self._cut == 0:
                self._cut = None
                raise KeyboardInterrupt
            self._cut -= 1
        return self._replace(path, to)


@pytest.mark.parametrize("copies", [0, 1])
@pytest.mark.parametrize("cut", [None, 0, 1, 2])
def test_on_a_full_disk_the_version_before_can_read_its_journal_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copies: int, cut: int | None
) -> None:
    box = Box.made(tmp_path, "hangs", NEW_SCHEMA)
    box.change.switch()
    writer = sqlite3.connect(box.folder / "journal.db")
    with writer:
        writer.executemany("INSERT INTO events VALUES (2, ?, 'seen', NULL)", [(0,), (1,), (2,)])
    log = (box.folder / "journal.db-wal").read_bytes()
    writer.close()
    (box.folder / "journal.db-wal").write_bytes(log)  # as after a power cut
    NoRoom(monkeypatch, copies, cut)
    while True:
        try:
            box.watch()
            break
        except KeyboardInterrupt:
            box.power_cut()
    assert (box.running(), box.result()["reason"]) == ("a", "not_ready")
    assert box.journal() == (OLD_SCHEMA, EVENTS)
    with closing(sqlite3.connect(box.folder / "journal-after-update.db")) as after:
        assert after.execute("SELECT count(*) FROM events").fetchone() == (EVENTS + 3,)
        assert after.execute("PRAGMA user_version").fetchone() == (NEW_SCHEMA,)


def test_a_journal_that_takes_too_long_to_be_copied_lets_the_old_version_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("python3", 300.0)

    box = Box.made(tmp_path, "works")
    monkeypatch.setattr(JournalFile, "match_under_way", lambda _: False)
    monkeypatch.setattr(journal_module.os, "geteuid", lambda: box.folder.stat().st_uid + 1)
    monkeypatch.setattr(journal_module.subprocess, "run", slow)
    assert box.change.switch()
    assert (box.slots.current(), box.running(), box.change.requested()) == ("a", "a", None)
    assert (box.result()["state"], box.result()["reason"]) == ("failed", "no_copy")


def test_a_disk_that_does_not_answer_may_hold_a_match_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError(5, "Input/output error")

    box = Box.made(tmp_path, "works")
    monkeypatch.setitem(journal_module.VERBS, "under_way", broken)
    assert not box.change.switch()
    assert (box.slots.current(), box.running(), box.change.requested()) == ("a", "a", "b")


@pytest.mark.parametrize("score", ["", "[]", "{", "3", b"\xff"])
def test_a_match_whose_score_is_damaged_is_not_under_way(tmp_path: Path, score: object) -> None:
    box = Box.made(tmp_path, "works")
    with closing(sqlite3.connect(box.folder / "journal.db")) as journal, journal:
        journal.execute("UPDATE events SET score = ? WHERE score IS NOT NULL", (score,))
    assert not JournalFile(box.folder).match_under_way()


def test_a_file_is_written_whole_even_if_the_disk_takes_it_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(disk_module.os, "write", lambda handle, data: write(handle, bytes(data)[:7]))
    disk_module.write_whole(tmp_path / "referee.service", "a service with Ümläuts, and many lines\n" * 9)
    assert (tmp_path / "referee.service").read_text() == "a service with Ümläuts, and many lines\n" * 9


def test_the_installation_from_before_there_were_slots_goes_once_the_new_version_has_proved_itself(
    tmp_path: Path,
) -> None:
    box = Box.made(tmp_path, "works", slot_before=".")
    for name in ("venv", "models", "calibration"):
        (box.slots.home / name).mkdir()
    box.watch()
    assert box.running() == "b"
    assert not [name for name in ITS_PARTS if (box.slots.home / name).exists()]
    again = Box.made(tmp_path / "bad", "crashes", slot_before=".")
    again.watch()
    assert (again.slots.current(), again.running()) == (".", ".")


def test_no_link_is_made_to_half_a_version(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works")
    (box.slots.path("b") / "installed").unlink()
    assert box.change.requested() is None
    assert box.change.switch()  # nothing is left to do
    for act in (box.change.request, box.slots.make_current):
        with pytest.raises(ValueError, match="expected a complete version"):
            act("b")
    assert box.slots.current() == "a"


def test_a_version_stays_after_five_minutes_without_a_break() -> None:
    ready, starting = Health(True, False, 0), Health(False, False, 0)
    watch = Watch(0.0)
    assert watch.judge(0.0, {"referee": starting}, 0) is None
    assert watch.judge(READY_S - 1, {"referee": ready}, 0) is None
    assert watch.judge(READY_S + CONFIRM_S - 2, {"referee": ready}, 0) is None
    assert watch.judge(READY_S + CONFIRM_S - 1, {"referee": starting}, 0) is None
    assert watch.judge(READY_S + CONFIRM_S + LOOK_S, {"referee": ready, "referee-hall": starting}, 0) is None
    assert watch.judge(2 * READY_S + CONFIRM_S, {"referee": ready, "referee-hall": starting}, 0) is Reason.NOT_READY


def test_the_journal_is_where_the_settings_say(tmp_path: Path) -> None:
    assert state_folder(tmp_path) == tmp_path / "var/lib/referee"
    (tmp_path / "etc/referee").mkdir(parents=True)
    settings = tmp_path / "etc/referee/referee.toml"
    for text, folder in (
        ('[storage]\nstate = "/srv/games"\n', "srv/games"),
        ("[storage\n", "var/lib/referee"),
        ("storage = 3\n", "var/lib/referee"),
    ):
        settings.write_text(text)
        assert state_folder(tmp_path) == tmp_path / folder


def play_on(box: Box, kind: str = "match") -> None:
    """A match begins, or is given up."""
    with closing(sqlite3.connect(box.folder / "journal.db")) as journal, journal:
        number = 0 if kind == "match" else 1
        journal.execute("INSERT INTO events VALUES (2, ?, ?, NULL)", (number, kind))


def ask(box: Box, text: str) -> None:
    """Put a file where the page puts what it asks for."""
    (box.folder / "updates").mkdir(exist_ok=True)
    (box.folder / ORDER).write_text(text)


def test_an_update_that_waits_for_the_end_of_a_match_can_be_cancelled(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works")
    play_on(box)
    assert not box.change.switch()
    ask(box, '{"do": "cancel"}')
    carry_out(box.folder, box.change)
    assert (box.change.requested(), box.result()["state"], is_asked(box.folder)) == (None, "cancelled", False)
    play_on(box, "given-up")
    assert box.change.switch()
    assert (box.running(), box.slots.is_complete("b")) == ("a", True)


def test_with_nothing_to_cancel_nothing_is_changed(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works")
    box.watch()
    before = box.result()
    box.change.cancel()
    box.change.request("b")  # the version in use is to be started anew
    box.change.cancel()
    assert (box.change.requested(), box.result()) == ("b", before)


def test_the_version_before_is_used_again_between_matches_and_on_trial(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works")
    box.watch()
    play_on(box)
    ask(box, '{"do": "back"}')
    carry_out(box.folder, box.change)
    assert not box.change.switch()
    assert (box.running(), box.change.requested(), box.result()["state"]) == ("b", "a", "waits")
    play_on(box, "given-up")
    assert box.change.switch()
    assert (box.running(), box.result()["state"]) == ("a", "trying")
    box.watch()
    assert (box.running(), box.result()["state"], box.journal()) == ("a", "stays", (OLD_SCHEMA, EVENTS + 2))


@pytest.mark.parametrize("step", [*range(1, 60, 3)])
def test_wherever_the_way_back_is_cut_off_a_working_version_stays(tmp_path: Path, step: int) -> None:
    box = Box.made(tmp_path, "works")
    box.watch()
    box.change.go_back()
    cut_off(box.root, "watch", step)
    assert is_sound(box)
    box.power_cut()
    assert is_sound(box)
    box.watch()
    assert is_sound(box)
    assert box.running() == "a"


def test_there_is_no_way_back_to_a_version_that_cannot_read_the_journal(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works", NEW_SCHEMA)
    box.watch()
    box.change.go_back()
    assert (box.change.requested(), box.running()) == (None, "b")
    assert (box.result()["state"], box.result()["reason"], box.result()["before"]) == ("failed", "tables", "version b")
    box.change.request("a")  # as an installation of that version would
    assert box.change.switch()
    assert (box.change.requested(), box.running(), box.result()["reason"]) == (None, "b", "tables")
    assert box.journal() == (NEW_SCHEMA, EVENTS)


def test_if_nobody_knows_whether_the_version_before_can_read_the_journal_its_trial_tells(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works")
    box.watch()
    (box.slots.home / "schemas.json").unlink()
    (box.slots.path("a") / "made.json").write_text(json.dumps({"manner": "gives up", "schema": OLD_SCHEMA}))
    box.change.go_back()
    box.watch()
    assert (box.running(), box.result()["state"], box.result()["reason"]) == ("b", "back", "gave_up")
    assert box.journal() == (OLD_SCHEMA, EVENTS)


def test_a_system_that_is_kept_in_memory_goes_back_to_no_other_version(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works")
    box.slots.remove("next")
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/mounts").write_text("/dev/mmcblk0p2 /media/root-ro ext4 ro 0 0\noverlayroot / overlay rw 0 0\n")
    box.change.go_back()
    assert box.change.requested() is None
    assert (box.result()["state"], box.result()["reason"]) == ("failed", "in_memory")
    (tmp_path / "proc/mounts").write_text("/dev/mmcblk0p2 / ext4 rw 0 0\n")
    box.change.go_back()
    assert box.change.requested() == "b"


def test_without_a_complete_version_there_is_no_way_back(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works")
    box.watch()
    (box.slots.path("a") / "installed").unlink()
    box.change.go_back()
    assert (box.change.other(), box.change.requested()) == (None, None)
    assert (box.result()["state"], box.result()["reason"]) == ("failed", "no_other")


def test_during_a_trial_nothing_that_the_page_asks_for_is_done(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works")
    box.change.switch()
    ask(box, '{"do": "back"}')
    carry_out(box.folder, box.change)
    assert (box.change.requested(), is_asked(box.folder)) == (None, False)


@pytest.mark.parametrize(
    "text", ["", "[]", "3", "{", '{"do": "install"}', '{"do": ["back"]}', '{"do": "back"' + " " * 300 + "}", "[" * 200]
)
def test_what_is_no_order_is_removed_and_changes_nothing(tmp_path: Path, text: str) -> None:
    box = Box.made(tmp_path, "works")
    box.watch()
    ask(box, text)
    carry_out(box.folder, box.change)
    assert (is_asked(box.folder), box.change.requested()) == (False, None)


def test_whatever_lies_in_the_place_of_an_order_is_removed_without_following_it(tmp_path: Path) -> None:
    box = Box.made(tmp_path / "box", "works")
    box.watch()
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious/order").write_text('{"do": "back"}')
    (box.folder / "updates").mkdir()
    order = box.folder / ORDER
    for make in (
        lambda: order.symlink_to(tmp_path / "precious/order"),
        lambda: order.symlink_to(tmp_path / "precious"),
        lambda: order.symlink_to(tmp_path / "nowhere"),
        lambda: (order.mkdir(), (order / "inside").symlink_to(tmp_path / "precious")),
        lambda: os.mkfifo(order),
    ):
        make()
        assert is_asked(box.folder)
        assert take_order(box.folder) is None
        assert not is_asked(box.folder)
    assert (tmp_path / "precious/order").exists()


def test_the_updater_looks_for_orders_more_often_than_at_the_journal(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works")
    play_on(box)
    slept = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            ask(box, '{"do": "cancel"}')

    watch(box.change, box.folder, sleep)
    assert (len(slept), box.result()["state"]) == (3, "cancelled")


def test_records_that_are_damaged_count_as_none(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "works")
    for text in ("", "[]", "{", json.dumps({"slot": "b"})):
        (box.slots.home / "trial.json").write_text(text)
        assert box.change.trial() is None
    box.power_cut()
    box.watch()
    assert box.running() == "b"
    assert Slots(tmp_path / "nothing").current() is None
