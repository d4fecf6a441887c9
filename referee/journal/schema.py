"""The tables of the journal, version by version."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence

from referee.game.notice import Notice
from referee.journal.errors import JournalDamaged, NewerJournal
from referee.journal.rows import GIVEN_UP, MATCH, Row

ROWS = "SELECT match, number, t, wall, kind, body, score, sum FROM events"

_EVENTS = """
CREATE TABLE events (
    match INTEGER NOT NULL,
    number INTEGER NOT NULL,
    t REAL NOT NULL,
    wall TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    score TEXT,
    sum INTEGER NOT NULL,
    PRIMARY KEY (match, number)
) STRICT;
CREATE INDEX scored ON events (match, number) WHERE score IS NOT NULL;
CREATE TRIGGER never_changed BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal only grows: an event is never changed'); END;
CREATE TRIGGER never_deleted BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal only grows: an event is never deleted'); END;
CREATE TABLE clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    match INTEGER NOT NULL,
    t REAL NOT NULL
) STRICT;
"""

# Everything below only repeats what the events say, for queries by name.
_NAMES = """
CREATE TABLE seasons (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    rules TEXT NOT NULL,
    options TEXT NOT NULL,
    season INTEGER REFERENCES seasons (id),
    begun TEXT NOT NULL,
    given_up INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE seats (
    match INTEGER NOT NULL REFERENCES matches (id),
    seat INTEGER NOT NULL,
    player INTEGER NOT NULL REFERENCES players (id),
    PRIMARY KEY (match, seat)
) STRICT;
"""

# What is sent to the club. These tables have no row ids, so that their rows cannot be mistaken for the one of the
# clock when the bytes of a damaged journal are searched.
_CLUB = """
CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY,
    match INTEGER NOT NULL,
    number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE club (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    epoch TEXT NOT NULL,
    telling INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"""

_SEASON = ("INSERT OR IGNORE INTO seasons (name) VALUES (?)", "SELECT id FROM seasons WHERE name = ?")
_PLAYER = ("INSERT OR IGNORE INTO players (name) VALUES (?)", "SELECT id FROM players WHERE name = ?")


def index(connection: sqlite3.Connection, row: Row) -> None:
    """Enter the content of a new row into the tables for queries by name."""
    if row.kind == MATCH:
        setup = json.loads(row.body)
        season = None if setup["season"] is None else _id(connection, _SEASON, setup["season"])
        connection.execute(
            "INSERT INTO matches (id, rules, options, season, begun) VALUES (?, ?, ?, ?, ?)",
            (row.match, setup["rules"], json.dumps(setup["options"]), season, row.wall),
        )
    elif row.kind == "started":
        for seat, name in enumerate(json.loads(row.body)["players"]):
            player = _id(connection, _PLAYER, name)
            connection.execute("INSERT INTO seats VALUES (?, ?, ?)", (row.match, seat, player))
    elif row.kind == GIVEN_UP:
        connection.execute("UPDATE matches SET given_up = 1 WHERE id = ?", (row.match,))


def _id(connection: sqlite3.Connection, table: tuple[str, str], name: str) -> int:
    # SQLite refuses text with lone surrogates, which a broken terminal may send.
    name = name.encode("utf-8", "replace").decode()
    enter, find = table
    connection.execute(enter, (name,))
    return int(connection.execute(find, (name,)).fetchone()[0])


def _to_1(connection: sqlite3.Connection) -> None:
    _execute_script(connection, _EVENTS)


def _to_2(connection: sqlite3.Connection) -> None:
    """Add the tables of matches, players and seasons by name, and fill them from the existing events."""
    _execute_script(connection, _NAMES)
    for values in connection.execute(f"{ROWS} ORDER BY match, number").fetchall():
        index(connection, Row(*values))


def _to_3(connection: sqlite3.Connection) -> None:
    """Add the outbox for the club. It stays empty until somebody switches it on."""
    _execute_script(connection, _CLUB)


def _execute_script(connection: sqlite3.Connection, script: str) -> None:
    # `executescript` would end the transaction that makes a migration all or nothing.
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


MIGRATIONS: Sequence[Callable[[sqlite3.Connection], None]] = (_to_1, _to_2, _to_3)
"""The steps from each version to the next; an empty file is version 0."""

VERSION = len(MIGRATIONS)
NAMES_SINCE, OUTBOX_SINCE = 2, 3
"""The versions that introduced matches by name, and the outbox."""
# "Rum" and the version once more: a wrong byte in the version alone does not make a journal look newer.
_MARK = 0x52756D00


def is_marked(connection: sqlite3.Connection) -> bool:
    """Return whether a file has the mark of a file that a referee made."""
    return int(connection.execute("PRAGMA application_id").fetchone()[0]) >> 8 == _MARK >> 8


def altered_rows(connection: sqlite3.Connection) -> Iterator[tuple[int, int]]:
    """Yield match and number of every row that is missing or not as it was written.

    Each checksum covers the one before.
    """
    match, number, before = 0, -1, 0
    for values in connection.execute(f"{ROWS} ORDER BY match, number"):
        row = Row(*values)
        if row.match != match:
            match, number, before = row.match, -1, 0
        if row.number != number + 1:
            yield match, number + 1
        elif not row.follows(before):
            yield match, row.number
        number, before = row.number, row.sum


def _otherwise_whole(connection: sqlite3.Connection) -> bool:
    whole = connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
    return whole and next(altered_rows(connection), None) is None


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of a journal; raises NewerJournal for one that this referee does not know yet.

    A file whose mark names another version counts as newer only if nothing else in it is wrong. Otherwise raises
    JournalDamaged.
    """
    found, mark = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("user_version", "application_id")
    )
    newer = found > VERSION and (mark == _MARK + found or (is_marked(connection) and _otherwise_whole(connection)))
    if found < 0 or (found > VERSION and not newer):
        raise JournalDamaged(Notice("journal.bad_version", found=found))
    if found > VERSION:
        raise NewerJournal(Notice("journal.newer", version=VERSION, found=found))
    return found


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a journal to the present version, in one transaction."""
    found = version_of(connection)
    if found == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in MIGRATIONS[found:]:
            step(connection)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute(f"PRAGMA application_id = {_MARK + VERSION}")
        connection.execute("COMMIT")
    except (ValueError, KeyError, TypeError) as error:
        raise JournalDamaged(Notice("journal.bad_events", version=found, reason=str(error))) from error
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
