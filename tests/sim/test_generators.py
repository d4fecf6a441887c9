"""Random numbers for who begins, which change nothing else."""

import numpy as np

from referee.sim.generators import spawn_generator

SEED, COUNT = 7, 5


def numbers(rng: np.random.Generator) -> list[int]:
    return [int(one) for one in rng.integers(2**60, size=COUNT)]


def test_it_is_independent_and_the_other_one_goes_on_as_without_it() -> None:
    rng = np.random.default_rng(SEED)
    spawned = [numbers(spawn_generator(rng)) for _ in range(3)]
    plain = numbers(np.random.default_rng(SEED))
    assert numbers(rng) == plain
    assert len({tuple(one) for one in (*spawned, plain)}) == 4


def test_it_is_the_one_that_numpy_spawns() -> None:
    """So that a seed plays the same match with every numpy; that of Bookworm has no such method."""
    sequence = np.random.SeedSequence(SEED)
    wanted = [numbers(np.random.Generator(np.random.PCG64(one))) for one in sequence.spawn(2)]
    rng = np.random.default_rng(SEED)
    assert [numbers(spawn_generator(rng)) for _ in range(2)] == wanted
