"""Reads a whole backup that somebody wants to restore from the page, and says what is in it, or why it cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from referee.backup.checking import check_backup, check_version, open_backup
from referee.backup.contents import Places
from referee.backup.counting import Meter, Report, ignore_report
from referee.backup.manifest import BadBackup, NewerBackup
from referee.backup.restoring import SPARE
from referee.backup.writing import Continues, check_room, size_of
from referee.errors import BadInput


class NotRestorable(BadInput):
    """A file that cannot be restored. `reason` is the word by which people are told why."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Inside:
    """What people are told of a backup: when it was made (UTC, as ISO 8601), by which machine, and its matches."""

    made: str
    table: str
    matches: int


class Examine(Protocol):
    """Reads a whole backup like `examine`, and raises Stopped once `goes_on` returns False."""

    def __call__(self, path: Path, places: Places, goes_on: Continues, report: Report) -> Inside: ...  # noqa: D102


def examine(path: Path, places: Places, report: Report = ignore_report) -> Inside:
    """Read a whole backup; raises NotRestorable if it cannot be restored into `places`."""
    try:
        with open_backup(path) as backup:
            manifest = backup.manifest
            check_version(manifest, path)
            needed = manifest.size + size_of(Places(places.state, folder=places.folder)) + SPARE
        meter = Meter(report, manifest.size)
        meter.begin(manifest.size)
        check_backup(path, meter.count)
        meter.finish()
    except NewerBackup as error:
        raise NotRestorable("newer", str(error)) from error
    except BadInput as error:
        # A file that is damaged is a bad backup; one that cannot be opened says nothing about its content.
        is_bad = isinstance(error, BadBackup) or not isinstance(error.__cause__, OSError)
        raise NotRestorable("not_one" if is_bad else "disk", str(error)) from error
    except OSError as error:
        raise NotRestorable("disk", str(error)) from error
    check_free(places.state, needed)
    return Inside(manifest.made, manifest.table, manifest.matches)


def check_free(folder: Path, needed: int) -> None:
    """Raise NotRestorable unless the folder's disk has room for this many bytes."""
    try:
        check_room(folder, needed, 0)
    except BadInput as error:
        raise NotRestorable("no_room", str(error)) from error
