"""`referee config check`: everything that is wrong in the settings, line by line."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.parts import from_settings as build
from referee.cli.parts import lens_profiles
from referee.cli.parts.backup_places import backups_folder
from referee.cli.terminal import common
from referee.cli.terminal.chosen_box import load_chosen_box
from referee.cli.terminal.chosen_settings import folder_of, journal_folder
from referee.cli.terminal.common import Code
from referee.club.table_side.club import endpoint_of
from referee.devices.hook import hook_address
from referee.errors import BadInput
from referee.i18n import error_text
from referee.settings.checking import Fault, faults_of
from referee.settings.file import ON_THE_PAGE, PAGE_FILE, is_there, settings_file, text_of
from referee.settings.settings import Settings, load

if TYPE_CHECKING:
    from referee.cli.parts.readers import Parts

ACTIONS = ("check",)
_PLACE = re.compile(r"(?P<file>.+?), line (?P<line>\d+): \[(?P<table>\w+)\] (?P<key>\w+): ")
"""Where an error about settings says that a value is."""
_CAMERA = re.compile(r"\[camera\] (?P<key>\w+): ")
"""How an error about the camera begins if it names a key."""


def config(
    context: typer.Context,
    action: Annotated[str, typer.Argument(metavar="ACTION", help="What to do: check.")],
    path: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", parser=common.some_path, help="The settings file; default: the one in use."),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Check a settings file, and tell everything that is wrong in it, line by line."""
    if action not in ACTIONS:
        raise BadInput(f"config: expected {', '.join(ACTIONS)}, found {action!r:.40}")
    chosen = settings_file(path, os.environ)
    found = list(_faults(chosen, lambda: common.parts_of(context), alone=path is not None))
    if as_json:
        faults = [{"file": file, "line": one.line, "key": one.key, "text": one.text} for file, one in found]
        common.print_json({"file": None if chosen is None else str(chosen), "valid": not found, "faults": faults})
    else:
        for file, one in found:
            common.stdout().print(f"{_place(file, one)}: {one.text}")
        if not found:
            where = "There is no settings file; the defaults are" if chosen is None else f"{chosen}: the settings are"
            common.stdout().print(f"{where} valid.")
    return Code.BAD_INPUT if found else Code.DONE


def _faults(chosen: Path | None, parts: Callable[[], Parts], *, alone: bool) -> Iterator[tuple[str, Fault]]:
    """Yield the faults of the file, and unless it is to be checked `alone`, of the page's file and the environment.

    What the settings say together, such as names for the players of a rule book, is checked once each is valid, and so
    are the files that they name.
    """
    found = [] if chosen is None else [(str(chosen), one) for one in faults_of(text_of(chosen))]
    if not alone and not found:
        try:
            page = folder_of(load(chosen, os.environ).storage.state) / PAGE_FILE
        except BadInput as error:
            yield _fault_told(error)
            return
        if is_there(page):
            found += [(str(page), one) for one in faults_of(text_of(page), ON_THE_PAGE)]
    yield from found
    if not found:
        yield from _faults_together(chosen, parts, alone=alone)


def _faults_together(chosen: Path | None, parts: Callable[[], Parts], *, alone: bool) -> Iterator[tuple[str, Fault]]:
    try:
        settings = load(chosen, {} if alone else os.environ, state=None if alone else folder_of)
    except BadInput as error:
        yield _fault_told(error)
        return
    checks: tuple[Callable[[Settings], object], ...] = (
        _plan, partial(_check_camera, looks_at_files=not alone), _check_club,
        *(() if alone else (_check_lens, partial(_check_box, parts=parts), backups_folder)),
    )  # fmt: skip
    for check in checks:
        try:
            check(settings)
        except BadInput as error:
            yield _fault_told(error)
    for key, url in (*(("urls", url) for url in settings.hooks.urls), *(("wled", url) for url in settings.hooks.wled)):
        try:
            hook_address(url)
        except BadInput as error:
            yield _fault_told(BadInput(f"{settings.place('hooks', key)}: {error}"))


def _fault_told(error: BadInput) -> tuple[str, Fault]:
    """Return the file that an error about settings names, and the fault; without one, the text says where it is."""
    text = error_text(error)
    place = _PLACE.match(text)
    if place is None:
        return "", Fault(None, "", text)
    return place["file"], Fault(int(place["line"]), f"{place['table']}.{place['key']}", text[place.end() :])


def _plan(settings: Settings) -> Any:
    """Return the match that the settings describe; raises BadInput if they do not fit together."""
    return build.plan_of(settings, build.pins_of(settings))


def _check_camera(settings: Settings, *, looks_at_files: bool) -> None:
    """Raise BadInput for a camera that cannot be opened like this; a file may be meant for another machine."""
    camera = settings.camera
    try:
        if looks_at_files or camera.kind == "network":
            build.check_source(camera, time.monotonic)
        elif camera.kind != "virtual":
            build.opener(camera, time.monotonic)
    except BadInput as error:
        text = error_text(error)
        named = _CAMERA.match(text)
        key = "source" if named is None else named["key"]
        told = text if named is None else text[named.end() :]
        if f"camera.{key}" not in settings.places:  # it is missing, and the kind of camera needs it
            key = "kind"
        raise BadInput(f"{settings.place('camera', key)}: {told}") from None


def _check_lens(settings: Settings) -> None:
    if settings.camera.lens and settings.camera.kind != "virtual":
        with build.name_place_of_errors(settings, "camera", "lens"):
            lens_profiles.load(Path(settings.camera.lens))


def _check_box(settings: Settings, parts: Callable[[], Parts]) -> None:
    """Raise BadInput for an enrolled box that cannot be used; without one, no network is loaded."""
    if not settings.table.box or (checksum := parts().checksum) is None:
        return
    with build.name_place_of_errors(settings, "table", "box"):
        load_chosen_box(settings, checksum(), journal_folder(settings))


def _check_club(settings: Settings) -> None:
    if settings.club.on:
        endpoint_of(settings)


def _place(file: str, fault: Fault) -> str:
    key = f"[{fault.key.replace('.', '] ', 1)}" if "." in fault.key else ""
    where = ", ".join(part for part in (file, "" if fault.line is None else f"line {fault.line}") if part)
    return ": ".join(part for part in (where, key) if part) or "settings"
