"""The pin map: one table of which part of the panel is connected to which pin.

The panel, the wiring page with its drawing, and the self-test are all made from the `PinMap`; the settings file
changes it in the table `[panel]`.

The checks of single values raise BadInput with what was expected and found, and where.
"""

from __future__ import annotations

import difflib
import enum
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from referee.devices.wiring import header
from referee.devices.wiring.header import BOARDS, I2C, PHYSICAL, RESERVED
from referee.errors import BadInput


def one_pin(found: object, place: str) -> int:
    """Return a GPIO number of the header; raises BadInput for anything else."""
    if isinstance(found, bool) or not isinstance(found, int):
        raise BadInput(f"{place}: expected a GPIO number, found {found!r}")
    if found not in PHYSICAL:
        raise BadInput(f"{place}: expected a GPIO on the 40-pin header (2 to 27), found {found}")
    return found


def pin_or_false(found: object, place: str) -> int | None:
    """Return a GPIO number, or None for False: a part that is not there."""
    return None if found is False else one_pin(found, place)


def some_pins(low: int, high: int) -> Callable[[object, str], tuple[int, ...]]:
    """Return a check for no GPIO numbers, or `low` to `high` of them; a single one need not be a list."""

    def check(found: object, place: str) -> tuple[int, ...]:
        listed = found if isinstance(found, list | tuple) else [found]
        if found is False or not listed:
            return ()
        if not low <= len(listed) <= high:
            raise BadInput(f"{place}: expected {low} to {high} GPIO numbers, found {len(listed)}")
        return tuple(one_pin(one, place) for one in listed)

    return check


def one_of(*names: str) -> Callable[[object, str], str]:
    """Return a check for one of these names."""

    def check(found: object, place: str) -> str:
        if found not in names:
            near = difflib.get_close_matches(str(found).lower(), names, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise BadInput(f"{place}: expected one of {', '.join(names)}, found {found!r}{hint}")
        return str(found)

    return check


def an_address(found: object, place: str) -> int:
    """Return one of the two addresses that an OLED may have; raises BadInput for anything else."""
    if found not in (0x3C, 0x3D) or isinstance(found, bool):
        raise BadInput(f"{place}: expected 0x3c or 0x3d, found {found!r}")
    return 0x3C if found == 0x3C else 0x3D


Where = str | Callable[[str], str]
"""The place of the table for messages, or a function that returns it for a key: file, line, key."""

EVERYONE = "button-all"
PAUSE = "button-pause"
SEATS = 4
BAR = 5, 10
"""The smallest and the largest number of lamps in the bar, if there is one."""
PANELS = ("gpio", "page", "console", "none")
"""The kinds of panel."""


class Duty(enum.StrEnum):
    """What a line from the header is for."""

    BUTTON = "button"
    LAMP = "lamp"
    BAR = "bar"
    BUZZER = "buzzer"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the panel.

    `name` is its name in the code, `key` the one in the settings, `bcm` its GPIO number, and `text` what it is for a
    person.
    """

    name: str
    key: str
    duty: Duty
    bcm: int
    text: str
    colour: str = ""

    @property
    def pin(self) -> int:
        """The physical number on the header."""
        return PHYSICAL[self.bcm]

    @property
    def place(self) -> str:
        """The GPIO number and the physical pin, for messages."""
        return f"GPIO{self.bcm} (pin {self.pin})"


@dataclass(frozen=True, slots=True)
class PinMap:
    """Which part is connected to which GPIO. A part that is not there is None, or missing from its list.

    `turn_buttons` are in the order of the seats; a single one serves everybody.
    """

    kind: str = "gpio"
    board: str = "auto"
    turn_buttons: tuple[int, ...] = (5, 6, 13, 19)
    pause_button: int | None = 4
    player_lamps: tuple[int, ...] = (17, 27, 22, 10)
    red_lamp: int | None = 23
    amber_lamp: int | None = 24
    green_lamp: int | None = 25
    draw_lamp: int | None = 9
    buzzer: int | None = 18
    buzzer_kind: str = "tonal"
    bar: tuple[int, ...] = (12, 16, 20, 21, 26)
    display: str = "none"
    display_clk: int = 8
    display_dio: int = 7
    display_address: int = 0x3C

    @classmethod
    def from_table(cls, table: Mapping[str, Any], where: Where = "[panel]") -> Self:
        """Return the map that a `[panel]` table describes.

        Raises BadInput with what was expected, what was found, and where.
        """
        place = where if callable(where) else lambda key: f"{where} {key}"
        values = {}
        for key, found in table.items():
            if key not in MEANINGS:
                near = difflib.get_close_matches(key, MEANINGS, 1)
                hint = f"did you mean `{near[0]}`?" if near else f"known are {', '.join(MEANINGS)}."
                raise BadInput(f"{place(key)}: expected a key of the panel, found `{key}`; {hint}")
            values[key] = _VALUES[key](found, place(key))
        pins = cls(**values)
        pins._check(place, frozenset(values))
        return pins

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every line of the panel: buttons, lamps, buzzer, bar, display."""
        return tuple(_lines(self))

    def lines_for(self, duty: Duty) -> tuple[Line, ...]:
        """Return the lines with that duty."""
        return tuple(line for line in self.lines if line.duty is duty)

    @property
    def contacts(self) -> tuple[str, ...]:
        """Names of all buttons in the order of the seats, the start/pause button last."""
        return tuple(line.name for line in self.lines_for(Duty.BUTTON))

    def seat_of(self, contact: str) -> int | None:
        """Return the seat (from 0) of the player whose button that is.

        Returns None for the start/pause button, and for a button that serves everybody.
        """
        names = self.contacts
        return names.index(contact) if contact not in (EVERYONE, PAUSE) else None

    def advice(self) -> tuple[str, ...]:
        """Return what works but should be known: pins with a second purpose, and parts active while the Pi starts."""
        return tuple(_advice(self))

    def to_be_off(self) -> Mapping[str, tuple[Line, ...]]:
        """Return the interfaces of the board that must stay off, by name, each with the lines on its pins."""
        found = {
            name: tuple(line for line in self.lines if line.bcm in pins) for name, pins in header.SWITCHED_OFF.items()
        }
        return {name: lines for name, lines in found.items() if lines}

    def _check(self, place: Callable[[str], str], given: frozenset[str]) -> None:
        if self.kind == "gpio" and not self.turn_buttons:
            raise BadInput(f"{place('turn_buttons')}: expected at least one end-turn button, found none")
        taken: dict[int, Line] = {}
        # The error names the line that comes last in this order: one from the file rather than a default, and any
        # other line rather than one of the display, whose pins are fixed.
        for line in sorted(self.lines, key=lambda line: line.key in given and line.key != "display"):
            if line.bcm in RESERVED:
                raise BadInput(
                    f"{place(line.key)}: expected a free pin, found GPIO{line.bcm}, which serves {RESERVED[line.bcm]}"
                )
            if (other := taken.setdefault(line.bcm, line)) is not line:
                default = "" if other.key in given else " by default"
                raise BadInput(
                    f"{place(line.key)}: expected each pin once, found {line.place} for {line.name}, "
                    f"which {other.key} uses{default} for {other.name}"
                )


MEANINGS: Mapping[str, str] = {
    "kind": "gpio: buttons and lamps on the header; page: on the page; console: lines of text; none: no panel.",
    "board": f"The board that this must be: {', '.join(BOARDS)}.",
    "turn_buttons": "End-turn buttons in the order of the seats; a single button serves everybody.",
    "pause_button": "Button for start and pause; false if there is none.",
    "player_lamps": "A lamp per player, in the order of the seats.",
    "red_lamp": 'Lamp for "not yet"; false if there is none.',
    "amber_lamp": "Lamp for looking and asking.",
    "green_lamp": 'Lamp for "fine".',
    "draw_lamp": 'Lamp for "draw a tile".',
    "buzzer": "The buzzer; false if there is none.",
    "buzzer_kind": "tonal: plays notes; active: only on or off; none.",
    "bar": f"Lamps that show the time left, the last to go out first; {BAR[0]} to {BAR[1]}, or none.",
    "display": "none, tm1637 (4 digits) or oled (128 x 64, SSD1306, on GPIO2 and GPIO3).",
    "display_clk": "CLK of the tm1637.",
    "display_dio": "DIO of the tm1637.",
    "display_address": "Address of the oled, 0x3c or 0x3d.",
}
"""Every key of `[panel]` and what it means; all numbers are GPIO (BCM) numbers."""


def example() -> str:
    """Return the `[panel]` table for a settings file: every key with its meaning and default, commented out."""
    lines = ["[panel]"]
    for key, meaning in MEANINGS.items():
        lines += [f"# {meaning}", f"#{key} = {default_text(key)}"]
    return "\n".join(lines) + "\n"


def default_text(key: str) -> str:
    """Return the default of a key as it is written in a settings file."""
    value: Any = getattr(PinMap(), key)
    if key == "display_address":
        return hex(value)
    match value:
        case None:
            return "false"
        case tuple():
            return f"[{', '.join(map(str, value))}]"
        case str():
            return f'"{value}"'
    return str(value)


def _lines(pins: PinMap) -> Iterator[Line]:
    if len(pins.turn_buttons) == 1:
        yield Line(EVERYONE, "turn_buttons", Duty.BUTTON, pins.turn_buttons[0], "End of turn, everybody")
    else:
        for seat, bcm in enumerate(pins.turn_buttons, 1):
            yield Line(f"button-{seat}", "turn_buttons", Duty.BUTTON, bcm, f"End of turn, player {seat}")
    if pins.pause_button is not None:
        yield Line(PAUSE, "pause_button", Duty.BUTTON, pins.pause_button, "Start and pause")
    for seat, bcm in enumerate(pins.player_lamps, 1):
        yield Line(f"player-{seat}", "player_lamps", Duty.LAMP, bcm, f"Lamp of player {seat}", "yellow")
    for name, bcm_or_none, text, colour in (
        ("red", pins.red_lamp, "Not yet", "red"),
        ("amber", pins.amber_lamp, "Looking, asking", "amber"),
        ("green", pins.green_lamp, "Fine", "green"),
        ("draw", pins.draw_lamp, "Draw a tile", "orange"),
    ):
        if bcm_or_none is not None:
            yield Line(name, f"{name}_lamp", Duty.LAMP, bcm_or_none, text, colour)
    if pins.buzzer is not None and pins.buzzer_kind != "none":
        yield Line("buzzer", "buzzer", Duty.BUZZER, pins.buzzer, f"Buzzer, {pins.buzzer_kind}")
    for number, bcm in enumerate(pins.bar, 1):
        yield Line(f"bar-{number}", "bar", Duty.BAR, bcm, f"Clock, lamp {number}", "green")
    if pins.display == "tm1637":
        yield Line("clk", "display_clk", Duty.DISPLAY, pins.display_clk, "Display, CLK")
        yield Line("dio", "display_dio", Duty.DISPLAY, pins.display_dio, "Display, DIO")
    elif pins.display == "oled":
        yield Line("sda", "display", Duty.DISPLAY, I2C[0], "Display, SDA")
        yield Line("scl", "display", Duty.DISPLAY, I2C[1], "Display, SCL")


def _advice(pins: PinMap) -> Iterator[str]:
    for line in pins.lines:
        output = line.duty in (Duty.LAMP, Duty.BAR, Duty.BUZZER)
        if line.bcm in I2C and line.duty is not Duty.DISPLAY:
            yield f"{line.place} has 1.8 kilohm to 3.3 V on the board: {line.name} leaks a little, and no oled fits."
        elif output and line.bcm in header.PULLED_UP_AT_START:
            stirs = "sounds" if line.duty is Duty.BUZZER else "may glimmer"
            yield f"{line.place} is pulled up while the Pi starts: {line.name} {stirs} until the referee runs."
        if line.bcm in header.UART:
            yield f"{line.place} is the serial console's: switch that off for {line.name}."
        if line.duty is Duty.BUZZER and pins.buzzer_kind == "tonal" and line.bcm not in header.HARDWARE_PWM:
            known = ", ".join(f"GPIO{bcm}" for bcm in header.HARDWARE_PWM)
            yield f"{line.place} has its tones from software; {known} could have them from hardware as well."


_VALUES: Mapping[str, Callable[[object, str], Any]] = {
    "kind": one_of(*PANELS),
    "board": one_of(*BOARDS),
    "turn_buttons": some_pins(1, SEATS),
    "player_lamps": some_pins(1, SEATS),
    "buzzer_kind": one_of("tonal", "active", "none"),
    "bar": some_pins(*BAR),
    "display": one_of("none", "tm1637", "oled"),
    "display_clk": one_pin,
    "display_dio": one_pin,
    "display_address": an_address,
} | dict.fromkeys(("pause_button", "red_lamp", "amber_lamp", "green_lamp", "draw_lamp", "buzzer"), pin_or_false)
