"""Groups in which everybody meets everybody, and the final after them."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournaments import Log

from referee.club.tournament import OutOfOrder, apply, next_draw, standings
from referee.club.tournament.drawing import floats, improved_plan, plan, swiss_seating
from referee.club.tournament.events import (
    CheckedIn,
    Described,
    Draw,
    Drawn,
    DrawWithdrawn,
    FinalBegun,
    FinalWithdrawn,
    GroupsFormed,
    Planned,
    RoundsAgreed,
    RulingMade,
    Swapped,
    event_from_text,
    event_to_text,
)
from referee.club.tournament.groups import (
    contenders,
    count_finalists,
    final_of,
    group_name,
    groups_due,
    qualified,
)
from referee.club.tournament.reasons import reasons_of
from referee.club.tournament.repeats import count_repeats, fewest
from referee.club.tournament.rules import Drawing, GroupStage, Rules
from referee.club.tournament.standings import group_standings
from referee.club.tournament.state import FinalWithdrawal
from referee.errors import BadInput
from referee.game.notice import told_by
from referee.i18n import LANGUAGES, Wording


def in_groups(players, size=4, rounds=3, largest=2, final_rounds=2, final=Drawing.PLANNED, carried=True, **rules):
    stage = GroupStage(size, final_rounds, final, carried)
    return Log(players=players, rounds=rounds, largest=largest, drawing=Drawing.GROUPS, groups=stage, **rules)


def met(log):
    """How often each pair has met."""
    found = {}
    for one in log.now.rounds:
        for table in one.tables:
            for pair in combinations(sorted(table.players), 2):
                found[pair] = found.get(pair, 0) + 1
    return found


def play_all(log, points=None):
    log.play(points)
    while log.now.rounds_left:
        log.play(points)
    return log


@given(players=st.integers(2, 40), size=st.integers(3, 8), seed=st.integers(0, 999))
@settings(deadline=None, max_examples=40)
def test_at_tables_of_two_everybody_of_a_group_meets_everybody_exactly_once(players, size, seed):
    log = play_all(in_groups(players, size, seed=seed))
    pairs = {pair for group in log.now.groups for pair in combinations(sorted(group), 2)}
    assert met(log) == dict.fromkeys(pairs, 1)
    sizes = [len(group) for group in log.now.groups]
    assert max(sizes) - min(sizes) <= 1
    # No fewer rounds are possible for the largest group: it has one bye in each round if its size is odd.
    assert len(log.now.rounds) == max(sizes) - (max(sizes) % 2 == 0)
    assert log.replayed() == log.now
    byes = [[sum(one in round_.byes for round_ in log.now.rounds) for one in group] for group in log.now.groups]
    assert all(len(set(of_group)) == 1 for of_group in byes)


@given(players=st.integers(4, 16), leaver=st.integers(1, 4), after=st.integers(1, 3), late=st.booleans())
@settings(deadline=None, max_examples=30)
def test_after_somebody_left_or_came_all_others_still_meet_exactly_once(players, leaver, after, late):
    log = in_groups(players, 6)
    for _ in range(after):
        if not log.now.rounds or log.now.rounds_left:
            log.play()
    if late:
        log.enter("Late")
        assert len(groups_due(log.now, 1.0).groups) == len(log.now.groups)
    log.leave(leaver)
    while groups_due(log.now, 1.0) is not None or log.now.rounds_left:
        formed = groups_due(log.now, 1.0)
        if formed is not None:
            log.do(formed)
        if log.now.rounds_left:
            log.play()
    here = {*log.now.here}
    pairs = {pair for group in log.now.groups for pair in combinations(sorted(here & {*group}), 2)}
    assert {pair: times for pair, times in met(log).items() if here.issuperset(pair)} == dict.fromkeys(pairs, 1)
    assert event_from_text(*event_to_text(log.events[-1])) == log.events[-1]


def test_whoever_would_have_met_somebody_who_left_has_a_bye():
    log = in_groups(4)
    log.play()
    log.do(Planned(plan(log.now), 2.0))
    planned = log.now.plan
    log.leave(4)
    for number in range(2):
        log.play()
        opponent = next(table for table in planned[number].tables if 4 in table)
        assert log.now.rounds[-1].byes == tuple(player for player in opponent if player != 4)
    met_before = log.now.rounds[0].table_of(1) == log.now.rounds[0].table_of(4)
    assert standings(log.now)[0].points == (36 if met_before else 30)  # three won, or two and a bye


def test_a_late_player_joins_the_smallest_group_and_needs_more_rounds():
    log = in_groups(7, 4)
    log.play()
    assert log.now.rules.rounds == 3
    log.enter("Late")
    small = min(range(2), key=lambda at: len(log.now.groups[at]))
    log.draw()
    assert log.now.group_of(8) == small
    assert log.now.rules.rounds == 4  # the three others each still have to meet the late one
    assert log.now.rounds[-1].table_of(8) is not None


def test_with_fewer_rounds_agreed_on_the_rest_is_not_played():
    log = in_groups(6, 6)
    log.play()
    log.do(RoundsAgreed(3, 1.0))
    assert groups_due(log.now, 1.0) is None
    play_all(log)
    assert len(log.now.rounds) == 3
    assert len(met(log)) == 9  # of 15
    with pytest.raises(OutOfOrder):
        next_draw(log.now)


def test_ratings_divide_to_and_fro_and_those_without_one_come_last():
    log = in_groups(9, 3)
    for player, rating in enumerate((2000, 1900, 1800, 1700, 1600, 1500, 1400), 1):
        log.do(Described(player, 1.0, rating=rating))
    log.draw()
    first, second, third = ({*group} for group in log.now.groups)
    assert (first >= {1, 6, 7}, second >= {2, 5}, third >= {3, 4}) == (True, True, True)
    assert "to and fro" in Wording("en").all(reasons_of(log.now, 1).draw)


def test_groups_are_formed_anew_until_a_round_was_drawn_and_a_withdrawn_draw_comes_out_differently():
    log = in_groups(12, 4)
    log.draw()
    before, drawn = log.now.groups, log.now.rounds[0].draw
    log.do(DrawWithdrawn(3.0))
    log.enter("Late")
    log.draw()
    assert len(log.now.groups) == 3
    assert sorted(map(len, log.now.groups)) == [4, 4, 5]
    assert log.now.groups != before
    assert log.now.rounds[0].draw != drawn


@pytest.mark.parametrize(("players", "size", "rounds"), [(8, 4, 3), (16, 8, 3), (14, 7, 4), (13, 6, 3), (18, 8, 4)])
def test_tables_of_three_and_four_stay_within_the_groups_and_meet_again_as_rarely_as_the_bound_says(
    players, size, rounds
):
    log = in_groups(players, size, rounds, largest=4)
    play_all(log)
    assert len(log.now.rounds) == rounds
    for one in log.now.rounds:
        assert all(len({log.now.group_of(player) for player in table.players}) == 1 for table in one.tables)
        assert not one.byes
    assert fewest(log.now) <= count_repeats(log.now) <= fewest(log.now) + 2 * len(log.now.groups)


def test_the_plan_of_a_group_survives_a_leaver():
    log = in_groups(16, 8, 2, largest=4)
    log.draw()
    log.do(DrawWithdrawn(2.0))
    log.do(Planned(plan(log.now), 2.0))
    log.do(Drawn(log.now.plan[0], 2.0))
    log.tell()
    assert improved_plan(log.now) is None
    log.leave(5)
    whole = log.replayed()
    for draw in plan(whole):
        whole = apply(whole, Drawn(draw, 2.0))
    assert count_repeats(whole) == fewest(whole)
    log.enter("Late")
    log.play()
    assert len(log.now.rounds) == 2


def test_too_small_a_group_rests_and_nobody_plays_alone():
    log = in_groups(6, 3, 3, smallest=3, largest=3)
    log.play()
    log.leave(log.now.groups[0][0])
    log.play()
    assert len(log.now.rounds[-1].byes) == 2
    assert fewest(log.now) == count_repeats(log.now) == 3  # the other group has met twice
    log.leave(log.now.groups[1][0])
    with pytest.raises(OutOfOrder):
        next_draw(log.now)


def test_without_groups_there_is_no_draw():
    log = in_groups(6)
    with pytest.raises(OutOfOrder):
        next_draw(log.now)
    assert groups_due(in_groups(0).now, 1.0) is None
    assert groups_due(Log(players=4).now, 1.0) is None


def test_the_standings_of_a_group_have_its_players_only():
    log = play_all(in_groups(8))
    for group, lines in zip(log.now.groups, group_standings(log.now), strict=True):
        assert [line.player for line in lines] == sorted(group)
        assert [line.place for line in lines] == [1, 2, 3, 4]
        assert [line.points for line in lines] == [36, 24, 12, 0]


def test_the_first_of_each_group_reach_the_final_and_the_best_of_the_next_fill_its_tables():
    log = play_all(in_groups(15, 5, 3, largest=4))
    overall = [line.player for line in standings(log.now)]
    by_group = [[line.player for line in lines] for lines in group_standings(log.now)]
    assert {*qualified(log.now, 1, fill=False)} == {lines[0] for lines in by_group}
    filled = qualified(log.now, 1, fill=True)
    assert len(filled) == 4
    assert [player for player in filled if player not in {lines[0] for lines in by_group}] == [
        min((lines[1] for lines in by_group), key=overall.index)
    ]
    assert len(qualified(log.now, 5, fill=True)) == 15
    assert list(qualified(log.now, 2, fill=True)) == sorted(qualified(log.now, 2, fill=True), key=overall.index)
    log.leave(filled[0])
    assert filled[0] not in qualified(log.now, 1, fill=True)
    assert len(qualified(log.now, 1, fill=True)) == 4


@pytest.mark.parametrize("final", [Drawing.PLANNED, Drawing.SWISS])
@pytest.mark.parametrize("carried", [True, False])
def test_a_final_is_played_and_its_players_are_ahead_of_all_others(final, carried):
    log = play_all(in_groups(12, 4, final=final, carried=carried))
    log.do(RulingMade(1, -100, 1.0))
    groups = group_standings(log.now)
    log.do(final_of(log.now, 1, 5.0, fill=True))
    finalists = {*log.now.final.players}
    assert len(finalists) == 4
    assert {*log.now.here} == finalists
    assert log.now.rounds_left == 2
    assert not log.now.in_groups
    zero = {line.player: line.points for line in standings(log.now)[:4]}
    assert any(zero.values()) is carried
    assert floats(log.now, 3) == {}
    while log.now.rounds_left:
        log.play({player: -player for player in finalists})
    lines = standings(log.now)
    assert {line.player for line in lines[:4]} == finalists
    assert [line.place for line in lines] == list(range(1, 13))
    assert group_standings(log.now) == groups
    assert log.replayed() == log.now
    if not carried:
        assert sum(line.points for line in lines[:4]) == 2 * 2 * 12
        assert lines[0].rounds[:3] == (None, None, None)
    log.do(RulingMade(lines[0].player, -7, 1.0))
    assert next(line for line in standings(log.now) if line.player == lines[0].player).adjusted % 100 == 93 or carried


def test_whoever_checks_in_again_is_seated_in_the_final():
    log = play_all(in_groups(8))
    log.do(final_of(log.now, 2, 5.0, fill=True))
    out = next(player for player in range(1, 9) if player not in log.now.final.players)
    log.leave(log.now.final.players[0])
    log.do(type(log.events[2])(out, 1.0))
    log.play()
    assert out in log.now.finalists
    assert out in {line.player for line in standings(log.now)[:5]}


def test_a_swiss_final_from_zero_is_drawn_by_lot_and_then_by_its_own_standings():
    log = play_all(in_groups(16, 4, final=Drawing.SWISS, carried=False, final_rounds=3))
    log.do(final_of(log.now, 2, 5.0, fill=True))
    log.draw()
    number = len(log.now.rounds)
    assert "by lot" in Wording("en").all(reasons_of(log.now, number).draw)
    log.tell()
    winners = {min(table.players) for table in log.now.rounds[-1].tables}
    order, _ = swiss_seating(log.now)
    assert {*order[:4]} == winners
    log.play()
    told = reasons_of(log.now, number + 1)
    assert "standings" in Wording("en").all(told.draw)


def test_reasons_name_the_group_in_every_language():
    log = in_groups(7, 4)
    log.play()
    log.draw()
    reasons = reasons_of(log.now, 2)
    for language in LANGUAGES:
        words = Wording(language)
        for table, players in zip(log.now.rounds[1].tables, reasons.tables, strict=True):
            for player, told in zip(table.players, players, strict=True):
                assert f" {group_name(log.now.group_of(player))}." in words.all(told)
        assert words.all(reasons.draw)
        assert [words.all(one) for one in reasons.byes]
    assert "meets everybody once" in Wording("en").all(reasons.draw)
    assert "has a bye: nobody in group" in Wording("en").all(reasons.byes[0])


def test_a_swap_across_groups_is_possible_and_counts():
    log = in_groups(8)
    log.draw()
    one, other = log.now.groups[0][0], log.now.groups[1][0]
    log.do(Swapped(one, other, 3.0))
    log.tell()
    play_all(log)
    assert count_repeats(log.now) == 0
    assert group_standings(log.now)[0]


def test_the_names_of_groups():
    assert [group_name(at) for at in (0, 25, 26, 27, 52)] == ["A", "Z", "AA", "AB", "BA"]


def refused(log, event, error=BadInput):
    with pytest.raises(error):
        log.do(event)


def test_what_cannot_be_is_refused():
    log = in_groups(4)
    refused(log, GroupsFormed(((1, 2), (3,)), 3, 1.0))
    refused(log, GroupsFormed(((1, 2), (2, 3, 4)), 3, 1.0))
    refused(log, GroupsFormed(((1, 2), (3, 4, 5)), 3, 1.0))
    refused(log, GroupsFormed(((1, 2, 3, 4),), 0, 1.0))
    refused(log, FinalBegun((1, 2), 1, 1.0), OutOfOrder)
    refused(Log(players=4), FinalBegun((1, 2), 1, 1.0), OutOfOrder)
    refused(Log(players=4), GroupsFormed(((1, 2, 3, 4),), 3, 1.0), OutOfOrder)
    log.draw()
    refused(log, GroupsFormed(((1, 2, 3, 4),), 3, 1.0), OutOfOrder)
    refused(log, FinalBegun((1, 2), 1, 1.0), OutOfOrder)
    log.tell()
    refused(log, FinalBegun((1, 1), 1, 1.0))
    refused(log, FinalBegun((1, 7), 1, 1.0))
    refused(log, FinalBegun((1, 2), 0, 1.0))
    refused(log, FinalBegun((), 1, 1.0))
    log.leave(2, 3, 4)
    with pytest.raises(BadInput):
        qualified(log.now, 1, fill=True)


@pytest.mark.parametrize(
    "build",
    [
        lambda: GroupStage(2, 1),
        lambda: GroupStage(9, 1),
        lambda: GroupStage(4, 0),
        lambda: GroupStage(4, 1, Drawing.GROUPS),
        lambda: Rules(3, drawing=Drawing.GROUPS),
        lambda: Rules(3, groups=GroupStage(4, 1)),
        lambda: Rules(3, team_counts=5),
    ],
)
def test_rules_that_cannot_be_are_refused(build):
    with pytest.raises(BadInput):
        build()


def test_a_draw_out_of_groups_is_still_checked():
    log = in_groups(4)
    refused(log, Drawn(Draw(((1, 2),)), 1.0))


def begun_final(players=8):
    """A tournament in two groups after all their rounds, with a final of the first of each group and the next best."""
    log = in_groups(players)
    play_all(log)
    before = log.now
    log.do(final_of(log.now, 1, 9.0, fill=True))
    return log, before


def test_until_its_first_round_is_drawn_the_final_can_be_undone():
    log, before = begun_final()
    refused(log, DrawWithdrawn(9.5), OutOfOrder)
    log.do(FinalWithdrawn(10.0, "Dora", "two more of each group"))
    assert log.now.here == before.here
    assert (log.now.final, log.now.rules, log.now.rounds) == (None, before.rules, before.rounds)
    assert standings(log.now) == standings(before)
    trace = log.now.traces[-1]
    assert isinstance(trace, FinalWithdrawal)
    assert (trace.round, len(trace.players), trace.who, trace.why) == (
        len(before.rounds), 2, "Dora", "two more of each group",
    )  # fmt: skip
    log.do(final_of(log.now, 2, 11.0, fill=True))
    assert len(log.now.here) == 4
    assert log.replayed() == log.now


def test_whoever_came_and_left_before_the_final_was_undone_stays_away():
    log, before = begun_final()
    finalist = log.now.here[0]
    one, other, *_ = sorted({*before.here} - {*log.now.here})
    log.do(CheckedIn(one, 9.2))
    log.do(CheckedIn(other, 9.3))
    log.leave(other, finalist)
    log.do(FinalWithdrawn(10.0))
    assert {*log.now.here} == {*before.here} - {other, finalist}


def test_a_final_that_is_drawn_or_played_is_not_undone_at_once():
    def why(log):
        with pytest.raises(OutOfOrder) as found:
            log.do(FinalWithdrawn(10.0))
        return told_by(found.value).key

    assert why(in_groups(4)) == "final.none"
    log, before = begun_final()
    log.draw()
    assert why(log) == "final.draw_first"
    log.do(DrawWithdrawn(9.5))
    log.do(FinalWithdrawn(10.0))
    assert log.now.here == before.here
    log.do(final_of(log.now, 1, 11.0, fill=True))
    log.play()
    assert why(log) == "final.played"


def test_who_would_reach_the_final_is_known_before():
    log = in_groups(8)
    play_all(log)
    order = contenders(log.now)
    assert [one.rank for one in order] == [0, 0, 1, 1, 2, 2, 3, 3]
    for first, fill in ((1, False), (1, True), (2, True), (9, False)):
        count = count_finalists(log.now.rules, order, first, fill=fill)
        assert {one.player for one in order[:count]} == {*qualified(log.now, first, fill=fill)}
