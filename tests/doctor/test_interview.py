"""The panel with a person at it: the real gpiozero on its mock pins, in a time that is turned by hand."""

from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from referee.devices.panel.gpio import GpioPanel
from referee.devices.panel.panel import RecordingPanel
from referee.devices.panel.self_test import self_test_steps
from referee.devices.wiring.pins import Duty, PinMap
from referee.doctor.finding import Finding, Result
from referee.doctor.panel import ContactClosed, Interview, PanelEvent, TypedLine, advice, at_rest, display
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.i18n import ENGLISH

PINS = PinMap()
STEPS = self_test_steps(PINS)
Act = Callable[["Table"], PanelEvent | None]
QUICK_S = 0.1
"""Nobody acts as quickly as this: shorter waits pass unless something is on its way already."""


class Table:
    """A panel on mock pins, somebody who acts step by step, and a clock that jumps."""

    def __init__(self, acts: Iterable[Act], pins: PinMap = PINS) -> None:
        self.t, self.pins, self.acts = 100.0, pins, iter(acts)
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.edges: deque[PanelEvent] = deque()
        self.said: list[str] = []
        self.seen: list[set[str]] = []
        self.panel = GpioPanel(pins, self.factory, lambda: self.t, self._edge)

    def _edge(self, contact: str, closed: bool, at: float) -> None:
        if closed:
            self.edges.append(ContactClosed(contact, at))

    def pin(self, name: str) -> Any:
        return self.factory.pin(next(line.bcm for line in self.pins.lines if line.name == name))

    def tell(self, *told: Notice) -> None:
        self.said.append("  ".join(map(ENGLISH, told)))

    def lit(self) -> set[str]:
        return {one.name for one in self.pins.lines if one.duty in (Duty.LAMP, Duty.BAR) and self.pin(one.name).state}

    def press(self, *names: str) -> PanelEvent | None:
        """A finger on a real contact, which may reach others by touching wires; the first that the panel reports."""
        for name in names:
            self.pin(name).drive_low()
        for name in names:
            self.pin(name).drive_high()
        return self.edges.popleft() if self.edges else None

    def wait(self, seconds: float) -> PanelEvent | None:
        if self.edges:
            return self.edges.popleft()
        if seconds < QUICK_S:
            self.t += seconds + 0.001
            return None
        act = next(self.acts, None)
        if act is None:
            self.t += seconds + 0.001
            return None
        self.seen.append(self.lit())
        self.t += 0.5
        return act(self)

    def run(self) -> list[Finding]:
        findings = list(Interview(self.panel, self.wait, self.tell, lambda: self.t).run(self.pins))
        self.panel.close()
        self.factory.reset()
        return findings


def says(word: str) -> Act:
    return lambda _table: TypedLine(word)


def presses(*names: str) -> Act:
    return lambda table: table.press(*names)


def works(step: Any) -> Act:
    return says("y") if step.contact is None else presses(step.contact)


def test_every_lamp_is_shown_by_itself_and_every_button_is_asked_for() -> None:
    table = Table(map(works, STEPS))
    found = table.run()
    assert [one.check for one in found] == [f"panel {step.name}" for step in STEPS]
    assert {one.result for one in found} == {Result.OK}
    lamps = [step for step in STEPS if step.name in {line.name for line in PINS.lines_for(Duty.LAMP)}]
    assert [table.seen[STEPS.index(step)] for step in lamps] == [{step.name} for step in lamps]
    assert table.lit() == set()


def test_what_does_not_work_is_told_with_the_pin_to_look_at() -> None:
    found = Table(map(works, STEPS[:1])).run()[0]
    assert ENGLISH(found.found) == "It works."
    found = Table([says("no")]).run()[0]
    assert found.result is Result.WRONG
    assert "GPIO17 (pin 11)" in ENGLISH(found.do)


def test_the_wrong_button_is_named_once_however_it_bounces() -> None:
    buttons = [step for step in STEPS if step.contact]
    before = [says("s")] * (len(STEPS) - len(buttons))
    bouncing = [presses("button-2")] * 4
    table = Table([*before, *bouncing, presses("button-1")])
    found = table.run()[len(before)]
    assert (found.check, found.result) == ("panel button-1", Result.OK)
    assert table.said.count("That was button-2; it should have been button-1.") == 1


BEFORE_THE_BUTTONS = [says("s")] * (len(STEPS) - len(PINS.contacts))


@pytest.mark.parametrize(
    "wires",
    [pytest.param(("button-1", "button-2"), id="its own first"), pytest.param(("button-2", "button-1"), id="last")],
)
def test_touching_wires_are_told_and_pass_no_other_button(wires: tuple[str, str]) -> None:
    table = Table([*BEFORE_THE_BUTTONS, presses(*wires), says("s"), *(presses(name) for name in PINS.contacts[2:])])
    found = table.run()[len(BEFORE_THE_BUTTONS) :]
    assert [one.result for one in found[:3]] == [Result.WRONG, Result.SKIPPED, Result.OK]
    expected = "button-1 and button-2 closed at the same moment, though only one button was pressed."
    assert ENGLISH(found[0].found) == expected
    assert ENGLISH(found[0].do) == "Their wires touch: check GPIO5 (pin 29) and GPIO6 (pin 31)."


def test_a_press_from_before_its_step_does_not_count() -> None:
    def presses_too_early(table: Table) -> TypedLine:
        table.pin("button-1").drive_low()
        table.pin("button-1").drive_high()
        table.t += 0.5
        return TypedLine("s")

    table = Table([*BEFORE_THE_BUTTONS[1:], presses_too_early])
    assert table.run()[len(BEFORE_THE_BUTTONS)].result is Result.ATTENTION


def test_the_wrong_button_just_before_the_right_one_is_no_short() -> None:
    table = Table([*BEFORE_THE_BUTTONS, presses("button-2"), presses("button-1")])
    assert table.run()[len(BEFORE_THE_BUTTONS)].result is Result.OK


def test_what_is_typed_while_a_button_is_judged_is_for_the_next_step() -> None:
    def types_at_once(table: Table) -> PanelEvent | None:
        pressed = table.press("button-1")
        table.edges.append(TypedLine("n"))
        return pressed

    found = Table([*BEFORE_THE_BUTTONS, types_at_once]).run()[len(BEFORE_THE_BUTTONS) :]
    assert [one.result for one in found[:2]] == [Result.OK, Result.WRONG]


@pytest.mark.parametrize("word", ["y", "oui", "Ja"])
def test_yes_is_understood_as_it_is_asked_for_in_each_language(word: str) -> None:
    found = Table([says(word), says("q")]).run()
    assert found[0].result is Result.OK


def test_a_button_is_not_passed_by_saying_yes() -> None:
    before = [says("s")] * (len(STEPS) - len(PINS.contacts))
    table = Table([*before, says("y"), says("n")])
    assert table.run()[len(before)].result is Result.WRONG
    assert any("Press the button itself" in line for line in table.said)


def test_yes_may_be_said_in_german() -> None:
    lamp = next(number for number, step in enumerate(STEPS) if step.contact is None)
    found = Table([*[says("s")] * lamp, says("ja"), says("q")]).run()
    assert found[lamp].result is Result.OK


def test_nobody_there_is_no_fault_of_the_panel() -> None:
    found = Table([]).run()
    assert {one.result for one in found} == {Result.ATTENTION}
    assert "within 60 s" in ENGLISH(found[0].found)


def test_skipped_and_left_out_are_no_faults() -> None:
    found = Table([says("s"), says("q")]).run()
    assert {one.result for one in found} == {Result.SKIPPED}
    assert ENGLISH(found[-1].found) == "Not tested."


def test_the_buzzer_plays_and_plays_again_on_enter() -> None:
    index = next(number for number, step in enumerate(STEPS) if step.tune)
    heard: list[bool] = []

    def listens(table: Table) -> TypedLine:
        heard.append(table.pin("buzzer").frequency is not None)
        return TypedLine("" if len(heard) < 2 else "y")

    found = Table([*[says("s")] * index, listens, listens]).run()
    assert heard == [True, True]
    assert found[index].result is Result.OK


def test_at_rest_every_pin_is_free_and_no_button_pressed() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    found = at_rest(PINS, lambda on_edge: GpioPanel(PINS, factory, lambda: 0.0, on_edge))
    assert (found.result, ENGLISH(found.found)) == (
        Result.OK,
        "All 19 pins of the panel are free, and no button is stuck.",
    )
    factory.reset()


def test_a_stuck_button_is_named_with_its_pin() -> None:
    class Stuck(MockPWMPin):
        def _get_state(self) -> bool:
            return False

    factory = MockFactory(pin_class=MockPWMPin)
    factory.pin(13, pin_class=Stuck)
    found = at_rest(PINS, lambda on_edge: GpioPanel(PINS, factory, lambda: 0.0, on_edge))
    assert found.result is Result.ATTENTION
    assert "button-3 at GPIO13 (pin 33)" in ENGLISH(found.found)
    factory.reset()


def test_pins_that_somebody_else_holds() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    other = GpioPanel(PINS, factory, lambda: 0.0, lambda *_: None)
    found = at_rest(PINS, lambda on_edge: GpioPanel(PINS, factory, lambda: 0.0, on_edge))
    assert found.result is Result.WRONG
    assert "sudo systemctl stop referee" in ENGLISH(found.do)
    other.close()
    factory.reset()


def test_no_pins_at_all() -> None:
    def fails(_on_edge: object) -> RecordingPanel:
        raise BadInput(Notice("panel.no_pins", reason="none"))

    found = at_rest(PINS, fails)
    assert 'kind = "console"' in ENGLISH(found.do)
    assert found.found == Notice("panel.no_pins", reason="none")

    def advises(_on_edge: object) -> RecordingPanel:
        raise BadInput("panel: expected the board 5b, found 4b; set it right in [panel]")

    found = at_rest(PINS, advises)
    assert (ENGLISH(found.found), ENGLISH(found.do)) == (
        "Expected the board 5b, found 4b.",
        "Set it right in [panel].",
    )
    console = PinMap.from_table({"kind": "console"})
    assert at_rest(console, fails).result is Result.SKIPPED


def test_a_display_that_does_not_answer_is_wrong_and_one_without_an_answer_is_not_mentioned() -> None:
    oled = PinMap(display="oled")
    told = ENGLISH(Notice("panel.no_display", display=Notice("panel.oled", address="0x3c"), reason="gone"))
    found = list(display(oled, [told]))
    assert [(one.check, one.result) for one in found] == [("display", Result.WRONG)]
    assert ENGLISH(found[0].found) == "The OLED at I2C address 0x3c is not responding (gone)."
    assert [one.result for one in display(oled, [])] == [Result.OK]
    assert list(display(PinMap(display="tm1637"), [])) == list(display(PINS, [])) == []


@pytest.mark.parametrize(("table", "result"), [({}, Result.OK), ({"buzzer": 2}, Result.ATTENTION)])
def test_pins_with_a_second_duty_are_mentioned(tmp_path: Path, table: dict[str, Any], result: Result) -> None:
    assert advice(PinMap.from_table(table), tmp_path).result is result


@pytest.mark.parametrize(
    ("there", "name", "place"),
    [
        pytest.param("sys/class/spi_master/spi0", "SPI", "GPIO10 (pin 19) and GPIO9 (pin 21)", id="SPI"),
        pytest.param("sys/bus/w1/devices/w1_bus_master1", "1-Wire", "GPIO4 (pin 7)", id="1-Wire"),
    ],
)
def test_an_interface_of_the_pi_that_has_pins_of_the_panel_is_told(
    tmp_path: Path, there: str, name: str, place: str
) -> None:
    (tmp_path / there).mkdir(parents=True)
    found = advice(PINS, tmp_path)
    assert (found.result, ENGLISH(found.found)) == (
        Result.ATTENTION, f"Switched on, and using pins of the panel: {name} uses {place}."
    )  # fmt: skip
    assert f"Switch {name} off: sudo raspi-config" in ENGLISH(found.do)
    assert advice(PinMap(player_lamps=(), draw_lamp=None, pause_button=None), tmp_path).result is Result.OK
    assert advice(PinMap(kind="console"), tmp_path).result is Result.OK
