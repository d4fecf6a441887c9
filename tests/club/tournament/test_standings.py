from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournaments import Log

from referee.club.tournament import Counting, Rules, TieBreak, standings
from referee.club.tournament.events import Draw, Drawn, Left, ResultCorrected, ResultTold, RulingMade
from referee.club.tournament.standings import deciding_ties, of_table, ranking
from referee.club.tournament.state import Table


def played(rounds, tie_breaks=(), players=4, **rules):
    """A tournament with rounds as pairs of tables and totals by table."""
    log = Log(players=players, rounds=9, tie_breaks=tie_breaks, **rules)
    for tables, totals in rounds:
        log.do(Drawn(Draw(tables), 1.0))
        for number, told in enumerate(totals, 1):
            log.do(ResultTold(number, told, 1.0))
    return log


def order(log):
    return [(line.place, line.player) for line in standings(log.now)]


def test_points_come_first():
    log = played([([(1, 2, 3, 4)], [(0, 9, 5, -14)])])
    assert order(log) == [(1, 2), (2, 3), (3, 1), (4, 4)]
    assert [line.points for line in standings(log.now)] == [12, 8, 4, 0]


def test_players_who_are_equal_in_everything_share_a_place():
    log = played([([(1, 2, 3, 4)], [(5, 9, 5, -19)])])
    assert order(log) == [(1, 2), (2, 1), (2, 3), (4, 4)]


def test_whoever_has_no_result_yet_shares_a_place_and_draws_no_lots():
    ties = (TieBreak.WINS, TieBreak.LOTS)
    drawn = [(1, 2), (3, 4)]
    assert order(played([(drawn, [])], ties)) == [(1, 1), (1, 2), (1, 3), (1, 4)]
    assert order(played([(drawn, [(0, 9)])], ties)) == [(1, 2), (2, 1), (3, 3), (3, 4)]
    assert {place for place, _ in order(played([(drawn, [(5, 5), (5, 5)])], ties))} == {1, 2, 3, 4}


TWO_ROUNDS = [([(1, 2), (3, 4)], [(9, 0), (5, 0)]), ([(1, 3), (2, 4)], [(0, 2), (1, 0)])]
"""3 has won twice, 1 and 2 once each, 4 never; 1 was ahead of 2."""


@pytest.mark.parametrize(
    ("tie_break", "expected"),
    [
        pytest.param((), [(1, 3), (2, 1), (2, 2), (4, 4)], id="none"),
        pytest.param((TieBreak.WINS,), [(1, 3), (2, 1), (2, 2), (4, 4)], id="as many won"),
        pytest.param((TieBreak.DIRECT,), [(1, 3), (2, 1), (3, 2), (4, 4)], id="1 was ahead of 2"),
        pytest.param((TieBreak.OPPONENTS,), [(1, 3), (2, 1), (3, 2), (4, 4)], id="1 met 3, 2 met 4"),
        pytest.param((TieBreak.MARGIN,), [(1, 3), (2, 1), (3, 2), (4, 4)], id="1 won higher"),
    ],
)
def test_tie_breaks_part_who_has_equal_points(tie_break, expected):
    assert order(played(TWO_ROUNDS, tie_break)) == expected


@pytest.mark.parametrize(
    ("totals", "won"),
    [((0, 0, 0, 0), [0, 0, 0, 0]), ((5, 5, 5, 0), [1, 1, 1, 0]), ((5, 5), [0, 0]), ((0, 5), [0, 1])],
)
def test_with_equal_totals_for_all_nobody_has_won(totals, won):
    players = tuple(range(1, len(totals) + 1))
    found = of_table(Table(players, totals), Rules(3))
    assert [found[player].won for player in players] == [Fraction(one, max(sum(won), 1)) for one in won]
    assert {found[player].place for player in players if won[player - 1]} <= {1}
    assert found[players[-1]].shared_by == totals.count(totals[-1])


def test_wins_and_best_rounds_part_one_who_was_good_twice_from_one_who_was_first_once():
    tables = [((1, 2, 3, 4), (5, 6, 7, 8))] * 2
    totals = [[(3, 2, 1, 0), (2, 3, 1, 0)], [(1, 3, 2, 0), (2, 3, 1, 0)]]
    # 1 has 12 and 4, 5 has 8 twice.
    rounds = list(zip(tables, totals, strict=True))
    for tie_break in (TieBreak.WINS, TieBreak.BEST_ROUNDS):
        places = {player: place for place, player in order(played(rounds, (tie_break,), players=8))}
        assert places[1] == 3
        assert places[5] == 4
    places = {player: place for place, player in order(played(rounds, (), players=8))}
    assert places[1] == places[5] == 3


def test_a_tie_break_looks_only_at_who_is_still_equal():
    ring = [([(1, 2), (3, 4)], [(1, 0), (1, 0)]), ([(2, 3), (4, 1)], [(1, 0), (1, 0)])]
    ring += [([(1, 3), (2, 4)], [(1, 1), (1, 1)])]
    log = played(ring, (TieBreak.DIRECT,))
    assert [line.points for line in standings(log.now)] == [18] * 4
    assert [place for place, _ in order(log)] == [1] * 4


def test_direct_meetings_lost_count_as_much_as_those_won():
    first = ([(1, 2), (3, 4), (5, 6)], [(1, 0)] * 3)
    second = ([(2, 3), (5, 1), (6, 4)], [(1, 0)] * 3)
    log = played([first, second], (TieBreak.DIRECT,), players=6)
    # Of 1, 2, 3 and 6 with 12 points, 1 was ahead of 2, and 2 of 3.
    assert order(log) == [(1, 5), (2, 1), (3, 2), (3, 6), (5, 3), (6, 4)]


def test_who_came_late_is_not_behind_for_having_met_fewer():
    log = Log(players=2, rounds=9, tie_breaks=(TieBreak.OPPONENTS,))
    log.do(Drawn(Draw(((1, 2),)), 1.0))
    log.tell({1: 0, 2: 0})
    log.enter("Late")
    log.enter("Late, too")
    log.do(Drawn(Draw(((1, 3), (4, 2))), 1.0))
    log.tell({1: 0, 3: 0, 4: 1, 2: 0})
    # 1 has met 2 and 3, 4 has met 2; 2 and 3 have 6 points each.
    assert order(log)[:2] == [(1, 1), (1, 4)]


def test_lots_part_everybody_and_are_the_same_at_every_look():
    log = played([([(1, 2, 3, 4)], [(0, 0, 0, 0)])], (TieBreak.LOTS,))
    assert [place for place, _ in order(log)] == [1, 2, 3, 4]
    assert order(log) == order(log)
    others = [order(played([([(1, 2, 3, 4)], [(0, 0, 0, 0)])], (TieBreak.LOTS,), seed=seed)) for seed in range(9)]
    assert len(set(map(tuple, others))) > 1


def test_a_correction_changes_the_standings():
    log = played([([(1, 2, 3, 4)], [(0, 9, 5, -14)])])
    log.do(ResultCorrected(1, 1, (20, 9, 5, -34), 2.0))
    assert order(log)[0] == (1, 1)


def test_who_left_stays_on_the_list_and_who_only_entered_does_not():
    log = played([([(1, 2, 3, 4)], [(0, 9, 5, -14)])])
    log.do(Left(2, 1.0))
    log.enter("Late")
    log.do(Left(5, 1.0))
    assert [line.player for line in standings(log.now)] == [2, 3, 1, 4]
    log.play()
    line = standings(log.now)[0]
    assert line.player in (1, 3)
    assert next(one for one in standings(log.now) if one.player == 2).rounds == (12, None)


def test_a_line_tells_rounds_byes_and_tie_breaks():
    log = played([], (TieBreak.WINS, TieBreak.OPPONENTS, TieBreak.MARGIN, TieBreak.LOTS), players=3, largest=2)
    log.do(Drawn(Draw(((1, 2),), (3,)), 1.0))
    log.do(ResultTold(1, (10, -10), 1.0))
    first, second, third = standings(log.now)
    assert (first.player, first.points, first.played, first.byes) == (1, 12, 1, 0)
    assert first.tie_breaks == ((TieBreak.WINS, 1), (TieBreak.OPPONENTS, 0), (TieBreak.MARGIN, 20))
    assert (second.player, second.points, second.played, second.byes) == (3, 6, 0, 1)
    assert third.tie_breaks == ((TieBreak.WINS, 0), (TieBreak.OPPONENTS, 12), (TieBreak.MARGIN, -20))


def test_a_tournament_without_players_has_no_standings():
    assert standings(Log().now) == ()


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 9), st.data())
def test_points_never_rise_and_places_are_right(players, data):
    log = Log(players=players, rounds=3)
    for _ in range(data.draw(st.integers(0, 3))):
        log.play({player: data.draw(st.integers(-3, 3)) for player in range(1, players + 1)})
    lines = standings(log.now)
    assert sorted(line.player for line in lines) == list(range(1, players + 1))
    assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)
    told = any(line.played or line.byes for line in lines)
    assert [line.place for line in lines] == (list(range(1, players + 1)) if told else [1] * players)  # lots come last
    assert sum(line.points for line in lines) == 6 * players * len(log.now.rounds)
    assert all(isinstance(line.points, Fraction) for line in lines)


THREE_TABLES = [(1, 2), (3, 4), (5, 6)], [(9, 0), (9, 0), (9, 0)]
"""1, 3 and 5 win."""


@pytest.mark.parametrize(
    ("totals", "ties", "decided"),
    [
        ([(9, 0), (5, 0)], (TieBreak.MARGIN, TieBreak.LOTS), (TieBreak.MARGIN,)),
        ([(9, 0), (9, 0)], (TieBreak.MARGIN, TieBreak.LOTS), (TieBreak.LOTS,)),
        ([(9, 0), (9, 0)], (TieBreak.WINS, TieBreak.MARGIN), ()),
        ([(9, 0)], (TieBreak.WINS, TieBreak.LOTS), ()),
        ([], (TieBreak.LOTS,), ()),
    ],
)
def test_what_decides_between_equal_scores_is_what_has_made_a_difference(totals, ties, decided):
    assert deciding_ties(played([([(1, 2), (3, 4)], totals)], ties).now) == decided


def by_strength(rounds, players=6):
    return played(rounds, (), players, counting=Counting.STRENGTH)


def scores(log):
    return {line.player: line.score for line in standings(log.now)}


def test_the_strength_of_opponents_counts_as_much_as_the_points():
    log = by_strength([THREE_TABLES, ([(1, 3), (5, 2), (4, 6)], [(9, 0), (9, 0), (9, 0)])])
    points = {line.player: line.points for line in standings(log.now)}
    assert points == {1: 24, 2: 0, 3: 12, 4: 12, 5: 24, 6: 0}
    # In their other round, 2 (beaten by 1) had 0 points and 3 had 12; 6 and 2 (beaten by 5) had none, and so on.
    assert scores(log) == {1: 24 + 2 * 6, 2: 2 * 12, 3: 12 + 2 * 12, 4: 12, 5: 24, 6: 2 * 6}
    assert [place for place, _ in order(log)] == [1, 1, 3, 3, 5, 5]


def test_without_the_strength_of_opponents_the_score_is_the_points_and_the_draw_goes_by_points_with_it():
    log = by_strength([THREE_TABLES, ([(1, 3), (5, 2), (4, 6)], [(9, 0), (9, 0), (9, 0)])])
    by_points = replace(log.now, rules=replace(log.now.rules, counting=Counting.POINTS))
    assert all(line.score == line.points for line in standings(by_points))
    assert {line.player for line in standings(by_points)[:2]} == {1, 5}
    assert ranking(log.now, range(1, 7)) == ranking(by_points, range(1, 7))


def test_an_opponent_who_left_counts_as_if_they_had_gone_on():
    log = by_strength([THREE_TABLES])
    log.leave(1)
    for tables, byes in (([(2, 3), (4, 5)], (6,)), ([(2, 4), (3, 6)], (5,))):
        log.do(Drawn(Draw(tables, byes), 1.0))
        for number in (1, 2):
            log.do(ResultTold(number, (9, 0), 1.0))
    # 2 met 1, who left after one round and counts as average; 3, who had 12 points in each of two others, and
    # 4, who had 0 and 12. The average of the 14 results and two byes is 6.
    assert scores(log)[2] == 24 + 3 * Fraction(6 + 12 + 6, 3)
    # Whoever left keeps the points, and has met 2, who has 24 in two other rounds: this counts for the one round.
    assert scores(log)[1] == 12 + 12


def test_whoever_has_met_nobody_has_average_opponents():
    log = Log(players=5, rounds=2, counting=Counting.STRENGTH)
    log.do(Drawn(Draw([(1, 2), (3, 4)], (5,)), 1.0))
    for number in (1, 2):
        log.do(ResultTold(number, (9, 0), 1.0))
    average = Fraction(12 + 12 + log.now.rules.scheme.bye, 5)
    assert scores(log)[5] == log.now.rules.scheme.bye + average
    assert scores(log)[1] == 12 + average
    assert set(scores(Log(players=2, rounds=1, counting=Counting.STRENGTH)).values()) == {0}


def test_whoever_has_no_result_has_no_score_but_what_the_director_gave():
    log = by_strength([(THREE_TABLES[0], [(9, 0)])])
    lines = {line.player: line for line in standings(log.now)}
    assert [(lines[one].points, lines[one].score, lines[one].has_points) for one in (1, 3)] == [
        (12, 18, True), (0, 0, False),
    ]  # fmt: skip
    log.do(RulingMade(3, 2, 1.0))
    given = {line.player: line for line in standings(log.now)}[3]
    assert (given.points, given.score, given.strength, given.has_points) == (2, 2, 0, True)


def test_points_that_the_director_gives_count_in_the_score_of_nobody_else():
    log = by_strength([THREE_TABLES])
    before = scores(log)
    log.do(RulingMade(2, 3, 1.0))
    assert scores(log) == before | {2: before[2] + 3}


@given(st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_whoever_wins_instead_of_losing_gains_exactly_the_points(chance):
    rounds = []
    for _ in range(3):
        players = chance.sample(range(1, 9), 8)
        totals = [tuple(chance.sample(range(50), 4)) for _ in range(2)]
        rounds.append(([tuple(players[:4]), tuple(players[4:])], totals))
    (tables, (first, second)), player = rounds[-1], rounds[-1][0][0][0]
    better = by_strength([*rounds[:-1], (tables, [(50, *first[1:]), second])], 8)
    before = by_strength(rounds, 8)
    gained = {line.player: line.points for line in standings(better.now)}[player]
    gained -= {line.player: line.points for line in standings(before.now)}[player]
    assert scores(better)[player] - scores(before)[player] == gained >= 0
