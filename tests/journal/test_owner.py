"""A command given as root leaves no file that the service could not use."""

import os
from pathlib import Path

import pytest
from played import SETUPS, short, write

from referee.journal.opening import FILE, LOCK, open_journal
from referee.journal.reading import files_of

SOMEBODY = 12345


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was given to somebody, by name, as root would do it."""
    names: list[str] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda handle, *_: names.append(Path(f"/proc/self/fd/{handle}").readlink().name))
    return names


def test_new_files_belong_to_whoever_owns_the_folder(folder: Path, given: list[str]) -> None:
    open_journal(folder).journal.close()
    assert {FILE, LOCK} <= set(given)


def test_a_rescued_journal_belongs_to_whoever_owned_the_damaged_one(folder: Path, given: list[str]) -> None:
    folder.mkdir(mode=0o750)
    journal = open_journal(folder).journal
    write(journal, SETUPS[0], short())
    journal.close()
    (folder / FILE).chmod(0o640)
    (folder / FILE).write_bytes(b"x" + (folder / FILE).read_bytes()[1:])
    given.clear()
    open_journal(folder).journal.close()
    assert "journal-draft.db" in given
    assert (folder / FILE).stat().st_mode & 0o777 == 0o640


def test_a_disk_without_owners_is_used_all_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", refuse)
    journal = open_journal(folder).journal
    assert journal.trouble is None
    journal.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_every_file_is_really_theirs(folder: Path) -> None:
    folder.mkdir()
    os.chown(folder, SOMEBODY, SOMEBODY)
    journal = open_journal(folder).journal
    write(journal, SETUPS[0], short())
    assert {one.stat().st_uid for one in files_of(folder / FILE)} == {SOMEBODY}
    journal.close()
    (folder / FILE).write_bytes(b"x" + (folder / FILE).read_bytes()[1:])
    journal = open_journal(folder).journal
    assert {one.stat().st_uid for one in folder.iterdir()} == {SOMEBODY}
    journal.close()
