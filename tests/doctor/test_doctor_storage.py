"""Journals on a real disk: whole, damaged, closed to us, held by a running referee, on a disk that fills up."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any

import pytest

from referee.doctor import storage
from referee.doctor.finding import Result
from referee.doctor.storage import contents, journal, judge_room, room, running_process, writable
from referee.i18n import ENGLISH
from referee.journal.opening import FILE, open_journal

as_user = pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")


def kept(folder: Path) -> Path:
    open_journal(folder).journal.close()
    return folder / FILE


def test_a_journal_that_is_whole(tmp_path: Path) -> None:
    found = contents(kept(tmp_path))
    assert (found.result, ENGLISH(found.found)) == (Result.OK, "The journal is undamaged: 0 matches.")


def test_before_the_first_match_there_is_none_and_none_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    findings = list(journal(folder, running_process(folder)))
    assert [one.result for one in findings] == [Result.OK, Result.OK]
    assert "makes at its first start" in ENGLISH(findings[0].found)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("garbage", [b"no journal at all", b"SQLite format 3\0" + b"\xff" * 8000])
def test_what_is_no_journal_any_more_is_wrong_and_left_alone(tmp_path: Path, garbage: bytes) -> None:
    path = tmp_path / FILE
    path.write_bytes(garbage)
    found = contents(path)
    assert found.result is Result.WRONG
    assert "Copy that file somewhere safe" in ENGLISH(found.do)
    assert path.read_bytes() == garbage


def test_a_journal_of_a_newer_referee_is_told(tmp_path: Path) -> None:
    path = kept(tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA user_version = 9")
        connection.execute(f"PRAGMA application_id = {0x52756D00 + 9}")
    connection.close()
    assert "found version 9" in ENGLISH(contents(path).found)


def test_a_referee_that_runs_is_named_and_not_disturbed(tmp_path: Path) -> None:
    opened = open_journal(tmp_path)
    try:
        assert running_process(tmp_path) == str(os.getpid())
        first, *others = journal(tmp_path, running_process(tmp_path))
        assert first.result is Result.OK
        assert "as it should" in ENGLISH(first.found)
        assert [one.result for one in others] == [Result.OK, Result.OK]
        (tmp_path / "journal.lock").unlink()
        assert running_process(tmp_path) == "unknown"
    finally:
        opened.journal.close()
    assert running_process(tmp_path) is None
    open_journal(tmp_path).journal.close()


def test_whoever_checks_another_journal_than_the_service_has_is_told(tmp_path: Path) -> None:
    mine, its = tmp_path / "mine", tmp_path / "its"
    its.mkdir()
    first = next(iter(journal(mine, None, its)))
    assert first.result is Result.ATTENTION
    assert "sudo -u referee" in ENGLISH(first.do)
    assert [one.result for one in journal(its, None, its)] == [Result.OK, Result.OK]


def test_a_journal_that_may_not_be_read_is_not_taken_for_a_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kept(tmp_path)
    opened = Path.open

    def refused(self: Path, *arguments: str) -> IO[Any]:
        if self == path:
            raise PermissionError(13, "Permission denied", str(self))
        return opened(self, *arguments)

    monkeypatch.setattr(Path, "open", refused)
    found = contents(path)
    assert found.result is Result.ATTENTION
    assert "This user may not read the journal" in ENGLISH(found.found)
    assert "sudo -u referee" in ENGLISH(found.do)


def test_a_folder_where_the_journal_should_be_is_wrong_for_every_user(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    assert contents(tmp_path / FILE).result is Result.WRONG


def test_a_page_that_turned_to_zeros_is_found(tmp_path: Path) -> None:
    path = kept(tmp_path)
    data = bytearray(path.read_bytes())
    data[4096:8192] = bytes(4096)
    path.write_bytes(data)
    found = contents(path)
    assert found.result is Result.WRONG
    assert "damaged" in ENGLISH(found.found)
    assert "DatabaseError" not in ENGLISH(found.found)


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    assert writable(tmp_path / "state").result is Result.WRONG


@as_user
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    found = writable(tmp_path)
    tmp_path.chmod(0o700)
    assert found.result is Result.WRONG
    assert "sudo -u referee" in ENGLISH(found.do)


def test_a_folder_below_one_that_may_not_be_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Path.exists

    def exists(self: Path) -> bool:
        if self == tmp_path / "closed" / "state":
            raise PermissionError(13, "Permission denied", str(self))
        return asked(self)

    def refused(**_where: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "closed").mkdir()
    monkeypatch.setattr(Path, "exists", exists)
    assert room(tmp_path / "closed" / "state", 0).result is not Result.WRONG
    monkeypatch.setattr(storage.tempfile, "TemporaryFile", refused)
    found = writable(tmp_path / "closed" / "state")
    assert found.result is Result.WRONG
    assert "sudo -u referee" in ENGLISH(found.do)


def test_writing_is_tried_and_leaves_nothing_behind(tmp_path: Path) -> None:
    assert writable(tmp_path).result is Result.OK
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("free_mb", "used_mb", "pictures_mb", "result"),
    [
        (8000, 0, 500, Result.OK),
        (750, 0, 500, Result.OK),
        (600, 0, 500, Result.ATTENTION),
        (600, 450, 500, Result.OK),
        (600, 900, 500, Result.OK),
        (40, 500, 500, Result.WRONG),
    ],
)
def test_room(free_mb: int, used_mb: int, pictures_mb: int, result: Result) -> None:
    assert judge_room(free_mb, used_mb, pictures_mb).result is result


def test_the_room_on_a_real_disk_counts_the_pictures_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "pictures" / "1").mkdir(parents=True)
    (tmp_path / "pictures" / "1" / "1.jpg").write_bytes(b"\0" * 3_000_000)
    assert room(tmp_path, 500).figures["pictures_mb"] == 3


def test_a_picture_that_a_match_deletes_meanwhile_does_not_end_the_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, walk = tmp_path / "pictures" / "1", os.walk
    folder.mkdir(parents=True)
    for name in ("1.jpg", "2.jpg"):
        (folder / name).write_bytes(bytes(3_000_000))

    def walk_and_delete(top: Path) -> Iterator[tuple[str, list[str], list[str]]]:
        for found in walk(top):
            if "2.jpg" in found[2]:
                (folder / "2.jpg").unlink()
            yield found

    monkeypatch.setattr(os, "walk", walk_and_delete)
    found = room(tmp_path, 500)
    assert found.result is not Result.SKIPPED
    assert found.figures["pictures_mb"] == 3
