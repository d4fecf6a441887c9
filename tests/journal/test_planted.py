"""Root is not led out of the journal's folder by what its owner has planted there."""

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from played import SETUPS, short, write

from referee.doctor.storage import running_process
from referee.errors import RefereeError
from referee.i18n import ENGLISH, error_text
from referee.journal.amending import end
from referee.journal.errors import JournalClosedToUs
from referee.journal.opening import FILE, LOCK, open_journal
from referee.journal.pictures import FOLDER, Pictures
from referee.journal.reading import log_of
from referee.journal.scores import read_scores
from tests.support.errors import telling

SOMEBODY = 12345
SECRET = b"root:*:20000:0:99999:7:::\n"

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be led to files of others")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of root's, elsewhere."""
    path = tmp_path / "shadow"
    path.write_bytes(SECRET)
    path.chmod(0o600)
    return path


@pytest.fixture
def theirs(folder: Path) -> Path:
    """A folder of somebody else's."""
    folder.mkdir()
    if os.geteuid() == 0:
        os.chown(folder, SOMEBODY, SOMEBODY)
    return folder


def untouched(path: Path) -> bool:
    there = path.stat()
    return path.read_bytes() == SECRET and there.st_uid == os.geteuid() and stat.S_IMODE(there.st_mode) == 0o600


@as_root
@pytest.mark.parametrize("plant", [os.symlink, os.link], ids=["a link", "a second name"])
@pytest.mark.parametrize("name", [LOCK, FILE, f"{FILE}-wal", "journal-draft.db", "journal-ready.db"])
def test_what_a_planted_name_leads_to_is_left_alone(
    theirs: Path, secret: Path, name: str, plant: Callable[[Path, Path], None]
) -> None:
    plant(secret, theirs / name)
    with telling(JournalClosedToUs, match=f"expected a file of the journal, found a .*{name}") as caught:
        open_journal(theirs)
    assert "\n" not in error_text(caught.value)
    with pytest.raises(RefereeError):
        end(theirs, 1)
    assert running_process(theirs) is None
    assert untouched(secret)


@as_root
@pytest.mark.parametrize("name", [LOCK, FILE, "journal-draft.db"])
def test_a_link_to_nothing_makes_no_file_there(theirs: Path, tmp_path: Path, name: str) -> None:
    (theirs / name).symlink_to(tmp_path / "made")
    with telling(JournalClosedToUs, match="found a link to"):
        open_journal(theirs)
    assert not (tmp_path / "made").exists()


@as_root
def test_a_link_that_is_put_there_after_the_look_makes_no_file(
    theirs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (theirs / LOCK).symlink_to(tmp_path / "made")
    monkeypatch.setattr("referee.journal.opening.refuse_planted", lambda *_: None)
    with telling(JournalClosedToUs, match="symbolic link"):
        open_journal(theirs)
    assert not (tmp_path / "made").exists()


@as_root
def test_a_damaged_journal_is_not_set_aside_through_a_link(
    theirs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = open_journal(theirs).journal
    write(journal, SETUPS[0], short())
    journal.close()
    (theirs / FILE).write_bytes(b"x" + (theirs / FILE).read_bytes()[1:])
    (theirs / "journal-damaged-1.db").symlink_to(tmp_path / "made")

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    opened = open_journal(theirs)
    opened.journal.close()
    assert "kept as journal-damaged-2.db" in ENGLISH(opened.notices[0])
    assert not (tmp_path / "made").exists()
    assert {one.lstat().st_uid for one in theirs.iterdir() if not one.is_symlink()} == {SOMEBODY}


@as_root
@pytest.mark.parametrize("planted", [FOLDER, f"{FOLDER}/000001"])
def test_pictures_go_nowhere_else(theirs: Path, tmp_path: Path, planted: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "000001").mkdir(parents=True)
    for left in ("new.part", "000001/new.part"):
        (elsewhere / left).write_bytes(SECRET)
    (theirs / planted).parent.mkdir(exist_ok=True)
    (theirs / planted).symlink_to(elsewhere)
    pictures = Pictures(theirs / FOLDER, 10**6, spare=0)
    assert pictures.keep(1, 1, b"a picture") == ()
    assert pictures.trouble is not None
    assert ENGLISH(pictures.trouble).startswith("pictures cannot be kept: ")
    assert sorted(one.name for one in elsewhere.rglob("*")) == ["000001", "new.part", "new.part"]
    assert elsewhere.stat().st_uid == 0


@as_root
def test_a_picture_is_not_written_through_a_link(theirs: Path, secret: Path) -> None:
    place = theirs / FOLDER
    pictures = Pictures(place, 10**6, spare=0)
    assert pictures.keep(1, 1, b"a picture")
    (place / "000001" / "00002-1.part").symlink_to(secret)
    assert pictures.keep(1, 2, b"a picture") == ()
    assert untouched(secret)
    assert {one.stat().st_uid for one in place.rglob("*")} == {SOMEBODY}


@as_root
def test_scores_are_not_read_through_a_link(theirs: Path, secret: Path) -> None:
    (theirs / FILE).symlink_to(secret)
    with telling(JournalClosedToUs, match="found a link to"):
        read_scores(theirs / FILE)


def test_a_pipe_in_the_place_of_a_file_hangs_nobody(folder: Path) -> None:
    open_journal(folder).journal.close()
    for name in (FILE, LOCK, log_of(folder / FILE).name):
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)
        with telling(JournalClosedToUs, match="found something that is not a file"):
            open_journal(folder)
        if name != LOCK:
            with telling(JournalClosedToUs, match="found something that is not a file"):
                read_scores(folder / FILE)
        assert running_process(folder) is None
        (folder / name).unlink()


def test_links_of_ones_own_are_followed_as_ever(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: SOMEBODY)
    journal = open_journal(folder).journal
    write(journal, SETUPS[0], short())
    journal.close()
    shutil.move(folder / FILE, tmp_path / "stick.db")
    (folder / FILE).symlink_to(tmp_path / "stick.db")
    opened = open_journal(folder)
    opened.journal.close()
    assert opened.kept is not None
    assert opened.kept.is_over
