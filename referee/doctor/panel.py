"""The panel: whether its pins are free and, with somebody there to look and press, whether every part works."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from referee.devices.panel.panel import SILENCE, Panel
from referee.devices.panel.self_test import DARK, Step, self_test_steps
from referee.devices.wiring.pins import PinMap
from referee.doctor.finding import STOP_SERVICE, Finding, attention, ok, sentence, skipped, wrong
from referee.errors import BadInput
from referee.game.wording import joined

PATIENCE_S = 60.0
"""So long a step waits for somebody who may have to look for the right button."""
TOGETHER_S = 0.03
"""Contacts that close so close together were closed by one finger: their wires touch. Two fingers are slower."""

OpenPanel = Callable[[Callable[[str, bool, float], None]], Panel]
"""Opens the panel, given what is to be told of every edge."""


SWITCHED_ON = {"SPI": "sys/class/spi_master/*", "1-Wire": "sys/bus/w1/devices/*"}
"""What is there where an interface is switched on, below the root."""


def advice(pins: PinMap, root: Path = Path("/")) -> Finding:
    """What works but should be known about the pins, and whether the Pi itself uses one of them."""
    on = {name: lines for name, lines in pins.to_be_off().items() if any(root.glob(SWITCHED_ON[name]))}
    if on and pins.kind == "gpio":
        whose = joined([f"{name} has {joined([line.place for line in lines])}" for name, lines in on.items()])
        text = f"Switched on and on pins of the panel: {whose}."
        do = f"Switch {joined(list(on))} off: sudo raspi-config, Interface Options; or take other pins in [panel]."
        return attention("pins", text, do, interfaces=sorted(on))
    hints = pins.advice()
    if hints:
        return attention("pins", " ".join(hints), "Nothing, unless it disturbs; hardware/wiring.md shows other pins.")
    return ok("pins", f"The pin map is in order: {len(pins.lines)} lines, each on a pin of its own.")


def at_rest(pins: PinMap, open_panel: OpenPanel) -> Finding:
    """Open the panel for a moment: every pin must be free, and no button pressed."""
    if pins.kind != "gpio":
        return skipped("panel", f'There are no buttons and lamps by the settings: kind = "{pins.kind}" in [panel].')
    try:
        panel = open_panel(lambda _contact, _closed, _at: None)
    except BadInput as error:
        text, _, advice = str(error).removeprefix("panel: ").partition("; ")
        do = sentence(advice[:1].upper() + advice[1:]) or 'On a machine without pins: kind = "console" in [panel].'
        return wrong("panel", sentence(text), f"{do} {STOP_SERVICE}" if "another program" in advice else do)
    with closing(panel):
        pressed = panel.closed()
    if pressed:
        places = [f"{line.name} at {line.place}" for line in pins.lines if line.name in pressed]
        text = f"Pressed, though nobody should be pressing: {joined(places)}."
        do = "Let go of it and run the doctor again; else look for a wire that touches ground, or a stuck button."
        return attention("panel", text, do, pressed=sorted(pressed))
    return ok("panel", f"All {len(pins.lines)} pins of the panel are free, and no button is stuck.")


def display(pins: PinMap, told: Sequence[str]) -> Iterator[Finding]:
    """Whether the display answers; `told` is what the panel said while it was open. Four digits never answer."""
    if pins.kind != "gpio" or pins.display != "oled":
        return
    if told:
        text = sentence(told[0].removeprefix("panel: ").partition(": look at ")[0])
        do = (
            "Look at its four wires (hardware/wiring.md), then: sudo raspi-config, Interface Options, I2C on; "
            "sudo make install gives the service the rights."
        )
        yield wrong("display", text[:1].upper() + text[1:], do)
    else:
        yield ok("display", f"An OLED answers at I2C address {pins.display_address:#x}.")


@dataclass(frozen=True, slots=True)
class Said:
    """A line that somebody typed: yes, no, skip, or anything."""

    word: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """A contact that closed, and when."""

    contact: str
    t: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What a step came to: y, n, s, q, or nothing where nobody answered; `together`: contacts that closed as one."""

    letter: str = ""
    together: tuple[str, ...] = ()


Event = Said | Pressed
Wait = Callable[[float], Event | None]
"""The next event within so many seconds; None if there is none."""


class Interview:
    """Goes through the panel with a person: lamps and buzzer are confirmed by typing, buttons by pressing them."""

    def __init__(
        self, panel: Panel, wait: Wait, tell: Callable[[str], None], now: Callable[[], float],
        patience_s: float = PATIENCE_S,
    ) -> None:  # fmt: skip
        self._panel, self._wait, self._tell, self._now = panel, wait, tell, now
        self._patience_s = patience_s
        self._ahead: deque[Said] = deque()

    def run(self, pins: PinMap) -> Iterator[Finding]:
        """One finding for each part of the panel."""
        steps = self_test_steps(pins)
        self._tell("Answer y (yes), n (no) or s (skip), each with Enter; q leaves out all the rest.")
        left = False
        for number, step in enumerate(steps, 1):
            if left:
                yield skipped(f"panel {step.name}", "Not tried.")
                continue
            self._tell(f"{number} of {len(steps)}  {step.ask}")
            self._panel.show(step.lights)
            self._panel.play(step.tune)
            answer = self._answer(step)
            left = answer.letter == "q"
            yield _judged(step, answer, self._patience_s, pins)
        self._panel.play(SILENCE)
        self._panel.show(DARK)

    def _answer(self, step: Step) -> Answer:
        """What somebody typed, or y for the right button; presses from before the step do not count."""
        began = self._now()
        until = began + self._patience_s
        closed: dict[str, float] = {}  # a contact bounces: the first time counts
        while (left := until - self._now()) > 0:
            match self._ahead.popleft() if self._ahead else self._event(left):
                case Pressed(contact, t) if step.contact is not None and t >= began:
                    news = contact not in closed
                    closed.setdefault(contact, t)
                    if contact == step.contact:
                        return self._alone(contact, t, closed)
                    if news:
                        self._tell(f"That was {contact}; {step.contact} is wanted.")
                case Said(word):
                    letter = word.strip()[:1].lower()
                    if letter in ("n", "s", "q") or (letter == "y" and step.contact is None):
                        return Answer(letter)
                    self._explain(step, letter)
        return Answer()

    def _alone(self, contact: str, t: float, closed: dict[str, float]) -> Answer:
        """Passed, unless another contact closes at the same moment, just before or just after."""
        while (left := t + TOGETHER_S - self._now()) > 0:
            match self._event(left):
                case Pressed(other, at):
                    closed.setdefault(other, at)
                case Said() as said:
                    self._ahead.append(said)  # it is for the next step
        others = [other for other, at in closed.items() if other != contact and abs(at - t) <= TOGETHER_S]
        return Answer("n", (contact, *sorted(others))) if others else Answer("y")

    def _event(self, left: float) -> Event | None:
        """The next event, if there is one within so many seconds; lamps and tune go on meanwhile."""
        due = self._panel.due()
        event = self._wait(left if due is None else min(left, max(0.0, due - self._now())))
        self._panel.tick()
        return event

    def _explain(self, step: Step, letter: str) -> None:
        """Say what may be answered; a bare Enter plays the tune again."""
        if step.contact is not None:
            self._tell("Press the button itself; or n if nothing happens, s to skip.")
        elif step.tune and not letter:
            self._panel.play(step.tune)
        else:
            self._tell("y, n, s or q?" + (" Enter alone plays it again." if step.tune else ""))


def _judged(step: Step, answer: Answer, patience_s: float, pins: PinMap) -> Finding:
    check = f"panel {step.name}"
    if answer.together:
        places = joined([line.place for line in pins.lines if line.name in answer.together])
        text = f"{joined(list(answer.together))} closed at the same moment, though one button was pressed."
        return wrong(check, text, f"Their wires touch: look at {places}.", together=list(answer.together))
    match answer.letter:
        case "y":
            return ok(check, "It works.")
        case "n":
            return wrong(check, f'To "{step.ask}" the answer was no.', step.if_not)
        case "":
            said = "was not pressed" if step.contact else "was not answered"
            return attention(check, f'"{step.ask}" {said} within {patience_s:.0f} s.', step.if_not)
    return skipped(check, "Skipped.")
