import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seats import all_rounds, checked_rounds, repeats_of

from referee.club.tournament.seating import Before, schedule, seat, table_sizes
from referee.club.tournament.seating.schedule import exact_round
from referee.club.tournament.seating.search import Groups, Search

pytest.importorskip("scipy")


def history(players, seed, rounds=5):
    """What is left of some rounds of seats by chance."""
    rng = np.random.default_rng(seed)
    met = np.zeros((players, players), np.int64)
    for _ in range(rounds):
        order = rng.permutation(players)
        for at in range(0, players, 3):
            met[np.ix_(order[at : at + 3], order[at : at + 3])] += 1
    np.fill_diagonal(met, 0)
    return Before(met, rng.integers(0, 2, players), rng.integers(0, 3, players))


def met_before(players, seed):
    """The same, of meetings only, so that nothing but repeats counts in one more round."""
    none = np.zeros(players, np.int64)
    return Before(history(players, seed).meetings, none, none)


@settings(max_examples=25, deadline=None)
@given(st.integers(4, 7), st.sampled_from([(2, 2), (2, 3), (2, 4), (4, 4)]), st.integers(0, 99))
def test_no_round_is_better(players, limits, seed):
    before = history(players, seed)
    sizes = table_sizes(players, *limits)
    groups = Groups.for_tables(players, sizes)
    rng = np.random.default_rng(0)

    def cost(tables):
        at = np.full(players, len(sizes))
        for number, table in enumerate(tables):
            at[list(table)] = number
        return Search(groups, before, at[None, :], rng).cost

    found = exact_round(groups, before)
    assert found is not None
    ways = all_rounds(tuple(range(players)), sizes)
    assert Search(groups, before, found[1][None, :], rng).cost == min(map(cost, ways))
    fewest = exact_round(groups, before, even=False)
    met = {(one, other): before.meetings[one, other] for one in range(players) for other in range(players)}
    assert fewest is not None
    assert fewest[0] == min(repeats_of([one], met) for one in ways)


@pytest.mark.parametrize("players", [10, 13, 16])
def test_one_round_is_proven_to_be_the_best(players):
    before = met_before(players, 1)
    found = seat(players, table_sizes(players), 1, seed=1, before=before, steps=50)
    assert found.repeats == found.bound
    checked_rounds(found.rounds, found.byes, players, table_sizes(players))


def test_the_search_finds_what_is_proven_to_be_the_best(monkeypatch):
    for seed in range(3):
        before = met_before(14, seed)
        exactly = seat(14, (4, 4, 3, 3), 1, seed=1, before=before)
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "scipy.optimize", None)
            searched = seat(14, (4, 4, 3, 3), 1, seed=1, before=before, steps=4000)
        assert searched.bound <= exactly.bound <= exactly.repeats
        assert searched.repeats == exactly.repeats


def test_without_the_solver_and_with_too_many_tables_the_search_has_the_last_word(monkeypatch):
    before = history(9, 1)
    groups = Groups.for_tables(9, (3, 3, 3))
    monkeypatch.setattr(schedule, "MOST_VARIABLES", 20)
    assert exact_round(groups, before) is None
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    assert exact_round(groups, before) is None
    assert len(seat(9, (3, 3, 3), 1, seed=1, before=before).rounds) == 1


def test_a_round_that_takes_too_long_is_given_up(monkeypatch):
    before = history(9, 1)
    assert exact_round(Groups.for_tables(9, (3, 3, 3)), before) is not None
    monkeypatch.setattr("scipy.optimize.milp", lambda *_, **__: SimpleNamespace(status=1, x=None))
    assert exact_round(Groups.for_tables(9, (3, 3, 3)), before) is None
