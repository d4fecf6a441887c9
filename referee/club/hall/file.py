"""The hall's SQLite file: its schema with migrations, and transactions."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.club.hall.results import MARK

VERSION = 3
"""The version of the schema."""
_MARK = 0x48414C00
"""The application id of a hall's file ("HAL" in ASCII), to which the version is added."""
BUSY_S = 10.0
"""Seconds to wait while another connection writes. Chosen by hand."""
ROW_BYTES = 100
"""The approximate bytes of a row besides its body; counted in the limit on what is stored of a table."""
# `matches`: the document of each result. `epoch` has the mark of its branch; `from_history` is 1 if the document was
# computed from events.
_TABLES = (
    "CREATE TABLE events (tbl TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, received TEXT NOT NULL, "
    "body BLOB NOT NULL, PRIMARY KEY (tbl, epoch, seq)) STRICT, WITHOUT ROWID",
    "CREATE TABLE matches (tbl TEXT NOT NULL, epoch TEXT NOT NULL, match INTEGER NOT NULL, begun TEXT NOT NULL, "
    "body TEXT NOT NULL, from_history INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tbl, epoch, match)) "
    "STRICT, WITHOUT ROWID",
    "CREATE TABLE notes (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, wall TEXT NOT NULL, body TEXT NOT NULL) "
    "STRICT",
)
_SIZES = "CREATE TABLE sizes (tbl TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID"
_TO_2 = (_SIZES, "INSERT INTO sizes SELECT tbl, sum(length(body)) FROM events GROUP BY tbl")
_TO_3 = (
    "ALTER TABLE matches ADD COLUMN from_history INTEGER NOT NULL DEFAULT 0",
    "UPDATE matches SET from_history = 1, body = document(epoch, match, begun, body)",
    f"UPDATE sizes SET bytes = bytes + (SELECT coalesce(sum(length(body) + {ROW_BYTES}), 0) "  # noqa: S608 - a number
    "FROM matches WHERE matches.tbl = sizes.tbl)",
)


def connect_for_notes(path: Path | str) -> sqlite3.Connection:
    """Connect to a hall's file, which must exist, with full synchronisation: what a director enters comes once."""
    db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA synchronous = FULL")
    return db


def migrate(db: sqlite3.Connection, path: Path | str) -> None:
    """Migrate a file to this version in one transaction; raises DatabaseError for a file that is not a hall's."""
    found, mark = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id"))
    if found == VERSION and mark == _MARK + VERSION:
        return
    if found in (1, 2) and mark == _MARK + found:
        steps = (*(_TO_2 if found == 1 else ()), *_TO_3)
    elif found or mark or db.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise sqlite3.DatabaseError(f"expected the file of a hall of version {VERSION}, found another one ({path})")
    else:
        steps = (*_TABLES, _SIZES)
    db.create_function("document", 4, _document_of_version_2, deterministic=True)
    with transaction(db):
        for statement in (*steps, f"PRAGMA user_version = {VERSION}", f"PRAGMA application_id = {_MARK + VERSION}"):
            db.execute(statement)


def _document_of_version_2(epoch: str, match: int, begun: str, body: str) -> str:
    """Return a result of a version 2 file as a document without revisions, which any later document supersedes."""
    told = json.loads(body)
    rounds = [
        {"points": points, "winner": winner, "corrected": corrected} for points, winner, corrected in told["rounds"]
    ]
    document = {**told, "epoch": epoch.partition(MARK)[0], "match": match, "begun": begun, "rounds": rounds}
    return json.dumps(document, ensure_ascii=False)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Run the block in a transaction: commit at the end, roll back if anything is raised."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:  # whatever was raised in the block, including Ctrl-C, nothing is stored
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
