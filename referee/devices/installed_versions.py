"""The versions that are installed on this machine, as the updater has laid them out below /opt/referee.

`systemd/README.md` describes the slots. All of it belongs to root; the program may only read it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.devices.whole_file import read_whole
from referee.errors import BadInput

HOME = Path("/opt/referee")
SERVICE_STATE = Path("/var/lib/referee")
"""The folder of the service, in which the updater waits for bundles and orders."""
INCOMING = "incoming"
"""What the updater has unpacked of a bundle, below its own folder, as long as it is at work on it."""
_SLOTS = ("a", "b")
_MOST_BYTES, _LONGEST_NAME = 4096, 80


@dataclass(frozen=True, slots=True)
class Versions:
    """The version in use, and the complete one in the other slot; empty if nobody can tell."""

    in_use: str
    other: str = ""
    waits: bool = False
    """Whether the other one is used as soon as no match is under way."""
    on_trial: bool = False
    """Whether the one in use is on trial."""
    other_reads: bool = True
    """Whether the other one can read the journal, as far as that is known."""

    @property
    def can_change(self) -> bool:
        """Whether the other one can be used instead."""
        return bool(self.other) and self.other_reads and not (self.waits or self.on_trial)


def is_installed(prefix: str = sys.prefix, home: Path = HOME) -> bool:
    """Return whether this program runs from a slot, so that the updater can exchange it.

    `prefix` is the folder of the program's virtual environment.
    """
    try:
        return Path(prefix).resolve().is_relative_to((home / "current").resolve(strict=True))
    except (OSError, RuntimeError):
        return False


def read_versions(home: Path, tables: int) -> Versions | None:
    """Return the versions below `home`; None on a machine without slots.

    `tables` is the version of the journal's tables that this program writes.
    """
    try:
        current = (home / (home / "current").readlink()).resolve(strict=True)
    except (OSError, RuntimeError):
        return None
    slots = [home / "slots" / slot for slot in _SLOTS]
    others = [slot for slot in slots if slot.resolve() != current and (slot / "installed").is_file()]
    other = _text(others[0] / "version") if others else ""
    known = _record(home / "schemas.json").get(other)
    following = _record(home / "next.json")
    waits = bool(others) and following.get("slot") == others[0].name
    reads = not isinstance(known, int) or known >= tables
    return Versions(_text(current / "version"), other, waits, is_trial(home), reads)


def is_trial(home: Path = HOME) -> bool:
    """Return whether the version in use is on trial, after which it may be taken back."""
    return bool(_record(home / "trial.json"))


def _text(path: Path) -> str:
    try:
        return read_whole(path, _MOST_BYTES, "the name of a version").decode().strip()[:_LONGEST_NAME]
    except (BadInput, ValueError):
        return ""


def _record(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(read_whole(path, _MOST_BYTES, "a record of the updater"))
    except (BadInput, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
