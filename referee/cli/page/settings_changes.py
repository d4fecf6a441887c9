"""Changing settings on the page: changes are checked in memory first, then the whole file is written."""

from __future__ import annotations

import contextlib
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from referee.cli.parts.from_settings import check_source
from referee.cli.parts.readers import Parts
from referee.cli.programs.going_on import MatchUnderWay
from referee.cli.terminal.chosen_box import with_box
from referee.cli.terminal.chosen_settings import journal_folder
from referee.cli.terminal.common import complain
from referee.devices.box_file import boxes_folder, kept_boxes
from referee.errors import RefereeError
from referee.game.notice import Notice, told_by
from referee.i18n import ENGLISH
from referee.page.wording import NOT_IN_ORDER, NOT_POSSIBLE
from referee.settings import file
from referee.settings.file import ON_THE_PAGE
from referee.settings.settings import Settings
from referee.table.preparation.values import KeptBox

LOGIN = ("camera.user", "camera.password")


class Load(Protocol):
    """A function that reads the settings."""

    def __call__(self, page: str | None = None) -> Settings:
        """Read the settings. If `page` is given, it is used instead of the text of the page's file."""


Plans = Callable[[Settings], object]
"""Raises BadInput if settings do not fit together."""


class SettingsChanges:
    """Changes the page's file. Its methods wait for the disk, and must be called one after the other."""

    def __init__(self, load: Load, plans: Plans, parts: Parts) -> None:
        self._load, self._plans, self._parts = load, plans, parts

    def take(self, now: Settings, changes: Mapping[str, Any]) -> Notice | None:
        """Change the settings `now`; return None, or why the changes were refused. Then nothing has been written."""
        folder = journal_folder(now)
        changes = _with_login(folder, now, changes)
        text = file.text_with(folder, changes)
        refused = self._refusal(folder, changes, text)
        if refused is not None:
            return refused
        try:
            file.write(folder, text)
        except RefereeError as error:
            complain(error)
            return Notice("setup.not_kept", reason=str(error))
        return None

    def boxes(self, settings: Settings) -> list[KeptBox]:
        """Return the boxes that were enrolled here and fit the reader network."""
        if self._parts.checksum is None:
            return []
        with contextlib.suppress(RefereeError):  # missing model files are reported when a table is built
            folder = boxes_folder(journal_folder(settings))
            return [KeptBox(*one) for one in kept_boxes(folder, self._parts.checksum())]
        return []

    def _refusal(self, folder: Path, changes: Mapping[str, Any], text: str) -> Notice | None:
        """Return why the changes are refused, or None; `text` is the text of the page's file with these changes."""
        try:
            found = self._load(text)
            for name, value in changes.items():
                if value is not None and not _same(_value(found, name), value):
                    held = Notice("setup.held_elsewhere", setting=name, place=found.place(*name.split(".")))
                    complain(ENGLISH(held))
                    return held
            self._plans(with_box(found, self._parts, folder)[0])
            if any(name.startswith("camera.") for name in changes):
                check_source(found.camera, time.monotonic)
        except RefereeError as error:
            complain(error)
            told = told_by(error)
            if told.key == "camera.net_address_wanted":  # the person who has just typed the address can correct it
                return Notice("setup.address_wanted", **dict(told.fields))
            return told_on_page(error, NOT_POSSIBLE)
        except Exception as error:  # noqa: BLE001 - whatever it is, the settings in use must stay
            traceback.print_exception(error)
            return Notice("setup.not_taken", error=f"{type(error).__name__}: {error}")
        return None


def told_on_page(error: RefereeError, otherwise: Notice = NOT_IN_ORDER) -> Notice:
    """Return what is wrong with settings, for readers of the page: without file and line.

    If the error has only an English text, which was never meant for players, `otherwise` is returned.
    """
    told = error.told if isinstance(error, MatchUnderWay) else told_by(error)
    inner = dict(told.fields).get("told") if told.key == "words.at" else None
    told = inner if isinstance(inner, Notice) else told
    return otherwise if told.key == "words.text" else told


def shown_values(settings: Settings) -> dict[str, Any]:
    """Return the settings that the page shows, by `table.key`, without those that may contain a password."""
    values = {f"{table}.{key}": value for table in ON_THE_PAGE for key, value in _table(settings, table).items()}
    del values["camera.password"]
    if settings.camera.kind == "network" or _is_address(settings.camera.source):
        del values["camera.source"]
    return values


def _with_login(folder: Path, now: Settings, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes; if they move the camera to another place, they also clear its old user name and password.

    An address that was left empty is not changed, because the page does not show it.
    """
    found = dict(changes)
    if (
        not found.get("camera.source", "-")
        and found.get("camera.kind", now.camera.kind) == now.camera.kind == "network"
    ):
        del found["camera.source"]
    if "camera.source" in found and _place(found["camera.source"] or "") != _place(now.camera.source):
        stored = file.chosen(folder).get("camera", {})
        for name in LOGIN:
            if _value(now, name) or stored.get(name.partition(".")[2]):
                found.setdefault(name, "")
    return found


def _place(source: str) -> tuple[object, ...]:
    """Return the place that a camera's user name and password are for; a different path is the same place."""
    try:
        parts = urlsplit(source)
        return (parts.scheme, parts.hostname, parts.port) if parts.hostname else (source,)
    except ValueError:
        return (source,)


def _is_address(source: str) -> bool:
    """Return whether a text may be the address of a network camera, which may contain a password."""
    return "://" in source or "@" in source


def _table(settings: Settings, name: str) -> Mapping[str, Any]:
    table = getattr(settings, name)
    if isinstance(table, Mapping):
        return table
    return {key: getattr(table, key) for key in type(table).__dataclass_fields__}


def _value(settings: Settings, name: str) -> Any:
    table, key = name.split(".")
    return _table(settings, table).get(key)


def _same(one: Any, other: Any) -> bool:
    return list(one) == list(other) if isinstance(one, tuple | list) else bool(one == other)
