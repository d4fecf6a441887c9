from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournaments import Log

from referee.club.tournament import OutOfOrder, Rules, apply, next_draw, plan, replay
from referee.club.tournament.events import (
    CheckedIn,
    Draw,
    Drawn,
    DrawWithdrawn,
    Ended,
    Entered,
    Left,
    Opened,
    Planned,
    Renamed,
    ResultCorrected,
    ResultTold,
    RoundBegun,
    RoundsAgreed,
    Swapped,
    event_from_text,
    event_to_text,
)
from referee.club.tournament.machine import told_by
from referee.club.tournament.seating.schedule import STEPS
from referee.club.tournament.state import Correction, Swap, Withdrawal
from referee.errors import BadInput
from referee.game.notice import notice_of
from referee.game.scoring import RoundScore, ScoreSheet
from referee.i18n import Wording


def refused(log, event, key):
    """Assert that an event is refused with this notice, that it can be told, and that nothing changed."""
    before = log.now
    with pytest.raises(BadInput) as caught:
        log.do(event)
    notice = notice_of(caught.value)
    assert notice is not None
    assert notice.key == f"tournament.{key}"
    assert Wording("de")(notice)
    assert log.now is before
    return notice


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_happens_the_events_give_the_same_tournament_again(data):
    log = Log(players=data.draw(st.integers(2, 9)), rounds=5)
    for _ in range(data.draw(st.integers(1, 25))):
        number = st.integers(0, len(log.now.players) + 1)
        tables = st.integers(0, 4)
        points = st.lists(st.integers(-50, 50), min_size=2, max_size=4).map(tuple)
        event = data.draw(
            st.one_of(
                st.builds(Entered, st.sampled_from(["Anna", "Ben", "Cem", " "]), st.just(1.0)),
                st.builds(CheckedIn, number, st.just(1.0)),
                st.builds(Left, number, st.just(1.0)),
                st.builds(Swapped, number, number, st.just(1.0)),
                st.builds(ResultTold, tables, points, st.just(1.0)),
                st.builds(ResultCorrected, tables, tables, points, st.just(1.0)),
                st.builds(DrawWithdrawn, st.just(1.0)),
                st.sampled_from(["draw", "tell"]),
            )
        )
        with suppress(BadInput):
            if event == "draw":
                log.draw()
            elif event == "tell" and log.now.under_way:
                log.tell()
            elif event != "tell":
                log.do(event)
        for one in log.now.rounds:
            seated = [player for table in (*one.tables,) for player in table.players] + list(one.byes)
            assert len(seated) == len(set(seated))
            assert all(2 <= len(table.players) <= 4 for table in one.tables)
    assert log.replayed() == log.now
    assert replay(event_from_text(*event_to_text(event)) for event in log.events) == log.now


def test_players_enter_check_in_and_are_seated():
    log = Log(players=5)
    log.do(Entered("Only on the list", 1.0))
    one = log.draw()
    assert one.players == {1, 2, 3, 4, 5}
    assert sorted(len(table.players) for table in one.tables) == [2, 3]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
def test_few_players_play_all_rounds(players):
    log = Log(players=players)
    for _ in range(4):
        log.play()
    assert len(log.now.rounds) == 4
    assert not any(one.byes for one in log.now.rounds)
    refused(log, Drawn(Draw(()), 1.0), "all_rounds_drawn")


def test_late_players_sit_in_the_next_round_and_those_who_left_do_not():
    log = Log(players=8)
    log.draw()
    log.enter("Late")
    assert 9 not in log.now.rounds[-1].players
    log.do(Left(3, 1.0, "ill"))
    assert 3 in log.now.rounds[-1].players
    log.tell()
    assert log.draw().players == {1, 2, 4, 5, 6, 7, 8, 9}
    log.tell()
    log.do(CheckedIn(3, 1.0))
    assert 3 in log.draw().players


def test_only_who_was_drawn_has_left():
    """Whoever was checked in with all others by mistake has not come yet."""
    log = Log(players=4)
    log.do(Left(1, 1.0, "not here yet"))
    log.draw()
    log.do(Left(2, 1.0, "ill"))
    assert [player.left for player in log.now.players] == [False, True, False, False]


def test_late_players_neither_start_nor_sit_out_more_to_catch_up():
    log = Log(players=4, largest=2, rounds=9)
    for _ in range(6):
        log.play()
    log.enter("Late")  # four others have started three times each
    byes = []
    for _ in range(3):
        byes += log.draw().byes
        log.tell()
    starts = [table.players[0] for one in log.now.rounds[6:] for table in one.tables]
    assert starts.count(5) <= 2
    assert len(set(byes)) == 3


def test_byes_go_round():
    log = Log(players=7, largest=2, rounds=7)
    for _ in range(7):
        log.play()
    assert sorted(player for one in log.now.rounds for player in one.byes) == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("ahead", [pytest.param(True, id="planned ahead"), pytest.param(False, id="round by round")])
def test_sixteen_players_meet_everybody_once_in_five_rounds(ahead):
    log = Log(players=16, rounds=5)
    if ahead:
        log.do(Planned(plan(log.now), 1.0))
    met = set()
    for _ in range(5):
        for table in log.draw(STEPS).tables:
            pairs = {frozenset((one, other)) for one in table.players for other in table.players if one != other}
            assert not pairs & met
            met |= pairs
        log.tell()
    assert len(met) == 120
    starts = [table.players[0] for one in log.now.rounds for table in one.tables]
    assert max(map(starts.count, range(1, 17))) - min(map(starts.count, range(1, 17))) <= 1


def test_a_plan_holds_until_somebody_comes_or_goes():
    log = Log(players=8)
    draws = plan(log.now)
    log.do(Planned(draws, 1.0))
    assert log.now.plan == draws
    log.play()
    assert log.now.rounds[0].draw == draws[0]
    assert next_draw(log.now) == draws[1]
    log.enter("Late")
    assert log.now.plan == ()
    assert 9 in log.draw().players
    log.tell()
    log.do(Planned(plan(log.now), 1.0))
    log.leave(9)
    assert log.now.plan == ()
    assert 9 not in log.draw().players


def test_another_draw_than_planned_ends_the_plan():
    log = Log(players=8)
    log.do(Planned(plan(log.now), 1.0))
    log.do(Drawn(Draw(((1, 2, 3, 4), (5, 6, 7, 8))), 1.0))
    assert log.now.plan == ()


def test_a_plan_for_more_rounds_than_are_left_is_refused():
    log = Log(players=4, rounds=1)
    draw = Draw(((1, 2, 3, 4),))
    refused(log, Planned((draw, draw), 1.0), "all_rounds_drawn")


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(Draw(((1, 2, 3),)), id="somebody is missing"),
        pytest.param(Draw(((1, 2), (3, 4, 4))), id="somebody is there twice"),
        pytest.param(Draw(((1, 2), (3, 9))), id="somebody is unknown"),
        pytest.param(Draw(((1, 2, 3), (4,))), id="somebody is alone"),
        pytest.param(Draw((), (1, 2, 3, 4)), id="nobody plays"),
    ],
)
def test_a_draw_that_does_not_seat_everybody_once_is_refused(draw):
    log = Log(players=4)
    for event in (Drawn(draw, 1.0), Planned((draw,), 1.0)):
        with pytest.raises(BadInput, match="expected"):
            log.do(event)


def test_the_next_round_waits_for_all_results():
    log = Log(players=9)
    log.draw()
    log.do(ResultTold(2, (1, 2, 3), 1.0))
    notice = refused(log, Drawn(log.now.rounds[0].draw, 1.0), "results_missing")
    assert Wording()(notice) == "Tables 1 and 3 have no result in round 1 yet."
    refused(log, Ended(1.0), "results_missing")
    log.tell()
    log.do(Ended(1.0))
    assert log.now.ended


def test_a_table_says_its_result_once():
    log = Log(players=8)
    refused(log, ResultTold(1, (1, 2, 3, 4), 1.0), "no_round")
    log.draw()
    refused(log, ResultTold(3, (1, 2, 3, 4), 1.0), "no_such_table")
    refused(log, ResultTold(0, (1, 2, 3, 4), 1.0), "no_such_table")
    refused(log, ResultTold(1, (1, 2, 3), 1.0), "wrong_points")
    with pytest.raises(BadInput, match="totals"):
        log.do(ResultTold(1, (10**9, 0, 0, 0), 1.0))
    log.do(ResultTold(1, (1, 2, 3, 4), 1.0))
    refused(log, ResultTold(1, (1, 2, 3, 4), 1.0), "results_told")


def test_a_result_comes_from_the_score_sheet():
    sheet = ScoreSheet(("A", "B", "C")).add(RoundScore(0, (0, 5, 7), (12, -5, -7)))
    sheet = sheet.add(RoundScore(1, (3, 0, 4), (-3, 7, -4)))
    assert told_by(sheet, 2, 9.0) == ResultTold(2, (9, 2, -11), 9.0)


def test_a_correction_leaves_its_trace():
    log = Log(players=8)
    log.play()
    before = log.now.rounds[0].tables[1].points
    log.play()
    log.do(ResultCorrected(1, 2, (9, 8, 7, 6), 5.0, "Director", "read from the wrong sheet"))
    assert log.now.rounds[0].tables[1].points == (9, 8, 7, 6)
    trace = Correction(1, 2, before, (9, 8, 7, 6), 5.0, "Director", "read from the wrong sheet")
    assert log.now.traces == (trace,)
    log.do(ResultCorrected(1, 2, (0, 0, 0, 1), 6.0))
    assert log.now.traces[0] == trace
    assert log.now.traces[1].before == (9, 8, 7, 6)


def test_corrections_that_change_nothing_or_nothing_there_are_refused():
    log = Log(players=8)
    refused(log, ResultCorrected(1, 1, (1, 2, 3, 4), 1.0), "no_such_round")
    log.draw()
    refused(log, ResultCorrected(1, 1, (1, 2, 3, 4), 1.0), "results_missing")
    log.do(ResultTold(1, (1, 2, 3, 4), 1.0))
    refused(log, ResultCorrected(1, 1, (1, 2, 3, 4), 1.0), "stands_so")
    refused(log, ResultCorrected(1, 1, (1, 2), 1.0), "wrong_points")
    refused(log, ResultCorrected(1, 3, (1, 2, 3, 4), 1.0), "no_such_table")


def test_after_the_end_only_results_and_names_are_corrected():
    log = Log(players=4)
    log.play()
    log.do(Ended(1.0))
    refused(log, Entered("Late", 1.0), "over")
    refused(log, Drawn(log.now.rounds[0].draw, 1.0), "over")
    refused(log, Ended(1.0), "over")
    log.do(Renamed(1, "Anna", 1.0))
    log.do(ResultCorrected(1, 1, (5, 5, 5, 5), 1.0))
    assert log.now.players[0].name == "Anna"


def test_two_players_swap_their_places():
    log = Log(players=8)
    one = log.draw()
    first, second = (table.players for table in one.tables)
    log.do(Swapped(first[0], second[2], 4.0, "Director", "a couple"))
    tables = log.now.rounds[0].tables
    assert tables[0].players == (second[2], *first[1:])
    assert tables[1].players == (*second[:2], first[0], second[3])
    assert log.now.traces == (Swap(1, first[0], second[2], 4.0, "Director", "a couple"),)


def test_a_swap_at_one_table_changes_who_starts():
    log = Log(players=4)
    first, second, *rest = log.draw().tables[0].players
    log.do(Swapped(second, first, 1.0))
    assert log.now.rounds[0].tables[0].players == (second, first, *rest)


def test_a_swap_with_a_bye_and_with_somebody_late():
    log = Log(players=5, largest=2)
    one = log.draw()
    free, seated = one.byes[0], one.tables[0].players[0]
    log.do(Swapped(free, seated, 1.0))
    assert log.now.rounds[0].byes == (seated,)
    log.enter("Late")
    log.do(Swapped(free, 6, 1.0))
    assert log.now.rounds[0].tables[0].players[0] == 6
    assert log.now.rounds[0].table_of(free) is None


def test_swaps_that_cannot_be_are_refused():
    log = Log(players=8)
    refused(log, Swapped(1, 2, 1.0), "no_round")
    one = log.draw()
    refused(log, Swapped(1, 1, 1.0), "swapped_with_self")
    refused(log, Swapped(1, 9, 1.0), "no_such_player")
    refused(log, Swapped(0, 1, 1.0), "no_such_player")
    log.do(Entered("Not here", 1.0))
    refused(log, Swapped(1, 9, 1.0), "not_here")
    log.do(CheckedIn(9, 1.0))
    log.enter("Late, too")
    refused(log, Swapped(9, 10, 1.0), "neither_seated")
    log.do(ResultTold(1, (1, 2, 3, 4), 1.0))
    refused(log, Swapped(one.tables[0].players[0], one.tables[1].players[0], 1.0), "results_told")


def test_a_draw_is_withdrawn_and_the_next_one_is_another():
    log = Log(players=12)
    refused(log, DrawWithdrawn(1.0), "no_round")
    one = log.draw()
    log.do(DrawWithdrawn(1.0, "Director", "the hall has a table less"))
    assert log.now.rounds == ()
    assert log.now.traces == (Withdrawal(1, one.draw, 1.0, "Director", "the hall has a table less"),)
    assert log.draw().draw != one.draw
    log.do(ResultTold(2, (1, 2, 3, 4), 1.0))
    refused(log, DrawWithdrawn(1.0), "results_told")


def test_rounds_are_added_or_dropped_while_it_goes_on():
    log = Log(players=4, rounds=2)
    log.do(Planned(plan(log.now), 1.0))
    log.play()
    log.do(RoundsAgreed(3, 1.0))
    assert log.now.plan == ()
    assert len(plan(log.now)) == 2
    log.play()
    assert refused(log, RoundsAgreed(1, 1.0), "too_few_rounds").fields == (("drawn", 2),)
    log.do(RoundsAgreed(2, 1.0))
    refused(log, Drawn(log.now.rounds[0].draw, 1.0), "all_rounds_drawn")


@pytest.mark.parametrize("rounds", [0, -1])
def test_a_tournament_of_no_rounds_is_none(rounds):
    with pytest.raises(BadInput):
        Log(players=4).do(RoundsAgreed(rounds, 1.0))


def test_a_round_begins_once():
    log = Log(players=4)
    refused(log, RoundBegun(1.0), "no_round_to_begin")
    log.draw()
    log.do(RoundBegun(1.0))
    assert log.now.rounds[0].begun
    refused(log, RoundBegun(1.0), "no_round_to_begin")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("", "no_name"),
        ("   ", "no_name"),
        ("A\0B", "name_not_shown"),
        ("\u202eevil", "name_not_shown"),
        ("An\u200dn", "name_not_shown"),
        ("Ann\u200d", "name_not_shown"),
        ("\u200d\U0001f469", "name_not_shown"),
        ("\U0001f469\u200c\U0001f467", "name_not_shown"),
        ("x" * 41, "name_too_long"),
        ("player 1", "name_taken"),
        ("  Player   1 ", "name_taken"),
    ],
)
def test_names_that_cannot_be_told_apart_or_shown_are_refused(name, key):
    log = Log(players=2)
    refused(log, Entered(name, 1.0), key)
    refused(log, Renamed(2, name, 1.0), key)


def test_names_are_kept_without_needless_blanks_and_may_change_their_capitals():
    log = Log()
    log.do(Entered("  Anna   Maria ", 1.0))
    assert log.now.players[0].name == "Anna Maria"
    log.do(Renamed(1, "ANNA MARIA", 1.0))
    assert log.now.players[0].name == "ANNA MARIA"
    refused(log, Renamed(2, "Ben", 1.0), "no_such_player")


def test_who_is_here_cannot_come_and_who_is_not_cannot_leave():
    log = Log(players=1)
    refused(log, CheckedIn(1, 1.0), "here_already")
    log.leave(1)
    refused(log, Left(1, 1.0), "not_here")
    refused(log, CheckedIn(2, 1.0), "no_such_player")
    refused(log, Left(0, 1.0), "no_such_player")


def test_too_few_players_are_told_so():
    log = Log(players=1)
    with pytest.raises(OutOfOrder) as caught:
        next_draw(log.now)
    assert Wording()(notice_of(caught.value)) == "1 player is here; at least 2 are needed."


def test_no_plan_is_left_after_the_last_round():
    log = Log(players=4, rounds=1)
    log.play()
    with pytest.raises(OutOfOrder) as caught:
        plan(log.now)
    assert notice_of(caught.value).key == "tournament.all_rounds_drawn"


def test_a_log_begins_with_the_opening_and_has_only_one():
    log = Log(players=2)
    with pytest.raises(BadInput, match="Opened"):
        replay(log.events[1:])
    with pytest.raises(BadInput, match="Opened"):
        replay([])
    with pytest.raises(OutOfOrder, match="once"):
        apply(log.now, log.events[0])
    with pytest.raises(BadInput):
        replay([Opened(" ", Rules(3), 0.0)])


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("\U0001f468\u200d\U0001f469\u200d\U0001f467 Ann", id="a family"),
        pytest.param("\U0001f469\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f468", id="a couple"),
        pytest.param("\U0001f3f3\ufe0f\u200d\U0001f308", id="a flag"),
        pytest.param("\u0dc1\u0dca\u200d\u0dbb\u0dd3", id="Sri in Sinhala"),
    ],
)
def test_joiners_that_join_are_part_of_a_name(name):
    log = Log(players=2)
    log.do(Entered(name, 1.0))
    assert log.now.players[-1].name == name
