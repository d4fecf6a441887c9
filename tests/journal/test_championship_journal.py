"""Options of tournaments in the journal: the same events give the same match, and comments know what a hand counts."""

from dataclasses import replace

import pytest
from played import Step, write

from referee.game.match.events import (
    Corrected,
    MatchTimeUp,
    Paused,
    Pressed,
    Resumed,
    RoundStarted,
    Seen,
    Started,
    Withdrawn,
)
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.notation import parse_set, parse_table
from referee.journal.codec import event_from_text, event_to_text
from referee.journal.comments import comments_of
from referee.journal.opening import FILE, open_journal
from referee.journal.reading import rows_of
from referee.journal.replay import replay
from referee.journal.rounds import RoundFollower
from referee.journal.rows import Setup
from referee.journal.statistics import turn_totals

SETUP = Setup.now("rummikub", {"chess-clock": "5+10", "match-time": "30", "unopened": "100-or-200"})
OPENING = "R10 R11 R12"
WON = "R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7"
HAND = "R8 R9 R10 R11 R12 R13 B8 B9 B10 B11 B12 B13 K10 K10"
NO_MELD = "R8 B8 R9 B9 K1 K3 K5 O1 O3 O5 K7 O7 O9 K12"


def played(events):
    steps, state = [], SETUP.state()
    for event in events:
        state = apply(state, event)[0]
        steps.append(Step(event, state))
    return steps


def test_what_the_journal_keeps_is_the_same_match_again(tmp_path):
    steps = played(
        [
            Started(("Ann", "Ben"), 100.0, 4),
            Pressed(0, 150.0),
            Seen(parse_table(OPENING), 150.5),
            Withdrawn(0, 152.0),
            Paused(160.0),
            Resumed(900.0),
            Pressed(0, 930.0),
            Seen(parse_table(OPENING), 930.5),
            MatchTimeUp(1900.0),
        ]
    )
    assert [seat.bank for seat in steps[-1].state.seats] == [pytest.approx(300 - 78), 300]
    opened = open_journal(tmp_path).journal
    write(opened, SETUP, steps)
    opened.close()
    rows = rows_of(tmp_path / FILE, 1)[0]
    again = replay(rows)
    assert again.state == steps[-1].state
    assert again.state.closing
    assert turn_totals(rows)["Ann"].turns == 1


def test_the_time_of_a_match_has_a_name_in_the_journal():
    kind, body = event_to_text(MatchTimeUp(1900.0))
    assert (kind, event_from_text(kind, body)) == ("match-time-up", MatchTimeUp(1900.0))


@pytest.mark.parametrize(("hand", "points", "told"), [(HAND, 200, "hand_some"), (NO_MELD, 100, "hand_none")])
def test_a_hand_that_counts_otherwise_than_its_tiles_is_commented_on(hand, points, told):
    follower = RoundFollower(SETUP.state())
    for event in (Started(("Ann", "Ben"), 0.0), Pressed(0, 10.0), Seen(parse_table(WON), 10.5), Pressed(1, 20.0)):
        follower.take(event)
    follower.take(Seen((*follower.state.table, parse_set(hand)), 20.5))
    line = follower.state.sheet.rounds[0]
    assert line.hands == (0, points)
    assert f"comments.{told}" in {one.key for one in comments_of(follower.rounds[0], line, follower.state.rules)}
    corrected = replace(line, hands=(0, 95))
    keys = {one.key for one in comments_of(follower.rounds[0], corrected, follower.state.rules)}
    assert f"comments.{told}" not in keys


def test_a_correction_after_the_end_opens_no_new_round():
    events = [Started(("Ann", "Ben"), 0.0, 4), Pressed(0, 10.0), Seen(parse_table(WON), 10.5), Pressed(1, 20.0)]
    steps = played([*events, Seen((*parse_table(WON), parse_set(HAND)), 20.5), MatchTimeUp(1800.0)])
    state = apply(steps[-1].state, Corrected(1, (0, 100), 1801.0, winner=0))[0]
    assert (state.phase, state.sheet.totals) == (Phase.OVER, (100, -100))
    assert RoundStarted not in {type(step.event) for step in steps}
