"""Whatever a failing card does to the files, the match comes back as far as its events can be read in order."""

import random
import re
import shutil
import struct
from pathlib import Path

import played
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from played import SETUPS, Open, Step, short, taken_up, write

from referee.game.doubt import Doubt
from referee.game.match.events import Pressed
from referee.game.match.machine import apply
from referee.game.notice import as_notice
from referee.i18n import ENGLISH
from referee.journal.errors import NewerJournal
from referee.journal.opening import FILE, Opened, open_journal
from referee.journal.reading import files_of, log_of
from referee.journal.recovery.carving import found_rows
from referee.journal.recovery.rescue import READY, rescue
from referee.journal.rows import Row, Tip, broken_at, chains, opening
from referee.journal.store import PAGE, SqliteStore
from tests.support.errors import telling

FRAME = 24 + PAGE
STEPS = played.match(SETUPS[0], 3, 60)


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal as a power cut leaves it: an old match in the file, a running one in the log."""
    folder = tmp_path_factory.mktemp("cut")
    journal = open_journal(folder / "live").journal
    write(journal, SETUPS[0], short())
    journal.close()
    journal = open_journal(folder / "live").journal
    write(journal, SETUPS[0], STEPS)
    for one in files_of(folder / "live" / FILE)[:2]:
        shutil.copy2(one, folder / one.name)
    journal.close()
    shutil.rmtree(folder / "live")
    return folder


@pytest.fixture
def broken(cut: Path, folder: Path) -> Path:
    """A copy to break: the file, with its log beside it."""
    shutil.copytree(cut, folder)
    return folder / FILE


def closed(path: Path) -> Path:
    """The same with everything in the file and no log."""
    SqliteStore(path).close()
    assert not log_of(path).exists()
    return path


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at % len(data)] ^= 0x41
    path.write_bytes(data)


def check(result: Opened, steps: list[Step] = STEPS, match: int = 2) -> int:
    """That the state is the one after some event, and the match can go on; returns how many events are there."""
    journal = result.journal
    assert journal.trouble is None
    if result.kept is None or result.kept.match != match:
        return 0
    number = result.kept.tip.row.number
    if number == 0:  # only what is to be played could be read
        assert result.kept.state == SETUPS[0].state()
        return 0
    assert result.kept.state == steps[number - 1].state
    if number < len(steps):
        state, _ = apply(result.kept.state, steps[number].event)
        assert journal.append(steps[number].event, state) == number + 1
    return number


@pytest.mark.usefixtures("broken")
def test_nothing_is_lost_by_a_cut(opened: Open) -> None:
    result = opened()
    assert check(result) == len(STEPS)
    assert result.notices == ()


@pytest.mark.parametrize("frame", [0, 1, 7, 20])
def test_a_wrong_byte_in_the_log_loses_nothing_that_is_written_elsewhere_too(
    broken: Path, opened: Open, frame: int
) -> None:
    flip(log_of(broken), 32 + frame * FRAME + 24 + 100)
    garbled = log_of(broken).read_bytes()
    result = opened()
    assert check(result) == len(STEPS)
    assert re.search(r"found \d+ rows after damaged bytes .*kept as journal-damaged-1.db", ENGLISH(result.notices[0]))
    assert log_of(broken.with_name("journal-damaged-1.db")).read_bytes() == garbled


def test_a_log_without_its_head_loses_nothing(broken: Path, opened: Open) -> None:
    log = log_of(broken)
    log.write_bytes(b"\0" * 32 + log.read_bytes()[32:])
    assert check(opened()) == len(STEPS)


def test_a_log_cut_anywhere_keeps_what_stands_before(broken: Path, opened: Open) -> None:
    log = log_of(broken)
    frames = log.stat().st_size // FRAME
    with log.open("r+b") as file:
        file.truncate(32 + (frames // 2) * FRAME + 1000)
    assert 1 <= check(opened()) < len(STEPS)


def test_a_half_written_last_page_loses_at_most_the_last_event(broken: Path, opened: Open) -> None:
    log = log_of(broken)
    data = bytearray(log.read_bytes())
    data[-PAGE // 2 :] = bytes(PAGE // 2)
    log.write_bytes(data)
    assert check(opened()) >= len(STEPS) - 1


def test_a_cut_within_a_writing_loses_nothing_that_was_confirmed(folder: Path, tmp_path: Path, opened: Open) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], STEPS[:3])
    rng = random.Random(5)  # noqa: S311
    for step in STEPS[3:15]:
        before, confirmed = log_of(folder / FILE).stat().st_size, journal.number
        write(journal, SETUPS[0], [step])
        torn = tmp_path / f"torn{confirmed}"
        torn.mkdir()
        for one in files_of(folder / FILE)[:2]:
            shutil.copy2(one, torn / one.name)
        with log_of(torn / FILE).open("r+b") as file:
            file.truncate(rng.randint(before, file.seek(0, 2)))
        result = open_journal(torn)
        assert check(result, STEPS, 1) in (confirmed, confirmed + 1)
        assert result.notices == ()
        result.journal.close()


def test_without_its_log_the_journal_is_as_it_was_when_that_was_last_written_back(broken: Path, opened: Open) -> None:
    log_of(broken).unlink()
    result = opened()
    assert result.kept is not None
    assert result.kept.match == 1
    assert result.kept.is_over
    assert result.journal.trouble is None


def test_a_log_without_its_file_is_read_too(broken: Path, opened: Open) -> None:
    broken.unlink()
    assert check(opened()) == len(STEPS)


@pytest.mark.parametrize("at", [0, 20, 40, 105, 2000], ids=lambda at: f"byte {at}")
def test_a_broken_first_page_loses_no_event(broken: Path, opened: Open, at: int) -> None:
    with closed(broken).open("r+b") as file:
        file.seek(at)
        file.write(b"\xa5" * 64)
    result = opened()
    assert check(result) == len(STEPS)


def test_a_file_that_is_no_journal_is_set_aside_whole(broken: Path, opened: Open) -> None:
    closed(broken).write_bytes(b"my shopping list\n" * 1000)
    result = opened()
    assert result.kept is None
    assert broken.with_name("journal-damaged-1.db").read_bytes() == b"my shopping list\n" * 1000
    assert "journal-damaged-1.db" in ENGLISH(result.notices[0])
    assert "\n" not in ENGLISH(result.notices[0])


def test_a_changed_event_cuts_the_match_there_and_is_told(broken: Path, opened: Open) -> None:
    for one in files_of(broken):
        one.unlink(missing_ok=True)
    write(opened().journal, SETUPS[0], short())
    write(opened().journal, SETUPS[0], STEPS[:20])
    opened().journal.close()
    data = closed(broken).read_bytes()
    rows = [row for row in found_rows(broken) if row.match == 2]
    body = rows[15].body.encode()
    assert data.count(body) == 1
    broken.write_bytes(data.replace(body, body.replace(b"1", b"2")))
    result = opened()
    assert check(result) == 14
    assert "found it changed" in ENGLISH(result.notices[0])
    assert broken.with_name("journal-damaged-1.db").read_bytes().count(body.replace(b"1", b"2")) == 1


def test_the_next_damaged_file_gets_a_name_of_its_own(broken: Path, opened: Open) -> None:
    for number in (1, 2, 3):
        flip(closed(broken), 50)
        broken.write_bytes(b"x" + broken.read_bytes()[1:])
        opened().journal.close()
        assert broken.with_name(f"journal-damaged-{number}.db").exists()


def test_an_empty_file_is_a_new_journal(broken: Path, opened: Open) -> None:
    closed(broken).write_bytes(b"")
    result = opened()
    assert result.kept is None
    assert result.journal.trouble is None


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 30), st.booleans(), st.booleans())
@example(202, 20, False, True)
def test_no_damage_stops_the_referee_or_makes_up_a_state(
    cut: Path, tmp_path_factory: pytest.TempPathFactory, seed: int, wounds: int, shorten: bool, log: bool
) -> None:
    rng = random.Random(seed)  # noqa: S311
    folder = tmp_path_factory.mktemp("wound") / "state"
    shutil.copytree(cut, folder)
    path = folder / FILE if log else closed(folder / FILE)
    for target in [log_of(path), path] if log else [path]:
        data = bytearray(target.read_bytes())
        for _ in range(wounds):
            start = rng.randrange(len(data))
            data[start : start + rng.choice([1, 4, 100])] = rng.randbytes(1)
        target.write_bytes(data[: rng.randrange(len(data))] if shorten else data)
    result = open_journal(folder)
    check(result)
    result.journal.close()
    again = open_journal(folder)
    check(again)
    # A match that is over stays as it is, altered or not, and that is told until another one is played.
    assert all("That match is over" in ENGLISH(notice) for notice in again.notices)
    again.journal.close()
    shutil.rmtree(folder)


def test_an_event_that_cannot_have_happened_ends_the_match_before_it(folder: Path, opened: Open) -> None:
    opened().journal.close()
    steps = short()
    first, tip = opening(1, SETUPS[0], steps[0].event, steps[0].state, "2026-03-01T18:30:00+00:00")
    wrong = tip.event(Pressed(3, 5.0), steps[0].state, "2026-03-01T18:30:00+00:00")
    store = SqliteStore(folder / FILE)
    store.put((first, tip.row, wrong.row))
    store.close()
    result = opened()
    assert taken_up(result).state == steps[0].state
    assert "cut short" in ENGLISH(result.notices[0])
    assert result.journal.append(steps[1].event, steps[1].state) == 2


def test_a_match_whose_first_event_cannot_have_happened_is_left_out(folder: Path, opened: Open) -> None:
    opened().journal.close()
    step = short()[0]
    first = opening(1, SETUPS[0], step.event, step.state, "2026-03-01T18:30:00+00:00")[0]
    wrong = Tip(first).event(Pressed(0, 5.0), step.state, "2026-03-01T18:30:00+00:00")
    store = SqliteStore(folder / FILE)
    store.put((first, wrong.row))
    store.close()
    assert opened().kept is None
    assert len(found_rows(folder / "journal-damaged-1.db")) == 2


def test_a_rescue_that_the_power_cut_short_is_finished_at_the_next_start(broken: Path, opened: Open) -> None:
    rescue(broken, as_notice("a test"))
    broken.replace(broken.with_name(READY))
    broken.write_bytes(b"damaged")
    log_of(broken).write_bytes(b"an old log")
    assert check(opened()) == len(STEPS)


def test_long_events_are_read_across_pages(folder: Path, opened: Open) -> None:
    first, steps = opened(), short()
    write(first.journal, SETUPS[0], steps[:2])
    doubts = tuple(Doubt(f"tile {number} " + "?" * 300) for number in range(100))
    seen = type(steps[2].event)(steps[2].event.table, steps[2].event.t, doubts)
    state, _ = apply(steps[1].state, seen)
    first.journal.append(seen, state)
    there = [row for row in found_rows(folder / FILE) if row.number == 3]
    assert there
    assert all(len(row.body) > 30_000 for row in there)
    first.journal.close()
    assert [row.number for row in found_rows(folder / FILE)] == [0, 1, 2, 3]
    flip(folder / FILE, 30)
    again = opened()
    assert taken_up(again).state == state


def test_the_longest_chain_wins_and_of_two_ends_the_later_one() -> None:
    step = short()[0]
    first, tip = opening(1, SETUPS[0], step.event, step.state, "a")
    one, other = (tip.event(Pressed(0, t), step.state, "a") for t in (1.0, 2.0))
    further = one.event(Pressed(0, 3.0), step.state, "a")
    assert list(chains([other.row, first, one.row, tip.row])) == [(first, tip.row, one.row)]
    assert list(chains([first, further.row, one.row, other.row, tip.row])) == [(first, tip.row, one.row, further.row)]
    assert list(chains([tip.row])) == []


def test_a_chain_tells_where_it_is_broken() -> None:
    step = short()[0]
    first, tip = opening(1, SETUPS[0], step.event, step.state, "a")
    assert broken_at([first, tip.row]) is None
    assert broken_at([tip.row]) == 0
    assert broken_at([first, first]) == 1
    changed = Row(*struct_of(tip.row)[:2], 77.0, *struct_of(tip.row)[3:])
    assert broken_at([first, changed]) == 1


def struct_of(row: Row) -> tuple[object, ...]:
    return (row.match, row.number, row.t, row.wall, row.kind, row.body, row.score, row.sum)


def test_bytes_that_only_look_like_a_page_give_no_rows(tmp_path: Path) -> None:
    page = bytearray(PAGE)
    page[0] = 0x0D
    struct.pack_into(">H", page, 3, 9)
    struct.pack_into(">9H", page, 8, 4095, 4090, 100, 200, 300, 400, 500, 65535, 0)
    page[100:104] = bytes([0x90, 0x00, 0x01, 0x09])
    page[200:213] = bytes([12, 1, 9, 1, 1, 1, 1, 1, 1, 1, 10, 0, 0])
    page[300:303] = bytes([0xFF] * 3)
    page[400:412] = bytes([11, 1, 9, *[0] * 8, 0])
    (tmp_path / FILE).write_bytes(page)
    assert found_rows(tmp_path / FILE) == []


def test_a_disk_without_second_names_keeps_a_copy(broken: Path, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    closed(broken).write_bytes(b"x" + broken.read_bytes()[1:])
    damaged = broken.read_bytes()
    assert check(opened()) == len(STEPS)
    assert broken.with_name("journal-damaged-1.db").read_bytes() == damaged


def test_a_damaged_journal_of_a_newer_referee_is_mended_but_not_played(folder: Path, opened: Open) -> None:
    opened().journal.close()
    step = short()[0]
    first, tip = opening(1, SETUPS[0], step.event, step.state, "a")
    row = Row(1, 2, 5.0, "a", "teleported", "{}").with_sum(tip.row.sum)
    store = SqliteStore(folder / FILE)
    store.put((first, tip.row, row))
    store.close()
    (folder / FILE).write_bytes(b"x" + (folder / FILE).read_bytes()[1:])
    with telling(NewerJournal, match="teleported"):
        opened()
    assert len(found_rows(folder / FILE)) == 3
