"""A time of day from before anybody has told the machine the time is marked, and any version can read it."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from played import SETUPS, Wall, short, write

from referee.i18n import ENGLISH
from referee.journal.journal import Journal
from referee.journal.opening import FILE, open_journal
from referee.journal.rows import clock_was_set, mark_guessed, without_mark
from referee.journal.score_formats import CSV_NAMES, as_json, csv_rows, when_begun
from referee.journal.scores import MatchScore, read_scores
from tests.support.memory_store import MemoryStore

SETUP = SETUPS[0]
NOW = datetime(2026, 3, 1, 18, 30, tzinfo=UTC)


class Known:
    """Whether the time is known, as a test says."""

    def __init__(self, *, known: bool) -> None:
        self.now = known

    def __call__(self) -> bool:
        return self.now


def played(folder: Path, known: Known, known_from: int = 1000) -> MatchScore:
    """A match, whose time is known from the event with that number on."""
    wall = Wall()
    with closing(open_journal(folder, wall, wall.monotonic, is_known=known).journal) as journal:
        for number, step in enumerate(short()):
            known.now = known.now or number >= known_from
            wall.go_on(60)
            write(journal, SETUP, [step])
    return read_scores(folder / FILE)[0]


@pytest.mark.parametrize("known", [True, False])
def test_every_row_says_whether_its_time_was_known(known: bool) -> None:
    store, wall = MemoryStore(), Wall()
    write(Journal(store, wall=wall, now=wall.monotonic, is_known=lambda: known), SETUP, short()[:3])
    assert {row.wall for row in store.rows} == {"2026-03-01T18:30:00+00:00" if known else "2026-03-01T18:30:00-00:00"}
    assert [clock_was_set(row.wall) for row in store.rows] == [known] * 4
    # Versions from before there was a mark read it like this.
    assert {datetime.fromisoformat(row.wall) for row in store.rows} == {NOW}


def test_a_match_that_was_played_by_guess_only_is_marked(tmp_path: Path) -> None:
    score = played(tmp_path, Known(known=False))
    assert score.guessed
    assert not score.damaged
    assert when_begun(score, ENGLISH).endswith(" (date uncertain)")
    assert as_json(score, ENGLISH)["begun_is_guess"] is True
    assert {row[CSV_NAMES.index("begun_is_guess")] for row in csv_rows(score)} == {1}


@pytest.mark.parametrize("number", [1, 2])
def test_once_the_time_is_known_the_match_is_dated_by_that(tmp_path: Path, number: int) -> None:
    score = played(tmp_path, Known(known=False), known_from=number)
    assert not score.guessed
    # The event itself has another time than the beginning, but the day is right.
    assert score.begun == datetime(2026, 3, 1, 18, 31 + number, tzinfo=UTC)
    assert "uncertain" not in when_begun(score, ENGLISH)


def test_a_time_that_is_known_has_no_mark(tmp_path: Path) -> None:
    score = played(tmp_path, Known(known=True))
    assert (score.guessed, "uncertain" in when_begun(score, ENGLISH)) == (False, False)


def test_clubs_get_it_in_the_form_that_they_know() -> None:
    marked = mark_guessed("2026-03-01T18:30:00+00:00")
    assert marked == "2026-03-01T18:30:00-00:00"
    assert without_mark(marked) == "2026-03-01T18:30:00+00:00"
    assert without_mark("2026-03-01T18:30:00Z") == "2026-03-01T18:30:00Z"


def test_a_match_goes_on_after_a_start_with_an_earlier_guess(tmp_path: Path) -> None:
    """A Pi without a battery starts with the time at which it was switched off, or long before."""
    steps, wall = short(rounds=2), Wall()
    with closing(open_journal(tmp_path, wall, wall.monotonic).journal) as journal:
        write(journal, SETUP, steps[:3])
    wall.set_back(days=500)
    opened = open_journal(tmp_path, wall, wall.monotonic, is_known=lambda: False)
    assert opened.kept is not None
    assert opened.kept.state == steps[2].state
    with closing(opened.journal) as journal:
        write(journal, SETUP, steps[3:4])
        wall.set_back(days=-501)  # the network has told the time
        write(journal, SETUP, steps[4:5])
    assert read_scores(tmp_path / FILE)[0].begun == NOW
