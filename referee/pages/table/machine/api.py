"""What the page of the machine takes, with its description for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from referee.devices.system.network import KEY_DIGITS, LONGEST_NAME
from referee.devices.system.power import Going
from referee.journal.codec import PLAIN, codec_of
from referee.page.access.secret import DIGITS
from referee.page.command import number, one_of, text
from referee.page.openapi import Described

PAGE, POWER = "/machine", "/api/machine/power"
CLOCK, ZONE = "/api/machine/clock", "/api/machine/zone"
NETWORKS, WIFI, JOINED = "/api/machine/networks", "/api/machine/wifi", "/api/machine/joined"
RESET = "/api/machine/reset"
SAFE, PIN = "/api/machine/safe", "/api/machine/pin"
EARLIEST_S, LATEST_S = 1704067200, 4102444800
"""The beginnings of 2024, when the referee was not written yet, and of 2100."""
LONGEST_ZONE, LONGEST_WORD = 64, 20


@dataclass(frozen=True, slots=True)
class PowerFields:
    """How the machine ends; `sure`: even though a match is under way, which then goes on after the next start."""

    how: Annotated[Going, one_of(*Going)]
    sure: bool = False


@dataclass(frozen=True, slots=True)
class ClockFields:
    """The date and time: seconds since 1970 (UTC), as the clock of a phone says."""

    at: Annotated[float, number(EARLIEST_S, LATEST_S, "seconds")]


@dataclass(frozen=True, slots=True)
class ZoneFields:
    """The name of a time zone, such as Europe/Rome."""

    zone: Annotated[str, text(1, LONGEST_ZONE)]


@dataclass(frozen=True, slots=True)
class WifiFields:
    """The name of a Wi-Fi and its password, which is empty if it has none or the machine knows it."""

    name: Annotated[str, text(1, LONGEST_NAME)]
    password: Annotated[str, text(0, KEY_DIGITS)] = ""


@dataclass(frozen=True, slots=True)
class SafeFields:
    """Whether the referee runs in safe mode."""

    on: bool


@dataclass(frozen=True, slots=True)
class ResetFields:
    """The word that the page asks for, in its language; `backups`: whether the backups are deleted, too."""

    word: Annotated[str, text(1, LONGEST_WORD)]
    backups: bool = False


@dataclass(frozen=True, slots=True)
class PinFields:
    """The PIN to be asked for from now on, of six digits; empty: none."""

    pin: Annotated[str, text(0, DIGITS)]


_TOLD = {"type": "object", "required": ["told"], "properties": {"told": {"type": "string", "minLength": 1}}}
_PIN_FORM = {"type": "string", "pattern": f"^([0-9]{{{DIGITS}}})?$"}
_PIN_BODY = {"type": "object", "required": ["pin"], "properties": {"pin": _PIN_FORM}}
DESCRIBED: Mapping[str, Described] = {
    POWER: Described("Shut the machine down, or restart it.", codec_of(PowerFields, PLAIN).schema, _TOLD),
    CLOCK: Described("Set the clock, as long as no network does.", codec_of(ClockFields, PLAIN).schema, _TOLD),
    WIFI: Described("Use another Wi-Fi, or again the one from before.", codec_of(WifiFields, PLAIN).schema, _TOLD),
    SAFE: Described("Run in safe mode, or no longer.", codec_of(SafeFields, PLAIN).schema, _TOLD),
    PIN: Described("Ask for a PIN, or no longer.", _PIN_BODY, _TOLD),
    RESET: Described("Delete everything, and start again.", codec_of(ResetFields, PLAIN).schema, _TOLD),
    ZONE: Described("Choose the time zone.", codec_of(ZoneFields, PLAIN).schema, _TOLD),
}
"""What the OpenAPI document says of it."""
