"""`referee.backup.restoring`: everything comes back, and can be taken back; nothing changes if it is refused."""

import os
import sqlite3
import stat
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from played import taken_up
from saved_tables import NOW, content, saved, table

from referee.backup import restoring
from referee.backup.checking import check_backup
from referee.backup.contents import Places
from referee.backup.manifest import BACKUPS, READY, BadBackup
from referee.backup.restoring import UNDOS, finish_restore, restore
from referee.backup.switching import make_plan
from referee.backup.writing import size_of
from referee.club.hall.store import HallStore
from referee.errors import BadInput
from referee.journal.errors import JournalInUse
from referee.journal.opening import open_journal
from referee.settings.file import tables_of

SOMEBODY = 12345


def accept(_: str) -> None:
    """Any settings will do."""


def fresh(tmp_path: Path) -> Places:
    """A box at which nothing has been played yet."""
    (tmp_path / "fresh").mkdir()
    return Places(tmp_path / "fresh" / "state", tmp_path / "fresh" / "referee.toml")


def test_a_fresh_box_continues_in_the_middle_of_the_match(tmp_path: Path) -> None:
    one, box = table(tmp_path, "one"), fresh(tmp_path)
    opened = open_journal(one.state)
    state = taken_up(opened).state
    opened.journal.close()
    done = restore(saved(tmp_path / "b.zip", one), box, NOW, accept)
    assert done.undo is None
    assert content(box) == content(one)
    opened = open_journal(box.state)
    assert taken_up(opened).state == state
    assert not taken_up(opened).is_over
    assert opened.notices == ()
    opened.journal.close()


def test_what_was_there_comes_back_from_the_backup_that_was_made_of_it(tmp_path: Path) -> None:
    one, other = table(tmp_path / "one", "one", events=4), table(tmp_path / "other", "other")
    before, after = content(other), content(one)
    first = saved(tmp_path / "b.zip", one)
    undo = restore(first, other, NOW, accept).undo
    assert undo is not None
    assert undo.parent == other.state / BACKUPS
    assert content(other) == after
    again = restore(undo, other, NOW.replace(minute=31), accept).undo
    assert content(other) == before
    assert sorted((other.state / BACKUPS).iterdir()) == [undo, again]


def test_whoever_tries_several_backups_can_still_take_the_first_restore_back(tmp_path: Path) -> None:
    one, other = table(tmp_path / "one", "one", events=4), table(tmp_path / "other", "other")
    before, wrong = content(other), saved(tmp_path / "b.zip", one)
    undos = [restore(wrong, other, NOW.replace(second=number), accept).undo for number in range(UNDOS)]
    assert undos[0] is not None
    restore(undos[0], other, NOW.replace(second=UNDOS), accept)
    assert content(other) == before
    # But there is not one more with each restore.
    assert len(list((other.state / BACKUPS).iterdir())) == UNDOS


def test_a_second_that_the_clock_tells_twice_replaces_nothing_that_was_saved(tmp_path: Path) -> None:
    one, other = table(tmp_path / "one", "one", events=4), table(tmp_path / "other", "other")
    before, wrong = content(other), saved(tmp_path / "b.zip", one)
    undos = [restore(wrong, other, NOW, accept).undo for _ in range(2)]
    assert undos[0] is not None
    assert restore(undos[0], other, NOW, accept).undo not in undos
    assert content(other) == before


def test_what_is_restored_is_kept_until_the_restore_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = table(tmp_path / "one", "one", events=4), table(tmp_path / "other", "other")
    before = content(other)
    undo = restore(saved(tmp_path / "b.zip", one), other, NOW, accept).undo
    assert undo is not None

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(restoring, "make_plan", fail)
        with pytest.raises(OSError, match="full"):
            restore(undo, other, NOW.replace(minute=31), accept)
    restore(undo, other, NOW.replace(minute=32), accept)
    assert content(other) == before


def test_what_is_true_of_the_machine_only_stays_as_it_is(tmp_path: Path) -> None:
    one, other = table(tmp_path / "one", "one"), table(tmp_path / "other", "other")
    (one.state / "update.json").write_text('{"state": "installing"}')
    (other.state / "update.json").write_text('{"state": "stays"}')
    (other.state / "journal-before-update.db").write_bytes(b"to go back to")
    path = saved(tmp_path / "b.zip", one)
    assert "state/update.json" not in [member.name for member in check_backup(path).members]
    assert restore(path, other, NOW, accept).undo
    assert (other.state / "update.json").read_text() == '{"state": "stays"}'
    assert (other.state / "journal-before-update.db").read_bytes() == b"to go back to"


def test_folders_named_like_files_of_the_machine_are_not_restored(tmp_path: Path) -> None:
    one, other = table(tmp_path / "one", "one"), table(tmp_path / "other", "other")
    (other.state / "clock.json").write_text("{}")
    (one.state / "clock.jso").mkdir()
    (one.state / "clock.jso" / "x").write_text("hostile")
    hostile = tmp_path / "hostile.zip"
    with zipfile.ZipFile(saved(tmp_path / "b.zip", one)) as read, zipfile.ZipFile(hostile, "w") as write:
        for name in read.namelist():
            data = read.read(name).replace(b"clock.jso/x", b"clock.json/x")
            write.writestr(name.replace("clock.jso/x", "clock.json/x"), data)
    # The name could not be taken by a folder, and the restore would never be completed.
    assert restore(hostile, other, NOW, accept).undo
    assert (other.state / "clock.json").read_text() == "{}"
    assert not (other.state / READY).exists()


def test_a_plan_with_the_name_of_a_file_of_the_machine_is_carried_out_without_it(tmp_path: Path) -> None:
    other = table(tmp_path / "other", "other")
    (other.state / "clock.json").write_text("{}")
    (other.state / READY / "state" / "clock.json").mkdir(parents=True)
    (other.state / READY / "state" / "lens.toml").write_text("new")
    make_plan(other.state / READY, ["clock.json", "lens.toml"], None)
    assert finish_restore(other.state)
    assert (other.state / "clock.json").read_text() == "{}"
    assert (other.state / "lens.toml").read_text() == "new"
    assert not (other.state / READY).exists()


def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    one, other, box = table(tmp_path / "one", "one"), table(tmp_path / "other", "other"), fresh(tmp_path)
    path, before = saved(tmp_path / "b.zip", one), content(other)
    files = sorted(other.state.rglob("*"))
    assert restore(path, other, NOW, accept, dry_run=True).manifest.matches == 2
    assert content(other) == before
    assert sorted(other.state.rglob("*")) == files
    restore(path, box, NOW, accept, dry_run=True)
    assert not box.state.exists()


def test_a_running_referee_is_left_alone(tmp_path: Path) -> None:
    one, other = table(tmp_path / "one", "one"), table(tmp_path / "other", "other")
    path, before = saved(tmp_path / "b.zip", one), content(other)
    journal = open_journal(other.state).journal
    with pytest.raises(JournalInUse):
        restore(path, other, NOW, accept)
    journal.close()
    assert content(other) == before


def test_a_running_hall_is_left_alone(tmp_path: Path) -> None:
    one, other = table(tmp_path / "one", "one"), table(tmp_path / "other", "other")
    path, before = saved(tmp_path / "b.zip", one), content(other)
    store = HallStore(other.state / "hall" / "hall.sqlite")
    with pytest.raises(JournalInUse):
        restore(path, other, NOW, accept)
    store.close()
    assert content(other) == before
    assert restore(path, other, NOW, accept).undo


def test_a_damaged_journal_does_not_stand_in_the_way(tmp_path: Path) -> None:
    one, other = table(tmp_path / "one", "one"), table(tmp_path / "other", "other")
    path = saved(tmp_path / "b.zip", one)
    (other.state / "journal.db").write_bytes(b"SQLite format 3\0" + os.urandom(9000))
    restore(path, other, NOW, accept)
    assert content(other) == content(one)


def test_settings_lead_to_the_files_that_were_restored(tmp_path: Path) -> None:
    one, box = table(tmp_path, "one"), fresh(tmp_path)
    pack = tmp_path / "voices"
    pack.mkdir()
    (pack / "play.paused.wav").write_bytes(b"RIFF")
    assert one.settings is not None
    assert box.settings is not None
    one.settings.write_text(f'[voice]\non = true\npack = "{pack}"  # ours\nlevel = "clock"\n')
    path = saved(tmp_path / "b.zip", replace(one, named={"voice.pack": pack, "camera.lens": one.state / "lens.toml"}))
    restore(path, box, NOW, accept)
    voice = tables_of(box.settings.read_text(), "")["voice"]
    assert voice == {"on": True, "pack": str(box.state / "named" / "voice.pack"), "level": "clock"}
    assert (Path(voice["pack"]) / "play.paused.wav").read_bytes() == b"RIFF"


def test_settings_that_cannot_be_used_are_refused_unless_they_are_left_out(tmp_path: Path) -> None:
    one, other = table(tmp_path / "one", "one"), table(tmp_path / "other", "other")
    path, before = saved(tmp_path / "b.zip", one), content(other)

    def refuse(_: str) -> None:
        raise BadInput("no such table")

    with pytest.raises(BadInput, match="no such table; --without-settings"):
        restore(path, other, NOW, refuse)
    assert content(other) == before
    restore(path, other, NOW, refuse, with_settings=False)
    assert content(other) == {**content(one), "settings": before["settings"]}


def test_a_full_disk_is_noticed_before_anything_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = table(tmp_path / "one", "one"), table(tmp_path / "other", "other")
    path, before = saved(tmp_path / "b.zip", one), content(other)
    free = type("Usage", (), {"free": 64_000_000})()
    monkeypatch.setattr("shutil.disk_usage", lambda _: free)
    with pytest.raises(BadInput, match="no_room"):
        restore(path, other, NOW, accept)
    assert content(other) == before


def test_everything_is_on_disk_before_the_rename_that_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = table(tmp_path / "one", "one"), table(tmp_path / "other", "other")
    path = saved(tmp_path / "b.zip", one)
    synced: set[Path] = set()
    checked: list[set[Path]] = []
    fsync, rename = os.fsync, Path.rename

    def note(handle: int) -> None:
        fsync(handle)
        found = Path(f"/proc/self/fd/{handle}").readlink()
        synced.update(one for one in (found, found.parent / f"{found.stem.lstrip('.').rsplit('-', 1)[0]}.toml"))

    def check(source: Path, target: Any) -> Path:
        if Path(target).name == READY:
            inside = {source, *source.rglob("*")}
            checked.append({one for one in inside - synced if one.name not in ("plan.json", "referee.toml")})
        return rename(source, target)

    monkeypatch.setattr(os, "fsync", note)
    monkeypatch.setattr(Path, "rename", check)
    restore(path, other, NOW, accept)
    assert checked == [set()]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can work for others")
def test_root_restores_for_the_owner_of_the_folder(tmp_path: Path) -> None:
    with TemporaryDirectory() as name:  # those of pytest nobody else may enter
        Path(name).chmod(0o755)
        check_owner(saved(tmp_path / "b.zip", table(tmp_path, "one")), fresh(Path(name)))


def check_owner(path: Path, box: Places) -> None:
    box.state.mkdir(mode=0o750)
    os.chown(box.state, SOMEBODY, SOMEBODY)
    for _ in range(2):
        restore(path, box, NOW, accept)
        found = [box.state, *box.state.rglob("*")]
        assert {place.lstat().st_uid for place in found} == {SOMEBODY}
    assert box.settings is not None
    assert box.settings.stat().st_uid == 0
    assert stat.S_IMODE((box.state / "page.json").stat().st_mode) == 0o600
    assert os.geteuid() == 0


def test_nobody_who_may_not_write_the_settings_gets_half_of_a_restore(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = table(tmp_path / "one", "one"), table(tmp_path / "other", "other")
    path, before = saved(tmp_path / "b.zip", one), content(other)

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("referee.backup.restoring.write_settings", cut)
        with pytest.raises(KeyboardInterrupt):
            restore(path, other, NOW, accept)
    assert (other.state / READY).exists()

    def refuse(*_: object) -> None:
        raise BadInput("expected a place for the settings, found: Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr("referee.backup.switching.write_settings", refuse)
        assert finish_restore(other.state)
    assert content(other) == before
    assert not finish_restore(other.state)


def test_a_journal_of_the_first_version_comes_back_and_is_brought_up_to_date(tmp_path: Path) -> None:
    old, box = Places(tmp_path / "old"), fresh(tmp_path)
    old.state.mkdir()
    script = (Path(__file__).parents[1] / "journal" / "version-1.sql").read_text("utf-8")
    with closing(sqlite3.connect(old.state / "journal.db")) as connection:
        connection.executescript(script)
    done = restore(saved(tmp_path / "b.zip", old), box, NOW, accept)
    assert done.manifest.journal == 1
    opened = open_journal(box.state)
    assert opened.kept is not None
    assert opened.notices == ()
    opened.journal.close()


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    places = Places(tmp_path / "old")
    places.state.mkdir()
    with closing(sqlite3.connect(places.state / "journal.db")) as connection:
        connection.execute("CREATE TABLE stamps (name TEXT)")
        connection.commit()
    with pytest.raises(BadInput, match=r"backup\.other_database"):
        saved(tmp_path / "b.zip", places)
    with pytest.raises(BadBackup, match="File is not a zip"):
        restore(places.state / "journal.db", fresh(tmp_path), NOW, accept)


@pytest.mark.parametrize("dry_run", [False, True])
def test_it_reports_how_much_is_checked_unpacked_and_saved(tmp_path: Path, dry_run: bool) -> None:
    (tmp_path / "old").mkdir()
    path, places = saved(tmp_path / "b.zip", table(tmp_path / "old", "old")), table(tmp_path, "one")
    unpacked, present = check_backup(path).size, size_of(places)
    reports: list[tuple[int, int]] = []
    restore(path, places, NOW, accept, dry_run=dry_run, report=lambda done, total: reports.append((done, total)))
    steps = [0, unpacked, 2 * unpacked] if dry_run else [0, unpacked, 2 * unpacked, 2 * unpacked + present]
    total = 2 * unpacked if dry_run else 2 * (unpacked + present)
    assert {of for _, of in reports} == {total}
    found = [done for done, _ in reports]
    assert found == sorted(found)
    assert {*steps, total} <= set(found)
    assert found[-1] == total
