"""Settings that are changed on the page: checked in memory, and only then written, whole."""

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
    """Reads the settings."""

    def __call__(self, page: str | None = None) -> Settings:
        """Read them as they are, or as they would be if this were the text of the file of the page."""


Plans = Callable[[Settings], object]
"""Raises what does not fit together of settings."""


class SettingsChanges:
    """Takes changes to what the file of the page holds. Slow as the disk is; one after the other."""

    def __init__(self, load: Load, plans: Plans, parts: Parts) -> None:
        self._load, self._plans, self._parts = load, plans, parts

    def take(self, now: Settings, changes: Mapping[str, Any]) -> Notice | None:
        """Change settings that are `now` so; gives why they cannot be had: then nothing has been written."""
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
        """The boxes that were enrolled here, and can be read with."""
        if self._parts.checksum is None:
            return []
        with contextlib.suppress(RefereeError):  # without its model files no table stands, and that is told
            folder = boxes_folder(journal_folder(settings))
            return [KeptBox(*one) for one in kept_boxes(folder, self._parts.checksum())]
        return []

    def _refusal(self, folder: Path, changes: Mapping[str, Any], text: str) -> Notice | None:
        """Gives why the changes, with which the file of the page would have this text, do not hold."""
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
            if told.key == "camera.net_address_wanted":  # whoever has just typed the address can put it right
                return Notice("setup.address_wanted", **dict(told.fields))
            return told_on_page(error, NOT_POSSIBLE)
        except Exception as error:  # noqa: BLE001 - whatever it is, the settings in use must stay
            traceback.print_exception(error)
            return Notice("setup.not_taken", error=f"{type(error).__name__}: {error}")
        return None


def told_on_page(error: RefereeError, otherwise: Notice = NOT_IN_ORDER) -> Notice:
    """What is wrong with settings, for somebody at the page: not in which line of which file they stand.

    An error that was never meant for players, which is a text in English, is told as `otherwise`.
    """
    told = error.told if isinstance(error, MatchUnderWay) else told_by(error)
    inner = dict(told.fields).get("told") if told.key == "words.at" else None
    told = inner if isinstance(inner, Notice) else told
    return otherwise if told.key == "words.text" else told


def shown_values(settings: Settings) -> dict[str, Any]:
    """The settings that the page shows, by `table.key`: none that may hold a password."""
    values = {f"{table}.{key}": value for table in ON_THE_PAGE for key, value in _table(settings, table).items()}
    del values["camera.password"]
    if settings.camera.kind == "network" or _is_address(settings.camera.source):
        del values["camera.source"]
    return values


def _with_login(folder: Path, now: Settings, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes; where the camera is at another place from now on, it is told no user and password of before.

    An address that was left empty stays, as it is not shown.
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
    """Whom a camera's user and password are told; another path there is the same place."""
    try:
        parts = urlsplit(source)
        return (parts.scheme, parts.hostname, parts.port) if parts.hostname else (source,)
    except ValueError:
        return (source,)


def _is_address(source: str) -> bool:
    """Whether that may be the address of a network camera, which may hold a password."""
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
