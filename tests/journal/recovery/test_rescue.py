"""A damaged journal makes way for a new one only once that stands on the disk whole; until then nothing is touched."""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, ClassVar

import pytest
from connections import Connections
from played import SETUPS, Open, match, short, taken_up, write

from referee.game.notice import as_notice
from referee.i18n import ENGLISH
from referee.journal import store as store_module
from referee.journal.errors import DiskFull, JournalError
from referee.journal.opening import FILE, open_journal
from referee.journal.reading import files_of, log_of, undo_of
from referee.journal.recovery import rescue as rescue_module
from referee.journal.recovery.carving import found_rows
from referee.journal.recovery.rescue import READY, rescue
from referee.journal.rows import Row
from referee.journal.store import SqliteStore
from tests.support.errors import telling

STEPS = match(SETUPS[0], 5, 40)
AT = 25
ASIDE = "journal-damaged-1.db"


class Spoilt(SqliteStore):
    """A draft that the disk spoils without a word."""

    def close(self) -> None:
        super().close()
        data = bytearray(self.path.read_bytes())
        data[data.index(b'"pressed"' if b'"pressed"' in data else b"pressed")] ^= 1
        self.path.write_bytes(data)


class Short(SqliteStore):
    """A draft of which the last row gets lost."""

    def put(self, rows: Sequence[Row]) -> None:
        super().put(rows[:-1])


class Timeless(SqliteStore):
    """A draft that forgets the match time."""

    def beat(self, match: int | None, t: float) -> None:
        """Pass over it."""


class LooksOn(SqliteStore):
    """A draft that somebody reads all the time: its log cannot go into the file."""

    readers: ClassVar[list[sqlite3.Connection]] = []
    """Those of all drafts. The last one to be closed would copy the log into the file, so the test closes them."""

    def put(self, rows: Sequence[Row]) -> None:
        reader = sqlite3.connect(self.path, isolation_level=None)
        self.readers.append(reader)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM events").fetchone()
        super().put(rows)


class Unsettled(LooksOn):
    """The same where SQLite says that all went well."""

    def settle(self) -> None:
        """Claim that the log is in the file."""


@pytest.fixture
def damaged(folder: Path, opened: Open) -> Iterator[Path]:
    """A journal with one changed event."""
    write(opened().journal, SETUPS[1], short(SETUPS[1]))
    write(opened().journal, SETUPS[0], STEPS[:30])
    opened().journal.close()
    path = folder / FILE
    with closing(sqlite3.connect(path)) as connection:
        body = connection.execute("SELECT body FROM events WHERE number = ? AND match = 2", (AT,)).fetchone()[0]
    data = path.read_bytes()
    assert data.count(body.encode()) >= 1
    path.write_bytes(data.replace(body.encode(), body.replace("1", "2").encode()))
    yield path
    while LooksOn.readers:
        LooksOn.readers.pop().close()


def held(path: Path) -> dict[str, bytes]:
    """What there is in the folder, but for the lock and SQLite's index."""
    found = {one.name: one.read_bytes() for one in path.parent.iterdir()}
    return {name: data for name, data in found.items() if not name.endswith((".lock", "-shm"))}


def goes_on_in_memory(path: Path, words: str) -> None:
    """A start changes nothing, tells it, and plays on with what can be read; a later try saves it all."""
    before = held(path)
    result = open_journal(path.parent)
    assert held(path) == before
    assert result.journal.trouble is not None
    assert words in ENGLISH(result.journal.trouble)
    kept = taken_up(result)
    assert (kept.match, kept.tip.row.number) == (2, AT - 1)
    write(result.journal, SETUPS[0], STEPS[AT - 1 : AT + 3])
    assert held(path) == before
    with telling(JournalError, match="expected to write the last"):
        result.journal.close()
    assert held(path) == before


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (LooksOn, "another program holds the journal"),
        (Unsettled, "the journal's log was not copied into its file"),
        (Spoilt, "what was written reads back differently"),
        (Short, "what was written reads back differently"),
        (Timeless, "what was written reads back differently"),
    ],
)
def test_a_new_journal_that_is_not_whole_replaces_nothing(
    damaged: Path, monkeypatch: pytest.MonkeyPatch, kind: type[SqliteStore], words: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(rescue_module, "SqliteStore", kind)
        patch.setattr(store_module, "BUSY_S", 0.05)
        goes_on_in_memory(damaged, words)
    result = open_journal(damaged.parent)
    assert taken_up(result).tip.row.number == AT - 1
    result.journal.close()
    assert damaged.with_name(ASIDE).exists()


def test_a_disk_without_room_for_the_new_journal_keeps_the_old_one(damaged: Path, connections: Connections) -> None:
    connections.begin = lambda path: "PRAGMA max_page_count = 9" if "draft" in path.name else ""
    with pytest.raises(DiskFull):
        rescue(damaged, as_notice("a test"))
    goes_on_in_memory(damaged, "the disk is full")


def test_once_there_is_room_the_match_that_went_on_in_memory_is_saved(
    damaged: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = damaged.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(rescue_module, "SqliteStore", Short)
        journal = opened().journal
        write(journal, SETUPS[0], STEPS[AT - 1 : AT + 3])
        assert journal.trouble is not None
    write(journal, SETUPS[0], STEPS[AT + 3 :])
    assert journal.trouble is None
    assert "The journal was damaged" in ENGLISH(journal.take_notices()[0])
    assert damaged.with_name(ASIDE).read_bytes() == data
    again = opened()
    assert taken_up(again).state == STEPS[-1].state
    assert again.notices == ()


def test_a_garbled_log_is_not_written_over_before_it_is_safe(
    folder: Path, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(opened().journal, SETUPS[0], STEPS)
    cut = tmp_path / "cut"
    cut.mkdir()
    for one in files_of(folder / FILE)[:2]:
        shutil.copy2(one, cut / one.name)
    log = log_of(cut / FILE)
    data = bytearray(log.read_bytes())
    data[len(data) // 3] ^= 1
    log.write_bytes(data)
    with monkeypatch.context() as patch:
        patch.setattr(rescue_module, "SqliteStore", Short)
        result = open_journal(cut)
        assert taken_up(result).state == STEPS[-1].state
        assert log.read_bytes() == data
        result.journal.close()
    result = open_journal(cut)
    assert taken_up(result).state == STEPS[-1].state
    result.journal.close()
    assert log_of(cut / ASIDE).read_bytes() == data


def test_a_log_beside_a_changed_row_is_not_moved_before_it_is_safe(
    folder: Path, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(opened().journal, SETUPS[0], STEPS[:30])
    write(opened().journal, SETUPS[0], STEPS[30:])
    cut = tmp_path / "cut"
    cut.mkdir()
    for one in files_of(folder / FILE)[:2]:
        shutil.copy2(one, cut / one.name)
    path = cut / FILE
    data = path.read_bytes()
    body = next(row.body for row in found_rows(path) if row.number == 5).encode()
    assert (data.count(body), log_of(path).read_bytes().count(body)) == (1, 0)
    path.write_bytes(data.replace(body, body.replace(b"1", b"2")))
    before = held(path)
    with monkeypatch.context() as patch:
        patch.setattr(rescue_module, "SqliteStore", Short)
        open_journal(cut).journal.close()
    assert held(path) == before
    result = open_journal(cut)
    assert "expected event 5 of match 1 as it was written" in ENGLISH(result.notices[0])
    result.journal.close()
    assert log_of(path.with_name(ASIDE)).read_bytes() == before[f"{FILE}-wal"]


def test_a_log_whose_file_is_gone_is_not_dropped_before_it_is_safe(
    folder: Path, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(opened().journal, SETUPS[0], STEPS)
    cut = tmp_path / "cut"
    cut.mkdir()
    log = log_of(cut / FILE)
    shutil.copy2(log_of(folder / FILE), log)
    data = log.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(rescue_module, "SqliteStore", Short)
        open_journal(cut).journal.close()
        assert log.read_bytes() == data
    result = open_journal(cut)
    assert taken_up(result).state == STEPS[-1].state
    assert f"kept as {ASIDE}" in ENGLISH(result.notices[0])
    assert log_of(cut / ASIDE).read_bytes() == data
    result.journal.close()


def test_what_an_earlier_start_has_left_ready_is_read_before_it_replaces_anything(damaged: Path) -> None:
    ready = damaged.with_name(READY)
    ready.write_bytes(damaged.read_bytes()[:4096] + b"\xa5" * 8192)
    result = open_journal(damaged.parent)
    assert taken_up(result).tip.row.number == AT - 1
    assert not ready.exists()
    result.journal.close()


def test_a_copy_that_there_is_no_room_for_leaves_everything_as_it_was(
    damaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    def half(_: IO[bytes], other: IO[bytes]) -> None:
        other.write(b"half")
        raise OSError(28, "No space left on device", ASIDE)

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    monkeypatch.setattr(shutil, "copyfileobj", half)
    before = damaged.read_bytes()
    result = open_journal(damaged.parent)
    assert result.journal.trouble is not None
    assert "the disk is full" in ENGLISH(result.journal.trouble)
    assert damaged.read_bytes() == before
    assert not damaged.with_name(ASIDE).exists()
    result.journal.close()


def test_a_journal_whose_first_writing_was_cut_short_is_left_to_sqlite(folder: Path, opened: Open) -> None:
    folder.mkdir()
    (folder / FILE).write_bytes(b"")
    undo_of(folder / FILE).write_bytes(bytes(512))
    result = opened()
    assert (result.journal.trouble, result.notices) == (None, ())


def test_a_name_that_the_disk_does_not_take_leaves_no_other_one_behind(
    damaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(5, "Input/output error")

    before = held(damaged)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refuse)
        open_journal(damaged.parent).journal.close()
    assert {name: data for name, data in held(damaged).items() if "draft" not in name} == before
    result = open_journal(damaged.parent)
    assert taken_up(result).tip.row.number == AT - 1
    result.journal.close()


def test_a_match_whose_first_writing_was_cut_short_is_no_damage(folder: Path, opened: Open, tmp_path: Path) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], STEPS[:5])
    before = log_of(folder / FILE).stat().st_size
    write(journal, SETUPS[1], short(SETUPS[1])[:1])
    for one in files_of(folder / FILE)[:2]:
        shutil.copy2(one, tmp_path / one.name)
    # The last page written, with the mark that makes the writing count, is not whole.
    log = log_of(tmp_path / FILE)
    data = bytearray(log.read_bytes())
    assert len(data) > before
    data[-1] ^= 1
    log.write_bytes(data)
    result = open_journal(tmp_path)
    assert result.notices == ()
    assert taken_up(result).match == 2
    result.journal.close()
