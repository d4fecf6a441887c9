"""The record of the first evening: one file that can be sent, JSON with a version, written after every check."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from referee.devices.whole_file import read_whole, write_whole
from referee.doctor.finding import Finding, Result
from referee.doctor.machine import Machine
from referee.errors import BadInput

VERSION = 1
FILE = "first-evening.json"
LONGEST = 5_000_000
"""The largest size of a record in bytes; nine steps with all their figures have some hundred thousand."""
MEASURED, SKIPPED, LACKING, FAILED = "measured", "skipped", "lacking", "failed"
SETTLED = (MEASURED, SKIPPED)
"""A step with one of these statuses is run again only if it is chosen."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The entry of one check in the record."""

    check: int
    step: str
    status: str
    at: str
    seconds: float
    finding: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the check as one step of the record's JSON file."""
        return {name: getattr(self, name) for name in ("check", "step", "status", "at", "seconds", "finding")}


@dataclass(frozen=True, slots=True)
class Record:
    """Everything that was measured on one machine with one card."""

    machine: Mapping[str, Any]
    begun: str
    entries: Mapping[str, Entry] = field(default_factory=dict)

    def is_settled(self, step: str) -> bool:
        """Return whether a check was made, or skipped on purpose."""
        return step in self.entries and self.entries[step].status in SETTLED

    def with_entry(self, entry: Entry) -> Record:
        """Return the record with one more check, or with a new result of that check."""
        return replace(self, entries={**self.entries, entry.step: entry})

    def to_json(self) -> dict[str, Any]:
        """Return the record as it is stored in the JSON file, with its steps in the order of the checks."""
        return {
            "first_evening": VERSION,
            "begun": self.begun,
            "machine": dict(self.machine),
            "steps": [one.to_json() for one in sorted(self.entries.values(), key=lambda one: one.check)],
        }


def machine_of(box: Machine) -> dict[str, Any]:
    """Return what is known of this machine and the software on it, without serial number, name or address."""
    release = dict(line.split("=", 1) for line in box.text("etc/os-release").splitlines() if "=" in line)
    return {
        "model": box.model or f"not a Raspberry Pi ({platform.machine()})",
        "release": release.get("VERSION_CODENAME", "").strip('"'),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "libraries": {name: version for name in _LIBRARIES if (version := _version(name))},
    }


_LIBRARIES = ("referee", "numpy", "opencv-python-headless", "onnxruntime", "gpiozero", "lgpio", "picamera2")


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def entry(check: int, step: str, status: str, finding: Finding, at: datetime, seconds: float) -> Entry:
    """Return the entry of a check that ended at `at`."""
    return Entry(check, step, status, at.isoformat(timespec="seconds"), round(seconds, 1), finding.to_json())


def load_record(path: Path, box: Machine) -> Record:
    """Load a record, or begin one; raises BadInput for any other file, or one of another machine or card."""
    here = machine_of(box)
    try:
        data = json.loads(read_whole(path, LONGEST, "a record of a first evening"))
    except BadInput as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return Record(here, box.wall().isoformat(timespec="seconds"))
        raise
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: expected a record of a first evening, found no JSON") from error
    version = data.get("first_evening") if isinstance(data, dict) else None
    if version != VERSION:
        found = "none" if version is None else f"version {version!r:.20}"
        raise BadInput(f"{path}: expected a record of a first evening, version {VERSION}, found {found}")
    try:
        entries = {one["step"]: Entry(**one) for one in data["steps"]}
        record = Record(data["machine"], data["begun"], entries)
        there = [record.machine[name] for name in ("model", "release")]
    except (KeyError, TypeError) as error:
        raise BadInput(f"{path}: expected a whole record of a first evening, found: {error}") from error
    if there != [here["model"], here["release"]]:
        raise BadInput(f"{path}: expected a record of this machine and card, found one of {' with '.join(there)}; "
                       "name another file by --out")  # fmt: skip
    return replace(record, machine=here)


def save(record: Record, path: Path) -> None:
    """Write the record; raises BadInput if that is not possible."""
    text = json.dumps(record.to_json(), ensure_ascii=False, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{path}: expected a folder to write to, found: {error.strerror}") from error
    write_whole(path, f"{text}\n".encode(), "a file to write the record to")


def status_of(finding: Finding) -> str:
    """Return the status of a completed check in the record."""
    return LACKING if finding.result is Result.SKIPPED else MEASURED
