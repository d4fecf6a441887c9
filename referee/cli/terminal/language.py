"""The language in which a verb speaks to people: as asked for, as set, or as the system's."""

from __future__ import annotations

import os
from collections.abc import Mapping

import typer

from referee.errors import BadInput
from referee.i18n import LANGUAGES, Wording

LANGUAGE = typer.Option(
    "--language", metavar="CODE", help=f"{', '.join(LANGUAGES)}; without: as set, or as LANG says."
)
AUTO = "auto"
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""In the order in which they count (POSIX)."""


def wording(chosen: str | None, set_to: str = AUTO, faces: str = "numbers") -> Wording:
    """The sentences for players; raises BadInput for a language that the referee does not speak.

    `chosen` is what `--language` says, `set_to` what the settings say.
    """
    if chosen is not None and chosen not in LANGUAGES:
        raise BadInput(f"--language: expected one of {', '.join(LANGUAGES)}, found {chosen!r}")
    return Wording(chosen or (of_system(os.environ) if set_to == AUTO else set_to), faces)


def as_set() -> str:
    """The language in the settings; where they cannot be used, that of the system."""
    from referee.cli.terminal.chosen_settings import settings_of

    try:
        return settings_of(None, ()).game.language
    except BadInput:  # whoever plays is told
        return AUTO


def of_system(environ: Mapping[str, str]) -> str:
    """The language of the system, English where the referee does not speak it."""
    name = next((environ[variable] for variable in _VARIABLES if environ.get(variable)), "")
    code = name.partition(".")[0].partition("_")[0].lower()
    return code if code in LANGUAGES else LANGUAGES[0]
