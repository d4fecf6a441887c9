"""The inks of a whole table, read together: which tile has which ink of its box, and how certain that is.

The inks of a box lie side by side in the same light. So their appearance is estimated together with the assignment of
tiles to inks, as a mixture of normal distributions in absorbance: one for each ink, whose mean is unknown and has a
prior. It is fitted by variational Bayes (Bishop, Pattern Recognition and Machine Learning, 2006, 10.2) from several
starts, whose results are weighted by their evidence. An ink that is missing from the table keeps its prior, so that no
tile gets its name. Nothing here knows sets or runs: a tile must not be read so that the table becomes valid.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from referee.game.tiles import Colour
from referee.vision.reading.near_inks import FLOOR, VEIL, share_between_near, share_with_missing
from referee.vision.sighting import Doubles, Floats

COLOURS = tuple(Colour)

# Unless a comment names a source, these values were chosen by hand, not fitted; the priors of the inks are fitted
# (`train/calibrate.py`).
STRAY, STRAY_DENSITY = 2e-3, 0.6
"""The chance that a tile's ink was measured wrongly, and the density of wrong measurements."""
SPARSE, EVEN_FROM, EVEN = 0.6, 5, 6.0
"""Dirichlet prior for how many tiles have each ink. With few tiles it is below 1, since they often lack an ink. It
grows by SPARSE for each EVEN_FROM tiles, up to EVEN, since sets have all inks, and full tables lack none."""
WIDE, UNKNOWN = 0.2, 0.02
"""The distance of a wrong measurement, in a glossy print for instance, from its ink, in absorbance (standard
deviation); and the chance that it belongs to no ink at all."""
FIRST, KEPT, ROUNDS = 3, 6, 7
"""Rounds of fitting for all hypotheses; how many of the best are kept; further rounds for these."""
DRIFT = 4.0
"""This is subtracted from the lead in evidence of one naming over another. Saving a picture again as JPEG changes the
lead by about 2: a table of 47 tiles that had been read right had 23 named wrong after that. So twice as much is
subtracted, and a lead of 6.2 still leaves a doubt. On 193 rendered tables of 8 to 46 tiles the smallest lead was 10.
On 250 photos and scenes that were warmed, cooled and saved again, no right naming had a lead below 6, and the wrong
one had 3. Only namings of inks that are present are compared in this way. Whether an ink is missing depends on the
place of a single ink; subtracting as much there raised a question about every tenth first meld and found no error."""
LEAST = 0.2
"""The best naming keeps at least this lead, so that all tiles of an ink get the same name."""
BELOW = 0.9
"""If the second naming would come first, it gets only this part of the share at which both are equal."""
NAMINGS = (2, 3, 4, 5)
"""How many ways of naming one cluster, two, three or four are tried."""
SETTLING = 6
"""The most rounds in which clusters settle."""


@dataclass(frozen=True, slots=True)
class InkPrior:
    """What the inks of a box may look like, in several classes of light.

    `weights` (l,) are those of the classes. In each class, each ink, in the order of `colours`, has a mixture of
    normal distributions of absorbance: `shares` (l, k, j), `means` (l, k, j, 3), `covariances` (l, k, j, 3, 3).
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
    """Return the priors in a file's arrays: `colours` (b, k) as names, and those of InkPrior with b in front."""
    return tuple(
        InkPrior(
            tuple(Colour(str(name)) for name in arrays["colours"][i]),
            *(np.asarray(arrays[part][i], np.float64) for part in ("weights", "shares", "means", "covariances")),
        )
        for i in range(len(arrays["colours"]))
    )


@dataclass(frozen=True, slots=True)
class InkReading:
    """The assignment of tiles to inks, which are in the order of `colours`.

    `chances` (n, k) sum to 1 less the chance that a tile has none of the inks. `means` (k, 3) and `covariances` (k, 3,
    3) describe what the inks look like here, and `borne` (k,) how many tiles have each. `evidence` is the logarithm of
    how well a box with these colours explains the table.
    """

    colours: tuple[Colour, ...]
    chances: Floats
    means: Doubles
    covariances: Doubles
    borne: Doubles
    evidence: float


@dataclass
class _Fit:
    """Hypotheses side by side: the class of light of each, (m,), and its estimates of the inks."""

    light: npt.NDArray[np.int64]
    mean: Doubles
    covariance: Doubles
    evidence: Doubles

    def best(self, count: int) -> _Fit:
        """Return the hypotheses with the most evidence."""
        rows = np.argsort(-self.evidence, kind="stable")[:count]
        return _Fit(self.light[rows], self.mean[rows], self.covariance[rows], self.evidence[rows])


@dataclass(frozen=True)
class _Table:
    """The measurements of n tiles: absorbance (n, 3), its variance in each direction (n,), and log hints (n, k)."""

    seen: Doubles
    variance: Doubles
    log_hints: Doubles

    @functools.cached_property
    def squares(self) -> Doubles:
        """The squared lengths (n,) of the absorbances."""
        return np.asarray((self.seen**2).sum(axis=1))

    @functools.cached_property
    def log_scale(self) -> Doubles:
        """The part (n,) of twice the negative log density that is the same for all inks."""
        return np.asarray(3 * np.log(2 * np.pi) + 2 * np.log(self.variance))


@dataclass(frozen=True)
class _Components:
    """The prior's normal distributions in a form for fast evaluation of the logarithm of share times density at x.

    It is `constants` + `pulls` x - x' P x / 2, where P has the nine entries of `precisions` in a row. Shapes are as in
    InkPrior, or begin with (m, k, j) for hypotheses with a class of light each.
    """

    constants: Doubles
    pulls: Doubles
    precisions: Doubles

    @classmethod
    def for_prior(cls, prior: InkPrior) -> _Components:
        precisions: Doubles = np.asarray(np.linalg.inv(prior.covariances), np.float64)
        roots = 0.5 * np.linalg.slogdet(precisions / (2 * np.pi))[1]
        pulls = (precisions @ prior.means[..., None])[..., 0]
        constants = np.log(prior.shares + 1e-12) + roots - 0.5 * (pulls * prior.means).sum(axis=-1)
        return cls(np.asarray(constants), np.asarray(pulls), precisions.reshape(*precisions.shape[:-2], 9))

    def in_lights(self, lights: npt.NDArray[np.int64]) -> _Components:
        """Return the components of these classes of light (m,)."""
        return _Components(self.constants[lights], self.pulls[lights], self.precisions[lights])

    def logs(self, means: Doubles, covariances: Doubles | float = 0.0) -> Doubles:
        """Return how well each component explains an ink with `means` (..., 3), averaged over its `covariances`."""
        second = means[..., :, None] * means[..., None, :] + covariances
        curved = self.precisions @ second.reshape(*means.shape[:-1], 9, 1)
        return np.asarray(self.constants + (self.pulls @ means[..., None] - 0.5 * curved)[..., 0])


def read_inks(
    absorbed: Floats, spread: Floats, prior: InkPrior, hints: Floats | None = None, evidence_weight: float = 1.0
) -> InkReading:
    """Read the inks of n tiles together.

    `absorbed` (n, 3) and its standard errors `spread` (n, 3) come from the reader. `hints` (n, k) are chances of each
    ink from another source (a suit), if any. An `evidence_weight` below 1 gives less likely hypotheses more weight.
    """
    k = len(prior.colours)
    seen = np.asarray(absorbed, np.float64)
    variance = (np.asarray(spread, np.float64) ** 2).mean(axis=1) + FLOOR**2
    log_hints = np.zeros((len(seen), k))
    if hints is not None:
        log_hints = np.asarray(np.log(np.maximum(k * hints, 1e-4)), np.float64)
    parts = _Components.for_prior(prior)
    table = _Table(seen, variance, log_hints)
    fit = _start_fit(seen, prior, parts)
    _fit_hypotheses(fit, table, np.log(prior.weights), parts, FIRST)
    fit = fit.best(KEPT)
    shares = _fit_hypotheses(fit, table, np.log(prior.weights), parts, ROUNDS)
    shares += _of_strays(fit, table, shares)
    log_weights = evidence_weight * (fit.evidence - fit.evidence.max())
    weights = np.exp(log_weights) / np.exp(log_weights).sum()
    best = int(np.argmax(weights))
    chances = np.einsum("m,mnk->nk", weights, shares)
    share, second = _second_naming(fit, shares, table, np.log(prior.weights), parts)
    chances = share_between_near(_with_second(chances, share, second), fit.mean[best], seen)
    chances = share_with_missing(chances, seen)
    # Rounded, so that the last bits do not decide between boxes that explain the table equally well.
    evidence = round(float(fit.evidence.max() + np.log(np.exp(log_weights).sum())), 9)
    return InkReading(prior.colours, chances.astype(np.float32), fit.mean[best], fit.covariance[best],
                      chances.sum(axis=0), evidence)  # fmt: skip


def _start_fit(seen: Doubles, prior: InkPrior, parts: _Components) -> _Fit:
    """Return the starts of the fit: each class of light as it is, and clusters of tiles with their likeliest names."""
    usual = (prior.shares[..., None] * prior.means).sum(axis=2)
    lights, means = list(range(len(prior.weights))), list(usual)
    for clusters in reversed(_clusters(seen, min(len(NAMINGS), len(seen))) if len(seen) else []):
        for light, mean in _namings(clusters, usual, prior, parts, NAMINGS[len(clusters) - 1]):
            lights.append(light)
            means.append(mean)
    wide = np.einsum("lkj,lkjab->lkab", prior.shares, prior.covariances)
    covariances = wide[lights].copy()
    covariances[len(prior.weights) :] *= 0.1
    return _Fit(np.asarray(lights), np.asarray(means), covariances, np.zeros(len(lights)))


def _clusters(seen: Doubles, most: int) -> list[Doubles]:
    """Return the centres (c, 3) of c clusters of tiles, for each c from 1 to `most`.

    Each further centre begins at the tile that lessens the squared distances most (the fast global k-means of Likas,
    Vlassis and Verbeek, 2003). So one odd tile draws no cluster to itself, and two near inks get a centre each.
    """
    apart = _squared_distances(seen, seen)
    middles = seen.mean(axis=0, keepdims=True)
    found = [middles]
    while len(found) < most:
        nearest = _squared_distances(seen, middles).min(axis=1)
        gain = np.maximum(nearest - apart, 0).sum(axis=1)
        middles = np.concatenate([middles, seen[[int(np.argmax(gain))]]])
        members = np.zeros((len(seen), len(middles)), bool)
        for _ in range(SETTLING):
            before, members = members, _nearest(seen, middles)
            if np.array_equal(before, members):
                break
            middles = _means(members, seen, middles)
        found.append(middles)
    return found


def _nearest(seen: Doubles, middles: Doubles) -> npt.NDArray[np.bool_]:
    """Return which of the centres (c, 3) is nearest to each tile, as flags (n, c)."""
    return np.asarray(_squared_distances(seen, middles).argmin(axis=1)[:, None] == np.arange(len(middles)))


def _squared_distances(places: Doubles, middles: Doubles) -> Doubles:
    """Return the squared distances (n, c) of places (n, a) from centres (c, a)."""
    squares = (places**2).sum(axis=1)[:, None] + (middles**2).sum(axis=1)
    return np.asarray(squares - 2 * places @ middles.T)


def _means(members: npt.NDArray[np.bool_], values: Doubles, otherwise: Doubles) -> Doubles:
    """Return the mean (c, a) of the values (n, a) of each cluster's members (n, c), or `otherwise` if it has none."""
    count = members.sum(axis=0)[:, None]
    return np.asarray(np.where(count > 0, members.T @ values / np.maximum(count, 1), otherwise))


def _namings(
    clusters: Doubles, usual: Doubles, prior: InkPrior, parts: _Components, most: int
) -> list[tuple[int, Doubles]]:
    """Return the likeliest ways to name clusters (c, 3): a class of light and the means (k, 3) of all inks."""
    fits = _log_sum(parts.logs(clusters[:, None, None]))
    orders = np.asarray(list(itertools.permutations(range(len(prior.colours)), len(clusters))))
    scores = np.log(prior.weights) + fits[np.arange(len(clusters)), :, orders].sum(axis=1)
    found = []
    for row in np.argsort(-scores.max(axis=1), kind="stable")[:most]:
        light = int(np.argmax(scores[row]))
        means = usual[light].copy()
        means[orders[row]] = clusters
        found.append((light, means))
    return found


def _second_naming(
    fit: _Fit, shares: Doubles, table: _Table, log_weights: Doubles, parts: _Components
) -> tuple[float, Doubles]:
    """Return the second-best way of naming the inks that are present: its chance, and the tiles' chances (n, k).

    It is searched among the hypotheses of the fit, with their shares (m, n, k), and among all other orders of the best
    one's inks, since a fit from clusters drops all but the likeliest names early. A hypothesis that gives a tile an
    ink that the best one lacks is not considered; its evidence has been counted already.
    """
    best = int(np.argmax(fit.evidence))
    orders = np.asarray(list(itertools.permutations(range(fit.mean.shape[1])))[1:])
    means = fit.mean[best][orders]
    scores = log_weights + _log_sum(parts.logs(means[:, None])).sum(axis=2)
    kept = np.argsort(-scores.max(axis=1), kind="stable")[:KEPT]
    covariances = fit.covariance[best][orders[kept]]
    others = _Fit(scores[kept].argmax(axis=1), means[kept], covariances, np.zeros(len(kept)))
    other_shares = _fit_hypotheses(others, table, log_weights, parts, ROUNDS)
    other_shares += _of_strays(others, table, other_shares)
    evidence, found = np.concatenate([fit.evidence, others.evidence]), np.concatenate([shares, other_shares])
    names = found.argmax(axis=2)
    borne = set(names[best].tolist())
    rivals = [i for i, row in enumerate(names) if (row != names[best]).any() and borne.issuperset(row.tolist())]
    if not rivals:
        return 0.0, shares[best]
    second = rivals[int(np.argmax(evidence[rivals]))]
    lead = float(evidence[best] - evidence[second])
    return 1 / (1 + math.exp(min(500.0, max(LEAST, lead - DRIFT)))), found[second]


def _with_second(chances: Doubles, share: float, second: Doubles) -> Doubles:
    """Return chances (n, k) mixed with the second-best naming by `share`, or less so that every tile keeps its name.

    If several hypotheses support the second-best naming, the whole share might put it first.
    """
    rows, first, other = np.arange(len(chances)), chances.argmax(axis=1), second.argmax(axis=1)
    ahead = chances[rows, first] - chances[rows, other]
    behind = second[rows, other] - second[rows, first]
    moved = first != other
    if moved.any():
        share = min(share, BELOW * float((ahead[moved] / (ahead[moved] + behind[moved])).min()))
    return (1 - share) * chances + share * second


def _log_sum(logs: Doubles) -> Doubles:
    """Return the logarithm of the sum of exponentials over the last axis."""
    top = logs.max(axis=-1)
    return np.asarray(top + np.log(np.exp(logs - top[..., None]).sum(axis=-1)))


def _fit_hypotheses(fit: _Fit, table: _Table, log_weights: Doubles, parts: _Components, rounds: int) -> Doubles:
    """Fit all hypotheses, in place; return the tiles' shares (m, n, k).

    Inside, arrays are (m, k, n), because NumPy is faster if the longest axis is the last one.
    """
    n, k = table.log_hints.shape
    parts = parts.in_lights(fit.light)
    shares = np.zeros((len(fit.mean), k, n))
    usual = table.log_hints.T + np.log1p(-STRAY)
    stray = np.log(STRAY * STRAY_DENSITY)
    sparse = _sparse(n)
    counts = np.full((len(fit.mean), k), sparse + n / k)
    for left in reversed(range(rounds)):
        slopes = digamma(np.concatenate([counts, counts.sum(axis=1, keepdims=True)], axis=1))
        often = slopes[:, :-1] - slopes[:, -1:]
        along = fit.mean @ table.seen.T
        length = (fit.mean**2).sum(axis=2)[..., None]
        whole = table.variance + VEIL**2 * length
        logs = _likelihoods(fit, table, along - length, length, whole) + usual + often[..., None]
        top = np.maximum(logs.max(axis=1), stray)
        powers = np.exp(logs - top[:, None])
        total = powers.sum(axis=1) + np.exp(stray - top)
        shares = np.asarray(powers / total[:, None])
        component = parts.logs(fit.mean, fit.covariance)
        if not left:
            entropy = 0.5 * np.linalg.slogdet(2 * np.pi * np.e * fit.covariance)[1]
            fit.evidence = log_weights[fit.light] + (np.log(total) + top).sum(axis=1)
            fit.evidence += (_log_sum(component) + entropy).sum(axis=1) - _dirichlet_divergence(counts, often, sparse)
        counts = sparse + shares.sum(axis=2)
        _move(fit, table, shares / table.variance, component, parts, along, whole)
    return shares.transpose(0, 2, 1)


def _of_strays(fit: _Fit, table: _Table, shares: Doubles) -> Doubles:
    """Return the shares (m, n, k) of inks in the part of a tile that may be measured wrongly; nearer inks have more.

    Far from all inks, that part belongs to none. This is done last, because such tiles say nothing about their inks.
    """
    strays = np.clip(1 - shares.sum(axis=2, keepdims=True), 0, 1)
    away = ((table.seen[None, :, None] - fit.mean[:, None]) ** 2).sum(axis=3)
    density = np.exp(table.log_hints - 0.5 * away / WIDE**2) / (2 * np.pi * WIDE**2) ** 1.5 / shares.shape[2]
    nobody = UNKNOWN / (1 - UNKNOWN) * STRAY_DENSITY
    return np.asarray(strays * density / (density.sum(axis=2, keepdims=True) + nobody))


def digamma(values: Doubles) -> Doubles:
    """Return the logarithmic derivative of the gamma function for values above 0 (Abramowitz and Stegun, 6.3.18)."""
    shifted = values + 6
    below = (1 / (values[..., None] + np.arange(6.0))).sum(axis=-1)
    inverse = 1 / shifted**2
    tail = inverse * (1 / 12 - inverse * (1 / 120 - inverse / 252))
    return np.asarray(np.log(shifted) - 0.5 / shifted - tail - below)


_log_gamma = np.vectorize(math.lgamma, otypes=[float])


def _sparse(tiles: int) -> float:
    """Return the Dirichlet prior's parameter for a table of this many tiles."""
    return min(EVEN, SPARSE * (1 + tiles / EVEN_FROM))


def _dirichlet_divergence(counts: Doubles, often: Doubles, sparse: float) -> Doubles:
    """Return the Kullback-Leibler divergence (m,) of Dirichlet(counts) from the prior; `often` is its mean log."""
    k = counts.shape[1]
    whole = _log_gamma(counts.sum(axis=1)) - _log_gamma(counts).sum(axis=1)
    prior = math.lgamma(k * sparse) - k * math.lgamma(sparse)
    return np.asarray(whole - prior + ((counts - sparse) * often).sum(axis=1))


def _likelihoods(fit: _Fit, table: _Table, beyond: Doubles, length: Doubles, whole: Doubles) -> Doubles:
    """Return the expected log density (m, k, n) of each tile under each ink.

    A tile's error is the same in every direction, but larger along the ink itself, since haze pales the ink. The
    covariance v I + VEIL^2 u u' is inverted by a formula (Sherman and Morrison). `beyond` (m, k, n) are the products
    of ink and tile, less `length`, the square (m, k, 1) of the ink; `whole` (m, k, n) is the variance along the ink.
    """
    spread = np.einsum("mkaa->mk", fit.covariance)[..., None]
    skewed = ((fit.covariance @ fit.mean[..., None])[..., 0] * fit.mean).sum(axis=2)[..., None]
    away = table.squares - 2 * beyond - length
    distance = (away + spread - VEIL**2 * (beyond**2 + skewed) / whole) / table.variance
    return np.asarray(-0.5 * (distance + table.log_scale + np.log(whole)))


def _move(
    fit: _Fit, table: _Table, plain: Doubles, component: Doubles, parts: _Components, along: Doubles, whole: Doubles
) -> None:
    """Update the estimates of the inks, in place, from the tiles' shares and the prior.

    `plain` (m, k, n) are the shares divided by the tiles' variances, and `parts` the components for the hypotheses'
    classes of light. `along` and `whole` (m, k, n) are the products of ink and tile, and the variances along the ink.
    """
    responsible = np.exp(component - _log_sum(component)[..., None])[..., None, :]
    before = (responsible @ parts.precisions).reshape(fit.covariance.shape)
    pull = (responsible @ parts.pulls)[..., 0, :]
    pale = plain * VEIL**2 / whole
    pull += plain @ table.seen - (pale * along).sum(axis=2)[..., None] * fit.mean
    outer = fit.mean[..., :, None] * fit.mean[..., None, :]
    precision = before + plain.sum(axis=2)[..., None, None] * np.eye(3)
    precision -= pale.sum(axis=2)[..., None, None] * outer
    fit.covariance = np.asarray(np.linalg.inv(precision))
    fit.mean = np.asarray((fit.covariance * pull[..., None, :]).sum(axis=3))
