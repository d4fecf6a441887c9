"""Why everybody sits where they sit."""

import re

import pytest
from tournaments import Log

from referee.club.tournament.events import (
    Described,
    DrawWithdrawn,
    Renamed,
    ResultCorrected,
    RulingMade,
    Swapped,
    TeamGiven,
)
from referee.club.tournament.groups import final_of
from referee.club.tournament.reasons import reasons_of
from referee.club.tournament.rules import Drawing, GroupStage
from referee.club.tournament.standings import standings
from referee.i18n import LANGUAGES, Wording

WORDS = Wording("en")


def swiss(players, **rules):
    return Log(players=players, drawing=Drawing.SWISS, **rules)


def said(log, player):
    """What a player of the last round is told."""
    number, round_ = len(log.now.rounds), log.now.rounds[-1]
    reasons = reasons_of(log.now, number)
    if player in round_.byes:
        return WORDS.all(reasons.byes[round_.byes.index(player)])
    table = round_.table_of(player)
    return WORDS.all(reasons.tables[table - 1][round_.tables[table - 1].players.index(player)])


def test_the_first_round_is_drawn_by_lot():
    log = swiss(8)
    log.draw()
    assert WORDS.all(reasons_of(log.now, 1).draw) == "The first round was drawn by lot (seed 7)."
    first = log.now.rounds[0].tables[0].players[1]
    assert said(log, first) == f"Player {first}: Seat 2 was drawn by lot."


def test_places_points_and_seats_are_told():
    log = swiss(16)
    log.play()
    log.draw()
    winner = log.now.rounds[1].tables[0].players[0]
    place = WORDS.all(reasons_of(log.now, 2).draw)
    assert place.startswith("The seats follow the standings after round 1 (seed 7)")
    told = said(log, winner)
    assert told.startswith(f"Player {winner}: place ")
    assert " of the 16 in this round by tournament points (12). The others here: place " in told
    assert "Has not met anybody here before." in told
    assert "Seat 1. Times so far in seats 1 to 4: " in told
    assert sorted(told.rpartition(": ")[2].rstrip(".").split(", ")) == ["0", "0", "0", "1"]


def test_the_points_of_the_others_are_told_and_who_is_nearer_but_was_met():
    log = swiss(9)
    for _ in range(3):
        log.play()
    log.draw()
    points = {line.player: line.points for line in standings(log.now.before_round(4))}
    heard = 0
    for table in log.now.rounds[-1].tables:
        for one in table.players:
            told = said(log, one)
            others = told.partition("The others here: ")[2].partition(". ")[0]
            of_others = sorted(points[other] for other in table.players if other != one)
            assert sorted(float(part) for part in re.findall(r"\(([\d.]+)\)", others)) == of_others
            heard += "Nearer in the standings, but met before: " in told
    assert heard


def test_a_smaller_table_is_explained_with_how_often_a_player_sat_at_one():
    log = swiss(7)
    for _ in range(3):
        log.play()
    log.draw()
    before = log.now.rounds[:3]
    for table in log.now.rounds[-1].tables:
        for one in table.players:
            times = sum(len(round_.tables[round_.table_of(one) - 1].players) == 3 for round_ in before)
            told = "The table has 3 players, since 7 do not fill tables of 4." in said(log, one)
            assert told == (len(table.players) == 3)
            assert not told or f"rounds at one so far: {times}." in said(log, one)


def test_a_correction_after_the_draw_is_told_of_the_whole_round():
    log = swiss(8)
    log.play()
    log.draw()
    assert "corrected" not in WORDS.all(reasons_of(log.now, 2).draw)
    log.do(ResultCorrected(1, 1, tuple(reversed(log.now.rounds[0].tables[0].points)), 5.0))
    assert "The standings were corrected after this draw" in WORDS.all(reasons_of(log.now, 2).draw)


def test_repeats_are_told_by_name():
    log = swiss(4)
    log.play()
    log.draw()
    assert "Meets Player 2, Player 3 and Player 4 again. No seating with fewer repeats was found." in said(log, 1)


def test_byes_are_told_with_the_place():
    log = swiss(5, largest=2)
    log.draw()
    first = log.now.rounds[0].byes[0]
    assert said(log, first) == (
        f"Player {first} has a bye; byes before: 0. Nobody gets a second bye until everybody has had one."
    )
    log.tell()
    log.draw()
    second = log.now.rounds[1].byes[0]
    assert second != first
    assert said(log, second).startswith(f"Player {second} is in place ")


def test_whoever_was_moved_is_told_so_and_not_of_the_standings():
    log = swiss(8)
    log.play()
    log.draw()
    one, other = log.now.rounds[1].tables[0].players[0], log.now.rounds[1].tables[1].players[0]
    log.do(Swapped(one, other, 3.0))
    assert said(log, one).startswith(f"Player {one} was moved here by the director.")
    assert "place" not in said(log, one)
    assert "No seating with fewer repeats" not in said(log, one)


def test_a_plan_is_told_with_its_seed():
    log = Log(players=8)
    log.play()
    log.draw()
    assert "planned together (seed 7)" in WORDS.all(reasons_of(log.now, 2).draw)
    assert said(log, 1).startswith("Player 1: Meets ")


def test_names_are_those_of_now():
    log = swiss(4)
    log.draw()
    log.do(Renamed(1, "Ann", 3.0))
    assert said(log, 1).startswith("Ann: ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_sentence_for_everybody(language):
    words, log = Wording(language), swiss(13, largest=3)
    for number in range(1, 5):
        log.play()
        reasons = reasons_of(log.now, number)
        everybody = [words.all(one) for one in (*(one for table in reasons.tables for one in table), *reasons.byes)]
        assert len(everybody) == 13
        assert all("{" not in sentence and "Player " in sentence for sentence in everybody)


def test_points_are_those_of_the_standings_with_what_the_director_took():
    log = swiss(8)
    log.play()
    winner = next(line for line in standings(log.now) if line.points == 12)
    log.do(RulingMade(winner.player, -5, 4.0))
    log.draw()
    told = next(line for line in standings(log.now) if line.player == winner.player)
    assert f"place {told.place} of the 8 in this round by tournament points (7)" in said(log, winner.player)
    log.do(RulingMade(winner.player, -3, 5.0))  # this has not decided who sits where
    assert f"place {told.place} of the 8 in this round by tournament points (7)" in said(log, winner.player)
    log.do(DrawWithdrawn(6.0))
    log.draw()
    assert " by tournament points (4)" in said(log, winner.player)


def drawn_in_groups(*, rating=None, team="", final_rounds=2):
    log = Log(players=8, rounds=1, drawing=Drawing.GROUPS, groups=GroupStage(4, final_rounds))
    for number in range(1, 9):
        log.do(Described(number, 1.0, "", rating))
    if team:
        log.do(TeamGiven(1, team, 1.0))
    log.draw()
    return log


@pytest.mark.parametrize("rating", [None, 1500])
def test_team_mates_are_spoken_of_only_if_there_are_teams(rating):
    def told(log):
        return [one.key for one in reasons_of(log.now, 1).draw]

    alone = ["draw.in_groups", "draw.groups_by_rating" if rating else "draw.groups_by_lot"]
    log = drawn_in_groups(rating=rating)
    assert told(log) == alone
    assert "mate" not in WORDS.all(reasons_of(log.now, 1).draw)
    assert told(drawn_in_groups(rating=rating, team="Reds")) == [*alone, "draw.mates_apart"]


@pytest.mark.parametrize(
    ("rounds", "told"),
    [
        (1, "The seats of the final were drawn so that as few players as possible meet again (seed 7)."),
        (
            2,
            "The seats of the 2 rounds of the final were planned together (seed 7), so that as few",
        ),
    ],
)
def test_the_seats_of_a_final_were_planned_for_the_final(rounds, told):
    log = drawn_in_groups(final_rounds=rounds)
    log.tell()
    log.do(final_of(log.now, 1, 9.0, fill=True))
    log.draw()
    assert WORDS.all(reasons_of(log.now, 2).draw).startswith(told)
    assert "draw.in_groups" in [one.key for one in reasons_of(log.now, 1).draw]
