"""The panel on gpiozero's real back end for lgpio, over a strict double of lgpio itself."""

import gc
import sys
import time

import lgpio_double
import pytest
from gpiozero.pins.local import LocalPiFactory

from referee.devices.panel.gpio import darken, open_panel, pi_factory, wake
from referee.devices.panel.lights import Glow, Lights
from referee.devices.panel.panel import SILENCE
from referee.devices.wiring.pins import Duty, PinMap
from referee.errors import BadInput
from referee.i18n import error_text
from tests.support.errors import telling

PINS = PinMap()
BCM = {line.name: line.bcm for line in PINS.lines}
BUZZER = BCM["buzzer"]


@pytest.fixture
def lgpio(monkeypatch):
    yield lgpio_double.install(monkeypatch)
    LocalPiFactory.pins.clear()
    LocalPiFactory._reservations.clear()


class Opened:
    """A panel as `referee play` and the doctor open it, what it told, and a clock that is turned by hand."""

    def __init__(self):
        self.t, self.edges = 100.0, []
        self.panel = open_panel(
            PINS, lambda: self.t, lambda *edge: self.edges.append(edge), print, factory=self._make_factory
        )

    def _make_factory(self):
        self.factory = pi_factory()
        return self.factory

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.panel.close()


def press(lgpio, name):
    lgpio.pull(BCM[name], 0)
    lgpio.pull(BCM[name], None)


def heard_of(lgpio, opened):
    """The contacts that are heard, each pressed once."""
    for name in PINS.contacts:
        press(lgpio, name)
    told = [name for name, closed, _t in opened.edges if closed]
    assert [name for name, closed, _t in opened.edges if not closed] == told
    opened.edges.clear()
    return told


def test_every_button_is_heard_when_it_closes_and_opens(lgpio):
    with Opened() as opened:
        assert heard_of(lgpio, opened) == list(PINS.contacts)


def test_every_button_is_heard_however_often_the_panel_was_opened_before(lgpio):
    for _ in range(100):
        with Opened() as opened:
            assert heard_of(lgpio, opened) == list(PINS.contacts)
    assert lgpio.ended_by is None
    assert lgpio.alive


def test_a_thread_that_missed_its_signal_is_woken_soon(lgpio):
    with Opened() as opened:
        lgpio.asleep = True
        lgpio.pull(BCM["button-2"], 0)
        opened.panel.tick()
        assert opened.edges == []
        opened.t = opened.panel.next_due()
        assert opened.t < 100.2
        opened.panel.tick()
        assert [edge[:2] for edge in opened.edges] == [("button-2", True)]
        assert len(lgpio.chips) == 1


def test_it_is_woken_a_few_times_and_a_chip_that_cannot_be_opened_harms_nothing(lgpio, monkeypatch):
    with Opened() as opened:
        before = lgpio.opened
        for opened.t in (100.1, 100.2, 100.6, 105.0, 105.1):
            opened.panel.tick()
        assert (lgpio.opened - before, len(lgpio.chips)) == (3, 1)
        with monkeypatch.context() as patch:
            patch.setattr(lgpio, "gpiochip_open", lambda _chip: lgpio.gpio_read(99, 0))  # raises lgpio.error
            wake(opened.factory)
        assert opened.panel.next_due() is None
        assert heard_of(lgpio, opened) == list(PINS.contacts)


class Interrupted(Opened):
    """A panel whose button is pressed just when it looks at its clock for the `nth` time from now on."""

    nth = 0

    def __init__(self, lgpio):
        self.lgpio = lgpio
        super().__init__()

    @property
    def t(self):
        self.nth -= 1
        if self.nth == 0:
            press(self.lgpio, "button-1")
        return self.set_to

    @t.setter
    def t(self, moment):
        self.set_to = moment


@pytest.mark.parametrize("nth", [1, 2, 3, 4])
@pytest.mark.parametrize("does", ["tick", "next_due"])
def test_an_edge_may_come_at_any_moment(lgpio, does, nth):
    """Edges are reported in a thread of lgpio's."""
    with Interrupted(lgpio) as opened:
        opened.t, opened.nth = 105.0, nth
        getattr(opened.panel, does)()
        opened.nth = 0
        opened.panel.tick()
        assert heard_of(lgpio, opened)[-3:] == list(PINS.contacts)[-3:]
        assert opened.panel.next_due() is None


def test_it_is_left_alone_once_an_edge_was_heard(lgpio):
    with Opened() as opened:
        assert heard_of(lgpio, opened) == list(PINS.contacts)
        before, opened.t = lgpio.opened, 200.0
        opened.panel.tick()
        assert (lgpio.opened, opened.panel.next_due()) == (before, None)


def test_a_closed_panel_leaves_no_callback_and_hears_nothing(lgpio):
    with Opened() as opened:
        pass
    press(lgpio, "button-1")
    assert opened.edges == []
    assert lgpio.told == []
    assert lgpio.chips == {}


def test_an_edge_that_is_on_its_way_while_the_panel_closes_harms_nothing(lgpio):
    """lgpio's thread had taken a callback from the list already and calls it at last."""
    with Opened() as opened:
        on_their_way = [one.func for one in lgpio.told]
        assert len(on_their_way) == len(PINS.contacts)
    for (_name, bcm), call in zip(((name, BCM[name]) for name in PINS.contacts), on_their_way, strict=True):
        call(0, bcm, 0, 0)
    assert opened.edges == []
    with Opened() as opened:
        assert heard_of(lgpio, opened) == list(PINS.contacts)


def test_an_edge_from_before_the_panel_was_opened_is_not_reported_to_it(lgpio):
    """lgpio keeps edges back for a while; a panel that was closed meanwhile may have been followed by this one."""
    with Opened():
        chattered_ns = time.monotonic_ns()
    with Opened() as opened:
        for one in lgpio.told:
            one.func(0, one.gpio, 0, chattered_ns)
            one.func(0, one.gpio, 1, chattered_ns)
        assert opened.edges == []
        assert heard_of(lgpio, opened) == list(PINS.contacts)


@pytest.mark.parametrize("name", ["red", "bar-3", "buzzer", "button-pause"])
def test_a_panel_that_cannot_be_opened_leaves_nothing_behind_either(lgpio, name):
    """Not even until the next collection of garbage, in which gpiozero may wait for its own lock for ever."""
    gc.collect()
    gc.disable()
    try:
        lgpio.busy = {BCM[name]}
        with pytest.raises(BadInput, match=rf"for {name}, found .*: GPIO busy; another program"):
            Opened()
        assert (lgpio.told, lgpio.chips) == ([], {})
        lgpio.busy = set()
        with Opened() as opened:
            assert heard_of(lgpio, opened) == list(PINS.contacts)
    finally:
        gc.enable()


@pytest.mark.parametrize("halves", [1, 2, 7, 8])
def test_a_tone_ends_with_the_pin_low_wherever_its_wave_is(lgpio, halves):
    with Opened() as opened:
        opened.panel.play(((880.0, 0.5), (None, 0.1), (440.0, 0.5)))
        for _ in range(halves):
            lgpio.swing(BUZZER)
        assert lgpio.levels[BUZZER] == halves % 2
        opened.t += 0.5
        opened.panel.tick()
        assert lgpio.levels[BUZZER] == 0
        lgpio.swing(BUZZER)
        assert lgpio.levels[BUZZER] == 0
        opened.t += 0.1
        opened.panel.tick()
        lgpio.swing(BUZZER)
        opened.panel.play(SILENCE)
        assert lgpio.levels[BUZZER] == 0


def test_lamps_are_lit_by_their_pins_and_all_are_inputs_after_closing(lgpio):
    with Opened() as opened:
        opened.panel.show(Lights((Glow.OFF, Glow.ON), red=Glow.ON, bar=0.4))
        lines = (*PINS.lines_for(Duty.LAMP), *PINS.lines_for(Duty.BAR))
        lamps = {line.name for line in lines if lgpio.levels[line.bcm]}
        assert lamps == {"player-2", "red", "bar-1", "bar-2"}
    assert lgpio.chips == {}


def test_a_line_that_is_not_free_leaves_no_other_one_on(lgpio):
    """Neither before it nor after it, and the display is cleared as well."""
    pins = PinMap(display="tm1637")
    outputs = [line for line in pins.lines if line.duty is not Duty.BUTTON]
    for busy in outputs:
        for line in outputs:
            lgpio.levels[line.bcm] = 1
        lgpio.busy = {busy.bcm}
        (told,) = darken(pins, print)
        assert f"a free pin for {busy.name}, found {busy.place}: GPIO busy" in str(told)
        # Two lines that rest high where the display was reached at all, as its chip wants them.
        lit = {line.name for line in outputs if lgpio.levels[line.bcm]}
        assert lit - {"clk", "dio"} == {busy.name} - {"clk", "dio"}
        assert lgpio.chips == {}


def test_the_buzzer_is_the_first_to_be_switched_off(lgpio, monkeypatch):
    claimed, claim = [], lgpio.gpio_claim_output
    monkeypatch.setattr(lgpio, "gpio_claim_output", lambda *line: (claimed.append(line[1]), claim(*line))[1])
    assert darken(PINS, print) == ()
    assert claimed[0] == BUZZER
    assert set(claimed) == {line.bcm for line in PINS.lines if line.duty is not Duty.BUTTON}


def test_a_board_that_is_unknown_leaves_the_chip_closed(lgpio, monkeypatch):
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0x99)
    with telling(BadInput, match="pins of a Raspberry Pi cannot be reached here"):
        pi_factory()
    assert lgpio.chips == {}


def test_a_missing_lgpio_is_to_be_had_from_apt(monkeypatch):
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    with pytest.raises(BadInput) as refused:
        pi_factory()
    text = error_text(refused.value)
    assert "sudo apt install python3-lgpio" in text
    assert 'kind = "console"' in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("'GPIO busy'", "GPIO busy; another program", id="lgpio quotes all of it"),
        pytest.param("cannot open '/dev/gpiochip0'", "cannot open '/dev/gpiochip0'; see", id="a name at the end"),
        pytest.param("'GPIO5' is not 'free'", "'GPIO5' is not 'free'; see", id="names at both ends"),
        pytest.param('"line 5 isn\'t free"', "line 5 isn't free; see", id="the other quotes"),
        pytest.param("", "Refused; see", id="no text"),
        pytest.param("'", "'; see", id="a quote alone"),
    ],
)
def test_an_errors_own_quotes_stay_and_those_around_all_of_it_go(lgpio, monkeypatch, text, told):
    class Refused(Exception):
        pass

    def refuse(*_line):
        raise Refused(text)

    monkeypatch.setattr(lgpio, "gpio_claim_output", refuse)
    with pytest.raises(BadInput) as refused:
        Opened()
    assert f"): {told}" in str(refused.value)
