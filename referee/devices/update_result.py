"""What became of the last update, as the updater of the machine writes it into the journal's folder.

`systemd/README.md` describes updates. Whatever the file holds is checked, since the folder is not root's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from referee.devices.whole_file import read_whole, write_whole
from referee.errors import BadInput
from referee.game.notice import Notice

FILE = "update.json"
TOLD = "update-told.json"
"""The result that players have been told of."""
MOST = 4096
_REASONS = ("not_ready", "stopped", "gave_up", "boots")


def update_notices(folder: Path) -> tuple[Notice, ...]:
    """Return what became of the last update, in one or two sentences; none if there was no update."""
    found = _read(folder / FILE)
    return () if found is None else _notices(found)


def take_news(folder: Path) -> tuple[Notice, ...]:
    """Return what players must be told of the last update, which is that it failed; each failure is returned once."""
    found = _read(folder / FILE)
    if found is None or found.get("state") not in ("back", "failed") or found == _read(folder / TOLD):
        return ()
    with suppress(BadInput):  # then it is told once more at the next start
        write_whole(folder / TOLD, json.dumps(found).encode(), TOLD, 0o600)
    return _notices(found)


def _read(path: Path) -> Mapping[str, Any] | None:
    try:
        found = json.loads(read_whole(path, MOST, FILE))
    except (BadInput, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _notices(found: Mapping[str, Any]) -> tuple[Notice, ...]:
    version, before, reason, lost = (found.get(name) for name in ("version", "before", "reason", "lost"))
    if not (isinstance(version, str) and isinstance(before, str)):
        return ()
    match found.get("state"):
        case "waits" | "trying" | "stays" as state:
            return (Notice(f"update.{state}", version=version),)
        case "failed":
            return (Notice("update.no_copy", version=version, before=before, reason=str(found.get("detail"))[:200]),)
        case "back":
            why = Notice(f"update.why_{reason if reason in _REASONS else 'stopped'}")
            told = Notice("update.back", version=version, before=before, why=why)
            if isinstance(lost, int) and not isinstance(lost, bool) and lost > 0:
                return told, Notice("update.lost", events=lost)
            return (told,)
    return ()
