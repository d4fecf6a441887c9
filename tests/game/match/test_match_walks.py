"""Random matches of every book with random options: made-up tables, wrong presses, time that runs out, corrections."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from referee.errors import BadInput
from referee.game.doubt import Doubt
from referee.game.match.events import (
    Called,
    Corrected,
    Declared,
    DrawTile,
    HandShown,
    Insisted,
    MatchOver,
    Paused,
    Pressed,
    Resumed,
    RoundStarted,
    ScoreRound,
    Seen,
    Started,
    TimeUp,
    Withdrawn,
)
from referee.game.match.machine import OutOfOrder, apply, new_match
from referee.game.match.phases import Phase
from referee.game.match.rummy_call import may_call
from referee.game.rulebooks import RULESETS
from referee.game.table import in_order, tiles_on
from referee.game.tiles import HIGHEST, JOKER, Tile
from tests.support.errors import telling

BOOKS = [rules for rules in RULESETS.values() if rules.knocking is None]
LOOKS = {Phase.LOOKING, Phase.ASKING, Phase.TIME_UP, Phase.CHECKING, Phase.COUNTING}
NAMES = ("Ann", "Ben", "Cleo", "Dan")


def choose(rules, rng):
    """The book with options chosen at random; where they contradict each other, as it is."""
    choices = {option.name: rng.choice([name for name, _ in option.choices]) for option in rules.options}
    try:
        return rules.choose(**choices)
    except BadInput:
        return rules


def sets_of(box, lowest):
    """Every plain set of three or four whose numbers are not below `lowest`."""
    colours = box.colours
    for number in range(lowest, HIGHEST + 1):
        yield tuple(Tile(number, colour) for colour in colours)
        yield tuple(Tile(number, colour) for colour in colours[:3])
        for colour in colours if number <= HIGHEST - 2 else ():
            yield tuple(Tile(n, colour) for n in range(number, number + 3))


class Walk:
    """One match; the events that were accepted are kept, and so is the number of tiles that there must be."""

    def __init__(self, rules, rng):
        self.rules, self.rng, self.t = choose(rules, rng), rng, 0.0
        players = rng.randint(*rules.players)
        self.base = self.state = new_match(self.rules)
        self.events, self.effects = [], ()
        self.do(Started(NAMES[:players], 0.0, 2, rng.randrange(players), self._aside()))
        self.total = self.rules.box.total

    def go_on(self):
        """Do one thing that may happen now."""
        state, now = self.state, [self.what_cannot_happen_is_refused]
        match state.phase:
            case Phase.TURN:
                now = [self.press] * 9 + [self.pause, self.declare, *now]
                now += [self.let_time_run_out] * 4 if state.clock.deadline is not None else []
                now += [self.run_short_of_stock] if state.stock > 3 else []
                now += [self.run_short_of_tiles] if state.seat.hand > 6 else []
            case Phase.BETWEEN:
                now = [self.next_round] * 5 + now
            case Phase.SHOWING | Phase.COUNTING:
                now = [self.show_the_hand] * 9 + now
                now += [self.insist] * 9 if state.in_question is not None else []
            case Phase.PUTTING_RIGHT:
                now = [self.press] * 9 + now
            case Phase.CHECKING:
                now = [self.see_what_was_asked_for, self.see_tiles_added_or_missing_or_loose, *now]
            case Phase.ASKING if state.in_question is not None:
                now = [self.insist, self.press] * 3 + now
            case phase if phase in LOOKS:
                now = [self.see_new_sets] * 6 + [self.see_tiles_added_or_missing_or_loose, self.see_nothing_new, *now]
        now += [self.see_a_doubt] if self.looks else []
        now += [self.call] * 3 if may_call(state, self.last, self.t) else []
        now += [self.press] if state.phase is Phase.ASKING else []
        now += [self.take_the_press_back] if state.phase in (Phase.LOOKING, Phase.ASKING) else []
        now += [self.correct] if state.sheet.rounds else []
        self.rng.choice(now)()
        self.check()

    @property
    def looks(self):
        """Whether the answer to a look may come."""
        return self.state.phase in LOOKS and self.state.in_question is None

    @property
    def last(self):
        """Whose press was the last one."""
        return self.state.current if self.state.before is None else self.state.before.current

    def do(self, event):
        before = self.state
        self.state, self.effects = apply(before, event)
        self.events.append(event)
        drawn = sum(effect.count for effect in self.effects if isinstance(effect, DrawTile))
        if not isinstance(event, Started | RoundStarted | Called):
            assert self.state.stock == before.stock - drawn

    def refused(self, event):
        """An event that cannot happen now: it is refused, and says what was expected, or what has not been yet."""
        with telling(BadInput, match=r"expected .*got|has not been played"):
            apply(self.state, event)

    def later(self, seconds):
        self.t += seconds
        return self.t

    def _aside(self):
        if not self.rules.finish.last_tile:
            return None
        return Tile(self.rng.randint(1, HIGHEST), self.rules.box.colours[0])

    @property
    def hidden(self):
        """Tiles that may be in the hand of the player whose turn it is."""
        state = self.state
        told = (seat.shown or () for seat in state.seats if seat.hand)
        left = Counter(self.rules.box.inventory())
        left.subtract(tiles_on((*state.table, *told, () if state.aside is None else (state.aside,))))
        if state.seat.jokers is not None:
            left[JOKER] = state.seat.jokers
        return +left

    def press(self):
        self.do(Pressed(self.state.current, self.later(self.rng.uniform(0, 70)), self.rng.random() < 0.1))

    def take_the_press_back(self):
        self.do(Withdrawn(self.state.current, self.later(0.5)))

    def call(self):
        self.do(Called(self.last, self.t))

    def insist(self):
        before, player = self.state, self.state.current
        self.do(Insisted(player, self.later(1)))
        if before.phase is Phase.ASKING:
            assert self.state.winner == player
            self.left = before.seat.hand + (before.aside is not None and self.state.aside is None)
            self.left -= tiles_on(self.state.table).total() - tiles_on(before.table).total()
            self.total -= self.left

    def see_new_sets(self):
        hidden, new = self.hidden, []
        for _ in range(self.rng.randint(1, 3)):
            choices = [
                some for some in sets_of(self.rules.box, self.rng.choice([1, 11])) if not Counter(some) - hidden
            ]
            if choices:
                some = self.rng.choice(choices)
                hidden -= Counter(some)
                if hidden[JOKER] and self.rng.random() < 0.1:
                    hidden[JOKER] -= 1
                    some = (*some[:-1], JOKER)
                new.append(some)
        self.see((*self.state.table, *new))

    def see_tiles_added_or_missing_or_loose(self):
        table, hidden = [list(tiles) for tiles in self.state.table], list(self.hidden.elements())
        self.rng.shuffle(hidden)
        for tiles in table:
            if self.rng.random() < 0.1:
                tiles.pop(self.rng.choice([0, -1]))
            if self.rng.random() < 0.3:
                tiles.append(hidden.pop())
        if self.state.aside is not None and self.rng.random() < 0.5:
            table.append([self.state.aside])
        self.see(tuple(tuple(tiles) for tiles in table if tiles))

    def see_nothing_new(self):
        self.see(self.state.table)

    def see_what_was_asked_for(self):
        self.see(self.state.due.target)
        assert self.state.phase is not Phase.PUTTING_RIGHT

    def see_a_doubt(self):
        before = self.state
        self.do(Seen((), self.later(1), (Doubt("a tile"),)))
        assert (self.state.table, self.state.current) == (before.table, before.current)

    def see(self, table):
        self.do(Seen(table, self.later(1)))

    def show_the_hand(self):
        tiles = sorted(self.hidden.elements())
        self.rng.shuffle(tiles)
        seat = self.state.seat
        if seat.jokers is not None:
            tiles = [JOKER] * seat.jokers + [tile for tile in tiles if not tile.is_joker]
        hand = tuple(tiles[: seat.hand - (self.rng.random() < 0.1)])
        before, player = len(self.state.sheet.rounds), self.state.current
        insists = self.state.called and self.state.phase is Phase.COUNTING
        if self.state.phase is Phase.COUNTING:
            self.see((*self.state.table, hand) if hand else self.state.table)
        elif self.rng.random() < 0.3:
            self.do(HandShown(player, hand, self.later(1)))
        else:
            self.do(Pressed(player, self.later(1)))
            self.see((*self.state.table, hand) if hand else self.state.table)
        taken = self.state.seats[player].shown is not None or len(self.state.sheet.rounds) > before
        assert taken == (insists or len(hand) == seat.hand)
        self.total += len(hand) - seat.hand if taken else 0

    def let_time_run_out(self):
        self.t = self.state.clock.deadline
        self.do(TimeUp(self.t))

    def pause(self):
        left = self.state.clock.seconds_left(self.t)
        self.do(Paused(self.t))
        self.do(Resumed(self.later(500)))
        assert self.state.clock.seconds_left(self.t) == pytest.approx(left)

    def declare(self):
        try:
            self.do(Declared(self.state.current, self.t))
        except OutOfOrder:
            assert self.rules.name != "classic" or not self.state.declared

    def run_short_of_stock(self):
        """A long match in short: most of the stock is gone, as if it had never been in the box."""
        stock = self.rng.randint(0, 3)
        self.total -= self.state.stock - stock
        self.base = self.state = replace(self.state, stock=stock, before=None)
        self.events = []

    def run_short_of_tiles(self):
        """Another way to shorten it: the player holds just six."""
        seat = self.state.seat
        self.total -= seat.hand - 6
        self.base = self.state = replace(self.state.with_seat(replace(seat, hand=6)), before=None)
        self.events = []

    def next_round(self):
        self.do(RoundStarted(self.later(5), None, self._aside()))
        self.total = self.rules.box.total

    def correct(self):
        seats = len(self.state.seats)
        winner = self.rng.choice([None, *range(seats)])
        most = 60 if winner is not None or self.rules.meld_rules.stock_counts else 0
        hands = [self.rng.randint(0, most) for _ in range(seats)]
        if winner is not None:
            hands[winner] = 0
        before = self.state
        number = self.rng.randint(1, len(before.sheet.rounds))
        self.do(Corrected(number, tuple(hands), self.t, winner))
        assert [effect.round for effect in self.effects if isinstance(effect, ScoreRound)] == [number]
        assert len(self.state.sheet.corrections) == len(before.sheet.corrections) + 1
        assert replace(self.state, sheet=before.sheet, phase=before.phase) == before

    def what_cannot_happen_is_refused(self):
        state, t = self.state, self.t
        wrong = [
            Started(NAMES[:2], t),
            Pressed(len(state.seats), t),
            HandShown(-1, (), t),
            Corrected(len(state.sheet.rounds) + 1, (0,) * len(state.seats), t),
            Declared(-1, t),
        ]
        if not self.looks:
            wrong.append(Seen((), t))
        if state.in_question is None:
            wrong.append(Insisted(state.current, t))
        if not may_call(state, self.last, t):
            wrong.append(Called(self.last, t))
        if not (state.phase is Phase.TURN and state.clock.is_expired(t)):
            wrong.append(TimeUp(t))
        if state.phase is not Phase.BETWEEN:
            wrong.append(RoundStarted(t))
        if state.phase in LOOKS - {Phase.ASKING} and not state.asked:
            wrong.append(Pressed(state.current, t))
        for event in wrong:
            self.refused(event)

    def every_tile_is_somewhere(self):
        state = self.state
        hands = sum(seat.hand for seat in state.seats)
        assert tiles_on(state.table).total() + hands + state.stock + (state.aside is not None) == self.total
        assert min(state.stock, *(seat.hand for seat in state.seats)) >= 0

    def jokers_dealt_one_by_one_are_on_the_table_or_in_a_hand(self):
        counts = [seat.jokers for seat in self.state.seats]
        if None not in counts and self.state.phase is Phase.TURN:
            assert tiles_on(self.state.table)[JOKER] + sum(counts) == self.rules.box.jokers

    def the_clock_runs_in_a_turn_only(self):
        assert self.state.clock.is_running == (self.state.phase is Phase.TURN)

    def the_match_is_over_when_the_sheet_says_so(self):
        state = self.state
        if state.phase in (Phase.BETWEEN, Phase.OVER):
            over = state.sheet.is_over(self.rules, state.rounds)
            assert over == (state.phase is Phase.OVER)
        if any(isinstance(effect, MatchOver) for effect in self.effects):
            assert state.phase is Phase.OVER

    def shown_hands_are_whole(self):
        for seat in self.state.seats:
            assert seat.shown is None or seat.shown == in_order(seat.shown)

    def check(self):
        self.every_tile_is_somewhere()
        self.jokers_dealt_one_by_one_are_on_the_table_or_in_a_hand()
        self.the_clock_runs_in_a_turn_only()
        self.the_match_is_over_when_the_sheet_says_so()
        self.shown_hands_are_whole()


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rules", BOOKS, ids=lambda rules: rules.name)
def test_whatever_happens_no_tile_is_lost_and_the_same_events_lead_to_the_same_state(rules, seed):
    walk = Walk(rules, random.Random(seed))  # noqa: S311 a walk keeps no secret
    for _ in range(120):
        walk.go_on()
    state = walk.base
    for event in walk.events:
        state, _ = apply(state, event)
    assert state == walk.state
    assert hash(state) == hash(walk.state)
