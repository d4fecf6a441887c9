"""What became of the last update, as players are told it: from the file that the updater writes."""

import json
from pathlib import Path

import pytest
from update_box import NEW_SCHEMA, Box

from referee.devices.update_result import FILE, is_on_trial, take_news, update_notices
from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording

FAILED = ("no_copy", "signature", "no_key", "damaged", "no_room", "release", "on_trial", "install")
BACK = {"state": "back", "version": "2-abc", "before": "1-def", "reason": "hangs", "detail": "", "lost": 0}


def write(folder: Path, **changed: object) -> None:
    (folder / FILE).write_text(json.dumps({**BACK, **changed}))


def test_a_version_that_was_taken_back_is_told_once_and_stays_to_be_read(tmp_path: Path) -> None:
    box = Box.made(tmp_path, "hangs", NEW_SCHEMA)
    box.watch()
    why = Notice("update.why_not_ready")
    told = (Notice("update.back", version="version b", before="version a", why=why),)
    assert take_news(box.folder) == told
    assert take_news(box.folder) == ()
    assert update_notices(box.folder) == told
    write(box.folder, reason="stopped")
    assert take_news(box.folder) != ()


@pytest.mark.parametrize("manner", ["works", "crashes once"])
def test_a_version_that_stays_is_no_news(tmp_path: Path, manner: str) -> None:
    box = Box.made(tmp_path, manner)
    box.change.switch()
    assert update_notices(box.folder) == (Notice("update.trying", version="version b"),)
    box.watch()
    assert take_news(box.folder) == ()
    assert update_notices(box.folder) == (Notice("update.stays", version="version b"),)


def test_a_trial_takes_back_only_what_is_done_to_the_journal_that_it_has_copied(tmp_path: Path) -> None:
    box, home, elsewhere = Box.made(tmp_path, "works"), tmp_path / "opt/referee", tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert not is_on_trial(box.folder, home)
    box.change.switch()
    assert is_on_trial(box.folder, home)
    assert not is_on_trial(elsewhere, home)
    box.watch()
    assert not is_on_trial(box.folder, home)


def test_lost_events_are_counted(tmp_path: Path) -> None:
    write(tmp_path, lost=3)
    assert update_notices(tmp_path)[1] == Notice("update.lost", events=3)
    write(tmp_path, lost=True)
    assert len(update_notices(tmp_path)) == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"state": "back"}', "x" * 5000, json.dumps({**BACK, "state": "?"})])
def test_a_file_that_says_nothing_is_no_news(tmp_path: Path, text: str) -> None:
    assert update_notices(tmp_path) == ()
    (tmp_path / FILE).write_text(text)
    assert (update_notices(tmp_path), take_news(tmp_path)) == ((), ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_result_has_a_sentence_in_every_language(tmp_path: Path, language: str) -> None:
    words = Wording(language)
    for changed in (
        *({"state": state} for state in ("waits", "trying", "stays", "back", "failed")),
        *({"reason": reason, "lost": 2} for reason in ("not_ready", "stopped", "gave_up", "boots")),
        *({"state": "failed", "reason": reason, "detail": "full"} for reason in FAILED),
        *({"state": state} for state in ("checking", "installing")),
    ):
        write(tmp_path, **changed)
        for told in update_notices(tmp_path):
            assert "{" not in words(told)
            assert words(told) != told.key
