"""Crops deformed at random, so that a network learns from more type faces than the pictures are printed with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor
from torch.nn import functional

from referee.train.pictures.surfaces import Rng
from referee.vision.reading.crops import HEIGHT, WIDTH

# Chosen by hand, larger than what the pictures have already, so that other type faces are covered as well.
TURN, STRETCH, SHEAR, BEND = 0.05, 0.05, 0.04, 0.025
"""Standard deviations of how crops are deformed: in radians, as parts, and, for bends, in half widths of a crop across
and half heights down. That of the bends is the largest; each crop has a part of it at random."""
STROKE_SHARE, STROKE_MOST = 0.2, 0.8
"""The share of crops with broader strokes, which is also that of crops with narrower ones, and how much at most of the
darkest or brightest nearby pixel is mixed in."""
BLUR_SHARE, PALE, RAMP, NOISE = 0.3, (0.25, 1.0), 0.06, (0.03, 0.04)
"""The share of the crops that are blurred, the range of pale inks, and the strengths of light and noise."""


@dataclass(frozen=True)
class Deformation:
    """How crops are deformed: all are bent, lit and made noisy, and some get other strokes, a blur or a paler ink.

    `shift` is the standard deviation of how far they are moved, in half widths of a crop across and half heights down.
    `pale_share` is the share of those whose ink is made paler.
    """

    shift: float
    pale_share: float

    def apply(self, rng: Rng, ink: Tensor) -> Tensor:
        """Return deformed crops of relative ink (n, 3, H, W)."""
        draw = torch.Generator().manual_seed(int(rng.integers(1 << 40)))
        grid = _bent_grid(len(ink), draw, self.shift)
        ink = functional.grid_sample(ink, grid, padding_mode="border", align_corners=False)
        for sign in (-1, 1):  # strokes are dark: the least of nearby pixels makes them broader
            some = torch.nonzero(torch.rand(len(ink), generator=draw) < STROKE_SHARE)[:, 0]
            grown = sign * functional.max_pool2d(sign * ink[some], 3, 1, 1)
            part = _uniform(draw, len(some), 0.0, STROKE_MOST)
            ink[some] = ink[some] * (1 - part) + grown * part
        some = torch.nonzero(torch.rand(len(ink), generator=draw) < BLUR_SHARE)[:, 0]
        part = _uniform(draw, len(some), 0.0, 1.0)
        ink[some] = ink[some] * (1 - part) + functional.avg_pool2d(ink[some], 3, 1, 1, count_include_pad=False) * part
        pale = torch.rand(len(ink), 1, 1, 1, generator=draw) < self.pale_share
        ink = torch.where(pale, ink * _uniform(draw, len(ink), *PALE), ink)
        across, down = (torch.randn(len(ink), 1, 1, 1, generator=draw) * RAMP for _ in range(2))
        ramp = across * torch.linspace(-1, 1, WIDTH) + down * torch.linspace(-1, 1, HEIGHT)[:, None]
        noise = torch.randn(ink.shape, generator=draw)
        grain = 2 * functional.avg_pool2d(noise.roll(1, dims=0), 3, 1, 1)
        fine, coarse = (_uniform(draw, len(ink), 0.0, most) for most in NOISE)
        return (ink + 1) * (1 + ramp) - 1 + fine * noise + coarse * grain


def _uniform(draw: torch.Generator, count: int, low: float, high: float) -> Tensor:
    return low + (high - low) * torch.rand(count, 1, 1, 1, generator=draw)


def _bent_grid(count: int, draw: torch.Generator, shift: float) -> Tensor:
    """Return where each pixel of `count` crops comes from: a small affine map and a smooth random displacement."""
    normal = partial(torch.randn, generator=draw)
    turn, wide, high, shear = normal(4, count) * torch.tensor([TURN, STRETCH, STRETCH, SHEAR])[:, None]
    maps = torch.zeros(count, 2, 3)
    ratio = HEIGHT / WIDTH
    maps[:, 0, 0], maps[:, 0, 1] = (1 + wide) * torch.cos(turn), -torch.sin(turn) * ratio + shear
    maps[:, 1, 0], maps[:, 1, 1] = torch.sin(turn) / ratio, (1 + high) * torch.cos(turn)
    maps[:, :, 2] = normal(count, 2) * shift
    grid = functional.affine_grid(maps, [count, 1, HEIGHT, WIDTH], align_corners=False)
    bends = normal(count, 2, 6, 5) * BEND * torch.rand(count, 1, 1, 1, generator=draw)
    smooth = functional.interpolate(bends, (HEIGHT, WIDTH), mode="bilinear", align_corners=False)
    return grid + smooth.permute(0, 2, 3, 1)
