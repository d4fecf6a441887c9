"""Seeded training of the finder, the aligner and the reader on samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from referee.train import balance
from referee.train.data import Samples
from referee.train.deformation import Deformation
from referee.train.nets import AlignerNet, FinderNet, ReaderNet
from referee.train.optimiser import Optimiser
from referee.vision.reading.answers import SHIFTS, WIDTHS
from referee.vision.reading.crops import relative_ink
from referee.vision.reading.glyphs import BACK_KIND, NONE_KIND

Report = Callable[[str, int, int, str], None]  # what, step, steps, figures
Item = TypeVar("Item")
DEFORMED_SHARE, DEFORMATION = 0.5, Deformation(shift=0.02, pale_share=0.15)
"""The share of the reader's crops that are deformed, and how; chosen by hand. A reader that had learnt without them
left 14 of 1,944 tiles in photos in doubt, among them bold 8s that are plain to see, and 6 after 4,500 more steps with
them."""


def draw_batches(rng: np.random.Generator, count: int, size: int, epochs: int) -> Iterator[np.ndarray]:
    """Yield the rows of each batch of `size` out of `count` samples, in a new random order in each epoch."""
    for _ in range(epochs):
        order = rng.permutation(count)
        for start in range(0, count - size + 1, size):
            yield np.sort(order[start : start + size])


def compute_ahead(items: Iterator[Item]) -> Iterator[Item]:
    """Yield each item, which must not be None, while the next one is computed in another thread."""
    with ThreadPoolExecutor(1) as helper:
        following = helper.submit(next, items, None)
        while (item := following.result()) is not None:
            following = helper.submit(next, items, None)
            yield item


def run_forward(net: nn.Module, inputs: Tensor) -> Tensor:
    """Run a forward pass, in bfloat16 if the processor supports it, with channels last in memory; return float32.

    On a processor without bfloat16 it would take three times as long as float32: 16 s per step of the finder, not 5 s.
    """
    with torch.autocast("cpu", torch.bfloat16, enabled=bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())):
        return net(inputs.contiguous(memory_format=torch.channels_last)).float()


def finder_loss(answer: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Return the penalty-reduced focal loss of scores (Zhou et al., Objects as Points, 2019), and L1 of vectors."""
    score, goal, weight = answer[:, 0], target[:, 0], target[:, 7]
    chance = torch.sigmoid(score)
    positive = (goal > 0.999) & (weight >= 0)
    negative = (goal <= 0.999) & (weight >= 0)
    count = positive.sum().clamp(min=1)
    hit = -torch.log(chance.clamp(min=1e-6)) * (1 - chance) ** 2 * positive
    miss = nn.functional.softplus(score) * chance**2 * (1 - goal) ** 4 * negative
    near = (weight > 0)[:, None]
    error = (answer[:, 1:7] - target[:, 1:7]).abs() * near
    return (hit.sum() + miss.sum()) / count, error.sum() / near.sum().clamp(min=1)


def turn_at_random(rng: np.random.Generator, pictures: Tensor, maps: Tensor) -> tuple[Tensor, Tensor]:
    """Turn or mirror pictures and maps in one of eight ways; the coded vectors are changed accordingly."""
    if rng.random() < 0.5:
        pictures, maps = pictures.flip(3), maps.flip(3)
        maps[:, [1, 4, 6]] *= -1
    if rng.random() < 0.5:
        pictures, maps = pictures.flip(2), maps.flip(2)
        maps[:, [2, 4, 6]] *= -1
    if rng.random() < 0.5:
        pictures, maps = pictures.transpose(2, 3), maps.transpose(2, 3)[:, [0, 2, 1, 3, 4, 5, 6, 7]]
        maps[:, [3, 5]] *= -1
    return pictures, maps


def fit_finder(samples: Samples, *, seed: int, epochs: int, report: Report, batch: int = 16) -> FinderNet:
    """Train a new finder; the same seed and samples give the same network on the same machine."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net: FinderNet = FinderNet().to(memory_format=torch.channels_last)
    steps = epochs * (len(samples.pictures) // batch)
    optimiser = Optimiser(net, 3e-3, steps)
    net.train()
    for step, rows in enumerate(draw_batches(rng, len(samples.pictures), batch, epochs)):
        pictures = torch.from_numpy(samples.pictures[rows]).permute(0, 3, 1, 2).float() / 127.5 - 1
        pictures = (pictures + 1) * torch.from_numpy(
            rng.uniform(0.75, 1.2, (len(rows), 3, 1, 1)).astype(np.float32)
        ) - 1
        pictures, maps = turn_at_random(rng, pictures, torch.from_numpy(samples.maps[rows].astype(np.float32)))
        score, vectors = finder_loss(run_forward(net, pictures), maps)
        optimiser.descend(score + vectors, clipped=True)
        if step % 20 == 0 or step == steps - 1:
            report(
                "finder", step + 1, steps, f"score {float(score.detach()):.3f} vectors {float(vectors.detach()):.3f}"
            )
    net.eval()
    return net


def reader_loss(answer: Tensor, samples: dict[str, Tensor], offsets: Tensor) -> dict[str, Tensor]:
    """Return the cross entropies of kinds and suits, the likelihood of the ink, and the mean error of corners.

    Ink and corners count only for crops that are `undeformed` (n,), since a deformation changes both. `offsets`
    (KINDS,) are logarithms of how much likelier each kind is in training than in use; see `referee.train.balance`. The
    network states the error of the ink itself: the loss is the negative log likelihood of a Laplace distribution.
    Crops whose print is hidden distort it less than they would distort a normal distribution.
    """
    kinds = samples["kinds"]
    kind, suit, absorbed, spread, shifts, _ = answer.split(WIDTHS, dim=1)
    undeformed, printed = samples["undeformed"][:, None], (kinds < BACK_KIND)[:, None]
    tiles, inked = undeformed & (kinds != NONE_KIND)[:, None], undeformed & printed
    error = (absorbed - samples["absorbed"]).abs()
    likelihood = (error * torch.exp(-spread) + spread) * inked
    suited = nn.functional.cross_entropy(suit, samples["suits"], reduction="none")
    return {
        "kind": nn.functional.cross_entropy(kind + offsets, kinds),
        "suit": (suited * printed[:, 0]).mean(),
        "ink": likelihood.sum() / (inked.sum() * 3).clamp(min=1),
        "shift": _shift_loss(shifts, samples["shifts"], tiles),
    }


def _shift_loss(shifts: Tensor, true: Tensor, tiles: Tensor) -> Tensor:
    """Return the mean corner error of crops with a tile, in crop widths."""
    return ((shifts - true).abs() * tiles).sum() / (tiles.sum() * SHIFTS).clamp(min=1)


def _vary(rng: np.random.Generator, ink: np.ndarray) -> np.ndarray:
    """Return the ink with a gradient of light across each crop and a little noise."""
    count, _, height, width = ink.shape
    slope = rng.normal(0, 0.06, (2, count, 1, 1, 1)).astype(np.float32)
    ramp = slope[0] * np.linspace(-1, 1, width, dtype=np.float32) + slope[1] * np.linspace(
        -1, 1, height, dtype=np.float32)[:, None]  # fmt: skip
    noise = rng.standard_normal(ink.shape, np.float32) * rng.uniform(0, 0.03, (count, 1, 1, 1)).astype(np.float32)
    return np.asarray((ink + 1) * (1 + ramp) - 1 + noise, np.float32)


def _labels(samples: Samples, rows: np.ndarray) -> dict[str, Tensor]:
    labels = {k: torch.from_numpy(getattr(samples, k)[rows].astype(np.int64)) for k in ("kinds", "suits")}
    measures = {k: torch.from_numpy(getattr(samples, k)[rows].astype(np.float32)) for k in ("absorbed", "shifts")}
    return labels | measures


def make_reader_batch(
    samples: Samples, rows: np.ndarray, rng: np.random.Generator
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return crops of some rows, some of them deformed and the light of the others varied, and their labels."""
    ink = relative_ink(samples.crops[rows])
    deformed = rng.random(len(rows)) < DEFORMED_SHARE
    ink[~deformed] = _vary(rng, ink[~deformed])
    if deformed.any():
        ink[deformed] = DEFORMATION.apply(rng, torch.from_numpy(ink[deformed])).numpy()
    return torch.from_numpy(ink), _labels(samples, rows) | {"undeformed": torch.from_numpy(~deformed)}


def fit_aligner(samples: Samples, *, seed: int, epochs: int, report: Report, batch: int = 128) -> AlignerNet:
    """Train a new aligner, on crops as the finder places them."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    loose = samples.crops_only(np.flatnonzero(samples.loose))
    net: AlignerNet = AlignerNet().to(memory_format=torch.channels_last)
    steps = epochs * (len(loose.crops) // batch)
    optimiser = Optimiser(net, 3e-3, steps)
    net.train()
    for step, rows in enumerate(draw_batches(rng, len(loose.crops), batch, epochs)):
        ink = torch.from_numpy(_vary(rng, relative_ink(loose.crops[rows])))
        true = _labels(loose, rows)
        loss = _shift_loss(run_forward(net, ink), true["shifts"], (true["kinds"] != NONE_KIND)[:, None])
        optimiser.descend(10 * loss)
        if step % 50 == 0 or step == steps - 1:
            report("aligner", step + 1, steps, f"shift {float(loss.detach()):.4f}")
    net.eval()
    return net


def fit_reader(samples: Samples, *, seed: int, epochs: int, report: Report, batch: int = 128,
               start: ReaderNet | None = None, rate: float = 3e-3) -> ReaderNet:  # fmt: skip
    """Train a reader and return it, ready for use.

    `samples`: crops and their labels.
    `seed`: the seed of all random choices.
    `epochs`: about how many times each sample is seen; rare glyphs are seen more often, and about a tenth of the
        frequent ones never, since `balance.rows` leaves out the same ones in each epoch.
    `report`: called every 50 steps with the progress and the losses.
    `batch`: crops per step, 128 by default.
    `start`: a reader to continue from, which is changed in place. None: a new one.
    `rate`: the highest learning rate of the schedule; 0.003 by default, for a new reader.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net: ReaderNet = (start or ReaderNet()).to(memory_format=torch.channels_last)
    shown = balance.rows(rng, samples.kinds)
    expected = torch.from_numpy(balance.offsets(samples.kinds[shown]))
    steps = epochs * (len(shown) // batch)
    optimiser = Optimiser(net, rate, steps, net.inner_weights())
    net.train()
    batches = (make_reader_batch(samples, shown[rows], rng) for rows in draw_batches(rng, len(shown), batch, epochs))
    for step, (ink, true) in enumerate(compute_ahead(batches)):
        losses = reader_loss(run_forward(net, ink), true, expected)
        loss = losses["kind"] + 0.5 * losses["suit"] + 0.3 * losses["ink"] + 10 * losses["shift"]
        optimiser.descend(loss, clipped=True)
        if step % 50 == 0 or step == steps - 1:
            report("reader", step + 1, steps, " ".join(f"{k} {float(v.detach()):.3f}" for k, v in losses.items()))
    net.eval()
    return net
