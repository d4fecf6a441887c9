"""A database of another program is nobody's journal: it is neither adopted nor moved aside."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from played import SETUPS, Open, short, taken_up, write

from referee.doctor.finding import Result
from referee.doctor.storage import contents
from referee.i18n import ENGLISH, error_text
from referee.journal.errors import ForeignFile
from referee.journal.opening import FILE, LOCK, open_journal
from referee.journal.scores import read_scores
from tests.support.errors import telling


def made(path: Path, script: str) -> bytes:
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("script", "told"),
    [
        pytest.param("CREATE TABLE recipes (name TEXT)", "with the table recipes", id="a table"),
        pytest.param("CREATE TABLE events (id, title)", "with the table events", id="events of another kind"),
        pytest.param("PRAGMA user_version = 7; CREATE TABLE moz (a)", "with the table moz", id="with a version"),
        pytest.param("PRAGMA application_id = 7", "with no tables", id="a mark alone"),
        pytest.param(
            "".join(f"CREATE TABLE t{number} (a);" for number in range(9)), "the tables t0, t1 and t2", id="many"
        ),
    ],
)
def test_it_is_refused_and_left_as_it_is(folder: Path, script: str, told: str) -> None:
    before = made(folder / FILE, script)
    with telling(ForeignFile, match=told) as caught:
        open_journal(folder)
    assert "\n" not in error_text(caught.value)
    assert "move it away, or name another folder" in error_text(caught.value)
    with telling(ForeignFile, match=told):
        read_scores(folder / FILE)
    found = contents(folder / FILE)
    assert found.result is Result.WRONG
    assert "mends" not in ENGLISH(found.do)
    assert (folder / FILE).read_bytes() == before
    assert sorted(one.name for one in folder.iterdir()) == [FILE, LOCK]


def test_an_empty_database_is_a_new_journal(folder: Path) -> None:
    made(folder / FILE, "CREATE TABLE a (b); DROP TABLE a;")
    opened = open_journal(folder)
    assert opened.kept is None
    assert opened.notices == ()
    opened.journal.close()


def test_a_journal_without_its_mark_and_its_tables_is_still_one(folder: Path, opened: Open) -> None:
    write(opened().journal, SETUPS[0], short())
    opened().journal.close()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute("PRAGMA application_id = 0")
        connection.execute("ALTER TABLE events RENAME TO gone")
        connection.commit()
    result = opened()
    assert taken_up(result).state == short()[-1].state
    assert "journal-damaged-1.db" in ENGLISH(result.notices[0])


def test_a_damaged_database_is_set_aside_as_ever(folder: Path, opened: Open) -> None:
    data = bytearray(made(folder / FILE, "CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup');"))
    data[4096:] = b"\xa5" * (len(data) - 4096)
    (folder / FILE).write_bytes(data)
    assert "journal-damaged-1.db" in ENGLISH(opened().notices[0])
