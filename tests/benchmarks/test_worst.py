"""Judging has bounds: counted in steps, for no test may fail because a machine is slow."""

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import worst
from benchmarks.hard_turns import NEARLY_FULL, jokers_alone, nearly_full
from referee.game.judge import strict_rebuild
from referee.game.judge.jokers.ways import SourceSearch
from referee.game.judge.judge import Turn, judge
from referee.game.judge.melds.hand import Plan
from referee.game.judge.melds.prices import Prices
from referee.game.judge.melds.ways import MeldWays
from referee.game.notation import parse_table
from referee.game.rulebooks import ruleset
from referee.game.tiles import JOKER

SLOW = Path(__file__).parents[3] / "shared/cases/slow_judgings.jsonl"


@pytest.fixture
def searches(monkeypatch):
    """Every search that a judging starts; the tables of all choices at once must not be needed."""
    made = []

    class Counted(strict_rebuild.TwinSearch):
        def __init__(self, *what):
            super().__init__(*what)
            made.append(self)

        def is_possible(self, names):
            found = super().is_possible(names)
            assert found is not None, "expected that the search finds out, it gave up"
            return found

    monkeypatch.setattr(strict_rebuild, "TwinSearch", Counted)
    return made


@pytest.mark.parametrize("seed", range(40))
def test_nearly_full_tables_take_few_steps(seed, searches):
    hard = nearly_full(seed)
    assert NEARLY_FULL[0] <= sum(map(len, hard.before))
    judge(hard.before, hard.after, hard.turn, hard.rules)
    assert all(search.steps <= 100 for search in searches)


@pytest.mark.parametrize("name", ["w3", "w4"])
def test_the_turns_that_took_seconds_take_few_steps(name, searches):
    if not SLOW.exists():
        pytest.skip("expected cases/slow_judgings.jsonl in ../shared, found no such file")
    (case,) = (case for case in map(json.loads, SLOW.read_text().splitlines()) if case["name"] == name)
    words = dict(zip(case["args"], case["args"][1:], strict=False))
    rules = ruleset(words["--rules"]).choose(rebuild="strict")
    assert judge(parse_table(words["--before"]), parse_table(words["--after"]), Turn(opened=True), rules).accepted
    assert searches
    assert all(search.steps <= 100 for search in searches)


@pytest.fixture
def steps(monkeypatch):
    """How often a first meld's bound was lowered, a choice was tried, a piece made, a joker given a place."""
    taken = Counter()
    lower, fit, make, run = Prices.lower, MeldWays.freed_with, Plan.piece.fget, SourceSearch.run

    def count_bounds(prices, *what):
        before = prices.steps
        lower(prices, *what)
        taken["bounds"] += prices.steps - before

    def count_choice(*what):
        taken["choices"] += 1
        return fit(*what)

    def count_piece(plan):
        taken["pieces"] += plan.made is None
        return make(plan)

    def count_places(search, *what):
        before = places_given(search)
        found = run(search, *what)
        taken["places"] += places_given(search) - before
        return found

    monkeypatch.setattr(SourceSearch, "run", count_places)
    monkeypatch.setattr(Prices, "lower", count_bounds)
    monkeypatch.setattr(MeldWays, "freed_with", count_choice)
    monkeypatch.setattr(Plan, "piece", property(count_piece))
    return taken


def places_given(search):
    """How often a search has looked for the places of one more joker, beside each way to place those before it."""
    return sum(
        len(search.placed[tuple(kept[:-1]), in_run, ways] if kept[1:] else ways)
        for kept, in_run, ways in search.placed
    )


@pytest.mark.parametrize("seed", range(40))
def test_first_melds_beside_jokers_alone_take_a_bounded_number_of_steps(seed, steps):
    hard = jokers_alone(seed)
    judge(hard.before, hard.after, hard.turn, hard.rules)
    assert steps["bounds"] <= 130
    assert steps["choices"] <= 900
    # The most that seeds 0-39 take are 426 choices, and 116 pieces and 3090 places, both with seed 17.
    assert steps["pieces"] <= 130
    assert steps["places"] <= 4000


@pytest.mark.parametrize(("seed", "most"), [(2, 60), (17, 150), (70, 90), (86, 200)])
def test_a_bound_that_helps_no_more_is_not_lowered_a_hundred_times(seed, most, steps):
    hard = jokers_alone(seed)
    judge(hard.before, hard.after, hard.turn, hard.rules)
    assert 0 < steps["bounds"] <= most


@pytest.mark.parametrize(("seed", "most"), [(70, 130), (110, 95), (113, 100)])
def test_sets_are_made_only_where_they_are_tried(seed, most, steps):
    hard = jokers_alone(seed)
    judge(hard.before, hard.after, hard.turn, hard.rules)
    assert 0 < steps["pieces"] <= most


def test_the_first_meld_that_took_a_third_of_a_second_takes_few_steps(steps):
    if not SLOW.exists():
        pytest.skip("expected cases/slow_judgings.jsonl in ../shared, found no such file")
    (case,) = (case for case in map(json.loads, SLOW.read_text().splitlines()) if case["name"] == "c2")
    words = dict(zip(case["args"], case["args"][1:], strict=False))
    rules = ruleset(words["--rules"]).choose(exchange="counts")
    turn = Turn(opened=False, declared=True)
    judge(parse_table(words["--before"]), parse_table(words["--after"]), turn, rules)
    assert steps["bounds"] <= 100
    assert steps["pieces"] <= 130
    assert steps["places"] <= 200


def test_turns_beside_jokers_alone_are_of_all_kinds():
    made = [jokers_alone(seed) for seed in range(60)]
    alone = [sum(set(tiles) == {JOKER} for tiles in hard.before) for hard in made]
    assert {0, 1, 2} <= set(alone)
    assert {hard.rules.name for hard in made} >= {"classic", "ravensburger", "rummikub", "piatnik", "brettspielnetz"}
    verdicts = {judge(hard.before, hard.after, hard.turn, hard.rules).accepted for hard in made[:30]}
    assert verdicts == {True, False}


def test_it_is_the_first_judging_that_counts(monkeypatch):
    clock = iter([0.0, 0.08, 1.0, 1.01, 2.0, 2.03])
    monkeypatch.setattr(worst.time, "process_time", lambda: next(clock))
    first, best = worst.measure_cost(lambda *_: None, jokers_alone(0))
    assert (round(first), round(best)) == (80, 10)


@pytest.mark.parametrize("seed", [315, 5249, 5454])
def test_a_bound_that_tells_little_costs_few_choices(seed, steps):
    """14,000 to 75,000 where jokers stand for what nothing frees, and what loses as much is tried in any order."""
    hard = jokers_alone(seed)
    judge(hard.before, hard.after, hard.turn, hard.rules)
    assert 0 < steps["choices"] <= 8000
