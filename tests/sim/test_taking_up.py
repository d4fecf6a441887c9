"""Virtual people play a match on that was cut off, wherever that was."""

from collections import Counter

import numpy as np
import pytest

from referee.game.match.events import Paused, Resumed, Seen
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.rulebooks import ruleset
from referee.sim.match import people_for
from referee.sim.players.players import BareTable

MOST = 4000
"""No match of one round takes so many events."""


def seated(rules, seed):
    return people_for(rules, np.random.default_rng(seed), BareTable(), players=("Anna", "Ben"))


def step(state, people, t):
    event = Seen(people.area.table, t + 1.0) if state.phase.looks else people.act(state, t)
    state, effects = apply(state, event)
    people.follow_effects(effects)
    return state, getattr(event, "t", t)


def going_on(state, t):
    """What the power, and whoever presses start, do."""
    if state.phase is Phase.TURN:
        state, _ = apply(state, Paused(t))
    if state.phase is Phase.PAUSED or state.phase.looks:
        state, _ = apply(state, Resumed(t))
    return state


@pytest.mark.parametrize("name", ["rummikub", "piatnik", "classic", "ravensburger", "gin"])
@pytest.mark.parametrize("seed", range(6))
def test_a_match_that_was_cut_off_anywhere_is_played_to_its_end(name, seed):
    rules, rng = ruleset(name), np.random.default_rng(seed)
    people = seated(rules, seed)
    state, effects = apply(new_match(rules), people.start(0.0))
    people.follow_effects(effects)
    t, cuts = 0.0, 0
    for _ in range(MOST):
        if state.phase is Phase.OVER:
            break
        if rng.random() < 0.1:
            people = seated(rules, seed + 1000 * (cuts := cuts + 1))
            people.take_up(state)
            assert people.everything() == Counter(rules.box.inventory())
            state = going_on(state, t)
        state, t = step(state, people, t)
    assert (state.phase, cuts > 0) == (Phase.OVER, True)
