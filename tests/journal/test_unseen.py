"""A match that began while the journal could not be read is kept behind those that stand in it."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from memory_store import MemoryStore
from played import SETUPS, Open, Step, match, short, write

from referee.game.match.machine import apply
from referee.game.notice import as_notice
from referee.i18n import ENGLISH
from referee.journal.buffered_store import RETRY_S, SafeStore
from referee.journal.errors import DiskFull, JournalError
from referee.journal.journal import Journal
from referee.journal.opening import FILE, LockedStore, open_journal
from referee.journal.rows import Row, broken_at
from referee.journal.scores import read_scores

STEPS = match(SETUPS[0], 5, 30)


def hidden(folder: Path) -> Path:
    """Take the journal away, as a disk that is not there yet."""
    return folder.rename(folder.with_name("elsewhere"))


def back(folder: Path) -> None:
    folder.with_name("elsewhere").rename(folder)


def go_on(journal: Journal, steps: Sequence[Step]) -> None:
    for step in steps:
        journal.append(step.event, step.state)


@pytest.fixture
def unreadable(folder: Path, opened: Open, monkeypatch: pytest.MonkeyPatch) -> Journal:
    """A journal of two matches whose disk is not there at the start."""
    journal = opened().journal
    write(journal, SETUPS[0], short())
    write(journal, SETUPS[1], short(SETUPS[1])[:3])
    journal.close()
    hidden(folder)
    with monkeypatch.context() as patch:

        def fail(*_: object, **__: object) -> None:
            raise OSError(5, "Input/output error", str(folder))

        patch.setattr(os, "statvfs", fail)
        journal = open_journal(folder).journal
    for one in folder.iterdir():
        one.unlink()
    folder.rmdir()
    return journal


def test_it_gets_the_next_number_and_nothing_is_lost(folder: Path, opened: Open, unreadable: Journal) -> None:
    assert unreadable.trouble is not None
    folder.write_text("in the way")
    write(unreadable, SETUPS[0], STEPS[:10])
    assert unreadable.match == 1
    assert unreadable.place is None
    folder.unlink()
    back(folder)
    go_on(unreadable, STEPS[10:20])
    assert unreadable.trouble is None
    assert (unreadable.match, unreadable.number) == (3, 20)
    assert unreadable.place == (3, 20)
    assert "is match 3 in the journal" in ENGLISH(unreadable.take_notices()[0])
    unreadable.beat(1e6)
    go_on(unreadable, STEPS[20:])
    unreadable.close()
    again = opened()
    assert again.kept is not None
    assert (again.kept.match, again.kept.state, again.kept.t) == (3, STEPS[-1].state, 1e6)
    assert again.notices == ()
    assert [score.match for score in read_scores(folder / FILE)] == [1, 2, 3]
    assert not any(score.damaged for score in read_scores(folder / FILE))


def test_the_next_match_goes_behind_it(folder: Path, unreadable: Journal) -> None:
    folder.write_text("in the way")
    write(unreadable, SETUPS[0], STEPS[:5])
    unreadable.give_up()
    write(unreadable, SETUPS[1], short(SETUPS[1])[:2])
    folder.unlink()
    back(folder)
    unreadable.beat(1e6)
    assert unreadable.trouble is None
    assert unreadable.match == 4
    write(unreadable, SETUPS[0], STEPS[:3])
    assert unreadable.match == 5
    unreadable.close()
    states = [(score.match, score.state) for score in read_scores(folder / FILE)]
    assert states == [(1, "over"), (2, "not over"), (3, "given up"), (4, "not over"), (5, "not over")]


def test_it_goes_behind_later_matches_though_none_has_its_number(folder: Path, opened: Open) -> None:
    store = LockedStore(folder)
    write(Journal(store, newest=4), SETUPS[1], short(SETUPS[1])[:3])
    store.close()
    hidden(folder)
    folder.write_text("in the way")
    journal = Journal(SafeStore(None, lambda: LockedStore(folder), trouble=as_notice("the disk is failing")))
    write(journal, SETUPS[0], STEPS[:10])
    assert journal.match == 1
    folder.unlink()
    back(folder)
    go_on(journal, STEPS[10:])
    assert journal.place == (6, len(STEPS))
    assert "is match 6 in the journal" in ENGLISH(journal.take_notices()[0])
    journal.close()
    again = opened()
    assert again.kept is not None
    assert (again.kept.match, again.kept.state) == (6, STEPS[-1].state)
    assert [score.match for score in read_scores(folder / FILE)] == [5, 6]


def test_a_match_that_begins_once_the_journal_is_back_has_the_next_number_at_once(
    folder: Path, unreadable: Journal
) -> None:
    back(folder)
    unreadable.beat(0.0)
    assert unreadable.trouble is None
    write(unreadable, SETUPS[0], STEPS[:3])
    assert unreadable.place == (3, 3)
    assert unreadable.take_notices() == ()
    unreadable.close()


def test_a_match_that_went_on_from_an_older_copy_goes_behind_the_real_one(folder: Path, opened: Open) -> None:
    write(opened().journal, SETUPS[0], STEPS[:8])
    opened().journal.close()
    store = LockedStore(folder)
    rows, kept = list(store.rows(1)), store.kept
    store.close()
    assert kept is not None
    write(Journal(disk := LockedStore(folder), 1, kept), SETUPS[0], STEPS[8:12])
    disk.close()
    state = STEPS[7].state
    safe = SafeStore(None, lambda: LockedStore(folder), rows, "full")
    journal = Journal(safe, 1, kept)
    other = STEPS[8].event.__class__(*(getattr(STEPS[8].event, name) for name in STEPS[8].event.__slots__))
    object.__setattr__(other, "t", STEPS[8].event.t + 0.5)
    journal.append(other, apply(state, other)[0])
    assert journal.trouble is None
    assert journal.match == 2
    journal.close()
    store = LockedStore(folder)
    assert broken_at(store.rows(1)) is None
    assert len(store.rows(1)) == 13
    assert store.rows(2)[-1].number == 9
    store.close()


def test_two_tries_give_one_number() -> None:
    class Old(MemoryStore):
        full = True

        def put(self, rows: Sequence[Row]) -> None:
            if self.full:
                raise DiskFull("full")
            super().put(rows)

    old, steps = Old(), short()
    journal = Journal(before := MemoryStore())
    write(journal, SETUPS[1], short(SETUPS[1])[:2])
    old.rows += before.rows
    safe = SafeStore(None, lambda: old, trouble=as_notice("full"))
    journal = Journal(safe)
    write(journal, SETUPS[0], steps[:2])
    journal.beat(0.0)
    old.full = False
    journal.beat(RETRY_S)
    assert journal.trouble is None
    assert journal.match == 2
    assert [row.number for row in old.rows if row.match == 2] == [0, 1, 2]


def test_a_disk_that_fails_while_numbers_are_compared_is_asked_again() -> None:
    class Old(MemoryStore):
        fails = True
        closed = 0

        def clashes(self, rows: Sequence[Row]) -> bool:
            if self.fails:
                raise JournalError("the disk is failing")
            return super().clashes(rows)

        def close(self) -> None:
            self.closed += 1

    old = Old()
    write(Journal(old), SETUPS[1], short(SETUPS[1])[:2])
    journal = Journal(SafeStore(None, lambda: old, trouble=as_notice("full")))
    write(journal, SETUPS[0], short()[:2])
    assert (ENGLISH(journal.trouble), old.closed) == ("the disk is failing", 2)
    old.fails = False
    journal.beat(RETRY_S)
    assert journal.trouble is None
    assert journal.place == (2, 2)
