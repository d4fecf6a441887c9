"""Loose wires at the buttons of a running match: the real gpiozero on mock pins around the real loop."""

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from virtual_evening import Evening, Slow

from referee.devices.gpio import GpioPanel
from referee.devices.pins import Duty
from referee.game.notation import parse_table
from referee.game.state import Phase

OPENING = parse_table("R10 B10 K10")
MS = 0.001


class Wired(Evening):
    """An evening with real buttons and lamps, on mock pins."""

    def _panel(self, on_edge):
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.panel = GpioPanel(self.pins, self.factory, self.time.time, on_edge)
        return self.panel

    def _pin(self, name):
        return next(self.factory.pin(line.bcm) for line in self.pins.lines if line.name == name)

    def turn(self, name):
        """Close an open contact, open a closed one."""
        pin = self._pin(name)
        (pin.drive_low if pin.state else pin.drive_high)()

    async def chatter(self, name, every, seconds):
        for _ in range(2 * round(seconds / every / 2)):
            self.turn(name)
            await self.wait(every)

    async def push(self, name, hold=0.1):
        self.turn(name)
        await self.wait(hold)
        self.turn(name)
        await self.wait(0.1)

    @property
    def lamps(self):
        return {line.name for line in self.pins.of(Duty.LAMP) if self.factory.pin(line.bcm).state}


@pytest.mark.parametrize("every", [6 * MS, 7 * MS, 15 * MS, 19 * MS, 25 * MS])
def test_a_loose_wire_ends_no_turn(every):
    async def script(evening):
        await evening.push("button-pause")
        await evening.lay(OPENING)
        await evening.chatter("button-1", every, 1.5)
        assert evening.state.phase is Phase.TURN
        assert evening.state.current == 0
        assert evening.state.clock.running
        assert evening.state.seats[0].hand == 14
        await evening.wait(1.5)
        await evening.push("button-1")
        assert evening.state.current == 1

    said = Wired().play(script).said
    assert any("chatters" in text for text in said)
    assert "Anna plays on." in said


def test_while_the_referee_looks_the_press_of_a_loose_wire_is_taken_back():
    async def script(evening):
        await evening.push("button-pause")
        await evening.chatter("button-1", 7 * MS, 0.3)
        assert evening.state.phase is Phase.TURN
        await evening.wait(3)
        assert (evening.state.current, evening.state.seats[0].hand) == (0, 14)
        assert evening.lamps == {"player-1"}

    assert "Anna, it is still your turn." in Wired(thread=Slow(1.0)).play(script).said


def test_while_the_referee_asks_the_press_of_a_loose_wire_is_taken_back():
    async def script(evening):
        await evening.push("button-pause")
        evening.sight.doubtful = 99
        await evening.lay(OPENING)
        await evening.chatter("button-1", 7 * MS, 0.3)
        assert evening.state.phase is Phase.TURN
        assert evening.state.clock.running

    Wired().play(script)


def test_a_loose_wire_at_the_start_button_pauses_no_match():
    async def script(evening):
        await evening.push("button-pause")
        await evening.wait(2)
        await evening.chatter("button-pause", 7 * MS, 0.5)
        assert evening.state.phase is Phase.TURN
        assert evening.state.clock.running

    Wired().play(script)


def test_a_press_of_long_before_stays_when_the_wire_comes_loose_later():
    async def script(evening):
        await evening.push("button-pause")
        await evening.push("button-1")
        await evening.wait(2)
        await evening.chatter("button-1", 7 * MS, 0.5)
        assert evening.state.current == 1

    Wired().play(script)


def test_a_stuck_button_takes_nothing_back():
    async def script(evening):
        await evening.push("button-pause")
        evening.turn("button-1")
        await evening.wait(12)
        assert evening.state.current == 1

    assert any("has been down for long" in text for text in Wired().play(script).said)
