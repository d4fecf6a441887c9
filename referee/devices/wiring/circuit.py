"""The electrical side of the pin map: resistors and currents, each with its arithmetic.

One pin may supply at most 16 mA, the largest drive strength of its pad. All pins together may supply about 50 mA,
which is the usual figure for the first boards. For later boards no figure is known, so this one is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.devices.wiring.pins import Duty, Line, PinMap

SUPPLY_V = 3.3
"""The level of a pin that is high."""
PIN_MA = 16.0
"""The largest current of one pin; hardware/wiring.md says more."""
TOTAL_MA = 50.0
"""The largest current of all pins together; hardware/wiring.md says where the figure is from."""
PLANNED_MA = 0.9 * TOTAL_MA
"""The current of all pins that is planned for. Resistors and lamps vary by some percent, so a tenth is kept in
reserve."""
LAMP_MA = (2.0, 8.0)
"""Enough to be seen in a lit room, and the most that an ordinary LED takes without harm."""
PULL_UP_OHM = 50_000
"""The pull-up resistor inside the Pi, approximately."""

BUTTON_OHM = (330, 1000)
"""Limits for a resistor in the line of a button at the end of a long ribbon. With more, the line would catch noise
again."""

FORWARD_V = {"red": 1.9, "orange": 2.0, "amber": 2.0, "yellow": 2.0, "green": 2.1}
"""Volts across an ordinary LED of each colour. Blue, white and the brightest green ones need about 3 V: too much."""
LAMP_OHM = (330, 470, 560, 680)
"""Resistors for a lamp that are in any assortment."""
PIEZO_OHM = 220
BASE_OHM, BASE_V = 1000, 0.7
"""The resistor before the base of the transistor that switches an active buzzer, and the volts at that base."""
DATA_OHM = 1000
"""The resistor in the DIO line of a TM1637: both ends drive the line for a moment while the chip acknowledges."""


def lamp_ma(colour: str, ohm: int) -> float:
    """Return the milliamperes through a lamp of that colour behind a resistor."""
    return (SUPPLY_V - FORWARD_V[colour]) / ohm * 1000


def buzzer_ma(pins: PinMap) -> float:
    """Return the continuous current of the buzzer's pin in mA; a piezo disc takes almost none."""
    active = pins.buzzer_kind == "active" and bool(pins.lines_for(Duty.BUZZER))
    return (SUPPLY_V - BASE_V) / BASE_OHM * 1000 if active else 0.0


def total_ma(pins: PinMap, ohm: int) -> float:
    """Return the current in mA of all lamps behind such resistors and of the buzzer.

    They are all on at once only in a test.
    """
    return sum(lamp_ma(line.colour, ohm) for line in _lamps(pins)) + buzzer_ma(pins)


def lamp_ohm(pins: PinMap) -> int:
    """Return the smallest usual resistor with which each lamp, and all parts together, stay within their limits."""
    for ohm in LAMP_OHM:
        strongest = max((lamp_ma(line.colour, ohm) for line in _lamps(pins)), default=0.0)
        if strongest <= LAMP_MA[1] and total_ma(pins, ohm) <= PLANNED_MA:
            return ohm
    return LAMP_OHM[-1]


@dataclass(frozen=True, slots=True)
class Component:
    """What a line is connected to: a resistor in it, if any, and what follows on the way to ground."""

    ohm: int | None
    symbol: str
    text: str


def component_of(line: Line, pins: PinMap) -> Component:
    """Return the component at the end of a line."""
    match line.duty:
        case Duty.BUTTON:
            return Component(None, "button", "a push-button that closes when pressed, its other side to ground")
        case Duty.LAMP | Duty.BAR:
            article = "an" if line.colour in ("amber", "orange") else "a"
            return Component(
                lamp_ohm(pins), "lamp", f"the long leg of {article} {line.colour} LED, its short leg to ground"
            )
        case Duty.BUZZER if pins.buzzer_kind == "active":
            return Component(
                BASE_OHM, "transistor", "the base of an NPN transistor that switches the buzzer (see below)"
            )
        case Duty.BUZZER:
            return Component(PIEZO_OHM, "piezo", "a piezo disc without electronics, its other side to ground")
    ohm = DATA_OHM if line.name == "dio" else None
    return Component(ohm, "display", f"{line.name.upper()} of the display")


def _lamps(pins: PinMap) -> tuple[Line, ...]:
    return pins.lines_for(Duty.LAMP) + pins.lines_for(Duty.BAR)
