"""A plan is kept for those who remain if somebody leaves or comes."""

from itertools import combinations

import pytest
from tournaments import Log

from referee.club.tournament import plan
from referee.club.tournament.drawing import seating
from referee.club.tournament.events import CheckedIn, Drawn, Planned, RoundsAgreed
from referee.club.tournament.repeats import count_repeats, fewest


def planned(players, rounds, after=0, **rules):
    log = Log(players=players, rounds=rounds, **rules)
    log.do(Planned(plan(log.now), 1.0))
    for _ in range(after):
        log.play()
    return log


def replan(log, steps=400):
    log.do(Planned(plan(log.now, steps), 2.0))
    while log.now.rounds_left:
        log.play()
    return log.now


@pytest.mark.parametrize("after", [0, 1, 3, 6])
def test_32_players_in_8_rounds_meet_nobody_twice_after_one_has_left(after):
    log = planned(32, 8, after)
    log.leave(5)
    assert seating(log.now, 400).repeats > 0 or not after, "planned anew, there are repeats: the former plan helps"
    whole = replan(log)
    assert count_repeats(whole) == fewest(whole) == 0


def test_the_others_keep_their_tables():
    log = planned(28, 8, 2)
    before = log.now.plan
    log.leave(9)
    assert log.now.plan == ()
    assert log.now.former == before
    now = plan(log.now, 400)
    for old, new in zip(before, now, strict=True):
        kept = {frozenset(table) - {9} for table in old.tables}
        assert {frozenset(table) for table in new.tables} == kept


def test_two_who_leave_leave_fewer_repeats_than_a_plan_made_anew():
    log = planned(28, 8, 2)
    log.leave(9, 10)
    assert len(log.now.former) == 6
    anew = seating(log.now, 400).repeats
    assert count_repeats(replan(log)) < anew


def test_whoever_comes_gets_a_free_place():
    log = planned(31, 6, 1)
    log.enter("Late")
    whole = replan(log)
    assert [len(table.players) for table in whole.rounds[-1].tables] == [4] * 8
    assert count_repeats(whole) <= 6


def test_whoever_leaves_and_comes_back_finds_the_old_tables():
    log = planned(32, 8, 1)
    before = [{frozenset(table) for table in draw.tables} for draw in log.now.plan]
    log.leave(5)
    log.do(CheckedIn(5, 1.0))
    assert [{frozenset(table) for table in draw.tables} for draw in plan(log.now, 400)] == before


def test_a_plan_that_does_not_fit_is_not_used():
    log = planned(33, 4, 1)  # 9 tables; 32 players have 8
    log.leave(5)
    assert count_repeats(replan(log)) <= 3
    longer = planned(16, 4, 1)
    longer.do(RoundsAgreed(6, 2.0))
    assert len(longer.now.former) == 3
    assert len(plan(longer.now, 400)) == 5
    pairs = planned(5, 4, 1, largest=2)
    pairs.leave(2)
    assert all(len(draw.tables) == 2 and not draw.byes for draw in plan(pairs.now, 400))


def test_fewer_rounds_take_the_beginning_of_the_plan():
    log = planned(16, 5, 1)
    before = [{frozenset(table) for table in draw.tables} for draw in log.now.plan[:2]]
    log.do(RoundsAgreed(3, 2.0))
    assert [{frozenset(table) for table in draw.tables} for draw in plan(log.now, 400)] == before


def test_a_round_that_is_drawn_otherwise_ends_the_former_plan():
    log = planned(16, 5, 1)
    log.leave(3)
    log.do(Drawn(plan(log.now, 400)[0], 2.0))
    assert log.now.former == ()


def test_the_new_plan_repeats_no_meeting_of_the_rounds_before():
    log = planned(16, 5, 2)
    met = {pair for one in log.now.rounds for table in one.tables for pair in combinations(sorted(table.players), 2)}
    log.leave(4)
    again = {pair for draw in plan(log.now, 400) for table in draw.tables for pair in combinations(sorted(table), 2)}
    assert not met & again
