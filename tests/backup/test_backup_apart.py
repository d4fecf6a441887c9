"""Backups that a process of its own makes: the same as here, and nothing is left of one that somebody ended."""

import datetime as dt
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from saved_tables import NOW, content, table
from started_processes import record_processes

from referee.backup import worker
from referee.backup.__main__ import LOWEST, main
from referee.backup.apart import (
    copy_if_missing_apart,
    make_backup_apart,
    places_from_json,
    places_to_json,
    stream_backup_apart,
)
from referee.backup.automatic import copy_to_stick, make_backup
from referee.backup.checking import check_backup
from referee.backup.contents import Places
from referee.backup.restoring import restore
from referee.backup.stick_folder import folder_on
from referee.backup.worker import LENGTH
from referee.backup.writing import COPIES, Stopped
from referee.errors import RefereeError
from referee.game.notice import told_by

LARGE = 3_000_000
"""More than a pipe holds: whoever sends this waits until somebody reads."""
PATIENCE_S = 60.0
LOCAL = NOW.replace(tzinfo=None)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    made = table(tmp_path, "one")
    (made.state / "large.bin").write_bytes(os.urandom(LARGE))
    return made


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, a process of the lowest priority may need long to give up; it is not killed for that here."""
    monkeypatch.setattr(worker, "ENDING_S", PATIENCE_S)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were started."""
    return record_processes(monkeypatch)


def left_of(places: Places) -> list[str]:
    """What is left of backups that were not finished."""
    folders = (places.state, places.backups)
    return [path.name for folder in folders if folder.is_dir() for path in folder.iterdir() if path.name[0] == "."]


def test_it_has_the_same_files_as_one_that_is_made_here(places: Places, tmp_path: Path) -> None:
    before = content(places)
    path = make_backup_apart(places, NOW, pictures=True)
    assert path.parent == places.backups
    with_stream = tmp_path / "stream.zip"
    with_stream.write_bytes(b"".join(stream_backup_apart(places, NOW, pictures=True)))
    here = make_backup(places, NOW + dt.timedelta(days=1), pictures=True)
    members = [[(one.name, one.sha256) for one in check_backup(one).members if one.name != "state/journal.db"]
               for one in (path, with_stream, here)]  # fmt: skip
    assert members[0] == members[1] == members[2]
    fresh = Places(tmp_path / "fresh", tmp_path / "fresh.toml")
    restore(path, fresh, NOW, lambda _: None)
    assert {**content(fresh), "settings": b""} == {**before, "settings": b""}
    assert left_of(places) == []


def test_it_is_copied_to_a_stick(places: Places, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    path = make_backup_apart(places, NOW, pictures=False)
    copy = copy_if_missing_apart(path, stick, places.state, LOCAL)
    assert copy == folder_on(stick, places.state) / path.name
    assert copy.read_bytes() == path.read_bytes()


def test_all_places_arrive_there() -> None:
    odd = os.fsdecode(b"odd-\xff")
    for places in (Places(Path("a")), Places(Path(odd), Path("s"), {"voice.pack": Path("v")}, Path("kept"))):
        assert places_from_json(places_to_json(places)) == places


def damage(places: Places) -> None:
    journal = places.state / "journal.db"
    data = journal.read_bytes()
    journal.write_bytes(data[:4096] + b"\xff" * 4096 + data[8192:])


def block(places: Places) -> None:
    places.backups.write_text("in the way")


@pytest.mark.parametrize("spoil", [damage, block])
def test_what_goes_wrong_is_told_as_if_it_were_made_here(places: Places, spoil: Callable[[Places], None]) -> None:
    spoil(places)
    told = []
    for make in (make_backup, make_backup_apart):
        with pytest.raises((RefereeError, OSError)) as error:
            make(places, NOW, pictures=True)
        told.append(told_by(error.value))
    assert told[0] == told[1]
    assert left_of(places) == []


def test_a_stick_that_takes_no_copy_is_told_as_here(places: Places, tmp_path: Path) -> None:
    path, told = make_backup(places, NOW, pictures=False), []
    for copy in (copy_to_stick, copy_if_missing_apart):
        with pytest.raises((RefereeError, OSError)) as error:
            copy(path, tmp_path / "no stick", places.state, LOCAL)
        told.append(told_by(error.value))
    assert told[0] == told[1]


def test_a_damaged_journal_cuts_a_stream_off(places: Places) -> None:
    damage(places)
    with pytest.raises(RefereeError, match=r"journal\.db"):
        b"".join(stream_backup_apart(places, NOW, pictures=True))


def test_nothing_is_left_of_one_that_is_given_up(places: Places, started: list[subprocess.Popen[bytes]]) -> None:
    with pytest.raises(Stopped):
        make_backup_apart(places, NOW, pictures=True, goes_on=lambda: False)
    assert started[0].returncode is not None
    assert left_of(places) == []


def test_nothing_is_left_of_a_stream_that_nobody_reads_to_the_end(
    places: Places, started: list[subprocess.Popen[bytes]]
) -> None:
    chunks = stream_backup_apart(places, NOW, pictures=True)
    assert next(chunks)
    chunks.close()
    assert started[0].returncode is not None
    assert left_of(places) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_process_that_is_ended_makes_no_backup(
    places: Places, started: list[subprocess.Popen[bytes]], number: int
) -> None:
    chunks = stream_backup_apart(places, NOW, pictures=True)
    next(chunks)
    started[0].send_signal(number)
    with pytest.raises(RefereeError, match=r"backup\.ended"):
        b"".join(chunks)
    if number == signal.SIGTERM:  # what systemd sends leaves nothing; what is left after a kill is removed a day later
        assert left_of(places) == []
    else:
        assert all(name.startswith(COPIES) for name in left_of(places))


def test_it_ends_with_whoever_has_started_it(places: Places) -> None:
    """Even if that is killed: otherwise a backup would go on beside the referee that is started anew."""
    program = (
        "import os, sys\nfrom pathlib import Path\nimport datetime as dt\n"
        "from referee.backup import apart\nfrom referee.backup.contents import Places\n"
        "chunks = apart.stream_backup_apart(Places(Path(sys.argv[1])), dt.datetime.now(dt.UTC), pictures=True)\n"
        "next(chunks)\nprint(len([*Path(sys.argv[1]).glob('.backup-*')]), flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    command = [sys.executable, "-c", program, str(places.state)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == -signal.SIGKILL
    deadline = time.monotonic() + PATIENCE_S
    while left_of(places) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left_of(places) == []


def test_a_backup_is_whole_though_each_write_takes_only_a_part(places: Places) -> None:
    """As an output without a buffer does, which the service has, if the process is stopped and goes on."""

    class Slow(io.RawIOBase):
        def __init__(self) -> None:
            self.taken = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            self.taken += bytes(data[:50_000])
            return min(len(data), 50_000)

    jobs, telling = os.pipe()
    job = {"do": "stream", "places": places_to_json(places), "now": NOW.isoformat(), "pictures": True}
    os.write(telling, json.dumps(job).encode() + b"\n")
    slow = Slow()
    with os.fdopen(jobs, "rb") as reading, os.fdopen(telling, "wb"):
        main(reading, slow)  # type: ignore[arg-type]
    answers, lengths = io.BytesIO(slow.taken), []
    while head := answers.read(LENGTH.size):
        lengths.append(LENGTH.unpack(head)[0])
        assert len(answers.read(lengths[-1])) == lengths[-1]
    assert max(lengths) > 50_000
    assert lengths[-2] == 0
    assert json.loads(bytes(slow.taken)[-lengths[-1] :]) == {}


def test_it_runs_when_nobody_else_wants_the_processor(places: Places, started: list[subprocess.Popen[bytes]]) -> None:
    chunks = stream_backup_apart(places, NOW, pictures=True)
    next(chunks)
    policy, nice = os.sched_getscheduler(started[0].pid), os.getpriority(os.PRIO_PROCESS, started[0].pid)
    chunks.close()
    assert (policy, nice) == (os.SCHED_IDLE, LOWEST)


def test_it_loads_nothing_that_needs_much_memory() -> None:
    program = "import sys, referee.backup.__main__\nprint(*sorted({name.split('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    heavy = {"numpy", "cv2", "onnxruntime", "starlette", "typer", "rich", "asyncio", "ssl"}
    assert heavy.isdisjoint(done.stdout.split())
