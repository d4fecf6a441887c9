"""The steps of a self-test, which finds out part by part whether the panel is wired as the pin map says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.devices.panel.lights import Glow, Lights, Tune
from referee.devices.wiring.pins import EVERYONE, Duty, Line, PinMap
from referee.game.notice import Notice

SCALE: Tune = ((261.6, 0.2), (523.3, 0.2), (1046.5, 0.2), (2093.0, 0.4))
"""Notes in hertz and seconds. They cover four octaves, so that one hears if a buzzer cannot play notes."""


DARK = Lights()


@dataclass(frozen=True, slots=True)
class SelfTestStep:
    """One step of the test: what the panel does meanwhile, what to ask, and what to check if the step fails.

    A step with a `contact` is passed by pressing that button. Any other step is passed by the answer yes.
    """

    name: str
    ask: Notice
    if_not: Notice
    contact: str | None = None
    lights: Lights = DARK
    tune: Tune = ()


def self_test_steps(pins: PinMap) -> tuple[SelfTestStep, ...]:
    """Return a step for each lamp, the bar, the display and the buzzer, then for each button with its lamp lit."""
    steps = [_lamp(line, len(pins.player_lamps)) for line in pins.lines_for(Duty.LAMP)]
    if bar := pins.lines_for(Duty.BAR):
        steps += [_bar(line, number, len(bar)) for number, line in enumerate(bar, 1)]
    if display := pins.lines_for(Duty.DISPLAY):
        wires = Notice("panel_test.look_at_display", pins=tuple(map(pin, display)))
        steps.append(SelfTestStep("display", Notice("panel_test.ask_display"), wires, lights=Lights(text="12:34")))
    for line in pins.lines_for(Duty.BUZZER):
        tonal = pins.buzzer_kind == "tonal"
        ask = Notice("panel_test.ask_four_notes" if tonal else "panel_test.ask_one_tone")
        steps.append(SelfTestStep(line.name, ask, Notice("panel_test.look_at_buzzer", pin=pin(line)), tune=SCALE))
    return (*steps, *(_button(line, pins) for line in pins.lines_for(Duty.BUTTON)))


def screen_test_steps(pins: PinMap, names: Sequence[str]) -> tuple[SelfTestStep, ...]:
    """Return the steps of `self_test_steps()` for a panel that is a page, worded for what the page shows.

    `names` are the names on the players' buttons; players without a name have no step. If one button serves everybody,
    the page does not show the players' lamps, so they have no steps either.
    """
    steps = []
    for step in self_test_steps(pins):
        lamp, seat = step.name.removeprefix("player-"), None if step.contact is None else pins.seat_of(step.contact)
        if step.name in _LAMPS:
            steps.append(replace(step, ask=Notice("panel_test.ask_sign", sign=Notice(f"buttons.lamp_{step.name}"))))
        elif step.name.startswith("player-"):
            if int(lamp) <= len(names) and EVERYONE not in pins.contacts:
                steps.append(replace(step, ask=Notice("panel_test.ask_edge", player=names[int(lamp) - 1])))
        elif seat is not None:
            if seat < len(names):
                steps.append(replace(step, ask=Notice("panel_test.ask_button_of", player=names[seat])))
        elif step.contact is not None or step.tune:
            steps.append(step)
    return tuple(steps)


def pin(line: Line) -> Notice:
    """Return the notice that says where a line is on the header."""
    return Notice("panel_test.pin", gpio=line.bcm, pin=line.pin)


def _lamp(line: Line, players: int) -> SelfTestStep:
    return SelfTestStep(
        line.name,
        _LAMPS.get(line.name) or Notice("panel_test.ask_lamp_player", player=int(line.name.removeprefix("player-"))),
        Notice("panel_test.look_at_lamp", pin=pin(line)),
        lights=_lights(line.name, players),
    )


_LAMPS = {
    "red": Notice("panel_test.ask_lamp_red"),
    "amber": Notice("panel_test.ask_lamp_amber"),
    "green": Notice("panel_test.ask_lamp_green"),
    "draw": Notice("panel_test.ask_lamp_draw"),
}


def _bar(line: Line, number: int, count: int) -> SelfTestStep:
    return SelfTestStep(
        line.name,
        Notice("panel_test.ask_bar", lamp=number, lamps=count),
        Notice("panel_test.look_at_bar", pin=pin(line)),
        lights=Lights(bar=number / count),
    )


def _button(line: Line, pins: PinMap) -> SelfTestStep:
    seat = pins.seat_of(line.name)
    lamp = "" if seat is None else f"player-{seat + 1}"
    if seat is not None:
        ask = Notice("panel_test.ask_button_player", player=seat + 1)
    else:
        ask = Notice("panel_test.ask_button_all" if line.name == EVERYONE else "panel_test.ask_button_pause")
    return SelfTestStep(
        line.name,
        ask,
        Notice("panel_test.look_at_button", pin=pin(line)),
        contact=line.name,
        lights=_lights(lamp, len(pins.player_lamps)),
    )


def _lights(name: str, players: int) -> Lights:
    def glow(other: str) -> Glow:
        return Glow.ON if name == other else Glow.OFF

    seats = tuple(glow(f"player-{seat}") for seat in range(1, players + 1))
    return Lights(seats, glow("red"), glow("amber"), glow("green"), glow("draw"))
