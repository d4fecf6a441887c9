"""One match with injected faults: virtual players, random faults, and every event compared with the true table."""

from __future__ import annotations

import math
import random
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.fire_process import JournalView, Referee, show
from benchmarks.fire_truth import Tally, Truth
from referee.errors import RefereeError
from referee.game.match.events import Event, Paused, Pressed, Resumed, Say, Seen, Settled, TimeUp
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.rulebooks.model import Starts
from referee.i18n import ENGLISH
from referee.sim.match import VirtualMatch
from referee.sim.players.players import may_be_told

TURN_S = 12
STRAIGHTENINGS = 3
IN_VAIN = 6
"""After this many straightenings without success, players lay the tiles elsewhere."""
NO_ROOM = 1
BEAT_S, LAG_S = 1.0, 0.5
STORY = 24
PACE_S = 0.5
"""The least time between two presses, in seconds."""
PAUSE_S = 1.3
"""The least time between two presses of start, as a second one within a second is ignored."""
MOST_TRIES = 40
"""After this many presses, pauses and power cuts without a finished turn, the match counts as stuck."""
CHATTER_S = 2.0
HELD_S = 1.2
_DUE = frozenset({Phase.TURN, Phase.PUTTING_RIGHT, Phase.SHOWING})
FAULTS = {"none": 50, "kill": 22, "camera": 8, "chatter": 8, "disk": 8, "pause": 4}
"""The faults that are injected in a turn, with their relative frequencies."""
Faults = Mapping[str, int]


class Fire:
    """A match of virtual players with the real process."""

    def __init__(
        self, match: VirtualMatch, options: list[str], folder: Path, seed: int, tally: Tally, faults: Faults
    ) -> None:
        self.match, self.tally, self.name = match, tally, f"{match.rules.name} seed {seed}"
        self._faults = faults
        self._story: deque[str] = deque(maxlen=STORY)
        """The last events, for the report of a failure."""
        self._random = random.Random(seed)  # noqa: S311 - chance for faults
        self._pictures, self._folder, self._options = folder / "pictures", folder, options
        self._pictures.mkdir(parents=True, exist_ok=True)
        self._view = JournalView(folder / "state")
        self._truth = Truth(match, tally, self._fail)
        self._pending: Event | None = None
        self._asked = 0
        self._questions: list[tuple[float, float]] = []
        """The places of the tiles that the referee asks for, and the players have not named yet."""
        self._line = ""
        self._telling = False
        self._running: tuple[float, float] | None = None
        """The seconds used when the clock started to run, and the match time of that moment."""
        self._zero = math.inf
        """The time at which match time was 0 in this run of the process, as observed from outside (an upper bound)."""
        self._greeted = 0
        self._tries, self._reached = 0, (-1, 0, 0)
        self._pressed = -math.inf

    def play(self, enough: Callable[[], bool]) -> None:
        """Play until the match ends or `enough` returns True."""
        first = self.match.start(0.0).first
        self._show()
        self._start()
        self._referee.press("s")
        if self.match.rules.starts in (Starts.AGREED, Starts.DRAWN):
            self._referee.until(lambda: self._referee.told("presses first"))
            self._referee.press(str(first + 1))
        if not self._referee.until(lambda: self._sync() and self._state.phase is Phase.TURN):
            self._fail(f"did not begin: {self._referee.lines}")
            self._referee.kill()
            return
        try:
            while self._state.phase not in (Phase.BETWEEN, Phase.OVER) and not enough():
                if not self._turn() or not self._goes_on():
                    break
        except (RefereeError, ValueError, LookupError) as error:
            self._fail(f"stopped: {error!r}")
        self._end()

    # One turn ------------------------------------------------------------------------------------------------------

    def _turn(self) -> bool:
        """Do what is due next, with or without a fault; return False if the match cannot continue."""
        state = self._state
        if state.phase is Phase.PAUSED:
            self._referee.press("s")
        if not (state.phase in _DUE or state.asked):
            return self._stands_still(state)
        fault = self._fault(state)
        if fault != "none":
            self.tally.faults[fault] += 1
            self._story.append(fault)
        if self._pending is None:
            self._pending = self._next_event(state)
        if fault == "kill" and self._random.random() < 0.3:
            self._kill(self._random.uniform(0, 0.3))
            return True
        self._show()
        if fault == "camera" and self._lose_the_camera():
            return self._answered(state)
        if fault == "chatter":
            self._chatter(state)
        if fault == "pause" and state.phase is Phase.TURN:
            self._pause()
        if fault == "disk":
            return self._on_a_full_disk(state)
        self._press()
        if fault == "kill":
            self._kill(self._random.uniform(0, 0.6))
            return True
        return self._answered(state)

    def _goes_on(self) -> bool:
        """Return whether the match makes progress, instead of judging the same turn again and again."""
        sheet, hands = len(self._state.sheet.rounds), sum(seat.shown is not None for seat in self._state.seats)
        reached = self.tally.turns, sheet, hands
        self._tries = self._tries + 1 if reached == self._reached else 0
        self._reached = reached
        if self._tries < MOST_TRIES:
            return True
        self._fail(f"does not go on from {self._state.phase}: {[line for _, line in self._referee.lines[-4:]]}")
        return False

    def _fault(self, state: State) -> str:
        names = [name for name in self._faults if not (name == "disk" and isinstance(self._pending, TimeUp))]
        fault = self._random.choices(names, [self._faults[name] for name in names])[0]
        return "none" if state.asked and fault in ("disk", "pause") else fault

    def _next_event(self, state: State) -> Event:
        self._asked = self._asked + 1 if state.asked else 0
        if state.phase is Phase.SHOWING and self._truth.hands is None:
            self._truth.hands = [Counter(rack) for rack in self.match.racks]
        self._line = self._true_tile_in_words() if state.asked else ""
        if self._line:
            self._story.append(self._line)
        elif state.asked and self._asked % IN_VAIN == 0:
            self.match.table.lay_anew()
        elif state.asked:
            self.match.table.nudge()
        event = self.match.act(state, 0.0)
        if self.match.last_action is not None:
            self._story.append(f"{state.phase}: {type(event).__name__}, {self.match.last_action.told}")
        return event

    def _true_tile_in_words(self) -> str:
        """Return the console input that names the first tile in question; each is named once."""
        while self._questions:
            told = self.match.truth(*self._questions.pop(0))
            if told is not None:
                return f"={told}"
        return ""

    def _press(self) -> None:
        event = self._pending
        if self._line:
            self._referee.press(self._line)
        elif isinstance(event, Pressed):
            self._referee.until(lambda: False, self._pressed + PACE_S - time.monotonic())
            self._pressed = time.monotonic()
            if self._asked > STRAIGHTENINGS and self._state.phase is Phase.ASKING and not event.long:
                self._take_back(str(event.player + 1))
            else:
                self._referee.press(f"{event.player + 1}{'!' if event.long else ''}")

    def _take_back(self, button: str) -> None:
        """Hold the button to take the press back, but release it if the turn ends meanwhile."""
        self._referee.press(f"{button}+")
        self._referee.until(lambda: self._sync() and self._state.phase not in (Phase.LOOKING, Phase.ASKING), HELD_S)
        self._referee.press(f"{button}-")

    def _answered(self, before: State) -> bool:
        """Wait until the referee has answered, and press again if it has not noticed a press."""
        for _ in range(3):
            if self._referee.until(lambda: self._sync() and self._moved(before), TURN_S + 5.0):
                return True
            if not self._referee.alive:
                self._fail(f"ended by itself: {self._referee.end(signal.SIGTERM)}")
                return False
            self.tally.faults["pressed again"] += 1
            self._press()
        return self._stands_still(before)

    def _moved(self, before: State) -> bool:
        state = self._state
        return (
            state is not before
            and (not state.phase.looks or state.asked)
            and self._pending is None
            and not self._telling
        )

    def _stands_still(self, state: State) -> bool:
        if self._referee.until(lambda: self._sync() and self._state is not state):
            return True
        self._fail(f"stands still in {state.phase}; last told: {[line for _, line in self._referee.lines[-4:]]}")
        return False

    # Faults --------------------------------------------------------------------------------------------------------

    def _kill(self, after_s: float) -> None:
        """Kill the process after `after_s` seconds, start it again, and continue the match."""
        self._referee.until(lambda: False, after_s)
        at = time.monotonic()
        self._referee.kill()
        self._view.again()
        self._sync()
        self._check_told()
        clock, zero = self._state.clock, self._zero
        self._start()
        self._sync()
        if clock.is_running and self._running is not None and self._state.phase is Phase.PAUSED:
            ran = at - (zero + self._running[1])
            self.tally.clocks.append(ran - (self._state.clock.used - self._running[0]))
        if self._state.phase in (Phase.BETWEEN, Phase.OVER):
            return
        self._referee.press("s")
        before = self._state
        self._referee.until(lambda: self._sync() and self._state is not before)

    def _lose_the_camera(self) -> bool:
        """Remove the camera for a while; return whether somebody pressed meanwhile."""
        away, press = self._folder / "away", self._random.random() < 0.5
        heard = len(self._referee.lines)
        self._pictures.rename(away)
        if press:
            self._press()
        if not self._referee.until(lambda: self._referee.told("expected a folder of pictures", heard)):
            self._fail("a lost camera was not told")
        away.rename(self._pictures)
        if not self._referee.until(lambda: self._referee.told("camera: working again", heard)):
            self._fail("a camera that came back was not told")
        return press

    def _chatter(self, state: State) -> None:
        """Simulate a loose wire at the button of a player whose turn it is not."""
        other, heard = (state.current + 1) % len(state.seats) + 1, len(self._referee.lines)
        for _ in range(40):
            self._referee.press(f"{other}+")
            time.sleep(0.002)
            self._referee.press(f"{other}-")
            time.sleep(0.002)
        self._referee.until(lambda: self._referee.told(f"button-{other}: working again", heard), CHATTER_S)

    def _pause(self) -> None:
        self._referee.press("s")
        if self._referee.until(lambda: self._sync() and self._state.phase is Phase.PAUSED, 5.0):
            self._referee.until(lambda: False, PAUSE_S)
            self._referee.press("s")
            self._referee.until(lambda: self._sync() and self._state.phase is not Phase.PAUSED, 5.0)

    def _on_a_full_disk(self, before: State) -> bool:
        """Fill the disk during a press and its answer, and check that all is written once there is room again."""
        heard = len(self._referee.lines)
        self._referee.room(NO_ROOM)
        self._press()
        if not self._referee.until(lambda: self._referee.told("the disk", heard)):
            self._fail("a full disk was not told")
        self._referee.until(lambda: False, 1.0)
        self._referee.room(-1)
        if not self._referee.until(lambda: self._referee.told("journal: working again", heard)):
            self._fail("a disk with room again was not told")
        return self._answered(before)

    # The process ---------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        self._zero = math.inf
        self._referee = Referee(self._options, self._folder)
        if not self._referee.until(lambda: self._referee.told("[")):
            self._fail(f"did not start: {self._referee.end(signal.SIGTERM)}")
            return
        self.tally.ready.append(self._referee.lines[-1][0] - self._referee.started)

    def _end(self) -> None:
        code, errors = self._referee.end(signal.SIGTERM)
        if (code, errors) != (0, ""):
            self._fail(f"ended with {code}: {errors}")
        self._sync()
        self._view.again()
        self._check_told()
        self.tally.matches += 1
        self.tally.events += len(self._view.rows)
        self.tally.lost += self._view.broken

    def _check_told(self) -> None:
        """Check that the journal has at least as many new turns as this run has announced."""
        lines = (line for _, line in self._referee.lines if "goes on" not in line)  # repeated after a pause
        told = sum("it is your turn" in line for line in lines)
        if told > self._greeted:
            self.tally.lost += 1
            self._fail(f"told {told} turns, {self._greeted} are in the journal")
        self._greeted = 0

    def _show(self) -> None:
        """Show the present table to the camera."""
        show(self._pictures, self.match.picture())
        self._truth.shown.append(self.match.table.table)

    # The journal ---------------------------------------------------------------------------------------------------

    @property
    def _state(self) -> State:
        if self._view.state is None:
            raise AssertionError("expected a match in the journal, found none")
        return self._view.state

    def _sync(self) -> bool:
        """Process new events of the journal; return True if there is a match in it."""
        for step in self._view.news():
            self._story.append(f"{type(step.event).__name__} -> {step.after.phase} {step.after.current}")
            self._truth.check(step)
            self._telling = isinstance(step.event, Settled)
            if isinstance(step.event, Seen):
                reads = (doubt.read for doubt in step.event.doubts if may_be_told(doubt))
                places = ((read.x_mm, read.y_mm) for read in reads if read is not None)
                self._questions = [(x, y) for x, y in places if x is not None and y is not None]
            self.match.people.follow_effects(step.effects)
            self._greeted += sum(isinstance(e, Say) and "it is your turn" in ENGLISH(e.notice) for e in step.effects)
            if not isinstance(step.event, Paused | Resumed):
                self._pending, self._line = None, ""
            clock = step.after.clock
            if clock.is_running and not step.before.clock.is_running:
                self._running = clock.used, step.event.t
            self._zero = min(self._zero, time.monotonic() - step.event.t)
        return self._view.state is not None

    def _fail(self, text: str) -> None:
        self.tally.failures.append(f"{self.name}, turn {self.tally.turns}: {text}; before: {' | '.join(self._story)}")
