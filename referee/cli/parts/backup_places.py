"""Where the files of a table are, by its settings: the places of a backup."""

from __future__ import annotations

import os
from pathlib import Path

from referee.backup.contents import HALL_FILE, Places
from referee.backup.manifest import STATE, Manifest
from referee.cli.terminal.chosen_settings import journal_folder
from referee.doctor.storage import SERVICE
from referee.errors import BadInput
from referee.i18n.wording import count
from referee.settings.file import STATE_VARIABLE, SYSTEMD_STATE
from referee.settings.settings import Settings

NAMING = ("camera.lens", "table.box", "voice.pack", "club.ca")
"""The settings that may name a file or folder outside the journal's folder."""


def has_hall(manifest: Manifest) -> bool:
    """Return whether a hall with its tournaments is in a backup."""
    return any(member.name == f"{STATE}/{HALL_FILE}" for member in manifest.members)


def what_is_in(manifest: Manifest) -> str:
    """Return in words what a backup holds: the matches of a table, and a hall."""
    matches = count(manifest.matches, "match", "matches")
    return f"{matches}, the hall with its tournaments" if has_hall(manifest) else matches


def places_of(settings: Settings) -> Places:
    """Return the places of the table with these settings."""
    state = state_of(settings)
    source = Path(settings.source)
    named = {}
    for key in NAMING:
        table, name = key.split(".")
        value = getattr(getattr(settings, table), name)
        # A box may be given by its name alone; then it is in the journal's folder.
        if value and (path := _expand(value)) is not None and (key != "table.box" or len(path.parts) > 1):
            named[key] = path
    return Places(state, source if source.is_file() else None, named, backups_folder(settings))


def state_of(settings: Settings) -> Path:
    """Return the folder of the journal. Root means that of the service, unless settings or environment name one."""
    named = settings.storage.state or os.environ.get(STATE_VARIABLE) or os.environ.get(SYSTEMD_STATE)
    if not named and os.geteuid() == 0 and SERVICE.is_dir():
        return SERVICE
    return journal_folder(settings)


def backups_folder(settings: Settings) -> Path | None:
    """Return the folder that the settings name for automatic backups; None if they name none.

    Raises BadInput for `~name` of a user that does not exist.
    """
    if not settings.backup.folder:
        return None
    folder = _expand(settings.backup.folder)
    if folder is None:
        raise BadInput(f"{settings.place('backup', 'folder')}: expected a folder, found {settings.backup.folder!r}")
    return folder


def _expand(value: str) -> Path | None:
    try:
        return Path(value).expanduser()
    except RuntimeError:  # there is no such user, or no home
        return None
