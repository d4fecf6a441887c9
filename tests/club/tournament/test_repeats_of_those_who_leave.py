"""The bound of a tournament whose players come and go: never above what any seating has, and no idle one."""

import random

import pytest
from tournaments import Log

from referee.club.tournament.events import Draw, Drawn
from referee.club.tournament.repeats import count_repeats, fewest


@pytest.mark.parametrize(("players", "least"), [(3, 1), (5, 2), (7, 2)])
def test_whoever_leaves_after_a_round_leaves_a_bound_that_is_reached(players, least):
    log = Log(players=players)
    log.play()
    log.leave(log.now.rounds[0].tables[0].players[0])
    log.play()
    assert fewest(log.now) == count_repeats(log.now) == least


@pytest.mark.parametrize("seed", range(60))
def test_no_seats_at_all_are_better(seed):
    """Every way to seat a round has at least as many repeats as the bound says, whoever came and went."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    log = Log(players=rng.randint(4, 9), rounds=4)
    for _ in range(4):
        here = [player.number for player in log.now.players if player.here]
        sizes = [len(table.players) for table in log.draw().tables]
        log.events.pop()
        log.now = log.replayed()
        rng.shuffle(here)
        seats = iter(here)
        log.do(Drawn(Draw(tuple(tuple(next(seats) for _ in range(size)) for size in sizes)), 2.0))
        assert fewest(log.now) <= count_repeats(log.now)
        log.tell()
        if rng.random() < 0.5:
            log.enter(f"Late {len(log.now.players)}")
        if len(here) > 3 and rng.random() < 0.5:
            log.leave(rng.choice(here))
