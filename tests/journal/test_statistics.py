"""What is known of players from all evenings."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from played import SETUPS, match, short, write

from referee.game.match.events import Corrected, Paused, Pressed, Resumed, Seen, Started, Withdrawn
from referee.game.match.machine import apply
from referee.game.notation import parse_table
from referee.game.scoring import RoundScore, ScoreSheet
from referee.journal.opening import FILE, open_journal
from referee.journal.reading import rows_of
from referee.journal.scores import MatchScore, read_scores
from referee.journal.statistics import AT_ONCE, Statistics, TurnCounter, player_statistics, turn_totals

OPENING = "R10 R11 R12 | B10 B11 B12"


def score(number, players, *lines, over=True):
    """A match of Rummikub whose rounds brought these points."""
    rounds = tuple(RoundScore(line.index(max(line)), (0,) * len(line), line) for line in lines)
    return MatchScore(number, SETUPS[0], datetime(2026, 3, number, tzinfo=UTC), ScoreSheet(players, rounds), over)


def test_wins_rounds_and_who_finished_ahead_of_whom_are_counted():
    found = player_statistics(
        [score(1, ("Ann", "Ben", "Cleo"), (9, -4, -5), (9, -5, -4)), score(2, ("Ben", "Ann"), (7, -7))]
    )
    ann = next(one for one in found if one.player == "Ann")
    assert (ann.matches, ann.matches_won, ann.rounds, ann.rounds_won) == (2, 1, 3, 2)
    assert (ann.met["Ben"], ann.ahead["Ben"], ann.met["Cleo"], ann.ahead["Cleo"]) == (2, 1, 1, 1)
    assert (ann.longest_streak, ann.streak) == (1, 0)


def test_a_match_that_is_not_over_does_not_count():
    assert player_statistics([score(1, ("Ann", "Ben"), (9, -9), over=False)]) == []


def test_the_best_rating_stands_first_and_three_wins_are_a_streak():
    found = player_statistics([score(day, ("Ann", "Ben"), (-9, 9)) for day in (1, 2, 3)])
    assert [one.player for one in found] == ["Ben", "Ann"]
    assert (found[0].longest_streak, found[1].longest_streak) == (3, 0)


def test_a_damaged_match_does_not_count():
    assert player_statistics([replace(score(1, ("Ann", "Ben"), (9, -9)), damaged=True)]) == []


class Played:
    """A match of Ann and Ben, event by event."""

    def __init__(self):
        self.counter = TurnCounter(SETUPS[0].state())
        self.t = 0.0
        self.do(Started(("Ann", "Ben"), 0.0))

    def do(self, event):
        self.counter.take(event)
        return self

    def turn(self, table, after):
        self.t += after
        self.do(Pressed(self.counter.state.current, self.t))
        self.t += 0.5
        return self.do(Seen(parse_table(table), self.t))


def test_turns_their_time_and_the_first_meld_are_counted():
    played = Played().turn("", 10.0).turn("", 20.0).turn(OPENING, 30.0)
    ann, ben = played.counter.totals[0], played.counter.totals[1]
    assert (ann.turns, ben.turns) == (2, 1)
    assert ann.seconds == pytest.approx(10.0 + 30.0, abs=1.1)
    assert ben.seconds == pytest.approx(20.0, abs=0.6)
    assert (ann.melds, ann.meld_turns, ben.melds) == (1, 2, 0)
    assert (ann.longest, ann.tiles, ben.tiles) == (3, 6, 0)


def test_a_refused_turn_goes_on_and_counts_once():
    played = Played().turn("R10 R11 B13", 5.0).turn(OPENING, 5.0)
    assert (played.counter.totals[0].turns, played.counter.totals[0].meld_turns) == (1, 1)
    assert played.counter.totals[0].seconds == pytest.approx(10.5, abs=0.6)


def test_a_pause_takes_no_time():
    played = Played()
    played.do(Paused(4.0)).do(Resumed(100.0))
    played.t = 100.0
    played.turn(OPENING, 6.0)
    assert played.counter.totals[0].seconds == pytest.approx(10.0, abs=0.6)


def test_a_meld_that_was_taken_back_is_counted_once_with_all_of_its_time():
    played = Played().turn(OPENING, 10.0)
    played.t += 1.0
    played.do(Withdrawn(0, played.t))
    played.turn(OPENING, 5.0)
    ann = played.counter.totals[0]
    assert (ann.turns, ann.melds, ann.meld_turns, ann.tiles, ann.longest) == (1, 1, 1, 6, 3)
    assert ann.seconds == pytest.approx(15.0, abs=0.6)


def test_a_set_is_credited_to_whoever_laid_it():
    long = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12"
    played = Played().turn(long, 5.0).turn(f"{long} | R10 B10 K10", 5.0)
    assert [played.counter.totals[seat].longest for seat in (0, 1)] == [12, 3]


def test_a_turn_that_was_taken_back_is_counted_once():
    played = Played().turn("", 10.0)
    played.do(Withdrawn(0, played.t + 1.0))
    assert played.counter.totals[0].turns == 0
    played.turn(OPENING, 5.0)
    assert (played.counter.totals[0].turns, played.counter.totals[0].meld_turns) == (1, 1)


@pytest.fixture
def journal(tmp_path):
    """Matches that are over: one of a round, one of two rounds, and more than are gone through in one call."""
    opened = open_journal(tmp_path).journal
    write(opened, SETUPS[0], short(SETUPS[0]))
    write(opened, SETUPS[0], short(SETUPS[0], rounds=2))
    for _ in range(AT_ONCE):
        write(opened, SETUPS[1], short(SETUPS[1]))
    opened.close()
    return tmp_path / FILE


def test_a_new_round_counts_turns_anew(journal):
    totals = turn_totals(rows_of(journal, 2)[0]).values()
    assert (sum(one.melds for one in totals), sum(one.meld_turns for one in totals)) == (2, 2)
    assert sum(one.turns for one in totals) == 2


def test_matches_are_gone_through_a_few_at_a_time_and_remembered(journal, monkeypatch):
    statistics, scores = Statistics(journal), read_scores(journal)
    players, missing = statistics.read(scores)
    assert missing == 2
    assert sum(one.turns.turns for one in players) == AT_ONCE
    players, missing = statistics.read(scores)
    assert (missing, sum(one.turns.turns for one in players)) == (0, AT_ONCE + 3)
    monkeypatch.setattr("referee.journal.statistics.rows_of", None)  # nothing is read again
    assert statistics.read(scores)[1] == 0


def test_a_correction_counts_at_once(tmp_path):
    opened = open_journal(tmp_path).journal
    steps = short(SETUPS[0])
    write(opened, SETUPS[0], steps)
    won = read_scores(tmp_path / FILE)[0].winning_seats
    seat = won[0]
    points = tuple(95 if number == seat else 0 for number in range(2))
    event = Corrected(1, points, steps[-1].event.t, winner=1 - seat, who="Ann", why="miscounted")
    opened.append(event, apply(steps[-1].state, event)[0])
    opened.close()
    best = player_statistics(read_scores(tmp_path / FILE))[0]
    assert best.player == ("Ann", "Ben")[1 - seat]


@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_played_can_be_gone_through(tmp_path, setup, seed):
    opened = open_journal(tmp_path).journal
    write(opened, setup, match(setup, seed, 200))
    opened.close()
    totals = turn_totals(rows_of(tmp_path / FILE, 1)[0])
    assert all(one.seconds >= 0 and one.turns >= one.melds for one in totals.values())
    assert sum(one.turns for one in totals.values()) > 0


def test_rows_of_another_version_are_left_out(journal):
    first = rows_of(journal, 1)[0][0]
    assert turn_totals([replace(first, body=first.body.replace("rummikub", "canasta"))]) == {}
