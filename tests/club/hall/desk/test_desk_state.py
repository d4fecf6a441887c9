"""The rules of the director's desk: the clock of the round, and the calls of tables."""

from functools import reduce

import pytest

from referee.club.hall.desk.state import (
    DeskState,
    come,
    extend_clock,
    finish,
    hear_call,
    pause_clock,
    set_clock,
    start_clock,
    stop_clock,
)
from referee.club.protocol import Calling, CallState, Reason
from referee.errors import BadInput
from referee.game.notice import told_by


def after(*changes, state=None, t=100.0):
    """The state after changes at one moment each, a minute apart."""
    moments = enumerate(changes)
    return reduce(lambda now, change: change[1](now, t + 60 * change[0]), moments, state or DeskState())


def refused(change, state, t=1000.0):
    with pytest.raises(BadInput) as error:
        change(state, t)
    return told_by(error.value).key


def test_a_clock_stands_until_it_is_started_and_while_it_is_paused():
    state = after(set_clock(1200, 300))
    assert state.clock.left_at(1e6) == 1200
    state = start_clock(state, 200.0)
    assert state.clock.left_at(260.0) == 1140
    state = pause_clock(state, 260.0)
    assert state.clock.left_at(1e6) == 1140
    assert start_clock(state, 1000.0).clock.left_at(1010.0) == 1130


def test_at_the_end_it_stays_at_nothing_and_only_more_time_lets_it_run_again():
    state = after(set_clock(60, 0), start_clock, t=0.0)
    assert state.clock.left_at(1000.0) == 0
    over = pause_clock(state, 1000.0)
    assert refused(start_clock, over) == "desk.clock_is_over"
    again = extend_clock(300)(over, 1000.0)
    assert start_clock(again, 1000.0).clock.left_at(1060.0) == 240


def test_more_time_for_a_clock_that_has_run_out_counts_from_now():
    state = after(set_clock(60, 0), start_clock, t=0.0)
    assert extend_clock(300)(state, 1000.0).clock.left_at(1000.0) == 300


def test_another_time_has_another_number_and_a_pause_keeps_it():
    state = after(set_clock(600, 60), start_clock)
    number = state.clock.number
    assert pause_clock(state, 300.0).clock.number == number
    assert extend_clock(60)(state, 300.0).clock.number == number + 1
    assert set_clock(60, 0)(stop_clock(state, 300.0), 300.0).clock.number == number + 1


def test_a_warning_does_not_come_before_the_beginning():
    assert after(set_clock(120, 300)).clock.warn == 120


@pytest.mark.parametrize(
    ("change", "state", "why"),
    [
        (start_clock, DeskState(), "desk.no_clock"),
        (pause_clock, DeskState(), "desk.no_clock"),
        (stop_clock, DeskState(), "desk.no_clock"),
        (extend_clock(60), DeskState(), "desk.no_clock"),
        (start_clock, after(set_clock(600, 0), start_clock), "desk.runs_already"),
        (pause_clock, after(set_clock(600, 0)), "desk.stands_already"),
    ],
)
def test_what_somebody_else_has_done_already_is_refused(change, state, why):
    assert refused(change, state) == why


def calls(*tables):
    state = DeskState()
    for number, table in enumerate(tables):
        state = hear_call(state, table, Calling(f"id-{table}", Reason.RULES), 1000.0 + number)
    return state


def test_calls_are_listed_in_the_order_in_which_they_came_and_told_their_place():
    state = calls("b", "a", "c")
    assert [call.table for call in state.calls] == ["b", "a", "c"]
    state = come("id-b", "Maya")(state, 0.0)
    answers = state.answers()
    assert (answers["b"].state, answers["b"].who, answers["b"].place) == (CallState.COMING, "Maya", None)
    assert [(answers[table].state, answers[table].place) for table in "ac"] == [
        (CallState.WAITING, 1), (CallState.WAITING, 2)
    ]  # fmt: skip


def test_of_two_directors_the_second_is_told_that_somebody_is_on_the_way():
    state = come("id-a", "Maya")(calls("a"), 0.0)
    assert refused(come("id-a", "Tom"), state) == "desk.is_coming_already"
    assert refused(come("id-a", "Tom"), come("id-a", "")(calls("a"), 0.0)) == "desk.coming_already"


def test_a_call_that_is_done_is_over_for_everybody():
    state = finish("id-a")(calls("a"), 0.0)
    assert refused(finish("id-a"), state) == refused(come("id-a", ""), state) == "desk.call_is_over"


def test_a_call_that_is_done_does_not_come_back_however_often_its_table_sends_it():
    state = finish("id-a")(calls("a"), 0.0)
    again = hear_call(state, "a", Calling("id-a"), 2000.0)
    assert (again.calls, again.answers()["a"].state) == ((), CallState.DONE)
    noticed = hear_call(again, "a", None, 2001.0)
    assert noticed.answers() == {}
    assert [call.id for call in hear_call(noticed, "a", Calling("id-2"), 2002.0).calls] == ["id-2"]


def test_a_table_that_calls_again_keeps_its_place_only_with_the_same_call():
    state = calls("a", "b")
    assert [one.id for one in hear_call(state, "a", Calling("id-a", text="more"), 9.0).calls] == ["id-a", "id-b"]
    assert [one.id for one in hear_call(state, "a", Calling("id-new"), 9.0).calls] == ["id-b", "id-new"]


def test_a_withdrawn_call_goes_and_a_renamed_table_takes_its_call_along():
    assert [one.table for one in hear_call(calls("a", "b"), "a", None, 9.0).calls] == ["b"]
    assert [one.table for one in hear_call(calls("a"), "new", Calling("id-a"), 9.0).calls] == ["new"]


def test_nothing_new_is_the_same_state():
    state = calls("a")
    assert hear_call(state, "a", Calling("id-a", Reason.RULES), 9.0) == state
    assert hear_call(DeskState(), "a", None, 9.0) == DeskState()
