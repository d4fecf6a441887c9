"""The switch from the old state to the new one: what is repeated, after any interruption, until it is complete."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.backup.keeping import time_in
from referee.backup.manifest import (
    BACKUPS,
    BEFORE_UPDATE,
    DONE,
    DRAFT,
    OF_THIS_MACHINE,
    OWN_NAMES,
    READY,
    SETTINGS_NAME,
    STATE,
    is_safe_name,
)
from referee.devices.whole_file import sync_folder, write_whole
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.settings.file import EXCHANGED

PLAN = "plan.json"
LONGEST_PLAN = 10_000_000


@dataclass(frozen=True, slots=True)
class NewSettings:
    """A settings file that a restore writes."""

    path: Path
    text: str


def make_plan(
    draft: Path, names: Collection[str], settings: NewSettings | None, kept: str = "", *, forget: bool = False
) -> None:
    """Write into `restore-draft` which names the new state has, and its settings file.

    `kept` is the name of one more folder that stays as it is, such as that of the automatic backups. With `forget`,
    no backup stays: the machine is given away.
    """
    told = None
    if settings is not None:
        data = settings.text.encode()
        (draft / SETTINGS_NAME).parent.mkdir(mode=0o700)
        write_whole(draft / SETTINGS_NAME, data, "a place for the settings", 0o600)
        told = {"path": str(settings.path), "sha256": hashlib.sha256(data).hexdigest()}
    plan = json.dumps({"names": sorted(names), "settings": told, "kept": kept, "forget": forget})
    write_whole(draft / PLAN, plan.encode(), "a place for the plan of the restore", 0o600)


def check_removable(folder: Path, kept: str = "", *, forget: bool = False) -> None:
    """Raise BadInput if a plan with `kept` and `forget` has something removed that this user may not remove.

    Otherwise only the decided switch would fail for it, again at each start of the program.
    """
    for path in _removed(folder, kept, forget=forget):
        if path.is_dir() and not path.is_symlink():
            for place, folders, files in os.walk(path, onerror=_refuse_unreadable):
                if (folders or files) and not os.access(place, os.W_OK | os.X_OK, effective_ids=True):
                    raise _not_removable(place)


def _refuse_unreadable(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):  # a folder that was temporary is removed already
        raise _not_removable(error.filename) from error


def _not_removable(path: str) -> BadInput:
    return BadInput(Notice("system.not_removable", path=path))


def write_settings(settings: NewSettings) -> None:
    """Replace the settings file, which keeps its owner and its permissions; raises BadInput if that fails."""
    path, owner = settings.path, None
    with contextlib.suppress(OSError):
        owner = path.stat()
    mode = 0o600 if owner is None else stat.S_IMODE(owner.st_mode)
    if owner is None and os.geteuid() == 0:
        mode = 0o644  # the service must be able to read it; systemd/README.md says how to protect a password
    write_whole(path, settings.text.encode(), "a place for the settings", mode)
    if owner is not None and os.geteuid() == 0:
        os.chown(path, owner.st_uid, owner.st_gid)
    sync_folder(path.parent)


def finish_locked(folder: Path, *, settings_are_written: bool = False) -> None:
    """Complete or undo what an interrupted restore has left in a folder whose lock is held; raises OSError."""
    ready = folder / READY
    plan = _plan_in(ready)
    if plan is not None and (settings_are_written or _settings_complete(ready, plan)):
        if (ready / SETTINGS_NAME).exists():
            (ready / SETTINGS_NAME).unlink()
            sync_folder((ready / SETTINGS_NAME).parent)
        _replace_files(ready, folder, plan)
        with contextlib.suppress(OSError):  # a disk that is still full keeps nobody from the new state
            (folder / EXCHANGED).touch()
    if os.path.lexists(ready):
        remove(folder / DONE)
        ready.rename(folder / DONE)
        sync_folder(folder)
    remove_left(folder)


def remove_left(folder: Path) -> None:
    """Remove what a restore that was interrupted has left, if it was not decided; nobody may be restoring now.

    This may be as large as everything else in the folder.
    """
    for left in (DRAFT, DONE):
        remove(folder / left)


def _plan_in(ready: Path) -> Mapping[str, Any] | None:
    """Return the plan of a restore that was decided; None if there is none that this program has written."""
    try:
        data = (ready / PLAN).read_bytes()[:LONGEST_PLAN]
        plan = json.loads(data)
        names = [name for name in plan["names"] if "/" not in name and is_safe_name(f"{STATE}/{name}")]
        if ready.is_symlink() or (ready / STATE).is_symlink() or names != plan["names"]:
            return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    found: Mapping[str, Any] = plan
    return found


def _settings_complete(ready: Path, plan: Mapping[str, Any]) -> bool:
    """Return whether the settings file is replaced, and replace it if this user may.

    Root may, but does not: the folder belongs to another user, who could have written this plan.
    """
    told = plan["settings"]
    if not isinstance(told, dict) or not (ready / SETTINGS_NAME).exists():
        return True
    path, text = Path(told["path"]), (ready / SETTINGS_NAME).read_bytes().decode()
    with contextlib.suppress(OSError):
        if hashlib.sha256(path.read_bytes()).hexdigest() == told["sha256"]:
            return True
    try:
        write_settings(NewSettings(path, text))
    except (BadInput, OSError):
        return False
    return True


def _replace_files(ready: Path, folder: Path, plan: Mapping[str, Any]) -> None:
    """Remove the old files and move the new ones into their places.

    Backups, whose copies nobody has, stay, unless they are to be forgotten: then also copies from before an update.
    """
    names, forget, kept = plan["names"], plan.get("forget") is True, plan.get("kept", "")
    for path in _removed(folder, kept, forget=forget):
        is_moved = path.name in names and not os.path.lexists(ready / STATE / path.name)
        if not is_moved:
            remove(path)
    sync_folder(folder)
    stay = _names_that_stay(kept, forget=forget)
    for name in sorted(names):
        if os.path.lexists(ready / STATE / name) and name not in stay:
            (ready / STATE / name).rename(folder / name)
    sync_folder(folder)


def _removed(folder: Path, kept: str, *, forget: bool) -> list[Path]:
    """Return what a plan with `kept` and `forget` does not let stay of what is in a folder."""
    stay = _names_that_stay(kept, forget=forget)
    return [
        path for path in sorted(folder.iterdir()) if path.name not in stay and (forget or time_in(path.name) is None)
    ]


def _names_that_stay(kept: str, *, forget: bool) -> frozenset[str]:
    stay = OWN_NAMES | OF_THIS_MACHINE
    return stay - {BACKUPS} - BEFORE_UPDATE if forget else stay | {kept}


def remove(path: Path) -> None:
    """Remove a file, or a folder with everything in it; a link is removed, not followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
