"""Inks that cannot be told apart after all."""

import itertools

import numpy as np

from referee.vision.reading.near_inks import share_with_missing


def test_of_two_groups_of_the_same_size_both_are_in_doubt_in_whatever_order_the_tiles_come() -> None:
    seen = np.asarray([(0.50, 0.40, 0.30), (0.52, 0.41, 0.31), (0.90, 0.85, 0.80), (0.92, 0.86, 0.80)])
    chances = np.tile([0.97, 0.02, 0.01], (4, 1))
    for order in itertools.permutations(range(4)):
        assert np.allclose(share_with_missing(chances, seen[list(order)])[:, 0], 0.485)


def test_of_two_groups_the_smaller_one_is_in_doubt_in_whatever_order_the_tiles_come() -> None:
    seen = np.asarray([(0.50, 0.40, 0.30), (0.90, 0.84, 0.80), (0.90, 0.85, 0.80), (0.92, 0.86, 0.80)])
    chances = np.tile([0.97, 0.02, 0.01], (4, 1))
    for order in itertools.permutations(range(4)):
        found = share_with_missing(chances, seen[list(order)])[:, 0]
        assert np.allclose(found, [0.485 if tile == 0 else 0.97 for tile in order])
