"""Whatever a director and the tables do: it is replayed as it was, and nothing is taken twice or written over."""

from contextlib import suppress

from hosting import Hosting, minute
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.club.hall.tournaments.beginning import places_after_move
from referee.club.hall.tournaments.round_results import contradiction
from referee.club.hall.tournaments.state import Placed, event_from_text, event_to_text, replay_tournament
from referee.club.tournament.events import (
    CheckedIn,
    DrawWithdrawn,
    Left,
    Renamed,
    ResultCorrected,
    ResultTold,
    Swapped,
)
from referee.errors import BadInput

PLAYER, AT = st.integers(1, 9), st.sampled_from(["table-1", "table-2", "table-3", "table-5", None])
EPOCHS = st.sampled_from(["0123abcd", "0123abcd", "4567cdef"])
CHANGES = st.one_of(
    st.builds(Swapped, PLAYER, PLAYER, st.just(3.0)),
    st.builds(Left, PLAYER, st.just(3.0)),
    st.builds(CheckedIn, PLAYER, st.just(3.0)),
    st.builds(Renamed, PLAYER, st.sampled_from(["Zoë", "Player 1", "Yann"]), st.just(3.0)),
    st.just(DrawWithdrawn(3.0)),
)


class Evening:
    """Everything that may happen, one thing after the other."""

    def __init__(self, data):
        self.draw, self.hosting = data.draw, Hosting(players=data.draw(st.integers(3, 9)), rounds=4)
        self.written = {}
        """What the director has written last, by round and table."""

    def a_table(self):
        """A table of some round, the last one most often."""
        number = self.draw(st.sampled_from([self.hosting.number, self.hosting.number, 1]))
        return number, self.draw(st.integers(1, len(self.hosting.now.tournament.rounds[number - 1].tables)))

    def points(self, number, table):
        seats = len(self.hosting.now.tournament.rounds[number - 1].tables[table - 1].players)
        return tuple(self.draw(st.lists(st.integers(0, 3), min_size=seats, max_size=seats)))

    def round(self):
        self.hosting.draw()
        self.hosting.begin(named=self.draw(st.booleans()))

    def writes(self):
        number, table = self.a_table()
        points = self.points(number, table)
        had = self.hosting.now.tournament.rounds[number - 1].tables[table - 1].points
        self.hosting.do(ResultCorrected(number, table, points, 3.0) if had else ResultTold(table, points, 3.0))
        self.written[number, table] = points

    def tells(self, **told):
        """The match of a draw, at its place or another, with its name or without; the same again, or another one."""
        number, table = self.a_table()
        players = self.hosting.now.tournament.rounds[number - 1].tables[table - 1].players
        names = [self.hosting.now.tournament.players[player - 1].name for player in players]
        names = self.draw(st.sampled_from([names, names, names[::-1], [None] * len(names), names[1:]]))
        place = self.hosting.now.rounds[number - 1].places[table - 1]
        at = self.draw(st.sampled_from([place, place, "table-2"])) or "table-4"
        points = self.points(number, table)[: len(names)]
        begun = 10 * number + self.draw(st.integers(0, 1))
        draw = self.draw(st.sampled_from([self.hosting.now.draw_id(number, table), None]))
        epoch = self.draw(EPOCHS)
        self.hosting.match(at, minute(begun), names, [points], number=begun, epoch=epoch, draw=draw, **told)

    def moves(self):
        _, table = self.a_table()
        self.hosting.do(Placed(places_after_move(self.hosting.now, self.hosting.views, table, self.draw(AT)), 3.0))

    def step(self):
        step = self.draw(st.integers(0, 11))
        with suppress(BadInput):
            if step == 0:
                self.round()
            elif step == 1:
                self.moves()
            elif step == 2:
                self.hosting.do(self.draw(CHANGES))
            elif step == 3:
                self.tells(given_up=True)
            elif step in (4, 5):
                self.writes()
            else:
                self.tells(over=step != 6)
        self.hosting.look()
        assert self.hosting.look() == ()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_happens(data):
    evening = Evening(data)
    evening.round()
    for _ in range(data.draw(st.integers(5, 30))):
        if evening.hosting.number:
            evening.step()
    hosting = evening.hosting
    again = replay_tournament("spring-cup-1", [event_from_text(*event_to_text(event)) for event in hosting.events])
    assert again == hosting.now
    holds(hosting, evening.written)


def holds(hosting, written):
    """No two tables at one place; what a director wrote stands unless a table's word for it was taken."""
    for number, one in enumerate(hosting.now.tournament.rounds, 1):
        places = [at for at in hosting.now.rounds[number - 1].places if at is not None]
        assert len(places) == len(set(places))
        for at, result in enumerate(one.tables, 1):
            taken = hosting.now.rounds[number - 1].taken[at - 1]
            if result.points is not None and (taken is None or result.points != taken.points):
                assert written[number, at] == result.points
    for found in hosting.found():
        if contradiction(hosting.now, found):
            assert found.trouble is not None
