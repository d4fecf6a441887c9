"""The process that works on backups for us: how it is started, how its answers are read, and how it is ended.

1. It reads one job, a line of JSON, from its standard input, and gives up once that ends: because somebody stopped the
   work, or because we have ended ourselves, in whatever way.
2. It answers with blocks of bytes, each after its length; an empty one is followed by a last one with JSON, which says
   what became of the job. So nobody takes a backup for whole that was cut off.
3. Nobody waits for it for ever. Where a job may hang, as on a USB stick, silence ends it; and a process that cannot
   even be killed, because it sleeps in the kernel until the stick answers, is left to itself.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee.backup.writing import Continues, Stopped
from referee.errors import BadInput
from referee.game.notice import Notice

LENGTH = struct.Struct("<I")
"""How the length of a block is written."""
LOOK_S = 0.2
"""Seconds between two looks whether the work goes on."""
SILENT_S = 60.0
"""Seconds without any progress after which a job that may hang is given up.

Linux itself gives up a command to a disk after 30 s and tries it again; a stick that takes twice as long for a quarter
of a megabyte is broken.
"""
ENDING_S = 10.0
"""Seconds after which a process that was told to give up is killed; on a slow card it may wait for the disk."""
KILLED_S = 1.0
"""Seconds that a killed process is waited for."""
MOST_LEFT = 3
"""So many processes that could not be killed may sleep in the kernel; each has some 20 MB of memory."""
WAITED = "waited-for"
"""The argument of a process that somebody waits for."""
_LEFT = "left backup process"
_ROOT = Path(__file__).resolve().parents[2]


class Silent(BadInput):
    """A job does not get on: whatever it reads or writes has stopped answering."""


class Answers:
    """The blocks that a process answers with."""

    def __init__(self, output: int, goes_on: Continues, silent_s: float | None) -> None:
        """`output` is the file descriptor to read; `silent_s`: seconds without a byte that are borne, None: any."""
        self._output, self._goes_on, self._silent_s = output, goes_on, silent_s

    def block(self) -> bytes:
        """Return the next block; raises Stopped, Silent, and BadInput if the process has ended in the middle."""
        return self._read(LENGTH.unpack(self._read(LENGTH.size))[0])

    def last(self) -> dict[str, Any]:
        """Return the JSON of the last block; raises Stopped, or BadInput with why the job failed."""
        told: dict[str, Any] = json.loads(self.block())
        if told.get("stopped"):
            raise Stopped
        if "failed" in told:
            failed = Notice.from_json(told["failed"])
            raise BadInput(dict(failed.fields)["text"] if failed.key == "words.text" else failed)
        return told

    def _read(self, length: int) -> bytes:
        data, heard = bytearray(), time.monotonic()
        answers = select.poll()  # unlike `select`, it takes the numbers that files get beside a thousand connections
        answers.register(self._output, select.POLLIN)
        while len(data) < length:
            if not self._goes_on():
                raise Stopped
            if answers.poll(1e3 * LOOK_S):
                piece = os.read(self._output, length - len(data))
                if not piece:
                    raise BadInput(Notice("backup.ended"))
                data += piece
                heard = time.monotonic()
            elif self._silent_s is not None and time.monotonic() - heard > self._silent_s:
                raise Silent(f"expected the backup to be read or written, found no progress for {self._silent_s:g} s")
        return bytes(data)


@contextmanager
def working(
    job: dict[str, Any],
    goes_on: Continues = lambda: True,
    silent_s: float | None = None,
    *,
    only_reads: bool = False,
    on_stick: bool = False,
) -> Iterator[Answers]:
    """Start a process for a job and provide its answers; at the end of the context it gives up, unless it has ended.

    `silent_s`: seconds of silence after which the answers raise Silent; None: it is trusted to end.
    `only_reads`: whether somebody waits for it, and nothing is left of it if it is killed; otherwise it gets some time
    to give up, and works only when nobody else does.
    `on_stick`: whether it uses a USB stick; raises Silent at once if too many processes wait for one that is silent.
    """
    if on_stick and unended() >= MOST_LEFT:
        raise Silent("expected the USB stick to answer, found that it still owes several answers")
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))}
    ionice = shutil.which("ionice")
    # It reads and writes the card when nobody else does; what is not permitted is left out (-t).
    urgency = ("-c", "2", "-n", "7") if only_reads else ("-c", "3")
    command = [*((ionice, "-t", *urgency) if ionice else ()), sys.executable, "-P", "-m", "referee.backup"]
    command += [WAITED] if only_reads else []
    # In a session of its own, so that Ctrl-C ends us first, and we it.
    process = subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environ, start_new_session=True
    )
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("expected pipes to the process that makes backups, found none")
    try:
        with contextlib.suppress(BrokenPipeError):  # it has ended, which its missing answer says
            process.stdin.write(json.dumps(job).encode() + b"\n")
        yield Answers(process.stdout.fileno(), goes_on, silent_s)
    except Silent:
        only_reads = True  # it does not hear us either
        raise
    finally:
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        _end(process, 0.0 if only_reads else ENDING_S)


def _end(process: subprocess.Popen[bytes], patience_s: float) -> None:
    """End a process; one that cannot be killed is waited for by a thread that keeps nobody from ending."""
    for seconds in (patience_s, KILLED_S):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            return
        process.kill()
    threading.Thread(target=process.wait, name=_LEFT, daemon=True).start()


def unended() -> int:
    """Return how many processes could not be killed and have not ended yet."""
    return sum(thread.name == _LEFT for thread in threading.enumerate())
