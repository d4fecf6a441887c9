"""The settings as they may be sent: numbers, switches and words of ours; of texts only whether they are set.

A setting that is declared later is treated by its type, so a new text is hidden without anybody having to think of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from referee.devices.wiring.header import BOARDS
from referee.devices.wiring.pins import MEANINGS, PANELS
from referee.errors import BadInput
from referee.game.rulebooks import RULESETS
from referee.game.tiles import TILE_SETS
from referee.settings.settings import PANEL, SETTINGS, Settings
from referee.settings.values import Setting

SET, UNSET = "set", "not set"
NAMES: Mapping[str, Collection[str]] = {
    "game.rules": RULESETS, "table.tileset": TILE_SETS, "web.listen": ("localhost", "0.0.0.0", "::"),  # noqa: S104
}  # fmt: skip
"""Texts that may be shown if they are one of these names."""
PANEL_WORDS = (*PANELS, *BOARDS, "tonal", "active", "tm1637", "oled")
"""Texts of the panel that may be shown."""
LARGEST_PANEL_NUMBER = 0x3D
"""The largest number that the panel has: the address of a display. A larger one is no pin."""
NOT_PRIVATE = frozenset(
    {"game.rules", "game.options", "game.language", "table.tileset", "web.listen", "storage.state"}
)
"""Settings whose texts say nothing about people, so that they are not removed from sentences either."""


def shown_settings(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return all settings by table and key, with nothing that could be private."""
    found: dict[str, dict[str, Any]] = {}
    for name, setting in SETTINGS.items():
        table, _, key = name.partition(".")
        value = getattr(getattr(settings, table), key)
        found.setdefault(table, {})[key] = _shown(setting, value, settings.game.rules)
    panel = {key: _shown_pin(value) for key, value in settings.panel.items() if key in MEANINGS}
    return {**found, PANEL: panel}


def private_texts(settings: Settings) -> Iterator[str]:
    """Yield every text that somebody entered into the settings, except names of players and words of ours."""
    for name, setting in SETTINGS.items():
        if name in NOT_PRIVATE or name == "game.players" or setting.one_of:
            continue
        table, _, key = name.partition(".")
        value = getattr(getattr(settings, table), key)
        if value != setting.default:
            for text in value if isinstance(value, tuple) else (value,):
                if isinstance(text, str):
                    yield text
                    yield from _parts_of_address(text)
    # A box that the settings name by its file is told by its name alone.
    if (name := PurePath(settings.table.box).stem) and name not in TILE_SETS:
        yield name


def _parts_of_address(text: str) -> Iterator[str]:
    """Yield host, user and password of an address: a sentence may name the host alone."""
    if "://" not in text:
        return
    with suppress(ValueError):  # no address
        parts = urlsplit(text)
        yield from filter(None, (parts.hostname, parts.username, parts.password))


def _shown(setting: Setting, value: Any, rules: str) -> Any:
    if value == setting.default:
        return UNSET if value in ("", ()) else value
    if setting.name == "game.options":
        return [option if _is_known_option(option, rules) else SET for option in value]
    if isinstance(value, tuple):
        if value and not setting.one_of and any(isinstance(one, str) for one in value):
            return f"{len(value)} {SET}"
        return list(value)
    if not isinstance(value, str) or value in setting.one_of or value in NAMES.get(setting.name, ()):
        return value
    return SET


def _shown_pin(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_shown_pin(one) for one in value]
    if isinstance(value, int):
        return value if 0 <= value <= LARGEST_PANEL_NUMBER else SET
    return value if value in PANEL_WORDS else SET


def _is_known_option(option: str, rules: str) -> bool:
    """Return whether an option is one of the rule book's, with one of its choices."""
    book = RULESETS.get(rules)
    name, _, choice = option.partition("=")
    known = None if book is None else next((one for one in book.options if one.name == name), None)
    if known is None:
        return False
    try:
        known.changes(choice)
    except BadInput:
        return False
    return True
