"""A match driven by events, for tests that tell what happens at the table in notation."""

from dataclasses import replace

from referee.game.match.events import HandShown, Pressed, PutRight, RoundStarted, Say, Seen, Started, TimeUp
from referee.game.match.machine import apply, new_match
from referee.game.notation import format_table, parse_set, parse_table, parse_tile
from referee.game.rulebooks import ruleset
from referee.game.table import tiles_on
from referee.i18n import ENGLISH

OPENING = "R11 R12 R13 | B2 B3 B4"


class Game:
    """A match driven by events; remembers the last effects and the time."""

    def __init__(
        self, rules="ravensburger", players=2, rounds=1, aside=None, handicaps=(), options=None, coach=False, **fields
    ):
        self.t = 0.0
        self.effects = ()
        # Most tests of the clock let it run from the first turn on.
        options = {"entry": "timed"} | (options or {}) if rules == "rummikub" else options
        book = ruleset(rules).choose(**(options or {}))
        for path, value in fields.items():
            book = book.with_value(path, value)
        self.state = new_match(book)
        names = ("Ann", "Ben", "Cleo", "Dan")[:players]
        self.do(Started(names, 0.0, rounds, aside=aside and parse_tile(aside), handicaps=handicaps, coach=coach))

    def do(self, event):
        self.state, self.effects = apply(self.state, event)
        return self

    def press(self, player=None, after=1.0):
        self.t += after
        return self.do(Pressed(self.state.current if player is None else player, self.t))

    def see(self, table, doubts=()):
        self.t += 0.5
        return self.do(Seen(parse_table(table), self.t, doubts))

    def turn(self, table):
        return self.press().see(table)

    def keep(self):
        return self.turn(format_table(self.state.table))

    def time_up(self, table):
        self.t = self.state.clock.deadline
        return self.do(TimeUp(self.t)).see(table)

    def told(self, tiles):
        return self.do(HandShown(self.state.current, parse_set(tiles), self.t))

    def next_round(self, first=None, aside=None):
        return self.do(RoundStarted(self.t, first, aside and parse_tile(aside)))

    def hands(self, *sizes):
        seats = tuple(replace(seat, hand=n) for seat, n in zip(self.state.seats, sizes, strict=True))
        self.state = replace(self.state, seats=seats)
        return self

    def fields(self, **fields):
        self.state = replace(self.state, **fields)
        return self

    def opened(self):
        self.state = replace(self.state, seats=tuple(replace(s, opened=True) for s in self.state.seats))
        return self

    def got(self, kind):
        return [effect for effect in self.effects if isinstance(effect, kind)]

    @property
    def said(self):
        told = [
            [ENGLISH(e.notice)] if isinstance(e, Say) else map(ENGLISH, e.steps)
            for e in self.effects
            if isinstance(e, Say | PutRight)
        ]
        return " ".join(text for texts in told for text in texts)

    @property
    def numbers(self):
        return tuple(seat.hand for seat in self.state.seats)

    @property
    def everything(self):
        """All tiles that somewhere are: on the table, in the hands, in the stock, aside."""
        state = self.state
        return tiles_on(state.table).total() + sum(self.numbers) + state.stock + (state.aside is not None)
