"""A card that is full can be reset if the backups are to go, too, and a power cut leaves a table that plays."""

import errno
import os
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from saved_tables import NOW, content, table

from referee.backup import resetting
from referee.backup.automatic import make_backup
from referee.backup.contents import Places
from referee.backup.manifest import BACKUPS, DRAFT, READY
from referee.backup.resetting import MatchUnderWay, match_under_way, reset
from referee.backup.restoring import finish_restore
from referee.cli.page import page as pages
from referee.cli.page.page import Page
from referee.cli.programs.fresh_start import why_no_reset
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.journal.errors import DiskFull, JournalError
from referee.journal.opening import FILE, open_journal
from referee.settings.file import EXCHANGED
from referee.settings.settings import Settings, Web

PATIENCE_S = 60.0


class PowerCut(BaseException):
    """Nobody catches it."""


class Card:
    """A card of which the files of a table may take so many bytes before a folder or a file can be made there."""

    def __init__(self, places: Places, monkeypatch: pytest.MonkeyPatch, room: int, *, where: str) -> None:
        self.places, self.room, self.refusals = places, room, 0
        whole_mkdir, whole_plan = Path.mkdir, resetting.make_plan

        def mkdir(path: Path, *args: Any, **how: Any) -> None:
            if path.name == DRAFT and where == "folder":
                self.take()
            whole_mkdir(path, *args, **how)

        def make_plan(draft: Path, *args: Any, **how: Any) -> None:
            if where == "plan":
                try:
                    self.take()
                except OSError as error:
                    raise BadInput(f"{draft}: expected a place, found: {error.strerror}") from error
            whole_plan(draft, *args, **how)

        monkeypatch.setattr(Path, "mkdir", mkdir)
        monkeypatch.setattr(resetting, "make_plan", make_plan)

    def take(self) -> None:
        if used(self.places.state) > self.room:
            self.refusals += 1
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def used(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def with_backups(folder: Path) -> tuple[Places, list[Path]]:
    """A table with three backups, the newest last."""
    box = table(folder, "one")
    made = [make_backup(box, NOW.replace(day=day), pictures=True) for day in (20, 21, 22)]
    for age, path in enumerate(reversed(made)):
        os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    return box, made


@pytest.mark.parametrize("where", ["folder", "plan"])
def test_backups_make_room_for_their_own_deletion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    box, made = with_backups(tmp_path)
    card = Card(box, monkeypatch, used(box.state) - made[0].stat().st_size, where=where)
    assert reset(box, NOW, forget=True, even_a_match=True) is None
    assert card.refusals == 1
    assert {one.name for one in box.state.iterdir()} == {"journal.lock", EXCHANGED}


def test_without_backups_the_pictures_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = table(tmp_path, "one")
    Card(box, monkeypatch, used(box.state) - 1, where="plan")
    reset(box, NOW, forget=True, even_a_match=True)
    assert {one.name for one in box.state.iterdir()} == {"journal.lock", EXCHANGED}


def test_a_power_cut_while_room_is_made_leaves_all_events_boxes_and_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box, made = with_backups(tmp_path)
    before = content(box)
    Card(box, monkeypatch, 0, where="plan")
    unlink, gone = Path.unlink, list[str]()

    def cut(path: Path, missing_ok: bool = False) -> None:
        if path.suffix in (".zip", ".jpg"):
            if len(gone) == 2:
                raise PowerCut
            gone.append(path.name)
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", cut)
    with pytest.raises(PowerCut):
        reset(box, NOW, forget=True, even_a_match=True)
    monkeypatch.undo()
    assert gone == [made[0].name, made[1].name]  # the oldest first
    assert not finish_restore(box.state)
    assert content(box) == before
    assert made[2].exists()
    opened = open_journal(box.state)
    with closing(opened.journal):
        assert opened.kept is not None


def test_a_card_full_of_something_else_keeps_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box, _ = with_backups(tmp_path)
    before = {name: data for name, data in content(box).items() if not name.startswith("pictures/")}
    Card(box, monkeypatch, 0, where="plan")
    with pytest.raises(BadInput, match="No space left"):
        reset(box, NOW, forget=True, even_a_match=True)
    assert content(box) == before
    assert not (box.state / DRAFT).exists()
    assert not (box.state / READY).exists()


def test_where_backups_are_to_stay_or_the_fault_is_another_none_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box, made = with_backups(tmp_path)

    def fails(*_: Any, **__: Any) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(resetting, "make_plan", fails)
    for error, forget in ((errno.ENOSPC, False), (errno.EIO, True)):
        with pytest.raises(OSError, match=os.strerror(error)):
            reset(box, NOW, forget=forget, even_a_match=True)
        assert {one.name for one in made} <= {one.name for one in (box.state / BACKUPS).iterdir()}


@pytest.mark.parametrize(
    "error", [DiskFull.at(FILE), JournalError(Notice("journal.disk_fails", reason="disk I/O error", where=FILE))]
)
def test_a_match_under_way_is_found_where_the_journal_can_only_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: JournalError
) -> None:
    """SQLite says either of these on a full disk."""
    box = table(tmp_path, "one")

    def full(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(resetting, "LockedStore", full)
    assert match_under_way(box.state) == 2
    with pytest.raises(MatchUnderWay):
        reset(box, NOW, forget=True)


def test_the_page_takes_a_full_card_if_the_backups_go_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = table(tmp_path, "one")
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 0})())
    assert why_no_reset(box, False) == Notice("system.reset_no_room")
    assert why_no_reset(box, True) is None
    monkeypatch.setattr(pages, "journal_folder", lambda _: tmp_path)
    monkeypatch.setattr(pages, "places_of", lambda _: box)
    settings = Settings(web=Web(port=0))
    page = Page(settings, lambda: settings, None, "en", lambda _: None)  # type: ignore[arg-type]
    try:
        assert page.submit_reset(False).result(PATIENCE_S) == Notice("system.reset_no_room")
        assert page.afterwards is None
        assert page.submit_reset(True).result(PATIENCE_S) is None
        assert page.afterwards is not None
        assert page.submit_reset(True).result(PATIENCE_S) == Notice("system.ends_already")  # another browser
    finally:
        page.close()
