"""The real gpiozero on its mock pins: edges in, lamps and tones out, over a time that is passed in."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Button
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from referee.devices.panel.debounce import Ailment, Broken, Debouncer, Down, Press, Told
from referee.devices.panel.gpio import GpioPanel, open_panel, pi_factory
from referee.devices.panel.lights import Glow, Lights
from referee.devices.panel.panel import HISTORY, SILENCE, Moment, RecordingPanel
from referee.devices.panel.self_test import screen_test_steps, self_test_steps
from referee.devices.wiring.pins import PAUSE, Duty, PinMap
from referee.errors import BadInput
from referee.i18n import ENGLISH, error_text

PINS = PinMap()
BCM = {line.name: line.bcm for line in PINS.lines}


class Bench:
    """A panel on mock pins, its debouncer, and a clock that is turned by hand."""

    def __init__(self, pins: PinMap = PINS, factory: MockFactory | None = None) -> None:
        self.t = 100.0
        self.pins = pins
        self.factory = factory or MockFactory(pin_class=MockPWMPin)
        self.edges: list[tuple[str, bool, float]] = []
        self.panel = GpioPanel(pins, self.factory, lambda: self.t, lambda *edge: self.edges.append(edge))
        self.debouncer = Debouncer(pins.contacts, self.panel.closed_contacts(), self.t)

    def pin(self, name: str) -> Any:
        return self.factory.pin(next(line.bcm for line in self.pins.lines if line.name == name))

    def lit(self) -> set[str]:
        return {
            line.name for line in self.pins.lines if line.duty in (Duty.LAMP, Duty.BAR) and self.pin(line.name).state
        }

    def wait_until(self, t: float) -> list[Told]:
        """Let timers fire until `t`, as the loop would."""
        told: list[Told] = []
        while True:
            dues = [due for due in (self.panel.next_due(), self.debouncer.next_due()) if due is not None and due <= t]
            if not dues:
                break
            self.t = max(self.t, min(dues))
            told += self.debouncer.poll(self.t)
            self.panel.tick()
        self.t = t
        return told

    def finger(self, *changes: tuple[str, float]) -> list[Told]:
        """Each change toggles a button's contact, so many milliseconds after now."""
        told: list[Told] = []
        start = self.t
        for name, ms in sorted(changes, key=lambda change: change[1]):
            told += self.wait_until(start + ms / 1000)
            pin = self.pin(name)
            (pin.drive_low if pin.state else pin.drive_high)()
            for edge in self.edges:
                told += self.debouncer.edge(*edge)
            self.edges.clear()
        return told


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.panel.close()


def test_every_edge_is_reported_with_its_contact_and_the_clocks_time(bench: Bench) -> None:
    bench.pin("button-2").drive_low()
    bench.t = 101.5
    bench.pin("button-2").drive_high()
    assert bench.edges == [("button-2", True, 100.0), ("button-2", False, 101.5)]


def test_a_panel_starts_dark_and_silent_with_no_thread_of_its_own() -> None:
    threads = threading.active_count()
    bench = Bench()
    bench.panel.show(Lights((Glow.BLINK,), red=Glow.SLOW))
    bench.panel.play(((440.0, 1.0),))
    assert threading.active_count() == threads
    bench.panel.close()


def test_a_bouncing_contact_makes_one_press(bench: Bench) -> None:
    name = "button-1"
    told = bench.finger(*((name, ms) for ms in (0, 1, 2.5, 4, 7, 8, 15, 120, 121, 123, 130, 131)))
    told += bench.wait_until(101)
    assert told == [Down(name, 100.0), Press(name, 100.0)]


def test_two_players_at_once_are_both_heard_in_the_order_of_the_seats(bench: Bench) -> None:
    told = bench.finger(("button-3", 0), ("button-1", 0), ("button-3", 90), ("button-1", 90))
    told += bench.wait_until(101)
    assert [one for one in told if isinstance(one, Press)] == [Press("button-1", 100.0), Press("button-3", 100.0)]


def test_the_pause_button_held_is_one_long_press(bench: Bench) -> None:
    told = [*bench.finger((PAUSE, 0), (PAUSE, 1500)), *bench.wait_until(103)]
    assert told == [Down(PAUSE, 100.0), Press(PAUSE, 100.0, long=True)]


def test_a_button_that_is_down_when_the_referee_starts_is_no_press() -> None:
    factory = MockFactory(pin_class=MockPWMPin)

    class Pressed(MockPWMPin):  # type: ignore[misc, unused-ignore]
        """A pin whose button is down already when its pull-up is switched on."""

        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            self._change_state(False)

    factory.pin(BCM["button-4"], pin_class=Pressed)
    bench = Bench(factory=factory)
    assert bench.panel.closed_contacts() == {"button-4"}
    assert bench.wait_until(130) == [Broken("button-4", 110.0, Ailment.STUCK)]
    bench.panel.close()


def test_lamps_are_as_shown_and_nothing_else(bench: Bench) -> None:
    bench.panel.show(Lights((Glow.OFF, Glow.ON), amber=Glow.ON, bar=0.6))
    assert bench.lit() == {"player-2", "amber", "bar-1", "bar-2", "bar-3"}
    assert bench.panel.next_due() is None
    bench.panel.show(Lights(green=Glow.ON, draw=Glow.ON))
    assert bench.lit() == {"green", "draw"}


def test_lamps_blink_in_step_and_only_when_due(bench: Bench) -> None:
    bench.panel.show(Lights((Glow.BLINK, Glow.SLOW), red=Glow.OPPOSITE))
    seen = []
    for quarter in range(1, 9):
        seen.append(bench.lit())
        assert bench.panel.next_due() == 100 + quarter / 4
        bench.wait_until(100 + quarter / 4)
    slow = {"player-2"}
    assert seen == [{"player-1"} | slow, {"red"} | slow] * 2 + [{"player-1"}, {"red"}] * 2


def test_a_tune_is_heard_note_by_note_and_ends_by_itself(bench: Bench) -> None:
    bench.panel.play(((440.0, 0.25), (None, 0.25), (880.0, 0.5)))
    heard = []
    for t in (100.0, 100.25, 100.5, 101.0):
        bench.wait_until(t)
        heard.append(bench.pin("buzzer").frequency)
    assert heard == [440.0, None, 880.0, None]
    assert bench.panel.next_due() is None


def test_a_new_tune_replaces_the_old_one_and_silence_ends_it(bench: Bench) -> None:
    bench.panel.play(((440.0, 5.0),))
    bench.panel.play(((880.0, 5.0),))
    assert bench.pin("buzzer").frequency == 880.0
    bench.panel.play(SILENCE)
    assert bench.pin("buzzer").frequency is None


def test_a_note_out_of_range_is_played_as_near_as_the_buzzer_can(bench: Bench) -> None:
    bench.panel.play(((50.0, 1.0), (9000.0, 1.0)))
    assert bench.pin("buzzer").frequency == pytest.approx(220)
    bench.wait_until(101)
    assert bench.pin("buzzer").frequency == pytest.approx(3520)


def test_an_active_buzzer_is_switched_on_and_off() -> None:
    bench = Bench(PinMap(buzzer_kind="active"), MockFactory(pin_class=MockPin))
    bench.panel.play(((440.0, 0.25), (None, 0.25), (880.0, 0.25)))
    heard = []
    for t in (100.0, 100.25, 100.5, 100.75):
        bench.wait_until(t)
        heard.append(bool(bench.pin("buzzer").state))
    assert heard == [True, False, True, False]
    bench.panel.close()


def test_parts_that_are_not_there_are_done_without() -> None:
    pins = PinMap.from_table({"turn_buttons": 5, "pause_button": False, "player_lamps": [], "bar": [], "buzzer": False,
                              "draw_lamp": False})  # fmt: skip
    bench = Bench(pins)
    bench.panel.show(Lights((Glow.ON,), draw=Glow.ON, red=Glow.ON, bar=1.0, text="1:00"))
    bench.panel.play(((440.0, 1.0),))
    assert bench.lit() == {"red"}
    bench.panel.close()


def test_closing_leaves_everything_dark_silent_and_free(bench: Bench) -> None:
    bench.panel.show(Lights((Glow.ON,) * 4, red=Glow.ON, bar=1.0))
    bench.panel.play(((440.0, 5.0),))
    bench.panel.close()
    assert bench.lit() == set()
    assert {pin.function for pin in bench.factory.pins.values()} == {"input"}
    bench.pin("button-1").drive_low()
    assert bench.edges == []
    bench.panel.close()
    Bench(factory=bench.factory).panel.close()


def test_a_pin_that_is_taken_is_told_in_one_line_and_nothing_stays_open() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    with Button(BCM["button-3"], pin_factory=factory), pytest.raises(BadInput) as refused:
        Bench(factory=factory)
    text = str(refused.value)
    assert text.startswith("panel: expected a free pin for button-3, found GPIO13 (pin 33): ")
    assert text.endswith("another program, or another referee, has it: end that one")
    assert "\n" not in text
    Bench(factory=factory).panel.close()


def test_a_busy_pin_of_the_system_is_told_too() -> None:
    class Busy(MockFactory):  # type: ignore[misc, unused-ignore]
        """Pins that another process has."""

        def pin(self, name: Any, *more: Any, **named: Any) -> Any:
            if name == 23:
                raise RuntimeError("'GPIO busy'")
            return super().pin(name, *more, **named)

    with pytest.raises(BadInput, match=r"for red, found GPIO23 \(pin 16\): GPIO busy; another program"):
        Bench(factory=Busy(pin_class=MockPWMPin))


def test_a_busy_pin_that_an_interface_of_the_pi_may_have_is_told_so() -> None:
    class Busy(MockFactory):  # type: ignore[misc, unused-ignore]
        """SPI is switched on, and the kernel has its pins."""

        def pin(self, name: Any, *more: Any, **named: Any) -> Any:
            if name == 9:
                raise RuntimeError("'GPIO busy'")
            return super().pin(name, *more, **named)

    with pytest.raises(
        BadInput, match=r"for draw, found GPIO9 .* end that one, or switch SPI off \(sudo raspi-config"
    ):
        Bench(factory=Busy(pin_class=MockPWMPin))


@pytest.mark.parametrize(
    ("board", "revision", "message"),
    [
        pytest.param("5b", "c03111", 'expected the board 5b, found 4b; set board = "4b" in', id="another board"),
        pytest.param("5b", "d04190", 'found 500; set board = "500" in', id="another board that may be named"),
        pytest.param("4b", "c041f0", 'one that gpiozero does not know yet; set board = "auto" in', id="a newer board"),
        pytest.param("auto", "a020a0", "40-pin header, found: cm3, which has none", id="a module without a header"),
        pytest.param("auto", "0002", "expected a board with the 40-pin header, found", id="the old header"),
        pytest.param("auto", "0099", "expected a board with the 40-pin header, found", id="unknown board"),
    ],
)
def test_a_wrong_board_is_refused(board: str, revision: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Bench(PinMap(board=board), MockFactory(revision=revision, pin_class=MockPWMPin))


@pytest.mark.parametrize("revision", ["a02082", "c03111", "c04170", "902120", "d04190", "c04180", "c041f0"])
def test_every_board_with_the_header_will_do(revision: str) -> None:
    Bench(factory=MockFactory(revision=revision, pin_class=MockPWMPin)).panel.close()


@pytest.mark.skipif(Path("/dev/gpiochip0").exists(), reason="this machine has pins")
def test_no_pins_on_this_machine_is_told_in_one_line() -> None:
    """Off a Raspberry Pi: without lgpio, or with it but without a GPIO chip."""
    with pytest.raises(BadInput) as refused:
        pi_factory()
    text = error_text(refused.value)
    assert "pins of a Raspberry Pi" in text
    assert 'kind = "console"' in text
    assert "\n" not in text


@pytest.mark.parametrize("kind", ["gpio", "console", "none"])
def test_the_panel_is_of_the_kind_that_the_settings_name(kind: str) -> None:
    lines: list[str] = []
    factory = MockFactory(pin_class=MockPWMPin)
    panel = open_panel(PinMap(kind=kind), lambda: 0.0, lambda *_: None, [].append, lines.append, lambda: factory)
    panel.show(Lights(red=Glow.ON))
    assert isinstance(panel, GpioPanel if kind == "gpio" else RecordingPanel)
    assert lines == (["[red]"] if kind == "console" else [])
    panel.close()
    assert factory.pins == {}


class TestRecordingPanel:
    """The panel without hardware."""

    @staticmethod
    def build(write: Callable[[str], None] | None = None) -> tuple[RecordingPanel, list[float], list[Any]]:
        t, edges = [0.0], []
        panel = RecordingPanel(PINS, lambda: t[0], lambda *edge: edges.append(edge), write)
        return panel, t, edges

    def test_it_keeps_what_was_shown_and_when(self) -> None:
        panel, t, _ = self.build()
        panel.show(Lights(red=Glow.BLINK))
        panel.play(((440.0, 0.5),))
        while (due := panel.next_due()) is not None and due < 0.8:
            t[0] = due
            panel.tick()
        panel.close()
        red = frozenset({"red"})
        assert list(panel.history) == [
            (0.0, Moment()),
            (0.0, Moment(red)),
            (0.0, Moment(red, hertz=440.0)),
            (0.25, Moment(hertz=440.0)),
            (0.5, Moment(red)),
            (0.75, Moment()),
        ]

    def test_its_buttons_can_be_pressed(self) -> None:
        panel, _, edges = self.build()
        panel.edge("button-1", True)
        assert panel.closed_contacts() == {"button-1"}
        panel.edge("button-1", False)
        assert edges == [("button-1", True, 0.0), ("button-1", False, 0.0)]
        with pytest.raises(KeyError):
            panel.edge("button-9", True)

    def test_the_console_gets_a_line_for_each_change_but_not_for_the_clock(self) -> None:
        lines: list[str] = []
        panel, _, _ = self.build(lines.append)
        panel.show(Lights((Glow.ON,), bar=0.5, text="0:30"))
        panel.show(Lights((Glow.ON,), bar=0.4, text="0:29"))
        panel.play(((440.0, 1.0),))
        panel.close()
        assert lines == ["[player-1]", "[player-1] 440 Hz", "[player-1]", "[dark]"]

    def test_it_forgets_what_is_long_ago(self) -> None:
        panel, _, _ = self.build()
        for number in range(HISTORY):
            panel.show(Lights(bar=number % 2))
        assert len(panel.history) <= HISTORY


class TestSelfTest:
    """Every part is tried by itself."""

    def test_every_line_of_the_panel_has_its_step(self) -> None:
        pins = PinMap(display="tm1637")
        names = [step.name for step in self_test_steps(pins)]
        assert sorted([*names, "clk", "dio"]) == sorted([*(line.name for line in pins.lines), "display"])

    def test_each_lamp_is_lit_alone(self) -> None:
        for step in self_test_steps(PINS):
            if step.name in {line.name for line in PINS.lines_for(Duty.LAMP)}:
                assert step.lights.lit_lamps(0) == {step.name}

    def test_a_button_step_is_passed_by_that_button_and_lights_its_players_lamp(self) -> None:
        steps = {step.contact: step for step in self_test_steps(PINS) if step.contact}
        assert tuple(steps) == PINS.contacts
        assert steps["button-2"].lights.lit_lamps(0) == {"player-2"}
        assert steps[PAUSE].lights.lit_lamps(0) == set()
        assert "GPIO6 (pin 31)" in ENGLISH(steps["button-2"].if_not)

    def test_a_panel_on_a_screen_asks_for_what_that_screen_shows(self) -> None:
        steps = screen_test_steps(PinMap(kind="page"), ("Ann", "Ben"))
        assert {step.name: ENGLISH(step.ask) for step in steps} == {
            "player-1": "Does only Ann's button have a green edge?",
            "player-2": "Does only Ben's button have a green edge?",
            "red": "Do you see the sign “Not yet”, and no other?",
            "amber": "Do you see the sign “Looking”, and no other?",
            "green": "Do you see the sign “Fine”, and no other?",
            "draw": "Do you see the sign “Draw a tile”, and no other?",
            "buzzer": "Do you hear four rising notes?",
            "button-1": "Press Ann's button.",
            "button-2": "Press Ben's button.",
            PAUSE: "Press the start and pause button.",
        }

    def test_one_button_for_all_on_a_screen_has_no_players_lamps(self) -> None:
        steps = screen_test_steps(PinMap(kind="page", turn_buttons=(5,)), ("Ann", "Ben"))
        assert [step.name for step in steps] == ["red", "amber", "green", "draw", "buzzer", "button-all", PAUSE]

    def test_a_small_panel_has_few_steps(self) -> None:
        pins = PinMap.from_table({"turn_buttons": 5, "player_lamps": [], "bar": [], "buzzer": False})
        assert [step.name for step in self_test_steps(pins)] == ["red", "amber", "green", "draw", "button-all", PAUSE]
