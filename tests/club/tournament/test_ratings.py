"""Ratings over tournaments and years: replayed, so that corrections flow through."""

from tournaments import Log

from referee.club.tournament.events import Described, Opened, Renamed, ResultCorrected
from referee.club.tournament.ratings import rate_players
from referee.club.tournament.rules import Rules
from referee.game.rating import Rating, rate_match

YEAR_S = 365 * 86400.0


def cup(names, rounds=3, **rules):
    log = Log(**rules)
    for name in names:
        log.enter(name)
    for _ in range(rounds):
        log.play()
    return log


def by_name(found):
    return {one.name: one for one in found}


def test_it_is_the_published_formula_table_by_table():
    log = cup(["Ann", "Ben", "Cleo"], rounds=2)
    found = by_name(rate_players([("cup-1", 0.0, log.now)]))
    ratings = {number: Rating() for number in (1, 2, 3)}
    for round_ in log.now.rounds:
        (table,) = round_.tables
        rated = rate_match([ratings[one] for one in table.players], table.points)
        ratings |= dict(zip(table.players, rated, strict=True))
    assert [found[name].rating for name in ("Ann", "Ben", "Cleo")] == [ratings[number] for number in (1, 2, 3)]
    assert (found["Ann"].matches, found["Ann"].won, found["Cleo"].won) == (2, 2, 0)


def test_players_are_known_again_over_years_with_a_history():
    early, late = cup(["Ann", "Ben", "Cleo", "Dora"]), cup(["BEN", "ann", "Eve", "Fay"])
    late.do(Described(1, 1.0, "North"))
    told = [("late-2", YEAR_S, late.now), ("early-1", 0.0, early.now)]
    found = by_name(rate_players(told))
    assert set(found) == {"ann", "BEN", "Cleo", "Dora", "Eve", "Fay"}
    history = found["BEN"].history
    assert [(one.tournament, one.rounds, one.place, one.players) for one in history] == [
        ("early-1", 3, 2, 4),
        ("late-2", 3, 1, 4),
    ]
    assert history[0].before == Rating().shown
    assert history[0].after == history[1].before
    assert history[1].after == found["BEN"].rating.shown
    assert found["BEN"].club == "North"
    assert rate_players(told) == rate_players(reversed(told))


def test_a_correction_in_the_first_tournament_changes_everything_after_it():
    early, late = cup(["Ann", "Ben", "Cleo"]), cup(["Ann", "Ben", "Cleo"])

    def told():
        return by_name(rate_players([("a-1", 0.0, early.now), ("b-2", 1.0, late.now)]))

    before = told()
    table = early.now.rounds[0].tables[0]
    early.do(ResultCorrected(1, 1, tuple(-one for one in table.points), 9.0, "Eve", "other way round"))
    after = told()
    assert before["Ann"].rating.mean > after["Ann"].rating.mean
    assert before["Cleo"].rating.mean < after["Cleo"].rating.mean
    assert after["Ann"].history[1].before == after["Ann"].history[0].after != before["Ann"].history[0].after


def test_a_name_that_is_corrected_joins_two_players():
    early, late = cup(["Ann", "Ben"], largest=2), cup(["Anne", "Ben"], largest=2)
    told = [("a-1", 0.0, early.now), ("b-2", 1.0, late.now)]
    assert len(rate_players(told)) == 3
    late.do(Renamed(1, "Ann", 9.0))
    assert len(rate_players([told[0], ("b-2", 1.0, late.now)])) == 2


def test_few_points_are_better_where_the_rules_say_so_and_nobody_without_a_match_is_rated():
    log = cup(["Ann", "Ben", "Cleo"], rounds=1, highest_wins=False)
    log.enter("Late")
    assert [one.name for one in rate_players([("a-1", 0.0, log.now)])] == ["Cleo", "Ben", "Ann"]
    log.draw()
    assert len(rate_players([("a-1", 0.0, log.now)])) == 3
    empty = Log()
    assert isinstance(empty.events[0], Opened)
    assert rate_players([("a-1", 0.0, empty.now)]) == rate_players([]) == []
    assert Rules(3).highest_wins
