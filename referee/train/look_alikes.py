"""Data and training of the network for numbers whose prints look alike: 8 and a jack that is a B, 4 and A, 6 and 9.

The reader knows some forty kinds of print, and few of its samples are pale letters. This network only says which of
two numbers a print is, and learns from such prints alone: half of the pictures show boxes with all kinds of letters,
the others a 6 and a 9 of any box.
"""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from referee.train.data import ALIGNED, Bytes, CropList, jitter
from referee.train.fit import Report, draw_batches, run_forward
from referee.train.nets import LookAlikeNet
from referee.train.optimiser import Optimiser
from referee.train.pictures.scenes import make_scene
from referee.train.pictures.surfaces import Floats, Rng
from referee.train.pictures.typefaces import Faces
from referee.vision.reading import look_alikes
from referee.vision.reading.crops import HEIGHT, WIDTH, relative_ink
from referee.vision.reading.glyphs import INVERTED, NUMBERS, STYLES, FaceStyle
from referee.vision.reading.look_alikes import PAIRS, TURNED

SIDE = 512
SEVERITIES = (1.0, 0.45, 0.45)
"""Light and camera of the pictures in turn: one in three is as harsh as those that the other networks learn from."""
LETTERS = tuple(style for style in STYLES if style.cards)
GERMAN = 0.5
"""The share of boxes with both an A and a B; the others have any letters that are sold."""
LETTERED = tuple(sorted(number for pair in PAIRS for number in pair if pair != TURNED))
# Chosen by hand, larger than what the pictures have already, so that other type faces are covered as well.
TURN, STRETCH, SHEAR, SHIFT, BEND = 0.05, 0.05, 0.04, 0.04, 0.025
"""Standard deviations of how crops are deformed: in radians, as parts, and in half widths of a crop."""
BLURRED, PALED, PALE, RAMP, NOISE = 0.3, 0.5, (0.25, 1.0), 0.06, (0.03, 0.04)
"""Shares of the crops that are blurred and paled, the range of the latter, and the strengths of light and noise."""


@dataclass(frozen=True)
class Prints:
    """Crops (n, H, W, 3), BGR, of prints either way up, and the number (n,) that each shows."""

    crops: Bytes
    numbers: npt.NDArray[np.int64]


def make_picture(seed: int, severity: float, numbers: tuple[int, ...], faces: Faces) -> Prints:
    """Return the prints of one generated picture of tiles with these `numbers`.

    The same seed and type faces always give the same ones.
    """
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, 4])
    short = float(np.exp(rng.uniform(np.log(27), np.log(62))))
    signs = None if numbers == TURNED else _choose_letters(rng)
    scene = make_scene(rng, faces, side=SIDE, short_px=short, empty=False, severity=severity,
                       signs=signs, numbers=numbers)  # fmt: skip
    chosen = CropList()
    for truth in scene.tiles:
        if not truth.cut and truth.glyph >= 0:
            inverted = bool(rng.random() < 0.5)
            exact = np.roll(truth.corners, 2, 0) if inverted else truth.corners
            chosen.add_tile(truth, jitter(rng, exact, ALIGNED), exact, inverted=inverted, loose=False)
    made = chosen.cut(np.ascontiguousarray(scene.picture[..., ::-1]))
    return Prints(made.crops, np.asarray([NUMBERS[kind % INVERTED] for kind in made.kinds], np.int64))


def _choose_letters(rng: Rng) -> FaceStyle:
    both = next(style for style in LETTERS if style.name == "ABDK")
    return both if rng.random() < GERMAN else LETTERS[int(rng.integers(len(LETTERS)))]


def make_prints(first: int, count: int, faces: Faces, report: Report, workers: int = 2) -> Prints:
    """Return the prints of `count` generated pictures, of which `first` is the first seed."""
    parts: list[Prints] = []
    severities = [SEVERITIES[index % len(SEVERITIES)] for index in range(count)]
    numbers = [(LETTERED, TURNED)[index % 2] for index in range(count)]
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        seeds = range(first, first + count)
        made = pool.map(partial(make_picture, faces=faces), seeds, severities, numbers, chunksize=20)
        for done, part in enumerate(made, 1):
            parts.append(part)
            report("look-alikes", done, count, "pictures")
    return Prints(np.concatenate([part.crops for part in parts]), np.concatenate([part.numbers for part in parts]))


def make_examples(faces: Faces) -> list[Floats]:
    """Return inputs of the network as they are in use: the prints of a picture of each kind."""
    pictures = (make_picture(0, SEVERITIES[-1], numbers, faces) for numbers in (LETTERED, TURNED))
    return [look_alikes.with_print(relative_ink(prints.crops)) for prints in pictures]


def pair_of(numbers: npt.NDArray[np.int64]) -> tuple[Tensor, Tensor]:
    """Return the column (n,) of the answer that each number is about, and what it should be there (n,): 0 or 1."""
    places = {number: (column, which) for column, pair in enumerate(PAIRS) for which, number in enumerate(pair)}
    columns, targets = zip(*(places[int(number)] for number in numbers), strict=True)
    return torch.tensor(columns), torch.tensor(targets, dtype=torch.float32)


def vary(rng: Rng, ink: Tensor) -> Tensor:
    """Return crops of relative ink (n, 3, H, W), each bent, stroked, blurred, paled, lit and made noisy at random."""
    draw = torch.Generator().manual_seed(int(rng.integers(1 << 40)))
    ink = functional.grid_sample(ink, _bent_grid(len(ink), draw), padding_mode="border", align_corners=False)
    for share, broader in ((0.2, True), (0.2, False)):
        some = torch.nonzero(torch.rand(len(ink), generator=draw) < share)[:, 0]
        sign = -1 if broader else 1
        grown = sign * functional.max_pool2d(sign * ink[some], 3, 1, 1)
        part = _uniform(draw, len(some), 0.0, 0.8)
        ink[some] = ink[some] * (1 - part) + grown * part
    some = torch.nonzero(torch.rand(len(ink), generator=draw) < BLURRED)[:, 0]
    part = _uniform(draw, len(some), 0.0, 1.0)
    ink[some] = ink[some] * (1 - part) + functional.avg_pool2d(ink[some], 3, 1, 1, count_include_pad=False) * part
    pale = torch.rand(len(ink), 1, 1, 1, generator=draw) < PALED
    ink = torch.where(pale, ink * _uniform(draw, len(ink), *PALE), ink)
    across, down = (torch.randn(len(ink), 1, 1, 1, generator=draw) * RAMP for _ in range(2))
    ramp = across * torch.linspace(-1, 1, WIDTH) + down * torch.linspace(-1, 1, HEIGHT)[:, None]
    noise = torch.randn(ink.shape, generator=draw)
    grain = 2 * functional.avg_pool2d(noise.roll(1, dims=0), 3, 1, 1)
    fine, coarse = (_uniform(draw, len(ink), 0.0, most) for most in NOISE)
    return (ink + 1) * (1 + ramp) - 1 + fine * noise + coarse * grain


def _uniform(draw: torch.Generator, count: int, low: float, high: float) -> Tensor:
    return low + (high - low) * torch.rand(count, 1, 1, 1, generator=draw)


def _bent_grid(count: int, draw: torch.Generator) -> Tensor:
    """Return where each pixel of `count` crops comes from: a small affine map and a smooth random displacement."""
    normal = partial(torch.randn, generator=draw)
    turn, wide, high, shear = normal(4, count) * torch.tensor([TURN, STRETCH, STRETCH, SHEAR])[:, None]
    maps = torch.zeros(count, 2, 3)
    ratio = HEIGHT / WIDTH
    maps[:, 0, 0], maps[:, 0, 1] = (1 + wide) * torch.cos(turn), -torch.sin(turn) * ratio + shear
    maps[:, 1, 0], maps[:, 1, 1] = torch.sin(turn) / ratio, (1 + high) * torch.cos(turn)
    maps[:, :, 2] = normal(count, 2) * SHIFT
    grid = functional.affine_grid(maps, [count, 1, HEIGHT, WIDTH], align_corners=False)
    bends = normal(count, 2, 6, 5) * BEND * torch.rand(count, 1, 1, 1, generator=draw)
    smooth = functional.interpolate(bends, (HEIGHT, WIDTH), mode="bilinear", align_corners=False)
    return grid + smooth.permute(0, 2, 3, 1)


def fit_look_alikes(
    prints: Prints, *, seed: int, epochs: int, report: Report, batch: int = 256, rate: float = 3e-3
) -> LookAlikeNet:  # fmt: skip
    """Train a new network; the same seed and prints give the same one on the same machine."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net: LookAlikeNet = LookAlikeNet().to(memory_format=torch.channels_last)
    columns, targets = pair_of(prints.numbers)
    steps = epochs * (len(prints.crops) // batch)
    optimiser = Optimiser(net, rate, steps)
    net.train()
    for step, rows in enumerate(draw_batches(rng, len(prints.crops), batch, epochs)):
        ink = vary(rng, torch.from_numpy(relative_ink(prints.crops[rows])))
        answer = run_forward(net, torch.from_numpy(look_alikes.with_print(ink.numpy())))
        asked = answer.gather(1, columns[rows][:, None])[:, 0]
        loss = nn.functional.binary_cross_entropy_with_logits(asked, targets[rows])
        optimiser.descend(loss)
        if step % 50 == 0 or step == steps - 1:
            report("look-alikes", step + 1, steps, f"loss {float(loss.detach()):.3f}")
    net.eval()
    return net
