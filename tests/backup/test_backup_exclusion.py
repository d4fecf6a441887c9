"""A backup, and a restore or a reset of the same folder, never overlap (`referee.backup.exclusion`)."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from saved_tables import NOW, content, saved, table

from referee.backup.checking import check_backup
from referee.backup.contents import Places
from referee.backup.exclusion import no_backup_of, no_switch_in
from referee.backup.manifest import BACKUP_LOCK
from referee.backup.resetting import reset
from referee.backup.restoring import finish_restore, restore
from referee.backup.switching import READY
from referee.backup.writing import save_stream, stream_backup
from referee.errors import BadInput


def accept(_: str) -> None:
    """Any settings will do."""


def restore_other(folder: Path, box: Places) -> None:
    restore(saved(folder / "other.zip", table(folder / "other", "other")), box, NOW, accept)


def reset_all(_: Path, box: Places) -> None:
    reset(box, NOW, even_a_match=True)


def finish(_: Path, box: Places) -> None:
    (box.state / READY).mkdir()
    try:
        finish_restore(box.state)
    finally:
        (box.state / READY).rmdir()


@pytest.mark.parametrize("exchange", [restore_other, reset_all, finish])
def test_what_is_being_saved_is_not_exchanged(tmp_path: Path, exchange: Callable[[Path, Places], None]) -> None:
    box = table(tmp_path / "box", "one")
    before = content(box)
    chunks = stream_backup(box, NOW)
    first = next(chunks)
    with pytest.raises(BadInput, match="expected no backup under way there, found one"):
        exchange(tmp_path, box)
    assert content(box) == before
    path = tmp_path / "b.zip"
    path.write_bytes(first + b"".join(chunks))
    fresh = Places(tmp_path / "fresh" / "state", tmp_path / "fresh" / "referee.toml")
    fresh.state.parent.mkdir()
    restore(path, fresh, NOW, accept)
    assert content(fresh) == before


def test_nothing_is_saved_while_it_is_exchanged(tmp_path: Path) -> None:
    box = table(tmp_path / "box", "one")
    with no_backup_of(box.state), pytest.raises(BadInput, match="expected no restore or reset under way there"):
        saved(tmp_path / "b.zip", box)
    assert not (tmp_path / "b.zip").exists()
    assert check_backup(saved(tmp_path / "b.zip", box)).matches == 2


def test_a_backup_that_ends_early_is_in_nobodys_way(tmp_path: Path) -> None:
    box = table(tmp_path / "box", "one")
    chunks = stream_backup(box, NOW)
    next(chunks)
    chunks.close()
    reset(box, NOW, even_a_match=True)


def test_several_backups_are_made_at_the_same_time(tmp_path: Path) -> None:
    box = table(tmp_path / "box", "one")
    chunks = stream_backup(box, NOW)
    first = next(chunks)
    saved(tmp_path / "b.zip", box)
    (tmp_path / "c.zip").write_bytes(first + b"".join(chunks))
    assert check_backup(tmp_path / "b.zip") == check_backup(tmp_path / "c.zip")


def test_the_last_one_removes_the_file_of_the_lock(tmp_path: Path) -> None:
    box = table(tmp_path / "box", "one")
    chunks = stream_backup(box, NOW)
    next(chunks)
    saved(tmp_path / "b.zip", box)
    assert (box.state / BACKUP_LOCK).exists()
    chunks.close()
    assert not (box.state / BACKUP_LOCK).exists()


def test_a_lock_that_was_removed_before_it_was_had_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody opens the file, and whoever had it removes it before the lock is taken."""
    flock, removed = fcntl.flock, []

    def flock_later(handle: int, how: int) -> None:
        if not removed:
            removed.append(os.fstat(handle).st_ino)
            (tmp_path / BACKUP_LOCK).unlink()
        flock(handle, how)

    monkeypatch.setattr("fcntl.flock", flock_later)
    with no_backup_of(tmp_path):
        assert removed
        with pytest.raises(BadInput), no_switch_in(tmp_path):
            pass


def test_a_lock_that_cannot_be_made_is_in_nobodys_way(tmp_path: Path) -> None:
    """A link, or a full disk: a backup is needed most then."""
    box = table(tmp_path / "box", "one")
    (box.state / BACKUP_LOCK).symlink_to(tmp_path / "elsewhere")
    save_stream(tmp_path / "b.zip", stream_backup(box, NOW), check_backup, lambda: True)
    assert not os.path.lexists(tmp_path / "elsewhere")
