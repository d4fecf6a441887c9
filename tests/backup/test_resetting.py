"""`referee.backup.resetting`: everything goes but what belongs to the machine, and can be brought back."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from saved_tables import NOW, content, table
from updater.journal import KINDS

from referee.backup.automatic import make_backup
from referee.backup.checking import check_backup
from referee.backup.contents import Places
from referee.backup.manifest import BACKUPS
from referee.backup.resetting import MatchUnderWay, match_under_way, reset
from referee.backup.restoring import restore
from referee.backup.rights import as_owner
from referee.backup.switching import check_removable
from referee.backup.writing import COPIES
from referee.cli.programs import fresh_start
from referee.club.hall.store import HallStore
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.i18n import ENGLISH
from referee.journal.errors import JournalInUse
from referee.journal.in_use import in_use
from referee.journal.opening import FILE, open_journal
from referee.settings.file import EXCHANGED

NOBODY = 65534
KINDS_BEFORE = [names.before for names in KINDS.values()]
"""The copies that the updater makes; they are those that a backup leaves out."""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can reach, as they cannot reach those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@contextmanager
def as_another_user(folder: Path) -> Iterator[None]:
    """Within this context the folder belongs to a user without rights, who runs the program; needs root."""
    if os.geteuid() != 0:
        pytest.skip("only root can work as another user")
    folder.parent.chmod(0o755)
    os.chown(folder, NOBODY, NOBODY)
    for path in folder.rglob("*"):
        if path.name != "lost+found" and "recordings" not in path.parts:
            os.chown(path, NOBODY, NOBODY)
    with as_owner(folder):
        yield


def accept(_: str) -> None:
    """Any settings will do."""


def test_everything_goes_and_comes_back_from_the_backup_that_was_made(tmp_path: Path) -> None:
    box = table(tmp_path, "one")
    before = content(box)
    for name in ("buttons.json", "clock.json"):
        (box.state / name).write_text("{}")
    made = make_backup(box, NOW.replace(day=20), pictures=True)
    undo = reset(box, NOW, even_a_match=True)
    assert undo is not None
    assert sorted(one.name for one in box.state.iterdir()) == [
        BACKUPS, "buttons.json", "clock.json", "journal.lock", EXCHANGED
    ]  # fmt: skip
    assert {made.name, undo.name} == {one.name for one in (box.state / BACKUPS).iterdir()}
    opened = open_journal(box.state)
    assert opened.kept is None
    opened.journal.close()
    restore(undo, box, NOW, accept)
    assert content(box) == {**before, "buttons.json": b"{}", "clock.json": b"{}"}


@pytest.mark.parametrize("forget", [False, True])
def test_on_a_partition_of_its_own_the_folder_of_the_file_system_is_in_nobodys_way(
    open_folder: Path, *, forget: bool
) -> None:
    box = table(open_folder, "one")
    before = content(box)
    lost = box.state / "lost+found"
    lost.mkdir(mode=0o700)
    with as_another_user(box.state):
        made = make_backup(box, NOW, pictures=True)
        assert not [member.name for member in check_backup(made).members if "lost" in member.name]
        undo = reset(box, NOW, forget=forget, even_a_match=True)
        assert not (box.state / FILE).exists()
        if undo is not None:
            restore(undo, box, NOW, accept, with_settings=False)
            assert content(box) == before
    assert lost.is_dir()


@pytest.mark.parametrize("mode", [0o755, 0o700])
def test_what_this_user_may_not_remove_is_told_and_nothing_changes(open_folder: Path, mode: int) -> None:
    box = table(open_folder, "one")
    made = make_backup(box, NOW, pictures=True)
    before = content(box)
    foreign = box.state / "recordings"
    foreign.mkdir()
    (foreign / "yes.ogg").write_bytes(b"put there by root")
    foreign.chmod(mode)
    told = Notice("system.not_removable", path=str(foreign))
    with as_another_user(box.state):
        for run in (
            lambda: reset(box, NOW, even_a_match=True),
            lambda: reset(box, NOW, forget=True, even_a_match=True),
            lambda: restore(made, box, NOW, accept, with_settings=False),
        ):
            with pytest.raises(BadInput) as error:
                run()
            assert told_by(error.value) == told
        assert fresh_start.why_no_reset(box, False) == fresh_start.why_no_restore(box) == told
    assert content(box) == {**before, "recordings/yes.ogg": b"put there by root"}
    shutil.rmtree(foreign)
    with as_another_user(box.state):
        assert restore(made, box, NOW, accept, with_settings=False).undo is not None


def test_a_folder_that_is_removed_meanwhile_is_in_nobodys_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as the one in which the automatic backup looks into the newest backup."""
    box = table(tmp_path, "one")
    temporary, scandir = box.state / f"{COPIES}1", os.scandir
    temporary.mkdir()

    def remove_and_scan(path: Path) -> object:
        if Path(path) == temporary:
            temporary.rmdir()
        return scandir(path)

    monkeypatch.setattr(os, "scandir", remove_and_scan)
    check_removable(box.state)
    assert not temporary.exists()


def test_whoever_gives_the_machine_away_leaves_no_backup_on_it(tmp_path: Path) -> None:
    box = table(tmp_path, "one")
    make_backup(box, NOW, pictures=True)
    (box.state / "referee-2026-01-01-0405.zip").write_bytes(b"an older one, beside the journal")
    copies = [box.state / name for name in KINDS_BEFORE]
    for copy in copies:
        copy.write_bytes(b"from before an update")
    assert reset(box, NOW, forget=True, even_a_match=True) is None
    assert list(box.state.rglob("*.zip")) == []
    assert not [copy for copy in copies if copy.exists()]


def test_backups_in_a_folder_of_their_own_stay_unless_they_are_to_be_forgotten(tmp_path: Path) -> None:
    box = table(tmp_path, "one")
    box = Places(box.state, box.settings, folder=box.state / "mine")
    made = make_backup(box, NOW, pictures=True)
    reset(box, NOW, even_a_match=True)
    assert made.exists()
    reset(box, NOW, forget=True)
    assert not made.exists()


def test_a_match_that_is_not_over_is_not_lost(tmp_path: Path) -> None:
    box = table(tmp_path, "one")
    before = content(box)
    assert match_under_way(box.state) == 2
    with pytest.raises(MatchUnderWay):
        reset(box, NOW)
    assert content(box) == before


def test_after_a_reset_from_the_page_that_was_refused_the_table_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    box, again = table(tmp_path, "one"), list[str]()
    monkeypatch.setattr(fresh_start.os, "execv", lambda program, _: again.append(program))
    assert fresh_start.take_refused(box.state) == ()
    fresh_start.reset_and_start_again(box, forget=False)
    assert again == [sys.executable]
    assert "expected no match under way, found match 2" in capsys.readouterr().err
    (told,) = fresh_start.take_refused(box.state)
    assert "The factory reset was not carried out" in ENGLISH(told)
    assert fresh_start.take_refused(box.state) == ()


def test_a_referee_or_a_hall_that_is_running_is_left_alone(tmp_path: Path) -> None:
    box = table(tmp_path, "one")
    before = content(box)
    opened = open_journal(box.state)
    with pytest.raises(JournalInUse):
        reset(box, NOW, even_a_match=True)
    opened.journal.close()
    hall = HallStore(box.state / "hall" / "hall.sqlite")
    with pytest.raises(JournalInUse):
        reset(box, NOW, even_a_match=True)
    hall.close()
    assert content(box) == before


def test_a_page_that_waits_without_a_table_is_left_alone(tmp_path: Path) -> None:
    box = table(tmp_path, "one")
    with in_use(box.state):
        with pytest.raises(JournalInUse):
            reset(box, NOW, even_a_match=True)
        with pytest.raises(JournalInUse), in_use(box.state):
            pass
    reset(box, NOW, even_a_match=True)


def test_a_folder_that_is_not_there_has_nothing_to_lose(tmp_path: Path) -> None:
    assert reset(Places(tmp_path / "none"), NOW) is None
    with in_use(tmp_path / "none"):
        assert not (tmp_path / "none").exists()


def test_a_damaged_journal_does_not_stand_in_the_way_of_a_reset(tmp_path: Path) -> None:
    box = table(tmp_path, "one")
    (box.state / FILE).write_bytes(b"no database at all" * 100)
    assert reset(box, NOW) is not None
    assert not (box.state / FILE).exists()
