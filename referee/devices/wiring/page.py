"""The wiring as a page and a drawing, both made from the pin map.

    python -m referee.devices.wiring.page [SETTINGS.toml] [--out FOLDER]

writes `wiring.md` and `wiring.svg` for the `[panel]` table of a settings file, or for the default map.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from referee.devices.whole_file import read_whole
from referee.devices.wiring.circuit import (
    BASE_OHM,
    BASE_V,
    BUTTON_OHM,
    DATA_OHM,
    FORWARD_V,
    LAMP_MA,
    PIEZO_OHM,
    PIN_MA,
    PULL_UP_OHM,
    SUPPLY_V,
    TOTAL_MA,
    component_of,
    lamp_ma,
    lamp_ohm,
    total_ma,
)
from referee.devices.wiring.drawing import draw
from referee.devices.wiring.header import nearest_ground
from referee.devices.wiring.pins import Duty, PinMap
from referee.errors import BadInput

LONGEST = 1_000_000
"""The largest size of a settings file in bytes."""
PAGE, DRAWING = "wiring.md", "wiring.svg"
COMMAND = "python -m referee.devices.wiring.page"


def page(pins: PinMap) -> str:
    """Return the page as Markdown; the same map gives the same text."""
    return "\n".join([*_start(pins), *_table(pins), *_lamps(pins), *_others(pins), *_end(pins)]) + "\n"


def write(pins: PinMap, folder: Path) -> None:
    """Write page and drawing; raises BadInput if that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PAGE).write_text(page(pins), encoding="utf-8")
        (folder / DRAWING).write_text(draw(pins), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{folder}: expected a folder to write to, found: {error.strerror}") from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 2 if the settings cannot be used, otherwise 0."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description="Make the wiring page and its drawing from the pin map."
    )
    parser.add_argument("settings", nargs="?", type=Path, help="a settings file; without: the default map")
    parser.add_argument("--out", type=Path, default=Path("hardware"), help="the folder to write to (hardware)")
    chosen = parser.parse_args(arguments)
    try:
        write(_pins_in(chosen.settings), chosen.out)
    except BadInput as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _pins_in(settings: Path | None) -> PinMap:
    if settings is None:
        return PinMap()
    try:
        tables = tomllib.loads(read_whole(settings, LONGEST, "a settings file").decode("utf-8"))
    except BadInput:
        raise
    except ValueError as error:  # a TOMLDecodeError, or bytes that are not UTF-8
        raise BadInput(f"{settings}: expected a TOML file, found: {error}") from error
    table = tables.get("panel", {})
    if not isinstance(table, dict):
        raise BadInput(f"{settings}: expected a table [panel], found {table!r}")
    return PinMap.from_table(table, f"{settings} [panel]")


_MADE = f"""\
This page is written by `{COMMAND}` from the pin map. For a map of your own, change the table `[panel]`
of your settings, not this page: `{COMMAND} referee.toml --out mine` writes the page and the drawing for it.
"""
_RULES = """\
Pull the plug before you change a wire, and check everything before you put it in again.

GPIO pins are made for 3.3 V. 5 V (pins 2 and 4) on any of them destroys the Pi: before anything else, cover these two
pins, and their terminals on a breakout board, with tape{unless}.

An LED has a long leg, which goes towards the pin, and a short one, towards ground. The wrong way round, it stays dark
but is not damaged.

The resistor of an LED may sit on either side of it, but every LED needs its own.
"""
_GROUNDS = """\
All ground pins are equivalent. The table names the nearest one. Wires that go to the same ground pin, at most {most},
are twisted together and put into its terminal.
"""
_OFF = """\
These interfaces of the Pi must stay switched off, because parts of the panel use their pins. They are off unless
somebody has switched them on (`sudo raspi-config`, Interface Options):"""
_BUTTONS = """\
Each button is connected between its pin and ground, without a resistor: the Pi itself pulls the pin up to 3.3 V,
through about {kiloohm:g} kiloohm, and a pressed button pulls it down ({volt} V / {kiloohm:g} kiloohm = {ma:.2f} mA).
Any push-button that closes when it is pressed will do; the program handles bouncing contacts. Twist the two wires of
a button together if they are longer than a metre.
"""
_LONG = """\
With a ribbon of a metre or more, put {low} ohm to {high} ohm into the line of each button, at the Pi's end. This
reduces the interference from bar and buzzer, and if a pin is ever an output by mistake while its button is held, it
gives {volt} V / {low} ohm = {ma:.0f} mA, less than the {limit:g} mA that are allowed. A pressed button is still
recognised: its pin then has at most {volt} V x {high} / ({pull} + {high}) = {seen:.2f} V, and anything below 0.8 V
counts as pressed.
"""
_LEDS = """\
Take LEDs of about 2 V. Blue and white ones, and the very bright green ones, need about 3 V: 3.3 V leave too little
for the resistor, and the LEDs glow dimly or not at all. LEDs sold on wires "for 12 V" have a resistor in their
sleeve, usually 470 to 680 ohm (at 12 V and 20 mA: (12 V - 2 V) / 0.02 A = 500 ohm); that is right, and no other
resistor is needed. Those "for 5 V" have about 150 ohm, with which all of them together would draw too much current.
"""
_TONAL = """\
A *tonal* buzzer is a bare piezo disc or a passive piezo buzzer: it has no electronics, plays the notes it is given,
and may be connected either way round. It draws current only for the moment in which it is charged; the resistor keeps
this current below the {limit:g} mA of a pin: {volt} V / {ohm} ohm = {ma:.0f} mA. A magnetic buzzer or a loudspeaker
must not be connected this way. For a buzzer that beeps by itself as soon as it has current, set `buzzer_kind =
"active"` and write this page again.
"""
_ACTIVE = """\
An *active* buzzer beeps by itself as soon as it has current, more than a pin should give. So the pin switches an NPN
transistor (BC547, 2N2222): {ohm} ohm from the pin to its base, where ({volt} V - {base} V) / {ohm} ohm = {ma:.1f} mA
are enough; emitter to ground; collector to the minus side of the buzzer, whose plus side goes to pin 2 (5 V) or pin 1
(3.3 V), as is printed on it. Put a diode (1N4148) across a magnetic buzzer, its ring towards plus.
"""
_TM1637 = """\
VCC of the TM1637 module goes to pin 1 (3.3 V), not to 5 V: its own resistors pull CLK and DIO up to VCC. GND goes to
any ground pin. The {ohm} ohm in the DIO line are there because module and Pi both drive it for a moment ({volt} V /
{ohm} ohm = {ma:.1f} mA at most).
"""
_OLED = """\
VCC of the OLED goes to pin 1 (3.3 V), GND to any ground pin. Switch I2C on: `sudo raspi-config`, Interface Options.
"""
_TOGETHER = """\
No pin may give more than {limit:g} mA; the strongest lamp takes {strongest:.1f} mA. All pins together should stay
below {total_limit:g} mA, the figure usually given for the first boards (none is known for later ones). With every
lamp lit at once, which happens only in a test, they give {total:.0f} mA.
"""


def _start(pins: PinMap) -> Iterator[str]:
    yield from ("# Wiring", "", _wrap_text(_MADE), "", f"![Every pin in use and what it leads to]({DRAWING})", "")
    unless = (
        ", but for the one that the buzzer needs"
        if pins.buzzer_kind == "active" and pins.lines_for(Duty.BUZZER)
        else ""
    )
    yield from (_wrap_text(f"- {rule}", "  ") for rule in _RULES.format(unless=unless).split("\n\n"))
    if grounds := Counter(nearest_ground(line.bcm) for line in pins.lines if line.duty is not Duty.DISPLAY):
        yield _wrap_text(f"- {_GROUNDS.format(most=max(grounds.values()))}", "  ")
    if off := pins.to_be_off():
        whose = "; ".join(f"{name} ({', '.join(line.name for line in lines)})" for name, lines in off.items())
        yield _wrap_text(f"- {_OFF} {whose}.", "  ")


def _table(pins: PinMap) -> Iterator[str]:
    yield from ("", "## Pin by pin", "")
    yield "| part | name | GPIO | pin | by way of | leads to | ground at pin |"
    yield "|---|---|---|---|---|---|---|"
    for line in pins.lines:
        component = component_of(line, pins)
        ohm = "" if component.ohm is None else f"{component.ohm} ohm"
        ground = "" if line.duty is Duty.DISPLAY else str(nearest_ground(line.bcm))
        yield f"| {line.text} | `{line.name}` | {line.bcm} | {line.pin} | {ohm} | {component.text} | {ground} |"


def _lamps(pins: PinMap) -> Iterator[str]:
    lines = pins.lines_for(Duty.LAMP) + pins.lines_for(Duty.BAR)
    if not lines:
        return
    ohm = lamp_ohm(pins)
    low, high = LAMP_MA
    aim = f"{low:g} to {high:g} mA are bright enough for a lit room, and safe for any LED"
    yield from _chapter(
        "The lamps' resistors", f"Current = (supply - forward voltage of the LED) / resistance; {aim}."
    )
    yield from ("", "| LED | forward voltage | current |", "|---|---|---|")
    for colour in sorted({line.colour for line in lines}):
        volt = FORWARD_V[colour]
        current = f"({SUPPLY_V} V - {volt} V) / {ohm} ohm = {lamp_ma(colour, ohm):.1f} mA"
        yield f"| {colour} | {volt} V | {current} |"
    yield from ("", _wrap_text(_LEDS))


def _others(pins: PinMap) -> Iterator[str]:
    def milliamperes(ohm: float, volt: float = SUPPLY_V) -> float:
        return volt / ohm * 1000

    if pins.lines_for(Duty.BUTTON):
        text = _BUTTONS.format(kiloohm=PULL_UP_OHM / 1000, volt=SUPPLY_V, ma=milliamperes(PULL_UP_OHM))
        yield from _chapter("Buttons", text)
        low, high = BUTTON_OHM
        seen = SUPPLY_V * high / (PULL_UP_OHM + high)
        more = _LONG.format(
            low=low, high=high, volt=SUPPLY_V, ma=milliamperes(low), limit=PIN_MA, pull=PULL_UP_OHM, seen=seen
        )
        yield from ("", _wrap_text(more))
    if pins.lines_for(Duty.BUZZER) and pins.buzzer_kind == "active":
        ma = milliamperes(BASE_OHM, SUPPLY_V - BASE_V)
        yield from _chapter("Buzzer", _ACTIVE.format(ohm=BASE_OHM, volt=SUPPLY_V, base=BASE_V, ma=ma))
    elif pins.lines_for(Duty.BUZZER):
        text = _TONAL.format(limit=PIN_MA, volt=SUPPLY_V, ohm=PIEZO_OHM, ma=milliamperes(PIEZO_OHM))
        yield from _chapter("Buzzer", text)
    if pins.display == "tm1637":
        yield from _chapter("Display", _TM1637.format(ohm=DATA_OHM, volt=SUPPLY_V, ma=milliamperes(DATA_OHM)))
    elif pins.display == "oled":
        yield from _chapter("Display", _OLED)


def _end(pins: PinMap) -> Iterator[str]:
    ohm = lamp_ohm(pins)
    strongest = max(
        (lamp_ma(line.colour, ohm) for line in pins.lines_for(Duty.LAMP) + pins.lines_for(Duty.BAR)), default=0.0
    )
    limits = {"limit": PIN_MA, "total_limit": TOTAL_MA}
    text = _TOGETHER.format(strongest=strongest, total=total_ma(pins, ohm), **limits)
    yield from _chapter("Currents altogether", text)
    if advice := pins.advice():
        yield from ("", "## Good to know about this map", "")
        yield from (_wrap_text(f"- {one}", "  ") for one in advice)


def _chapter(title: str, text: str) -> tuple[str, ...]:
    return "", f"## {title}", "", _wrap_text(text)


def _wrap_text(text: str, indent: str = "") -> str:
    joined = " ".join(text.split())
    return textwrap.fill(joined, 119, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    sys.exit(main())
