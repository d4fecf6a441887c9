"""The settings: one file `referee.toml` in which every key is optional; the environment and flags override it.

Every setting is declared here once, with its type, range, unit and meaning. Reading, checking, the file that
`referee init` writes and the documentation are all based on that.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_type_hints

from referee.devices.wiring.pins import MEANINGS, PinMap
from referee.errors import BadInput
from referee.settings.file import (
    FILE_VARIABLE,
    ON_THE_PAGE,
    PAGE_FILE,
    STATE_VARIABLE,
    is_there,
    line_of,
    tables_of,
    text_of,
)
from referee.settings.values import Setting, fit_to_show, format_value, nearest, parse_value, toml_of

PREFIX = "REFEREE_"
OTHER_VARIABLES = frozenset({FILE_VARIABLE, STATE_VARIABLE, "REFEREE_MODELS"})
PANEL = "panel"
"""The table whose values the panel checks itself; the pin map defines its keys."""


def _setting(
    default: Any,
    text: str,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    *,
    one_of: str = "",
    secret: bool = False,
    host: bool = False,
) -> Any:
    declared = {"text": text, "low": low, "high": high, "unit": unit}
    metadata = {**declared, "one_of": tuple(one_of.split()), "secret": secret, "host": host}
    return field(default=default, repr=not secret, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Game:
    """What is played, and by whom."""

    rules: str = _setting("rummikub", "The rule book; `referee rules` lists them.")
    options: tuple[str, ...] = _setting((), "Options of the rule book, each as NAME=CHOICE.")
    players: tuple[str, ...] = _setting((), "Names in the order of the buttons; if empty: Player 1 and so on.")
    rounds: int = _setting(3, "Rounds of a match, if the rule book lets the players choose.", 1, 100)
    language: str = _setting("auto", "Language of the players; auto: that of the system.", one_of="auto en de fr it")
    coach: bool = _setting(False, "Everybody may ask during a match what can be laid (page /coach).")
    season: str = _setting("", "Name of the season to which new matches belong; if empty: none.")
    handicaps: tuple[int, ...] = _setting(
        (), "Seconds added to each player's turn, in the order of the names.", -3600, 3600, "s")  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The play area and the box of tiles."""

    width_mm: float = _setting(900.0, "Distance between the centres of the upper two markers.", 100, 5000, "mm")
    height_mm: float = _setting(600.0, "Distance between the centres of the left two markers.", 100, 5000, "mm")
    tileset: str = _setting("", "The kind of box in use; if empty: the one that the rule book names.")
    box: str = _setting("", "The enrolled box, a name or a file; if empty: the one enrolled at this table.")


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """Where the pictures come from."""

    kind: str = _setting("pi", "pi, usb, network (a phone), folder, video, or virtual (a rendered table).", one_of=(
        "pi usb network folder video virtual"))  # fmt: skip
    source: str = _setting("", "Number of a USB camera, address of a network camera, or path of a folder or video.",
                           secret=True)  # fmt: skip
    user: str = _setting("", "Network camera: the user name, if it asks for one.")
    password: str = _setting("", "Network camera: the password; it is never shown anywhere.", secret=True)
    certificate: str = _setting("", "Network camera over https: sha256: and then its certificate's fingerprint.")
    anywhere: bool = _setting(False, "Network camera: whether it may be outside the local network.")
    lag_s: float = _setting(1.0, "Network camera: the longest time from exposing a picture to sending it.", 0, 10, "s")
    width_px: int = _setting(2304, "Width of the pictures in which tiles are read.", 640, 9216, "px")
    height_px: int = _setting(1296, "Height of the pictures in which tiles are read.", 480, 6944, "px")
    preview_px: int = _setting(576, "Width of the small pictures that are watched for motion.", 160, 1920, "px")
    focus_m: float = _setting(0.92, "Focus of a Pi camera: from the lens to the tiles; 0: as for our mount.",
                              0, 10, "m")  # fmt: skip
    autofocus: bool = _setting(
        True, "Whether a Pi camera's autofocus refines focus_m on the markers before each round."
    )
    exposure_ms: float = _setting(0.0, "Exposure time; a multiple of 10 for 50 Hz mains; 0: measured at the start.",
                                  0, 200, "ms")  # fmt: skip
    mains_hz: int = _setting(
        50, "Frequency of the mains, at which lamps flicker: 50, or 60 as in America.", 50, 60, "Hz"
    )
    gain: float = _setting(0.0, "Analogue gain; 0: measured at the start.", 0, 16)
    lens: str = _setting(
        "", "The lens profile of `referee calibrate`; if empty: lens.toml beside the journal, if it exists."
    )
    timeout_s: float = _setting(3.0, "How long no picture may come before the camera counts as lost.", 0.5, 60, "s")
    reboot: bool = _setting(False, "Whether to reboot a Pi whose camera hangs in the kernel; else pull the plug.")
    restarts: int = _setting(20, "How often a lost camera is opened again within ten minutes.", 0, 100)


@dataclass(frozen=True, slots=True)
class Watching:
    """How the table is watched between presses."""

    per_second: float = _setting(4.0, "How many small pictures are compared each second.", 0.5, 30, "/s")
    still_s: float = _setting(0.5, "How long nothing must change before the table counts as still.", 0.1, 10, "s")
    read_ahead: bool = _setting(True, "Whether a still table is read before a button is pressed.")


@dataclass(frozen=True, slots=True)
class Storage:
    """What is stored, and where."""

    state: str = _setting("", "Folder of the journal; if empty: systemd's, or ~/.local/state/referee.")
    pictures_mb: int = _setting(
        500, "Room for the pictures behind the verdicts; the oldest are deleted first.", 0, 1_000_000, "MB"
    )


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """The automatic backups, made once after every day with a match."""

    automatic: bool = _setting(True, "Whether backups are made; 7 days, 4 weeks and 12 months of them are kept.")
    folder: str = _setting("", "Folder of these backups; if empty: backups in the journal's folder.")
    pictures: bool = _setting(False, "Whether they contain the pictures, which need by far the most room.")
    usb: bool = _setting(True, "Whether each is copied to the USB sticks that are mounted.")


@dataclass(frozen=True, slots=True)
class Web:
    """The page in a browser."""

    page: bool = _setting(False, "Whether `play` serves the page; `play --page` always does.")
    listen: str = _setting(
        "localhost", "Address to listen on; localhost: only this machine; 0.0.0.0: the house.", host=True
    )
    port: int = _setting(8765, "Port of the page; 0: any free port.", 0, 65535)
    buttons: bool = _setting(False, "Whether the page has buttons as well when the panel has real ones.")
    reading: str = _setting("open", "Who may watch in the house; open: everybody; pin: whoever knows the PIN.",
                            one_of="open pin")  # fmt: skip
    writing: str = _setting("pin", "Who may answer and set up; pin: whoever knows the PIN; open: everybody.",
                            one_of="pin open")  # fmt: skip
    hosts: tuple[str, ...] = _setting(
        (), "More host names of the page; addresses, localhost and .local names always work."
    )
    wifi_name: str = _setting("", "Name of the house's wireless network, for a QR code; if empty: no such code.")
    wifi_password: str = _setting("", "Password of that network; only in that code, shown to those who may set up.",
                                  secret=True)  # fmt: skip


@dataclass(frozen=True, slots=True)
class VoiceSettings:
    """Speech on the referee's own loudspeaker; needs espeak-ng and aplay."""

    on: bool = _setting(False, "Whether the referee speaks its sentences aloud.")
    level: str = _setting("everything", "What is spoken; verdicts: also questions and whose turn it is.",
                          one_of="everything verdicts clock silent")  # fmt: skip
    words_a_minute: int = _setting(160, "Speaking rate.", 80, 450, "words/min")
    device: str = _setting("", "ALSA name of the loudspeaker; if empty: the default one.")
    pack: str = _setting("", "Folder with recordings, such as play.paused.wav, to be played instead of speech.")


@dataclass(frozen=True, slots=True)
class ClubSettings:
    """What the table sends to a club over an MQTT broker."""

    on: bool = _setting(False, "Whether the table publishes what happens; needs paho-mqtt (extra `club`).")
    broker: str = _setting("localhost", "Name or address of the broker.", host=True)
    port: int = _setting(0, "Port of the broker; 0: 1883, or 8883 with tls.", 0, 65535)
    tls: bool = _setting(False, "Whether the connection is encrypted and the broker's certificate checked.")
    ca: str = _setting("", "File with the certificate to trust; if empty: those that the system trusts.")
    user: str = _setting("", "User name at the broker; if empty: none.")
    password: str = _setting("", "Password of that user; it is never shown anywhere.", secret=True)
    topic: str = _setting("referee", "Topic below which all tables of the club publish.")
    table: str = _setting("", "Name of the table in the club: a-z, 0-9 and -; if empty: the name of this machine.")
    names: bool = _setting(False, "Whether the names of the players are sent.")
    commands: tuple[str, ...] = _setting(
        (), "What others may ask the table to do.", one_of="pause resume look announce picture begin")  # fmt: skip
    home_assistant: bool = _setting(False, "Whether the table announces itself to Home Assistant.")


@dataclass(frozen=True, slots=True)
class HookSettings:
    """Lamps and home servers in the house that are told what happens."""

    urls: tuple[str, ...] = _setting(
        (), "Addresses in the local network to which every event is posted as JSON.", secret=True)  # fmt: skip
    wled: tuple[str, ...] = _setting(
        (), "Addresses of WLED lamps, such as http://192.168.1.30, which show what happens.")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. `panel` is the table of the panel, which checks its values itself."""

    game: Game = field(default_factory=Game)
    table: TableSettings = field(default_factory=TableSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    watching: Watching = field(default_factory=Watching)
    storage: Storage = field(default_factory=Storage)
    backup: BackupSettings = field(default_factory=BackupSettings)
    web: Web = field(default_factory=Web)
    voice: VoiceSettings = field(default_factory=VoiceSettings)
    club: ClubSettings = field(default_factory=ClubSettings)
    hooks: HookSettings = field(default_factory=HookSettings)
    panel: Mapping[str, Any] = field(default_factory=dict)
    source: str = "no settings file"
    """Where the settings come from, for messages."""
    places: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Where each value was set, by `table.key`."""

    def place(self, table: str, key: str) -> str:
        """Return where a value was set, for messages: line and key of the file, a variable, or a flag."""
        return self.places.get(f"{table}.{key}", f"[{table}] {key} ({self.source})")


SECTIONS: Mapping[str, type] = {
    name: kind for name, kind in get_type_hints(Settings).items() if name not in (PANEL, "source", "places")
}
SETTINGS: Mapping[str, Setting] = {
    name: Setting(name, kinds[item.name], item.default, **item.metadata)
    for table, section in SECTIONS.items()
    for kinds in (get_type_hints(section),)
    for item in fields(section)
    for name in (f"{table}.{item.name}",)
}
"""Every setting by `table.key`, except those of the panel."""


def load(
    path: Path | None,
    environ: Mapping[str, str],
    flags: Mapping[str, str] | None = None,
    *,
    state: Callable[[str], Path] | None = None,
    page: str | None = None,
) -> Settings:
    """Load the settings; each of these overrides the ones before it.

    1. the file at `path`, if any;
    2. what was chosen on the page, which is a file of its own in the journal's folder; `state` returns that folder for
       the value of `[storage] state`. If `page` is given, it is used as the text of that file, so that changes can be
       checked before they are written;
    3. the environment, in which `REFEREE_CAMERA_KIND` sets `[camera] kind`. `REFEREE_STATE` is a shorter name of
       `REFEREE_STORAGE_STATE`; if both are set, the longer one applies;
    4. `flags`, such as ``{"camera.kind": "usb"}``.

    Raises BadInput with file, line and key.
    """
    first = ("settings", "") if path is None else (str(path), text_of(path))
    source = str(path) if path else Settings().source
    found = _combine([first], environ, flags or {}, source)
    if state is None:
        return found
    place = state(found.storage.state) / PAGE_FILE
    if page is None:
        if not is_there(place):
            return found
        page = text_of(place)
    return _combine([first, (str(place), page)], environ, flags or {}, source)


def _combine(
    files: Sequence[tuple[str, str]], environ: Mapping[str, str], flags: Mapping[str, str], source: str
) -> Settings:
    """Combine files, each given as name and text, the second that of the page; then apply the overrides."""
    values: dict[str, dict[str, Any]] = {name: {} for name in SECTIONS}
    panel: dict[str, Any] = {}
    places: dict[str, str] = {}
    for (where, text), known in zip(files, ([*SECTIONS, PANEL], ON_THE_PAGE), strict=False):
        tables = tables_of(text, where)
        _refuse_unknown(tables, text, where, known)
        for name in SECTIONS:
            checked = _check_values(name, tables.get(name, {}), text, where)
            values[name] |= checked
            places |= {f"{name}.{key}": _place(where, text, name, key) for key in checked}
        for key, value in _table(PANEL, tables.get(PANEL, {}), text, where).items():
            panel[key] = fit_to_show(value, _place(where, text, PANEL, key))
            line = line_of(text, PANEL, key)
            places[f"{PANEL}.{key}"] = f"{where}{'' if line is None else f', line {line}'}, [{PANEL}] {key}"
    for name, key, found, origin in _overrides(environ, flags):
        places[f"{name}.{key}"] = origin
        if name == PANEL:
            panel[key] = fit_to_show(parse_value(found, type(getattr(PinMap(), key))), origin)
        else:
            setting = SETTINGS[f"{name}.{key}"]
            values[name][key] = setting.check(parse_value(found, setting.kind), origin)
    sections = {name: kind(**values[name]) for name, kind in SECTIONS.items()}
    return Settings(**sections, panel=panel, source=source, places=places)


def example() -> str:
    """Return the file that `referee init` writes: every setting with its default and meaning, all commented out."""
    lines = ["# Settings of the referee. Every key may be left out; what stands behind `#` is the default.", ""]
    for table in SECTIONS:
        lines += [f"[{table}]"]
        for key, setting in _in_table(table).items():
            lines += [f"# {setting.text}" + (f" ({setting.limits})" if setting.limits else "")]
            lines += [f"#{key} = {toml_of(setting.default)}"]
        lines.append("")
    return "\n".join(lines)


def _refuse_unknown(tables: Mapping[str, Any], text: str, where: str, known: Sequence[str]) -> None:
    for name in tables:
        if name not in known:
            raise BadInput(f"{_place_in_file(where, text, name)}: unknown table [{name}]; {nearest(name, known)}")


def _check_values(name: str, table: Any, text: str, where: str) -> dict[str, Any]:
    """Return the values of one table; raises BadInput for an unknown key, a wrong type or a value out of range."""
    known = _in_table(name)
    for key in _table(name, table, text, where):
        if key not in known:
            hint = nearest(key, known)
            raise BadInput(f"{_place_in_file(where, text, name, key)}: unknown key {key} in [{name}]; {hint}")
    return {key: known[key].check(value, _place(where, text, name, key)) for key, value in table.items()}


def _table(name: str, table: Any, text: str, where: str) -> Mapping[str, Any]:
    if isinstance(table, Mapping):
        return table
    raise BadInput(f"{_place_in_file(where, text, name)}: expected a table [{name}], found {format_value(table)}")


def _place_in_file(where: str, text: str, table: str, key: str | None = None) -> str:
    line = line_of(text, table, key)
    return where if line is None else f"{where}, line {line}"


def _place(where: str, text: str, table: str, key: str) -> str:
    return f"{_place_in_file(where, text, table, key)}: [{table}] {key}"


def _in_table(name: str) -> dict[str, Setting]:
    return {setting.key: setting for setting in SETTINGS.values() if setting.name.startswith(f"{name}.")}


def _overrides(environ: Mapping[str, str], flags: Mapping[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """Yield table, key, text and origin of every value that overrides the file; flags come last."""
    known = {name: _split(name) for name in (*SETTINGS, *(f"{PANEL}.{key}" for key in MEANINGS))}
    variables = {PREFIX + path.replace(".", "_").upper(): place for path, place in known.items()}
    for variable in environ:
        if variable.startswith(PREFIX) and variable not in variables and variable not in OTHER_VARIABLES:
            close = difflib.get_close_matches(variable, [*variables, *OTHER_VARIABLES], 1, 0.8)
            hint = f"did you mean {close[0]}?" if close else "`referee init` writes down every setting"
            raise BadInput(f"{variable}: expected the variable of a setting; {hint}")
    if environ.get(STATE_VARIABLE):
        yield "storage", "state", environ[STATE_VARIABLE], STATE_VARIABLE
    for variable, place in variables.items():
        if variable in environ:
            yield *place, environ[variable], variable
    for path, found in flags.items():
        if not path:
            raise BadInput(f"--set: expected TABLE.KEY=VALUE, found ={found}")
        if path not in known:
            raise BadInput(f"--set: expected a setting, found {path}; {nearest(path, known)}")
        yield *known[path], found, f"--set {path}"


def _split(name: str) -> tuple[str, str]:
    table, _, key = name.partition(".")
    return table, key
