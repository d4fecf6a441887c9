"""`referee reset`: a table as on its first day, with everything that it has gathered deleted."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer

from referee.backup.resetting import MatchUnderWay
from referee.backup.resetting import reset as reset_table
from referee.cli.parts.backup_places import places_of
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import CONFIG, SETTING, settings_of
from referee.cli.terminal.common import Code
from referee.devices.update_result import RESET_IN_TRIAL, is_on_trial
from referee.errors import BadInput

WORD = "reset"
"""What must be typed."""


def reset(
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    backups_too: Annotated[
        bool, typer.Option("--backups-too", help="Make no backup first, and delete those beside the journal, too.")
    ] = False,
    match_too: Annotated[bool, typer.Option("--match-too", help="Even if a match is not over.")] = False,
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> int:
    """Delete everything that a table has gathered, as on its first day; a backup is made first."""
    places = places_of(settings_of(config, setting or ()))
    if not places.state.is_dir():
        raise BadInput(f"expected the folder of a journal, found none ({places.state})")
    if not backups_too and is_on_trial(places.state):
        raise BadInput(RESET_IN_TRIAL)
    # With --json, standard output has the object alone: what is asked goes where the question is printed.
    out = common.stderr() if as_json else common.stdout()
    if not yes:
        if not common.at_a_terminal():
            raise BadInput("reset: expected a terminal to ask on, found none: add --yes")
        out.print(
            f"This deletes everything in {places.state}: matches, enrolled boxes, lens, what was chosen on the page, "
            "its PIN, pictures, recordings, results of a hall. The settings file, the Wi-Fi and the time zone stay."
        )
        out.print(
            "The backups there are deleted, too, and nothing can bring it back." if backups_too
            else "A backup is made first; `referee backup FILE` makes one that you can take with you."
        )  # fmt: skip
        if common.ask_line(f"Type {WORD} to delete it: ") != WORD:
            out.print("Nothing has changed.")
            if as_json:
                common.print_json({"reset": False, "folder": str(places.state), "undo": None})
            return Code.REFUSED
    try:
        undo = reset_table(places, dt.datetime.now().astimezone(), forget=backups_too, even_a_match=match_too)
    except MatchUnderWay as error:
        raise BadInput(f"{error}; end it first, or add --match-too") from error
    if as_json:
        common.print_json({"reset": True, "folder": str(places.state), "undo": None if undo is None else str(undo)})
        return Code.DONE
    out.print(f"{places.state} is as on its first day.")
    if undo is not None:
        out.print(f"What was there before: `referee restore {undo}` brings it back.")
    return Code.DONE
