"""Players of Gin: an open row of discards, hidden hands, a knock, and both hands laid open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from referee.errors import BadInput
from referee.game.gin.hands import Arrangement, arrange, least_rest
from referee.game.gin.round import GinRound, Stage
from referee.game.gin.showdown import LayOff, best_discard, lay_off, may_knock
from referee.game.match.events import Event, Pressed, RoundStarted, Started
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice, Value
from referee.game.sets import is_set
from referee.game.table import Set, Table, in_order
from referee.game.tiles import Tile
from referee.sim.players.gin_mistakes import GinSituation, GinSlip, wrong_turn
from referee.sim.players.players import Doing, Players, sets_told, slip_told
from referee.sim.players.set_finding import extensions

LINE = 10
"""The number of open tiles in one line; the next line begins below."""
_FIRST_MM, _STEP_MM = (300.0, 220.0), 76.0
_KNOCKS = 0.6
_KNOCKS_ANYWAY = 0.01
_PUTS_BACK = 0.02
_WITHDRAWS = 0.03
_CARELESS = 0.1


@dataclass(frozen=True, slots=True)
class _Before:
    """The situation before a slip, to which the player returns afterwards."""

    player: int
    row: Set
    rack: Counter[Tile]
    stock: tuple[Tile, ...]
    piles: Table


class GinPeople(Players):
    """Two players of Gin. `row` has the discards, the latest last; `piles` has the tiles laid open after a knock."""

    row: Set = ()
    piles: Table = ()
    _knocker = Arrangement((), (), 0)
    _before: _Before | None = None
    _presses_again = False
    _tries = 0
    """How many times in succession the current player has slipped."""

    @property
    def has_slipped(self) -> bool:
        """Whether the last turn was a slip that has not been corrected yet."""
        return self._before is not None

    def start(self, t: float, first: int | None = None) -> Started:
        """Deal, and return the event that starts the match; then the referee asks the dealer for an open tile."""
        self._deal()
        if first is None:
            first = self.who_begins(first_round=True) or 0
        return Started(self.players, t, self.rounds, first)

    def act(self, state: State, t: float) -> Event:
        """Let the players do what is due after `t`; return the event that the referee notices."""
        if state.asked:
            return Pressed(state.current, t + 3.0)
        if state.phase is Phase.BETWEEN:
            self._deal()
            return RoundStarted(t + 20.0, self.who_begins())
        if state.gin is None or state.phase not in (Phase.TURN, Phase.PUTTING_RIGHT, Phase.SHOWING):
            raise BadInput(f"expected a phase in which people act, got {state.phase}")
        long = self._do(state.current, state.gin)
        return Pressed(state.current, t + float(self._rng.uniform(*self._habits.thinks_s)), long)

    def take_up(self, state: State) -> None:
        """Continue a round of Gin under way; hands are dealt anew, but keep the tiles that everybody saw taken."""
        seen = state.gin or GinRound()
        shown = (*seen.laid.sets, *((tile,) for tile in seen.laid.rest)) if seen.stage is Stage.OPPONENT else ()
        self.row, self.piles, self._knocker = seen.open, shown, seen.laid
        hands = [seat.hand for seat in state.seats]
        known = [set(tiles) for tiles in seen.known]
        if shown:
            knocker, laid = 1 - state.current, {tile for pile in shown for tile in pile}
            hands[knocker], known[knocker] = 0, known[knocker] - laid
        self._deal_hidden(known, hands, (*seen.open, *(tile for pile in shown for tile in pile)))
        self._lay(state.current)

    def _do(self, player: int, seen: GinRound) -> bool:
        """Let a player do what is due; return True for a knock."""
        if self._presses_again:
            self._presses_again = False
            self._tell(player, "presses_again")
            return False
        self._correct(player)
        match seen.stage:
            case Stage.DEALING:
                self._open_first(player)
            case Stage.KNOCKER:
                self._show_knocker(player)
            case Stage.OPPONENT:
                self._show_opponent(player)
            case Stage.TAKING_BACK:
                self._take_up(player)
                self._tell(player, "takes_hand_back")
                self._lay(player)
            case _:
                return self._turn(player, seen)
        return False

    # The table -------------------------------------------------------------------------------------------------------

    def _deal(self) -> None:
        tiles = [self._box[i] for i in self._rng.permutation(len(self._box))]
        size = self.rules.hand_size(len(self.players))
        self.racks = [Counter(tiles[k * size : (k + 1) * size]) for k in range(len(self.players))]
        self.stock = tiles[size * len(self.players) :]
        self.row, self.piles, self._before = (), (), None
        self.foreign.clear()
        self.area.lay(())

    def _lay(self, player: int) -> None:
        """Lay the row and the piles on the table: the row in lines, one below the other."""
        lines = [self.row[i : i + LINE] for i in range(0, len(self.row), LINE)]
        spots = {index: (_FIRST_MM[0], _FIRST_MM[1] + _STEP_MM * index) for index in range(len(lines))}
        self.area.lay((*lines, *self.piles), self.side(player), spots)

    def _take_up(self, player: int) -> None:
        """Take the piles back to the rack."""
        self.racks[player] = self.racks[player] + Counter(tile for pile in self.piles for tile in pile)
        self.piles = ()

    def _tell(self, player: int, key: str, wrong: GinSlip | None = None, /, **fields: Value) -> None:
        self.doing = Doing(player, Notice(f"people.{key}", player=self.players[player], **fields), wrong)

    def _slips(self, share: float = 1.0) -> bool:
        """Return whether the player slips now; nobody does so three times in a row."""
        habits = self._habits
        return self.chance(share * (habits.slips, habits.slips_again, 0.0)[min(self._tries, 2)])

    def _remember(self, player: int) -> None:
        """Store the situation before a slip."""
        self._before = _Before(player, self.row, Counter(self.racks[player]), tuple(self.stock), self.piles)
        self._tries += 1

    def _correct(self, player: int) -> None:
        """If the player has slipped, restore the situation before the slip."""
        before, self._before = self._before, None
        if before is None or before.player != player:
            self._tries = 0
            return
        self.row, self.racks[player], self.stock = before.row, before.rack, list(before.stock)
        self.piles = before.piles
        self.foreign.clear()
        self._lay(player)

    # A turn ----------------------------------------------------------------------------------------------------------

    def _open_first(self, player: int) -> None:
        number = 1
        if self._slips(0.5):
            self._remember(player)
            number = 2
        self.row, self.stock = tuple(self.stock[:number]), self.stock[number:]
        self._tell(player, "deals", GinSlip.DEALT_WRONG if number > 1 else None, tiles=self.row)
        self._lay(player)

    def _turn(self, player: int, seen: GinRound) -> bool:
        hand = frozenset(self.racks[player])
        situation = GinSituation(self.row, hand, self.stock[0], seen.stage, seen.confirming)
        if self._slips() and (wrong := wrong_turn(situation, self._rng)):
            slip, (row, held, drew) = wrong
            self._remember(player)
            self.row, self.racks[player] = row, Counter(held)
            self.stock = self.stock[drew:]
            if slip is GinSlip.FOREIGN:
                self.foreign[row[-1]] += 1
            self._tell(player, "tries", slip, what=slip_told(slip), sets=sets_told((row,)))
            self._lay(player)
            return False
        if seen.stage is Stage.TURN and not seen.confirming and self.chance(_PUTS_BACK):
            self._presses_again = True
            self._tell(player, "puts_back", GinSlip.PUT_BACK, tile=self.row[-1])
            return False
        return self._legal_turn(player, seen.stage, hand)

    def _legal_turn(self, player: int, stage: Stage, hand: frozenset[Tile]) -> bool:
        """Take a tile and discard one, or leave the offered tile; return True for a knock."""
        last = self.row[-1]
        if stage is not Stage.MUST_DRAW and self._helps(last, hand):
            taken = last
            self.row = self.row[:-1]
            self._lay(player)
        elif stage.offer:
            self._tell(player, "leaves", tile=last)
            return False
        else:
            taken = self.stock.pop(0)
        laid = best_discard(hand | {taken}, self.rules)
        if laid == last or self.chance(_CARELESS):
            others = sorted(hand - {last})
            laid = others[int(self._rng.integers(len(others)))]
        hand = (hand | {taken}) - {laid}
        self.racks[player] = Counter(hand)
        self.row = (*self.row, laid)
        allowed = may_knock(hand, self.rules)
        knocks = self.chance(_KNOCKS if allowed else _KNOCKS_ANYWAY * (self._habits.slips > 0))
        fields: dict[str, Value] = {"laid": laid}
        if taken == last:
            fields["taken"] = taken
        key = "takes_open" if taken == last else "takes_hidden"
        self._tell(player, f"{key}_and_knocks" if knocks else key, None, **fields)
        self._lay(player)
        return knocks

    def _helps(self, tile: Tile, hand: frozenset[Tile]) -> bool:
        """Return whether the tile would make the deadwood smaller, or a careless player thinks so."""
        if self.chance(_CARELESS):
            return True
        together = hand | {tile}
        laid = best_discard(together, self.rules)
        return laid != tile and least_rest(together - {laid}, self.rules) + 2 < least_rest(hand, self.rules)

    # Hands laid open -------------------------------------------------------------------------------------------------

    def _show_knocker(self, player: int) -> None:
        hand = frozenset(self.racks[player])
        if self.chance(_WITHDRAWS):
            self._presses_again = True
            self._tell(player, "no_knock", GinSlip.WITHDRAWN)
            return
        self._knocker = arrange(hand, self.rules)
        allowed = may_knock(hand, self.rules)
        self._open_hand(player, (), self._knocker, None if allowed else GinSlip.KNOCK)

    def _show_opponent(self, player: int) -> None:
        hand, sets, gin = frozenset(self.racks[player]), self._knocker.sets, not self._knocker.rest
        best = lay_off(hand, () if gin else sets, self.rules)
        slip = None
        if gin and self._slips() and (wrong := lay_off(hand, sets, self.rules)).added:
            best, slip = wrong, GinSlip.ADDED_AFTER_GIN
        elif self.chance(_CARELESS):
            best = LayOff((), arrange(hand, self.rules))
        self._open_hand(player, best.added, best.own, slip)

    def _open_hand(self, player: int, added: Set, own: Arrangement, slip: GinSlip | None) -> None:
        """Lay open a hand: lay-offs at the knocker's sets, the player's own sets, and every other tile by itself.

        If the player slips here, all tiles lie in one heap, or one is left on the rack.
        """
        if slip is not None and slip is not GinSlip.KNOCK:
            self._remember(player)
        theirs = _with_added(self.piles, added, len(self._knocker.sets) if self.piles else 0)
        piles = (*own.sets, *((tile,) for tile in own.rest))
        heap = in_order(tile for pile in piles for tile in pile)
        if slip is None and self._slips():
            self._remember(player)
            heaped = bool(own.sets) and not is_set(heap) and self.chance(0.5)
            slip = GinSlip.HEAPED if heaped else GinSlip.TOO_FEW
            piles = (heap,) if heaped else (*piles[:-1], *((piles[-1][:-1],) if len(piles[-1]) > 1 else ()))
        self.piles = (*theirs, *piles)
        self.racks[player] = self.racks[player] - Counter((*added, *(tile for pile in piles for tile in pile)))
        if slip is None:
            self._tell(player, "shows_hand", sets=sets_told(piles))
        else:
            self._tell(player, "shows_wrong_hand", slip, sets=sets_told(piles), what=slip_told(slip))
        self._lay(player)


def _with_added(piles: Table, added: Iterable[Tile], sets: int) -> Table:
    """Return the piles after tiles were laid off at the first `sets` of them, runs first."""
    grown, waiting = list(piles), list(added)
    order = sorted(range(sets), key=lambda k: piles[k][0].number == piles[k][1].number)
    while waiting:
        tile, k, longer = next(
            (tile, k, longer)
            for k in order
            for tile in waiting
            for fits, longer in extensions(grown[k])
            if fits == tile
        )
        waiting.remove(tile)
        grown[k] = longer
    return tuple(grown)
