"""The puzzle of a day depends on the date and the journal only, and comes from the family's own tables."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from played import Step, write

from benchmarks.soak_match import Soaked
from referee.game.match.events import Corrected
from referee.game.match.machine import apply
from referee.game.rulebooks import ruleset
from referee.game.scoring import ScoreSheet
from referee.journal.codec import event_from_text
from referee.journal.opening import FILE, open_journal
from referee.journal.reading import rows_of
from referee.journal.rounds import RoundFollower
from referee.journal.rows import Setup
from referee.journal.scores import MatchScore, read_scores
from referee.pages.table.puzzle.daily import earlier_matches, puzzle_of

RUMMIKUB = ruleset("rummikub")
DAY = date(2026, 12, 24)


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    """Two matches of virtual players by the plain rules of Rummikub."""
    folder = tmp_path_factory.mktemp("state")
    journal = open_journal(folder).journal
    setup = Setup("rummikub", {})
    for events in plain_matches(2):
        state, steps = setup.state(), []
        for event in events:
            state = apply(state, event)[0]
            steps.append(Step(event, state))
        write(journal, setup, steps)
    journal.close()
    return folder / FILE


def plain_matches(number):
    """The events of so many virtual matches without options."""
    found = []
    for seed in range(50):
        events = []
        match = Soaked(RUMMIKUB, seed, lambda _, event, events=events: events.append(event))
        if match.rules == RUMMIKUB and len(found) < number:
            match.play()
            found.append(events)
    return found


def read(journal, day=DAY, rules=RUMMIKUB):
    scores = earlier_matches(read_scores(journal), day, UTC)
    return puzzle_of(day, scores, lambda match: rows_of(journal, match)[0], rules)


def test_the_table_is_one_that_the_family_has_laid(journal):
    daily = read(journal)
    assert daily.score is not None
    follower = RoundFollower(daily.score.setup.state())
    for row in rows_of(journal, daily.score.match)[0][1:]:
        follower.take(event_from_text(row.kind, row.body))
    played = next(one for one in follower.rounds if one.number == daily.round)
    assert daily.puzzle.table in [turn.after for turn in played.turns]


def test_everybody_gets_the_same_puzzle_all_day(journal):
    assert read(journal) == read(journal)


def test_another_day_has_another_puzzle(journal):
    found = [read(journal, DAY + timedelta(days=days)).puzzle for days in range(6)]
    assert len({(puzzle.table, puzzle.hand) for puzzle in found}) > 1


def test_a_match_of_today_changes_nothing():
    scores = [score(1, datetime(2026, 12, 23, 20, tzinfo=UTC)), score(2, datetime(2026, 12, 24, 1, tzinfo=UTC))]
    assert [one.match for one in earlier_matches(scores, DAY, UTC)] == [1]


def test_matches_that_are_damaged_or_not_over_are_left_out():
    begun = datetime(2026, 12, 1, tzinfo=UTC)
    scores = [score(1, begun, over=False), score(2, begun, damaged=True), score(3, begun)]
    assert [one.match for one in earlier_matches(scores, DAY, UTC)] == [3]


def score(match, begun, **how):
    return replace(
        MatchScore(match, Setup("rummikub", {}), begun, ScoreSheet(("Ann", "Ben"))), **{"over": True, **how}
    )


def test_a_corrected_round_does_not_change_the_puzzle(journal, tmp_path):
    before = read(journal)
    path = tmp_path / FILE
    path.write_bytes(journal.read_bytes())
    opened = open_journal(tmp_path)
    kept = opened.kept
    assert kept is not None
    line = kept.state.sheet.rounds[0]
    event = Corrected(1, line.hands, kept.t, winner=line.winner, in_one_turn=line.in_one_turn, who="Eve", why="a test")
    opened.journal.append(event, apply(kept.state, event)[0])
    opened.journal.close()
    after = read(path)
    assert (after.puzzle, after.round) == (before.puzzle, before.round)


def test_without_an_earlier_match_it_is_made_up():
    daily = puzzle_of(DAY, [], lambda _: [], RUMMIKUB)
    assert daily.score is None
    assert daily.puzzle.changed >= 2
    assert daily == puzzle_of(DAY, [], lambda _: [], RUMMIKUB)


def test_matches_that_cannot_be_read_are_passed_over():
    daily = puzzle_of(DAY, [score(1, datetime(2026, 1, 1, tzinfo=UTC))], lambda _: [], RUMMIKUB)
    assert daily.score is None
