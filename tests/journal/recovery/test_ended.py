"""The result of a match that is over outlasts an event that was altered; a match under way is cut there."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from played import SETUPS, Open, short, write

from referee.doctor.finding import Result
from referee.doctor.storage import contents
from referee.errors import BadInput
from referee.game.match.events import Corrected
from referee.game.notice import as_notice
from referee.i18n import ENGLISH
from referee.journal.amending import amend
from referee.journal.errors import JournalDamaged
from referee.journal.opening import FILE
from referee.journal.recovery.altered_match import has_ended, with_endings
from referee.journal.recovery.carving import found_rows
from referee.journal.recovery.rescue import rescue
from referee.journal.rows import Row
from referee.journal.scores import MatchScore, read_scores
from tests.support.errors import telling

LAST = len(short())


def alter(path: Path, change: str, number: int, match: int = 1) -> None:
    """As by hand, with any program that knows SQLite."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER IF EXISTS never_changed")
        connection.execute("DROP TRIGGER IF EXISTS never_deleted")
        done = connection.execute(f"{change} WHERE match = {match} AND number = {number}")
        assert done.rowcount == 1
        connection.commit()


BODY = "UPDATE events SET body = body || ' '"
TIME = "UPDATE events SET t = t + 1"
SUM = "UPDATE events SET sum = sum + 1"
GONE = "DELETE FROM events"


@pytest.fixture
def over(folder: Path, opened: Open) -> Path:
    """The journal of one match that is over."""
    write(opened().journal, SETUPS[0], short())
    opened().journal.close()
    return folder / FILE


def score(path: Path, match: int = 1) -> MatchScore:
    return next(one for one in read_scores(path) if one.match == match)


@pytest.mark.parametrize("change", [BODY, TIME, SUM])
@pytest.mark.parametrize("number", range(LAST + 1))
def test_the_result_of_a_match_survives_any_altered_event(over: Path, opened: Open, change: str, number: int) -> None:
    alter(over, change, number)
    before = over.read_bytes()
    result = opened()
    assert result.kept is None
    notice = ENGLISH(*result.notices)
    assert notice.startswith(f"The journal was damaged: event {number} of match 1 is not as it was written.")
    assert "its result stays on the score sheet" in notice
    result.journal.close()
    assert over.read_bytes() == before
    assert score(over).state == "over"
    assert score(over).sheet.totals == (128, -128)
    assert score(over).winners == (() if number == 0 else ("Ann",))


def test_the_doctor_reads_the_chain_of_every_match(over: Path, opened: Open) -> None:
    write(opened().journal, SETUPS[0], short())
    opened().journal.close()
    assert contents(over).result is Result.OK
    alter(over, BODY, 2)
    alter(over, GONE, 2, match=2)
    found = contents(over)
    assert found.result is Result.WRONG
    assert (
        ENGLISH(found.found) == "The journal is damaged: event 2 of match 1 and event 2 of match 2 are not as written."
    )


def test_of_many_altered_events_the_doctor_names_a_few(over: Path) -> None:
    for number in range(1, LAST + 1):
        alter(over, TIME, number)
    assert f"and {LAST - 3} other are not as written" in ENGLISH(contents(over).found)


def test_another_match_begins_behind_it(over: Path, opened: Open) -> None:
    alter(over, BODY, 2)
    journal = opened().journal
    write(journal, SETUPS[0], short())
    assert journal.match == 2
    assert opened().notices == ()
    assert [one.state for one in read_scores(over)] == ["over", "over"]


def test_a_match_given_up_stays_so(over: Path, opened: Open) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], short(rounds=2)[:5])
    journal.give_up()
    opened().journal.close()
    alter(over, BODY, 3, match=2)
    result = opened()
    assert result.kept is None
    assert "event 3 of match 2" in ENGLISH(result.notices[0])
    assert score(over, 2).state == "given up"


@pytest.mark.parametrize("change", [BODY, TIME, GONE])
def test_what_is_made_anew_keeps_results(over: Path, opened: Open, change: str) -> None:
    alter(over, change, 2)
    over.write_bytes(b"x" + over.read_bytes()[1:])
    assert "could be read" in ENGLISH(opened().notices[0])
    assert score(over).state == "over"
    assert score(over).sheet.totals == (128, -128)


def test_a_match_whose_beginning_cannot_be_read_is_cut_when_it_is_made_anew(over: Path) -> None:
    alter(over, "UPDATE events SET body = 'no JSON'", 1)
    assert [len(chain) for chain in with_endings(found_rows(over))] == [1]
    rescue(over, as_notice("a test"))
    assert score(over).state == "not over"


def test_of_two_writings_of_an_altered_row_the_one_that_others_bear_out_is_kept(over: Path) -> None:
    rows = found_rows(over)
    alter(over, TIME, 2)
    other = next(row for row in found_rows(over) if row.number == 2)
    wrong = Row(other.match, 2, 7.0, other.wall, other.kind, other.body, None, 4711)
    without = [row for row in rows if row.number != 2]
    (chain,) = with_endings([*without, other, wrong])
    assert chain[2] == other
    assert len(chain) == LAST + 1


def test_a_match_under_way_is_no_result(over: Path, opened: Open) -> None:
    write(opened().journal, SETUPS[0], short(rounds=2)[:5])
    opened().journal.close()
    alter(over, BODY, 2, match=2)
    assert not has_ended([row for row in found_rows(over) if row.match == 2])
    result = opened()
    assert "1 event could be read" in ENGLISH(result.notices[0]) or "events could be read" in ENGLISH(
        result.notices[0]
    )
    assert score(over, 2).state == "not over"
    assert score(over, 1).state == "over"


def test_a_made_up_end_is_no_result(over: Path) -> None:
    rows = sorted(found_rows(over), key=lambda row: row.number)
    last = rows[-1]
    for text in (
        '{"sheet":1}',
        (last.score or "").replace('"Ann"', '"Eve"'),
        (last.score or "").replace("true", "false"),
    ):
        told = Row(last.match, last.number, last.t, last.wall, last.kind, last.body, text, last.sum)
        assert not has_ended([*rows[:-1], told])


def test_an_altered_match_is_not_corrected(over: Path, folder: Path) -> None:
    alter(over, BODY, 2)
    for match in (None, 1):
        with telling(JournalDamaged, match="event 2 of match 1"):
            amend(folder, match, lambda kept: Corrected(1, (0, 95), kept.t, winner=0))
    with telling(BadInput, match="at most 1, found 2"):
        amend(folder, 2, lambda kept: Corrected(1, (0, 95), kept.t, winner=0))
