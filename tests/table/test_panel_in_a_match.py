"""Buttons, debouncing, match, lamps and tones together: the real gpiozero on mock pins, in a time of our own."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from referee.devices.panel.debounce import Broken, Debouncer, Mended, Press, Told
from referee.devices.panel.gpio import GpioPanel
from referee.devices.wiring.pins import PAUSE, Duty, PinMap
from referee.game.match.events import Event, OutOfOrder, Paused, Pressed, Resumed, Seen, Started, TakeLook, TimeUp
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.rulebooks import ruleset
from referee.table.output.signals import TUNES, Cue, Signals, tune_of

PINS = PinMap()
LAMPS = {line.bcm: line.name for line in PINS.lines_for(Duty.LAMP)}
BUTTONS = {line.name: line.bcm for line in PINS.lines_for(Duty.BUTTON)}
BUZZER = PINS.lines_for(Duty.BUZZER)[0].bcm
LOOK_S = 0.2
FINGER = (0, 1, 3, 3.5, 6, 140, 142, 147)
"""Milliseconds at which a contact changes that bounces when it closes and when it opens."""


class Box:
    """The smallest loop there can be: one queue of edges, and one timer for whatever is due next."""

    def __init__(self, players: int = 3) -> None:
        self.t = 1000.0
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.queue: list[tuple[str, bool, float]] = []
        self.panel = GpioPanel(PINS, self.factory, lambda: self.t, lambda *edge: self.queue.append(edge))
        self.debouncer = Debouncer(PINS.contacts, self.panel.closed_contacts(), self.t)
        self.signals, self.state = Signals(), new_match(ruleset("rummikub").choose(entry="timed"))
        self.table, self.look_at = "", float("inf")
        self.told: list[Told] = []
        self.lamps: list[tuple[float, set[str]]] = []
        self.tones: list[tuple[float, float | None]] = []
        self.do(Started(("Ann", "Ben", "Cleo", "Dan")[:players], self.t))

    def do(self, event: Event) -> None:
        self.state, effects = apply(self.state, event)
        if any(isinstance(effect, TakeLook) for effect in effects):
            self.look_at = self.t + LOOK_S
        self.signals, tune = self.signals.apply_effects(effects, self.t)
        self.play(tune)

    def play(self, tune: Sequence[tuple[float | None, float]]) -> None:
        if tune:
            self.panel.play(tuple(tune))

    def hear(self, told: Sequence[Told]) -> None:
        self.told += told
        for one in told:
            try:
                match one:
                    case Press(contact, t) if contact == PAUSE:
                        self.do(Resumed(t) if self.state.phase is Phase.PAUSED else Paused(t))
                    case Press(contact, t):
                        self.do(Pressed(PINS.seat_of(contact) or 0, t))
                    case Broken() | Mended():
                        self.signals = replace(self.signals, trouble=bool(self.debouncer.ignored_contacts))
                        self.play(tune_of(Cue.TROUBLE) if self.debouncer.ignored_contacts else ())
            except OutOfOrder:
                self.play(tune_of(Cue.NOT_NOW))

    def step(self) -> None:
        edges, self.queue[:] = list(self.queue), []
        for edge in edges:
            self.hear(self.debouncer.edge(*edge))
        self.hear(self.debouncer.poll(self.t))
        if self.look_at <= self.t:
            self.look_at = float("inf")
            self.do(Seen(parse_table(self.table), self.t))
        if self.state.phase is Phase.TURN and self.state.clock.is_expired(self.t):
            self.do(TimeUp(self.t))
        self.signals, tune = self.signals.advance_to(self.state, self.t)
        self.play(tune)
        self.panel.show(self.signals.lights(self.state, self.t))
        self.panel.tick()
        self.record()

    def record(self) -> None:
        lit = {name for bcm, name in LAMPS.items() if self.factory.pin(bcm).state}
        if not self.lamps or self.lamps[-1][1] != lit:
            self.lamps.append((self.t, lit))
        hertz = self.factory.pin(BUZZER).frequency
        if (self.tones[-1][1] if self.tones else None) != hertz:
            self.tones.append((self.t, hertz))

    def wait(self, seconds: float) -> None:
        end = self.t + seconds
        self.step()
        while True:
            signals_due = self.signals.next_due(self.state, self.t)
            dues = (self.panel.next_due(), self.debouncer.next_due(), signals_due, self.look_at)
            due = min((due for due in dues if due is not None), default=end)
            if due > end:
                break
            self.t = max(self.t, due)
            self.step()
        self.t = end
        self.step()

    def fingers(self, *names: str, at: Sequence[float] = FINGER) -> None:
        start = self.t
        for ms in at:
            self.wait(start + ms / 1000 - self.t)
            for name in names:
                pin = self.factory.pin(BUTTONS[name])
                (pin.drive_low if pin.state else pin.drive_high)()
        self.wait(0)

    def tones_since(self, t: float) -> list[float]:
        return [hertz for at, hertz in self.tones if at >= t and hertz is not None]

    def lit_at(self, t: float) -> set[str]:
        return next(lit for at, lit in reversed(self.lamps) if at <= t)


def pitches(*cues: Cue) -> list[float]:
    return [hertz for cue in cues for hertz, _ in TUNES[cue] if hertz is not None]


@pytest.fixture
def box() -> Iterator[Box]:
    box = Box()
    box.wait(5)
    yield box
    box.panel.close()


def test_a_bouncing_press_ends_the_turn_once(box: Box) -> None:
    box.table = "R10 B10 K10"
    pressed = box.t
    box.fingers("button-1")
    box.wait(3)
    assert [one for one in box.told if isinstance(one, Press)] == [Press("button-1", pressed)]
    assert box.state.current == 1
    assert box.lit_at(pressed + 0.01) == {"player-1"}
    assert box.lit_at(pressed + 0.2) == {"player-1", "amber"}
    assert box.lit_at(pressed + 0.5) == {"player-2", "green"}
    assert box.lit_at(pressed + 2.9) == {"player-2"}
    assert box.tones_since(pressed) == pitches(Cue.ACCEPTED)


def test_the_clock_stops_at_the_first_contact_not_at_the_release(box: Box) -> None:
    left = box.state.clock.seconds_left(box.t)
    box.fingers("button-1", at=(0, 700))
    box.wait(0.1)
    assert box.state.clock.seconds_left(box.t) == pytest.approx(left)


def test_a_refused_table_is_red_with_a_low_tone_and_the_clock_runs_on(box: Box) -> None:
    box.table = "R10 B10"
    pressed = box.t
    box.fingers("button-1")
    box.wait(20)
    assert box.lit_at(box.t) == {"player-1", "red"}
    assert box.tones_since(pressed) == pitches(Cue.REFUSED)
    assert box.state.clock.is_running
    assert box.state.current == 0


def test_the_wrong_player_hears_that_it_does_not_count(box: Box) -> None:
    pressed = box.t
    box.fingers("button-2")
    box.wait(1)
    assert box.state.phase is Phase.TURN
    assert box.state.current == 0
    assert box.tones_since(pressed) == pitches(Cue.NOT_NOW)
    assert box.lit_at(box.t) == {"player-1"}


def test_of_two_at_once_only_whose_turn_it_is_counts(box: Box) -> None:
    box.table = "R10 B10 K10"
    pressed = box.t
    box.fingers("button-1", "button-3")
    box.wait(3)
    assert [one.contact for one in box.told if isinstance(one, Press)] == ["button-1", "button-3"]
    assert box.state.current == 1
    assert box.tones_since(pressed) == pitches(Cue.NOT_NOW, Cue.ACCEPTED)


def test_a_press_during_a_look_is_an_event_that_the_match_refuses(box: Box) -> None:
    box.table = "R10 B10 K10"
    pressed = box.t
    box.fingers("button-1", at=(0, 60))
    box.wait(0.05)
    assert box.state.phase is Phase.LOOKING
    box.fingers("button-1", at=(0, 60))
    box.wait(3)
    assert len([one for one in box.told if isinstance(one, Press)]) == 2
    assert box.state.current == 1
    assert box.tones_since(pressed) == pitches(Cue.NOT_NOW, Cue.ACCEPTED)


def test_a_stuck_button_is_a_fault_on_the_lamps_until_it_opens(box: Box) -> None:
    started = box.t
    box.fingers("button-3", at=(0,))
    box.wait(9.9)
    assert not box.signals.trouble
    box.wait(0.6)
    assert [type(one) for one in box.told].count(Broken) == 1
    assert box.tones_since(started + 9.9) == pitches(Cue.TROUBLE)[: len(box.tones_since(started + 9.9))]
    seen = []
    for _ in range(4):
        seen.append(frozenset(box.lit_at(box.t) & {"red", "amber"}))
        box.wait(0.25)
    assert set(seen) == {frozenset({"red"}), frozenset({"amber"})}
    box.fingers("button-3", at=(0,))
    box.wait(1)
    assert isinstance(box.told[-1], Mended)
    assert box.lit_at(box.t) == {"player-1"}


def test_a_loose_wire_is_a_fault_and_ends_no_turn(box: Box) -> None:
    box.fingers("button-1", at=[3 * number for number in range(400)])
    assert [type(one) for one in box.told] == [Broken]
    assert box.state.phase is Phase.TURN
    box.table = "R10 B10 K10"
    box.wait(1.5)
    assert isinstance(box.told[-1], Mended)
    box.fingers("button-1")
    box.wait(1)
    assert box.state.current == 1


def test_a_pause_blinks_all_players_lamps_and_holds_the_clock(box: Box) -> None:
    box.fingers(PAUSE)
    box.wait(0.1)
    left = box.state.clock.seconds_left(box.t)
    start = box.t
    box.wait(60)
    all_lamps = {"player-1", "player-2", "player-3"}
    seen = [lit for t, lit in box.lamps if t > start]
    assert [lit for lit in seen if lit] == [all_lamps] * len(seen[::2])
    assert len(seen) == 60
    box.fingers(PAUSE)
    assert box.state.clock.seconds_left(box.t) == pytest.approx(left, abs=0.2)
    box.wait(0.1)
    assert box.lit_at(box.t) == {"player-1"}


def test_the_bar_shrinks_and_the_warnings_are_heard(box: Box) -> None:
    end = box.state.clock.deadline
    assert end is not None
    bars = [line.bcm for line in PINS.lines_for(Duty.BAR)]
    lit = []
    total = box.state.clock.seconds
    assert total is not None
    for share in (0.95, 0.7, 0.5, 0.3, 0.1):
        box.wait(end - share * total - box.t)
        lit.append(sum(bool(box.factory.pin(bcm).state) for bcm in bars))
    assert lit == [5, 4, 3, 2, 1]
    box.wait(end - 0.5 - box.t)
    warnings = [Cue.LEFT_30, Cue.LEFT_10, *[Cue.LAST_SECONDS] * 6]
    assert box.tones_since(1005) == pitches(*warnings)
    box.table = "R10 B10"
    box.wait(0.6)
    assert box.state.phase is not Phase.TURN
    assert box.tones_since(end)[0] == pitches(Cue.TIME_UP)[0]


def test_nobody_at_the_table_wakes_the_loop_only_for_the_clock(box: Box) -> None:
    """One step a second for the clock, and no more."""
    steps, step = 0, box.step

    def counted() -> None:
        nonlocal steps
        steps += 1
        step()

    box.step = counted  # type: ignore[method-assign]
    box.wait(20)
    assert steps <= 22
