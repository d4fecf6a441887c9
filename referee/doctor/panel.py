"""Checks of the panel: whether its pins are free and, if somebody looks and presses, whether every part works."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from referee.devices.panel.panel import SILENCE, Panel
from referee.devices.panel.self_test import DARK, SelfTestStep, pin, self_test_steps
from referee.devices.wiring.pins import PinMap
from referee.doctor.finding import PART, STOP_SERVICE, Finding, attention, ok, sentence, skip_check, together, wrong
from referee.errors import BadInput
from referee.game.notice import Notice, as_notice, notice_of

YES = ("y", "o", "j")
"""What somebody types for yes, oui and ja. Italian keeps y, as s skips a step."""
PATIENCE_S = 60.0
"""Seconds that a step waits for somebody who may have to look for the right button."""
TOGETHER_S = 0.03
"""If contacts close within this many seconds, one finger closed them, so their wires touch. Two fingers are slower."""

OpenPanel = Callable[[Callable[[str, bool, float], None]], Panel]
"""Opens the panel; the argument is called with every edge."""


SWITCHED_ON = {"SPI": "sys/class/spi_master/*", "1-Wire": "sys/bus/w1/devices/*"}
"""Files below the root that exist if an interface is switched on."""


def advice(pins: PinMap, root: Path = Path("/")) -> Finding:
    """Return a finding about pins that the Pi itself uses, or about what works but should be known."""
    on = {name: lines for name, lines in pins.to_be_off().items() if any(root.glob(SWITCHED_ON[name]))}
    if on and pins.kind == "gpio":
        whose = [
            Notice("panel_test.has_pins", interface=name, pins=tuple(map(pin, lines))) for name, lines in on.items()
        ]
        text = Notice("panel_test.interfaces_on", interfaces=tuple(whose))
        do = Notice("panel_test.switch_off", interfaces=tuple(on))
        return attention("pins", text, do, interfaces=sorted(on))
    hints = pins.advice()
    if hints:
        return attention("pins", together(*map(as_notice, hints)), Notice("panel_test.other_pins"))
    return ok("pins", Notice("panel_test.pins_in_order", lines=len(pins.lines)))


def at_rest(pins: PinMap, open_panel: OpenPanel) -> Finding:
    """Open the panel for a moment, and check that every pin is free and no button pressed."""
    if pins.kind != "gpio":
        return skip_check("panel", Notice("panel_test.no_panel", kind=pins.kind))
    try:
        panel = open_panel(lambda _contact, _closed, _at: None)
    except BadInput as error:
        if (told := notice_of(error)) is not None:
            return wrong("panel", told, Notice("panel_test.console_panel"))
        what, _, advice = str(error).removeprefix("panel: ").partition("; ")
        advised = sentence(advice[:1].upper() + advice[1:])
        do = as_notice(advised) if advised else Notice("panel_test.console_panel")
        do = together(do, STOP_SERVICE) if "another program" in advice else do
        return wrong("panel", as_notice(sentence(what)), do)
    with closing(panel):
        pressed = panel.closed_contacts()
    if pressed:
        closed = [line for line in pins.lines if line.name in pressed]
        places = tuple(Notice("panel_test.button_at", button=line.name, pin=pin(line)) for line in closed)
        text = Notice("panel_test.pressed_at_rest", buttons=places)
        return attention("panel", text, Notice("panel_test.let_go"), pressed=sorted(pressed))
    return ok("panel", Notice("panel_test.pins_free", pins=len(pins.lines)))


def display(pins: PinMap, told: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding about whether the display answers. Four digits never answer, so nothing is said about them.

    `told` is what the panel reported while it was open.
    """
    if pins.kind != "gpio" or pins.display != "oled":
        return
    if told:
        text = sentence(told[0].removeprefix("panel: ").partition(": check its wires")[0])
        yield wrong("display", as_notice(text[:1].upper() + text[1:]), Notice("panel_test.display_wires"))
    else:
        yield ok("display", Notice("panel_test.display_answers", address=pins.display_address))


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line that somebody typed: yes, no, skip, or anything."""

    word: str


@dataclass(frozen=True, slots=True)
class ContactClosed:
    """A contact that closed, and when."""

    contact: str
    t: float


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """The answer to a step: y, n, s, q, or empty if nobody answered.

    `together` are contacts that closed at the same moment.
    """

    letter: str = ""
    together: tuple[str, ...] = ()


PanelEvent = TypedLine | ContactClosed
Wait = Callable[[float], PanelEvent | None]
"""Returns the next event within this many seconds; None if there is none."""
Tell = Callable[..., None]
"""Shows a person one notice or several, separated on one line."""


class Interview:
    """Goes through the panel with a person: lamps and buzzer are confirmed by typing, buttons by pressing them."""

    def __init__(
        self, panel: Panel, wait: Wait, tell: Tell, now: Callable[[], float],
        patience_s: float = PATIENCE_S,
    ) -> None:  # fmt: skip
        self._panel, self._wait, self._tell, self._now = panel, wait, tell, now
        self._patience_s = patience_s
        self._ahead: deque[TypedLine] = deque()

    def run(self, pins: PinMap) -> Iterator[Finding]:
        """Yield one finding for each part of the panel."""
        steps = self_test_steps(pins)
        self._tell(Notice("panel_test.how_to_answer"))
        left = False
        for number, step in enumerate(steps, 1):
            if left:
                yield skip_check(PART + step.name, Notice("panel_test.not_tried"))
                continue
            self._tell(Notice("panel_test.step", step=number, steps=len(steps)), step.ask)
            self._panel.show(step.lights)
            self._panel.play(step.tune)
            answer = self._answer(step)
            left = answer.letter == "q"
            yield _judge_step(step, answer, self._patience_s, pins)
        self._panel.play(SILENCE)
        self._panel.show(DARK)

    def _answer(self, step: SelfTestStep) -> StepAnswer:
        """Return what somebody typed, or y for the right button; presses from before the step do not count."""
        began = self._now()
        until = began + self._patience_s
        closed: dict[str, float] = {}  # a contact bounces: the first time counts
        while (left := until - self._now()) > 0:
            match self._ahead.popleft() if self._ahead else self._event(left):
                case ContactClosed(contact, t) if step.contact is not None and t >= began:
                    news = contact not in closed
                    closed.setdefault(contact, t)
                    if contact == step.contact:
                        return self._alone(contact, t, closed)
                    if news:
                        self._tell(Notice("panel_test.other_button", pressed=contact, wanted=step.contact))
                case TypedLine(word):
                    typed = word.strip()[:1].lower()
                    letter = "y" if typed in YES else typed
                    if letter in ("n", "s", "q") or (letter == "y" and step.contact is None):
                        return StepAnswer(letter)
                    self._explain(step, letter)
        return StepAnswer()

    def _alone(self, contact: str, t: float, closed: dict[str, float]) -> StepAnswer:
        """Pass the step, unless another contact closes at the same moment, just before or just after."""
        while (left := t + TOGETHER_S - self._now()) > 0:
            match self._event(left):
                case ContactClosed(other, at):
                    closed.setdefault(other, at)
                case TypedLine() as said:
                    self._ahead.append(said)  # it is for the next step
        others = [other for other, at in closed.items() if other != contact and abs(at - t) <= TOGETHER_S]
        return StepAnswer("n", (contact, *sorted(others))) if others else StepAnswer("y")

    def _event(self, left: float) -> PanelEvent | None:
        """Return the next event within this many seconds, if any; lamps and tune go on meanwhile."""
        due = self._panel.next_due()
        event = self._wait(left if due is None else min(left, max(0.0, due - self._now())))
        self._panel.tick()
        return event

    def _explain(self, step: SelfTestStep, letter: str) -> None:
        """Say what may be answered; a bare Enter plays the tune again."""
        if step.contact is not None:
            self._tell(Notice("panel_test.press_it"))
        elif step.tune and not letter:
            self._panel.play(step.tune)
        else:
            self._tell(Notice("panel_test.which_letter_or_again" if step.tune else "panel_test.which_letter"))


def _judge_step(step: SelfTestStep, answer: StepAnswer, patience_s: float, pins: PinMap) -> Finding:
    check = PART + step.name
    if answer.together:
        text = Notice("panel_test.closed_together", buttons=answer.together)
        wires = tuple(pin(line) for line in pins.lines if line.name in answer.together)
        do = Notice("panel_test.wires_touch", pins=wires)
        return wrong(check, text, do, together=list(answer.together))
    match answer.letter:
        case "y":
            return ok(check, Notice("panel_test.works"))
        case "n":
            return wrong(check, Notice("panel_test.answered_no", ask=step.ask), step.if_not)
        case "":
            key = "panel_test.not_pressed" if step.contact else "panel_test.not_answered"
            return attention(check, Notice(key, ask=step.ask, seconds=patience_s), step.if_not)
    return skip_check(check, Notice("panel_test.skipped"))
