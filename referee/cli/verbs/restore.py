"""`referee restore`: brings back what a backup has, completely or not at all."""

from __future__ import annotations

import datetime as dt
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from referee.backup.contents import Places
from referee.backup.restoring import Restored
from referee.backup.restoring import restore as restore_backup
from referee.cli.parts.backup_places import has_hall, places_of, state_of, what_is_in
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import CONFIG, SETTING, flags_of, settings_of
from referee.cli.terminal.common import Code
from referee.devices.update_result import IN_TRIAL, is_on_trial
from referee.errors import BadInput
from referee.settings.file import PLACES, settings_file
from referee.settings.settings import load


def restore(
    path: Annotated[Path, typer.Argument(metavar="FILE", parser=common.some_path, help="The backup.")],
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only check whether it could be restored.")] = False,
    without_settings: Annotated[
        bool, typer.Option("--without-settings", help="Leave the settings file as it is.")
    ] = False,
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> int:
    """Bring back everything from a backup. A match that was under way continues when `referee play` starts."""
    flags = setting or []
    places = _places(config, flags)
    if is_on_trial(places.state):
        raise BadInput(IN_TRIAL)

    def check_settings(text: str) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            try:
                found = load(Path(file.name), os.environ, flags_of(flags))
            except BadInput as error:
                raise BadInput(str(error).replace(file.name, "its settings")) from error
        if (folder := state_of(found)).absolute() != places.state.absolute():
            raise BadInput(f"its settings: expected [storage] state to lead to {places.state}, found {folder}")

    now = dt.datetime.now().astimezone()
    with_settings = not without_settings
    with common.show_part("Checking" if dry_run else "Restoring") as report:
        done = restore_backup(
            path, places, now, check_settings, dry_run=dry_run, with_settings=with_settings, report=report
        )
    _report(done, places, dry_run=dry_run, as_json=as_json)
    return Code.DONE


def _places(config: Path | None, flags: list[str]) -> Places:
    """Return where to restore to. A fresh box has no settings file yet; it gets one where the service looks for it."""
    place = settings_file(config, os.environ)
    try:
        settings = settings_of(None if place is None or not place.exists() else place, flags)
    except BadInput:  # settings that cannot be used must not stand in the way of better ones
        settings = load(None, os.environ, flags_of(flags))
    if place is None:
        place = next((one for one in PLACES[:0:-1] if one.parent.is_dir()), PLACES[0])
    return replace(places_of(settings), settings=place)


def _report(done: Restored, places: Places, *, dry_run: bool, as_json: bool) -> None:
    manifest = done.manifest
    if as_json:
        common.print_json(
            {
                "restored": not dry_run,
                "folder": str(places.state),
                "made": manifest.made,
                "table": manifest.table,
                "program": manifest.program,
                "matches": manifest.matches,
                "hall": has_hall(manifest),
                "pictures": manifest.pictures,
                "undo": None if done.undo is None else str(done.undo),
            }
        )
        return
    out = common.stdout()
    inside = what_is_in(manifest)
    what = f"the backup of {manifest.table or 'a table'} made {manifest.made} by referee {manifest.program}"
    if dry_run:
        out.print(f"This is {what}: {inside}. It fits {places.state}; nothing changed.")
        return
    out.print(f"Restored {what}: {inside}, in {places.state}.")
    if done.undo is not None:
        out.print(f"What was there before: `referee restore {done.undo}` brings it back.")
