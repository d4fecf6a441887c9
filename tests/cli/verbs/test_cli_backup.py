"""`referee backup` and `referee restore`."""

import fcntl
import json
import os
import re
from contextlib import closing
from pathlib import Path

import pytest
from command_line import run
from page_process import PageProcess
from saved_tables import content, saved, table

from referee.backup.checking import check_backup
from referee.backup.contents import Places
from referee.backup.keeping import time_in
from referee.backup.manifest import READY
from referee.backup.stick_folder import folder_on
from referee.backup.switching import NewSettings, make_plan
from referee.backup.writing import no_room
from referee.cli.parts import backup_places
from referee.cli.parts.backup_places import places_of
from referee.cli.programs import hall
from referee.cli.programs.fresh_start import why_no_reset
from referee.cli.terminal.chosen_settings import settings_of
from referee.game.notice import Notice, told_by
from referee.i18n import ENGLISH
from referee.journal.opening import open_journal
from referee.settings.settings import load

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A table that the environment names."""
    places = table(tmp_path / "box", "one")
    monkeypatch.setenv("REFEREE_STATE", str(places.state))
    monkeypatch.setenv("REFEREE_CONFIG", str(places.settings))
    monkeypatch.chdir(tmp_path)
    return places


def test_a_backup_is_written_here_and_says_what_is_in_it(box: Places, tmp_path: Path, capsys: Captured) -> None:
    before = content(box)
    assert run(["backup"])[0] == 0
    (path,) = tmp_path.glob("*.zip")
    assert time_in(path.name) is not None
    said = capsys.readouterr().out
    assert path.name in said
    assert "2 matches, the hall with its tournaments, 9 files" in said
    assert "PIN" in said
    assert content(box) == before


@pytest.mark.parametrize(
    ("is_there", "said"), [(True, "2 matches, the hall with its tournaments"), (False, "2 matches")]
)
def test_a_backup_says_whether_a_hall_is_in_it(
    box: Places, tmp_path: Path, capsys: Captured, is_there: bool, said: str
) -> None:
    """Of a hall without boxes there are no matches, and all its tournaments are in one file."""
    if not is_there:
        (box.state / hall.FOLDER / hall.FILE).unlink()
    assert run(["backup"])[0] == 0
    (path,) = tmp_path.glob("*.zip")
    assert f"\n{said}, {9 if is_there else 8} files" in capsys.readouterr().out
    assert run(["restore", path, "--dry-run"])[0] == 0
    assert f": {said}. It fits" in capsys.readouterr().out
    assert run(["restore", path, "--dry-run", "--json"])[0] == 0
    assert json.loads(capsys.readouterr().out)["hall"] is is_there


def test_a_backup_for_programs(box: Places, tmp_path: Path, capsys: Captured) -> None:  # noqa: ARG001 - it is there
    (tmp_path / "folder").mkdir()
    assert run(["backup", "folder", "--without-pictures", "--json"])[0] == 0
    told = json.loads(capsys.readouterr().out)
    (path,) = (tmp_path / "folder").iterdir()
    assert told["files"] == [str(Path("folder") / path.name)]
    assert (told["bytes"], told["matches"], told["pictures"], told["members"]) == (path.stat().st_size, 2, False, 7)
    assert told["program"]
    assert told["journal_version"] == check_backup(path).journal


def test_a_backup_goes_to_the_sticks_and_among_the_automatic_ones(
    box: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    monkeypatch.setattr("referee.cli.verbs.backup.all_sticks", lambda: [stick])
    assert run(["backup", "--to-usb"])[0] == 0
    (path,) = box.backups.iterdir()
    assert (folder_on(stick, box.state) / path.name).read_bytes() == path.read_bytes()


def test_a_link_stays_and_the_file_behind_it_is_written(box: Places, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "stick").mkdir()
    path, link = tmp_path / "stick" / "b.zip", tmp_path / "link.zip"
    link.symlink_to(path)
    for _ in range(2):
        assert run(["backup", link])[0] == 0
        assert link.is_symlink()
        assert check_backup(path).matches == 2
    assert str(path) in capsys.readouterr().out
    inside, circle = tmp_path / "inside.zip", tmp_path / "circle.zip"
    inside.symlink_to(box.state / "b.zip")
    circle.symlink_to(circle)
    nowhere = tmp_path / "nowhere.zip"
    nowhere.symlink_to(tmp_path / "gone" / "b.zip")
    for one, told in ((inside, "outside the journal's folder"), (circle, "symbolic links"), (nowhere, "found none")):
        assert run(["backup", one])[0] == 2
        assert told in capsys.readouterr().err
    assert not (box.state / "b.zip").exists()


def test_an_earlier_backup_and_an_empty_file_are_replaced(box: Places, tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    path.touch()
    for _ in range(2):
        assert run(["backup", path])[0] == 0
        assert check_backup(path).matches == 2
    beside = box.state / "referee-2026-11-20-1200.zip"
    assert run(["backup", beside])[0] == 0
    assert run(["backup", box.backups])[0] == 2  # there is no such folder, and a file of that name would be in the way
    box.backups.mkdir()
    assert run(["backup", box.backups / "mine.zip"])[0] == 0
    assert check_backup(box.backups / "mine.zip").members == check_backup(path).members  # it contains no other backup


def test_what_a_power_cut_left_is_removed_a_day_later_and_nothing_else(box: Places, tmp_path: Path) -> None:  # noqa: ARG001
    names = [".referee-2026-11-20-1200.zip.part", ".referee-2026-11-27-1200.zip.part", ".mine.zip.part"]
    for name in names:
        (tmp_path / name).write_bytes(b"x")
    for name in (names[0], names[2]):
        os.utime(tmp_path / name, (0, 0))
    assert run(["backup", "b.zip"])[0] == 0
    assert [(tmp_path / name).exists() for name in names] == [False, True, True]


def test_two_backups_of_one_name_do_not_spoil_each_other(box: Places, tmp_path: Path, capsys: Captured) -> None:  # noqa: ARG001
    with (tmp_path / ".b.zip.part").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert run(["backup", "b.zip"])[0] == 2
        assert "Another backup of this name is just being written" in capsys.readouterr().err
        assert (tmp_path / ".b.zip.part").exists()
    assert run(["backup", "b.zip"])[0] == 0
    assert not (tmp_path / ".b.zip.part").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param(["backup", "missing/b.zip"], "expected a folder to write the backup to", id="no such folder"),
        pytest.param(["backup", "stick/"], "expected a folder, found none (stick)", id="a stick that is not mounted"),
        pytest.param(["backup", "box/referee.toml"], "expected no file there, or an earlier", id="another file"),
        pytest.param(["backup", "box/state/journal.db"], "outside the journal's folder", id="the journal"),
        pytest.param(["backup", "box/state/boxes/b.zip"], "outside the journal's folder", id="among what is saved"),
        pytest.param(["backup", "/dev/null"], "found a device", id="a device"),
        pytest.param(["backup", "--to-usb"], "expected a USB stick that is mounted", id="no stick"),
        pytest.param(["backup", "x.zip", "--to-usb"], "found both", id="two places"),
        pytest.param(["backup", "--set", "storage.state=nowhere"], "expected the folder of a journal", id="no table"),
        pytest.param(["restore", "missing.zip"], "No such file", id="no such backup"),
        pytest.param(["restore", "."], "expected a backup, found", id="a folder"),
    ],
)
def test_what_is_not_possible_is_said_in_one_line(
    box: Places, capsys: Captured, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.setattr("referee.cli.verbs.backup.all_sticks", list)
    before = content(box)
    assert run(arguments)[0] == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert content(box) == before


def test_a_fresh_box_gets_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    path = saved(tmp_path / "b.zip", one := table(tmp_path / "one", "one"))
    fresh = Places(tmp_path / "fresh", tmp_path / "fresh.toml")
    monkeypatch.setenv("REFEREE_STATE", str(fresh.state))
    arguments = ["restore", str(path), "--config", str(fresh.settings)]
    assert run([*arguments, "--dry-run"])[0] == 0
    assert "nothing changed" in capsys.readouterr().out
    assert not fresh.state.exists()
    assert run(arguments)[0] == 0
    assert "2 matches" in capsys.readouterr().out
    assert content(fresh) == content(one)
    assert run([*arguments, "--json"])[0] == 0
    told = json.loads(capsys.readouterr().out)
    assert told["restored"]
    assert check_backup(Path(told["undo"])).matches == 2


def test_nothing_is_restored_that_a_version_on_trial_could_take_back(
    box: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    # A version that changes the tables and is taken back brings back the journal from before the update.
    path, before = saved(tmp_path / "b.zip", table(tmp_path / "one", "one")), content(box)
    monkeypatch.setattr("referee.cli.verbs.restore.is_on_trial", lambda folder: folder == box.state)
    assert run(["restore", str(path)])[0] == 2
    assert "A new version is on trial" in capsys.readouterr().err
    assert content(box) == before


def test_a_running_referee_is_left_alone_by_the_command(box: Places, tmp_path: Path, capsys: Captured) -> None:
    path = saved(tmp_path / "b.zip", box)
    journal = open_journal(box.state).journal
    assert run(["restore", str(path)])[0] != 0
    assert "journal.lock" in capsys.readouterr().err
    journal.close()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("[storage]\nstate = '/elsewhere'\n", "expected [storage] state to lead to", id="another folder"),
        pytest.param("[lasers]\non = true\n", "unknown table [lasers]", id="a newer table"),
    ],
)
def test_settings_that_cannot_be_used_here_are_refused(
    box: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, text: str, told: str
) -> None:
    before, other = content(box), tmp_path / "other.toml"
    other.write_text(text)
    path = saved(tmp_path / "b.zip", Places(box.state, other))
    monkeypatch.delenv("REFEREE_STATE")
    monkeypatch.setenv("STATE_DIRECTORY", str(box.state))  # as systemd names it
    assert run(["restore", str(path)])[0] == 2
    said = capsys.readouterr().err
    assert told in said
    assert "--without-settings" in said
    assert content(box) == before
    assert run(["restore", str(path), "--without-settings"])[0] == 0


def test_settings_that_cannot_be_read_do_not_stand_in_the_way(box: Places, tmp_path: Path) -> None:
    path, after = saved(tmp_path / "b.zip", box), content(box)
    assert box.settings is not None
    box.settings.write_text("[game")
    assert run(["restore", str(path)])[0] == 0
    assert content(box) == after


def test_any_command_completes_a_restore_that_was_interrupted(box: Places, tmp_path: Path) -> None:
    other = table(tmp_path / "other", "other")
    ready = box.state / READY
    ready.mkdir()
    (other.state / "journal.lock").unlink()
    names = [path.name for path in other.state.iterdir()]
    other.state.rename(ready / "state")
    assert box.settings is not None
    make_plan(ready, names, NewSettings(box.settings, "[game]\nseason = 'after'\n"))
    settings = settings_of(None, ())
    assert not ready.exists()
    assert settings.game.season == "other"  # chosen on the page, and restored with it
    assert load(box.settings, {}).game.season == "after"
    assert (box.state / "boxes" / "other.json").exists()


def test_root_means_the_table_of_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_places, "SERVICE", tmp_path)
    monkeypatch.delenv("REFEREE_STATE", raising=False)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    for user, found in ((0, True), (1000, False)):
        monkeypatch.setattr("os.geteuid", lambda user=user: user)
        assert (places_of(load(None, {})).state == tmp_path) is found
        assert places_of(load(None, {}, {"storage.state": "/elsewhere"})).state == Path("/elsewhere")


def test_a_reset_asks_first_and_says_how_to_take_it_back(
    box: Places, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    before = content(box)
    assert run(["reset"])[0] == 2  # nobody can be asked
    monkeypatch.setattr("referee.cli.terminal.common.at_a_terminal", lambda: True)
    monkeypatch.setattr("referee.cli.terminal.common.ask_line", lambda _: "yes")
    assert run(["reset"])[0] == 1
    assert content(box) == before
    capsys.readouterr()
    monkeypatch.setattr("referee.cli.terminal.common.ask_line", lambda _: "reset")
    assert run(["reset"])[0] == 2
    assert "add --match-too" in capsys.readouterr().err
    assert run(["reset", "--match-too"])[0] == 0
    said = capsys.readouterr().out
    (undo,) = (box.state / "backups").iterdir()
    assert str(undo) in said.replace("\n", "")
    assert set(content(box)) == {"settings"}


def test_nothing_is_reset_that_a_version_on_trial_could_bring_back(
    box: Places, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    before = content(box)
    for module in ("cli.verbs.reset", "cli.programs.fresh_start"):
        monkeypatch.setattr(f"referee.{module}.is_on_trial", lambda folder: folder == box.state)
    assert run(["reset", "--yes", "--match-too"])[0] == 2
    assert "A new version is on trial" in capsys.readouterr().err
    assert why_no_reset(box, False) == Notice("system.reset_in_trial")
    assert content(box) == before
    assert why_no_reset(box, True) is None  # then the copy from before the update is deleted, too
    assert run(["reset", "--yes", "--match-too", "--backups-too"])[0] == 0


def test_neither_a_restore_nor_a_reset_while_a_page_waits_for_its_camera(
    box: Places, tmp_path: Path, capsys: Captured
) -> None:
    path = saved(tmp_path / "b.zip", box)
    waiting = PageProcess(box.state, "camera.kind=folder", f"camera.source={tmp_path / 'none'}")
    with closing(waiting):
        waiting.until(lambda parts: parts.get("setup", {}).get("stage") == "missing")
        assert run(["restore", str(path)])[0] != 0
        assert run(["reset", "--yes", "--match-too"])[0] != 0
    assert "page.lock" in capsys.readouterr().err
    assert run(["reset", "--yes", "--match-too"])[0] == 0


@pytest.mark.parametrize("size", [1, 10_001, 99_999, 100_001, 49_990_000])
def test_what_is_wanted_is_never_told_as_what_is_there(tmp_path: Path, size: int) -> None:
    told = ENGLISH(told_by(no_room(tmp_path, size, 0, size - 1)))
    needed, free = re.findall(r"[\d.]+(?= MB)", told.replace(str(tmp_path), ""))
    assert float(needed) > float(free)
