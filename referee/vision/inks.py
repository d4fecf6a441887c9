"""The inks of a whole table, read together: which tile bears which ink of its box, and how sure that is.

The four inks of one box lie side by side in one light, so what they look like is estimated along with who bears them:
a mixture of normal distributions in absorbance, one for each ink, whose means are unknown and have a prior; fitted by
variational Bayes (Bishop, Pattern Recognition and Machine Learning, 2006, 10.2) from several starts, the answers
weighed by their evidence. An ink that is missing from the table keeps its prior, so that no tile is named for it.
Nothing here knows sets or runs: that a table be valid must not read a tile.
"""

from __future__ import annotations

import itertools
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
ROUNDS = 12
RENAMED, SPLIT = 4, 3
"""So many other ways to name the clusters, and to cut one in two, are tried."""


@dataclass(frozen=True, slots=True)
class InkPrior:
    """What the inks of a box may look like: a mixture over all of them together, since one light changes them all.

    `weights` (m,), `means` (m, k, 3) and `covariances` (m, 3k, 3k) of absorbance, in the order of `colours`.
    """

    colours: tuple[Colour, ...]
    weights: Doubles
    means: Doubles
    covariances: Doubles

    def __post_init__(self) -> None:
        m, k = len(self.weights), len(self.colours)
        if self.means.shape != (m, k, 3) or self.covariances.shape != (m, 3 * k, 3 * k):
            raise ValueError(f"expected {m} means of {k} inks, got {self.means.shape}, {self.covariances.shape}")


def priors_from(arrays: Mapping[str, Any]) -> tuple[InkPrior, ...]:
    """Priors as a file keeps them: `colours` (b, k) names, `weights`, `means`, `covariances` with b in front."""
    return tuple(
        InkPrior(
            tuple(Colour(str(name)) for name in arrays["colours"][i]),
            *(np.asarray(arrays[part][i], np.float64) for part in ("weights", "means", "covariances")),
        )
        for i in range(len(arrays["colours"]))
    )


@dataclass(frozen=True, slots=True)
class InkReading:
    """Who bears which ink, in the order of `colours`.

    `chances` (n, k) sum to 1 less the chance that a tile bears none of them. `means` (k, 3) and `covariance`
    (3k, 3k) tell what the inks look like here; `borne` (k,) how many tiles bear each; `evidence` is the logarithm of
    how well a box of these colours explains the table.
    """

    colours: tuple[Colour, ...]
    chances: Floats
    means: Doubles
    covariance: Doubles
    borne: Doubles
    evidence: float


@dataclass
class _Fit:
    """Hypotheses side by side: priors, and what is believed of the inks, (m, ...) each."""

    prior_log: Doubles
    prior_mean: Doubles
    prior_precision: Doubles
    mean: Doubles
    covariance: Doubles
    evidence: Doubles


def read_inks(
    absorbed: Floats, spread: Floats, prior: InkPrior, hints: Floats | None = None, evidence_weight: float = 1.0
) -> InkReading:
    """Read the inks of n tiles together.

    `absorbed` (n, 3) and its standard errors `spread` (n, 3) come from the reader; `hints` (n, k), chances of each ink
    from elsewhere (a suit), may be left out. `evidence_weight` below 1 lets less likely hypotheses keep more of a say.
    """
    k = len(prior.colours)
    seen = np.asarray(absorbed, np.float64)
    variance = np.asarray(spread, np.float64) ** 2 + FLOOR**2
    log_hints = np.full((len(seen), k), -np.log(k))
    if hints is not None:
        log_hints = np.asarray(np.log(np.maximum(hints, 1e-4)), np.float64)
    fit = _started(prior)
    shares = _fitted(fit, seen, variance, log_hints)
    if len(seen):
        others = _other_starts(fit, shares, seen, prior)
        other_shares = _fitted(others, seen, variance, log_hints)
        fit, shares = _joined(fit, others), np.concatenate([shares, other_shares])
    log_weights = evidence_weight * (fit.evidence - fit.evidence.max())
    weights = np.exp(log_weights) / np.exp(log_weights).sum()
    chances = np.einsum("m,mnk->nk", weights, shares)
    best = int(np.argmax(weights))
    mean, covariance = fit.mean[best].reshape(k, 3), fit.covariance[best]
    evidence = float(fit.evidence.max() + np.log(np.exp(log_weights).sum()))
    return InkReading(prior.colours, chances.astype(np.float32), mean, covariance, chances.sum(axis=0), evidence)


def _started(prior: InkPrior) -> _Fit:
    m, size = len(prior.weights), 3 * len(prior.colours)
    mean = prior.means.reshape(m, size)
    return _Fit(np.log(prior.weights), mean, np.linalg.inv(prior.covariances), mean.copy(), prior.covariances.copy(),
                np.zeros(m))  # fmt: skip


def _joined(one: _Fit, other: _Fit) -> _Fit:
    names = ("prior_log", "prior_mean", "prior_precision", "mean", "covariance", "evidence")
    return _Fit(*(np.concatenate([getattr(one, name), getattr(other, name)]) for name in names))


def _fitted(fit: _Fit, seen: Doubles, variance: Doubles, log_hints: Doubles) -> Doubles:
    """Fit every hypothesis, in place; returns each tile's shares (m, n, k)."""
    m, k = len(fit.mean), log_hints.shape[1]
    shares = np.zeros((m, len(seen), k))
    for _ in range(ROUNDS):
        likelihood, precision = _likelihoods(fit, seen, variance, k)
        logs = likelihood + log_hints + np.log1p(-STRAY)
        top = np.maximum(logs.max(axis=2), np.log(STRAY * STRAY_DENSITY))
        powers = np.exp(logs - top[..., None])
        total = powers.sum(axis=2) + np.exp(np.log(STRAY * STRAY_DENSITY) - top)
        shares = np.asarray(powers / total[..., None])
        explained = (np.log(total) + top).sum(axis=1)
        fit.evidence = fit.prior_log + explained - _divergence(fit)
        _move(fit, seen, shares, precision)
    return np.asarray(shares)


def _likelihoods(fit: _Fit, seen: Doubles, variance: Doubles, k: int) -> tuple[Doubles, Doubles]:
    """The expected log density (m, n, k) of each tile under each ink, and the precisions behind it (m, n, k, 3, 3).

    A tile's error is its own in every direction, and larger along the ink itself: haze pales what lies under it.
    """
    means = fit.mean.reshape(len(fit.mean), 1, k, 3)
    own = 1 / variance[None, :, None]
    along = own * means
    stretch = 1 + VEIL**2 * (along * means).sum(axis=3)
    precision = -(VEIL**2) * along[..., :, None] * along[..., None, :] / stretch[..., None, None]
    precision[..., range(3), range(3)] += own
    away = seen[None, :, None] - means
    distance = np.einsum("mnki,mnkij,mnkj->mnk", away, precision, away)
    blocks = fit.covariance.reshape(len(fit.mean), k, 3, k, 3)[:, range(k), :, range(k)].transpose(1, 0, 2, 3)
    unsure = np.einsum("mnkij,mkij->mnk", precision, blocks)
    scale = np.log(variance).sum(axis=1)[None, :, None] + np.log(stretch) + 3 * np.log(2 * np.pi)
    return -0.5 * (distance + unsure + scale), precision


def _move(fit: _Fit, seen: Doubles, shares: Doubles, precision: Doubles) -> None:
    """What the tiles say of the inks, given who bears them; in place."""
    m, _, k = shares.shape
    weighed = shares[..., None, None] * precision
    sums = weighed.sum(axis=1)
    whole = fit.prior_precision.copy()
    view = whole.reshape(m, k, 3, k, 3)
    for c in range(k):
        view[:, c, :, c] += sums[:, c]
    pull = np.einsum("mij,mj->mi", fit.prior_precision, fit.prior_mean)
    pull += np.einsum("mnkij,nj->mki", weighed, seen).reshape(m, -1)
    fit.covariance = np.linalg.inv(whole)
    fit.mean = np.einsum("mij,mj->mi", fit.covariance, pull)


def _divergence(fit: _Fit) -> Doubles:
    """Kullback-Leibler divergence of what is believed from the prior, (m,)."""
    away = fit.mean - fit.prior_mean
    trace = np.einsum("mij,mji->m", fit.prior_precision, fit.covariance)
    distance = np.einsum("mi,mij,mj->m", away, fit.prior_precision, away)
    logs = -np.linalg.slogdet(fit.prior_precision)[1] - np.linalg.slogdet(fit.covariance)[1]
    return np.asarray(0.5 * (trace + distance - fit.mean.shape[1] + logs))


def _other_starts(fit: _Fit, shares: Doubles, seen: Doubles, prior: InkPrior) -> _Fit:
    """Starts that the fit may have missed: the best clusters under other names, or one of them cut in two."""
    k = len(prior.colours)
    best = int(np.argmax(fit.evidence))
    clusters = fit.mean[best].reshape(k, 3)
    moved = [clusters[list(order)].ravel() for order in itertools.permutations(range(k))][1:]
    moved = _likeliest(moved, fit, RENAMED) + _likeliest(_split(clusters, shares[best], seen), fit, SPLIT)
    means = np.asarray(moved)
    home = _log_densities(means, fit).argmax(axis=1)
    spread = np.repeat(0.05**2 * np.eye(3 * k)[None], len(means), axis=0)
    return _Fit(fit.prior_log[home], fit.prior_mean[home], fit.prior_precision[home], means, spread,
                np.zeros(len(means)))  # fmt: skip


def _likeliest(means: list[Doubles], fit: _Fit, count: int) -> list[Doubles]:
    """Those of the means (3k,) that the prior finds likeliest."""
    if not means:
        return []
    density = _log_densities(np.asarray(means), fit).max(axis=1)
    return [means[i] for i in np.argsort(-density, kind="stable")[:count]]


def _log_densities(means: Doubles, fit: _Fit) -> Doubles:
    """How likely means (o, 3k) are under each component of the prior, up to a constant, (o, m)."""
    away = means[:, None] - fit.prior_mean[None]
    half_log = 0.5 * np.linalg.slogdet(fit.prior_precision)[1]
    return np.asarray(-0.5 * np.einsum("omi,mij,omj->om", away, fit.prior_precision, away) + fit.prior_log + half_log)


def _split(clusters: Doubles, shares: Doubles, seen: Doubles) -> list[Doubles]:
    """The clusters (k, 3) with the widest one cut in two, the half given to an ink that few tiles bear."""
    borne = shares.sum(axis=0)
    widest, width, halves = -1, 0.0, np.zeros((2, 3))
    for c in np.flatnonzero(borne >= 3):
        away = seen - clusters[c]
        unit = clusters[c] / max(1e-6, float(np.linalg.norm(clusters[c])))
        away = away - (away @ unit)[:, None] * unit  # haze spreads a cluster along itself
        values, vectors = np.linalg.eigh((shares[:, c, None] * away).T @ away / borne[c])
        if values[-1] > width:
            side = (away @ vectors[:, -1] > 0)[:, None] * shares[:, c, None]
            other = shares[:, c, None] - side
            pair = [(w * seen).sum(axis=0) / max(1e-6, float(w.sum())) for w in (side, other)]
            widest, width, halves = int(c), float(values[-1]), np.asarray(pair)
    if widest < 0:
        return []
    found = []
    for rare in np.argsort(borne)[:2]:
        if rare == widest:
            continue
        for one, other in ((halves[0], halves[1]), (halves[1], halves[0])):
            means = clusters.copy()
            means[widest], means[rare] = one, other
            found.append(means.ravel())
    return found
