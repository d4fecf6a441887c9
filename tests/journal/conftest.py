"""Journals that are closed again."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from connections import Connections
from played import Open, Wall

from referee.journal.journal import Journal
from referee.journal.opening import Opened, open_journal


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> Connections:
    """All connections that write a journal from now on."""
    made = Connections(sqlite3.connect)
    monkeypatch.setattr(sqlite3, "connect", made.connect)
    return made


@pytest.fixture
def opened(folder: Path, wall: Wall) -> Iterator[Open]:
    """Opens the journal in `folder`, closing the one before, as a new start of the program does."""
    journals: list[Journal] = []

    def again() -> Opened:
        while journals:
            journals.pop().close()
        result = open_journal(folder, wall, wall.monotonic)
        journals.append(result.journal)
        return result

    yield again
    for journal in journals:
        journal.close()
