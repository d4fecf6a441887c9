"""Settings: one `referee.toml`, every key optional; the environment and flags override it.

Every setting stands here once, with its type, range, unit and meaning; reading, checking, the file that
`referee init` writes and the documents all come from it.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, get_type_hints

from referee.errors import BadInput

FILE_VARIABLE = "REFEREE_CONFIG"
PREFIX = "REFEREE_"
OWN_TABLES = frozenset({"panel"})
"""Tables that the part which uses them checks itself."""


def _setting(default: Any, text: str, low: float | None = None, high: float | None = None, one_of: str = "") -> Any:
    return field(default=default, metadata={"text": text, "low": low, "high": high, "one_of": tuple(one_of.split())})


@dataclass(frozen=True, slots=True)
class Game:
    """What is played, and by whom."""

    rules: str = _setting("rummikub", "The rule book; `referee rules` lists them.")
    options: tuple[str, ...] = _setting((), "Options of the rule book, each as NAME=CHOICE.")
    players: tuple[str, ...] = _setting((), "Names in the order of the buttons; without: Player 1 and so on.")
    rounds: int = _setting(3, "Rounds of a match, where the rule book leaves that to the players.", 1, 100)
    season: str = _setting("", "The season that matches are counted to; without: none.")
    handicaps: tuple[int, ...] = _setting((), "Seconds added to each player's turn, in the order of the names.")


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The play area and the box of tiles."""

    width_mm: float = _setting(900.0, "Between the centres of the upper two markers.", 100, 5000)
    height_mm: float = _setting(600.0, "Between the centres of the left two markers.", 100, 5000)
    tileset: str = _setting("", "The box in use; without: the rule book's own.")


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """Where the pictures come from."""

    kind: str = _setting("pi", "pi, usb, folder, video, or virtual (a rendered table).", one_of=(
        "pi usb folder video virtual"))  # fmt: skip
    source: str = _setting("", "Number of a USB camera, or the path of a folder or video.")
    width_px: int = _setting(2304, "Width of the pictures that are read.", 640, 9216)
    height_px: int = _setting(1296, "Height of the pictures that are read.", 480, 6944)
    preview_px: int = _setting(576, "Width of the small pictures that are watched.", 160, 1920)
    focus_m: float = _setting(0.0, "Distance to the tiles at which the focus is locked; 0: found once at the start.",
                              0, 10)  # fmt: skip
    exposure_ms: float = _setting(0.0, "Exposure; a multiple of 10 where the mains has 50 Hz; 0: found at the start.",
                                  0, 200)  # fmt: skip
    mains_hz: int = _setting(50, "The mains' pace, at which lamps flicker: 50, or 60 as in America.", 50, 60)
    gain: float = _setting(0.0, "Analogue gain; 0: found at the start.", 0, 16)
    timeout_s: float = _setting(3.0, "After so long without a picture the camera counts as lost.", 0.5, 60)
    restarts: int = _setting(5, "How often it is opened anew within ten minutes.", 0, 100)


@dataclass(frozen=True, slots=True)
class Watching:
    """How the table is watched while nobody presses."""

    per_second: float = _setting(4.0, "Small pictures looked at each second.", 0.5, 30)
    still_s: float = _setting(0.5, "The table counts as still after so long without a change.", 0.1, 10)
    read_ahead: bool = _setting(True, "Whether a still table is read before anybody presses.")


@dataclass(frozen=True, slots=True)
class Storage:
    """What is kept."""

    state: str = _setting("", "Folder of the journal; without: what systemd gives, else ~/.local/state/referee.")
    pictures_mb: int = _setting(500, "Room for the pictures behind the verdicts; the oldest go first.", 0, 1_000_000)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; `panel` is the panel's own table, unchecked."""

    game: Game = field(default_factory=Game)
    table: TableSettings = field(default_factory=TableSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    watching: Watching = field(default_factory=Watching)
    storage: Storage = field(default_factory=Storage)
    panel: Mapping[str, Any] = field(default_factory=dict)
    source: str = "no settings file"
    """Where they come from, for messages."""


SECTIONS: Mapping[str, type] = {
    name: kind for name, kind in get_type_hints(Settings).items() if name not in (*OWN_TABLES, "source")
}


def load(
    path: Path | None, environ: Mapping[str, str], flags: Mapping[str, str] | None = None
) -> Settings:  # fmt: skip
    """Settings out of the file (if any), then the environment, then flags such as ``{"camera.kind": "usb"}``.

    In the environment `REFEREE_CAMERA_KIND` sets `[camera] kind`. Raises BadInput with file, line and key.
    """
    text = "" if path is None else _text_of(path)
    where = "settings" if path is None else str(path)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{where}: expected TOML, found: {error}") from None
    _refuse_unknown(tables, text, where)
    values = {name: _checked(name, tables.get(name, {}), text, where) for name in SECTIONS}
    for name, key, found, origin in _overrides(environ, flags or {}):
        item, section = _fields(name)[key], SECTIONS[name]
        values[name][key] = _value(item, section, _parsed(found, get_type_hints(section)[key]), origin)
    sections = {name: kind(**values[name]) for name, kind in SECTIONS.items()}
    return Settings(**sections, panel=tables.get("panel", {}), source=where if path else Settings().source)


def example() -> str:
    """The file that `referee init` writes: every setting with its default and meaning, all commented out."""
    lines = ["# Settings of the referee. Every key may be left out; what stands behind `#` is the default.", ""]
    for name, kind in SECTIONS.items():
        lines += [f"[{name}]"]
        for item in fields(kind):
            limits = _limits(item)
            lines += [f"# {item.metadata['text']}" + (f" ({limits})" if limits else "")]
            lines += [f"#{item.name} = {_toml(item.default)}"]
        lines.append("")
    return "\n".join(lines)


def line_of(text: str, table: str, key: str | None = None) -> int | None:
    """The line, counted from 1, on which a table (or a key of it) stands in a TOML text; None if it is not found."""
    here = ""
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[+\s*([\w.\"'-]+)\s*\]+", line)
        if head:
            here = head[1].strip("\"'")
            if key is None and here.split(".")[0] == table:
                return number
            continue
        wanted = key if here == table else None if here else table
        if wanted is not None and re.match(rf"\s*[\"']?{re.escape(wanted)}[\"']?\s*[=.]", line):
            return number
    return None


def nearest(name: str, known: Iterator[str] | list[str]) -> str:
    """A hint at the known name that is nearest, or the list of them."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, 1, 0.6)
    return f"did you mean {close[0]}?" if close else f"known are {', '.join(names)}"


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{path}: expected settings as UTF-8 text, found other bytes") from None
    except OSError as error:
        raise BadInput(f"{path}: expected a settings file, found: {error.strerror}") from error


def _refuse_unknown(tables: Mapping[str, Any], text: str, where: str) -> None:
    known = [*SECTIONS, *OWN_TABLES]
    for name in tables:
        if name not in known:
            raise BadInput(f"{_at(where, text, name)}: unknown table [{name}]; {nearest(name, known)}")


def _checked(name: str, table: Any, text: str, where: str) -> dict[str, Any]:
    """The values of one table, each of the right type and in its range."""
    if not isinstance(table, Mapping):
        raise BadInput(f"{_at(where, text, name)}: expected a table [{name}], found {table!r}")
    known = _fields(name)
    for key in table:
        if key not in known:
            hint = nearest(key, list(known))
            raise BadInput(f"{_at(where, text, name, key)}: unknown key {key} in [{name}]; {hint}")
    return {
        key: _value(known[key], SECTIONS[name], value, f"{_at(where, text, name, key)}: [{name}] {key}")
        for key, value in table.items()
    }


def _at(where: str, text: str, table: str, key: str | None = None) -> str:
    line = line_of(text, table, key)
    return where if line is None else f"{where}, line {line}"


def _fields(name: str) -> dict[str, Field[Any]]:
    return {item.name: item for item in fields(SECTIONS[name])}


def _value(item: Field[Any], section: type, value: Any, where: str) -> Any:
    """The value as the field's type; raises BadInput where it has another type or lies outside its range."""
    kind = get_type_hints(section)[item.name]
    wrong = BadInput(f"{where}: expected {_expected(item, kind)}, found {value!r}")
    if kind is float and type(value) is int:
        value = float(value)
    if kind in (tuple[str, ...], tuple[int, ...]):
        inner: type = str if kind == tuple[str, ...] else int
        if not isinstance(value, list | tuple) or any(type(part) is not inner for part in value):
            raise wrong
        return tuple(value)
    low, high, one_of = item.metadata["low"], item.metadata["high"], item.metadata["one_of"]
    if type(value) is not kind or (one_of and value not in one_of):
        raise wrong
    if low is not None and not low <= value <= high:
        raise wrong
    return value


def _expected(item: Field[Any], kind: Any) -> str:
    names = {str: "a text", int: "a whole number", float: "a number", bool: "true or false",
             tuple[str, ...]: "a list of texts", tuple[int, ...]: "a list of whole numbers"}  # fmt: skip
    limits = _limits(item)
    return limits if item.metadata["one_of"] else names[kind] + (f" ({limits})" if limits else "")


def _limits(item: Field[Any]) -> str:
    if item.metadata["one_of"]:
        return "one of " + ", ".join(item.metadata["one_of"])
    low, high = item.metadata["low"], item.metadata["high"]
    return "" if low is None else f"{low:g} to {high:g}" if high < 1e6 else f"{low:g} or more"


def _overrides(environ: Mapping[str, str], flags: Mapping[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """Table, key, text and origin of every value that overrides the file; flags come last."""
    for name in SECTIONS:
        for key in _fields(name):
            variable = f"{PREFIX}{name}_{key}".upper()
            if variable in environ:
                yield name, key, environ[variable], variable
    for path, found in flags.items():
        name, _, key = path.partition(".")
        if name not in SECTIONS or key not in _fields(name):
            known = [f"{section}.{one}" for section in SECTIONS for one in _fields(section)]
            raise BadInput(f"--set: expected a setting, found {path}; {nearest(path, known)}")
        yield name, key, found, f"--set {path}"


def _parsed(text: str, kind: Any) -> Any:
    """A value as TOML would have it; anything else is a text, and where a text belongs so is a number: season 2026."""
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    return text if kind is str and not isinstance(value, str) else value


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
