"""Backups of every released version stay readable. The files in `released` are never changed; releases add theirs."""

from pathlib import Path

import pytest
from saved_tables import NOW, content

from referee.backup.checking import check_backup
from referee.backup.contents import Places
from referee.backup.restoring import restore
from referee.journal.opening import open_journal
from referee.settings.file import tables_of
from referee.settings.settings import load

RELEASED = sorted((Path(__file__).parent / "released").glob("*.zip"))


def check_toml(text: str) -> None:
    """Settings that are no TOML are refused."""
    tables_of(text, "the settings")


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_it_can_be_read_and_the_match_in_it_goes_on(tmp_path: Path, path: Path) -> None:
    box = Places(tmp_path / "state", tmp_path / "referee.toml")
    assert check_backup(path).program == path.stem.removeprefix("referee-")
    done = restore(path, box, NOW, check_toml)
    assert done.manifest.matches == 2
    found = content(box)
    assert {"boxes/released.json", "lens.toml", "page.json", "page.toml", "hall/hall.sqlite"} <= set(found)
    assert found["hall/hall.sqlite"] == [("tournament", "released")]
    assert load(box.settings, {}).voice.pack == str(box.state / "named" / "voice.pack")
    opened = open_journal(box.state)
    assert opened.notices == ()
    assert opened.kept is not None
    assert (opened.kept.match, opened.kept.is_over, opened.kept.state.seats[0].name) == (2, False, "Ann")
    opened.journal.close()


def test_there_is_one_of_the_present_version() -> None:
    assert RELEASED
