"""Any match can be corrected while no referee runs, and the journal only grows by it."""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from played import SETUPS, Open, short, taken_up, write

from referee.errors import BadInput
from referee.game.match.events import Corrected, Event
from referee.game.match.phases import Phase
from referee.journal.amending import Amended, amend, end, kept_in, rows_behind
from referee.journal.codec import event_from_text
from referee.journal.errors import (
    DiskFull,
    JournalClosedToUs,
    JournalDamaged,
    JournalError,
    JournalInUse,
    ReadOnlyDisk,
)
from referee.journal.journal import Journal
from referee.journal.opening import FILE, LockedStore
from referee.journal.recovery.carving import found_rows
from referee.journal.replay import Kept, replay
from referee.journal.rows import Row, Setup, broken_at
from referee.journal.scores import MatchScore, read_scores
from referee.journal.store import SqliteStore
from tests.support.errors import telling

TIES = Setup("rummikub", {"tie": "extra-round"})


def corrected(kept: Kept) -> Event:
    return Corrected(1, (0, 95), kept.t, winner=0)


def nobody_won(kept: Kept) -> Event:
    return Corrected(1, (0, 0), kept.t)


def score(folder: Path, match: int) -> MatchScore:
    return next(one for one in read_scores(folder / FILE) if one.match == match)


def whole(folder: Path, match: int) -> Kept:
    """The match out of its rows, each of which follows the one before."""
    store = LockedStore(folder)
    rows = store.rows(match)
    store.close()
    assert broken_at(rows) is None
    return replay(rows)


def test_a_match_given_up_is_corrected_and_stays_given_up(folder: Path, opened: Open) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], short(rounds=2)[:4])
    journal.give_up()
    opened().journal.close()
    assert amend(folder, None, corrected) == Amended(1, True)
    assert score(folder, 1).state == "given up"
    assert score(folder, 1).sheet.totals == (95, -95)
    assert taken_up(opened()).given_up


def test_an_old_match_is_corrected_beside_one_under_way_that_goes_on(folder: Path, opened: Open) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], short())
    write(journal, SETUPS[0], short(rounds=2)[:6])
    journal.close()
    before = {(row.match, row.number): row for row in found_rows(folder / FILE)}
    assert amend(folder, 1, corrected).match == 1
    after = {(row.match, row.number): row for row in found_rows(folder / FILE)}
    assert before.items() <= after.items()
    assert set(after) - set(before) == {(1, len(short()) + 1)}
    assert score(folder, 1).sheet.totals == (95, -95)
    assert score(folder, 1).winners == ("Ann",)
    assert whole(folder, 1).state.phase is Phase.OVER
    result = opened()
    assert result.notices == ()
    assert taken_up(result).match == 2
    result.journal.append(short(rounds=2)[6].event, short(rounds=2)[6].state)


def test_the_newest_match_that_is_open_again_goes_on(folder: Path, opened: Open) -> None:
    write(opened().journal, TIES, short(TIES))
    opened().journal.close()
    amend(folder, 1, nobody_won)
    kept = taken_up(opened())
    assert kept.state.phase is Phase.BETWEEN
    assert not kept.is_over


def test_an_old_match_that_is_open_again_counts_as_given_up(folder: Path, opened: Open) -> None:
    journal = opened().journal
    write(journal, TIES, short(TIES))
    write(journal, SETUPS[0], short())
    journal.close()
    amend(folder, 1, nobody_won)
    assert score(folder, 1).state == "given up"
    assert whole(folder, 1).given_up
    amend(folder, 1, corrected)
    assert score(folder, 1).state == "over"
    assert score(folder, 1).winners == ("Ann",)


def test_what_cannot_be_corrected_writes_nothing(folder: Path, opened: Open) -> None:
    write(opened().journal, SETUPS[0], short())
    opened().journal.close()
    before = found_rows(folder / FILE)

    def wrong(kept: Kept) -> Event:
        return Corrected(5, (0, 95), kept.t, winner=0)

    with telling(BadInput, match="Round 5 has not been played"):
        amend(folder, 1, wrong)
    with telling(BadInput, match="at most 1, found 2"):
        amend(folder, 2, corrected)
    assert found_rows(folder / FILE) == before


def test_an_old_match_that_cannot_be_read_in_order_is_left_alone(folder: Path, opened: Open) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], short())
    write(journal, SETUPS[0], short())
    journal.close()
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER never_changed")
        connection.execute("UPDATE events SET t = t + 1 WHERE match = 1 AND number = 2")
    with telling(JournalDamaged, match="event 2 of match 1"):
        amend(folder, 1, corrected)


def test_where_nothing_is_to_be_changed_nothing_is_written(folder: Path, opened: Open) -> None:
    write(opened().journal, SETUPS[0], short())
    opened().journal.close()
    before = found_rows(folder / FILE)
    assert amend(folder, 1, lambda _: None) == Amended(1, False)
    assert found_rows(folder / FILE) == before


def test_a_match_that_nobody_plays_on_is_ended(folder: Path, opened: Open) -> None:
    write(opened().journal, SETUPS[0], short(rounds=2)[:6])
    opened().journal.close()
    assert end(folder, 1) == Amended(1, True)
    assert score(folder, 1).state == "given up"
    assert score(folder, 1).sheet.rounds
    assert end(folder, 1) == Amended(1, False)
    assert taken_up(opened()).is_over


def test_a_match_that_is_over_is_not_ended_again(folder: Path, opened: Open) -> None:
    write(opened().journal, SETUPS[0], short())
    opened().journal.close()
    assert end(folder, 1) == Amended(1, False)
    assert score(folder, 1).state == "over"
    with telling(BadInput, match="--end: expected the number of a match, at most 1, found 2"):
        end(folder, 2)


def test_beside_a_running_referee_no_match_is_ended(folder: Path, opened: Open) -> None:
    write(opened().journal, SETUPS[0], short(rounds=2)[:6])
    with pytest.raises(JournalInUse):
        end(folder, 1)


class TestWhoMayNotWrite:
    @pytest.fixture
    def played(self, folder: Path, opened: Open) -> Path:
        write(opened().journal, SETUPS[0], short())
        opened().journal.close()
        return folder

    def test_a_folder_of_somebody_else_is_told_with_the_owner(
        self, played: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        may = os.access
        monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != played and may(path, mode))
        with monkeypatch.context() as patch:
            patch.setattr(os, "geteuid", lambda: 4711)
            with telling(JournalClosedToUs, match=r"found: Permission denied .*; do it as the owner .* sudo -u "):
                amend(played, 1, corrected)
        with telling(JournalClosedToUs, match=r"allow yourself to write there \(chmod u\+w .*; nothing was changed"):
            amend(played, 1, corrected)

    def test_a_card_that_takes_no_writes_keeps_no_game_in_memory(
        self, played: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> None:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(played))

        monkeypatch.setattr("referee.journal.opening.WriterLock", refuse)
        with telling(ReadOnlyDisk, match=r"check the card; nothing was changed$"):
            amend(played, 1, corrected)


def test_a_correction_of_an_older_referee_tells_neither_who_nor_why() -> None:
    event = event_from_text("corrected", '{"round":1,"hands":[0,95],"t":5.0,"winner":0}')
    assert event == Corrected(1, (0, 95), 5.0, winner=0)


class TestBesideARunningReferee:
    """The journal of a running referee keeps rows for matches that are not played on."""

    @pytest.fixture
    def journal(self, opened: Open) -> Journal:
        journal = opened().journal
        write(journal, SETUPS[0], short())
        write(journal, SETUPS[0], short(rounds=2)[:6])
        return journal

    def rows(self, folder: Path, who: str = "Eve") -> tuple[Row, ...]:
        kept, newest = kept_in(folder / FILE, 1)
        return rows_behind(kept, Corrected(1, (0, 95), kept.t, winner=0, who=who, why="a slip"), newest)

    def test_an_old_match_is_corrected_and_the_newest_goes_on(self, folder: Path, journal: Journal) -> None:
        assert journal.amend(self.rows(folder))
        journal.append(short(rounds=2)[6].event, short(rounds=2)[6].state)
        (entry,) = score(folder, 1).corrections
        assert (entry.correction.who, entry.correction.why) == ("Eve", "a slip")
        assert score(folder, 1).sheet.totals == (95, -95)
        journal.close()
        assert whole(folder, 1).state.phase is Phase.OVER

    def test_rows_that_come_too_late_are_not_kept(self, folder: Path, journal: Journal) -> None:
        first, second = self.rows(folder), self.rows(folder, "Zoe")
        assert journal.amend(first)
        assert not journal.amend(second)
        assert len(score(folder, 1).corrections) == 1

    def test_a_disk_in_trouble_takes_none(
        self, folder: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rows = self.rows(folder)

        def full(store: SqliteStore, *_: object) -> None:
            raise DiskFull.at(store.path)

        monkeypatch.setattr(SqliteStore, "beat", full)
        journal.beat(100.0)
        with telling(JournalError, match="the disk is full"):
            journal.amend(rows)
        monkeypatch.undo()
        journal.beat(200.0)
        assert journal.amend(rows)

    def test_a_match_that_is_not_there_is_told(self, folder: Path, journal: Journal) -> None:
        assert journal.match == 2
        with telling(BadInput, match="at most 2, found 7"):
            kept_in(folder / FILE, 7)
