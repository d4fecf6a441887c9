"""`referee.backup.automatic`: one backup after every day with a match, within the room that there is."""

import datetime as dt
import errno
import os
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from played import SETUPS, short, write
from saved_tables import content, saved, table, under_way

from referee.backup import automatic
from referee.backup.automatic import (
    back_up_if_due,
    copy_to_stick,
    last_event,
    make_backup,
)
from referee.backup.checking import check_backup
from referee.backup.contents import HALL_FILE, Places
from referee.backup.keeping import name_of
from referee.backup.restoring import restore
from referee.backup.room import kept_backups
from referee.backup.stick_folder import ON_STICK, folder_on, name_on_sticks
from referee.backup.writing import COPIES, Stopped
from referee.club.hall.store import HallStore
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.journal.opening import open_journal

NOW = dt.datetime.now().astimezone()
TOMORROW = (NOW + dt.timedelta(days=2)).replace(hour=5)
LOCAL = NOW.replace(tzinfo=None)


def due(places: Places, now: dt.datetime = TOMORROW, sticks: tuple[Path, ...] = (), **how: bool) -> list[Path]:
    done = back_up_if_due(
        places, now, pictures=how.get("pictures", False), goes_on=lambda: True, sticks=lambda: sticks,
        fresh=how.get("fresh", False),
    )  # fmt: skip
    return [path for path in (done.path, *done.copies) if path is not None]


def test_it_is_made_once_after_the_day(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    assert last_event(places.state) is not None
    assert due(places, NOW) == []
    (path,) = due(places)
    assert path == places.state / "backups" / name_of(TOMORROW)
    assert not check_backup(path).pictures
    assert due(places, TOMORROW + dt.timedelta(hours=1)) == []
    assert [one.name for one in kept_backups(places.backups)] == [path.name]


def test_it_is_made_once_although_one_is_from_a_day_to_come(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    places.backups.mkdir()
    (places.backups / "referee-2099-01-01-0400.zip").write_bytes(b"made while the clock was wrong")
    assert len(due(places)) == 1
    assert due(places, TOMORROW + dt.timedelta(minutes=10)) == []


def test_a_table_without_a_journal_needs_none(tmp_path: Path) -> None:
    assert due(Places(tmp_path)) == []


def test_it_may_have_the_pictures_and_be_elsewhere(tmp_path: Path) -> None:
    places = replace(table(tmp_path, "one"), folder=tmp_path / "disk" / "backups")
    (path,) = due(places, pictures=True)
    assert path.parent == tmp_path / "disk" / "backups"
    assert check_backup(path).pictures


def test_it_is_copied_to_every_stick(tmp_path: Path) -> None:
    places, stick = table(tmp_path, "one"), tmp_path / "stick"
    stick.mkdir()
    path, copy = due(places, sticks=(stick,))
    assert copy == folder_on(stick, places.state) / path.name
    assert copy.read_bytes() == path.read_bytes()
    assert due(places, sticks=(stick,)) == []
    copy.unlink()  # another stick, put in later
    assert due(places, sticks=(stick,)) == [copy]


def test_whoever_puts_a_stick_in_after_a_match_takes_that_along(tmp_path: Path) -> None:
    places, stick = Places(tmp_path / "state"), tmp_path / "stick"
    places.state.mkdir()
    stick.mkdir()
    assert due(places, at(2026, 11, 26, 20), (stick,), fresh=True) == []
    play(places, at(2026, 11, 26, 21))
    assert due(places, at(2026, 11, 26, 22), fresh=True) == []
    path, copy = due(places, at(2026, 11, 26, 22, 10), (stick,), fresh=True)
    assert path.name == copy.name == "referee-2026-11-26-2210.zip"
    assert due(places, at(2026, 11, 26, 22, 20), (stick,), fresh=True) == []
    play(places, at(2026, 11, 26, 23))
    assert due(places, at(2026, 11, 26, 23, 10), (stick,)) == []  # a match may be under way
    assert len(due(places, at(2026, 11, 26, 23, 20), (stick,), fresh=True)) == 2
    assert check_backup(folder_on(stick, places.state) / "referee-2026-11-26-2320.zip").matches == 2
    assert due(places, at(2026, 11, 27, 5), (stick,), fresh=True) == []


def test_a_stick_that_is_taken_out_while_a_backup_is_made_is_no_trouble(tmp_path: Path) -> None:
    places, stick, later = table(tmp_path, "one"), tmp_path / "stick", tmp_path / "later"
    stick.mkdir()
    sticks = [stick]

    def make_while_sticks_change(*arguments: Any, **how: Any) -> Path:
        stick.rmdir()
        later.mkdir()
        sticks[:] = [later]
        return make_backup(*arguments, **how)

    done = back_up_if_due(
        places,
        TOMORROW,
        pictures=False,
        goes_on=lambda: True,
        sticks=lambda: tuple(sticks),
        make=make_while_sticks_change,
    )
    assert done.path is not None
    assert (done.copies, done.troubles) == ((folder_on(later, places.state) / done.path.name,), ())


def test_a_stick_that_is_carried_from_table_to_table_keeps_the_backups_of_all(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    for one in ("one", "two", "three"):
        (tmp_path / one).mkdir()
    first, second, third = (table(tmp_path / one, one) for one in ("one", "two", "three"))
    _, copy = due(first, sticks=(stick,))
    path, same_minute = due(second, sticks=(stick,))
    assert path.name == copy.name
    _, same_day = due(third, TOMORROW + dt.timedelta(minutes=7), sticks=(stick,))
    copies = [(first, copy), (second, same_minute), (third, same_day)]
    for places, one in copies:
        assert one.read_bytes() == (places.backups / one.name).read_bytes()
    assert len({one for _, one in copies}) == 3


@pytest.mark.parametrize("name", ["etc/machine-id", "proc/device-tree/serial-number"])
def test_machines_of_the_same_name_have_folders_of_their_own_on_a_stick(tmp_path: Path, name: str) -> None:
    for machine in ("a", "b"):
        file = tmp_path / machine / name
        file.parent.mkdir(parents=True)
        file.write_bytes(machine.encode())
    state = tmp_path / "state"
    first, second = (name_on_sticks(state, tmp_path / machine, "referee") for machine in ("a", "b"))
    assert first != second
    assert first == name_on_sticks(state, tmp_path / "a", "referee")
    assert first.startswith("referee-")


def test_whoever_copies_looks_at_the_stick(tmp_path: Path) -> None:
    # A look at a broken stick may never end, which the thread that asks for backups must not wait for.
    places, stick, asked = table(tmp_path, "one"), tmp_path / "stick", []
    stick.mkdir()
    path, _ = due(places, sticks=(stick,))

    def copy(path: Path, stick: Path, *_: object) -> None:
        asked.append((path, stick))

    back_up_if_due(places, TOMORROW, pictures=False, goes_on=lambda: True, sticks=lambda: (stick,), copy=copy)
    assert asked == [(path, stick)]


def test_the_name_of_a_machine_names_no_other_folder(tmp_path: Path) -> None:
    assert name_on_sticks(tmp_path, tmp_path, "../x:y\n").startswith("x-y-")
    assert name_on_sticks(tmp_path, tmp_path, "").startswith("table-")


def test_a_stick_that_takes_nothing_is_told_and_in_nobodys_way(tmp_path: Path) -> None:
    places, broken, stick = table(tmp_path, "one"), tmp_path / "broken", tmp_path / "stick"
    broken.mkdir()
    (broken / ON_STICK).write_bytes(b"in the way")
    stick.mkdir()
    done = back_up_if_due(places, TOMORROW, pictures=False, goes_on=lambda: True, sticks=lambda: (broken, stick))
    assert done.path is not None
    assert done.copies == (folder_on(stick, places.state) / done.path.name,)
    assert [type(trouble) for trouble in done.troubles] == [FileExistsError]


def test_a_stick_that_is_too_small_keeps_the_copy_that_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places, stick = table(tmp_path, "one"), tmp_path / "stick"
    stick.mkdir()
    old = copy_to_stick(make_backup(places, TOMORROW, pictures=False), stick, places.state, LOCAL)
    new = make_backup(places, TOMORROW + dt.timedelta(days=1), pictures=True)
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 10})())
    with pytest.raises(BadInput, match="no_room"):
        copy_to_stick(new, stick, places.state, LOCAL)
    assert check_backup(old).matches == 2


def at(year: int, month: int, day: int, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(year, month, day, hour, minute).astimezone()


def play(places: Places, when: dt.datetime) -> None:
    journal = open_journal(places.state, wall=lambda: when).journal
    write(journal, SETUPS[0], short(SETUPS[0]))
    journal.close()


def two_years(folder: Path) -> Places:
    """A table at which somebody has played once a month, until October 2026: every month has its backup."""
    places = Places(folder / "state")
    places.state.mkdir()
    for month in range(22):
        day = at(2025 + month // 12, month % 12 + 1, 3, 21)
        play(places, day)
        assert due(places, day.replace(day=4, hour=5))
    return places


def made(places: Places, now: dt.datetime, checks: int = 3) -> list[str]:
    """What was made at some checks ten minutes apart, and is still there."""
    paths = [path for check in range(checks) for path in due(places, now + check * dt.timedelta(minutes=10))]
    assert all(path.exists() for path in paths)
    return [path.name for path in paths]


def test_a_clock_in_1970_makes_one_backup_and_keeps_it(tmp_path: Path) -> None:
    places = two_years(tmp_path)
    before = {one.name for one in kept_backups(places.backups)}
    assert made(places, at(1970, 1, 1, 12)) == ["referee-1970-01-01-1200.zip"]
    play(places, at(1970, 1, 1, 13))
    assert made(places, at(1970, 1, 2, 5)) == ["referee-1970-01-02-0500.zip"]
    assert before < {one.name for one in kept_backups(places.backups)}


def test_backups_of_times_to_come_take_no_place_of_others(tmp_path: Path) -> None:
    places = two_years(tmp_path)
    before = {one.name for one in kept_backups(places.backups)}
    for year in range(2030, 2050):  # as of a clock that is set anew again and again
        (places.backups / f"referee-{year}-03-04-0400.zip").write_bytes(b"x")
    play(places, at(2026, 11, 26, 21))
    new = made(places, at(2026, 11, 27, 5))
    assert new == ["referee-2026-11-27-0500.zip"]
    after = {one.name for one in kept_backups(places.backups)}
    assert {name for name in after if "-20" in name and name < "referee-2027"} >= {*new, *sorted(before)[-11:]}


def test_an_evening_that_a_clock_put_back_a_day_made_older_is_saved(tmp_path: Path) -> None:
    places = Places(tmp_path / "state")
    places.state.mkdir()
    play(places, at(2026, 11, 26, 21))
    assert made(places, at(2026, 11, 27, 5)) == ["referee-2026-11-27-0500.zip"]
    play(places, at(2026, 11, 26, 22))  # by a clock that has been put back
    assert made(places, at(2026, 11, 27, 5, 10)) == ["referee-2026-11-27-0510.zip"]
    assert check_backup(places.backups / "referee-2026-11-27-0510.zip").matches == 2


def test_an_evening_is_saved_although_somebody_plays_again_already(tmp_path: Path) -> None:
    places = Places(tmp_path / "state")
    places.state.mkdir()
    for day in (26, 27, 28):  # switched on, played at once, and switched off
        play(places, at(2026, 11, day, 21))
        saved_before = [] if day == 26 else [f"referee-2026-11-{day}-2102.zip"]
        assert made(places, at(2026, 11, day, 21, 2)) == saved_before
        play(places, at(2026, 11, day, 23))
    play(places, at(2026, 11, 29, 1))  # past midnight it is still the same evening
    assert made(places, at(2026, 11, 29, 1, 2)) == []
    play(places, at(2026, 11, 29, 5))
    assert made(places, at(2026, 11, 29, 5, 2)) == ["referee-2026-11-29-0502.zip"]


def host(places: Places, when: dt.datetime) -> None:
    """Let the hall of this machine write down something."""
    path = places.state / HALL_FILE
    path.parent.mkdir(exist_ok=True)
    HallStore(path).close()
    wall = when.astimezone(dt.UTC).isoformat(timespec="milliseconds")
    with closing(sqlite3.connect(path)) as hall, hall:
        hall.execute("INSERT INTO notes (kind, wall, body) VALUES ('tournament', ?, '{}')", (wall,))


@pytest.mark.parametrize("played", [False, True])
def test_what_only_the_hall_has_recorded_is_saved_once_a_day(tmp_path: Path, *, played: bool) -> None:
    places = Places(tmp_path / "state")
    places.state.mkdir()
    if played:  # once, at a table on the same machine
        play(places, at(2026, 11, 1, 21))
        assert made(places, at(2026, 11, 2, 5)) == ["referee-2026-11-02-0500.zip"]
    host(places, at(2026, 11, 26, 21))
    if not played:  # the first evening is saved after its day, as at a table
        assert made(places, at(2026, 11, 26, 21, 2)) == []
    assert made(places, at(2026, 11, 27, 5)) == ["referee-2026-11-27-0500.zip"]
    assert made(places, at(2026, 11, 28, 5)) == []
    host(places, at(2026, 12, 3, 20))
    assert made(places, at(2026, 12, 3, 20, 2)) == ["referee-2026-12-03-2002.zip"]
    host(places, at(2026, 12, 3, 22))
    assert made(places, at(2026, 12, 4, 5)) == ["referee-2026-12-04-0500.zip"]
    members = check_backup(places.backups / "referee-2026-12-04-0500.zip").members
    assert f"state/{HALL_FILE}" in {member.name for member in members}


def test_the_file_of_a_hall_of_an_earlier_version_keeps_no_table_from_its_backups(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    with closing(sqlite3.connect(places.state / HALL_FILE)) as hall, hall:
        hall.execute("DROP TABLE sizes")
    assert len(due(places)) == 1
    assert due(places, TOMORROW + dt.timedelta(days=1)) == []


def test_those_that_are_not_kept_are_removed_after_the_new_one_is_there(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    places.backups.mkdir()
    for day in range(1, 29):
        (places.backups / f"referee-2020-01-{day:02}-0400.zip").write_bytes(b"x")
    (places.backups / "holiday.zip").write_bytes(b"x")
    due(places)
    # The new one, the six days before, and one of another week; the month has one of the days.
    assert len(kept_backups(places.backups)) == 1 + 6 + 1
    assert (places.backups / "holiday.zip").exists()


def test_work_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    before = content(places)
    with pytest.raises(Stopped):
        back_up_if_due(places, TOMORROW, pictures=True, goes_on=lambda: False, sticks=lambda: ())
    assert list(places.backups.iterdir()) == []
    assert content(places) == before


def test_what_a_power_cut_left_is_removed_a_day_later(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    (places.state / ".backup-abc").mkdir()
    (places.state / "restore-draft").mkdir()
    places.backups.mkdir()
    parts = [places.backups / ".referee-2026-01-01-0400.zip.part", places.backups / ".new.zip.part"]
    for path in parts:
        path.write_bytes(b"x")
    for old in (places.state / ".backup-abc", places.state / "restore-draft", parts[0]):
        os.utime(old, (time.time() - 90_000,) * 2)
    make_backup(places, TOMORROW, pictures=False)
    assert not parts[0].exists()
    assert parts[1].exists()
    assert not (places.state / ".backup-abc").exists()
    assert not (places.state / "restore-draft").exists()


def test_backups_in_the_folder_of_the_journal_do_not_contain_each_other(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    places = replace(places, folder=places.state / "saved")
    first = make_backup(places, TOMORROW, pictures=False)
    beside = saved(places.state / "referee-2026-11-20-1200.zip", places)  # `referee backup`, given in that folder
    second = make_backup(places, TOMORROW + dt.timedelta(days=1), pictures=False)
    assert [member.name for member in check_backup(second).members] == [
        member.name for member in check_backup(first).members
    ]
    # Nor does a restore remove them: nobody else has their content.
    before = {path: path.read_bytes() for path in (first, second, beside)}
    assert restore(second, places, NOW, lambda _: None).undo
    assert {path: path.read_bytes() for path in before} == before


def test_an_evening_of_a_day_to_come_is_saved_once_and_again_only_after_another_one(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    assert last_event(places.state) is not None
    # By the clock that is right, all of it was played in the future. At noon the day has two more hours at least.
    before = (NOW - dt.timedelta(days=400)).replace(hour=12)
    (first,) = due(places, before)
    assert due(places, before + dt.timedelta(hours=1)) == []
    assert due(places, before + dt.timedelta(days=1)) == []
    under_way(places.state)
    assert due(places, before + dt.timedelta(hours=2)) == []  # today has one already
    (second,) = due(places, before + dt.timedelta(days=1))
    assert first != second
    second.write_bytes(b"damaged")
    assert len(due(places, before + dt.timedelta(days=2))) == 1
    assert [one.name for one in places.state.iterdir() if one.name.startswith(COPIES)] == []


@pytest.mark.parametrize("inside", [False, True])
def test_a_link_on_a_stick_leads_nowhere(tmp_path: Path, inside: bool) -> None:
    places = table(tmp_path, "one")
    stick, elsewhere = tmp_path / "stick", tmp_path / "elsewhere"
    stick.mkdir()
    elsewhere.mkdir()
    link = folder_on(stick, places.state) if inside else stick / ON_STICK
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(elsewhere)
    done = back_up_if_due(places, TOMORROW, pictures=False, goes_on=lambda: True, sticks=lambda: (stick,))
    assert done.copies == ()
    assert [str(trouble).partition("(")[0] for trouble in done.troubles] == ["backup.stick_link"]
    assert list(elsewhere.iterdir()) == []


def test_no_older_copy_makes_room_on_a_stick_for_a_file_that_is_too_large_for_its_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, stick = table(tmp_path, "one"), tmp_path / "stick"
    stick.mkdir()
    _, older = due(places, sticks=(stick,))
    newer = tmp_path / "referee-2027-01-01-0405.zip"
    shutil.copy(older, newer)
    seek = os.lseek

    def lseek_on_fat(handle: int, place: int, how: int) -> int:
        if place > automatic.LARGEST_ON_FAT:
            raise OSError(errno.EINVAL, "Invalid argument")
        return seek(handle, place, how)

    automatic.check_largest(stick, 2**33)  # this disk has such files
    monkeypatch.setattr(automatic.os, "lseek", lseek_on_fat)
    with pytest.raises(BadInput) as error:
        automatic.check_largest(stick, 8_600_000_000)
    assert told_by(error.value) == Notice("backup.stick_fat", gigabytes=8.6)
    assert list(stick.iterdir()) == [stick / ON_STICK]
    monkeypatch.setattr(automatic, "LARGEST_ON_FAT", newer.stat().st_size - 1)
    with pytest.raises(BadInput, match="stick_fat"):
        copy_to_stick(newer, stick, places.state, TOMORROW.replace(tzinfo=None))
    assert list(older.parent.iterdir()) == [older]
