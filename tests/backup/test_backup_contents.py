"""A backup contains everything that a family would miss, and nothing that the program can make again."""

import datetime as dt
import os
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from saved_tables import NOW, content, furnish, saved, table, under_way

from referee.backup import writing
from referee.backup.checking import check_backup, open_backup
from referee.backup.contents import Places, named_paths, sources
from referee.backup.manifest import SETTINGS_NAME, is_safe_name
from referee.backup.restoring import restore
from referee.backup.writing import Stopped, save_stream, size_of, stream_backup
from referee.devices.box_file import box_path
from referee.errors import RefereeError
from referee.journal.errors import DiskFull
from referee.journal.opening import open_journal
from referee.journal.schema import VERSION

SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
"""A flag whose letters cannot be seen."""


def names(places: Places, *, pictures: bool = True) -> set[str]:
    return {source.name.removeprefix("state/") for source in sources(places, pictures=pictures)}


def test_it_has_everything_but_locks_caches_links_and_other_backups(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    state = places.state
    for folder in ("backups", "restore-draft", "models", "cache", "statistics-to-come"):
        (state / folder).mkdir()
        (state / folder / "file.txt").write_text("x")
    (state / ".lgd-nfy0").write_text("x")
    (state / "page.part").write_text("x")
    (state / "secret").symlink_to("/etc/passwd")
    assert names(places) == {
        SETTINGS_NAME, "boxes/one.json", "hall/hall.sqlite", "journal.db", "lens.toml", "page.json", "page.toml",
        "pictures/000001/00003-1.jpg", "pictures/000001/00005-1.jpg", "statistics-to-come/file.txt",
    }  # fmt: skip
    assert not any("pictures" in name for name in names(places, pictures=False))


def test_the_manifest_tells_what_it_is_of(tmp_path: Path) -> None:
    manifest = check_backup(saved(tmp_path / "b.zip", table(tmp_path, "one"), pictures=False))
    assert (manifest.made, manifest.journal, manifest.matches) == ("2026-11-26T21:30:00+00:00", VERSION, 2)
    assert not manifest.pictures
    assert manifest.size == sum(member.size for member in manifest.members) > 0


def test_a_table_without_a_match_can_be_saved(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    furnish(tmp_path / "state", "new", hall=False)
    manifest = check_backup(saved(tmp_path / "b.zip", Places(tmp_path / "state")))
    assert (manifest.journal, manifest.matches) == (None, 0)
    assert check_backup(saved(tmp_path / "c.zip", Places(tmp_path / "nothing"))).members == ()


def test_the_journal_is_saved_while_it_is_written(tmp_path: Path) -> None:
    under_way(tmp_path / "state")
    opened = open_journal(tmp_path / "state")
    opened.journal.beat(1234.5)  # still only in the log
    assert (tmp_path / "state" / "journal.db-wal").stat().st_size
    with open_backup(saved(tmp_path / "b.zip", Places(tmp_path / "state"))) as backup:
        (member,) = backup.manifest.members
        (tmp_path / "copy.db").write_bytes(zipfile.ZipFile(backup.path).read(member.name))
    with closing(sqlite3.connect(tmp_path / "copy.db")) as connection:
        assert connection.execute("SELECT t FROM clock").fetchone() == (1234.5,)
    opened.journal.close()


def test_a_running_backup_keeps_no_writer_waiting(tmp_path: Path) -> None:
    under_way(tmp_path / "state")
    chunks = stream_backup(Places(tmp_path / "state"), NOW)
    next(chunks)
    opened = open_journal(tmp_path / "state")  # would wait, and then fail, if the journal were locked
    opened.journal.beat(99.0)
    assert opened.journal.trouble is None
    assert b"".join(chunks)
    opened.journal.close()


def test_files_elsewhere_that_settings_name_are_included(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    pack = tmp_path / "voices"
    pack.mkdir()
    (pack / "play.paused.wav").write_bytes(b"RIFF")
    (tmp_path / "ours.json").write_text("{}")
    named = {
        "voice.pack": pack,
        "table.box": tmp_path / "ours.json",
        "camera.lens": places.state / "lens.toml",
        "club.ca": tmp_path / "missing.pem",
    }
    places = replace(places, named=named)
    assert {"named/voice.pack/play.paused.wav", "named/table.box/ours.json"} <= names(places)
    assert named_paths(places) == {
        "voice.pack": "named/voice.pack",
        "table.box": "named/table.box/ours.json",
        "camera.lens": "lens.toml",
    }


def test_a_damaged_journal_is_refused_and_no_file_is_left(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    journal = places.state / "journal.db"
    data = bytearray(journal.read_bytes())
    data[4096:8192] = b"\xff" * 4096
    journal.write_bytes(data)
    with pytest.raises(RefereeError):
        save_stream(tmp_path / "b.zip", stream_backup(places, NOW), check_backup, lambda: True)
    assert not list(tmp_path.glob("*.zip*"))
    assert not list(tmp_path.glob(".*.part"))
    path = saved(tmp_path / "b.zip", places, damaged=True)
    assert zipfile.ZipFile(path).read("state/journal-damaged-0.db") == bytes(data)


def test_a_journal_whose_beginning_is_damaged_is_not_saved_as_if_it_were_intact(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    journal = places.state / "journal.db"
    data = b"\0" * 100 + journal.read_bytes()[100:]
    journal.write_bytes(data)
    with pytest.raises(RefereeError):
        saved(tmp_path / "b.zip", places)
    archive = zipfile.ZipFile(saved(tmp_path / "b.zip", places, damaged=True))
    assert archive.read("state/journal-damaged-0.db") == data
    assert "state/journal.db" not in archive.namelist()


def test_an_interrupted_backup_leaves_the_older_file_of_that_name(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    path = saved(tmp_path / "b.zip", places)
    before = path.read_bytes(), content(places)
    turns = iter([True, True, False])
    with pytest.raises(Stopped):
        save_stream(path, stream_backup(places, NOW), check_backup, lambda: next(turns))
    assert (path.read_bytes(), content(places)) == before
    assert sorted(tmp_path.iterdir()) == sorted([path, places.state, tmp_path / "referee.toml"])


def test_a_backup_is_for_its_owner_alone_and_no_larger_than_what_it_saves(tmp_path: Path) -> None:
    places = table(tmp_path, "one")
    path = saved(tmp_path / "b.zip", places)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.stat().st_size < size_of(places)


def test_on_a_full_disk_the_journal_is_copied_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = table(tmp_path, "one")
    whole = writing.copy_database

    def copy(path: Path, to: Path) -> None:
        if to.is_relative_to(places.state):
            to.write_bytes(b"as far as it went")
            raise DiskFull.at(path)
        whole(path, to)

    monkeypatch.setattr(writing, "copy_database", copy)
    assert check_backup(saved(tmp_path / "b.zip", places)).matches == 2
    assert not list(places.state.glob(".backup-*"))


def test_where_no_file_can_be_made_the_journal_is_copied_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, memory, made = table(tmp_path, "one"), tmp_path / "memory", []
    memory.mkdir()
    usual = tempfile.TemporaryDirectory

    def folder(*, prefix: str, dir: Path | None) -> tempfile.TemporaryDirectory[str]:  # noqa: A002
        made.append(dir)
        if dir != memory:
            raise FileNotFoundError("No usable temporary directory found")
        return usual(prefix=prefix, dir=dir)

    monkeypatch.setattr(writing, "IN_MEMORY", memory)
    monkeypatch.setattr(tempfile, "TemporaryDirectory", folder)
    assert check_backup(saved(tmp_path / "b.zip", places)).matches == 2
    assert made[:3] == [places.state, None, memory]
    assert not list(memory.iterdir())


@pytest.mark.parametrize("year", [1901, 1979, 2108, 2446, 300_000])
def test_files_from_a_time_when_the_clock_was_wrong_are_saved_and_restored(tmp_path: Path, year: int) -> None:
    (tmp_path / "state").mkdir()
    file = tmp_path / "state" / "lens.toml"
    file.write_text("lens")
    changed = (year - 1970) * 31_556_952
    os.utime(file, (changed, changed))
    saved(tmp_path / "b.zip", Places(tmp_path / "state"))
    restored = restore(tmp_path / "b.zip", Places(tmp_path / "new"), NOW, lambda _: None)
    assert restored.manifest.members[0].name == "state/lens.toml"
    assert (tmp_path / "new/lens.toml").read_text() == "lens"


def test_a_backup_can_be_made_while_the_clock_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    made = dt.datetime(2150, 1, 1, tzinfo=dt.UTC)
    for chunk in stream_backup(Places(tmp_path / "state"), made):
        with (tmp_path / "b.zip").open("ab") as file:
            file.write(chunk)
    assert check_backup(tmp_path / "b.zip").made.startswith("2150")


def test_a_file_whose_name_is_no_text_keeps_nothing_else_from_being_saved(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "lens.toml").write_text("lens")
    Path(os.fsdecode(bytes(tmp_path / "state") + b"/Gr\xfcn.wav")).write_text("from an old stick")
    assert names(Places(tmp_path / "state")) == {"lens.toml"}


@pytest.mark.parametrize(
    "name", ["\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}", "Oma\u00a0Ida", "\N{MAN}" * 60, "Для бабушки", SCOTLAND]
)
def test_a_box_with_an_unusual_name_is_saved_and_restored(tmp_path: Path, name: str) -> None:
    boxes = tmp_path / "state/boxes"
    boxes.mkdir(parents=True)
    box = box_path(name, boxes)
    box.write_text("{}")
    saved(tmp_path / "b.zip", Places(tmp_path / "state"))
    restore(tmp_path / "b.zip", Places(tmp_path / "state"), NOW, lambda _: None)
    assert box.read_text() == "{}"


@pytest.mark.parametrize("name", ["a\u202eb", "a\tb", "a\u2028b", "\u200d", "..", "a\\b", "a\x7f", "x" * 256])
def test_a_name_that_could_do_harm_is_none_of_ours(name: str) -> None:
    assert not is_safe_name(f"state/{name}")
