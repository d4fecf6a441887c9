"""Makes, copies and checks backups in a process of their own, so that neither a match nor the page waits for one.

1. A thread shares the interpreter's lock with whoever judges a turn, so a lower priority of it makes things worse: it
   may hold the lock while it waits for the processor. A process can have the lowest priority, and it rests between
   pieces of work where nobody waits for it (`pace.py`).
2. A thread that waits for a broken USB stick cannot be ended; a process is given up (`worker.py`).
3. It does not use the memory of the referee: about 30 MB while it lasts, as nothing but this package is imported
   (`__main__.py`).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from referee.backup.contents import Places
from referee.backup.counting import Report, ignore_report
from referee.backup.examining import Inside, NotRestorable
from referee.backup.worker import SILENT_S, Answers, Silent, working
from referee.backup.writing import Continues
from referee.errors import BadInput
from referee.game.notice import Notice

COPY_SILENT_S = 600.0
"""Like SILENT_S, for a copy that nobody waits for: it may first read older backups on a slow stick, to make room."""


def make_backup_apart(places: Places, now: dt.datetime, *, pictures: bool, goes_on: Continues = lambda: True) -> Path:
    """Do what `make_backup` does, in a process of its own."""
    job = {"do": "make", "places": places_to_json(places), "now": now.isoformat(), "pictures": pictures, "rests": True}
    with working(job, goes_on) as answers:
        return Path(_result(answers)["path"])


def copy_if_missing_apart(
    path: Path,
    stick: Path,
    state: Path,
    local: dt.datetime,
    goes_on: Continues = lambda: True,
    silent_s: float = COPY_SILENT_S,
) -> Path | None:
    """Do what `copy_if_missing` does, in a process of its own: even the first look at a broken stick may never end.

    A stick that stops answering is given up; this raises BadInput.
    """
    named = {"path": str(path), "stick": str(stick), "state": str(state)}
    job = {"do": "copy", **named, "local": local.isoformat(), "rests": True}
    try:
        with working(job, goes_on, silent_s, on_stick=True) as answers:
            copied = _result(answers)["path"]
    except Silent as error:
        raise BadInput(Notice("backup.stick_silent")) from error
    return None if copied is None else Path(copied)


def stream_backup_apart(
    places: Places, made: dt.datetime, *, pictures: bool, rests: bool = False
) -> Generator[bytes, None, None]:
    """Yield what `stream_backup` yields, made in a process of its own that ends with this generator.

    With `rests`, it leaves most of the time to a match.
    """
    job = {"do": "stream", "places": places_to_json(places), "now": made.isoformat(), "pictures": pictures}
    job["rests"] = rests
    with working(job) as answers:
        while block := answers.block():
            yield block
        answers.last()


def read_apart(
    path: Path,
    write: Callable[[bytes], object],
    goes_on: Continues = lambda: True,
    report: Report = ignore_report,
    silent_s: float = SILENT_S,
) -> None:
    """Pass the bytes of a file, such as one on a USB stick, to `write`.

    Raises Silent for a stick that stops answering, NotRestorable("stick") for one that cannot be read, and Stopped.
    """
    with working({"do": "read", "path": str(path)}, goes_on, silent_s, only_reads=True, on_stick=True) as answers:
        done, size = 0, None
        while block := answers.block():
            if size is None:
                size = int(block)
            else:
                write(block)
                done += len(block)
            report(done, size)
        _raise_refusal(answers.last())


def examine_apart(
    path: Path,
    places: Places,
    goes_on: Continues = lambda: True,
    report: Report = ignore_report,
    silent_s: float = SILENT_S,
) -> Inside:
    """Do what `examine` does, in a process of its own; also raises Silent if that does not get on, and Stopped."""
    job = {"do": "examine", "path": str(path), "places": places_to_json(places)}
    with working(job, goes_on, silent_s, only_reads=True) as answers:
        told = _result(answers, report)
    _raise_refusal(told)
    return Inside(told["made"], told["table"], told["matches"])


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


def _result(answers: Answers, report: Report = ignore_report) -> dict[str, Any]:
    """Return the last answer of a process; those before it say how far the job is."""
    while block := answers.block():
        done, total = json.loads(block)
        report(done, total)
    return answers.last()


def _raise_refusal(told: dict[str, Any]) -> None:
    if "refused" in told:
        raise NotRestorable(told["refused"], told["why"])
