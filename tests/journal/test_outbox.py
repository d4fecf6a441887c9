"""What is told to the club is what is in the journal: each row once and in order, whatever happens to the disk."""

import random
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from played import SETUPS, Wall, match, short, taken_up, write
from test_kill import WRITER, killed_writer

from referee.game.match.events import Corrected
from referee.journal import amending
from referee.journal.journal import Journal
from referee.journal.opening import FILE, Opened, open_journal
from referee.journal.outbox import Outgoing, matches_changed, newest_matches, position, read_outgoing, result_entries
from referee.journal.scores import read_scores

STEPS = match(SETUPS[0], 5, 40)
ALL = 10_000


@pytest.fixture
def telling(folder: Path, wall: Wall) -> Iterator:
    """Opens the journal with the club on or off, closing the one before."""
    journals: list[Journal] = []

    def again(*, club: bool = True) -> Opened:
        while journals:
            journals.pop().close()
        result = open_journal(folder, wall, wall.monotonic, club=club)
        journals.append(result.journal)
        return result

    yield again
    for journal in journals:
        journal.close()


def told(folder: Path, after: int = 0, most: int = ALL) -> Outgoing:
    found = read_outgoing(folder / FILE, after, most)
    assert found is not None
    return found


def rows(folder: Path) -> list[tuple[int, int]]:
    with closing(sqlite3.connect(folder / FILE)) as connection:
        return connection.execute("SELECT match, number FROM events ORDER BY match, number").fetchall()


def entered(folder: Path) -> list[tuple[int, int]]:
    found = told(folder)
    assert [entry.seq for entry in found.entries] == list(range(1, found.last + 1))
    return [(entry.row.match, entry.row.number) for entry in found.entries]


def test_every_row_is_entered_once_and_in_order(folder, telling):
    journal = telling().journal
    write(journal, SETUPS[0], short())
    write(journal, SETUPS[1], short(SETUPS[1])[:3])
    assert entered(folder) == rows(folder)
    epoch = told(folder).epoch
    telling()
    assert told(folder).epoch == epoch
    assert entered(folder) == rows(folder)


def test_entries_are_read_from_any_number_on(folder, telling):
    write(telling().journal, SETUPS[0], short())
    found = told(folder, after=2, most=2)
    assert ([entry.seq for entry in found.entries], found.last) == ([3, 4], 5)
    assert told(folder, after=5).entries == ()


def test_the_entries_that_may_change_results_are_found_by_their_matches(folder, telling):
    journal = telling().journal
    write(journal, SETUPS[0], short())
    write(journal, SETUPS[0], short())
    write(journal, SETUPS[0], STEPS[:8])
    journal.give_up()
    journal.close()
    amending.amend(folder, 1, lambda kept: Corrected(1, (0, 7), kept.t, winner=0))
    path, last = folder / FILE, told(folder).last
    assert newest_matches(path, 10) == [1, 3, 2]
    assert newest_matches(path, 2) == [1, 3]
    assert matches_changed(path, last - 1) == [1]
    assert set(matches_changed(path, 5)) == {1, 2, 3}
    assert matches_changed(path, last) == []
    found = result_entries(path, 1)
    assert [(entry.seq, entry.row.number) for entry in found.entries] == [(2, 1), (5, 4), (last, 5)]
    assert [entry.row.kind for entry in result_entries(path, 3).entries] == ["started", "given-up"]
    assert (found.epoch, found.last) == (told(folder).epoch, last)


def test_where_the_club_is_off_nothing_is_entered(folder, telling):
    write(telling(club=False).journal, SETUPS[0], short())
    assert read_outgoing(folder / FILE, 0, ALL) is None
    with closing(sqlite3.connect(folder / FILE)) as connection:
        assert connection.execute("SELECT count(*) FROM outbox").fetchone() == (0,)


def test_a_match_that_goes_on_is_entered_as_a_whole_when_the_club_is_switched_on(folder, telling):
    journal = telling(club=False).journal
    write(journal, SETUPS[0], short())
    write(journal, SETUPS[0], STEPS[:5])
    going = telling(club=True)
    assert entered(folder) == [(2, number) for number in range(6)]
    write(going.journal, SETUPS[0], STEPS[5:8])
    write(telling(club=False).journal, SETUPS[0], STEPS[8:12])
    write(telling(club=True).journal, SETUPS[0], STEPS[12:14])
    assert entered(folder) == [(2, number) for number in range(15)]


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_journal_gets_an_outbox(folder, telling, version):
    folder.mkdir()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.executescript(Path(__file__).with_name(f"version-{version}.sql").read_text())
    assert read_outgoing(folder / FILE, 0, ALL) is None
    kept = taken_up(telling())
    assert entered(folder) == [(2, number) for number in range(kept.tip.row.number + 1)]


def test_scores_of_the_last_version_are_read_without_a_new_start(folder):
    folder.mkdir()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.executescript(Path(__file__).with_name("version-2.sql").read_text())
    assert [score.match for score in read_scores(folder / FILE)] == [1, 2]


def test_a_correction_without_a_referee_is_entered_too(folder, telling):
    journal = telling().journal
    write(journal, SETUPS[0], short())
    journal.close()
    amending.amend(folder, 1, lambda kept: Corrected(1, (0, 7), kept.t, winner=0))
    assert entered(folder)[-1] == (1, len(short()) + 1)


def test_a_journal_made_anew_of_a_damaged_one_has_another_epoch_and_the_match_that_goes_on(folder, telling):
    journal = telling().journal
    write(journal, SETUPS[0], short())
    write(journal, SETUPS[0], STEPS[:20])
    journal.close()
    epoch = told(folder).epoch
    data = bytearray((folder / FILE).read_bytes())
    data[100:140] = bytes(40)
    (folder / FILE).write_bytes(data)
    assert taken_up(telling()).match == 2
    assert told(folder).epoch != epoch
    assert entered(folder) == [(2, number) for number in range(21)]


def test_a_damaged_journal_goes_on_telling_though_nobody_says_so(folder, telling):
    journal = telling().journal
    write(journal, SETUPS[0], short())
    write(journal, SETUPS[0], STEPS[:20])
    journal.close()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute("DROP TRIGGER never_changed")
        connection.execute("UPDATE events SET t = t + 1 WHERE match = 2 AND number = 12")
        connection.commit()
    amending.amend(folder, 1, lambda kept: Corrected(1, (0, 7), kept.t, winner=0))
    assert entered(folder) == [*((2, number) for number in range(12)), (1, len(short()) + 1)]


def test_what_a_full_disk_does_not_take_is_told_once_it_does(folder, telling):
    journal = telling().journal
    write(journal, SETUPS[0], STEPS[:10])
    before = entered(folder)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, hard))
    try:
        write(journal, SETUPS[0], STEPS[10:30])
        assert journal.trouble is not None
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert entered(folder) == before
    write(journal, SETUPS[0], STEPS[30:])
    assert journal.trouble is None
    assert entered(folder) == rows(folder)
    assert len(rows(folder)) == len(STEPS) + 1


def test_a_killed_writer_has_told_all_that_it_has_kept(tmp_path, monkeypatch):
    writer = WRITER.replace("Path(sys.argv[1]))", "Path(sys.argv[1]), club=True)")
    assert writer != WRITER
    monkeypatch.setattr("test_kill.WRITER", writer)
    rng = random.Random(3)  # noqa: S311
    epochs = set()
    for _ in range(8):
        killed_writer(tmp_path, rng)
        opened = open_journal(tmp_path, club=True)
        epochs.add(told(tmp_path).epoch)
        opened.journal.close()
        assert entered(tmp_path) == rows(tmp_path)
    assert len(epochs) == 1


def test_a_row_that_stood_half_written_in_the_log_is_entered_when_it_is_put_back(folder, telling, tmp_path):
    journal = telling().journal
    write(journal, SETUPS[0], STEPS)
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in (FILE, f"{FILE}-wal"):
        (copy / name).write_bytes((folder / name).read_bytes())
    log = copy / f"{FILE}-wal"
    log.write_bytes(log.read_bytes()[:-1])
    opened = open_journal(copy, club=True)
    opened.journal.close()
    assert entered(copy) == rows(copy)


def test_a_state_is_told_with_the_last_number_that_it_contains(folder, telling):
    journal = telling().journal
    write(journal, SETUPS[0], short())
    write(journal, SETUPS[1], short(SETUPS[1])[:3])
    path = folder / FILE
    assert position(path, 1, 2) == 3
    assert position(path, 1, 4) == 5
    assert position(path, 2, 3) == 9
    assert position(path, 2, 99) == 9
    assert position(path, None, 0) == 9


def test_an_empty_journal_has_told_nothing(folder, telling):
    telling()
    assert (told(folder).last, position(folder / FILE, None, 0)) == (0, 0)
