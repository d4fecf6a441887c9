"""The search for a way to tell twins apart, held against every way, one after the other."""

from itertools import product
from random import Random

import pytest

from referee.game.judge.twins import Demand, TwinSearch


def made_by_chance(seed):
    """Demands on some of eight choices; each is content with a quarter of its ways or more."""
    rng = Random(seed)  # noqa: S311 - demands need no cryptographic randomness
    demands = {}
    for name in range(rng.randint(1, 7)):
        choices = tuple(sorted(rng.sample(range(8), rng.randint(1, 4))))
        share = rng.choice((0.25, 0.5, 0.8))
        demands[name] = Demand(choices, sum(1 << way for way in range(1 << len(choices)) if rng.random() < share))
    return demands


def is_met(demand, way):
    return demand.table >> sum(way[choice] << place for place, choice in enumerate(demand.choices)) & 1


@pytest.mark.parametrize("seed", range(200))
def test_it_finds_a_way_where_there_is_one(seed):
    demands = made_by_chance(seed)
    some = [name for name in demands if name % 3]
    for names in (list(demands), some):
        expected = any(all(is_met(demands[name], way) for name in names) for way in product((0, 1), repeat=8))
        assert TwinSearch(demands, 1000).is_possible(names) is expected


def test_it_gives_up_when_it_has_taken_all_its_steps():
    """One of two choices must be one, and not both: that takes a second step."""
    demands = {0: Demand((0, 1), 0b0110)}
    assert TwinSearch(demands, 1).is_possible([0]) is None
    assert TwinSearch(demands, 2).is_possible([0]) is True


def test_nothing_asked_is_met():
    assert TwinSearch({}, 1).is_possible([]) is True
