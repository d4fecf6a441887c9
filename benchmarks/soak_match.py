"""One match without pictures, in which the state is compared with the true tiles after every event."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.soak_time_up import LateTurns, wrong_first
from benchmarks.soak_truth import set_in_truth, wrong_in_truth
from referee.errors import BadInput, RefereeError
from referee.game.doubt import Doubt
from referee.game.gin.discards import judge_discard
from referee.game.gin.round import Stage
from referee.game.judge.judge import judge
from referee.game.match.events import Effect, Event, Lamp, Light, MatchTimeUp, Paused, Resumed, Seen, Show
from referee.game.match.machine import apply, new_match
from referee.game.match.match_time import match_deadline
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notation import format_table
from referee.game.rulebooks import Ruleset
from referee.game.table import Change, Table, in_order, tiles_on
from referee.i18n import ENGLISH
from referee.sim.generators import spawn_generator
from referee.sim.match import NAMES, people_for
from referee.sim.players.gin_people import GinPeople
from referee.sim.players.people import People
from referee.sim.players.players import BareTable, Doing, Habits, Players

MOST_EVENTS = 20_000
HABITS = Habits(slips=0.2, slips_again=0.3, time_outs=0.03)
_DOUBTS = 0.01
_PAUSES = 0.01
_ONE_ROUND = 0.7
_OPTIONS = 2 / 3
_FEW = 40
"""The highest value of a winning set; sets worth more are too rare to end a round."""


@dataclass
class Tally:
    """The counts of some matches; tallies can be added."""

    matches: int = 0
    ended: int = 0
    rounds: int = 0
    events: int = 0
    broken: int = 0
    """The number of events after which something was wrong."""
    legal: int = 0
    legal_refused: int = 0
    slips: Counter[str] = field(default_factory=Counter)
    slips_accepted: int = 0
    judge_ms: list[float] = field(default_factory=list)
    usual_ms: list[float] = field(default_factory=list)
    """The times of matches without options."""
    faults: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        for name, value in vars(other).items():
            mine = getattr(self, name)
            if isinstance(mine, Counter):
                mine.update(value)
            elif isinstance(mine, list):
                mine.extend(value)
            else:
                setattr(self, name, mine + value)


def any_options(book: Ruleset, rng: np.random.Generator) -> tuple[Ruleset, dict[str, str]]:
    """Return the book without options in every third match, otherwise with random options that do not conflict."""
    apart = spawn_generator(rng)  # so that the options of tournaments change nothing else in a match
    while rng.random() < _OPTIONS:
        chosen = {}
        for option in book.options:
            names = [name for name, _ in option.choices]
            if option.numbers and rng.random() < 0.5:
                few = [number for number in option.numbers[0] if number < _FEW]
                names = [str(few[int(rng.integers(len(few)))])]
            chosen[option.name] = names[int((apart if option.for_tournaments else rng).integers(len(names)))]
        if chosen.get("winning-set", "off") != "off" or chosen.get("last-tile") == "on":
            chosen["tie"] = "shared"  # otherwise most rounds would be played again, as few are won then
        try:
            return book.choose(**chosen), chosen
        except BadInput:
            continue
    return book, {}


class Soaked:
    """A match in which every event is checked."""

    def __init__(self, book: Ruleset, seed: int, watch: Callable[[State, Event], None] = lambda *_: None) -> None:
        """`watch` is called with every event, and the state before it."""
        rng = np.random.default_rng([seed, sum(map(ord, book.name))])
        self.rules, chosen = any_options(book, rng)
        fewest, most = book.players
        number = int(rng.integers(fewest, most + 1))
        options = "".join(f" {name}={choice}" for name, choice in chosen.items())
        self.name = f"{book.name} seed {seed} {number} players{options}"
        rounds = 1 if rng.random() < _ONE_ROUND else 2
        self.people: Players = people_for(
            self.rules, rng, BareTable(), players=NAMES[:number], rounds=rounds, habits=HABITS
        )
        self.tally = Tally(matches=1)
        self._watch = watch
        self._rng = rng
        self._usual = not chosen
        self._box = Counter(self.rules.box.inventory())
        self._opened: list[bool] = [False] * number
        self._settled: Table = ()
        self._refused = False
        self._late = LateTurns()

    def play(self) -> Tally:
        """Play to the end; the tally has all failures."""
        try:
            self._play()
        except (RefereeError, ValueError, LookupError, StopIteration) as error:
            self._fail(f"stopped: {error!r}")
        return self.tally

    def _play(self) -> None:
        event: Event = self.people.start(0.0)
        state = self._step(new_match(self.rules), event)
        while state.phase is not Phase.OVER and self.tally.events < MOST_EVENTS:
            event = self._next_event(state, event.t)
            state = self._step(state, event)
        self.tally.rounds += len(state.sheet.rounds)
        if state.phase is Phase.OVER:
            self.tally.ended += 1
        else:
            self._fail(f"not over after {MOST_EVENTS} events, phase {state.phase}")

    def _next_event(self, state: State, t: float) -> Event:
        """Return the next event, which now and then is a doubt or a pause."""
        end = match_deadline(state)
        if end is not None and t >= end:
            return MatchTimeUp(t)
        odd = self._rng.random()
        if state.phase is Phase.PAUSED:
            return Resumed(t + 60.0)
        if state.phase.looks and not state.asked:
            if odd < _DOUBTS:
                return Seen(self.people.area.table[1:], t + 0.3, (Doubt("a tile"),))
            return Seen(self.people.area.table, t + 0.3)
        if state.phase is Phase.TURN and odd < _PAUSES:
            return Paused(t)
        return self.people.act(state, t)

    def _step(self, before: State, event: Event) -> State:
        self._watch(before, event)
        doing = self.people.doing
        if isinstance(event, Seen) and not event.doubts:
            self._time(before, event)
        state, effects = apply(before, event)
        self.tally.events += 1
        if isinstance(event, Seen) and not event.doubts and doing is not None:
            self._answered(before, event, effects, doing)
        self.people.follow_effects(effects)
        self._late.looked(before, event, effects)
        wrong = wrong_first(before, event, state) or self._wrong(before, state)
        if wrong:
            self.tally.broken += 1
            self._fail(wrong)
        return state

    def _time(self, state: State, event: Seen) -> None:
        """Time the judge for this look at a turn, with garbage collection switched off."""
        if state.phase not in (Phase.LOOKING, Phase.TIME_UP):
            return
        gc.disable()
        start = time.process_time()
        try:
            if state.gin is None:
                judge(state.table, event.table, state.turn, state.rules)
            elif state.gin.stage is not Stage.DEALING:
                judge_discard(state.gin, event.table, state.current, state.rules.box)
        finally:
            gc.enable()
        self.tally.judge_ms.append(1e3 * (time.process_time() - start))
        if self._usual:
            self.tally.usual_ms.append(self.tally.judge_ms[-1])

    # What the referee answers ---------------------------------------------------------------------------------------

    def _answered(self, before: State, event: Seen, effects: tuple[Effect, ...], doing: Doing) -> None:
        """Compare the answer to a look with what the player actually did."""
        lights = {effect.light for effect in effects if isinstance(effect, Lamp)}
        verdicts = [effect.verdict for effect in effects if isinstance(effect, Show)]
        if before.phase is Phase.CHECKING:
            return
        refused = self._refused = Light.REFUSED in lights
        if doing.slip is None:
            self.tally.legal += 1
            if refused:
                self.tally.legal_refused += 1
                self._fail_turn(
                    "refused", before, event, doing, [ENGLISH(f.notice) for v in verdicts for f in v.faults]
                )
            elif before.gin is None and before.phase is not Phase.COUNTING:
                rows = [tiles for tiles in event.table if tiles not in (*before.table, (before.aside,))]
                if bad := [tiles for tiles in rows if not set_in_truth(tiles, self.rules)]:
                    self._fail(f"accepted though {format_table(bad)} is no set")
            return
        self.tally.slips[doing.slip.name.lower().replace("_", "-")] += 1
        self.tally.faults.update(fault.kind.value for verdict in verdicts for fault in verdict.faults)
        if not refused:
            self.tally.slips_accepted += 1
            self._fail_turn("accepted", before, event, doing, [])
        if not wrong_in_truth(doing.slip, before, event.table, self.rules):
            self._fail_turn("a slip that is none", before, event, doing, [])

    def _fail_turn(self, what: str, before: State, event: Seen, doing: Doing, why: list[str]) -> None:
        change = Change.between(before.table, event.table)
        new = (tiles for _, tiles in change.new)
        tables = f"{format_table(change.old) or 'no set'} -> {format_table(new) or 'no set'}"
        seat = f"hand {before.seat.hand}, {'opened' if before.seat.opened else 'not opened'}"
        aside = f", {before.aside} aside" if before.aside else ""
        self._fail(f"{what}: {ENGLISH(doing.told)} ({seat}{aside}; {tables}) {' '.join(why)}")

    def _fail(self, text: str) -> None:
        self.tally.failures.append(f"{self.name}: {text}")

    # What must hold after every event --------------------------------------------------------------------------------

    def _wrong(self, before: State, state: State) -> str | None:
        """Return what is wrong after an event; None if nothing is."""
        people = self.people
        there = people.everything()
        if there != self._box:
            return f"tiles came or went: {there - self._box} more, {self._box - there} less"
        hands = [rack.total() for rack in people.racks]
        if state.phase in (Phase.OVER, Phase.BETWEEN):
            return self._wrong_score(before, state)
        if state.gin is not None:
            return self._wrong_gin(state, hands)
        if not isinstance(people, People) or state.phase is not Phase.TURN:
            return None
        if before.phase in (Phase.TURN, Phase.PAUSED) and before.current == state.current:
            return None
        return self._wrong_turn(before, state, hands, people)

    def _wrong_turn(self, before: State, state: State, hands: list[int], people: People) -> str | None:
        """Return what is wrong at the beginning of a turn: the referee must know all hands and the table."""
        if before.phase in (Phase.LOBBY, Phase.BETWEEN):
            self._refused = False
            self._opened = [False] * len(hands)
            self._settled = ()
        if self._refused and state.current == before.current:
            return None  # the table has not been restored yet
        lying = [tiles for tiles in people.area.table if tiles != (people.aside,)]
        if Counter(map(in_order, lying)) != Counter(map(in_order, state.table)):
            return f"the referee sees {format_table(state.table)}, there lies {format_table(lying)}"
        if state.drew and state.current == before.current:
            self._late.drew = True
        else:
            if wrong := before.phase.in_round and self._late.wrong(self.rules.name, tuple(lying), len(people.stock)):
                return wrong
            self._late.begin(state, tuple(lying), len(people.stock))
        if state.current != before.current or state.drew:
            if tiles_on(lying) - tiles_on(self._settled):
                self._opened[before.current] = True
            self._settled = tuple(lying)
        seats = state.seats
        truth = (hands, len(people.stock), self._opened, people.aside)
        told = ([seat.hand for seat in seats], state.stock, [seat.opened for seat in seats], state.aside)
        if truth != told:
            return f"hands, stock, first melds, tile aside are {truth}, the referee says {told}"
        return None

    def _wrong_gin(self, state: State, hands: list[int]) -> str | None:
        people, gin = self.people, state.gin
        if not isinstance(people, GinPeople) or gin is None or state.phase is not Phase.TURN or people.has_slipped:
            return None
        if gin.stage is Stage.DEALING:
            return None
        if hands != [seat.hand for seat in state.seats] or len(people.stock) != state.stock:
            return f"hands of {hands} and a stock of {len(people.stock)}, the referee counts {state}"
        if people.row != gin.open:
            return f"open row {people.row}, the referee says {gin.open}"
        if any(known - set(rack) for known, rack in zip(gin.known, people.racks, strict=True)):
            return f"known hands {gin.known} are not held"
        return None

    def _wrong_score(self, before: State, state: State) -> str | None:
        """Return what is wrong with a score: the hands must be the true ones, and that of the winner empty."""
        if len(before.sheet.rounds) == len(state.sheet.rounds):
            return None
        line = state.sheet.rounds[-1]
        shown = [seat.shown for seat in state.seats]
        if self.rules.knocking is not None or not any(shown):
            return None
        cost = self.rules.scoring.joker
        points = [sum(cost if tile.is_joker else tile.number for tile in tiles or ()) for tiles in shown]
        agreed = {self.rules.scoring.unopened, self.rules.scoring.withheld} - {None}
        paired = zip(line.hands, points, state.seats, strict=True)
        if any(told not in ({worth} if seat.opened else agreed or {worth}) for told, worth, seat in paired):
            return f"hands worth {points}, written down {line.hands}"
        if state.winner is not None and line.winner is None:
            return "somebody went out, and nobody has won"
        return None
