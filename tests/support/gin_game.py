"""A match of Gin driven by hand: presses, looks, and what came of them."""

from referee.game.match.events import Pressed, PutRight, RoundStarted, Say, Seen, Show, Started
from referee.game.match.machine import apply, new_match
from referee.game.notation import format_set, parse_table
from referee.game.rulebooks import ruleset
from referee.game.table import tiles_on
from referee.i18n import ENGLISH

ANN, BEN = 0, 1


class GinGame:
    """Ann begins, Ben deals; tables are given in notation."""

    def __init__(self, first=ANN):
        self.t = 0.0
        self.effects = ()
        self.state = new_match(ruleset("gin"))
        self.do(Started(("Ann", "Ben"), 0.0, first=first))

    def do(self, event):
        self.state, self.effects = apply(self.state, event)
        return self

    def press(self, player=None, long=False):
        self.t += 1.0
        return self.do(Pressed(self.state.current if player is None else player, self.t, long))

    def see(self, table, doubts=()):
        self.t += 0.5
        return self.do(Seen(parse_table(table), self.t, doubts))

    def turn(self, table):
        return self.press().see(table)

    def turns(self, *tables):
        for table in tables:
            self.turn(table)
        return self

    def knock(self, table):
        return self.press(long=True).see(table)

    def next_round(self, **fields):
        self.t += 10.0
        return self.do(RoundStarted(self.t, **fields))

    def got(self, kind):
        return [effect for effect in self.effects if isinstance(effect, kind)]

    @property
    def gin(self):
        return self.state.gin

    @property
    def said(self):
        told = [
            [ENGLISH(e.notice)] if isinstance(e, Say) else map(ENGLISH, e.steps)
            for e in self.effects
            if isinstance(e, Say | PutRight)
        ]
        return " ".join(text for texts in told for text in texts)

    @property
    def open_row(self):
        return format_set(self.gin.open)

    @property
    def kinds(self):
        return [fault.kind.value for effect in self.got(Show) for fault in effect.verdict.faults]

    @property
    def count(self):
        """Every tile the referee knows of: hidden, in the hands, on the table."""
        return self.state.stock + sum(seat.hand for seat in self.state.seats) + tiles_on(self.state.table).total()


def started(open_tile="R5", first=ANN):
    """A round that was dealt."""
    return GinGame(first).turn(open_tile)


def under_way(row="R5 K2"):
    """Both left the first tile, Ann drew a hidden one, and it is Ben's turn."""
    first = row.split(" ")[0]
    return started(first).turns(first, first, row)
