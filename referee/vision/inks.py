"""The inks of a whole table, read together: which tile bears which ink of its box, and how sure that is.

The four inks of one box lie side by side in one light, so what they look like is estimated along with who bears them:
a mixture of normal distributions in absorbance, one for each ink, whose means are unknown and have a prior; fitted by
variational Bayes (Bishop, Pattern Recognition and Machine Learning, 2006, 10.2) from several starts, the answers
weighed by their evidence. An ink that is missing from the table keeps its prior, so that no tile is named for it.
Nothing here knows sets or runs: that a table be valid must not read a tile.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from referee.game.tiles import Colour
from referee.vision.sighting import Floats

COLOURS = tuple(Colour)
Doubles = npt.NDArray[np.float64]

VEIL = 0.2
"""Haze and glare scale what an ink absorbs by as much, one standard deviation,"""
FLOOR = 0.03
"""and nothing is measured more exactly than this."""
STRAY, STRAY_DENSITY = 2e-3, 0.6
"""The chance that a tile's ink was measured wrongly, and the density of what is measured then."""
SPARSE = 0.6
"""Dirichlet prior of how many tiles bear each ink: below 1, since tables often lack one of them."""
FIRST, KEPT, ROUNDS = 3, 6, 7
"""After the first rounds only the best hypotheses are fitted further."""
NAMINGS = (5, 4, 3, 2)
"""So many ways to name four, three, two clusters or one are tried."""


@dataclass(frozen=True, slots=True)
class InkPrior:
    """What the inks of a box may look like in so many classes of light.

    `weights` (l,) of the classes; in each class every ink, in the order of `colours`, has a mixture of normal
    distributions of absorbance: `shares` (l, k, j), `means` (l, k, j, 3), `covariances` (l, k, j, 3, 3).
    """

    colours: tuple[Colour, ...]
    weights: Doubles
    shares: Doubles
    means: Doubles
    covariances: Doubles

    def __post_init__(self) -> None:
        shape = (len(self.weights), len(self.colours), self.shares.shape[-1])
        found = self.shares.shape, self.means.shape, self.covariances.shape
        if found != (shape, (*shape, 3), (*shape, 3, 3)):
            raise ValueError(f"expected a prior of {shape[1]} inks in {shape[0]} lights, got arrays {found}")


def priors_from(arrays: Mapping[str, Any]) -> tuple[InkPrior, ...]:
    """Priors as a file keeps them: `colours` (b, k) names and the arrays of InkPrior with b in front."""
    return tuple(
        InkPrior(
            tuple(Colour(str(name)) for name in arrays["colours"][i]),
            *(np.asarray(arrays[part][i], np.float64) for part in ("weights", "shares", "means", "covariances")),
        )
        for i in range(len(arrays["colours"]))
    )


@dataclass(frozen=True, slots=True)
class InkReading:
    """Who bears which ink, in the order of `colours`.

    `chances` (n, k) sum to 1 less the chance that a tile bears none of them. `means` (k, 3) and `covariances`
    (k, 3, 3) tell what the inks look like here; `borne` (k,) how many tiles bear each; `evidence` is the logarithm of
    how well a box of these colours explains the table.
    """

    colours: tuple[Colour, ...]
    chances: Floats
    means: Doubles
    covariances: Doubles
    borne: Doubles
    evidence: float


@dataclass
class _Fit:
    """Hypotheses side by side: a class of light each, (m,), and what is believed of the inks there."""

    light: npt.NDArray[np.int64]
    mean: Doubles
    covariance: Doubles
    evidence: Doubles

    def best(self, count: int) -> _Fit:
        """The hypotheses with the most evidence."""
        rows = np.argsort(-self.evidence, kind="stable")[:count]
        return _Fit(self.light[rows], self.mean[rows], self.covariance[rows], self.evidence[rows])


@dataclass(frozen=True)
class _Table:
    """What is seen of n tiles: absorbance (n, 3), its variance (n,) in every direction, logarithms of hints (n, k)."""

    seen: Doubles
    variance: Doubles
    log_hints: Doubles


@dataclass(frozen=True)
class _Components:
    """The prior's normal distributions, ready for use: shapes as in InkPrior."""

    log_shares: Doubles
    means: Doubles
    precisions: Doubles
    log_roots: Doubles

    @classmethod
    def of(cls, prior: InkPrior) -> _Components:
        precisions: Doubles = np.asarray(np.linalg.inv(prior.covariances), np.float64)
        roots = 0.5 * np.linalg.slogdet(precisions / (2 * np.pi))[1]
        return cls(np.asarray(np.log(prior.shares + 1e-12)), prior.means, precisions, np.asarray(roots))


def read_inks(
    absorbed: Floats, spread: Floats, prior: InkPrior, hints: Floats | None = None, evidence_weight: float = 1.0
) -> InkReading:
    """Read the inks of n tiles together.

    `absorbed` (n, 3) and its standard errors `spread` (n, 3) come from the reader; `hints` (n, k), chances of each ink
    from elsewhere (a suit), may be left out. `evidence_weight` below 1 lets less likely hypotheses keep more of a say.
    """
    k = len(prior.colours)
    seen = np.asarray(absorbed, np.float64)
    variance = (np.asarray(spread, np.float64) ** 2).mean(axis=1) + FLOOR**2
    log_hints = np.zeros((len(seen), k))
    if hints is not None:
        log_hints = np.asarray(np.log(np.maximum(k * hints, 1e-4)), np.float64)
    parts = _Components.of(prior)
    table = _Table(seen, variance, log_hints)
    fit = _started(seen, prior, parts)
    _fitted(fit, table, np.log(prior.weights), parts, FIRST)
    fit = fit.best(KEPT)
    shares = _fitted(fit, table, np.log(prior.weights), parts, ROUNDS)
    log_weights = evidence_weight * (fit.evidence - fit.evidence.max())
    weights = np.exp(log_weights) / np.exp(log_weights).sum()
    chances = np.einsum("m,mnk->nk", weights, shares)
    best = int(np.argmax(weights))
    evidence = float(fit.evidence.max() + np.log(np.exp(log_weights).sum()))
    return InkReading(prior.colours, chances.astype(np.float32), fit.mean[best], fit.covariance[best],
                      chances.sum(axis=0), evidence)  # fmt: skip


def _started(seen: Doubles, prior: InkPrior, parts: _Components) -> _Fit:
    """Where fitting begins: each class of light as it is, and clusters of the tiles under the likeliest names."""
    usual = (prior.shares[..., None] * prior.means).sum(axis=2)
    lights, means = list(range(len(prior.weights))), list(usual)
    for count, tried in zip(range(4, 0, -1), NAMINGS, strict=True):
        if len(seen) >= count:
            for light, mean in _namings(_clusters(seen, count), usual, prior, parts)[:tried]:
                lights.append(light)
                means.append(mean)
    wide = np.einsum("lkj,lkjab->lkab", prior.shares, prior.covariances)
    covariances = wide[lights].copy()
    covariances[len(prior.weights) :] *= 0.1
    return _Fit(np.asarray(lights), np.asarray(means), covariances, np.zeros(len(lights)))


def _clusters(seen: Doubles, count: int) -> Doubles:
    """Middles (count, 3) of clusters of tiles, told apart by the direction of absorbance more than by its length.

    Farthest points first, then k-means; haze changes the length only.
    """
    length = np.linalg.norm(seen, axis=1, keepdims=True)
    places = np.concatenate([seen / (length + 0.15), 0.6 * length], axis=1)
    middles = places[[int(np.argmax(length))]]
    while len(middles) < count:
        distance = np.linalg.norm(places[:, None] - middles[None], axis=2).min(axis=1)
        middles = np.concatenate([middles, places[[int(np.argmax(distance))]]])
    nearest = np.zeros(len(seen), int)
    for _ in range(6):
        nearest = np.linalg.norm(places[:, None] - middles[None], axis=2).argmin(axis=1)
        middles = np.stack([
            places[nearest == c].mean(axis=0) if (nearest == c).any() else middles[c] for c in range(count)
        ])  # fmt: skip
    return np.stack([
        seen[nearest == c].mean(axis=0) if (nearest == c).any() else seen[int(np.argmax(length))]
        for c in range(count)
    ])  # fmt: skip


def _namings(clusters: Doubles, usual: Doubles, prior: InkPrior, parts: _Components) -> list[tuple[int, Doubles]]:
    """All ways to name clusters (c, 3), likeliest first: a class of light and the means (k, 3) of all inks."""
    away = clusters[:, None, None, None] - parts.means[None]
    logs = -0.5 * np.einsum("clkja,lkjab,clkjb->clkj", away, parts.precisions, away)
    fits = _log_sum(logs + parts.log_roots + parts.log_shares)
    found = []
    for order in itertools.permutations(range(len(prior.colours)), len(clusters)):
        named = np.asarray(order)
        score = np.log(prior.weights) + fits[np.arange(len(clusters)), :, named].sum(axis=0)
        light = int(np.argmax(score))
        means = usual[light].copy()
        means[named] = clusters
        found.append((float(score[light]), light, means))
    found.sort(key=lambda item: -item[0])
    return [(light, means) for _, light, means in found]


def _log_sum(logs: Doubles) -> Doubles:
    """The logarithm of the sum of exponentials over the last axis."""
    top = logs.max(axis=-1)
    return np.asarray(top + np.log(np.exp(logs - top[..., None]).sum(axis=-1)))


def _fitted(fit: _Fit, table: _Table, log_weights: Doubles, parts: _Components, rounds: int) -> Doubles:
    """Fit every hypothesis, in place; returns each tile's shares (m, n, k)."""
    n, k = table.log_hints.shape
    shares = np.zeros((len(fit.mean), n, k))
    stray = np.log(STRAY * STRAY_DENSITY)
    counts = np.full((len(fit.mean), k), SPARSE + n / k)
    for _ in range(rounds):
        often = digamma(counts) - digamma(counts.sum(axis=1, keepdims=True))
        logs = _likelihoods(fit, table) + table.log_hints + np.log1p(-STRAY) + often[:, None]
        top = np.maximum(logs.max(axis=2), stray)
        powers = np.exp(logs - top[..., None])
        total = powers.sum(axis=2) + np.exp(stray - top)
        shares = np.asarray(powers / total[..., None])
        component = _component_logs(fit, parts)
        entropy = 0.5 * np.linalg.slogdet(2 * np.pi * np.e * fit.covariance)[1]
        fit.evidence = log_weights[fit.light] + (np.log(total) + top).sum(axis=1)
        fit.evidence += (_log_sum(component) + entropy).sum(axis=1) - _dirichlet_divergence(counts, often)
        counts = SPARSE + shares.sum(axis=1)
        _move(fit, table, shares, component, parts)
    return shares


def digamma(values: Doubles) -> Doubles:
    """The logarithmic derivative of the gamma function, for values above 0 (Abramowitz and Stegun, 6.3.18)."""
    shifted = values + 6
    below = sum(1 / (values + i) for i in range(6))
    inverse = 1 / shifted**2
    tail = inverse * (1 / 12 - inverse * (1 / 120 - inverse / 252))
    return np.asarray(np.log(shifted) - 0.5 / shifted - tail - below)


_log_gamma = np.vectorize(math.lgamma, otypes=[float])


def _dirichlet_divergence(counts: Doubles, often: Doubles) -> Doubles:
    """Kullback-Leibler divergence of Dirichlet(counts) from the sparse prior, (m,); `often` is its mean logarithm."""
    k = counts.shape[1]
    whole = _log_gamma(counts.sum(axis=1)) - _log_gamma(counts).sum(axis=1)
    prior = math.lgamma(k * SPARSE) - k * math.lgamma(SPARSE)
    return np.asarray(whole - prior + ((counts - SPARSE) * often).sum(axis=1))


def _component_logs(fit: _Fit, parts: _Components) -> Doubles:
    """How well each component of the prior explains what is believed of each ink, (m, k, j)."""
    away = fit.mean[:, :, None] - parts.means[fit.light]
    precisions = parts.precisions[fit.light]
    distance = np.einsum("mkja,mkjab,mkjb->mkj", away, precisions, away)
    unsure = np.einsum("mkjab,mkab->mkj", precisions, fit.covariance)
    return np.asarray(parts.log_shares[fit.light] + parts.log_roots[fit.light] - 0.5 * (distance + unsure))


def _likelihoods(fit: _Fit, table: _Table) -> Doubles:
    """The expected log density (m, n, k) of each tile under each ink.

    A tile's error is the same in every direction, and larger along the ink itself: haze pales what lies under it. The
    covariance v I + VEIL^2 u u' is inverted by hand (Sherman and Morrison).
    """
    variance = table.variance[None, :, None]
    length = (fit.mean**2).sum(axis=2)[:, None]
    along = np.einsum("na,mka->mnk", table.seen, fit.mean) - length
    away = (table.seen**2).sum(axis=1)[None, :, None] - 2 * (along + length) + length
    pale = VEIL**2 / (variance + VEIL**2 * length)
    spread = np.trace(fit.covariance, axis1=2, axis2=3)[:, None]
    skewed = np.einsum("mka,mkab,mkb->mk", fit.mean, fit.covariance, fit.mean)[:, None]
    distance = (away - pale * along**2 + spread - pale * skewed) / variance
    scale = 3 * np.log(2 * np.pi * variance) + np.log1p(VEIL**2 * length / variance)
    return np.asarray(-0.5 * (distance + scale))


def _move(fit: _Fit, table: _Table, shares: Doubles, component: Doubles, parts: _Components) -> None:
    """What the tiles say of the inks, given who bears them and what the prior says; in place."""
    responsible = np.exp(component - _log_sum(component)[..., None])
    own = parts.precisions[fit.light]
    before = (responsible[..., None, None] * own).sum(axis=2)
    pull = np.einsum("mkj,mkjab,mkjb->mka", responsible, own, parts.means[fit.light])
    length = (fit.mean**2).sum(axis=2)[:, None]
    variance = table.variance[None, :, None]
    plain = shares / variance
    pale = plain * VEIL**2 / (variance + VEIL**2 * length)
    along = np.einsum("na,mka->mnk", table.seen, fit.mean)
    pull += np.einsum("mnk,na->mka", plain, table.seen) - (pale * along).sum(axis=1)[..., None] * fit.mean
    outer = fit.mean[..., :, None] * fit.mean[..., None, :]
    precision = before + plain.sum(axis=1)[..., None, None] * np.eye(3)
    precision -= pale.sum(axis=1)[..., None, None] * outer
    fit.covariance = np.asarray(np.linalg.inv(precision))
    fit.mean = np.asarray((fit.covariance * pull[..., None, :]).sum(axis=3))
