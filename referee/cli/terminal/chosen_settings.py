"""The settings as the verbs get them: file, environment, flags."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import typer

from referee.errors import BadInput
from referee.settings.file import settings_file, state_folder
from referee.settings.settings import Settings, load

CONFIG = typer.Option(
    "--config", metavar="FILE", help="The settings file; else REFEREE_CONFIG, or where it usually is."
)
SETTING = typer.Option("--set", metavar="TABLE.KEY=VALUE", help="One setting; may be given several times.")


def flags_of(chosen: Sequence[str]) -> dict[str, str]:
    """What `--set` says, by key; raises BadInput for anything but TABLE.KEY=VALUE."""
    flags = {}
    for item in chosen:
        key, equals, value = item.partition("=")
        if not equals:
            raise BadInput(f"--set: expected TABLE.KEY=VALUE such as camera.kind=usb, found {item!r}")
        flags[key.strip()] = value.strip()
    return flags


def settings_of(config: Path | None, chosen: Sequence[str], page: str | None = None) -> Settings:
    """The settings: file, what was chosen on the page, environment, then flags; `page` as `load` has it."""
    return load(settings_file(config, os.environ), os.environ, flags_of(chosen), state=folder_of, page=page)


def journal_folder(settings: Settings) -> Path:
    """Where the journal lies, by these settings."""
    return folder_of(settings.storage.state)


def folder_of(chosen: str | Path) -> Path:
    """The journal's folder where `chosen` is named, or nothing."""
    try:
        home = Path.home()
    except RuntimeError:  # neither HOME nor an entry for this user
        home = None
    return state_folder(chosen, os.environ, home)
