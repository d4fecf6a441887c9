"""What a table makes of the time of the round that its hall tells."""

import json

from referee.club.hall.desk.state import DeskState, set_clock, start_clock
from referee.club.protocol import Desk, encode_document
from referee.club.table_side.hall_side import HallSide

WALL = "2026-03-01T19:00:00+00:00"


def heard(payload):
    side = HallSide(lambda: 100.0)
    side.note_desk(payload, retained=False)
    return side.heard.clock


def test_a_table_knows_a_clock_that_was_not_started_from_one_that_was_paused():
    state = set_clock(2700.0, 300.0)(DeskState(), 0.0)
    clock = heard(encode_document(Desk(WALL, state.clock.told(0.0))))
    assert (clock.left, clock.ends, clock.started) == (2700.0, None, False)
    clock = heard(encode_document(Desk(WALL, start_clock(state, 0.0).clock.told(700.0))))
    assert (clock.ends, clock.started) == (2100.0, True)


def test_of_a_hall_that_does_not_say_so_a_clock_that_stands_counts_as_stopped():
    told = json.loads(encode_document(Desk(WALL, set_clock(60.0, 0.0)(DeskState(), 0.0).clock.told(0.0))))
    assert told["clock"].pop("started") is False
    assert heard(json.dumps(told).encode()).started is True
