"""Judging has bounds: counted in steps, for no test may fail because a machine is slow."""

import json
from pathlib import Path

import pytest

from benchmarks.hard_turns import NEARLY_FULL, nearly_full
from referee.game.judge import strict_rebuild
from referee.game.judge.judge import Turn, judge
from referee.game.notation import parse_table
from referee.game.rulebooks import ruleset

SLOW = Path(__file__).parents[3] / "shared/cases/slow_judgings.jsonl"


@pytest.fixture
def searches(monkeypatch):
    """Every search that a judging starts; the tables of all choices at once must not be needed."""
    made = []

    class Counted(strict_rebuild.TwinSearch):
        def __init__(self, *what):
            super().__init__(*what)
            made.append(self)

    def refuse(*_):
        raise AssertionError("expected that the search finds out, it gave up")

    monkeypatch.setattr(strict_rebuild, "TwinSearch", Counted)
    monkeypatch.setattr(strict_rebuild._Search, "fewest", refuse)
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
