"""Teams: their members do not meet if that is avoidable, and their standings."""

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournaments import Log

from referee.club.tournament import OutOfOrder, next_draw
from referee.club.tournament.drawing import plan, seating
from referee.club.tournament.events import Described, RulingMade, TeamGiven, event_from_text, event_to_text
from referee.club.tournament.reasons import reasons_of
from referee.club.tournament.rules import Counting, Drawing, GroupStage, TieBreak
from referee.club.tournament.seating.bounds import table_sizes
from referee.club.tournament.seating.division import divide, number_of_groups
from referee.club.tournament.teams import mates, mates_of, team_standings
from referee.errors import BadInput
from referee.game.notice import told_by
from referee.i18n import LANGUAGES, Wording


def with_teams(teams, **rules):
    """A tournament whose players are in these teams, in the order of their numbers; an empty name is no team."""
    log = Log(players=len(teams), **rules)
    for number, team in enumerate(teams, 1):
        if team:
            log.do(TeamGiven(number, team, 1.0))
    return log


def meetings_of_mates(log, draw):
    team = {one.number: one.team for one in log.now.players}
    return sum(team[one] == team[other] != "" for table in draw.tables for one, other in combinations(table, 2))


def fewest_meetings_of_mates(teams, smallest, largest):
    """By brute force over all ways to fill the tables: how many pairs of team mates sit together at least."""
    sizes = table_sizes(len(teams), smallest, largest)

    @cache
    def least(left, sizes):
        if not sizes:
            return 0
        return min(
            sum(teams[one] == teams[other] != "" for one, other in combinations(table, 2))
            + least(tuple(player for player in left if player not in table), sizes[1:])
            for table in combinations(left, sizes[0])
        )

    return least(tuple(range(len(teams))), sizes)


TEAMS = st.lists(st.sampled_from(["", "Reds", "Blues", "Greens"]), min_size=4, max_size=9).filter(
    lambda teams: all(teams.count(team) <= 4 for team in set(teams) - {""})
)


@given(teams=TEAMS, largest=st.integers(2, 4), seed=st.integers(0, 99), drawing=st.sampled_from(["planned", "swiss"]))
@settings(deadline=None, max_examples=25)
def test_team_mates_meet_in_the_first_round_only_as_often_as_is_unavoidable(teams, largest, seed, drawing):
    log = with_teams(teams, largest=largest, seed=seed, drawing=Drawing(drawing), rounds=1)
    assert meetings_of_mates(log, next_draw(log.now)) == fewest_meetings_of_mates(teams, 2, largest)


@pytest.mark.parametrize("drawing", [Drawing.PLANNED, Drawing.SWISS])
@pytest.mark.parametrize(
    ("teams", "least"),
    [
        ([*"AABBCCDD"], 0), ([*"AAAABBBBCCCCDDDD"], 0), ([*"AAABBBCCC"], 0), ([*"AABBCCDDEEFF"], 0),
        (["A", "A", "", "B", "B", "", "", "", "C", "C", "C", "C"], 1),  # four team mates at three tables
    ],
)  # fmt: skip
def test_over_several_rounds_team_mates_meet_only_as_often_as_is_unavoidable(drawing, teams, least):
    log = with_teams(teams, drawing=drawing, rounds=4)
    for number in range(4):
        log.draw(4_000)
        assert meetings_of_mates(log, log.now.rounds[-1].draw) == least
        log.tell({player: (player * (number + 3)) % 11 for player in log.now.here})


def test_repeats_and_bound_do_not_count_team_mates():
    log = with_teams([*"AAAABB"], rounds=3)
    found = seating(log.now)
    free = seating(Log(players=6, rounds=3).now)
    assert free.bound <= found.bound <= found.repeats < 20
    assert sum(meetings_of_mates(log, draw) for draw in plan(log.now)) == 3 * fewest_meetings_of_mates("AAAABB", 2, 4)


@given(
    teams=st.lists(st.sampled_from(["", *"ABCDEFGHIJ"]), min_size=6, max_size=32).filter(
        lambda teams: all(teams.count(team) <= 4 for team in set(teams) - {""})
    ),
    size=st.integers(3, 8),
)
@settings(deadline=None)
def test_groups_separate_team_mates_as_far_as_possible_and_are_even(teams, size):
    groups = number_of_groups(len(teams), size, 2)
    players = range(len(teams))
    found = divide(players, groups, {player: team for player, team in enumerate(teams) if team})
    assert sorted(player for group in found for player in group) == list(players)
    assert max(map(len, found)) - min(map(len, found)) <= 1
    for row in range(0, len(teams) - groups + 1, groups):
        assert all(sum(row <= player < row + groups for player in group) == 1 for group in found)
    for team in set(teams) - {""}:
        members = [sum(teams[player] == team for player in group) for group in found]
        assert max(members) - min(members) <= 1


def test_without_teams_players_are_divided_to_and_fro():
    assert divide(range(1, 9), 3, {}) == ((1, 6, 7), (2, 5, 8), (3, 4))
    assert divide(range(1, 7), 3, {1: "A", 6: "A"})[0][:2] != (1, 6)


def test_team_mates_are_in_different_groups():
    stage = GroupStage(4, 1)
    log = with_teams([*"AABBCCDDEEFF"], drawing=Drawing.GROUPS, groups=stage, largest=2, rounds=3)
    for number in range(1, 13):
        log.do(Described(number, 1.0, rating=1000 + 100 * (number % 5)))
    log.draw()
    assert all(mates_of(log.now, player).isdisjoint(group) for group in log.now.groups for player in group)


def test_the_best_members_of_a_team_count_and_tie_breaks_are_added_up():
    log = with_teams([*"AAABBBB", ""], team_counts=2, rounds=2)
    assert [line.points for line in team_standings(log.now)] == [0, 0]
    assert [line.place for line in team_standings(log.now)] == [1, 1]
    for _ in range(2):
        log.play()
    lines = {line.team: line for line in team_standings(log.now)}
    for team, members in (("A", {1, 2, 3}), ("B", {4, 5, 6, 7})):
        line = lines[team]
        assert {one.player for one in line.members} == members
        assert line.counted == 2
        best = sorted(line.members, key=lambda one: one.points, reverse=True)[:2]
        assert line.points == sum(one.points for one in best)
        ties = [dict(one.tie_breaks) for one in best]
        for name, value in line.tie_breaks:
            assert value == sum(one[name] for one in ties)
    assert [name for name, _ in lines["A"].tie_breaks] == [TieBreak.WINS, TieBreak.OPPONENTS, TieBreak.MARGIN]
    assert team_standings(log.now)[0].team == "A"
    log.do(RulingMade(1, -300, 3.0))
    log.do(RulingMade(2, -300, 3.0))
    assert team_standings(log.now)[0].team == "B"


def test_all_members_count_unless_agreed_otherwise_and_whoever_never_played_counts_nothing():
    log = with_teams([*"AAB"], rounds=1)
    log.leave(2)
    log.play()
    line = next(one for one in team_standings(log.now) if one.team == "A")
    assert [one.player for one in line.members] == [1]
    log.leave(3)
    log = with_teams([*"A"], rounds=1)
    log.leave(1)
    assert [(line.team, line.members, line.points) for line in team_standings(log.now)] == [("A", (), 0)]


def test_a_team_is_spelled_as_by_its_first_member_and_has_four_members_at_most():
    log = with_teams(["Red Foxes", "red  foxes", "RED FOXES", "Red Foxes", ""])
    assert {one.team for one in log.now.players} == {"Red Foxes", ""}
    with pytest.raises(OutOfOrder) as refused:
        log.do(TeamGiven(5, "red foxes", 2.0))
    assert Wording("en")(told_by(refused.value)) == "Red Foxes already has 4 players; a team cannot have more."
    log.do(TeamGiven(1, "", 2.0))
    log.do(TeamGiven(5, "red foxes", 2.0))
    assert log.now.players[4].team == "Red Foxes"
    assert mates_of(log.now, 1) == frozenset()
    assert mates_of(log.now, 5) == {2, 3, 4}
    for event in (TeamGiven(9, "A", 1.0), TeamGiven(1, "A" * 41, 1.0), TeamGiven(1, "A\u202e", 1.0)):
        with pytest.raises(BadInput):
            log.do(event)
    assert [event_from_text(*event_to_text(event)) for event in log.events] == log.events


def test_a_plan_is_made_anew_when_a_team_changes():
    log = Log(players=8, rounds=3)
    assert mates(log.now, log.now.here) is None
    log.draw()
    log.tell()
    log.do(TeamGiven(1, "A", 2.0))
    log.do(TeamGiven(2, "a", 2.0))
    assert log.now.plan == ()
    assert all(meetings_of_mates(log, draw) == 0 for draw in plan(log.now))


def test_reasons_say_that_team_mates_could_not_be_kept_apart():
    log = with_teams([*"AAAA"], rounds=1)
    log.draw()
    told = reasons_of(log.now, 1).tables[0][0]
    assert "Sits with a team mate: " in Wording("en").all(told)
    assert len({Wording(language).all(told) for language in LANGUAGES}) == 4


@pytest.mark.parametrize("counting", Counting)
def test_what_decides_the_order_of_the_players_decides_that_of_the_teams(counting):
    log = with_teams([*"AABBCCDD"], counting=counting, drawing=Drawing.SWISS, team_counts=1, rounds=3)
    for number in range(3):
        log.draw(4_000)
        log.tell({player: player * (number + 3) % 11 for player in log.now.here})
    lines = team_standings(log.now)
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    for line in lines:
        best = max(line.members, key=lambda one: one.score)
        assert (line.score, line.points) == (best.score, best.points)
        assert (line.score == line.points) is (counting is Counting.POINTS)
