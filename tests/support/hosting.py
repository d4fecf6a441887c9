"""Tournaments of a hall for tests: events that are applied as they come, and tables whose matches are made up."""

from tournaments import STEPS

from referee.club.hall.intake import TableView
from referee.club.hall.reader import HallFacts
from referee.club.hall.results import KeptResult, MatchKey
from referee.club.hall.tournaments.beginning import places
from referee.club.hall.tournaments.round_results import TournamentFacts, found_in, matches_of, news
from referee.club.hall.tournaments.state import Placed, SetOut, apply_event, begun_by
from referee.club.protocol.documents import RoundResult
from referee.club.tournament import Rules, next_draw
from referee.club.tournament.events import CheckedIn, Drawn, Entered, Opened, RoundBegun
from referee.club.tournament.groups import groups_due

EPOCH = "0123abcd"


def minute(number):
    """A moment of the evening."""
    return f"2026-11-20T{18 + number // 60:02}:{number % 60:02}:00Z"


def views(*online, away=()):
    return {name: TableView(name, online=name in online) for name in sorted((*online, *away))}


class Hosting:
    """A tournament on tables that are all connected; `matches` is what they have told."""

    def __init__(self, players=0, tables=5, **rules):
        self.events = [Opened("Spring cup", Rules(**{"rounds": 3, "seed": 7, **rules}), 0.0)]
        self.now = begun_by("spring-cup-1", self.events[0])
        self.views = views(*(f"table-{number}" for number in range(1, tables + 1)))
        self.matches = {}
        for number in range(1, players + 1):
            self.do(Entered(f"Player {number}", 1.0))
            self.do(CheckedIn(number, 1.0))

    def do(self, *events):
        for event in events:
            self.now = apply_event(self.now, event)
            self.events.append(event)
        return self.now

    @property
    def drawn(self):
        return self.now.last_round

    @property
    def number(self):
        return len(self.now.rounds)

    def draw(self):
        formed = groups_due(self.now.tournament, 2.0)
        if formed is not None:
            self.do(formed)
        self.do(Drawn(next_draw(self.now.tournament, STEPS), 2.0))
        self.do(Placed(places(self.now, self.views), 2.0))

    def begin(self, *, named=True):
        known = tuple((one.key.table, one.begun) for there in matches_of(self.matches).values() for one in there)
        self.do(RoundBegun(3.0), SetOut(known, (), 3.0, named))

    def names(self, table):
        return tuple(self.now.tournament.players[one - 1].name for one in self.drawn.tables[table - 1].players)

    def match(self, at, begun, players, points=(), *, epoch=EPOCH, number=1, planned=1, **told):
        """A match at a table of the hall; it is over unless something else is told."""
        rounds = tuple(RoundResult(tuple(one), 0) for one in points)
        told = {"over": len(rounds) == planned, **told}
        key = MatchKey(at, epoch, number)
        self.matches[key] = KeptResult(
            epoch, number, begun, "rummikub", tuple(players), planned, rounds, key=key, **told
        )

    def play(self, table, points, begun=30, *, named=True, draw=True, **told):
        """The match that was drawn for a table, at its place."""
        at, names = self.now.current.places[table - 1], self.names(table)
        number = begun
        self.match(
            at, minute(begun), names if named else (None,) * len(names), [points], number=number,
            draw=self.now.draw_id(self.number, table) if draw else None, **told,
        )  # fmt: skip

    def found(self):
        return found_in(self.now, self.matches)

    def look(self):
        """Take what the tables tell; gives the events that follow."""
        events = news(self.now, self.found(), 4.0)
        self.do(*events)
        return events

    def troubles(self):
        return [one.trouble.key.partition(".")[2] for one in self.found() if one.trouble is not None]

    @property
    def facts(self):
        return HallFacts(
            tables=self.views, results=self.matches, connected=True, trouble=None,
            tournaments=TournamentFacts((self.now,), self.found()),
        )  # fmt: skip
