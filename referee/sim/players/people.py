"""Players who lay sets on the table: they play, slip, correct themselves and run out of time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee.errors import BadInput
from referee.game.match.events import (
    Declared,
    DrawTile,
    Effect,
    Event,
    Pressed,
    RebuildBegun,
    RoundStarted,
    Started,
    TimeUp,
)
from referee.game.match.phases import Phase
from referee.game.match.round import begins_rebuilding, may_begin
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.rulebooks.model import JokerSets
from referee.game.table import Change, Set, Table, in_order, tiles_on
from referee.game.tiles import JOKER, Tile
from referee.sim.players.legal_turns import legal_turn
from referee.sim.players.moves import rearrange
from referee.sim.players.players import Doing, Players, sets_told, slip_told
from referee.sim.players.set_finding import Rack, rest
from referee.sim.players.turn_in_progress import Situation
from referee.sim.players.wrong_turns import Slip, illegal_turn

_SHOWN_ROW = 6
_SHOWS_LESS = 0.3
"""The factor by which `Habits.slips` is multiplied for forgetting a tile when the hand is shown."""
_ASIDE_MM = (70.0, 130.0)


@dataclass(frozen=True, slots=True)
class _Turn:
    """The situation at the beginning of a player's turn, and how often the player has tried."""

    player: int
    table: Table
    rack: Rack
    tries: int = 0


@dataclass(frozen=True, slots=True)
class _Held:
    """A press that follows after the player has declared jokers, or after the referee has noticed a rebuilding."""

    player: int
    late: bool = False
    doing: Doing | None = None


class People(Players):
    """Players of a game with sets on the table. Under some rules one tile lies `aside`."""

    aside: Tile | None = None
    _aside_used = False
    _turn: _Turn | None = None
    _held: _Held | None = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._stolen: Counter[Tile] = Counter()

    def start(self, t: float, first: int | None = None) -> Started:
        """Deal, and return the event that starts the match; `first` begins, or by None whoever the rule book says."""
        self._deal()
        if first is None:
            first = self.who_begins(first_round=True) or 0
        return Started(self.players, t, self.rounds, first, aside=self.aside)

    def act(self, state: State, t: float) -> Event:
        """Let the players do what is due after `t`; return the event that the referee notices."""
        player = state.current
        match state.phase:
            case Phase.TURN:
                return self._play(state, t)
            case _ if state.asked:
                return Pressed(player, t + 3.0)
            case Phase.PUTTING_RIGHT if state.due is not None:
                self._aside_used = False  # nobody is out, so the tile lies aside again
                self._lay(player, (*self._alone(), *state.due.target))
                if self._turn is not None:
                    self._return_borrowed(self._turn)
                self.doing = Doing(player, Notice("people.puts_right", player=self.players[player]))
                return Pressed(player, t + 8.0)
            case Phase.SHOWING:
                self._show(player)
                return Pressed(player, t + 6.0)
            case Phase.BETWEEN:
                self._deal()
                return RoundStarted(t + 20.0, self.who_begins(), self.aside)
        raise BadInput(f"expected a phase in which people act, got {state.phase}")

    def take_up(self, state: State) -> None:
        """Continue a match under way; tiles laid in a turn that was not judged are back on the rack."""
        table = state.table if state.due is None else state.due.target
        came = Counter(tiles_on(table)) - Counter(tiles_on(state.table))
        went = Counter(tiles_on(state.table)) - Counter(tiles_on(table))
        hands = [seat.hand for seat in state.seats]
        if state.phase.in_round:
            hands[state.current] += went.total() - came.total()
        self.aside, self._aside_used = state.aside, False
        jokers = [[JOKER] * min(seat.jokers or 0, hand) for seat, hand in zip(state.seats, hands, strict=True)]
        lying = (*self._alone(), *table)
        self._deal_hidden(jokers, hands, (tile for tiles in lying for tile in tiles))
        self.area.lay(lying, spots={0: _ASIDE_MM} if self._alone() else None)

    def follow_effects(self, effects: Iterable[Effect]) -> None:
        """Do what the effects ask of the players; drawing a tile ends the current turn."""
        effects = tuple(effects)
        super().follow_effects(effects)
        if any(isinstance(effect, DrawTile) for effect in effects):
            self._turn = None

    def _deal(self) -> None:
        """Shuffle and deal; if the rules give each player a number of jokers, those are dealt first."""
        number, size = len(self.players), self.rules.hand_size(len(self.players))
        each = self.rules.jokers_dealt(number) or 0
        tiles = [self._box[i] for i in self._rng.permutation(len(self._box))]
        if each:
            tiles = [tile for tile in tiles if not tile.is_joker]
        tiles += [JOKER] * (self.rules.box.jokers - each * number if each else 0)
        size -= each
        hands = [tiles[k * size : (k + 1) * size] for k in range(number)]
        self.racks = [Counter((*hand, *(JOKER,) * each)) for hand in hands]
        self.stock = tiles[size * number :]
        self.aside = None
        if self.rules.finish.last_tile:
            where = next(i for i, tile in enumerate(self.stock) if not tile.is_joker)
            self.aside = self.stock.pop(where)
        self.foreign.clear()
        self._stolen.clear()
        self._aside_used = False
        self.area.lay(self._alone(), spots={0: _ASIDE_MM})
        self._turn = None

    def _alone(self) -> Table:
        """Return the tile aside as a set of one tile; empty if there is none."""
        return () if self.aside is None or self._aside_used else ((self.aside,),)

    def _sets(self) -> Table:
        """Return what lies on the table, without the tile aside."""
        return self.area.table[len(self._alone()) :]

    def _lay(self, player: int, table: Table) -> None:
        """Lay `table`; its additional tiles come from the player's rack, and missing ones go there."""
        self.racks[player] = rest(self.racks[player], self.area.table, table)
        self.area.lay(table, self.side(player))

    def _play(self, state: State, t: float) -> Event:
        if self._held is not None and self._held.player == state.current:
            return self._release(self._held, state, t)
        turn = self._turn
        if turn is None or turn.player != state.current:
            self._stolen = Counter()
            turn = _Turn(state.current, self._sets(), self.racks[state.current])
        elif turn.tries:
            self._take_back(turn)
        left, timed = state.clock.seconds_left(t), state.clock.deadline is not None or may_begin(state)
        late = timed and turn.tries == 0 and self._rng.random() < self._habits.time_outs
        self._turn = _Turn(turn.player, turn.table, turn.rack, turn.tries + 1)
        after, slip = self._choice(turn, state.seat.opened, late)
        self._bring(turn, after)
        moved = may_begin(state) and begins_rebuilding(turn.table, after)
        late = late and (moved or not may_begin(state))
        self.doing = Doing(turn.player, self._turn_notice(turn, after, slip, late), slip, late)
        if moved:
            self._held = _Held(turn.player, late, self.doing)
            return RebuildBegun(t + 2.0)
        if late:
            return TimeUp(t + left + 0.1)
        press = Pressed(turn.player, t + min(float(self._rng.uniform(*self._habits.thinks_s)), 0.6 * left))
        if slip is None and self._must_declare(turn, after):
            self._held = _Held(turn.player)
            return Declared(turn.player, press.t)
        return press

    def _release(self, held: _Held, state: State, t: float) -> Event:
        """Return the event after a rebuilding or a declaration of jokers: the press, or the end of the time."""
        self._held = None
        left = state.clock.seconds_left(t)
        self.doing = held.doing or Doing(held.player, Notice("people.presses", player=self.players[held.player]))
        if state.clock.deadline is None:
            return Pressed(held.player, t + 1.0)
        return TimeUp(t + left + 0.1) if held.late else Pressed(held.player, t + 0.2 * left)

    def _must_declare(self, turn: _Turn, after: Table) -> bool:
        """Return whether the player has to declare what the jokers in a new set of jokers alone stand for."""
        if self.rules.joker_rule.alone is not JokerSets.DECLARED:
            return False
        return any(set(tiles) == {JOKER} for _, tiles in Change.between(turn.table, after).new)

    def _take_back(self, turn: _Turn) -> None:
        """Restore the table after a refusal; tiles that were not the player's own go back where they came from."""
        self._aside_used = False
        self._lay(turn.player, (*self._alone(), *turn.table))
        self._return_borrowed(turn)
        self.racks[turn.player] = turn.rack  # the old object, as the next try depends on the order of its tiles

    def _return_borrowed(self, turn: _Turn) -> None:
        """Return tiles that were not the player's own, and are no longer on the table, to where they came from."""
        back = self._stolen - (tiles_on(self._sets()) - tiles_on(turn.table))
        self.stock += (back - self.foreign).elements()
        self.foreign -= back
        self.racks[turn.player] = self.racks[turn.player] - back
        self._stolen = self._stolen - back

    def _bring(self, turn: _Turn, after: Table) -> None:
        """Lay `after`; tiles that the rack lacks are the tile aside, or come from the stock or another box."""
        lacking = tiles_on(after) - tiles_on(turn.table) - turn.rack
        if self.aside is not None and lacking[self.aside]:
            lacking -= Counter((self.aside,))
            self._aside_used = True
        for tile in lacking.elements():
            if tile in self.stock:
                self.stock.remove(tile)
            else:
                self.foreign[tile] += 1
        self._stolen = lacking
        self.racks[turn.player] = self.racks[turn.player] + lacking
        self._lay(turn.player, (*self._alone(), *after))

    def _choice(self, turn: _Turn, opened: bool, late: bool) -> tuple[Table, Slip | None]:
        """Return the table that the player leaves, and the slip if the turn is wrong."""
        seen = Situation(turn.table, turn.rack, opened, self.rules, self.aside, tuple(self.stock))
        habits, rng = self._habits, self._rng
        chance = (habits.slips, habits.slips_again, 0.0)[min(turn.tries, 2)]
        if rng.random() < (0.7 if late else chance):
            wrong = illegal_turn(seen, rng, late=late)
            if wrong is not None:
                return wrong[1], wrong[0]
        if turn.tries > 1 or rng.random() < habits.draws_anyway:
            return turn.table, None
        after = legal_turn(seen, rng)
        if after is None and opened and not self.rules.meld_rules.put_back and rng.random() < habits.rearranges:
            after = rearrange(turn.table, rng)
        return turn.table if after is None else after, None

    def _turn_notice(self, turn: _Turn, after: Table, slip: Slip | None, late: bool) -> Notice:
        name, change = self.players[turn.player], Change.between(turn.table, after)
        new = sets_told(tiles for _, tiles in change.new)
        if slip is not None:
            return Notice("people.late" if late else "people.tries", player=name, what=slip_told(slip), sets=new)
        if not new:
            return Notice("people.lays_nothing", player=name)
        if not change.laid:
            return Notice("people.moves", player=name, sets=new)
        return Notice("people.lays", player=name, tiles=in_order(change.laid.elements()), sets=new)

    def _show(self, player: int) -> None:
        """Lay the rest of the rack face up, apart from the sets."""
        tiles = in_order(self.racks[player].elements())
        if not tiles:
            self.area.nudge()  # already shown, but counted wrongly
            return
        short = len(tiles) > 1 and self.chance(_SHOWS_LESS * self._habits.slips)
        tiles = tiles[:-1] if short else tiles
        rows: list[Set] = [tiles[i : i + _SHOWN_ROW] for i in range(0, len(tiles), _SHOWN_ROW)]
        self._lay(player, (*self.area.table, *rows))
        told = Notice("people.shows_hand", player=self.players[player], sets=sets_told((tiles,)))
        self.doing = Doing(player, told, Slip.HAND_SHORT if short else None)
