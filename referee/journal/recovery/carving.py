"""Finds rows in the bytes of a journal, even if SQLite cannot read it.

After a power cut, or on a failing card, SQLite drops its log from the first wrong byte on, and a file with a broken
page may not open at all. Most rows are still there. They are read here page by page according to SQLite's file format
(https://www.sqlite.org/fileformat2.html), and their own checksums show which of them are intact.

A database of another program in the journal's place belongs to somebody, so it is neither used nor moved.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from referee.game.notice import Notice
from referee.journal.errors import ForeignFile, JournalDamaged
from referee.journal.reading import log_of, read_only, translate_errors
from referee.journal.rows import Row
from referee.journal.schema import is_marked
from referee.journal.store import PAGE

LOG_HEADER = 32
FRAME_HEADER = 24
_LEAF = 0x0D
_LARGEST_LOCAL = PAGE - 35
_SMALLEST_LOCAL = (PAGE - 12) * 32 // 255 - 23
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_LONGEST = 1 << 24

Pages = dict[int, bytes]
Image = tuple[bytes, Pages]
"""A page as it was written once, and the pages on which its records may continue."""


def found_rows(path: Path) -> list[Row]:
    """Return every row in the file and its log, earlier writes first; raises OSError if they cannot be read."""
    return [row for image in (*_in_file(path), *_in_log(path)) for row in _rows(*image)]


def log_rows(path: Path) -> list[Row]:
    """Return every row in the log of the file; none if there is no log."""
    return [row for image in _in_log(path) for row in _rows(*image)]


def find_last_beat(path: Path, match: int) -> float | None:
    """Return the latest match time stored for a match, in the file or its log; None if there is none.

    Raises OSError if they cannot be read.
    """
    found = [values for image in (*_in_file(path), *_in_log(path)) for values in _records(*image)]
    # The record does not contain the key of the table's only row.
    beats = [values[2] for values in found if len(values) == 3 and values[:2] == [None, match]]
    return max((float(t) for t in beats if isinstance(t, int | float) and math.isfinite(t)), default=None)


def _in_file(path: Path) -> list[Image]:
    pages = _pages(path) if path.exists() else {}
    return [(image, pages) for image in pages.values()]


def _in_log(path: Path) -> list[Image]:
    log = log_of(path)
    if not log.exists():
        return []
    data = log.read_bytes()
    pages = _pages(path) if path.exists() else {}
    frames = []
    for start in range(LOG_HEADER, len(data) - FRAME_HEADER, FRAME_HEADER + PAGE):
        number = struct.unpack_from(">I", data, start)[0]
        image = data[start + FRAME_HEADER : start + FRAME_HEADER + PAGE].ljust(PAGE, b"\0")
        # Frames from an earlier round of the log are older than those of the present round.
        frames.append((data[start + 8 : start + 16] == data[16:24], number, image))
    frames.sort(key=lambda frame: frame[0])
    pages.update((number, image) for _, number, image in frames)
    return [(image, pages) for _, _, image in frames]


def _pages(path: Path) -> Pages:
    data = path.read_bytes()
    return {1 + start // PAGE: data[start : start + PAGE].ljust(PAGE, b"\0") for start in range(0, len(data), PAGE)}


def _rows(page: bytes, pages: Pages) -> Iterator[Row]:
    """Yield the rows of events on one page; none if it is another kind of page."""
    for values in _records(page, pages):
        row = _row(values)
        if row is not None:
            yield row


def _records(page: bytes, pages: Pages) -> Iterator[list[Any]]:
    """Yield the records on one page, of whatever table; none if it is another kind of page."""
    if page[0] != _LEAF:
        return
    cells = min(struct.unpack_from(">H", page, 3)[0], (PAGE - 8) // 2)
    for start in struct.unpack_from(f">{cells}H", page, 8):
        try:
            yield _values(_record(page, start, pages))
        except (IndexError, ValueError, struct.error):
            continue


def _record(page: bytes, start: int, pages: Pages) -> bytes:
    """Return the bytes of the record whose cell begins at `start`, including those on overflow pages."""
    length, at = _varint(page, start)
    _, at = _varint(page, at)
    if not 0 < length < _LONGEST:
        raise ValueError(length)
    if length <= _LARGEST_LOCAL:
        return page[at : at + length]
    local = _SMALLEST_LOCAL + (length - _SMALLEST_LOCAL) % (PAGE - 4)
    local = local if local <= _LARGEST_LOCAL else _SMALLEST_LOCAL
    record = page[at : at + local]
    follow = struct.unpack_from(">I", page, at + local)[0]
    while len(record) < length:
        if follow not in pages:
            raise ValueError(follow)
        record += pages[follow][4 : 4 + length - len(record)]
        follow = struct.unpack_from(">I", pages[follow])[0]
    return record


def _values(record: bytes) -> list[Any]:
    head, at = _varint(record, 0)
    kinds = []
    while at < head:
        kind, at = _varint(record, at)
        kinds.append(kind)
    values = []
    for kind in kinds:
        value, at = _value(record, kind, at)
        values.append(value)
    return values


def _row(values: list[Any]) -> Row | None:
    """Return a record as a row of events; None if it belongs to another table."""
    if len(values) != 8:
        return None
    match, number, t, wall, code, body, score, total = values
    whole = all(isinstance(value, int) for value in (match, number, total))
    texts = all(isinstance(value, str) for value in (wall, code, body))
    if not (whole and texts and isinstance(t, int | float) and (score is None or isinstance(score, str))):
        return None
    return Row(match, number, float(t), wall, code, body, score, total)


def _value(record: bytes, kind: int, at: int) -> tuple[Any, int]:
    if kind in (8, 9):
        return kind - 8, at
    if kind == 0:
        return None, at
    size = _INTEGERS.get(kind, 8) if kind <= 7 else (kind - 12) // 2
    raw = record[at : at + size]
    if kind in (10, 11) or len(raw) < size:
        raise ValueError(kind)
    if kind == 7:
        return struct.unpack(">d", raw)[0], at + size
    if kind in _INTEGERS:
        return int.from_bytes(raw, "big", signed=True), at + size
    return raw.decode("utf-8") if kind % 2 else raw, at + size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return SQLite's number of one to nine bytes, and the position after it."""
    value = 0
    for offset in range(8):
        byte = data[at + offset]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + offset + 1
    return value << 8 | data[at + 8], at + 9


_NAMED = 3
"""How many tables of a foreign file are named, which is enough to recognise it."""


def refuse_foreign(path: Path) -> None:
    """Raise ForeignFile if there is an intact SQLite file in which a referee has never written anything.

    A damaged file is not judged here, because what is left of a journal may look like anything.
    """
    if not path.exists() or not path.stat().st_size:
        return
    try:
        tables = _of_another(path)
    except JournalDamaged:
        return
    # A journal whose list of tables is garbled still contains its rows.
    if tables is None or found_rows(path):
        return
    if not tables:
        raise ForeignFile(Notice("journal.foreign_empty", path=str(path)))
    raise ForeignFile(Notice("journal.foreign", path=str(path), tables=tuple(tables[:_NAMED])))


def _of_another(path: Path) -> list[str] | None:
    """Return the names of the tables of another program's file.

    Returns None for a journal, for an empty file and for a damaged one.
    """
    with translate_errors(path), closing(read_only(path)) as connection:
        columns = [name for (name,) in connection.execute("SELECT name FROM pragma_table_info('events')")]
        if is_marked(connection) or {"match", "number", "kind", "body", "sum"} <= set(columns):
            return None
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        marks = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id")]
        if not (tables or any(marks)):
            return None
        whole = connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
    return tables if whole else None
