"""Warnings, points that the director gives or takes, and a tournament that is reopened."""

import csv
import io

import pytest
from tournaments import Log

from referee.club.tournament import OutOfOrder, export, standings
from referee.club.tournament.events import Ended, Entered, Reopened, RulingMade, RulingWithdrawn
from referee.club.tournament.rules import TieBreak
from referee.club.tournament.state import Reopening, Ruling, RulingWithdrawal
from referee.errors import BadInput


def line(log, player):
    return next(one for one in standings(log.now) if one.player == player)


def refused(log, event):
    with pytest.raises(BadInput) as why:
        log.do(event)
    return why.value.args[0]


def test_a_deduction_moves_a_player_down_but_not_the_opponents():
    log = Log(players=4)
    log.play()
    first = standings(log.now)[0].player
    others = {one.player: one for one in standings(log.now) if one.player != first}
    log.do(RulingMade(first, -5, 4.0, "Eve", "Came late"))
    assert (line(log, first).points, line(log, first).adjusted, line(log, first).place) == (7, -5, 2)
    for player, before in others.items():
        assert dict(line(log, player).tie_breaks)[TieBreak.OPPONENTS] == dict(before.tie_breaks)[TieBreak.OPPONENTS]
    log.do(RulingMade(first, 2, 5.0, "Eve", "The clock was late"))
    assert (line(log, first).points, line(log, first).adjusted) == (9, -3)
    log.do(RulingWithdrawn(1, 6.0, "Eve", "It was the train"))
    assert (line(log, first).points, line(log, first).adjusted, line(log, first).place) == (14, 2, 1)
    assert log.replayed() == log.now


def test_a_warning_counts_no_points_and_everything_leaves_a_trace():
    log = Log(players=4)
    log.play()
    before = line(log, 2)
    log.do(RulingMade(2, 0, 4.0, "Eve", "Phone at the table"))
    assert (line(log, 2).points, line(log, 2).place, line(log, 2).warnings) == (before.points, before.place, 1)
    log.do(RulingWithdrawn(1, 5.0, "Eve", "It was the neighbour's"))
    assert line(log, 2).warnings == 0
    ruling = Ruling(1, 1, 2, 0, 4.0, "Eve", "Phone at the table")
    assert log.now.traces == (ruling, RulingWithdrawal(ruling, 5.0, "Eve", "It was the neighbour's"))
    assert refused(log, RulingWithdrawn(1, 6.0)).key == "tournament.ruling_withdrawn_already"
    assert refused(log, RulingWithdrawn(2, 6.0)).key == "tournament.no_such_ruling"
    assert refused(log, RulingMade(5, 0, 6.0)).key == "tournament.no_such_player"
    assert "361" in str(refused(log, RulingMade(1, 361, 6.0)))


def test_files_for_other_programs_tell_of_them():
    log = Log(players=4)
    log.play()
    log.do(RulingMade(2, -5, 4.0, "Eve", "Came late"))
    log.do(RulingMade(2, 0, 4.0, "Eve", "Phone"))
    lines = list(csv.DictReader(io.StringIO(export.standings_csv(log.now))))
    assert [(one["adjusted"], one["warnings"]) for one in lines if one["player"] == "Player 2"] == [("-5", "1")]
    told = export.as_json(log.now)
    assert [(one["points"], one["why"]) for one in told["rulings"]] == [(-5, "Came late"), (0, "Phone")]
    assert [one["change"] for one in told["changes"]] == ["ruling", "ruling"]
    assert next(one for one in told["standings"] if one["player"] == 2)["adjusted"] == -5


def test_an_ended_tournament_takes_rulings_and_is_reopened():
    log = Log(players=4, rounds=3)
    log.play()
    with pytest.raises(OutOfOrder):
        log.do(Reopened(4.0))
    log.do(Ended(4.0))
    log.do(RulingMade(1, -1, 5.0, why="Late"))
    with pytest.raises(OutOfOrder):
        log.do(Entered("Late", 5.0))
    log.do(Reopened(6.0, "Eve", "One round is missing"))
    assert not log.now.ended
    assert log.now.traces[-1] == Reopening(1, 6.0, "Eve", "One round is missing")
    log.enter("Late")
    log.play()
    log.do(Ended(7.0))
    assert log.replayed() == log.now
