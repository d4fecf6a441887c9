"""What to try, one part after the other, to know that the panel is wired as the pin map says."""

from __future__ import annotations

from dataclasses import dataclass

from referee.devices.panel.lights import Glow, Lights, Tune
from referee.devices.wiring.pins import Duty, Line, PinMap

SCALE: Tune = ((261.6, 0.2), (523.3, 0.2), (1046.5, 0.2), (2093.0, 0.4))
"""Hertz and seconds: four octaves, so that a buzzer that plays no notes is heard."""


DARK = Lights()


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to try: what the panel does meanwhile, what to ask the person, and what to look at if it fails.

    A step with a `contact` is passed by pressing that very button; any other one by the answer yes.
    """

    name: str
    ask: str
    if_not: str
    contact: str | None = None
    lights: Lights = DARK
    tune: Tune = ()


def self_test_steps(pins: PinMap) -> tuple[Step, ...]:
    """Every lamp by itself, the bar, the display, the buzzer, then every button, shown by its player's lamp."""
    steps = [_lamp(line, len(pins.player_lamps)) for line in pins.of(Duty.LAMP)]
    if bar := pins.of(Duty.BAR):
        steps += [_bar(line, number, len(bar)) for number, line in enumerate(bar, 1)]
    if display := pins.of(Duty.DISPLAY):
        places = " and ".join(line.place for line in display)
        steps.append(
            Step("display", "Does the display show 12:34?", f"Look at {places}.", lights=Lights(text="12:34"))
        )
    for line in pins.of(Duty.BUZZER):
        heard = "four rising notes" if pins.buzzer_kind == "tonal" else "one long tone"
        steps.append(Step(line.name, f"Do you hear {heard}?", f"Look at {line.place}, and which way round it is.",
                          tune=SCALE))  # fmt: skip
    return (*steps, *(_button(line, pins) for line in pins.of(Duty.BUTTON)))


def _lamp(line: Line, players: int) -> Step:
    return Step(
        line.name,
        f"Is the {line.colour} lamp lit, and no other: {line.text.lower()}?",
        f"Look at {line.place}: the long leg of the lamp leads to the pin.",
        lights=_lights(line.name, players),
    )


def _bar(line: Line, number: int, count: int) -> Step:
    return Step(
        line.name,
        f"How far does the clock's bar reach: lamp {number} of {count}?",
        f"Look at {line.place}, and at the order of the bar's pins in the settings.",
        lights=Lights(bar=number / count),
    )


def _button(line: Line, pins: PinMap) -> Step:
    seat = pins.seat_of(line.name)
    lamp = "" if seat is None else f"player-{seat + 1}"
    return Step(
        line.name,
        f"Press the button: {line.text.lower()}.",
        f"Look at {line.place} and its wire to ground; the button must close when it is pressed.",
        contact=line.name,
        lights=_lights(lamp, len(pins.player_lamps)),
    )


def _lights(name: str, players: int) -> Lights:
    def glow(other: str) -> Glow:
        return Glow.ON if name == other else Glow.OFF

    seats = tuple(glow(f"player-{seat}") for seat in range(1, players + 1))
    return Lights(seats, glow("red"), glow("amber"), glow("green"), glow("draw"))
