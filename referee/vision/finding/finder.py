"""Finding tiles: from the finder's maps to quads, with non-maximum suppression.

The finder is a small fully convolutional net. For each cell of STRIDE pixels it gives a score for a tile's centre in
that cell, the offset to that centre, and the tile's half height and half width as vectors. Each vector is coded with
its angle doubled, (|u| cos 2a, |u| sin 2a), because without its print a tile has no top, so that u and -u must be the
same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.sighting import Floats, Image

STRIDE = 4
"""Pixels of the input for one cell of the maps; follows from the network."""
CHANNELS = 7  # score, offset x and y, half height (2), half width (2)
_BLOCK = 128  # so many are compared with all others at once; more would take much memory
SHORT_PX = 21.0  # the short side of a tile the finder likes best; 14-31 px do


@dataclass(frozen=True, slots=True)
class Candidates:
    """Places that may hold a tile: `corners` (n, 4, 2) in pixels, clockwise, perhaps upside down; `scores` (n,).

    `usual` (n, 2, 4, 2) are quads of a tile's known size with the same middles, one as found and one turned by a
    quarter. None if no size is known. `proposed` (m, turns, 4, 2) are quads of that size around what looks like a
    print in the same picture, in all turns; most of them lie on a candidate. They are not indexed with the candidates.
    """

    corners: Floats
    scores: Floats
    usual: Floats | None = None
    proposed: Floats | None = None

    def __post_init__(self) -> None:
        if self.corners.shape != (len(self.scores), 4, 2):
            raise ValueError(f"expected corners of shape ({len(self.scores)}, 4, 2), got {self.corners.shape}")

    def __getitem__(self, rows: Any) -> Candidates:
        usual = None if self.usual is None else self.usual[rows]
        return Candidates(self.corners[rows], self.scores[rows], usual, self.proposed)


def join_candidates(parts: Sequence[Candidates]) -> Candidates:
    """Return all candidates of several, one after the other."""
    corners = [np.zeros((0, 4, 2), np.float32), *(part.corners for part in parts)]
    scores = [np.zeros(0, np.float32), *(part.scores for part in parts)]
    return Candidates(np.concatenate(corners), np.concatenate(scores))


def shift_candidates(candidates: Candidates, by: Floats) -> Candidates:
    """Return the candidates moved by (x, y) pixels."""
    return Candidates(np.asarray(candidates.corners + by, np.float32), candidates.scores)


def to_input(picture: Image) -> Floats:
    """Return (H, W, 3) BGR bytes as the finder's input (1, 3, H', W'), about -1 to 1, padded to multiples of 16."""
    height, width = picture.shape[:2]
    padded = cv2.copyMakeBorder(picture, 0, -height % 16, 0, -width % 16, cv2.BORDER_REPLICATE)
    result = np.empty((1, 3, *padded.shape[:2]), np.float32)
    for plane, levels in zip(result[0], cv2.split(padded), strict=True):
        np.divide(levels, np.float32(127.5), out=plane)
    result -= 1.0
    return result


def encode_vectors(vectors: Floats) -> Floats:
    """Return vectors (n, 2) coded so that v and -v are the same: (n, 2)."""
    length = np.maximum(np.linalg.norm(vectors, axis=1), 1e-6)
    x, y = vectors[:, 0], vectors[:, 1]
    return np.asarray(np.stack([(x * x - y * y) / length, 2 * x * y / length], 1), np.float32)


def decode_vectors(coded: Floats) -> Floats:
    """Return the vectors for the result of `encode_vectors`, apart from their sign."""
    length = np.linalg.norm(coded, axis=1)
    angle = np.arctan2(coded[:, 1], coded[:, 0]) / 2
    return np.asarray(np.stack([length * np.cos(angle), length * np.sin(angle)], 1), np.float32)


def decode(maps: Floats, threshold: float) -> Candidates:
    """Return the tiles in the finder's maps (CHANNELS, h, w), in pixels of the input, best first."""
    if maps.ndim != 3 or maps.shape[0] != CHANNELS:
        raise ValueError(f"expected maps of shape ({CHANNELS}, h, w), got {maps.shape}")
    score = maps[0]
    highest = cv2.dilate(score, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((score >= highest) & (score > np.log(threshold / (1 - threshold))))
    values = maps[:, rows, columns].T
    order = np.argsort(-values[:, 0])
    values, rows, columns = values[order], rows[order], columns[order]
    centres = (np.stack([columns, rows], 1) + 0.5 + values[:, 1:3]) * STRIDE - 0.5
    up = decode_vectors(values[:, 3:5]) * STRIDE
    across = decode_vectors(values[:, 5:7]) * STRIDE
    # Keep the corners clockwise in the picture (y down): up x across must turn the same way for every tile.
    flip = up[:, 0] * across[:, 1] - up[:, 1] * across[:, 0] < 0
    across = np.where(flip[:, None], -across, across)
    keep = suppress(centres, up, across)
    centres, up, across = centres[keep], up[keep], across[keep]
    scores = 1 / (1 + np.exp(-values[keep, 0]))
    return Candidates(quads(centres, across, -up), scores.astype(np.float32))


def quads(centres: Floats, across: Floats, down: Floats) -> Floats:
    """Return quads (n, 4, 2), clockwise from top left, with these half sides (n, 2)."""
    corners = [centres - down - across, centres - down + across, centres + down + across, centres + down - across]
    return np.asarray(np.stack(corners, axis=1), np.float32)


def inverses(matrices: npt.NDArray[np.float64], smallest: float) -> npt.NDArray[np.float64]:
    """Return the inverses of matrices (n, 2, 2); NaN, near to nothing, if the determinant is below `smallest`."""
    flat = np.abs(np.linalg.det(matrices)) < smallest
    result = np.linalg.inv(np.where(flat[:, None, None], np.eye(2), matrices))
    result[flat] = np.nan
    return np.asarray(result)


def suppress(centres: Floats, up: Floats, across: Floats, nearest: float = 0.6) -> list[int]:
    """Non-maximum suppression: of tiles whose centres are closer than `nearest` tile sizes, keep only the first.

    `up` and `across` (n, 2) are half sides; distances are measured along the sides of the tile that is kept. Returns
    the indices of the tiles to keep.
    """
    own = np.stack([up, across], axis=2).astype(np.float64) * 2
    inverse = inverses(own, 1e-3).transpose(0, 2, 1)
    free = np.ones(len(centres), bool)
    for start in range(0, len(centres), _BLOCK):
        block = slice(start, start + _BLOCK)
        way = np.abs((centres[None] - centres[block, None]) @ inverse[block])
        near = np.triu((way[..., 0] < nearest) & (way[..., 1] < nearest), start + 1)
        for i in np.flatnonzero(near.any(axis=1)):  # few have any other near them
            if free[start + i]:
                free[near[i]] = False
    return [int(i) for i in np.flatnonzero(free)]
