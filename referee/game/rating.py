"""A rating of players from matches of two or more: the Bradley-Terry update of Weng and Lin.

R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", Journal of Machine Learning Research 12
(2011), algorithm 1. A player's strength is a normal distribution. Every pair at a table counts as a game between two,
and all are updated at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

MEAN, DEVIATION = 25.0, 25.0 / 3
"""What is believed of a player before the first match."""
BETA = DEVIATION / 2
"""How much the play of one evening varies around a player's strength."""
LEAST = 1e-4
"""The least part of a variance that an update leaves."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The mean and the standard deviation of a player's strength."""

    mean: float = MEAN
    deviation: float = DEVIATION

    @property
    def shown(self) -> int:
        """The rating that is shown, 1000 for a new player; it is the strength that a player has at least, very likely.

        It is three deviations below the mean, so that a few lucky matches do not lead a list.
        """
        return round(1000 + 40 * (self.mean - 3 * self.deviation))


def rate_match(ratings: Sequence[Rating], points: Sequence[float]) -> list[Rating]:
    """Return the ratings after a match; more points are better, and equal points are a draw."""
    return [_rate(place, ratings, points) for place in range(len(ratings))]


def _rate(place: int, ratings: Sequence[Rating], points: Sequence[float]) -> Rating:
    own, gain, shrink = ratings[place], 0.0, 0.0
    variance = own.deviation**2
    for other, rating in enumerate(ratings):
        if other == place:
            continue
        scale = math.sqrt(variance + rating.deviation**2 + 2 * BETA**2)
        expected = 1 / (1 + math.exp((rating.mean - own.mean) / scale))
        score = 0.5 * (1 + (points[place] > points[other]) - (points[place] < points[other]))
        gain += variance / scale * (score - expected)
        shrink += own.deviation / scale * variance / scale**2 * expected * (1 - expected)
    return Rating(own.mean + gain, math.sqrt(variance * max(1 - shrink, LEAST)))
