"""`referee.backup.room`: older backups make room as late as possible, and the newest whole one never does."""

import datetime as dt
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from saved_tables import table

from referee.backup.automatic import copy_to_stick, make_backup
from referee.backup.checking import check_backup
from referee.backup.contents import Places
from referee.backup.keeping import name_of
from referee.backup.room import kept_backups, make_room
from referee.backup.writing import SPARE, size_of
from referee.errors import BadInput, RefereeError

NOW = dt.datetime(2026, 11, 27, 5).astimezone()
LOCAL = NOW.replace(tzinfo=None)


def disk_of(size: int) -> Callable[[Path], int]:
    """A disk of so many bytes, of which the files in the folder take theirs."""
    return lambda folder: size - sum(path.stat().st_size for path in folder.iterdir() if path.is_file())


def disk_with(free: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": free})())


def made_of(*sizes: int) -> Iterator[bytes]:
    return (bytes(size) for size in sizes)


def names_in(folder: Path) -> list[str]:
    return [one.name for one in kept_backups(folder)]


def january(folder: Path, *days: int) -> list[Path]:
    """A file of 100 bytes with the name of a backup, for each of these days."""
    paths = [folder / f"referee-2026-01-{day:02}-0400.zip" for day in days]
    for path in paths:
        path.write_bytes(bytes(100))
    return paths


def three_backups(folder: Path) -> tuple[Places, list[Path]]:
    """A table with three backups, and their paths, the oldest first."""
    places = table(folder, "one")
    return places, [make_backup(places, NOW - dt.timedelta(days=days), pictures=False) for days in (30, 20, 10)]


def test_old_backups_make_room_but_the_newest_stays(tmp_path: Path) -> None:
    paths = january(tmp_path, 1, 2, 3, 4, 5)
    list(make_room(made_of(650), 650, tmp_path, LOCAL, 50, disk_of(1000)))
    assert names_in(tmp_path) == [path.name for path in paths[:1:-1]]
    list(make_room(made_of(850), 850, tmp_path, LOCAL, 50, disk_of(1000)))
    assert names_in(tmp_path) == [paths[-1].name]


def test_none_goes_before_the_new_one_needs_its_room(tmp_path: Path) -> None:
    """With room for 450 bytes, the first of five older ones goes with the fifth chunk, not before the first."""
    january(tmp_path, 1, 2, 3, 4, 5)
    chunks = make_room(made_of(*[100] * 6), 600, tmp_path, LOCAL, 50, disk_of(1000))
    assert [len(names_in(tmp_path)) for _ in chunks] == [5, 5, 5, 5, 4, 3]


def test_none_goes_if_the_new_one_turns_out_to_fit(tmp_path: Path) -> None:
    """Its size is known only once it is compressed."""
    january(tmp_path, 1, 2, 3, 4, 5)
    list(make_room(made_of(400), 800, tmp_path, LOCAL, 50, disk_of(1000)))
    assert len(names_in(tmp_path)) == 5


def test_those_that_are_not_kept_go_first(tmp_path: Path) -> None:
    """Two are of the same day, of which only the newer one is kept; the oldest of all is kept for its month."""
    for name in ("2025-10-01-0400", "2025-11-03-0500", "2025-11-03-0600", "2025-12-01-0400"):
        (tmp_path / f"referee-{name}.zip").write_bytes(bytes(100))
    list(make_room(made_of(650), 650, tmp_path, LOCAL, 0, disk_of(1000)))
    assert names_in(tmp_path) == [
        f"referee-{name}.zip" for name in ("2025-12-01-0400", "2025-11-03-0600", "2025-10-01-0400")
    ]


def test_a_backup_of_a_time_to_come_is_not_taken_for_the_newest(tmp_path: Path) -> None:
    names = [f"referee-{day}-0400.zip" for day in ("2026-01-01", "2026-01-02", "2099-01-01")]
    for name in names:
        (tmp_path / name).write_bytes(bytes(100))
    with pytest.raises(BadInput, match="no_room"):
        next(make_room(made_of(850), 850, tmp_path, LOCAL, 50, disk_of(1000)))
    list(make_room(made_of(750), 750, tmp_path, LOCAL, 50, disk_of(1000)))
    assert sorted(path.name for path in tmp_path.iterdir()) == names[1:]


def test_no_backup_is_removed_for_one_that_does_not_fit_even_so(tmp_path: Path) -> None:
    january(tmp_path, 1, 2, 3, 4, 5)
    with pytest.raises(BadInput, match="no_room"):
        next(make_room(made_of(1), 10**18, tmp_path, LOCAL))
    assert len(names_in(tmp_path)) == 5


def test_the_newest_whole_one_stays_although_a_newer_one_is_damaged(tmp_path: Path) -> None:
    places, (oldest, whole, damaged) = three_backups(tmp_path)
    damaged.write_bytes(damaged.read_bytes()[:-100])
    folder = places.backups
    room = sum(path.stat().st_size for path in (oldest, whole, damaged)) + 50
    with pytest.raises(BadInput, match="no_room"):
        next(
            make_room(made_of(1), 100 + oldest.stat().st_size + whole.stat().st_size, folder, LOCAL, 0, disk_of(room))
        )
    list(make_room(made_of(100), 100, folder, LOCAL, 0, disk_of(room)))
    assert names_in(folder) == [damaged.name, whole.name]
    assert check_backup(whole).matches == 2


def test_all_older_ones_are_there_after_a_backup_that_could_not_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk lacks room for the files as they are, and the journal turns out to be damaged."""
    places, paths = three_backups(tmp_path)
    journal = places.state / "journal.db"
    journal.write_bytes(journal.read_bytes()[:5000])
    disk_with(SPARE + size_of(places, pictures=False) - 10, monkeypatch)
    with pytest.raises(RefereeError):
        make_backup(places, NOW, pictures=False)
    assert names_in(places.backups) == [path.name for path in reversed(paths)]


def test_all_older_ones_are_there_while_a_compressed_one_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places, paths = three_backups(tmp_path)
    disk_with(SPARE + size_of(places, pictures=False) - 10, monkeypatch)
    new = make_backup(places, NOW, pictures=False)
    assert new.name == name_of(NOW)
    assert names_in(places.backups) == [new.name, *(path.name for path in reversed(paths))]


def test_no_copy_on_a_stick_makes_room_for_a_damaged_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places, (first, second, third) = three_backups(tmp_path)
    stick = tmp_path / "stick"
    stick.mkdir()
    copies = [copy_to_stick(path, stick, places.state, LOCAL) for path in (first, second)]
    damaged = tmp_path / third.name
    shutil.copy(third, damaged)
    damaged.write_bytes(third.read_bytes()[:-100])
    disk_with(third.stat().st_size - 200, monkeypatch)
    with pytest.raises(BadInput):
        copy_to_stick(damaged, stick, places.state, LOCAL)
    assert all(path.exists() for path in copies)
    assert copy_to_stick(third, stick, places.state, LOCAL).exists()
    assert [path.exists() for path in copies] == [False, True]
