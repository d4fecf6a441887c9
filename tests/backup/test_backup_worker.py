"""The process that works on backups: checks in it are as those here, and one that does not get on is given up."""

import os
import resource
import signal
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hanging_disk import hanging_disk
from saved_tables import NOW, saved, table
from started_processes import Started, record_processes

from referee.backup import worker
from referee.backup.__main__ import LOWEST
from referee.backup.apart import copy_if_missing_apart, examine_apart, read_apart
from referee.backup.automatic import make_backup
from referee.backup.contents import Places
from referee.backup.counting import EVERY_S, Meter
from referee.backup.examining import NotRestorable, examine
from referee.backup.manifest import NAME
from referee.backup.worker import LENGTH, MOST_LEFT, Answers, Silent
from referee.backup.writing import Stopped
from referee.errors import BadInput
from referee.game.notice import Notice, told_by

LARGE = 5_000_000
PATIENCE_S = 60.0
SOON_S = 0.5
"""How long these tests wait for a process that is silent, in seconds."""


@pytest.fixture
def places(tmp_path: Path) -> Places:
    made = table(tmp_path, "one")
    (made.state / "large.bin").write_bytes(os.urandom(LARGE))
    return made


@pytest.fixture
def backup(places: Places, tmp_path: Path) -> Path:
    return saved(tmp_path / "b.zip", places)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[Started]:
    """The processes that were started; none is left."""
    found = record_processes(monkeypatch)
    yield found
    for process in found:
        assert process.wait(PATIENCE_S) is not None


def test_a_check_says_how_far_it_is_and_what_is_in_the_backup(backup: Path, places: Places) -> None:
    reports: list[tuple[int, int]] = []
    inside = examine_apart(backup, places, report=lambda done, total: reports.append((done, total)))
    assert inside == examine(backup, places)
    assert inside.matches == 2
    assert reports == sorted(reports)
    assert (reports[0][0], reports[-1][0]) == (0, reports[-1][1])
    assert reports[-1][1] > LARGE


def newer(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data.replace(b'"format": 1', b'"format": 9') if name == NAME else data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def test_answers_are_read_beside_a_thousand_connections() -> None:
    """The number of a file is then beyond what `select` takes."""
    high = 2000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard <= high:
        pytest.skip(f"a process may not open more than {hard} files here")
    reads, writes = os.pipe()
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, high + 1), hard))
    try:
        os.dup2(reads, high)
        os.write(writes, LENGTH.pack(2) + b"{}")
        assert Answers(high, lambda: True, None).block() == b"{}"
    finally:
        os.close(high)
        os.close(reads)
        os.close(writes)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("spoil", [newer, cut, Path.unlink])
def test_what_cannot_be_restored_is_told_as_here(backup: Path, places: Places, spoil: Callable[[Path], None]) -> None:
    spoil(backup)
    told = []
    for check in (examine, examine_apart):
        with pytest.raises(NotRestorable) as error:
            check(backup, places)
        told.append((error.value.reason, str(error.value)))
    assert told[0] == told[1]


def test_a_file_is_read_to_its_end(backup: Path) -> None:
    data, reports = bytearray(), []
    read_apart(backup, data.extend, report=lambda done, total: reports.append((done, total)))
    size = backup.stat().st_size
    assert data == backup.read_bytes()
    assert (reports[0], reports[-1]) == ((0, size), (size, size))


def test_a_file_that_is_gone_or_whose_reader_fails_is_told(backup: Path, tmp_path: Path) -> None:
    def full(_: bytes) -> None:
        raise NotRestorable("no_room", "full")

    with pytest.raises(NotRestorable) as error:
        read_apart(backup, full)
    assert error.value.reason == "no_room"
    with pytest.raises(NotRestorable) as error:
        read_apart(tmp_path / "none.zip", lambda _: None)
    assert error.value.reason == "stick"


def test_a_check_that_does_not_get_on_is_given_up(backup: Path, places: Places, started: Started) -> None:
    """A process that is stopped delivers nothing, like one that waits for a broken disk."""
    started.stops_next = 2
    with pytest.raises(Silent):
        examine_apart(backup, places, silent_s=SOON_S)
    with pytest.raises(Silent):
        read_apart(backup, lambda _: None, silent_s=SOON_S)
    examine_apart(backup, places)


def test_a_check_does_not_wait_until_nobody_else_wants_the_processor(
    backup: Path, places: Places, started: Started
) -> None:
    found: set[tuple[int, int]] = set()

    def report(_: int, __: int) -> None:
        if started[0].poll() is None:
            number = started[0].pid
            found.add((os.sched_getscheduler(number), os.getpriority(os.PRIO_PROCESS, number)))

    examine_apart(backup, places, report=report)
    assert found == {(os.SCHED_OTHER, LOWEST)}


def test_a_check_is_ended_when_nobody_wants_it_any_more(backup: Path, places: Places, started: Started) -> None:
    started.stops_next, wanted = 1, iter([True, True, False])
    with pytest.raises(Stopped):
        examine_apart(backup, places, lambda: next(wanted))
    assert started[0].returncode == -signal.SIGKILL  # it would not hear that it shall give up


def test_a_process_that_cannot_be_killed_is_not_waited_for(
    backup: Path, places: Places, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker.subprocess.Popen, "kill", lambda _: None)
    monkeypatch.setattr(worker, "KILLED_S", 0.01)
    started.stops_next = MOST_LEFT
    for _ in range(MOST_LEFT):
        with pytest.raises(Silent):
            examine_apart(backup, places, silent_s=SOON_S)
    with pytest.raises(Silent, match="still owes"):
        read_apart(backup, lambda _: None)
    assert len(started) == MOST_LEFT
    examine_apart(backup, places)  # the card is another matter
    for process in started[:MOST_LEFT]:
        process.send_signal(signal.SIGCONT)  # the disk answers after all: its answer is for nobody
    deadline = time.monotonic() + PATIENCE_S
    while worker.unended():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    read_apart(backup, lambda _: None)


def test_a_stick_that_is_silent_is_told_to_the_family(
    places: Places, tmp_path: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_backup(places, NOW, pictures=True)
    (tmp_path / "stick").mkdir()
    block = worker.Answers.block

    def stop(answers: worker.Answers) -> bytes:
        started[-1].send_signal(signal.SIGSTOP)
        return block(answers)

    monkeypatch.setattr(worker.Answers, "block", stop)
    with pytest.raises(BadInput) as error:
        copy_if_missing_apart(path, tmp_path / "stick", places.state, NOW.replace(tzinfo=None), silent_s=SOON_S)
    assert told_by(error.value) == Notice("backup.stick_silent")


def test_a_stick_that_does_not_even_say_what_is_on_it_is_given_up(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_backup(places, NOW, pictures=True)
    with hanging_disk(tmp_path / "stick", {"a file": b""}, None) as disk:
        # An hour passes as soon as the process waits for the stick, however long it has taken to get there.
        clock = SimpleNamespace(monotonic=lambda: time.monotonic() + 3600.0 * disk.hung.is_set())
        monkeypatch.setattr(worker, "time", clock)
        with pytest.raises(BadInput) as error:
            copy_if_missing_apart(path, tmp_path / "stick", places.state, NOW.replace(tzinfo=None))
    assert told_by(error.value) == Notice("backup.stick_silent")


def test_a_meter_counts_steps_towards_one_total_and_reports_seldom() -> None:
    reports, now = [], [0.0]
    meter = Meter(lambda done, total: reports.append((done, total)), 100, lambda: now[0])
    meter.begin(60)
    meter.count(b"x" * 10)
    now[0] = EVERY_S
    meter.count(b"x" * 10)
    meter.count(b"x" * 10)
    now[0] = 2 * EVERY_S
    meter.count(b"x" * 100)  # more than it was announced to have
    meter.begin(40)
    assert list(meter.counted([b"y" * 5])) == [b"y" * 5]
    meter.finish()
    assert reports == [(0, 100), (0, 100), (20, 100), (60, 100), (60, 100), (100, 100)]
