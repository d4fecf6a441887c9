"""The panel without hardware stands for the real one: the same names, the same calls, the same moments."""

import inspect

import lgpio_double
import pytest
from gpiozero.pins.local import LocalPiFactory

from referee.devices.panel.gpio import WAKES_S, GpioPanel, pi_factory
from referee.devices.panel.lights import Glow, Lights
from referee.devices.panel.panel import SILENCE, Panel, RecordingPanel
from referee.devices.wiring.pins import Duty, PinMap

PINS = PinMap()
BCM = {line.name: line.bcm for line in PINS.lines}
BAR = PINS.lines_for(Duty.BAR)
NAMES = sorted(name for name in vars(Panel) if not name.startswith("_"))


@pytest.mark.parametrize("kind", [GpioPanel, RecordingPanel])
@pytest.mark.parametrize("name", NAMES)
def test_a_panel_is_called_as_the_protocol_says(kind, name):
    assert str(inspect.signature(getattr(kind, name))) == str(inspect.signature(getattr(Panel, name)))


class Both:
    """A real panel on a double of lgpio beside the one without hardware: whatever one is told, the other is told."""

    def __init__(self, lgpio):
        self.t, self.lgpio = 100.0 - WAKES_S[-1], lgpio
        self.real_edges, self.edges = [], []
        self.real = GpioPanel(
            PINS, pi_factory(), lambda: self.t, lambda *edge: self.real_edges.append(edge), owns=True
        )
        self.t = 100.0
        self.real.tick()  # from now on it has nothing more to do of its own
        self.stand_in = RecordingPanel(PINS, lambda: self.t, lambda *edge: self.edges.append(edge))

    def do(self, act):
        act(self.real)
        act(self.stand_in)

    def turn(self, name, closed):
        """A finger on the same button of both."""
        self.lgpio.pull(BCM[name], 0 if closed else None)
        self.stand_in.edge(name, closed)

    def agree(self):
        now = self.stand_in.history[-1][1]
        assert {line.name for line in PINS.lines_for(Duty.LAMP) if self.lgpio.levels[line.bcm]} == now.lit
        assert sum(self.lgpio.levels[line.bcm] for line in BAR) == round(now.bar * len(BAR))
        sounding = any(BCM["buzzer"] in chip.trains for chip in self.lgpio.chips.values())
        assert sounding == (now.hertz is not None)
        assert self.real.closed_contacts() == self.stand_in.closed_contacts()
        assert self.real.next_due() == self.stand_in.next_due()
        assert self.real_edges == self.edges


@pytest.fixture
def both(monkeypatch):
    both = Both(lgpio_double.install(monkeypatch))
    yield both
    both.real.close()
    LocalPiFactory.pins.clear()
    LocalPiFactory._reservations.clear()


def test_the_same_lights_and_tunes_show_alike_at_every_moment(both):
    shown = Lights((Glow.BLINK, Glow.SLOW, Glow.ON, Glow.OFF), red=Glow.OPPOSITE, draw=Glow.ON, bar=0.6, text="1:05")
    both.do(lambda panel: panel.show(shown))
    both.do(lambda panel: panel.play(((440.0, 0.2), (None, 0.3), (880.0, 0.9))))
    both.agree()
    for _ in range(12):
        both.t = both.real.next_due()
        both.do(lambda panel: panel.tick())
        both.agree()
    both.do(lambda panel: panel.play(SILENCE))
    both.do(lambda panel: panel.show(Lights(green=Glow.ON)))
    both.agree()


def test_the_same_fingers_are_told_alike(both):
    for name in PINS.contacts:
        both.turn(name, True)
        both.agree()
    both.t += 1.5
    for name in reversed(PINS.contacts):
        both.turn(name, False)
        both.agree()
    assert len(both.edges) == 2 * len(PINS.contacts)


def test_a_closed_panel_is_dark_silent_and_tells_of_no_finger(both):
    both.do(lambda panel: panel.show(Lights((Glow.ON,) * 4, bar=1.0)))
    both.do(lambda panel: panel.play(((440.0, 9.0),)))
    both.turn("button-1", True)
    both.do(lambda panel: panel.close())
    both.turn("button-1", False)
    both.turn("button-2", True)
    both.agree()
    assert both.edges == [("button-1", True, 100.0)]
    assert both.stand_in.history[-1][1].lit == frozenset()
    both.do(lambda panel: panel.close())
