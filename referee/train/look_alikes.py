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

from referee.train.data import ALIGNED, Bytes, CropList, jitter
from referee.train.deformation import Deformation
from referee.train.fit import Report, draw_batches, run_forward
from referee.train.nets import LookAlikeNet
from referee.train.optimiser import Optimiser
from referee.train.pictures.scenes import make_scene
from referee.train.pictures.surfaces import Floats, Rng
from referee.train.pictures.typefaces import Faces
from referee.vision.reading import look_alikes
from referee.vision.reading.crops import relative_ink
from referee.vision.reading.glyphs import INVERTED, NUMBERS, STYLES, FaceStyle
from referee.vision.reading.look_alikes import PAIRS, TURNED

SIDE = 512
SEVERITIES = (1.0, 0.45, 0.45)
"""Light and camera of the pictures in turn: one in three is as harsh as those that the other networks learn from."""
LETTERS = tuple(style for style in STYLES if style.cards)
GERMAN = 0.5
"""The share of boxes that have an A and a B for certain; the others have any letters that are sold."""
LETTER_NUMBERS = tuple(sorted(number for pair in PAIRS for number in pair if pair != TURNED))
DEFORMATION = Deformation(shift=0.04, pale_share=0.5)


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
    numbers = [(LETTER_NUMBERS, TURNED)[index % 2] for index in range(count)]
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        seeds = range(first, first + count)
        made = pool.map(partial(make_picture, faces=faces), seeds, severities, numbers, chunksize=20)
        for done, part in enumerate(made, 1):
            parts.append(part)
            report("look-alikes", done, count, "pictures")
    return Prints(np.concatenate([part.crops for part in parts]), np.concatenate([part.numbers for part in parts]))


def make_examples(faces: Faces) -> list[Floats]:
    """Return inputs of the network as they are in use: the prints of a picture of each kind."""
    pictures = (make_picture(0, SEVERITIES[-1], numbers, faces) for numbers in (LETTER_NUMBERS, TURNED))
    return [look_alikes.with_print(relative_ink(prints.crops)) for prints in pictures]


def pair_of(numbers: npt.NDArray[np.int64]) -> tuple[Tensor, Tensor]:
    """Return the column (n,) of the answer that each number is about, and what it should be there (n,): 0 or 1."""
    places = {number: (column, which) for column, pair in enumerate(PAIRS) for which, number in enumerate(pair)}
    columns, targets = zip(*(places[int(number)] for number in numbers), strict=True)
    return torch.tensor(columns), torch.tensor(targets, dtype=torch.float32)


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
        ink = DEFORMATION.apply(rng, torch.from_numpy(relative_ink(prints.crops[rows])))
        answer = run_forward(net, torch.from_numpy(look_alikes.with_print(ink.numpy())))
        asked = answer.gather(1, columns[rows][:, None])[:, 0]
        loss = nn.functional.binary_cross_entropy_with_logits(asked, targets[rows])
        optimiser.descend(loss)
        if step % 50 == 0 or step == steps - 1:
            report("look-alikes", step + 1, steps, f"loss {float(loss.detach()):.3f}")
    net.eval()
    return net
