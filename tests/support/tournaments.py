"""Tournaments for tests: a log of events that is applied as it grows."""

from referee.club.tournament import Rules, apply, next_draw, open_tournament, replay
from referee.club.tournament.events import CheckedIn, Drawn, Entered, Left, Opened, ResultTold
from referee.club.tournament.groups import groups_due

STEPS = 200


class Log:
    """A tournament with the list of what happened."""

    def __init__(self, players=0, **rules):
        self.events = [Opened("Spring cup", Rules(**{"rounds": 4, "seed": 7, **rules}), 0.0)]
        self.now = open_tournament(self.events[0])
        for number in range(1, players + 1):
            self.enter(f"Player {number}")

    def do(self, event):
        self.now = apply(self.now, event)
        self.events.append(event)
        return self.now

    def enter(self, name):
        self.do(Entered(name, 1.0))
        return self.do(CheckedIn(len(self.now.players), 1.0))

    def leave(self, *players):
        for player in players:
            self.do(Left(player, 1.0))

    def draw(self, steps=STEPS):
        formed = groups_due(self.now, 2.0)
        if formed is not None:
            self.do(formed)
        return self.do(Drawn(next_draw(self.now, steps), 2.0)).rounds[-1]

    def tell(self, points=None):
        """Results of all tables that lack one: `points` by player, or else whoever has the lower number is better."""
        for number in self.now.rounds[-1].missing_tables:
            seated = self.now.rounds[-1].tables[number - 1].players
            told = tuple((points or {}).get(player, -player) for player in seated)
            self.do(ResultTold(number, told, 3.0))
        return self.now

    def play(self, points=None):
        """A whole round."""
        self.draw()
        return self.tell(points)

    def replayed(self):
        return replay(self.events)
