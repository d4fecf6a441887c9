"""What was appended is there again after any stop, and the match goes on from there."""

import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from connections import Connections
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_store import MemoryStore
from played import NAMES, SETUPS, Open, Step, Wall, match, short, taken_up, write

from referee.errors import BadInput
from referee.game.match.events import OutOfOrder, Paused, Pressed, Resumed, Seen, Started
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.i18n import ENGLISH, error_text
from referee.journal.errors import JournalDamaged, JournalInUse, NewerJournal
from referee.journal.journal import PATIENCE_S, Journal
from referee.journal.opening import FILE, LOCK, open_journal
from referee.journal.rows import Row, Setup, opening
from referee.journal.store import SqliteStore
from tests.support.errors import telling


def copied(folder: Path, to: Path) -> Path:
    """The folder as a power cut would leave it now: nothing closed, nothing tidied up."""
    to.mkdir(parents=True)
    for name in (FILE, f"{FILE}-wal"):
        if (folder / name).exists():
            shutil.copy2(folder / name, to / name)
    return to


def test_a_folder_made_for_a_journal_is_its_owners_alone(tmp_path: Path) -> None:
    """Names of players stand in it. A folder that is there keeps the rights that somebody has given it."""
    with closing(open_journal(tmp_path / "new" / "state").journal):
        assert stat.S_IMODE((tmp_path / "new" / "state").stat().st_mode) == 0o700
    (tmp_path / "shared").mkdir(mode=0o755)
    (tmp_path / "shared").chmod(0o755)
    with closing(open_journal(tmp_path / "shared").journal):
        assert stat.S_IMODE((tmp_path / "shared").stat().st_mode) == 0o755


def test_a_new_journal_holds_no_match(opened: Open) -> None:
    first = opened()
    assert first.kept is None
    assert first.notices == ()
    assert first.journal.trouble is None
    assert first.journal.match is None


@settings(max_examples=5, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 10_000))
def test_after_a_cut_behind_any_event_the_state_is_the_one_before_the_cut(setup: Setup, seed: int) -> None:
    steps = match(setup, seed, 20)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "state"
        journal = open_journal(folder).journal
        for cut, step in enumerate(steps):
            write(journal, setup, [step])
            again = open_journal(copied(folder, Path(place) / f"cut{cut}"))
            again.journal.close()
            assert again.kept is not None
            assert again.kept.state == step.state
            assert again.kept.tip.row.number == cut + 1
            assert again.kept.t == max(before.event.t for before in steps[: cut + 1])
            assert again.kept.setup == setup
            assert again.notices == ()
        journal.close()


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 10_000), st.integers(1, 30))
def test_a_match_goes_on_as_if_nothing_had_happened(setup: Setup, seed: int, cut: int) -> None:
    steps = match(setup, seed, 30)
    with tempfile.TemporaryDirectory() as folder:
        journal = open_journal(Path(folder)).journal
        write(journal, setup, steps[:cut])
        journal.close()
        again = open_journal(Path(folder))
        state = taken_up(again).state
        for step in steps[cut:]:
            state, _ = apply(state, step.event)
            again.journal.append(step.event, state)
        again.journal.close()
        last = open_journal(Path(folder))
        last.journal.close()
    assert last.kept is not None
    assert last.kept.state == steps[-1].state
    assert last.kept.is_over == (steps[-1].state.phase is Phase.OVER)


def test_the_clock_stands_after_a_power_cut_until_somebody_presses(opened: Open) -> None:
    steps = short()
    first = opened()
    write(first.journal, SETUPS[0], steps[:1])
    first.journal.beat(12.0)

    kept = opened().kept

    assert kept is not None
    assert kept.t == 12.0
    state, _ = apply(kept.state, Paused(kept.t))
    assert state.clock.seconds_left(1000.0) == state.clock.seconds - 12.0
    state, _ = apply(state, Resumed(1000.0))
    assert state.clock.deadline == 1000.0 + state.clock.seconds - 12.0


def test_a_heartbeat_of_an_earlier_match_does_not_count(opened: Open) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], short())
    journal.beat(5000.0)
    write(journal, SETUPS[0], short()[:2])
    assert taken_up(opened()).t == 10.0


def test_an_event_that_cannot_happen_is_never_stored(opened: Open) -> None:
    first, steps = opened(), short()
    write(first.journal, SETUPS[0], steps[:1])
    with pytest.raises(OutOfOrder):
        apply(steps[0].state, Seen((), 3.0))
    assert taken_up(opened()).tip.row.number == 1


def test_a_clock_on_the_wall_that_was_set_back_changes_nothing(opened: Open, wall: Wall) -> None:
    steps = short(rounds=2)
    journal = opened().journal
    for step in steps:
        write(journal, SETUPS[0], [step])
        wall.set_back(days=400)
    kept = taken_up(opened())
    assert kept.state == steps[-1].state
    assert kept.t == steps[-1].event.t


def test_a_clock_on_the_wall_that_stays_back_is_told_once(opened: Open, wall: Wall) -> None:
    steps = short(rounds=2)
    journal = opened().journal
    write(journal, SETUPS[0], steps[:2])
    assert journal.take_notices() == ()
    wall.set_back(days=2)
    write(journal, SETUPS[0], steps[2:3])
    assert journal.take_notices() == ()
    wall.go_on(PATIENCE_S - 1)
    assert journal.take_notices() == ()
    wall.go_on(1)
    told = ENGLISH(*journal.take_notices())
    assert "clock went back from 2026-03-01" in told
    assert "connect the machine to the internet once, or set the clock (sudo date --set" in told
    assert "\n" not in told
    write(journal, SETUPS[0], steps[3:4])
    wall.go_on(2 * PATIENCE_S)
    assert journal.take_notices() == ()
    wall.set_back(days=1 / 24)
    assert journal.take_notices() == ()
    wall.go_on(PATIENCE_S)
    assert len(journal.take_notices()) == 1


@pytest.mark.parametrize("minutes", [2, 600])
def test_a_clock_that_is_set_right_in_time_is_no_trouble(opened: Open, wall: Wall, minutes: float) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], short())
    wall.set_back(days=minutes / 60 / 24)
    wall.go_on(100)
    assert journal.clock_back is not None
    wall.set_back(days=-minutes / 60 / 24)
    assert journal.clock_back is None
    wall.go_on(PATIENCE_S)
    assert journal.take_notices() == ()


def test_a_small_step_back_is_still_one_minutes_later(opened: Open, wall: Wall) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], short())
    wall.set_back(days=2 / 60 / 24)
    assert journal.take_notices() == ()
    wall.go_on(PATIENCE_S)
    assert "from 2026-03-01" in ENGLISH(journal.take_notices()[0])


def test_a_clock_set_back_while_the_power_was_off_is_told_at_the_start_and_a_trouble_later(
    opened: Open, wall: Wall
) -> None:
    write(opened().journal, SETUPS[0], short())
    wall.set_back(days=1 / 24 / 120)
    journal = opened().journal
    assert (journal.clock_back, journal.take_notices()) == (None, ())
    wall.set_back(days=3)
    journal = opened().journal
    assert journal.clock_back is not None
    told = ENGLISH(journal.clock_back)
    assert "clock went back" in told
    assert "the network may set it" in told
    assert journal.take_notices() == ()
    wall.go_on(PATIENCE_S)
    assert "clock went back" in ENGLISH(journal.take_notices()[0])
    assert journal.clock_back is None


def test_a_match_given_up_is_not_resumed(opened: Open) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], short()[:3])
    journal.give_up()
    assert journal.match is None
    kept = taken_up(opened())
    assert kept.given_up
    assert kept.is_over


def test_only_the_newest_match_is_resumed(opened: Open) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], short()[:3])
    write(journal, SETUPS[1], short(SETUPS[1])[:2])
    assert (journal.match, journal.number) == (2, 2)
    kept = taken_up(opened())
    assert (kept.match, kept.setup) == (2, SETUPS[1])


def test_a_match_that_was_over_can_still_be_corrected(opened: Open) -> None:
    write(opened().journal, SETUPS[0], short())
    again = opened()
    assert taken_up(again).is_over
    assert again.journal.match == 1


def test_events_need_a_match(opened: Open) -> None:
    journal = opened().journal
    journal.beat(3.0)
    with telling(BadInput, match="begin one first"):
        journal.append(Pressed(0, 1.0), SETUPS[0].state())


def test_a_match_by_unknown_rules_does_not_begin(opened: Open) -> None:
    step = short()[0]
    journal = opened().journal
    for setup in (Setup("chess"), Setup("ravensburger", {"jokers": "many"})):
        with telling(BadInput, match="expected"):
            journal.begin(setup, step.event, step.state)
    assert journal.match is None


def test_a_name_that_is_no_text_does_no_harm(opened: Open) -> None:
    started = Started(("A\ud800", "B\n'; DROP TABLE events"), 0.0)
    write(opened().journal, SETUPS[0], [Step(started, apply(SETUPS[0].state(), started)[0])])
    assert taken_up(opened()).state.sheet.players == started.players


def test_a_second_referee_is_told_what_to_do(folder: Path, opened: Open) -> None:
    opened()
    with pytest.raises(JournalInUse) as caught:
        open_journal(folder)
    assert "stop it first" in error_text(caught.value)
    assert "\n" not in error_text(caught.value)


def test_a_second_process_is_told_which_one_writes(folder: Path, opened: Open) -> None:
    opened()
    code = (
        "import sys; from pathlib import Path; from referee.journal.opening import open_journal\n"
        "try: open_journal(Path(sys.argv[1]))\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.startswith("JournalInUse")
    assert (folder / LOCK).read_text().strip() in done.stdout


def test_the_lock_goes_with_its_holder(folder: Path) -> None:
    open_journal(folder).journal.close()
    open_journal(folder).journal.close()


def test_the_lock_holds_when_somebody_removes_its_file(folder: Path, opened: Open) -> None:
    opened()
    (folder / LOCK).unlink()
    for _ in range(2):
        with telling(JournalInUse, match="process unknown"):
            open_journal(folder)


def test_what_is_confirmed_is_synchronised(folder: Path, opened: Open, connections: Connections) -> None:
    opened()
    connections.made.clear()
    store = SqliteStore(folder / FILE)
    (connection,) = connections.made
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    store.close()


@pytest.mark.parametrize("statement", ["UPDATE events SET t = 0", "DELETE FROM events WHERE number = 2"])
def test_events_are_never_changed_nor_deleted(folder: Path, opened: Open, statement: str) -> None:
    write(opened().journal, SETUPS[0], short())
    with closing(sqlite3.connect(folder / FILE)) as connection, pytest.raises(sqlite3.IntegrityError, match="grows"):
        connection.execute(statement)


def test_the_same_row_twice_is_kept_once_and_another_in_its_place_is_refused(tmp_path: Path) -> None:
    step = short()[0]
    first, tip = opening(1, SETUPS[0], step.event, step.state, "2026-03-01T18:30:00+00:00")
    store = SqliteStore(tmp_path / FILE)
    store.put((first, tip.row))
    store.put((first, tip.row))
    other = tip.row.with_sum(99)
    with telling(JournalDamaged, match="event 1 of match 1"):
        store.put((other,))
    assert store.rows(1) == [first, tip.row]
    store.close()


def test_an_event_of_a_newer_referee_stops_the_start_with_one_line(folder: Path, opened: Open) -> None:
    journal = opened().journal
    write(journal, SETUPS[0], short()[:2])
    journal.close()
    store = SqliteStore(folder / FILE)
    before = store.rows(1)[-1].sum
    store.put((Row(1, 3, 50.0, "2026-03-01T18:30:00+00:00", "teleported", "{}").with_sum(before),))
    store.close()
    with telling(NewerJournal, match=r"event 3 of match 1: .*'teleported'"):
        open_journal(folder)
    with pytest.raises(NewerJournal):
        open_journal(folder)


def test_rules_of_a_newer_referee_stop_the_start_with_one_line(folder: Path, opened: Open) -> None:
    step = short()[0]
    opened().journal.close()
    store = SqliteStore(folder / FILE)
    first, tip = opening(1, Setup("mahjong"), step.event, step.state, "2026-03-01T18:30:00+00:00")
    store.put((first, tip.row))
    store.close()
    with telling(NewerJournal, match="mahjong"):
        open_journal(folder)


def test_a_journal_in_memory_takes_the_same_calls() -> None:
    store = MemoryStore()
    journal = Journal(store)
    write(journal, SETUPS[0], short())
    journal.beat(3.0)
    assert [row.number for row in store.rows] == list(range(len(short()) + 1))
    assert journal.trouble is None
    assert NAMES[0] in store.rows[1].body
    journal.close()
