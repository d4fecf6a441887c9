"""Nobody but the owner reads the journal's files, which have names; a group may where the folder lets it."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from referee.journal.opening import FILE, LOCK, open_journal

FILES = (FILE, f"{FILE}-wal", f"{FILE}-shm", LOCK)


def rights(folder: Path) -> dict[str, int]:
    return {name: (folder / name).stat().st_mode & 0o777 for name in FILES}


@pytest.fixture
def _usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_usual_umask")
@pytest.mark.parametrize(("folder_mode", "mode"), [(0o700, 0o600), (0o750, 0o640), (0o755, 0o640)])
def test_what_a_new_journal_consists_of_is_private(tmp_path: Path, folder_mode: int, mode: int) -> None:
    tmp_path.chmod(folder_mode)
    with closing(open_journal(tmp_path).journal):
        found = rights(tmp_path)
    assert found.pop(LOCK) == 0o600
    assert set(found.values()) == {mode}


@pytest.mark.usefixtures("_usual_umask")
def test_files_that_others_could_read_are_private_from_the_next_start_on(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with closing(open_journal(folder).journal):
        assert folder.stat().st_mode & 0o777 == 0o700
        left = {name: (folder / name).read_bytes() for name in FILES[1:3]}
    for name, data in left.items():  # as a power cut leaves them
        (folder / name).write_bytes(data)
    for name in FILES:
        (folder / name).chmod(0o644)
    with closing(open_journal(folder).journal):
        assert set(rights(folder).values()) == {0o600}
