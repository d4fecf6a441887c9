"""Score sheets are read beside a running referee, and say where the journal does not hold."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from played import SETUPS, Open, Wall, match, short, write

from referee.errors import BadInput
from referee.game.scoring import ScoreSheet
from referee.journal.errors import JournalClosedToUs, NewerJournal
from referee.journal.opening import FILE, open_journal
from referee.journal.reading import log_of
from referee.journal.rows import Setup
from referee.journal.schema import VERSION
from referee.journal.score_formats import as_csv
from referee.journal.scores import MatchScore, Sheets, in_season, read_scores, totals
from referee.settings.file import state_folder
from tests.support.errors import telling


@settings(max_examples=5, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 10_000))
def test_the_sheet_is_the_one_of_the_state_and_every_correction_has_its_moment(
    tmp_path_factory: pytest.TempPathFactory, setup: Setup, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("scores")
    steps = match(setup, seed, 100, rounds=3)
    journal = open_journal(folder).journal
    write(journal, setup, steps)
    (score,) = read_scores(folder / FILE)
    journal.close()
    assert score.sheet == steps[-1].state.sheet
    assert tuple(entry.correction for entry in score.corrections) == score.sheet.corrections
    assert not score.damaged
    assert read_scores(folder / FILE) == [score]


def test_scores_are_read_while_the_referee_writes(folder: Path, opened: Open) -> None:
    journal = opened().journal
    for number, step in enumerate(short()):
        write(journal, SETUPS[0], [step])
        (score,) = read_scores(folder / FILE)
        assert score.over == (number == len(short()) - 1)
    assert score.winners == ("Ann",)
    assert log_of(folder / FILE).exists()


def test_a_match_that_began_before_the_clock_was_set_bears_the_first_date_that_is_one(
    folder: Path, opened: Open, wall: Wall
) -> None:
    real = wall()
    wall.set_back(days=(real - datetime(1970, 1, 2, tzinfo=UTC)).days)
    journal, steps = opened().journal, short()
    write(journal, SETUPS[0], steps[:2])
    assert read_scores(folder / FILE)[0].begun.year == 1970
    wall.set_back(days=(wall() - real).days)
    write(journal, SETUPS[0], steps[2:3])
    dated = wall()
    wall.go_on(60)
    write(journal, SETUPS[0], steps[3:])
    begun = read_scores(folder / FILE)[0].begun
    assert begun.date() == real.date()
    assert begun < dated + timedelta(seconds=60)


def test_sheets_are_read_again_only_where_something_was_written(folder: Path, opened: Open) -> None:
    journal, sheets = opened().journal, Sheets(folder / FILE)
    first, *others = short()
    write(journal, SETUPS[0], [first])
    before = sheets.read()
    assert sheets.read() is before
    write(journal, SETUPS[0], others)
    assert [score.over for score in sheets.read()] == [True]
    assert sheets.read() == read_scores(folder / FILE)


def test_reading_leaves_nothing_behind_in_a_folder_that_may_only_be_read(
    folder: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(opened().journal, SETUPS[0], short())
    opened().journal.close()
    connect = sqlite3.connect

    class Refusing(sqlite3.Connection):
        def execute(self, *_: object) -> sqlite3.Cursor:
            raise sqlite3.OperationalError("unable to open database file")

    def open_so(address: str, **options: object) -> sqlite3.Connection:
        return connect(address, **options) if "immutable" in address else connect(":memory:", factory=Refusing)

    monkeypatch.setattr(sqlite3, "connect", open_so)
    assert read_scores(folder / FILE)[0].winners == ("Ann",)
    assert not log_of(folder / FILE).exists()
    log_of(folder / FILE).write_bytes(b"")
    with telling(OSError, match="unable to open"):
        read_scores(folder / FILE)


def test_a_journal_that_may_not_be_read_is_told_in_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    folder.mkdir()
    (folder / FILE).write_bytes(b"")
    monkeypatch.setattr(Path, "open", refuse)
    with telling(JournalClosedToUs, match="with sudo"):
        read_scores(folder / FILE)


def test_an_old_journal_is_not_read_before_it_is_brought_up_to_date(folder: Path) -> None:
    folder.mkdir()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.executescript(Path(__file__).with_name("version-1.sql").read_text())
    with telling(BadInput, match=r"version 1 .*start `referee play` once"):
        read_scores(folder / FILE)
    open_journal(folder).journal.close()
    assert [score.match for score in read_scores(folder / FILE)] == [1, 2]


def test_a_newer_journal_is_not_read(folder: Path, opened: Open) -> None:
    opened().journal.close()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute(f"PRAGMA application_id = {0x52756D00 + VERSION + 1}")
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(NewerJournal):
        read_scores(folder / FILE)


@pytest.mark.parametrize(
    ("number", "rules", "winners"), [(0, "unreadable", ()), (1, "rummikub", ("Ann",)), (4, "rummikub", ("Ann",))]
)
def test_a_sheet_from_changed_rows_says_so(
    folder: Path, opened: Open, number: int, rules: str, winners: tuple[str, ...]
) -> None:
    write(opened().journal, SETUPS[0], short())
    opened().journal.close()
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER never_changed")
        connection.execute("UPDATE events SET body = replace(body, '1', '2'), wall = '' WHERE number = ?", (number,))
        connection.execute("UPDATE events SET t = t + 1 WHERE number = ?", (number,))
    (score,) = read_scores(folder / FILE)
    assert score.damaged
    assert score.over
    assert score.setup.rules == rules
    assert score.winners == winners


def test_a_match_without_any_row_left_says_so(folder: Path, opened: Open) -> None:
    opened().journal.close()
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        connection.execute("INSERT INTO matches (id, rules, options, begun) VALUES (7, 'rummikub', '{}', '')")
    (score,) = read_scores(folder / FILE)
    assert score.damaged
    assert score.match == 7


def test_nobody_has_won_by_rules_that_are_not_known() -> None:
    score = MatchScore(1, Setup("mahjong"), datetime(2026, 3, 1, tzinfo=UTC), ScoreSheet(("Ann",)), over=True)
    assert score.winners == ()
    assert totals([score])[0].matches == 1


def test_without_any_season_the_spans_of_time_are_told() -> None:
    with telling(BadInput, match="expected a season such as 2026, 2026-03"):
        in_season([], "Summer")


def test_the_journal_lies_where_it_is_told_to() -> None:
    home = Path("/home/pi")
    systemd = {"STATE_DIRECTORY": "/var/lib/referee:/var/lib/other"}
    assert state_folder(None, {}, home) == home / ".local/state/referee"
    assert state_folder(None, systemd, home) == Path("/var/lib/referee")
    assert state_folder(None, {**systemd, "REFEREE_STATE": "/mnt"}, home) == Path("/mnt")
    assert state_folder("/data", {**systemd, "REFEREE_STATE": "/mnt"}, home) == Path("/data")
    assert state_folder("~/x", {}, home) == home / "x"
    assert state_folder(None, {"REFEREE_STATE": "~"}, home) == home
    assert state_folder("/data", {}, None) == Path("/data")
    for chosen in (None, "~/x", "~nobody-at-all/x"):
        with telling(BadInput, match=r"no home that it could lie in .* name one with REFEREE_STATE=FOLDER"):
            state_folder(chosen, {}, None)


def test_no_name_is_a_formula_to_a_spreadsheet() -> None:
    rows = [["=HYPERLINK(1)", -5, "@x"], ["Ann", 3, "-"]]
    assert as_csv(["player", "score", "why"], rows).splitlines()[1:] == ["'=HYPERLINK(1),-5,'@x", "Ann,3,'-"]
