"""Data sets: generated pictures turned into maps for the finder and crops for the reader; in parallel, seeded."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from referee.train.pictures.scenes import TrainingSample, Truth, make_scene
from referee.train.pictures.surfaces import Floats, Rng
from referee.train.pictures.typefaces import Faces
from referee.vision.finding import finder as find
from referee.vision.reading import crops
from referee.vision.reading.glyphs import BACK_KIND, INVERTED, JOKER_KIND, NONE_KIND

SIDE = 256  # of the finder's training pictures
CELLS = SIDE // find.STRIDE
LOOSE, ALIGNED = 1.0, 0.25
"""How inexact crops are, in units of the finder's own error: as the finder places them, and after alignment."""
FINDER_PARTS = ("pictures", "maps")
READER_PARTS = ("crops", "kinds", "suits", "absorbed", "shifts", "loose")
PARTS = FINDER_PARTS + READER_PARTS

Bytes = npt.NDArray[np.uint8]
Labels = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Samples:
    """Training samples for the networks.

    `pictures` (n, SIDE, SIDE, 3) BGR go with `maps` (n, 8, CELLS, CELLS): score, 6 for vectors, and the weight of the
    vectors (-1 where the score must be ignored). `crops` (m, H, W, 3) BGR go with the rest. `kinds` and `suits` are
    (m,). `absorbed` (m, 3), BGR, is the part of the body's light that the ink absorbs. `shifts` (m, 8) is where the
    true corners are relative to the crop's; see `vision.reading.crops.apply_shifts`. `loose` (m,) is 1 for crops as
    the finder places them.
    """

    pictures: Bytes
    maps: npt.NDArray[np.float16]
    crops: Bytes
    kinds: Labels
    suits: Labels
    absorbed: npt.NDArray[np.float16]
    shifts: npt.NDArray[np.float16]
    loose: Labels

    def crops_only(self, rows: Any) -> Samples:
        """Return the crops of some rows, without pictures."""
        empty: Any = np.zeros(0)
        return Samples(empty, empty, *(getattr(self, k)[rows] for k in READER_PARTS))


@dataclass
class CropList:
    """Collects crops to be cut from one picture."""

    quads: list[Floats] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    suits: list[int] = field(default_factory=list)
    absorbed: list[tuple[float, float, float]] = field(default_factory=list)
    shifts: list[Floats] = field(default_factory=list)
    loose: list[int] = field(default_factory=list)

    def add_tile(self, truth: Truth, corners: Floats, exact: Floats, *, inverted: bool, loose: bool) -> None:
        """Add a tile, to be cut at `corners` (4, 2); its true corners are `exact` (4, 2)."""
        self._add(corners, kind_of(truth, inverted=inverted), truth.suit, truth.absorbed,
                  crops.shifts_between(corners[None], exact[None])[0], loose=loose)  # fmt: skip

    def add_nothing(self, corners: Floats) -> None:
        """Add a place without a tile."""
        self._add(corners, NONE_KIND, 0, (0.0, 0.0, 0.0), np.zeros(8, np.float32), loose=True)

    def _add(
        self, corners: Floats, kind: int, suit: int, absorbed: tuple[float, float, float],
        shifts: Floats, *, loose: bool,
    ) -> None:  # fmt: skip
        """Add one crop and its labels.

        `corners`: the quad (4, 2) to be cut, in pixels.
        `kind`: the reader's class.
        `suit`: the index of the suit mark, 0 without one.
        `absorbed`: the part of the light that the ink absorbs, in blue, green and red, 0 to 1.
        `shifts`: how far the true corners are from `corners`, (8,) in crop widths.
        `loose`: whether the quad is only approximate, as the finder gives it.
        """
        self.quads.append(corners)
        self.kinds.append(kind)
        self.suits.append(suit)
        self.absorbed.append(absorbed)
        self.shifts.append(shifts)
        self.loose.append(int(loose))

    def cut(self, picture: Bytes) -> Samples:
        """Cut the crops from a BGR picture; return them with their labels."""
        quads = np.asarray(self.quads, np.float32).reshape(-1, 4, 2)
        empty: Any = np.zeros(0)
        return Samples(
            empty, empty, crops.cut(picture, quads), np.asarray(self.kinds, np.int8),
            np.asarray(self.suits, np.int8),
            np.asarray(self.absorbed, np.float16).reshape(-1, 3), np.asarray(self.shifts, np.float16).reshape(-1, 8),
            np.asarray(self.loose, np.int8),
        )  # fmt: skip


def kind_of(truth: Truth, *, inverted: bool) -> int:
    """Return the reader's class of a tile that stands upright or upside down."""
    if truth.tile is None:
        return BACK_KIND
    if truth.tile.is_joker:
        return JOKER_KIND
    return (INVERTED if inverted else 0) + truth.glyph


def target_maps(tiles: tuple[Truth, ...], scale: float) -> npt.NDArray[np.float16]:
    """Return the maps that the finder should answer, (8, CELLS, CELLS), for corners scaled by `scale`."""
    maps = np.zeros((8, CELLS, CELLS), np.float32)
    y, x = np.mgrid[:CELLS, :CELLS].astype(np.float32) + 0.5
    for truth in tiles:
        corners = ((truth.corners + 0.5) * scale) / find.STRIDE
        centre = corners.mean(0)
        up = (corners[0] + corners[1] - corners[2] - corners[3]) / 4
        across = (corners[1] + corners[2] - corners[0] - corners[3]) / 4
        short = 2 * float(np.linalg.norm(across))
        dx, dy = x - centre[0], y - centre[1]
        distance = dx * dx + dy * dy
        if truth.cut:
            maps[7][distance < (0.7 * short) ** 2] = -1
            continue
        sigma = 0.16 * short
        score = np.exp(-distance / (2 * sigma * sigma))
        score[int(np.clip(centre[1], 0, CELLS - 1)), int(np.clip(centre[0], 0, CELLS - 1))] = 1.0
        better = (score > maps[0]) & (distance < (0.38 * short) ** 2)
        maps[0] = np.maximum(maps[0], score)
        vectors = np.concatenate([find.encode_vectors(up[None])[0], find.encode_vectors(across[None])[0]])
        maps[1][better], maps[2][better] = -dx[better], -dy[better]
        maps[3:7, better] = vectors[:, None]
        maps[7][better] = 1
    return maps.astype(np.float16)


def jitter(rng: Rng, corners: Floats, amount: float) -> Floats:
    """Return what an imperfect finder might give instead of `corners`."""
    centre = corners.mean(0)
    size = np.linalg.norm(corners[1] - corners[0])
    angle = rng.normal(0, 0.04) * amount
    turn = np.asarray([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    moved = (corners - centre) @ turn * (1 + rng.normal(0, 0.045) * amount) + centre
    moved = moved + rng.normal(0, 0.04, 2) * size * amount + rng.normal(0, 0.015, (4, 2)) * size * amount
    return np.asarray(moved, np.float32)


def wrong_quads(rng: Rng, scene: TrainingSample, count: int) -> list[Floats]:
    """Return quads with no tile or only parts of tiles: beside tiles, across seams, much too large or too small."""
    quads: list[Floats] = []
    side = scene.picture.shape[0]
    centres = np.asarray([tile.corners.mean(0) for tile in scene.tiles]).reshape(-1, 2)
    for _ in range(count):
        if scene.tiles and rng.random() < 0.5:
            corners = scene.tiles[int(rng.integers(len(scene.tiles)))].corners
            across, down = corners[1] - corners[0], corners[3] - corners[0]
            choice = rng.random()
            if choice < 0.6:
                sign = rng.choice([-1.0, 1.0])
                move = (
                    across * sign * rng.uniform(0.42, 0.58)
                    if rng.random() < 0.6
                    else down * sign * rng.uniform(0.42, 0.6)
                )
                quads.append(jitter(rng, corners + move, 1.0))
            else:
                factor = rng.uniform(0.2, 0.5) if choice < 0.75 else np.exp(rng.uniform(np.log(1.8), np.log(6)))
                quads.append(np.asarray((corners - corners.mean(0)) * factor + corners.mean(0), np.float32))
            continue
        w = scene.short_px * float(np.exp(rng.normal(0, 0.5)))
        place = rng.uniform(0, side, 2)
        if scene.marks and rng.random() < 0.6:
            place = np.asarray(scene.marks[int(rng.integers(len(scene.marks)))]) + rng.normal(0, 0.15, 2) * w
        shape = (w, w * float(rng.uniform(1.2, 1.6)))
        box = cv2.boxPoints(((float(place[0]), float(place[1])), shape, float(rng.uniform(0, 360))))
        if not (np.linalg.norm(centres - box.mean(0), axis=1) < 1.1 * scene.short_px).any():
            quads.append(np.asarray(box, np.float32))
    return quads


def cut_scene(rng: Rng, scene: TrainingSample, copies: int) -> Samples:
    """Return crops of one picture, without the picture: `copies` of each whole tile, and places without a tile.

    Every other copy is as inexact as the finder's quads, the others are nearly exact; about half are upside down.
    """
    chosen = CropList()
    for truth in scene.tiles:
        if truth.cut:
            continue
        for copy in range(copies):
            inverted = bool(rng.random() < 0.5)
            exact = np.roll(truth.corners, 2, 0) if inverted else truth.corners
            loose = copy % 2 == 0
            corners = jitter(rng, exact, LOOSE if loose else ALIGNED)
            chosen.add_tile(truth, corners, exact, inverted=inverted, loose=loose)
    for corners in wrong_quads(rng, scene, max(8, round(len(chosen.quads) * 0.15))):
        chosen.add_nothing(corners)
    return chosen.cut(np.ascontiguousarray(scene.picture[..., ::-1]))


def _fine_size(rng: Rng) -> tuple[float, bool]:
    """Return a tile's short side in the finder's picture, and whether the finder should find tiles of that size.

    Tiles that are much too small or too large belong to another level of the pyramid; this one must not find them.
    """
    chance = rng.random()
    if chance < 0.06:
        return float(rng.uniform(4.5, 8)), False
    if chance < 0.12:
        return float(rng.uniform(55, 110)), False
    return find.SHORT_PX * float(np.exp(rng.normal(0, 0.2))), True


def make_chunk(seeds: range, faces: Faces, *, validation: bool, copies: int, severity: float = 1.0) -> Samples:
    """Return the samples of some seeds; a seed gives the same ones on every machine with the same type faces."""
    pictures, maps, cuts = [], [], []
    for seed in seeds:
        rng = np.random.default_rng([seed, int(validation)])
        fine, wanted = _fine_size(rng)
        short = (
            float(np.exp(rng.uniform(np.log(27), np.log(62))))
            if rng.random() < 0.85 or not wanted
            else rng.uniform(62, 100)
        )
        side = round(SIDE * short / fine)
        scene = make_scene(rng, faces, side=side, short_px=short, validation=validation, severity=severity)
        way = cv2.INTER_AREA if rng.random() < 0.7 else cv2.INTER_LINEAR
        pictures.append(cv2.resize(scene.picture, (SIDE, SIDE), interpolation=way)[..., ::-1])
        maps.append(target_maps(scene.tiles if wanted else (), SIDE / side))
        cuts.append(cut_scene(rng, scene, copies))
    both = join_samples(cuts)
    return replace(both, pictures=np.asarray(pictures, np.uint8), maps=np.asarray(maps, np.float16))


def join_samples(parts: list[Samples]) -> Samples:
    """Return the crops of all parts, without pictures."""
    empty: Any = np.zeros(0)
    return Samples(empty, empty, *(np.concatenate([getattr(p, k) for p in parts]) for k in READER_PARTS))


def make_samples(first: int, count: int, faces: Faces, folder: Path, *, validation: bool, copies: int = 2,
                 severity: float = 1.0, workers: int = 2, report: Callable[[int], object] | None = None,
) -> None:  # fmt: skip
    """Write the samples of generated pictures to `folder`, 200 pictures per file; existing files are kept.

    A file that was made with other arguments is not recognised, so each set of arguments needs its own folder.

    `first`: the seed of the first picture; the others follow.
    `count`: the number of pictures.
    `faces`: the type faces to print with.
    `folder`: where the files are written; it is created if necessary.
    `validation`: whether to print with the type faces for calibration.
    `copies`: crops of each tile, every other one as inexact as the finder's; 2 by default.
    `severity`: how difficult light and camera make it. Training uses 1.0 (the default) and 0.45; 0.4 is as on a
        kitchen table.
    `workers`: how many processes work in parallel; 2 by default.
    `report`: called with the number of pictures that exist, at the start and after each file. None: nothing is
        reported.
    """
    folder.mkdir(parents=True, exist_ok=True)
    end = first + count
    starts = [s for s in range(first, end, 200) if not (folder / f"{s}.npz").exists()]
    exist = count - sum(min(200, end - start) for start in starts)
    if report is not None:
        report(exist)
    work = partial(_write_chunk, faces=faces, folder=folder, end=end, validation=validation, copies=copies,
                   severity=severity)  # fmt: skip
    # A forked process would wait for ever for OpenCV's threads, which do not exist in it.
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        for start in pool.map(work, starts):
            exist += min(200, end - start)
            if report is not None:
                report(exist)


def _write_chunk(
    start: int, *, faces: Faces, folder: Path, end: int, validation: bool, copies: int, severity: float
) -> int:
    """Write one file of samples and return `start`; the file gets its name only when it is complete.

    `start`: the seed of the first picture, after which the file is named.
    `faces`: the type faces to print with.
    `folder`: where the file is written; it must exist.
    `end`: the seed after the last picture of all files.
    `validation`: whether to print with the type faces for calibration.
    `copies`: crops of each tile.
    `severity`: how difficult light and camera make it, as in `make_samples()`.
    """
    cv2.setNumThreads(1)
    seeds = range(start, min(start + 200, end))
    samples = make_chunk(seeds, faces, validation=validation, copies=copies, severity=severity)
    part = folder / f"{start}.part.npz"
    np.savez(part, **{k: getattr(samples, k) for k in PARTS})
    part.rename(folder / f"{start}.npz")
    return start


def load_samples(*folders: Path, parts: tuple[str, ...] = PARTS) -> Samples:
    """Return `parts` of all files in `folders`, joined, the others empty; raises FileNotFoundError without files."""
    files = [f for folder in folders for f in sorted(folder.glob("*.npz")) if ".part." not in f.name]
    if not files:
        raise FileNotFoundError(f"expected made samples in {', '.join(map(str, folders))}, found none")
    arrays: list[Any] = [np.concatenate([np.load(f)[k] for f in files]) if k in parts else np.zeros(0) for k in PARTS]
    return Samples(*arrays)
