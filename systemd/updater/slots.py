"""Where the versions lie: two slots, one link to the slot in use, and the records of what is to happen with them.

    /opt/referee/slots/a, b     a version each: venv, models, calibration, units, `version`; last of all `installed`
    /opt/referee/current        the link to the version in use
    /opt/referee/next.json      the slot that is to be used as soon as no match is under way
    /opt/referee/trial.json     the version that is on trial, and the one to go back to

An installation from before there were slots lies in /opt/referee itself; there the link leads to its own folder.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from updater.disk import remove_file, replace_link, sync_folder, write_whole

NAMES = ("a", "b")
WITHOUT_SLOTS = "."
"""The name of an installation from before there were slots."""
ITS_PARTS = ("venv", "models", "calibration", "units", "source", "installed", "version")
HALL_UNIT = "referee-hall"
UNITS = ("referee", HALL_UNIT)
"""The services that a version brings."""


class Slots:
    """The versions on the system below `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "opt/referee"
        self._link = self.home / "current"
        self._units = root / "etc/systemd/system"

    def path(self, slot: str) -> Path:
        """Return the folder of a slot."""
        return self.home if slot == WITHOUT_SLOTS else self.home / "slots" / slot

    def current(self) -> str | None:
        """Return the slot in use; None if there is none yet."""
        try:
            target = str(self._link.readlink())
        except OSError:
            return None
        return target if target == WITHOUT_SLOTS else target.removeprefix("slots/")

    def is_complete(self, slot: str) -> bool:
        """Return whether a slot holds a version that was installed to its end."""
        return (self.path(slot) / "installed").is_file()

    def version(self, slot: str) -> str:
        """Return the name of the version in a slot, as it is shown to people; empty if nobody can tell."""
        # One from before there were slots has no name, but a checksum.
        for name, most in (("version", 80), ("installed", 7)):
            try:
                return (self.path(slot) / name).read_text(encoding="utf-8").strip()[:most]
            except (OSError, ValueError):
                continue
        return ""

    def make_current(self, slot: str) -> None:
        """Let the link lead to a slot; raises ValueError for one that is not complete."""
        if not self.is_complete(slot):
            raise ValueError(f"{self.path(slot)}: expected a complete version, found no file `installed`")
        replace_link(self._link, slot if slot == WITHOUT_SLOTS else f"slots/{slot}")

    def put_units(self, slot: str) -> bool:
        """Write those services of a version that this machine has; return whether any of them changed.

        All versions are started by way of the link, so a service of the neighbour starts this version as well.
        """
        changed = False
        for name in UNITS:
            new, there = self.path(slot) / "units" / f"{name}.service", self._units / f"{name}.service"
            if new.is_file() and there.is_file() and new.read_bytes() != there.read_bytes():
                write_whole(there, new.read_text(encoding="utf-8"))
                changed = True
        return changed

    def remove_without_slots(self) -> None:
        """Remove an installation from before there were slots; `installed` first, so that no half of it counts."""
        for name in reversed(ITS_PARTS):
            path = self.home / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                remove_file(path)
        sync_folder(self.home)

    def remove_incomplete(self) -> None:
        """Remove what an installation that failed has left in a slot."""
        for slot in NAMES:
            if slot != self.current() and not self.is_complete(slot):
                shutil.rmtree(self.path(slot), ignore_errors=True)

    def read(self, name: str) -> dict[str, Any] | None:
        """Return a record; None if there is none, or none that can be read."""
        try:
            found = json.loads((self.home / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def write(self, name: str, record: dict[str, Any]) -> None:
        """Write a record."""
        write_whole(self.home / f"{name}.json", json.dumps(record) + "\n")

    def remove(self, name: str) -> None:
        """Remove a record, if it is there."""
        remove_file(self.home / f"{name}.json")
