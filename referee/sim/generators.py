"""Random numbers that are independent of others."""

from __future__ import annotations

from typing import Any

import numpy as np


def spawn_generator(rng: np.random.Generator) -> np.random.Generator:
    """Return a generator that is independent of `rng`, which goes on to draw the same numbers as without it.

    `Generator.spawn` does that, but only since numpy 1.25. Bookworm has numpy 1.24, which keeps what is needed for it
    in an attribute that is not public there.
    """
    bits: Any = rng.bit_generator
    seeds = bits.seed_seq if hasattr(bits, "seed_seq") else bits._seed_seq
    return np.random.Generator(type(bits)(seeds.spawn(1)[0]))
