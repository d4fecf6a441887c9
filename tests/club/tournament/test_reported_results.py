"""Results that players report: they count once an opponent or the director confirms them, and replay as they were."""

import pytest
from tournaments import Log

from referee.club.tournament import OutOfOrder, standings
from referee.club.tournament.events import (
    DrawWithdrawn,
    Ended,
    ReportConfirmed,
    ReportDecided,
    ReportDisputed,
    ReportRejected,
    ResultReported,
    ResultTold,
    RoundBegun,
    Swapped,
)
from referee.club.tournament.reports import check_form
from referee.club.tournament.state import Rejection
from referee.errors import BadInput
from referee.game.rulebooks import RULESETS


@pytest.fixture
def log():
    made = Log(players=6)
    made.draw()
    made.do(RoundBegun(2.0))
    return made


def seated(log, table=1):
    return log.now.rounds[-1].tables[table - 1].players


def table(log, number=1):
    return log.now.rounds[-1].tables[number - 1]


def refused(log, event):
    before = log.now
    with pytest.raises(BadInput) as why:
        log.do(event)
    assert log.now is before
    return why.value.args[0].key.partition(".")[2]


def test_a_report_counts_nowhere_until_an_opponent_confirms_it(log):
    one, other, _ = seated(log)
    before = standings(log.now)
    log.do(ResultReported(1, (40, -10, -30), one, 3.0))
    assert standings(log.now) == before
    assert log.now.rounds[-1].missing_tables == (1, 2)
    assert refused(log, Ended(4.0)) == "results_missing"
    log.do(ReportConfirmed(1, 4.0, other))
    assert table(log).points == (40, -10, -30)
    assert table(log).report.confirmed_by == other
    assert standings(log.now)[0].player == one
    assert log.replayed() == log.now


def test_nobody_confirms_or_disputes_the_own_report_and_nobody_from_another_table_does(log):
    one, stranger = seated(log)[0], seated(log, 2)[0]
    log.do(ResultReported(1, (40, -10, -30), one, 3.0))
    for event in (ReportConfirmed(1, 4.0, one), ReportDisputed(1, one, 4.0)):
        assert refused(log, event) == "own_report"
    for event in (
        ReportConfirmed(1, 4.0, stranger),
        ReportDisputed(1, stranger, 4.0),
        ResultReported(1, (1, 2, 3), stranger, 4.0),
    ):
        assert refused(log, event) == "not_at_table"


def test_only_who_reported_replaces_a_report_and_nobody_doubles_it(log):
    one, other, _ = seated(log)
    log.do(ResultReported(1, (40, -10, -30), one, 3.0))
    assert refused(log, ResultReported(1, (40, -10, -30), one, 4.0)) == "reported_already"
    assert refused(log, ResultReported(1, (30, 0, -30), other, 4.0)) == "reported_by"
    log.do(ResultReported(1, (40, -20, -20), one, 4.0))
    log.do(ReportConfirmed(1, 5.0, other))
    assert refused(log, ReportConfirmed(1, 5.0, other)) == "results_told"
    assert table(log).points == (40, -20, -20)


def test_a_dispute_stays_until_who_disputed_or_the_director_settles_it(log):
    one, other, third = seated(log)
    log.do(ResultReported(1, (40, -10, -30), one, 3.0))
    log.do(ReportDisputed(1, other, 4.0, (40, -30, -10)))
    assert refused(log, ReportDisputed(1, other, 4.0, (40, -30, -10))) == "disputed_already"
    assert refused(log, ReportConfirmed(1, 4.0, third)) == "disputed_already"
    assert refused(log, ReportDisputed(1, third, 4.0)) == "disputed_already"
    log.do(ResultReported(1, (40, -20, -20), one, 5.0))  # a new report takes no dispute away
    assert refused(log, ReportConfirmed(1, 5.0, third)) == "disputed_already"
    log.do(ReportConfirmed(1, 6.0, other))
    assert table(log).points == (40, -20, -20)
    assert log.replayed() == log.now


def test_the_director_confirms_changes_or_rejects(log):
    one, other, _ = seated(log)
    log.do(ResultReported(1, (40, -10, -30), one, 3.0))
    log.do(ReportDisputed(1, other, 4.0))
    log.do(ReportRejected(1, 5.0, "Eve", "They played another match"))
    assert table(log).report is None
    assert refused(log, ReportRejected(1, 5.0)) == refused(log, ReportConfirmed(1, 5.0)) == "no_report"
    log.do(ResultReported(1, (30, -10, -20), other, 6.0))
    log.do(ResultTold(1, (20, 0, -20), 7.0))
    assert table(log).points == (20, 0, -20)
    two = seated(log, 2)[0]
    log.do(ResultReported(2, (1, 0, -1), two, 7.0))
    log.do(ReportConfirmed(2, 8.0, None, "Eve"))
    assert table(log, 2).points == (1, 0, -1)
    assert log.now.traces == (
        Rejection(1, 1, one, (40, -10, -30), None, 5.0, "Eve", "They played another match", (one, other, _)),
        Rejection(1, 1, other, (30, -10, -20), (20, 0, -20), 7.0, players=(one, other, _)),
    )
    assert log.replayed() == log.now


def test_the_director_takes_the_version_of_the_disputer_or_a_third_one(log):
    one, other, _ = players = seated(log)
    assert refused(log, ReportDecided(1, (1, 2, 3), 3.0)) == "no_report"
    log.do(ResultReported(1, (40, -10, -30), one, 3.0))
    log.do(ReportDisputed(1, other, 4.0, (30, 0, -30)))
    assert refused(log, ReportDecided(1, (1, 2), 5.0)) == "wrong_points"
    log.do(ReportDecided(1, (30, 0, -30), 5.0, "Eve", "Both have looked again"))
    assert table(log).points == (30, 0, -30)
    assert table(log).report.disputed_by == other
    assert refused(log, ReportDecided(1, (40, -10, -30), 6.0)) == "results_told"
    assert log.now.traces == (
        Rejection(1, 1, one, (40, -10, -30), (30, 0, -30), 5.0, "Eve", "Both have looked again", players,
                  other, (30, 0, -30)),
    )  # fmt: skip
    two = seated(log, 2)
    log.do(ResultReported(2, (1, 0, -1), two[0], 7.0))
    log.do(ReportDecided(2, (1, 0, -1), 8.0, "Eve"))
    assert table(log, 2).points == (1, 0, -1)
    assert len(log.now.traces) == 1
    assert log.replayed() == log.now


def test_the_version_of_the_disputer_is_kept_whatever_the_director_decides(log):
    one, other, _ = players = seated(log)
    two, three, _ = others = seated(log, 2)
    both = {"disputed_by": other, "otherwise": (30, 0, -30)}
    log.do(ResultReported(1, (40, -10, -30), one, 3.0))
    log.do(ReportDisputed(1, other, 4.0, (30, 0, -30)))
    log.do(ReportRejected(1, 5.0, "Eve", "Count again"))
    trace = Rejection(1, 1, one, (40, -10, -30), None, 5.0, "Eve", "Count again", players, **both)
    assert log.now.traces == (trace,)
    log.do(ResultReported(1, (40, -10, -30), one, 6.0))
    log.do(ReportDisputed(1, other, 7.0, (30, 0, -30)))
    log.do(ReportConfirmed(1, 8.0, None, "Eve"))
    right = Rejection(1, 1, one, (40, -10, -30), (40, -10, -30), 8.0, "Eve", "", players, **both)
    assert log.now.traces == (trace, right)
    log.do(ResultReported(2, (1, 0, -1), two, 9.0))
    log.do(ReportDisputed(2, three, 9.0, (2, 0, -2)))
    log.do(ReportDecided(2, (3, 0, -3), 10.0, "Eve"))
    assert log.now.traces[2:] == (
        Rejection(1, 2, two, (1, 0, -1), (3, 0, -3), 10.0, "Eve", "", others, three, (2, 0, -2)),
    )
    assert log.replayed() == log.now


def test_what_both_have_agreed_on_themselves_leaves_no_trace(log):
    one, other, _ = seated(log)
    log.do(ResultReported(1, (40, -10, -30), one, 3.0))
    log.do(ReportDisputed(1, other, 4.0, (30, 0, -30)))
    log.do(ReportConfirmed(1, 5.0, other))
    assert log.now.traces == ()


def test_a_table_that_tells_the_same_leaves_no_trace(log):
    log.do(ResultReported(1, (40, -10, -30), seated(log)[0], 3.0))
    log.do(ResultTold(1, (40, -10, -30), 4.0))
    assert log.now.traces == ()


def test_a_swap_and_a_withdrawn_draw_take_a_report_away(log):
    one = seated(log)[0]
    log.do(ResultReported(1, (40, -10, -30), one, 3.0))
    log.do(ResultReported(2, (40, -10, -30), seated(log, 2)[0], 3.0))
    log.do(Swapped(seated(log)[1], seated(log)[2], 4.0))
    assert (table(log).report, table(log, 2).report is None) == (None, False)
    log.do(DrawWithdrawn(5.0))
    log.draw()
    assert refused(log, ResultReported(1, (1, 0, -1), seated(log)[0], 6.0)) == "no_round"  # it has not begun
    assert log.replayed() == log.now


def test_too_few_points_are_refused(log):
    assert refused(log, ResultReported(1, (1, 2), seated(log)[0], 3.0)) == "wrong_points"
    assert refused(log, ResultReported(3, (1, 2), seated(log)[0], 3.0)) == "no_such_table"


@pytest.mark.parametrize(
    ("book", "points", "wrong"),
    [
        ("rummikub", (40, -10, -30), None),
        ("rummikub", (-5, -10, -30), None),  # the stock ran out
        ("rummikub", (40, 10, 30), "more_won_than_lost"),
        ("piatnik", (0, 10, 30), None),
        ("piatnik", (-1, 10, 30), "below_zero"),
        ("brettspielnetz", (2, 1, 0), None),
        ("brettspielnetz", (2, -1, 0), "below_zero"),
        ("gin", (100, 0), None),
        ("gin", (100, -100), "below_zero"),
    ],
)
def test_points_must_have_the_form_of_the_rule_book(book, points, wrong):
    if wrong is None:
        check_form(points, RULESETS[book])
    else:
        with pytest.raises(BadInput) as why:
            check_form(points, RULESETS[book])
        assert why.value.args[0].key == f"tournament.{wrong}"


def test_an_ended_tournament_takes_no_report(log):
    log.tell()
    log.do(Ended(5.0))
    with pytest.raises(OutOfOrder):
        log.do(ResultReported(1, (1, 0, -1), seated(log)[0], 6.0))
