"""The process that makes, copies or checks one backup, `python -m referee.backup`.

Only `worker.py` starts it; its introduction describes what the two send to each other.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from referee.backup.apart import places_from_json
from referee.backup.automatic import chunks_of, copy_if_missing, make_backup
from referee.backup.examining import NotRestorable, examine
from referee.backup.pace import Pace
from referee.backup.worker import LENGTH, WAITED
from referee.backup.writing import Continues, Stopped, stream_backup
from referee.errors import RefereeError
from referee.game.notice import told_by

LOWEST = 19
"""The lowest priority of a process."""


def lower_priority(*, idle: bool) -> None:
    """Lower the priority of this process, as far as that is permitted; if `idle`, it runs when nobody else wants to.

    A process that is merely nice still gets a tenth of a busy processor, for which whoever judges a turn waits. One
    that is idle may get nothing at all for a minute, which somebody who waits would take for a broken stick.
    """
    if idle:
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with contextlib.suppress(OSError):
        os.nice(LOWEST)


def run(job: dict[str, Any], goes_on: Continues, write: Callable[[bytes], None]) -> dict[str, Any]:
    """Do a job, pass the blocks of the answer to `write`, and return the last one.

    Raises Stopped once `goes_on` returns False.
    """

    def report(done: int, total: int) -> None:
        write(json.dumps([done, total]).encode())

    match job["do"]:
        case "make":
            places, now = places_from_json(job["places"]), dt.datetime.fromisoformat(job["now"])
            return {"path": str(make_backup(places, now, pictures=job["pictures"], goes_on=goes_on))}
        case "copy":
            local = dt.datetime.fromisoformat(job["local"])
            path, stick, state = Path(job["path"]), Path(job["stick"]), Path(job["state"])
            copied = copy_if_missing(path, stick, state, local, goes_on, report)
            return {"path": None if copied is None else str(copied)}
        case "stream":
            places, now = places_from_json(job["places"]), dt.datetime.fromisoformat(job["now"])
            with closing(stream_backup(places, now, pictures=job["pictures"])) as chunks:
                for chunk in chunks:
                    if not goes_on():
                        raise Stopped
                    write(chunk)
        case "read":
            path = Path(job["path"])
            try:
                write(str(path.stat().st_size).encode())
                for chunk in chunks_of(path):
                    write(chunk)
            except BrokenPipeError:
                raise
            except OSError as error:
                return {"refused": "stick", "why": str(error)}
        case "examine":
            try:
                return asdict(examine(Path(job["path"]), places_from_json(job["places"]), report))
            except NotRestorable as error:
                return {"refused": error.reason, "why": str(error)}
    return {}


def main(jobs: IO[bytes], answers: IO[bytes]) -> None:
    """Read a job and answer it; once `jobs` ends, nobody waits for the answer any more, and nothing is left of it.

    A job that `rests` works only a part of the time.
    """
    job = json.loads(jobs.readline())
    pace = Pace() if job.get("rests") else None

    def goes_on() -> bool:
        if pace is not None:
            pace.rest()
        return not select.select([jobs], [], [], 0)[0]

    try:
        told = run(job, goes_on, lambda block: _write(answers, block))
    except Stopped:
        told = {"stopped": True}
    except BrokenPipeError:  # whoever has read the answers has gone
        return
    except (RefereeError, OSError) as error:
        told = {"failed": told_by(error).to_json()}
    _write(answers, b"", json.dumps(told).encode())


def _write(answers: IO[bytes], *blocks: bytes) -> None:
    for block in blocks:
        rest = memoryview(LENGTH.pack(len(block)) + block)
        # With PYTHONUNBUFFERED, a write may take only a part of a block if the process was stopped meanwhile.
        while rest:
            rest = rest[answers.write(rest) :]
    answers.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # systemd ends all processes of the service: leave nothing
    lower_priority(idle=WAITED not in sys.argv)
    with contextlib.suppress(BrokenPipeError):
        main(sys.stdin.buffer, sys.stdout.buffer)
    with contextlib.suppress(OSError):  # nothing is left to be written, and nobody may be there to read it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
