"""Old journals are brought up to date, newer ones are left alone."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from played import SETUPS, Open, short, write

from referee.game.match.events import Event, OutOfOrder, Pressed, Resumed
from referee.game.match.machine import apply
from referee.game.match.state import State
from referee.i18n import ENGLISH, error_text
from referee.journal.errors import JournalDamaged, NewerJournal
from referee.journal.opening import FILE, LOCK, open_journal
from referee.journal.schema import VERSION
from referee.journal.scores import read_scores
from referee.journal.store import SqliteStore
from tests.support.errors import telling

VERSION_1 = Path(__file__).with_name("version-1.sql")


def ask(path: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


@pytest.fixture
def old(folder: Path) -> Path:
    """A journal of version 1 with one match over and one under way."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.executescript(VERSION_1.read_text())
    return folder / FILE


def test_a_journal_of_version_1_is_brought_up_to_date(old: Path, opened: Open) -> None:
    result = opened()
    assert result.kept is not None
    assert (result.kept.match, result.kept.tip.row.number) == (2, 2)
    assert result.kept.t == 1234.5
    assert result.kept.setup == replace(SETUPS[1], edition=1)
    assert result.notices == ()
    result.journal.append(*_next(result.kept.state))
    assert ask(old, "PRAGMA user_version") == [(VERSION,)]
    assert ask(old, "SELECT id, rules, options, season, given_up FROM matches") == [
        (1, "rummikub", "{}", None, 0),
        (2, "ravensburger", '{"jokers": "2"}', 1, 0),
    ]
    assert ask(old, "SELECT name FROM seasons") == [("Winter",)]
    assert ask(old, "SELECT match, seat, name FROM seats JOIN players ON player = id WHERE match = 1") == [
        (1, 0, "Ann"),
        (1, 1, "Ben"),
    ]


def _next(state: State) -> tuple[Event, State]:
    for event in (Pressed(state.current, 1300.0), Resumed(1300.0)):
        try:
            return event, apply(state, event)[0]
        except OutOfOrder:
            continue
    raise AssertionError(state.phase)


def test_a_migration_that_fails_changes_nothing(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half_done (a INTEGER)")
        raise ValueError("no")

    with monkeypatch.context() as patch:
        patch.setattr("referee.journal.schema.MIGRATIONS", (None, fail))
        with telling(JournalDamaged, match="version 1"):
            SqliteStore(old)
    assert ask(old, "PRAGMA user_version") == [(1,)]
    assert ask(old, "SELECT name FROM sqlite_schema WHERE name = 'half_done'") == []
    SqliteStore(old).close()


def test_a_newer_journal_is_left_alone_with_one_line(folder: Path, opened: Open) -> None:
    write(opened().journal, SETUPS[0], short())
    opened().journal.close()
    path = folder / FILE
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA application_id = {0x52756D00 + VERSION + 1}")
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = path.read_bytes()
    with telling(NewerJournal, match=f"version {VERSION + 1}: install the referee that wrote it") as caught:
        open_journal(folder)
    assert "\n" not in error_text(caught.value)
    assert path.read_bytes() == before


def test_wrong_bytes_in_the_version_and_elsewhere_are_damage(folder: Path, opened: Open) -> None:
    write(opened().journal, SETUPS[0], short())
    opened().journal.close()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute("PRAGMA user_version = 4096")
        connection.execute("DROP TRIGGER never_changed")
        connection.execute("UPDATE events SET t = t + 1 WHERE number = 3")
        connection.commit()
    result = opened()
    assert "found 4096" in ENGLISH(result.notices[0])
    assert (folder / "journal-damaged-1.db").exists()


@pytest.mark.parametrize("version", [VERSION + 1, 99, 4096])
def test_a_whole_journal_with_another_version_alone_is_a_newer_one(folder: Path, opened: Open, version: int) -> None:
    write(opened().journal, SETUPS[0], short())
    opened().journal.close()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    before = (folder / FILE).read_bytes()
    for use in (lambda: open_journal(folder), lambda: read_scores(folder / FILE)):
        with telling(NewerJournal, match=f"found version {version}: install the referee that wrote it"):
            use()
    assert (folder / FILE).read_bytes() == before
    assert sorted(one.name for one in folder.iterdir()) == [FILE, LOCK]


def test_who_plays_together_again_is_the_same_player(folder: Path, opened: Open) -> None:
    journal = opened().journal
    for _ in range(2):
        write(journal, SETUPS[1], short(SETUPS[1]))
    assert ask(folder / FILE, "SELECT count(*) FROM players") == [(2,)]
    assert ask(folder / FILE, "SELECT season FROM matches") == [(1,), (1,)]
