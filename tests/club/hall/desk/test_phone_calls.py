"""Calls from phones, and the clock that follows the rounds of the tournament: the rules."""

import pytest
from hall_pages import tournament

from referee.club.hall.desk.keeper import DeskKeeper
from referee.club.hall.desk.phone_calls import (
    PhoneCall,
    call_from_phone,
    call_seen_by,
    place_in_queue,
    was_closed,
    withdraw_from_phone,
)
from referee.club.hall.desk.rounds import follow_round, round_now
from referee.club.hall.desk.state import (
    Caller,
    DeskState,
    RoundNow,
    come,
    finish,
    hear_call,
    set_clock,
    start_clock,
    stop_clock,
)
from referee.club.hall.store import HallStore
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.protocol import Calling, CallState, Reason
from referee.errors import BadInput
from referee.game.notice import told_by

ANN, BEN, CLEO = (Caller("cup-1", 1, table, number, name) for number, (name, table) in
                  enumerate((("Ann", 3), ("Ben", 3), ("Cleo", 4)), 1))  # fmt: skip
CARD = Caller("cup-1", 1, 3)


def call(caller, name="call-one", table=None, **about):
    return PhoneCall(f"{caller.name}-{name}", table or f"cup-1#{caller.table}", caller, **about)


def after(*calls, state=None):
    state = state or DeskState()
    for wall, one in enumerate(calls, 1):
        state = call_from_phone(state, one, float(wall))
    return state


def refused(change, *arguments):
    with pytest.raises(BadInput) as error:
        change(*arguments)
    return told_by(error.value).key


def test_a_call_is_made_once_however_often_it_comes_even_when_it_is_over():
    state = after(call(ANN, reason=Reason.DISPUTE, text="A tile was moved"))
    assert after(call(ANN), state=state) == state
    assert [(one.caller.name, one.reason, one.heard) for one in state.calls] == [("Ann", Reason.DISPUTE, 1.0)]
    done = finish("Ann-call-one", 9.0)(state, 0.0)
    assert done.calls == ()
    assert after(call(ANN), state=done) == done
    withdrawn = withdraw_from_phone(state, "Ann-call-one", ANN, 9.0)
    assert after(call(ANN), state=withdrawn) == withdrawn
    assert withdraw_from_phone(withdrawn, "Ann-call-one", ANN, 10.0) == withdrawn
    assert len(after(call(ANN, "call-two"), state=withdrawn).calls) == 1


def test_a_table_has_one_call_and_so_has_a_caller():
    state = after(call(ANN))
    assert refused(call_from_phone, state, call(BEN), 2.0) == "desk.called_already"
    assert refused(call_from_phone, state, call(CARD), 2.0) == "desk.called_already"
    moved = Caller("cup-1", 2, 5, 1, "Ann")  # the next round was drawn, and Ann sits elsewhere
    assert refused(call_from_phone, state, call(moved, "call-two"), 2.0) == "desk.called_already"
    assert call_seen_by(state, "cup-1#5", moved) == state.calls[0]
    assert call_seen_by(state, "cup-1#4", CLEO) is None
    both = after(call(CLEO), state=state)
    assert [place_in_queue(both, one) for one in both.calls] == [0, 1]
    coming = come("Ann-call-one", "Eve")(both, 0.0)
    assert [place_in_queue(coming, one) for one in coming.calls] == [0, 0]


def test_only_the_page_that_called_withdraws():
    state = after(call(ANN))
    assert refused(withdraw_from_phone, state, "Ann-call-one", BEN, 2.0) == "desk.call_is_over"
    assert refused(withdraw_from_phone, state, "Ann-call-one", CARD, 2.0) == "desk.call_is_over"
    assert refused(withdraw_from_phone, state, "another-one", ANN, 2.0) == "desk.call_is_over"
    assert withdraw_from_phone(state, "Ann-call-one", ANN, 2.0).calls == ()
    card = after(call(CARD))
    again = Caller("cup-1", 1, 4)
    assert refused(withdraw_from_phone, card, "-call-one", again, 2.0) == "desk.call_is_over"


def test_the_caller_is_told_that_the_call_is_over_until_the_next_round():
    state = finish("Ann-call-one", 9.0)(after(call(ANN)), 0.0)
    assert was_closed(state, ANN)
    assert not was_closed(state, BEN)
    assert not was_closed(state, Caller("cup-1", 2, 3, 1, "Ann"))
    assert not was_closed(withdraw_from_phone(after(call(ANN)), "Ann-call-one", ANN, 9.0), ANN)


def test_the_box_of_a_table_neither_ends_nor_doubles_the_call_of_a_phone():
    state = after(call(CLEO), call(ANN, table="table-1"))
    assert hear_call(state, "table-1", None, 5.0) == state
    assert state.answers() == {}
    both = hear_call(state, "table-1", Calling("box-id", None, "Come", stopped=True), 5.0)
    assert [(one.id, one.text, one.stopped, one.by_box) for one in both.calls[1:]] == [("box-id", "Come", True, True)]
    assert both.calls[1].caller == ANN
    assert (both.answers()["table-1"].state, both.answers()["table-1"].place) == (CallState.WAITING, 2)
    assert refused(call_from_phone, both, call(BEN, table="table-1"), 6.0) == "desk.called_already"
    assert refused(withdraw_from_phone, both, "box-id", ANN, 6.0) == "desk.call_is_over"
    done = finish("box-id", 7.0)(both, 0.0)
    assert done.answers()["table-1"].state is CallState.DONE
    assert was_closed(done, ANN)


def test_a_call_of_a_box_is_that_of_its_players_phones():
    state = hear_call(DeskState(), "table-1", Calling("box-id"), 1.0)
    assert refused(call_from_phone, state, call(ANN, table="table-1"), 2.0) == "desk.called_already"
    assert call_seen_by(state, "table-1", ANN).by_box


def test_calls_and_the_length_of_all_rounds_survive_a_killed_hall(tmp_path):
    path = tmp_path / "hall.sqlite"
    HallStore(path).close()
    desk = DeskKeeper(path, wall=lambda: 1000.0, now=lambda: 50.0)
    desk.change(set_clock(1800, 300, each=True)).result()
    desk.phone(lambda state, wall: call_from_phone(state, call(ANN, text="Please"), wall)).result()
    desk.follow(RoundNow("cup-1", 0, 0, begun=False, ended=False))
    desk.phone(lambda state, wall: call_from_phone(state, call(CLEO), wall)).result()
    desk.finish_call("Cleo-call-one").result()
    before = desk.facts.state
    desk.close()
    again = DeskKeeper(path, wall=lambda: 1000.0, now=lambda: 50.0)
    assert again.facts.state == before
    assert (before.calls[0].heard, before.closed[0].closed, before.round.tournament) == (1000.0, 1000.0, "cup-1")
    again.close()


# The clock and the rounds --------------------------------------------------------------------------------------------


def round_(number, *, begun=False, withdrawals=0, ended=False, tournament="cup-1", over=False):
    return RoundNow(tournament, number, withdrawals, begun, ended, over)


def followed(state, *rounds, t=100.0):
    for at, one in enumerate(rounds):
        state = follow_round(state, one, t + 60.0 * at)
    return state


def test_one_length_for_all_rounds_sets_the_clock_at_each_draw_and_starts_it_at_each_beginning():
    state = followed(set_clock(1800, 300, each=True)(DeskState(), 0.0), round_(0), round_(1))
    assert (state.clock.left, state.clock.since, state.clock.warn) == (1800, None, 300)
    state = follow_round(state, round_(1, begun=True), 400.0)
    assert state.clock.left_at(460.0) == 1740
    numbered = state.clock.number
    state = follow_round(state, round_(2), 5000.0)
    assert (state.clock.left, state.clock.since, state.clock.number) == (1800, None, numbered + 1)
    withdrawn = follow_round(start_clock(state, 5000.0), round_(1, begun=True, withdrawals=1), 5060.0)
    assert withdrawn.clock.since == 5000.0
    again = followed(withdrawn, round_(2, withdrawals=1), t=5100.0)
    assert (again.clock.left, again.clock.since) == (1800, None)
    ended = follow_round(again, round_(2, withdrawals=1, ended=True), 6000.0)
    assert (ended.clock, ended.every_round, ended.every_warn) == (None, 0.0, 0.0)
    next_one = followed(ended, round_(0, tournament="cup-2"), round_(1, tournament="cup-2"), t=7000.0)
    assert next_one.clock is None  # nobody has set a time for the next tournament


def test_a_running_clock_goes_with_the_last_result_of_the_round():
    for each in (True, False):
        state = start_clock(followed(set_clock(1800, 300, each=each)(DeskState(), 0.0), round_(0), round_(1)), 150.0)
        state = follow_round(state, round_(1, begun=True), 200.0)
        assert state.clock.since == 150.0
        over = follow_round(state, round_(1, begun=True, over=True), 300.0)
        assert over.clock is None
        # A clock for the break is the director's, and stays until the next draw.
        rests = start_clock(set_clock(600, 0, each=each)(over, 310.0), 310.0)
        assert follow_round(rests, round_(1, begun=True, over=True), 320.0).clock == rests.clock


def test_a_clock_that_was_not_started_and_a_withdrawn_draw_keep_the_clock():
    state = followed(set_clock(1800, 300)(DeskState(), 0.0), round_(1, begun=True), round_(1, begun=True, over=True))
    assert state.clock is not None
    drawn = follow_round(start_clock(state, 200.0), round_(2), 210.0)
    back = follow_round(drawn, round_(1, begun=True, withdrawals=1, over=True), 220.0)
    assert back.clock == drawn.clock


def test_undoing_a_draw_removes_the_clock_that_was_set_with_it_and_starts_none():
    state = followed(set_clock(1800, 300, each=True)(DeskState(), 0.0), round_(0), round_(1), round_(1, begun=True))
    state = follow_round(state, round_(1, begun=True, over=True), 300.0)
    drawn = follow_round(state, round_(2, withdrawals=0), 400.0)
    assert (drawn.clock.left, drawn.clock.started) == (1800, False)
    undone = follow_round(drawn, round_(1, begun=True, withdrawals=1, over=True), 420.0)
    assert undone.clock is None
    again = followed(undone, round_(2, withdrawals=1), round_(2, begun=True, withdrawals=1), t=500.0)
    assert (again.clock.left, again.clock.since) == (1800, 560.0)


def test_a_round_is_over_once_every_table_has_a_result():
    hosting = tournament(8, "playing")
    known = TournamentFacts((hosting.now,))
    assert (round_now(known).begun, round_now(known).over) == (True, False)
    over = tournament(8, "between")
    assert round_now(TournamentFacts((over.now,))).over


def test_what_the_director_did_to_the_clock_stays():
    state = followed(set_clock(1800, 300, each=True)(DeskState(), 0.0), round_(0), round_(1))
    assert follow_round(stop_clock(state, 100.0), round_(1, begun=True), 200.0).clock is None
    early = start_clock(state, 150.0)
    assert follow_round(early, round_(1, begun=True), 200.0).clock == early.clock


def test_without_a_length_for_all_rounds_only_a_clock_that_is_over_goes_with_the_next_draw():
    state = followed(start_clock(set_clock(600, 0)(DeskState(), 0.0), 0.0), round_(0), round_(1), t=10.0)
    assert state.clock.left_at(70.0) == 530
    assert follow_round(state, round_(1, begun=True), 100.0).clock == state.clock
    assert follow_round(state, round_(2), 500.0).clock == state.clock
    assert follow_round(state, round_(2), 700.0).clock is None
    assert follow_round(stop_clock(state, 80.0), round_(2), 700.0).clock is None
    assert follow_round(state, round_(1, begun=True, ended=True), 500.0).clock is None
    other = set_clock(900, 0)(set_clock(1800, 300, each=True)(DeskState(), 0.0), 1.0)
    assert (other.every_round, other.every_warn) == (0.0, 0.0)


def test_a_hall_that_starts_changes_nothing_about_a_round_under_way():
    state = set_clock(1800, 300, each=True)(DeskState(), 0.0)
    assert follow_round(state, None, 1.0) == state
    assert follow_round(state, round_(2, begun=True), 1.0).clock == state.clock
    over = followed(state, round_(2, ended=True), round_(2, ended=True, withdrawals=1))
    assert over.clock == state.clock
    new = followed(over, round_(0, tournament="cup-2"), round_(1, begun=True, tournament="cup-2"))
    assert new.clock.since == 160.0
    assert round_now(TournamentFacts()) is None
