"""Refused turns that count by agreement, and looks that are judged anew since they were misread."""

from dataclasses import replace

import pytest

from referee.errors import BadInput
from referee.game.judge.verdict import FaultKind
from referee.game.match.agreement import takes_two
from referee.game.match.events import (
    Agreed,
    Lamp,
    Light,
    MatchOver,
    OutOfOrder,
    PutRight,
    Reviewed,
    Seen,
    Show,
    TakeLook,
    Withdrawn,
)
from referee.game.match.phases import Phase
from referee.game.match.rummy_call import may_call
from referee.game.notation import parse_table
from tests.support.match_driver import OPENING, Game

WRONG = "R11 R12 B13"


def opened(**named):
    return Game(**named).turn(OPENING).opened()


def agreed(game, table, by=(0, 1)):
    game.t += 1.0
    return game.do(Agreed(parse_table(table), game.t, by))


def reviewed(game):
    game.t += 1.0
    return game.do(Reviewed(0, game.t))


def test_the_turn_counts_as_it_lies_and_the_sheet_says_what_was_wrong():
    game = opened().turn(f"{OPENING} | {WRONG}")
    hand = game.state.seat.hand
    assert game.state.refused
    player = game.state.current
    agreed(game, f"{OPENING} | {WRONG}")
    assert game.state.table == parse_table(f"{OPENING} | {WRONG}")
    assert game.state.seats[player].hand == hand - 3
    assert game.state.current != player
    assert not game.state.refused
    (mark,) = game.state.sheet.agreements
    assert (mark.round, mark.player, mark.by, mark.t) == (1, player, (0, 1), game.t)
    assert [notice.key for notice in mark.wrong] == ["judge.not_a_set"]
    (shown,) = game.got(Show)
    assert shown.verdict.accepted
    assert Lamp(player, Light.ACCEPTED) in game.effects
    assert "Everybody agrees: Ben's turn counts as it stands." in game.said


def test_everything_is_still_somewhere_after_a_tile_has_vanished():
    game = opened()
    before = game.everything
    game.turn("R11 R12 R13 | B2 B3")
    agreed(game, "R11 R12 R13 | B2 B3")
    assert game.everything == before
    (mark,) = game.state.sheet.agreements
    assert {notice.key for notice in mark.wrong} == {"judge.tile_vanished", "judge.not_a_set"}


@pytest.mark.parametrize(("table", "two"), [("R10 R11", True), (f"{OPENING} | {WRONG}", False)])
def test_one_player_alone_agrees_to_no_tile_that_is_missing(table, two):
    game = opened().turn(table)
    assert takes_two(game.state, parse_table(table)) is two


def test_nothing_laid_a_tile_is_drawn_as_in_any_turn():
    game = opened()
    stock = game.state.stock
    game.turn("R11 R12 R13 | B2 B3")
    agreed(game, "R11 R12 R13 | B2 B3")
    assert game.state.stock == stock - 1


def test_a_first_meld_that_was_agreed_to_opens():
    game = Game().turn("R1 R2 R3")
    assert game.state.phase is Phase.TURN
    agreed(game, "R1 R2 R3")
    assert game.state.seats[0].opened


def test_an_agreed_set_may_lie_there_until_somebody_changes_it():
    game = opened().turn(f"{OPENING} | {WRONG}")
    agreed(game, f"{OPENING} | {WRONG}")
    game.opened().turn(f"{OPENING} | {WRONG} | K1 B1 R1")
    assert game.state.current == 1
    game.turn(f"{OPENING} | {WRONG} Y13 | K1 B1 R1")
    assert game.state.current == 1
    assert [fault.kind for fault in game.got(Show)[0].verdict.faults] == [FaultKind.NOT_A_SET]
    agreed(game, f"{OPENING} | {WRONG} Y13 | K1 B1 R1")
    assert game.state.agreed == (tuple(sorted(parse_table(f"{WRONG} Y13")[0], key=lambda t: (t.number, t.colour))),)
    assert len(game.state.sheet.agreements) == 2


def test_when_time_is_up_an_agreed_set_is_nobodys_to_put_right():
    game = opened().turn(f"{OPENING} | {WRONG}")
    agreed(game, f"{OPENING} | {WRONG}").opened()
    game.time_up(f"{OPENING} | {WRONG} | K1 B1")
    (put_right,) = game.got(PutRight)
    assert parse_table(WRONG)[0] in put_right.target
    assert parse_table("K1 B1")[0] not in put_right.target
    game.turn(f"{OPENING} | {WRONG}")
    assert game.state.phase is Phase.TURN
    assert game.state.current == 1


def test_a_turn_whose_time_was_up_can_be_agreed_to():
    game = opened().time_up(f"{OPENING} | {WRONG}")
    assert game.state.phase is Phase.PUTTING_RIGHT
    stock = game.state.stock
    agreed(game, f"{OPENING} | {WRONG}")
    assert game.state.phase is Phase.TURN
    assert game.state.due is None
    assert game.state.stock == stock


def test_an_agreement_is_taken_back_as_a_press_is():
    game = opened().turn(f"{OPENING} | {WRONG}")
    before, left = game.state, game.state.clock.seconds_left(game.t + 1)
    agreed(game, f"{OPENING} | {WRONG}")
    game.do(Withdrawn(before.current, game.t + 10))
    assert (game.state.table, game.state.seats, game.state.stock) == (before.table, before.seats, before.stock)
    assert (game.state.phase, game.state.current, game.state.agreed) == (Phase.TURN, before.current, ())
    assert game.state.sheet.agreements == ()
    assert game.state.clock.seconds_left(game.t + 10) == left
    assert game.said == "The agreement no longer holds. Ben plays on."
    assert game.state.refused


def test_an_agreement_with_which_somebody_went_out_is_taken_back_until_a_hand_is_shown():
    game = opened().hands(14, 3).turn(f"{OPENING} | {WRONG}")
    agreed(game, f"{OPENING} | {WRONG}")
    assert (game.state.phase, game.state.winner, game.state.current) == (Phase.SHOWING, 1, 0)
    game.do(Withdrawn(1, game.t + 30))
    assert (game.state.phase, game.state.winner, game.state.current) == (Phase.TURN, None, 1)
    assert (game.state.sheet.agreements, game.state.refused) == ((), True)


def test_a_tile_drawn_by_agreement_goes_back():
    game = opened()
    before = game.everything, game.state.stock
    game.turn("R11 R12 R13 | B2 B3")
    agreed(game, "R11 R12 R13 | B2 B3")
    game.do(Withdrawn(1, game.t + 1))
    assert (game.everything, game.state.stock) == before
    assert game.said.endswith("Return the tile you drew to the stock.")


def test_after_an_agreement_taken_back_too_late_a_table_is_put_right():
    game = opened().time_up(f"{OPENING} | {WRONG}")
    agreed(game, f"{OPENING} | {WRONG}")
    game.do(Withdrawn(1, game.t + 1))
    assert game.state.phase is Phase.CHECKING
    assert game.got(TakeLook)
    game.do(Seen(parse_table(f"{OPENING} | {WRONG}"), game.t + 2))
    assert game.state.phase is Phase.PUTTING_RIGHT
    assert game.got(PutRight)
    game.turn(OPENING)
    assert (game.state.phase, game.state.current, game.state.agreed) == (Phase.TURN, 0, ())


def test_an_older_agreement_stays():
    game = opened().turn(f"{OPENING} | {WRONG}")
    agreed(game, f"{OPENING} | {WRONG}")
    mark = game.state.sheet.agreements
    game.opened().turn(f"{OPENING} | {WRONG} | K1 B1 R1")
    game.do(Withdrawn(0, game.t + 1))
    assert game.state.sheet.agreements == mark


def test_nobody_calls_a_turn_the_last_one_that_all_agreed_to():
    game = opened().turn(f"{OPENING} | {WRONG}")
    agreed(game, f"{OPENING} | {WRONG}")
    assert not may_call(game.state, 1, game.t + 1)


def test_the_last_tiles_can_be_laid_by_agreement():
    game = opened().hands(3, 3).turn(f"{OPENING} | {WRONG}")
    agreed(game, f"{OPENING} | {WRONG}")
    assert game.state.phase is Phase.SHOWING or game.got(MatchOver)
    assert game.state.winner == 1


@pytest.mark.parametrize("table", ["K1 B1 R1 Y1 | K2 B2 R2", "K1 K1 K1"])
def test_what_cannot_be_is_no_matter_of_agreement(table):
    game = opened().hands(4, 4).turn(f"{OPENING} | {table}")
    with pytest.raises(BadInput):
        agreed(game, f"{OPENING} | {table}")
    assert game.state.refused


def test_only_a_refused_turn_can_be_agreed_to_by_people_who_play():
    game = opened()
    with pytest.raises(OutOfOrder):
        agreed(game, OPENING)
    game.turn(f"{OPENING} | {WRONG}")
    with pytest.raises(BadInput, match="seats at the table"):
        agreed(game, f"{OPENING} | {WRONG}", by=(0, 2))


def test_in_gin_nothing_counts_by_agreement():
    game = Game("gin")
    game.fields(refused=True)
    with pytest.raises(OutOfOrder):
        game.do(Agreed((), 1.0))


def test_a_look_is_judged_anew():
    game = opened().turn(f"{OPENING} | {WRONG}")
    left = game.state.clock.seconds_left(game.t)
    reviewed(game)
    assert game.state.phase is Phase.LOOKING
    assert not game.got(TakeLook)
    assert game.state.clock.seconds_left(game.t + 50) == left - 1.0
    game.do(Seen(parse_table(f"{OPENING} | K1 B1 R1"), game.t))
    assert game.state.current == 0


def test_judged_anew_it_may_still_be_refused_and_taken_back():
    game = reviewed(opened().turn(f"{OPENING} | {WRONG}"))
    game.do(Withdrawn(1, game.t))
    assert game.state.phase is Phase.TURN
    reviewed(game).do(Seen(parse_table(f"{OPENING} | {WRONG}"), game.t))
    assert game.state.phase is Phase.TURN
    assert game.state.refused


def test_a_press_forgets_the_refusal_before_it():
    game = opened().turn(f"{OPENING} | {WRONG}").press()
    assert not game.state.refused


def test_when_the_time_was_up_the_table_of_then_is_judged_anew():
    game = opened().time_up(f"{OPENING} | {WRONG}")
    reviewed(game)
    assert game.state.phase is Phase.TIME_UP
    game.do(Seen(parse_table(f"{OPENING} | K1 B1 R1"), game.t))
    assert game.state.current == 0


def test_later_it_is_only_checked_again():
    game = opened().time_up(f"{OPENING} | {WRONG}")
    game.turn(f"{OPENING} | R11 R12")
    assert game.state.phase is Phase.PUTTING_RIGHT
    reviewed(game)
    assert game.state.phase is Phase.CHECKING
    game.do(Seen(parse_table(OPENING), game.t))
    assert game.state.phase is Phase.TURN


def test_a_clock_that_has_run_out_is_not_stopped():
    game = opened().turn(f"{OPENING} | {WRONG}")
    game.t = game.state.clock.deadline
    with pytest.raises(OutOfOrder):
        reviewed(game)


def test_nothing_refused_nothing_is_judged_anew():
    with pytest.raises(OutOfOrder):
        reviewed(opened())


def test_a_round_begins_without_what_was_agreed():
    game = opened(rounds=2).turn(f"{OPENING} | {WRONG}")
    agreed(game, f"{OPENING} | {WRONG}")
    game.fields(phase=Phase.BETWEEN, sheet=replace(game.state.sheet)).next_round()
    assert game.state.agreed == ()
