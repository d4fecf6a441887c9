"""Loose wires at the buttons of a running match: the real gpiozero on mock pins around the real loop."""

import itertools

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from virtual_evening import ONE_FOR_ALL, OPENING, Evening, Slow

from referee.devices.panel.gpio import GpioPanel
from referee.devices.wiring.pins import Duty
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.i18n import ENGLISH
from referee.table.input.buttons import TOO_SOON

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
        return {line.name for line in self.pins.lines_for(Duty.LAMP) if self.factory.pin(line.bcm).state}


@pytest.mark.parametrize("every", [6 * MS, 7 * MS, 15 * MS, 19 * MS, 25 * MS])
def test_a_loose_wire_ends_no_turn(every):
    async def script(evening):
        await evening.push("button-pause")
        await evening.lay(OPENING)
        await evening.chatter("button-1", every, 1.5)
        assert evening.state.phase is Phase.TURN
        assert evening.state.current == 0
        assert evening.state.clock.is_running
        assert evening.state.seats[0].hand == 14
        await evening.wait(1.5)
        await evening.push("button-1")
        assert evening.state.current == 1

    said = Wired().play(script).said
    assert any("keeps cutting in and out" in text for text in said)
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
        assert evening.state.clock.is_running

    Wired().play(script)


def test_a_loose_wire_at_the_start_button_pauses_no_match():
    async def script(evening):
        await evening.push("button-pause")
        await evening.wait(2)
        await evening.chatter("button-pause", 7 * MS, 0.5)
        assert evening.state.phase is Phase.TURN
        assert evening.state.clock.is_running

    Wired().play(script)


async def lets_go_badly(evening, name, hold=0.3):
    """A worn button: good while it is held, it chatters when it is let go."""
    evening.turn(name)
    await evening.wait(hold)
    await evening.chatter(name, 9 * MS, 0.15)
    evening.turn(name)
    await evening.wait(2)


@pytest.mark.parametrize("hold", [0.07, 0.3, 1.0])
def test_a_button_that_chatters_when_it_is_let_go_ends_the_turn(hold):
    async def script(evening):
        await evening.push("button-pause")
        await evening.wait(3)
        await lets_go_badly(evening, "button-1", hold)
        assert (evening.state.phase, evening.state.current) == (Phase.TURN, 1)

    assert any("keeps cutting in and out" in text for text in Wired().play(script).said)


@pytest.mark.parametrize(("rules", "pins"), [("rummikub", ONE_FOR_ALL), ("gin", ONE_FOR_ALL), ("gin", None)])
def test_so_does_one_whose_press_is_waited_for_to_its_end(rules, pins):
    async def script(evening):
        name = "button-all" if pins else "button-2"
        await evening.push("button-pause")
        await evening.wait(3)
        if rules == "gin":
            await evening.lay(parse_table("R5"))
            await evening.push("button-all" if pins else "button-1")
            await evening.wait(1)
        await evening.push("button-all" if pins else "button-1")
        await evening.wait(3)
        assert evening.state.current == 1
        before = evening.state
        await lets_go_badly(evening, name)
        assert evening.state.phase is Phase.TURN
        assert evening.state.gin != before.gin or evening.state.current == 0

    Wired(rules, pins=pins).play(script)


def test_a_start_button_that_chatters_when_it_is_let_go_pauses_and_goes_on():
    async def script(evening):
        await lets_go_badly(evening, "button-pause")
        assert evening.state.phase is Phase.TURN
        await lets_go_badly(evening, "button-pause")
        assert evening.state.phase is Phase.PAUSED
        await lets_go_badly(evening, "button-pause")
        assert evening.state.phase is Phase.TURN

    Wired().play(script)


def test_noise_soon_after_a_good_press_does_not_take_that_back():
    async def script(evening):
        await evening.push("button-pause")
        await evening.wait(3)
        await evening.push("button-1")
        await evening.wait(0.2)
        await evening.chatter("button-1", 7 * MS, 0.5)
        await evening.wait(1)
        assert evening.state.current == 1

    Wired().play(script)


@pytest.mark.parametrize("every", [6 * MS, 7 * MS, 15 * MS, 19 * MS, 25 * MS, 28 * MS, 30 * MS, 40 * MS, 50 * MS])
@pytest.mark.parametrize("paused", [True, False])
def test_noise_at_the_start_button_leaves_a_pause_a_pause_and_a_turn_a_turn(every, paused):
    async def script(evening):
        await evening.push("button-pause")
        await evening.wait(5)
        if paused:
            await evening.push("button-pause")
            await evening.wait(30)
        before = evening.state.phase
        await evening.chatter("button-pause", every, 1.5)
        await evening.wait(3)
        assert before is (Phase.PAUSED if paused else Phase.TURN)
        assert evening.state.phase is before
        assert evening.state.clock.is_running is not paused

    assert any("keeps cutting in and out" in text for text in Wired().play(script).said)


def test_noise_that_comes_again_as_soon_as_the_wire_counts_again_pauses_no_match_either():
    async def script(evening):
        await evening.push("button-pause")
        await evening.wait(5)
        for _ in range(4):
            await evening.chatter("button-pause", 7 * MS, 0.12)
            assert evening.state.phase is Phase.TURN
            await evening.wait(1.03)

    Wired().play(script)


@pytest.mark.parametrize("wait", [0.3, 0.7, 1.1])
def test_noise_soon_after_a_pause_by_hand_leaves_it_a_pause(wait):
    async def script(evening):
        await evening.push("button-pause")
        await evening.wait(5)
        await evening.push("button-pause")
        await evening.wait(wait)
        await evening.chatter("button-pause", 40 * MS, 1.5)
        await evening.wait(3)
        assert evening.state.phase is Phase.PAUSED

    Wired().play(script)


def test_a_match_that_noise_has_dealt_waits_for_somebody():
    async def script(evening):
        await evening.chatter("button-pause", 40 * MS, 1.5)
        await evening.wait(3)
        assert evening.state.phase in (Phase.LOBBY, Phase.PAUSED)

    Wired().play(script)


def test_a_wire_too_slow_to_be_found_out_pauses_or_goes_on_once_a_second_at_most():
    phases = []

    async def script(evening):
        await evening.push("button-pause")
        await evening.wait(5)
        for _ in range(100):
            evening.turn("button-pause")
            await evening.wait(70 * MS)
            phases.append(evening.state.phase)

    said = Wired().play(script).said
    assert 1 <= sum(one is not other for one, other in itertools.pairwise(phases)) <= 8
    assert said.count(ENGLISH(TOO_SOON)) <= 8


def test_of_two_taps_of_start_in_a_row_the_first_counts_and_the_second_is_answered():
    async def script(evening):
        await evening.push("button-pause")
        await evening.wait(5)
        await evening.push("button-pause")
        await evening.push("button-pause")
        assert evening.state.phase is Phase.PAUSED
        assert evening.said[-1] == ENGLISH(TOO_SOON)
        await evening.wait(1)
        await evening.push("button-pause")
        assert evening.state.phase is Phase.TURN

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

    assert any("has been held down for a long time" in text for text in Wired().play(script).said)
