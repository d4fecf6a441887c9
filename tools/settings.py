"""Writes docs/settings.md, the page with all settings, from their declarations.

python -m tools.settings
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

from referee.devices.wiring import pins
from referee.settings.settings import PANEL, SECTIONS, SETTINGS
from referee.settings.values import Setting, toml_of

PAGE = Path(__file__).parent.parent / "docs" / "settings.md"
_HEAD = """# Settings

These are the keys of `referee.toml`, with their defaults. None is required. `referee init` writes a file with all of
them, commented out. `--set TABLE.KEY=VALUE` sets one for a single run, and so does an environment variable such as
`REFEREE_CAMERA_KIND=usb`. [The command line](command-line.md#referee-play-a-real-match) explains where the file is
looked for, and what overrides what.

This page is written by `python -m tools.settings` from `referee/settings/settings.py` and, for `[panel]`, from
`referee/devices/wiring/pins.py`.
"""
_PANEL = """Buttons, lamps, buzzer and display. All numbers are GPIO (BCM) numbers.
[Wiring](../hardware/wiring.md) shows where they are."""


def page() -> str:
    """Return the page as Markdown."""
    return "\n".join([_HEAD, *(line for table in SECTIONS for line in _chapter(table)), *_panel()])


def _chapter(table: str) -> Iterator[str]:
    yield from (f"## `[{table}]`", "", inspect.getdoc(SECTIONS[table]) or "", "")
    yield from ("| key | default | what it may be | meaning |", "|---|---|---|---|")
    for setting in SETTINGS.values():
        if setting.name.startswith(f"{table}."):
            yield _row(setting.key, f"`{toml_of(setting.default)}`", _limits(setting), setting.text)
    yield ""


def _limits(setting: Setting) -> str:
    if setting.one_of:
        return ", ".join(f"`{word}`" for word in setting.one_of)
    return setting.limits or setting.expectation


def _panel() -> Iterator[str]:
    yield from (f"## `[{PANEL}]`", "", _PANEL, "", "| key | default | meaning |", "|---|---|---|")
    for key, meaning in pins.MEANINGS.items():
        yield _row(key, f"`{pins.default_text(key)}`", meaning)
    yield ""


def _row(key: str, *cells: str) -> str:
    return " | ".join((f"| `{key}`", *cells)) + " |"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
