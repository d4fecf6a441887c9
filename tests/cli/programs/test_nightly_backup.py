"""The automatic backup beside a table: at a quiet time, without disturbing anybody, and what is said of it."""

import datetime as dt
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from played import SETUPS, short, write
from saved_tables import table

from referee.backup.contents import HALL_FILE, Places
from referee.backup.room import kept_backups
from referee.backup.stick_folder import ON_STICK, folder_on
from referee.cli.programs.nightly_backup import QUIET, NightlyBackup, backups_beside, backups_of_hall
from referee.club.hall.store import HallStore
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.journal.opening import open_journal
from referee.settings.settings import BackupSettings

LATER = (dt.datetime.now().astimezone() + dt.timedelta(days=2)).replace(hour=5)


def nightly(folder: Path, now: dt.datetime, told: list[Notice], **how: bool) -> NightlyBackup:
    places = table(folder, "one")
    stick = folder / "stick"
    stick.mkdir()
    return NightlyBackup(places, BackupSettings(**how), told.append, lambda: now, lambda: [stick])


def test_it_is_made_and_copied_and_both_are_said(tmp_path: Path) -> None:
    told: list[Notice] = []
    nightly(tmp_path, LATER, told).check()
    (made,) = kept_backups(tmp_path / "state" / "backups")
    copy = folder_on(tmp_path / "stick", tmp_path / "state") / made.name
    assert copy.exists()
    assert told == [
        Notice("backup.made", path=str(tmp_path / "state" / "backups" / made.name)),
        Notice("backup.copied", path=str(copy)),
    ]


def test_a_stick_gets_what_was_played_on_the_same_day_once_it_is_quiet(tmp_path: Path) -> None:
    told: list[Notice] = []
    places, stick = Places(tmp_path / "state"), tmp_path / "stick"
    places.state.mkdir()
    stick.mkdir()
    played = dt.datetime(2026, 11, 26, 21).astimezone()
    journal = open_journal(places.state, wall=lambda: played).journal
    write(journal, SETUPS[0], short(SETUPS[0]))
    journal.close()

    def made_at(now: dt.datetime) -> NightlyBackup:
        return NightlyBackup(places, BackupSettings(), told.append, lambda: now, lambda: [stick])

    made_at(played + QUIET / 15).check(quiet=False)  # right after a start, in the middle of a match
    assert told == []
    made_at(played + 2 * QUIET).check()
    assert [notice.key for notice in told] == ["backup.made", "backup.copied"]


def test_a_stick_that_stays_in_costs_no_further_backup_on_the_same_day(tmp_path: Path) -> None:
    told: list[Notice] = []
    places, stick = Places(tmp_path / "state"), tmp_path / "stick"
    places.state.mkdir()
    stick.mkdir()
    sticks, now = [stick], dt.datetime(2026, 11, 26, 21).astimezone()

    def play_and_look(made: NightlyBackup) -> int:
        """Play a match, and return how many backups there are once it is quiet again."""
        nonlocal now
        journal = open_journal(places.state, wall=lambda: now).journal
        write(journal, SETUPS[0], short(SETUPS[0]))
        journal.close()
        now += 2 * QUIET
        made.check()
        return len(kept_backups(places.backups))

    made = NightlyBackup(places, BackupSettings(), told.append, lambda: now, lambda: sticks)
    assert [play_and_look(made) for _ in range(3)] == [1, 1, 1]
    first = kept_backups(places.backups)
    sticks = []
    assert play_and_look(made) == 1
    sticks = [stick]  # somebody takes the evening along
    made.check()
    assert kept_backups(places.backups) != first
    assert [notice.key for notice in told] == ["backup.made", "backup.copied"] * 2


def test_a_stick_gets_the_newest_backup_if_none_can_be_made_with_the_last_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Notice] = []
    shown: list[tuple[Notice, ...]] = []
    nightly(tmp_path, LATER, [], usb=False).check()
    places, why = Places(tmp_path / "state"), Notice("backup.ended")
    journal = open_journal(places.state, wall=lambda: LATER + QUIET).journal
    write(journal, SETUPS[0], short(SETUPS[0]))
    journal.close()

    def fail(*_: object, **__: object) -> Path:
        raise BadInput(why)

    monkeypatch.setattr("referee.cli.programs.nightly_backup.make_backup_apart", fail)
    NightlyBackup(
        places,
        BackupSettings(),
        told.append,
        lambda: LATER + 3 * QUIET,
        lambda: [tmp_path / "stick"],
        show=shown.append,
    ).check()
    assert [notice.key for notice in told] == ["backup.copied", "backup.not_made"]
    assert shown == [(Notice("backup.not_made", why=why),)]


def test_sticks_can_be_left_out(tmp_path: Path) -> None:
    told: list[Notice] = []
    nightly(tmp_path, LATER, told, usb=False).check()
    assert [notice.key for notice in told] == ["backup.made"]


def test_nothing_happens_shortly_after_an_event(tmp_path: Path) -> None:
    told: list[Notice] = []
    made = nightly(tmp_path, LATER, told)
    # Somebody goes on with the match at five in the morning.
    journal = open_journal(tmp_path / "state", wall=lambda: LATER - QUIET / 2).journal
    write(journal, SETUPS[0], short(SETUPS[0]))
    made.check()
    assert told == []
    journal.close()


def test_trouble_is_said_once_until_it_is_over(tmp_path: Path) -> None:
    told: list[Notice] = []
    made = nightly(tmp_path, LATER, told)
    (tmp_path / "state" / "backups").write_text("in the way")
    made.check()
    made.check()
    assert [notice.key for notice in told] == ["backup.not_made"]
    (tmp_path / "state" / "backups").unlink()
    made.check()
    assert [notice.key for notice in told][1:] == ["backup.made", "backup.copied"]


def test_as_long_as_there_is_trouble_it_is_shown(tmp_path: Path) -> None:
    shown: list[list[str]] = []

    def show(notices: tuple[Notice, ...]) -> None:
        shown.append([notice.key for notice in notices])

    places = table(tmp_path, "one")
    made = NightlyBackup(places, BackupSettings(), lambda _: None, lambda: LATER, list, show=show)
    places.backups.write_text("in the way")
    made.check()
    made.check()
    places.backups.unlink()
    made.check()
    assert shown == [["backup.not_made"], ["backup.not_made"], []]


def test_with_another_table_nothing_of_the_last_one_is_shown(tmp_path: Path) -> None:
    shown: list[tuple[Notice, ...]] = []
    with backups_beside(table(tmp_path, "one"), BackupSettings(automatic=False), lambda _: None, shown.append):
        assert shown == [()]


def test_a_stick_that_takes_no_copy_is_told_once_and_the_backup_is_not_denied(tmp_path: Path) -> None:
    told: list[Notice] = []
    made = nightly(tmp_path, LATER, told)
    (tmp_path / "stick" / ON_STICK).write_text("in the way")
    made.check()
    made.check()
    assert [notice.key for notice in told] == ["backup.made", "backup.not_copied"]
    (tmp_path / "stick" / ON_STICK).unlink()
    made.check()
    assert [notice.key for notice in told][2:] == ["backup.copied"]


def collecting() -> tuple[list[Notice], threading.Event, Callable[[Notice], None]]:
    """Return what is said by the function that comes last, and the event that something was."""
    done = threading.Event()
    told: list[Notice] = []

    def tell(notice: Notice) -> None:
        told.append(notice)
        done.set()

    return told, done, tell


def test_the_thread_makes_it_while_the_journal_is_written_and_ends(tmp_path: Path) -> None:
    told, done, tell = collecting()
    places = table(tmp_path, "one")
    journal = open_journal(places.state).journal
    made = NightlyBackup(places, BackupSettings(), tell, lambda: LATER, list, waits=(0.0, 0.0))
    made.start()
    assert done.wait(60)
    journal.beat(5.0)
    assert journal.trouble is None
    made.close(60)
    assert [notice.key for notice in told] == ["backup.made"]
    assert "backup" not in {thread.name for thread in threading.enumerate()}
    journal.close()


def test_the_first_look_after_a_start_waits_for_nobody_to_stop_playing(tmp_path: Path) -> None:
    told, done, tell = collecting()
    places = table(tmp_path, "one")
    journal = open_journal(places.state, wall=lambda: LATER - QUIET / 15).journal
    write(journal, SETUPS[0], short(SETUPS[0])[:3])
    made = NightlyBackup(places, BackupSettings(), tell, lambda: LATER, list, waits=(0.0, 600.0))
    made.start()
    assert done.wait(60)
    made.close(60)
    assert [notice.key for notice in told] == ["backup.made"]
    journal.close()


@pytest.mark.parametrize("automatic", [True, False])
def test_the_settings_switch_it_off(tmp_path: Path, *, automatic: bool) -> None:
    with backups_beside(table(tmp_path, "one"), BackupSettings(automatic=automatic), lambda _: None):
        assert ("backup" in {thread.name for thread in threading.enumerate()}) is automatic
    assert "backup" not in {thread.name for thread in threading.enumerate()}


def test_a_hall_makes_its_own_until_there_is_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places, told, started = Places(tmp_path), list[Notice](), list[NightlyBackup]()
    path = tmp_path / HALL_FILE
    path.parent.mkdir()
    HallStore(path).close()
    with closing(sqlite3.connect(path)) as hall, hall:
        hall.execute("INSERT INTO notes (kind, wall, body) VALUES ('tournament', '2024-01-01T20:00:00+00:00', '{}')")

    def start(nightly: NightlyBackup) -> None:
        started.append(nightly)

    monkeypatch.setattr(NightlyBackup, "start", start)
    monkeypatch.setattr(NightlyBackup, "close", lambda _: None)
    with backups_of_hall(places, BackupSettings(usb=False), told.append):
        (hall_backup,) = started
    hall_backup.check()
    (made,) = kept_backups(places.backups)
    (places.backups / made.name).unlink()
    # The hall is still running when somebody plays here for the first time.
    journal = open_journal(places.state, wall=lambda: dt.datetime(2024, 1, 2, 20, tzinfo=dt.UTC)).journal
    write(journal, SETUPS[0], short(SETUPS[0]))
    journal.close()
    hall_backup.check()
    assert [notice.key for notice in told] == ["backup.made"]
    assert kept_backups(places.backups) == []
