"""A match at the virtual table: people who play, slip, correct themselves and run out of time.

The referee's side of the loop is three lines: `act` gives the next press, a look reads `picture`, `heard` passes the
effects on::

    state, effects = apply(new_match(rules), match.start(0.0))
    while state.phase is not Phase.OVER:
        event = Seen(read(match.picture()), t) if state.phase in LOOKS else match.act(state, t)
        state, effects = apply(state, event)
        match.heard(effects)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from referee.errors import BadInput
from referee.game.events import Ask, DrawTile, Effect, Event, Pressed, RoundStarted, Started, TimeUp
from referee.game.notation import format_set, format_table
from referee.game.rulesets import Ruleset
from referee.game.state import Phase, State
from referee.game.table import Change, Set, Table, in_order
from referee.sim.arrays import Image
from referee.sim.slips import Situation, Slip, illegal_turn
from referee.sim.table import SIDES, Setting, VirtualTable
from referee.sim.turns import Rack, legal_turn, rest

NAMES = ("Anna", "Ben", "Clara", "David")
LOOKS = frozenset({Phase.LOOKING, Phase.TIME_UP, Phase.CHECKING, Phase.COUNTING})
"""The phases in which the referee waits for a look."""
_SHOWN_ROW = 6


@dataclass(frozen=True, slots=True)
class Habits:
    """How the people play: chances of 0-1 for each turn, and seconds they think."""

    slips: float = 0.15
    slips_again: float = 0.25
    time_outs: float = 0.03
    draws_anyway: float = 0.05
    thinks_s: tuple[float, float] = (4.0, 25.0)


FLAWLESS = Habits(slips=0.0, slips_again=0.0, time_outs=0.0)
"""Players who never do anything wrong."""


@dataclass(frozen=True, slots=True)
class Doing:
    """What a player has just done, for tests and for spectators: never for the referee."""

    player: int
    text: str
    slip: Slip | None = None


@dataclass(frozen=True, slots=True)
class _Turn:
    """Where a player's turn began, and how often the referee has refused it."""

    player: int
    table: Table
    rack: Rack
    tries: int = 0


class VirtualMatch:
    """The people and the tiles of one match."""

    def __init__(
        self,
        rules: Ruleset,
        rng: np.random.Generator,
        *,
        players: tuple[str, ...] = NAMES,
        rounds: int = 1,
        habits: Habits | None = None,
        setting: Setting | None = None,
    ) -> None:
        if len(players) not in SIDES:
            raise BadInput(f"expected 2-4 players at the virtual table, got {len(players)}")
        if rules.knocking is not None:
            raise BadInput(f"expected a game with sets on the table, got {rules.name}: nobody here can play it yet")
        self.rules, self.players, self.rounds = rules, players, rounds
        self.table = VirtualTable(setting or Setting.usual(rules.box), rng)
        self.racks: list[Rack] = []
        self.stock: list[int] = []
        self.doing: Doing | None = None
        self._habits = habits or Habits()
        self._rng = rng
        self._turn: _Turn | None = None
        self._box = in_order(Counter(rules.box.inventory()).elements())

    def start(self, t: float, first: int = 0) -> Started:
        """Deal, and tell the referee who plays."""
        self._deal()
        return Started(self.players, t, self.rounds, first)

    def act(self, state: State, t: float) -> Event:
        """Let the people do what is due after `t`; the event that the referee then notices."""
        player = state.current
        match state.phase:
            case Phase.TURN:
                return self._play(state, t)
            case Phase.ASKING:
                return Pressed(player, t + 3.0)
            case Phase.PUTTING_RIGHT if state.due is not None:
                self._lay(player, state.due.target)
                self.doing = Doing(player, f"{self.players[player]} puts the table right")
                return Pressed(player, t + 8.0)
            case Phase.SHOWING:
                self._show(player)
                return Pressed(player, t + 6.0)
            case Phase.BETWEEN:
                self._deal()
                return RoundStarted(t + 20.0)
        raise BadInput(f"expected a phase in which people act, got {state.phase}")

    def heard(self, effects: Iterable[Effect]) -> None:
        """Let the people follow what the referee says: draw tiles, straighten what it cannot read."""
        for effect in effects:
            match effect:
                case DrawTile(player, count):
                    drawn, self.stock = self.stock[:count], self.stock[count:]
                    self.racks[player] += Counter(self._box[i] for i in drawn)
                case Ask():
                    self.table.nudge()

    def picture(self, *, hand: bool = False) -> Image:
        """The camera's picture now; with `hand`, of somebody who is still laying: (height_px, width_px, 3) BGR."""
        reaching = self.doing.player if hand and self.doing else None
        return self.table.picture([rack.total() for rack in self.racks], reaching)

    def _deal(self) -> None:
        size = self.rules.hand_size(len(self.players))
        order = [int(i) for i in self._rng.permutation(len(self._box))]
        hands = [order[k * size : (k + 1) * size] for k in range(len(self.players))]
        self.racks = [Counter(self._box[i] for i in hand) for hand in hands]
        self.stock = order[size * len(self.players) :]
        self.table.lay(())
        self._turn = None

    def _lay(self, player: int, table: Table) -> None:
        """Move tiles between a rack and the table, and only there."""
        self.racks[player] = rest(self.racks[player], self.table.table, table)
        self.table.lay(table, SIDES[len(self.players)][player])

    def _play(self, state: State, t: float) -> Event:
        turn = self._turn
        if turn is None or turn.player != state.current:
            turn = _Turn(state.current, self.table.table, self.racks[state.current])
        self._turn = _Turn(turn.player, turn.table, turn.rack, turn.tries + 1)
        left = state.clock.remaining(t)
        timed = state.clock.deadline is not None
        late = timed and turn.tries == 0 and self._rng.random() < self._habits.time_outs
        after, slip = self._choice(turn, state.seat.opened, late)
        self._lay(turn.player, after)
        self.doing = Doing(turn.player, self._told(turn, after, slip, late), slip)
        if late:
            return TimeUp(t + left + 0.1)
        return Pressed(turn.player, t + min(float(self._rng.uniform(*self._habits.thinks_s)), 0.8 * left))

    def _choice(self, turn: _Turn, opened: bool, late: bool) -> tuple[Table, Slip | None]:
        chance = (self._habits.slips, self._habits.slips_again, 0.0)[min(turn.tries, 2)]
        if self._rng.random() < (0.7 if late else chance):
            wrong = illegal_turn(Situation(turn.table, turn.rack, opened, self.rules), self._rng)
            if wrong is not None:
                return wrong[1], wrong[0]
        if turn.tries > 1 or self._rng.random() < self._habits.draws_anyway:
            return turn.table, None
        after = legal_turn(turn.table, turn.rack, opened, self.rules, self._rng)
        return turn.table if after is None else after, None

    def _told(self, turn: _Turn, after: Table, slip: Slip | None, late: bool) -> str:
        name, change = self.players[turn.player], Change.between(turn.table, after)
        new = format_table(tiles for _, tiles in change.new)
        if slip is not None:
            return f"{name} {'runs out of time with' if late else 'tries'} {slip}: {new}"
        if not new:
            return f"{name} lays nothing"
        return f"{name} lays {format_set(in_order(change.laid.elements()))}: {new}"

    def _show(self, player: int) -> None:
        """Lay the rest of the rack face up, apart from the sets."""
        tiles = in_order(self.racks[player].elements())
        if not tiles:
            self.table.nudge()  # shown before, but counted wrongly
            return
        rows: list[Set] = [tiles[i : i + _SHOWN_ROW] for i in range(0, len(tiles), _SHOWN_ROW)]
        self._lay(player, (*self.table.table, *rows))
        self.doing = Doing(player, f"{self.players[player]} shows the hand: {format_set(tiles)}")
