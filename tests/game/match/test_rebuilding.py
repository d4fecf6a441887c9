"""A time limit for rebuilding only: the clock waits until the first tile of a lying set is moved."""

import pytest
from match_driver import Game

from referee.game.match.events import OutOfOrder, RebuildBegun, TimeUp
from referee.game.match.machine import new_match
from referee.game.match.phases import Phase
from referee.game.match.round import begins_rebuilding, may_begin
from referee.game.notation import parse_table
from referee.i18n import ENGLISH

LIMIT = {"limit": "rebuild"}


def game(**fields):
    return Game("piatnik", options=LIMIT, **fields).opened().fields(table=parse_table("R1 R2 R3 R4 | B1 B2 B3"))


@pytest.mark.parametrize(
    ("before", "now", "begun"),
    [
        ("R1 R2 R3", "R3 R2 R1", False),
        ("R1 R2 R3", "R1 R2 R3 R4", False),
        ("R1 R2 R3", "R1 R2 R3 | B1 B2", False),
        ("R1 R2 R3 | R4 R5 R6", "R1 R2 R3 R4 R5 R6", False),
        ("R1 R2 R3 R4", "R1 R2 R3", True),
        ("R1 R2 R3 R4", "R1 R2 R3 | R4", True),
        ("R1 R2 R3 R4", "R1 R2 R3 | R4 R5 R6", True),
        ("R5 ** R7", "R5 R6 R7 | **", True),
        ("R1 R2 R3 | R1 R2 R3 R4", "R1 R2 R3 R4 R5 | R1 R2 R3", False),
        ("R1 R2 R3 | R1 R2 R3 R4", "R1 R2 R3 R4 R5 | R1 R2", True),
    ],
)
def test_a_set_that_only_gets_longer_is_not_rebuilt(before, now, begun):
    assert begins_rebuilding(parse_table(before), parse_table(now)) is begun


def test_the_clock_starts_when_a_set_is_moved_and_not_before():
    turn = game()
    assert (turn.state.clock.deadline, turn.state.clock.is_running) == (None, True)
    turn.do(RebuildBegun(300.0))
    assert turn.state.clock.deadline == 420.0
    assert turn.state.clock.seconds_left(310.0) == 110.0
    assert turn.said == "Ann, your time for rebuilding has started."


def test_it_stands_still_for_a_look_and_runs_on_after_a_refusal():
    turn = game().do(RebuildBegun(300.0))
    turn.t = 350.0
    turn.turn("R1 R2 | B1 B2 B3 | R3 R4")
    assert turn.state.phase is Phase.TURN
    assert turn.state.clock.seconds_left(turn.t) == 69.0


def test_the_time_of_a_rebuilding_can_run_out():
    turn = game().do(RebuildBegun(300.0)).do(TimeUp(420.0)).see("R1 R2 R3 R4 | B1 B2 B3 | R7 R8")
    assert turn.state.phase is Phase.PUTTING_RIGHT
    assert turn.press().see("R1 R2 R3 R4 | B1 B2 B3").state.current == 1
    assert turn.state.clock.deadline is None


def test_a_handicap_counts():
    assert game(handicaps=(30.0, 0.0)).do(RebuildBegun(300.0)).state.clock.deadline == 450.0


def test_the_turn_before_may_still_be_taken_back():
    turn = Game("piatnik", options=LIMIT).keep()
    assert turn.do(RebuildBegun(turn.t + 1)).state.before is not None


@pytest.mark.parametrize("options", [LIMIT, {}], ids=["twice", "by turns"])
def test_elsewhere_it_means_nothing(options):
    turn = Game("piatnik", options=options)
    if options:
        turn.do(RebuildBegun(5.0))
    with pytest.raises(OutOfOrder, match="expected a turn whose clock waits, got RebuildBegun"):
        turn.do(RebuildBegun(6.0))


def test_a_look_is_no_time_to_begin():
    with pytest.raises(OutOfOrder, match="phase looking"):
        game().press().do(RebuildBegun(6.0))


def test_without_players_there_is_nothing_to_begin():
    """A table may be read ahead while its match is put away: nobody sits there then."""
    state = new_match(Game("rummikub").state.rules)
    assert state.seats == ()
    assert not may_begin(state)


def test_the_sentence_is_a_notice():
    notice = game().do(RebuildBegun(1.0)).effects[0].notice
    assert (notice.key, ENGLISH(notice)) == ("match.rebuild_begun", "Ann, your time for rebuilding has started.")
