"""A tournament whose rounds are drawn by the standings."""

import random
from itertools import combinations

import pytest
from tournaments import Log

from referee.club.tournament import next_draw, standings
from referee.club.tournament.drawing import floats, seats_taken, swiss_seating
from referee.club.tournament.events import DrawWithdrawn, OutOfOrder, Renamed
from referee.club.tournament.repeats import count_repeats
from referee.club.tournament.rules import Drawing
from referee.club.tournament.standings import of_round, ranking


def swiss(players, rounds=4, **rules):
    return Log(players=players, rounds=rounds, drawing=Drawing.SWISS, **rules)


def luck(log, seed):
    """Results of the round by chance."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    log.tell({player: rng.randint(-200, 200) for player in log.now.here})


def test_the_four_winners_of_the_first_round_sit_together():
    log = swiss(16)
    log.play()
    winners = {min(table.players) for table in log.now.rounds[0].tables}
    assert {frozenset(table) for table in next_draw(log.now).tables} >= {frozenset(winners)}


def test_each_group_of_points_has_its_table():
    log = swiss(16)
    log.play()
    log.draw()
    points = {player: one.points for player, one in of_round(log.now.rounds[0], log.now.rules).items()}
    groups = [{points[player] for player in table.players} for table in log.now.rounds[1].tables]
    assert groups == [{12}, {8}, {4}, {0}]
    assert floats(log.now, 2) == floats(log.now, 1) == floats(log.now, 0) == {}


def test_the_first_round_is_drawn_by_lot_and_the_same_events_give_the_same_draw():
    log, other = swiss(16), swiss(16, seed=8)
    assert next_draw(log.now) == next_draw(log.now) == next_draw(log.replayed())
    assert next_draw(log.now) != next_draw(other.now)
    log.draw()
    drawn = log.now.rounds[0].draw
    log.do(DrawWithdrawn(3.0))
    assert next_draw(log.now) != drawn


def test_the_draw_does_not_depend_on_names():
    log, other = swiss(9), swiss(9)
    other.do(Renamed(1, "Somebody", 1.0))
    assert next_draw(log.now) == next_draw(other.now)


@pytest.mark.parametrize("seed", range(6))
def test_tables_of_two_keep_the_basic_rules_of_fide(seed):
    """Basic Rules for Swiss Systems (C.04.1) b, c, d and e: all but those about colours, which this game has not."""
    log = swiss(9, 5, seed=seed, largest=2)
    for number in range(5):
        before, rested = log.now, {player for one in log.now.rounds for player in one.byes}
        round_ = log.draw()
        assert len(round_.byes) == 1
        assert not rested & {*round_.byes}
        order = ranking(before, before.here)
        assert round_.byes[0] == next(player for player in reversed(order) if player not in rested)
        luck(log, 10 * seed + number)
    assert count_repeats(log.now) == 0
    for player, counts in seats_taken(log.now).items():
        assert abs(counts[0] - counts[1]) <= 3, player


@pytest.mark.parametrize("players", [13, 16, 30, 33])
def test_nobody_meets_again_while_that_can_be_avoided_and_seats_are_evened_out(players):
    log = swiss(players)
    for number in range(4):
        _, found = swiss_seating(log.now)
        assert found.repeats == found.bound
        log.draw()
        luck(log, number)
    assert count_repeats(log.now) == 0 or players <= 16
    assert max(max(counts) for counts in seats_taken(log.now).values()) <= 2


def test_neighbours_in_the_standings_meet():
    log = swiss(64, 5)
    for number in range(5):
        before = log.now
        luck(log, number) if log.draw() and number else log.tell()
        if number:
            place = {player: at for at, player in enumerate(ranking(before, before.here))}
            apart = [abs(place[one] - place[other]) for table in log.now.rounds[-1].tables
                     for one, other in combinations(table.players, 2)]  # fmt: skip
            assert sum(apart) / len(apart) < 12  # 64 / 3 if seats were drawn by lot


def test_whoever_comes_late_is_last_and_whoever_leaves_is_not_seated():
    log = swiss(8)
    log.play()
    log.enter("Late")
    log.leave(1)
    order, found = swiss_seating(log.now)
    assert order[-1] == 9
    assert 1 not in order
    assert sum(map(len, found.tables)) == 8
    assert 9 in log.draw().draw.tables[-1]


def test_a_correction_of_an_earlier_result_counts_in_the_next_draw():
    log = swiss(8)
    log.play()
    best = standings(log.now)[0].player
    other = swiss(8)
    other.draw()
    other.tell({best: -100})
    assert swiss_seating(log.now)[0][0] == best
    assert swiss_seating(other.now)[0].index(best) >= 6


def test_a_player_floats_if_most_of_the_table_has_other_points():
    log = swiss(5)
    log.play()
    log.draw()
    points = {player: one.points for player, one in of_round(log.now.rounds[0], log.now.rules).items()}
    ways = floats(log.now, 2)
    for table in log.now.rounds[1].tables:
        values = [points[player] for player in table.players]
        belongs = max(values, key=lambda value: (values.count(value), value))
        for player in table.players:
            assert ways.get(player, 0) == (points[player] < belongs) - (points[player] > belongs)
    assert ways


def test_too_few_players_are_refused():
    with pytest.raises(OutOfOrder):
        next_draw(swiss(1).now)
