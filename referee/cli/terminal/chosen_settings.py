"""The settings of a verb, from file, environment and flags, and the language of its output."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from referee.errors import BadInput
from referee.i18n import LANGUAGES, Wording
from referee.settings.file import RESTORE, settings_file, state_folder
from referee.settings.settings import Settings, load

CONFIG = typer.Option(
    "--config", metavar="FILE", help="The settings file; default: REFEREE_CONFIG, or one of the usual places."
)
SETTING = typer.Option("--set", metavar="TABLE.KEY=VALUE", help="Change one setting; may be repeated.")
LANGUAGE = typer.Option(
    "--language", metavar="CODE", help=f"{', '.join(LANGUAGES)}; default: from the settings or from LANG."
)
AUTO = "auto"
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Variables with the language of the system, in order of precedence (POSIX)."""


def flags_of(chosen: Sequence[str]) -> dict[str, str]:
    """Return the settings given with `--set`, by key; raises BadInput for anything but TABLE.KEY=VALUE."""
    flags = {}
    for item in chosen:
        key, equals, value = item.partition("=")
        if not equals:
            raise BadInput(f"--set: expected TABLE.KEY=VALUE such as camera.kind=usb, found {item!r}")
        flags[key.strip()] = value.strip()
    return flags


def settings_of(config: Path | None, chosen: Sequence[str], page: str | None = None) -> Settings:
    """Return the settings: from the file, the page, the environment, then flags. `page`: see `load`.

    If a restore of these settings and their journal was interrupted, it is completed first.
    """
    completed = False

    def complete_restore(state: str) -> Path:
        nonlocal completed
        folder = folder_of(state)
        if os.path.lexists(folder / RESTORE):
            from referee.backup.restoring import finish_restore

            completed = finish_restore(folder)
        return folder

    found = load(settings_file(config, os.environ), os.environ, flags_of(chosen), state=complete_restore, page=page)
    return settings_of(config, chosen, page) if completed else found


def journal_folder(settings: Settings) -> Path:
    """Return the folder of the journal for these settings."""
    return folder_of(settings.storage.state)


def folder_of(chosen: str | Path) -> Path:
    """Return the folder of the journal: `chosen`, or the default one if that is empty."""
    try:
        home = Path.home()
    except RuntimeError:  # neither HOME nor an entry for this user
        home = None
    return state_folder(chosen, os.environ, home)


def wording(chosen: str | None, set_to: str = AUTO, faces: str = "numbers") -> Wording:
    """Return the wording for players; raises BadInput for a language that the referee does not speak.

    `chosen` is the value of `--language`, `set_to` that of the settings.
    """
    if chosen is not None and chosen not in LANGUAGES:
        raise BadInput(f"--language: expected one of {', '.join(LANGUAGES)}, found {chosen!r}")
    return Wording(chosen or (of_system(os.environ) if set_to == AUTO else set_to), faces)


def as_set() -> str:
    """Return the language of the settings; if they cannot be used, "auto", which means that of the system."""
    try:
        return settings_of(None, ()).game.language
    except BadInput:  # `referee play` reports it
        return AUTO


def of_system(environ: Mapping[str, str]) -> str:
    """Return the language of the system, or English if the referee does not speak that."""
    name = next((environ[variable] for variable in _VARIABLES if environ.get(variable)), "")
    code = name.partition(".")[0].partition("_")[0].lower()
    return code if code in LANGUAGES else LANGUAGES[0]
