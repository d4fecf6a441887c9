"""The table of a league: values of evenings, the best ones, ties; computed from the tournaments each time."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leagues import contests, evening, recount, season
from tournaments import Log

from referee.club.tournament.events import CheckedIn, Entered, Renamed, Reopened, ResultCorrected, RulingMade
from referee.club.tournament.league import Contest, Worth, league_table
from referee.club.tournament.league.table import best_evenings, evening_values

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Eve", "Fay", "Gus")


def counted(table):
    return {
        line.name: [None if one is None else (one.value, one.counts) for one in line.scores] for line in table.lines
    }


def placed(table):
    return [(line.place, line.name, line.total) for line in table.lines]


@pytest.mark.parametrize("players", [2, 3, 5, 6, 7])
def test_places_are_worth_100_to_0_and_50_on_average_however_many_play(players):
    values = evening_values(evening(NAMES[:players], rounds=2).now, Worth.PLACE)
    assert len(values) == players
    assert (max(values.values()), min(values.values())) == (100, 0)
    assert sum(values.values()) / players == 50


def test_players_who_share_a_place_share_its_worth():
    log = evening(NAMES[:4], points=dict.fromkeys(range(1, 5), 7), tie_breaks=())
    assert set(evening_values(log.now, Worth.PLACE).values()) == {50}
    two = evening(NAMES[:4], points={1: 7, 2: 7, 3: 3, 4: 1}, tie_breaks=())
    values = evening_values(two.now, Worth.PLACE)
    assert values[1] == values[2] == Fraction(100 * 5, 6)
    assert (values[3], values[4]) == (Fraction(100, 3), 0)


def test_the_points_of_a_tournament_are_taken_as_they_are_with_what_the_director_gave_or_took():
    log = evening(NAMES[:4], rounds=2)
    log.do(RulingMade(1, -3, 9.0, "Eve", "late"))
    assert evening_values(log.now, Worth.POINTS) == {1: 21, 2: 16, 3: 8, 4: 0}


def test_an_evening_has_no_values_before_its_first_result_and_whoever_did_not_play_has_none():
    log = Log(5, largest=4)
    log.draw()
    assert evening_values(log.now, Worth.PLACE) == {}
    log.tell()
    log.do(Entered("Late", 3.0))
    log.do(CheckedIn(6, 3.0))
    log.do(Entered("Away", 3.0))
    assert set(evening_values(log.now, Worth.POINTS)) == {1, 2, 3, 4, 5}


def test_a_bye_counts_as_an_evening():
    log = evening(NAMES[:3], smallest=2, largest=2)
    values = evening_values(log.now, Worth.POINTS)
    assert sorted(values.values()) == [0, 6, 12]


def test_the_best_evenings_count_and_of_equal_values_the_later_one():
    values = {1: Fraction(5), 2: Fraction(9), 3: Fraction(5), 4: Fraction(-1)}
    assert best_evenings(values, 1) == {2}
    assert best_evenings(values, 2) == {2, 3}
    assert best_evenings(values, 9) == {1, 2, 3, 4}
    first, second, third = evening(["Ann", "Ben"]), evening(["Ben", "Ann"]), evening(["Ann", "Ben"])
    table = league_table(season("evening-1", "evening-2", "evening-3", best=1), contests(first, second, third))
    assert counted(table)["Ann"] == [(100, False), (0, False), (100, True)]
    assert placed(table) == [(1, "Ann", 100), (2, "Ben", 100)]


def test_whoever_was_better_last_is_ahead_and_whoever_was_away_is_behind():
    first, second = evening(["Ann", "Ben"]), evening(["Ben", "Ann"])
    table = league_table(season("evening-1", "evening-2", best=2), contests(first, second))
    assert placed(table) == [(1, "Ben", 100), (2, "Ann", 100)]
    alone = evening(["Cleo", "Dora"])
    table = league_table(season("evening-1", "evening-2", best=2), contests(alone, evening(["Ann", "Ben"])))
    assert placed(table) == [(1, "Ann", 100), (2, "Cleo", 100), (3, "Ben", 0), (4, "Dora", 0)]
    table = league_table(
        season("evening-1", "evening-2", best=2), contests(evening(["Ann", "Ben", "Cleo"]), evening(["Ann", "Cleo"]))
    )
    assert placed(table) == [(1, "Ann", 200), (2, "Ben", 50), (3, "Cleo", 0)]


def test_those_who_are_equal_in_everything_share_a_place():
    log = evening(NAMES[:4], points=dict.fromkeys(range(1, 5), 7), tie_breaks=())
    table = league_table(season("evening-1"), contests(log))
    assert [(line.place, line.name) for line in table.lines] == [(1, "Ann"), (1, "Ben"), (1, "Cleo"), (1, "Dora")]


def test_a_best_evening_decides_before_the_last_one():
    evenings = [evening(["Ann", "Ben", "Cleo"]), evening(["Ben", "Cleo", "Ann"]), evening(["Ben", "Ann"])]
    table = league_table(season("evening-1", "evening-2", "evening-3", best=2), contests(*evenings))
    assert placed(table)[0] == (1, "Ben", 200)
    even = [evening(["Ann", "Ben", "Cleo"]), evening(["Cleo", "Ben", "Ann"])]
    table = league_table(season("evening-1", "evening-2", best=2), contests(*even))
    # All have 100; Ben has 50 twice, the others 100 once, and Cleo was better last.
    assert [line.name for line in table.lines] == ["Cleo", "Ann", "Ben"]


def test_people_are_known_again_by_their_names_in_the_spelling_of_the_newest_evening():
    early, late = evening(["Ann  B.", "Ben"]), evening(["BEN", "ann b."])
    table = league_table(season("evening-1", "evening-2"), contests(early, late))
    assert [line.name for line in table.lines] == ["BEN", "ann b."]
    late.do(Renamed(2, "Anne B.", 9.0))
    table = league_table(season("evening-1", "evening-2"), contests(early, late))
    assert {line.name for line in table.lines} == {"Ann B.", "BEN", "Anne B."}


def test_a_correction_a_ruling_and_a_reopening_flow_through():
    log = evening(NAMES[:4])
    league = season("evening-1", ended=True, worth=Worth.POINTS)
    before = league_table(league, contests(log))
    assert (before.provisional, placed(before)[0]) == (False, (1, "Ann", 12))
    log.do(ResultCorrected(1, 1, tuple(-one for one in log.now.rounds[0].tables[0].points), 9.0))
    assert placed(league_table(league, contests(log)))[0] == (1, "Dora", 12)
    log.do(RulingMade(4, -20, 9.0, "Eve", "phone"))
    assert placed(league_table(league, contests(log)))[-1] == (4, "Dora", -8)
    log.do(Reopened(9.0, "Eve", "too early"))
    after = league_table(league, contests(log))
    assert (after.provisional, [one.number for one in after.open]) == (True, [1])


def test_evenings_are_in_the_order_in_which_they_were_opened_and_an_unknown_one_counts_for_nothing():
    logs = [evening(["Ann", "Ben"]), evening(["Ben", "Ann"])]
    league = season("evening-2", "gone-7", "evening-1", ended=True)
    table = league_table(league, contests(*logs))
    assert [one.contest.slug for one in table.evenings] == ["evening-1", "evening-2"]
    assert (table.missing, table.provisional) == (("gone-7",), True)
    assert league_table(replace(league, tournaments=("evening-1",)), contests(*logs)).provisional is False


def test_players_of_the_season_before_are_awaited_until_they_play():
    former = league_table(season("evening-1"), contests(evening(["Cleo", "Ann", "Ben"])))
    empty = league_table(season(), [], former)
    assert (empty.lines, empty.awaited) == ((), ("Ann", "Ben", "Cleo"))
    table = league_table(season("evening-1"), contests(evening(["BEN", "Dora"])), former)
    assert table.awaited == ("Ann", "Cleo")


@st.composite
def seasons(draw):
    """Up to five evenings of some of the players, whose results are whatever they are; one of them may be empty."""
    logs = []
    for _ in range(draw(st.integers(1, 5))):
        chosen = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=7, unique=True))
        log = Log(rounds=4, tie_breaks=())
        for name in chosen:
            log.enter(draw(st.sampled_from((name, name.upper()))))
        for _ in range(draw(st.integers(0, 2))):
            log.play({player: draw(st.integers(0, 2)) for player in range(1, len(chosen) + 1)})
        if draw(st.booleans()):
            log.do(RulingMade(1, draw(st.integers(-20, 20)), 9.0, "Eve", "so"))
        logs.append(log)
    return logs


@settings(max_examples=150, deadline=None)
@given(logs=seasons(), best=st.integers(1, 6), worth=st.sampled_from(Worth), order=st.randoms(use_true_random=False))
def test_the_table_is_that_of_a_naive_recount(logs, best, worth, order):
    told = contests(*logs)
    slugs = [one.slug for one in told]
    order.shuffle(slugs)
    table = league_table(season(*slugs, best=best, worth=worth), told)
    expected = recount([log.now for log in logs], best, worth)
    found = [
        (line.place, line.key, line.total, [None if one is None else one.value for one in line.scores])
        for line in table.lines
    ]
    assert sorted(found, key=lambda one: one[:2]) == sorted(expected, key=lambda one: one[:2])
    assert [line.place for line in table.lines] == sorted(line.place for line in table.lines)
    for line in table.lines:
        counting = [one.value for one in line.scores if one is not None and one.counts]
        others = [one.value for one in line.scores if one is not None and not one.counts]
        assert (len(counting), sum(counting)) == (min(best, line.played), line.total)
        assert not counting or not others or min(counting) >= max(others)


@settings(max_examples=60, deadline=None)
@given(logs=seasons(), best=st.integers(1, 6))
def test_points_for_the_place_do_not_depend_on_how_many_points_the_tournament_has(logs, best):
    table = league_table(season(*(f"evening-{one + 1}" for one in range(len(logs))), best=best), contests(*logs))
    for at, one in enumerate(table.evenings):
        values = [line.scores[at].value for line in table.lines if line.scores[at] is not None]
        assert len(values) == one.players
        assert all(0 <= value <= 100 for value in values)
        assert not values or sum(values) == 50 * len(values)


def test_a_contest_is_what_the_hall_knows_of_a_tournament():
    log = evening(["Ann", "Ben"])
    assert contests(log) == [Contest("evening-1", 86400.0, log.now)]
