"""Everything that is wrong in a settings file, line by line; loading the file stops at the first fault."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.devices.wiring.pins import MEANINGS, PinMap
from referee.errors import BadInput
from referee.settings.file import line_of, tables_of
from referee.settings.settings import PANEL, SECTIONS, SETTINGS
from referee.settings.values import format_value, nearest

_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a file. `line` is counted from 1, and None if the fault is in no single line."""

    line: int | None
    key: str
    """`table.key`, or the name of a table; empty for a file that is not TOML."""
    text: str
    """What was expected and what was found."""


def faults_of(text: str, known: Sequence[str] = (*SECTIONS, PANEL)) -> list[Fault]:
    """Return all faults of a settings file in the order of their lines; `known` are the tables that it may have."""
    try:
        tables = tables_of(text, "")
    except BadInput as error:
        told = str(error).removeprefix(": ")
        where = _TOML_LINE.search(told)
        return [Fault(None if where is None else int(where[1]), "", told)]
    found = [fault for name, table in tables.items() for fault in _faults_of_table(name, table, text, known)]
    return sorted(found, key=lambda fault: math.inf if fault.line is None else fault.line)


def _faults_of_table(name: str, table: Any, text: str, known: Sequence[str]) -> Iterator[Fault]:
    if name not in known:
        yield Fault(line_of(text, name), name, f"unknown table [{name}]; {nearest(name, known)}")
    elif not isinstance(table, Mapping):
        yield Fault(line_of(text, name), name, f"expected a table [{name}], found {format_value(table)}")
    elif name == PANEL:
        yield from _faults_of_panel(table, text)
    else:
        keys = [setting.key for setting in SETTINGS.values() if setting.name.startswith(f"{name}.")]
        for key, value in table.items():
            line = line_of(text, name, key)
            if key not in keys:
                yield Fault(line, f"{name}.{key}", f"unknown key {key} in [{name}]; {nearest(key, keys)}")
            else:
                setting = SETTINGS[f"{name}.{key}"]
                yield from _fault(line, setting.name, lambda s=setting, v=value: s.check(v, ""))  # type: ignore[misc]


def _faults_of_panel(table: Mapping[str, Any], text: str) -> Iterator[Fault]:
    """Yield the faults of single keys; if there are none, the first pin that two parts have, or the like."""
    found = []
    for key, value in table.items():
        name, line = f"{PANEL}.{key}", line_of(text, PANEL, key)
        if key not in MEANINGS:
            found.append(Fault(line, name, f"unknown key {key} in [{PANEL}]; {nearest(key, MEANINGS)}"))
        else:
            alone = {**({"kind": "none"} if key != "kind" else {}), key: value}
            found += _fault(line, name, lambda alone=alone: PinMap.from_table(alone, lambda _: ""))  # type: ignore[misc]
    yield from found
    if not found:
        named: list[str] = []

        def remember(key: str) -> str:
            named.append(key)
            return ""

        for fault in _fault(None, PANEL, lambda: PinMap.from_table(table, remember)):
            key = named[-1]
            yield Fault(line_of(text, PANEL, key), f"{PANEL}.{key}", fault.text)


def _fault(line: int | None, key: str, check: Callable[[], object]) -> Iterator[Fault]:
    try:
        check()
    except BadInput as error:
        yield Fault(line, key, str(error).removeprefix(": "))
