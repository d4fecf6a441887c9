"""What became of the last update, as the updater of the machine writes it into the journal's folder.

`systemd/README.md` describes updates. Whatever the file holds is checked, since the folder is not root's.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from referee.devices.installed_versions import HOME, SERVICE_STATE, is_trial
from referee.devices.whole_file import read_whole, write_whole
from referee.errors import BadInput
from referee.game.notice import Notice

FILE = "update.json"
TOLD = "update-told.json"
"""The result that players have been told of."""
MOST, LONGEST = 4096, 1_000_000
"""The most bytes of a result, and of a settings file."""
_BACK = ("not_ready", "stopped", "gave_up", "boots")
"""Why a version was taken back."""
_FAILED = ("no_copy", "signature", "no_key", "damaged", "no_room", "release", "on_trial", "install",
           "tables", "no_other", "in_memory")  # fmt: skip
"""Why a version was not installed or not used."""
ENDED = ("waits", "trying", "stays", "back", "failed", "cancelled")
"""The states after which nothing more is done for an installation."""
IN_TRIAL, RESET_IN_TRIAL = Notice("backup.restore_in_trial"), Notice("system.reset_in_trial")
UNDER_WAY = ("checking", "installing")
"""The states in which the updater is still at work on a bundle."""


def result_folder(settings: Path) -> Path:
    """Return the folder of the journal that this settings file names, by the rule of the updater."""
    try:
        named = tomllib.loads(read_whole(settings, LONGEST, settings.name).decode()).get("storage", {}).get("state")
    except (BadInput, ValueError, AttributeError):
        named = None
    return Path(named) if isinstance(named, str) and named.startswith("/") else SERVICE_STATE


def update_notices(folder: Path) -> tuple[Notice, ...]:
    """Return what became of the last update, in one or two sentences; none if there was no update."""
    found = _read(folder / FILE)
    return () if found is None else _notices(found)


def is_on_trial(folder: Path, home: Path = HOME) -> bool:
    """Return whether a new version is on trial that may take back what is done to the journal in a folder.

    If it is taken back and had changed the tables, the journal from before the update is put back.
    """
    return (folder / FILE).exists() and is_trial(home)


def unwritten_notices(folder: Path) -> tuple[Notice, ...]:
    """Return what is told of an update whose end could not be written: the card is full."""
    return _notices({**(_read(folder / FILE) or {}), "state": "failed", "reason": "no_room"})


def take_news(folder: Path) -> tuple[Notice, ...]:
    """Return what players must be told of the last update, which is that it failed; each failure is returned once."""
    found = _read(folder / FILE)
    if found is None or found.get("state") not in ("back", "failed") or found == _read(folder / TOLD):
        return ()
    with suppress(BadInput):  # then it is told once more at the next start
        write_whole(folder / TOLD, json.dumps(found).encode(), TOLD, 0o600)
    return _notices(found)


def update_state(folder: Path) -> str:
    """Return how far the last update has come: one of `ENDED`, or "checking" or "installing"; empty without one."""
    found = _read(folder / FILE)
    return str((found or {}).get("state", ""))


def update_record(folder: Path) -> dict[str, Any]:
    """Return what is known of the last update, for programs.

    `state` is that of `update_state`. `version` is the version that the update was about, `before` the one that was in
    use before. `reason` is the word for why it failed or was taken back, `detail` says more, and `lost` is the number
    of events that only the journal of the version that was taken back has.
    """
    found = _read(folder / FILE) or {}
    record: dict[str, Any] = {}
    for name in ("state", "version", "before", "reason", "detail"):
        value = found.get(name)
        record[name] = value if isinstance(value, str) else ""
    lost = found.get("lost")
    return {**record, "lost": lost if isinstance(lost, int) and not isinstance(lost, bool) else 0}


def last_version(folder: Path) -> str:
    """Return which version the last update was about; empty without one."""
    found = (_read(folder / FILE) or {}).get("version", "")
    return found if isinstance(found, str) else ""


def _read(path: Path) -> Mapping[str, Any] | None:
    try:
        found = json.loads(read_whole(path, MOST, FILE))
    except (BadInput, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _notices(found: Mapping[str, Any]) -> tuple[Notice, ...]:
    version, before, reason = (found.get(name) for name in ("version", "before", "reason"))
    if not (isinstance(version, str) and isinstance(before, str)):
        return ()
    match found.get("state"):
        case "checking":
            return (Notice("update.checking"),)
        case "installing" | "waits" | "trying" | "stays" | "cancelled" as state:
            return (Notice(f"update.{state}", version=version),)
        case "failed":
            key = f"update.why_{reason if reason in _FAILED else 'install'}"
            fields = {"reason": str(found.get("detail"))[:200]} if reason == "no_copy" else {}
            return (Notice("update.failed", before=before, why=Notice(key, **fields)),)
        case "back":
            why = Notice(f"update.why_{reason if reason in _BACK else 'stopped'}")
            return (Notice("update.back", version=version, before=before, why=why), *_lost(found.get("lost")))
    return ()


def _lost(events: object) -> tuple[Notice, ...]:
    if isinstance(events, bool) or not isinstance(events, int) or events <= 0:
        return ()
    return (Notice("update.lost", events=events),)
