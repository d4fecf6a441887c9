"""A disk that cannot be written to stops no game, and loses nothing once it works again."""

import errno
import os
import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from connections import Connections
from memory_store import MemoryStore
from played import SETUPS, Open, match, short, taken_up, write

from referee.game.notice import as_notice
from referee.i18n import ENGLISH, error_text
from referee.journal import opening as opening_module
from referee.journal import store as store_module
from referee.journal.buffered_store import RETRY_S, SafeStore
from referee.journal.errors import (
    DiskFull,
    JournalClosedToUs,
    JournalDamaged,
    JournalError,
    JournalInUse,
    ReadOnlyDisk,
)
from referee.journal.journal import Journal
from referee.journal.opening import FILE, LOCK, LockedStore, open_journal
from referee.journal.reading import files_of
from referee.journal.rows import Row
from referee.journal.store import SqliteStore
from tests.support.errors import telling

STEPS = match(SETUPS[0], 5, 40)


@pytest.fixture
def room() -> Iterator[Callable[[int | None], None]]:
    """Says how large a file may grow, as a full disk does; None: as large as it likes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(size: int | None) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft if size is None else size, hard))

    yield limit
    limit(None)


@pytest.fixture
def pragma(connections: Connections) -> Callable[[str | None], None]:
    """Lets every connection that writes a journal begin with a pragma."""

    def choose(text: str | None) -> None:
        connections.begin = lambda _: f"PRAGMA {text}" if text else ""

    return choose


class Moody(MemoryStore):
    """A store that can be told to fail."""

    def __init__(self) -> None:
        super().__init__()
        self.mood: JournalError | None = None
        self.beats: list[float] = []
        self.closed = False

    def put(self, rows: Sequence[Row]) -> None:
        if self.mood is not None:
            raise self.mood
        known = {(row.match, row.number) for row in self.rows}
        super().put([row for row in rows if (row.match, row.number) not in known])

    def beat(self, match: int | None, t: float) -> None:  # noqa: ARG002 - as the protocol has it
        if self.mood is not None:
            raise self.mood
        self.beats.append(t)

    def close(self) -> None:
        self.closed = True


def numbers(rows: Sequence[Row]) -> list[tuple[int, int]]:
    return [(row.match, row.number) for row in rows]


def test_a_full_disk_is_told_and_everything_is_there_once_there_is_room(
    opened: Open, room: Callable[[int | None], None]
) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], STEPS[:10])
    room(30_000)
    write(journal, SETUPS[0], STEPS[10:30])
    assert journal.trouble is not None
    assert "disk" in ENGLISH(journal.trouble)
    room(None)
    write(journal, SETUPS[0], STEPS[30:])
    assert journal.trouble is None
    assert taken_up(opened()).state == STEPS[-1].state


def test_a_full_disk_has_a_name_of_its_own(tmp_path: Path, pragma: Callable[[str | None], None]) -> None:
    store = SqliteStore(tmp_path / FILE)
    journal = Journal(store)
    write(journal, SETUPS[0], STEPS[:1])
    store.close()
    pragma("max_page_count = 1")
    with telling(DiskFull, match="free some space"):
        write(journal, SETUPS[0], STEPS[1:])
    number = journal.number
    pragma(None)
    write(journal, SETUPS[0], STEPS[number:])
    assert [row.number for row in store.rows(1)] == list(range(len(STEPS) + 1))
    store.close()


@pytest.mark.parametrize(("free", "words"), [(0, "is full"), (1 << 30, "the disk is failing")])
def test_a_card_without_room_for_the_index_of_the_log_is_full_and_not_failing(
    opened: Open, room: Callable[[int | None], None], monkeypatch: pytest.MonkeyPatch, free: int, words: str
) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], STEPS[:5])
    journal.close()
    room(10_000)
    monkeypatch.setattr("referee.journal.reading.shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    trouble = opened().journal.trouble
    assert trouble is not None
    assert words in ENGLISH(trouble)


def test_a_disk_that_takes_no_writes_any_more_has_a_name_of_its_own(
    tmp_path: Path, pragma: Callable[[str | None], None]
) -> None:
    store = SqliteStore(tmp_path / FILE)
    store.close()
    pragma("query_only = ON")
    with telling(ReadOnlyDisk, match="check the card"):
        write(Journal(store), SETUPS[0], STEPS[:1])
    store.close()


def test_another_program_that_holds_the_journal_is_waited_for_in_memory(
    folder: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "BUSY_S", 0.05)
    journal = opened().journal
    write(journal, SETUPS[0], STEPS[:5])
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        write(journal, SETUPS[0], STEPS[5:6])
        assert journal.trouble is not None
        assert "another program" in ENGLISH(journal.trouble)
        other.execute("ROLLBACK")
    write(journal, SETUPS[0], STEPS[6:])
    assert journal.trouble is None
    assert taken_up(opened()).state == STEPS[-1].state


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        pytest.param(errno.EROFS, None, "cannot be written to", id="read-only"),
        pytest.param(errno.ENOSPC, None, "is full", id="full"),
        pytest.param(errno.EIO, None, "the disk is failing", id="broken"),
        pytest.param(errno.EACCES, JournalClosedToUs, "change its owner", id="not ours"),
    ],
)
def test_a_disk_in_trouble_at_the_start(
    folder: Path,
    opened: Open,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    kind: type[Exception] | None,
    words: str,
) -> None:
    write(opened().journal, SETUPS[0], STEPS[:20])
    opened().journal.close()

    def fail(path: Path) -> None:
        raise OSError(number, os.strerror(number), str(path))

    lock = opening_module.WriterLock
    monkeypatch.setattr(opening_module, "WriterLock", fail)
    if kind is not None:
        with telling(kind, match=words):
            open_journal(folder)
        return
    result = opened()
    assert result.journal.trouble is not None
    assert words in ENGLISH(result.journal.trouble)
    assert taken_up(result).state == STEPS[19].state
    write(result.journal, SETUPS[0], STEPS[20:30])
    assert result.journal.trouble is not None
    monkeypatch.setattr(opening_module, "WriterLock", lock)
    write(result.journal, SETUPS[0], STEPS[30:])
    assert result.journal.trouble is None
    assert taken_up(opened()).state == STEPS[-1].state


def test_a_folder_that_cannot_be_one_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for folder, found in (
        (tmp_path / "file", f"a file ({tmp_path / 'file'})"),
        (tmp_path / "file" / "state", f"a file ({tmp_path / 'file'})"),
        (tmp_path / "link", f"a link that leads nowhere ({tmp_path / 'link'})"),
    ):
        with pytest.raises(JournalClosedToUs) as caught:
            open_journal(folder)
        assert error_text(caught.value) == (
            f"expected a folder the referee may write to, found {found}; name another folder"
        )


def test_a_file_of_somebody_else_is_told_in_one_line(
    folder: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened().journal.close()
    monkeypatch.setattr(os, "access", lambda path, _: path.name != FILE)
    with telling(JournalClosedToUs, match=FILE):
        open_journal(folder)


def test_a_read_only_disk_after_a_cut_keeps_the_time_of_the_last_beat(
    folder: Path, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], STEPS[:20])
    last = max(step.event.t for step in STEPS[:20])
    for seconds in (1.0, 20.0, 33.5):
        journal.beat(last + seconds)
    cut = tmp_path / "cut"
    cut.mkdir()
    for one in files_of(folder / FILE)[:2]:
        shutil.copy2(one, cut / one.name)

    def fail(path: Path) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(opening_module, "WriterLock", fail)
    result = open_journal(cut)
    assert taken_up(result).t == last + 33.5
    result.journal.close()


def test_a_rescued_journal_keeps_the_time_of_the_last_beat_unless_that_is_damage(folder: Path, opened: Open) -> None:
    last = max(step.event.t for step in STEPS[:20])
    for beat, kept_t in ((12.0, last + 12.0), (1e9, last)):
        journal = opened().journal
        if journal.match is None:
            write(journal, SETUPS[0], STEPS[:20])
        journal.beat(last + beat)
        journal.close()
        (folder / FILE).write_bytes(b"x" + (folder / FILE).read_bytes()[1:])
        assert taken_up(opened()).t == kept_t


def test_a_new_disk_in_trouble_at_the_start_begins_with_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(folder))

    monkeypatch.setattr(Path, "mkdir", fail)
    result = open_journal(folder)
    assert result.kept is None
    write(result.journal, SETUPS[0], short())
    assert result.journal.match == 1
    with telling(JournalError, match=r"last \d+ rows"):
        result.journal.close()


def test_a_disk_that_cannot_even_be_read_begins_with_nothing(
    folder: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(opened().journal, SETUPS[0], STEPS[:5])
    opened().journal.close()

    def fail(path: Path) -> bytes:
        raise OSError(errno.EIO, "Input/output error", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", fail)
        (folder / f"{FILE}-wal").write_bytes(b"x")
        result = open_journal(folder)
    assert result.kept is None
    assert result.journal.trouble is not None
    result.journal.close()


def test_a_journal_that_breaks_while_it_is_used_is_made_anew_with_all_its_events(folder: Path, opened: Open) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], STEPS[:20])
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        connection.execute("DROP TABLE events")
    write(journal, SETUPS[0], STEPS[20:])
    assert journal.trouble is None
    assert "journal-damaged-1.db" in ENGLISH(journal.take_notices()[0])
    assert journal.take_notices() == ()
    assert (folder / "journal-damaged-1.db").exists()
    assert taken_up(opened()).state == STEPS[-1].state


def test_while_in_trouble_rows_wait_in_order_and_a_new_match_waits_too() -> None:
    disk = Moody()
    safe = SafeStore(disk, lambda: disk)
    journal = Journal(safe)
    write(journal, SETUPS[0], short()[:2])
    disk.mood = DiskFull("full")
    write(journal, SETUPS[0], short()[2:])
    write(journal, SETUPS[1], short(SETUPS[1])[:3])
    assert ENGLISH(safe.trouble) == "full"
    assert numbers(disk.rows) == [(1, 0), (1, 1), (1, 2)]
    disk.mood = None
    journal.append(short(SETUPS[1])[3].event, short(SETUPS[1])[3].state)
    assert safe.trouble is None
    assert numbers(disk.rows) == [*((1, n) for n in range(len(short()) + 1)), *((2, n) for n in range(5))]
    journal.close()
    assert disk.closed


def test_in_trouble_the_heartbeat_tries_again_now_and_then() -> None:
    disk = Moody()
    safe = SafeStore(disk, lambda: disk)
    journal = Journal(safe)
    write(journal, SETUPS[0], short()[:1])
    journal.beat(100.0)
    disk.mood = ReadOnlyDisk("cannot be written to")
    journal.beat(101.0)
    assert ENGLISH(safe.trouble) == "cannot be written to"
    write(journal, SETUPS[0], short()[1:2])
    disk.mood = None
    journal.beat(101.0 + RETRY_S / 2)
    assert ENGLISH(safe.trouble) == "cannot be written to"
    journal.beat(101.0 + RETRY_S)
    assert safe.trouble is None
    assert disk.beats == [100.0, 101.0 + RETRY_S]
    assert len(disk.rows) == 3


def test_a_disk_in_trouble_is_tried_again_before_any_match() -> None:
    disk = Moody()
    tries: list[bool] = [False, False, True]

    def reopen() -> Moody:
        if not tries.pop(0):
            raise DiskFull("full")
        return disk

    journal = Journal(SafeStore(None, reopen, trouble=as_notice("full")))
    for t in (0.0, 1.0, RETRY_S):
        journal.beat(t)
        assert ENGLISH(journal.trouble) == "full"
    journal.beat(2 * RETRY_S)
    assert journal.trouble is None
    assert disk.beats == []


def test_a_match_given_up_on_a_full_disk_is_written_once_there_is_room() -> None:
    disk = Moody()
    journal = Journal(SafeStore(disk, lambda: disk))
    write(journal, SETUPS[0], short()[:2])
    disk.mood = DiskFull("full")
    journal.give_up()
    journal.beat(100.0)
    assert ENGLISH(journal.trouble) == "full"
    disk.mood = None
    journal.beat(100.0 + RETRY_S)
    assert journal.trouble is None
    assert disk.rows[-1].kind == "given-up"
    assert disk.beats == []


def test_a_damaged_store_is_let_go_and_opened_anew_with_every_row_of_the_match() -> None:
    first, second = Moody(), Moody()
    safe = SafeStore(first, lambda: second)
    journal = Journal(safe)
    write(journal, SETUPS[0], STEPS[:3])
    first.mood = JournalDamaged("broken")
    journal.beat(5.0)
    assert first.closed
    second.mood = DiskFull("full")
    write(journal, SETUPS[0], STEPS[3:4])
    assert ENGLISH(safe.trouble) == "full"
    second.mood = None
    write(journal, SETUPS[0], STEPS[4:5])
    assert numbers(second.rows) == [(1, n) for n in range(6)]


def test_closing_tells_what_is_lost_and_writes_it_where_it_can() -> None:
    disk = Moody()
    journal = Journal(SafeStore(disk, lambda: disk))
    disk.mood = DiskFull("full")
    write(journal, SETUPS[0], short()[:1])
    with telling(JournalError, match="last 2 rows of the journal, but full"):
        journal.close()
    disk.mood = None
    journal.close()
    assert len(disk.rows) == 2


def test_a_disk_taken_by_another_referee_meanwhile_is_trouble_too() -> None:
    def taken() -> MemoryStore:
        raise JournalInUse("another referee")

    safe = SafeStore(None, taken, trouble=as_notice("full"))
    write(Journal(safe), SETUPS[0], short()[:1])
    assert ENGLISH(safe.trouble) == "another referee"


def test_a_lock_without_room_for_a_name_still_locks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    held = LockedStore(folder)
    assert (folder / LOCK).read_text() == ""
    with telling(JournalInUse, match="process unknown"):
        LockedStore(folder)
    held.close()
    held.close()


def test_any_other_failure_of_the_disk_is_told_as_one(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with telling(JournalError, match="the disk is failing") as caught:
        SqliteStore(tmp_path / FILE)
    assert type(caught.value) is JournalError
