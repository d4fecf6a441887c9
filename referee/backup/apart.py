"""Makes backups in a process of their own, so that a match never waits for one.

1. A thread shares the interpreter's lock with whoever judges a turn, so a lower priority of it makes things worse: it
   may hold the lock while it waits for the processor. A process can have the lowest priority.
2. The process (`__main__.py` of this package) reads one job, a line of JSON, from its standard input, and gives up
   once that ends: because somebody stopped the work, or because we have ended ourselves, in whatever way.
3. It answers with blocks of bytes, each after its length; an empty one is followed by a last one with JSON, which says
   what became of the job. So nobody takes a backup for whole that was cut off.
4. It does not use the memory of the referee: about 30 MB while it lasts, as nothing but this package is imported.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import select
import shutil
import struct
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from referee.backup.contents import Places
from referee.backup.writing import Continues, Stopped
from referee.errors import BadInput
from referee.game.notice import Notice

LENGTH = struct.Struct("<I")
"""How the length of a block is written."""
LOOK_S = 0.2
"""Seconds between two looks whether the work goes on."""
ENDING_S = 10.0
"""Seconds after which a process that was told to give up is killed; on a slow card it may wait for the disk."""
_ROOT = Path(__file__).resolve().parents[2]


def make_backup_apart(places: Places, now: dt.datetime, *, pictures: bool, goes_on: Continues = lambda: True) -> Path:
    """Do what `make_backup` does, in a process of its own."""
    job = {"do": "make", "places": places_to_json(places), "now": now.isoformat(), "pictures": pictures}
    return Path(_answer(job, goes_on))


def copy_to_stick_apart(
    path: Path, stick: Path, state: Path, local: dt.datetime, goes_on: Continues = lambda: True
) -> Path:
    """Do what `copy_to_stick` does, in a process of its own."""
    job = {"do": "copy", "path": str(path), "stick": str(stick), "state": str(state), "local": local.isoformat()}
    return Path(_answer(job, goes_on))


def stream_backup_apart(places: Places, made: dt.datetime, *, pictures: bool) -> Generator[bytes, None, None]:
    """Yield what `stream_backup` yields, made in a process of its own that ends with this generator."""
    job = {"do": "stream", "places": places_to_json(places), "now": made.isoformat(), "pictures": pictures}
    with _process(job) as output:
        while block := _block(output):
            yield block
        _path_of(_block(output))


def places_to_json(places: Places) -> dict[str, Any]:
    """Return the places as JSON values."""
    return {
        "state": str(places.state),
        "settings": None if places.settings is None else str(places.settings),
        "named": {key: str(path) for key, path in places.named.items()},
        "folder": None if places.folder is None else str(places.folder),
    }


def places_from_json(told: dict[str, Any]) -> Places:
    """Return the places that `places_to_json` has written."""
    settings, folder = (None if told[name] is None else Path(told[name]) for name in ("settings", "folder"))
    return Places(Path(told["state"]), settings, {key: Path(path) for key, path in told["named"].items()}, folder)


def _answer(job: dict[str, Any], goes_on: Continues) -> str:
    """Return the path with which the process answers; raises BadInput, and Stopped once `goes_on` returns False."""
    with _process(job) as output:
        while True:
            if not goes_on():
                raise Stopped
            if select.select([output], [], [], LOOK_S)[0]:
                break
        if _block(output):
            raise BadInput("expected an answer from the process that makes backups, found something else")
        return _path_of(_block(output))


@contextmanager
def _process(job: dict[str, Any]) -> Iterator[IO[bytes]]:
    """Start the process and provide its output; at the end of the context it gives up, unless it has ended."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))}
    ionice = shutil.which("ionice")
    # It reads and writes the card when nobody else does; what is not permitted is left out (-t).
    command = [*((ionice, "-t", "-c", "3") if ionice else ()), sys.executable, "-P", "-m", "referee.backup"]
    # In a session of its own, so that Ctrl-C ends us first, and we it.
    process = subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ, start_new_session=True
    )
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("expected pipes to the process that makes backups, found none")
    try:
        with contextlib.suppress(BrokenPipeError):  # it has ended, which its missing answer says
            process.stdin.write(json.dumps(job).encode() + b"\n")
            process.stdin.flush()
        yield process.stdout
    finally:
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        try:
            process.wait(ENDING_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _block(output: IO[bytes]) -> bytes:
    """Read one block; raises BadInput if the process has ended in the middle."""
    head = output.read(LENGTH.size)
    length = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else 0
    block = output.read(length)
    if len(head) < LENGTH.size or len(block) < length:
        raise BadInput("expected a whole backup from the process that makes it, found that it was ended")
    return block


def _path_of(answer: bytes) -> str:
    """Return the path in an answer; raises what became of the job if it failed."""
    told = json.loads(answer)
    if told.get("stopped"):
        raise Stopped
    if "failed" in told:
        failed = Notice.from_json(told["failed"])
        raise BadInput(dict(failed.fields)["text"] if failed.key == "words.text" else failed)
    return str(told.get("path", ""))
