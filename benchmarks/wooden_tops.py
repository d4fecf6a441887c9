"""Table tops on which wooden tiles are hard to see: planks, bamboo, cork, parquet, lacquer and woven cloth.

None of them comes from the generator of the training pictures (`referee.train.pictures.surfaces`), so measurements on
them are not on training data. Solid wood is cut from a trunk with rings; the others consist of pieces or threads. All
are pictures (side, side, 3), RGB 0-255, float32; lengths are in millimetres.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
Rng = np.random.Generator


def _noise(rng: Rng, side: int, down: float, across: float) -> Floats:
    """Return smooth noise (side, side) with a deviation of about 1; features are `down` by `across` pixels large."""
    shape = max(2, round(side / down)), max(2, round(side / across))
    small = rng.standard_normal((min(shape[0], side), min(shape[1], side))).astype(np.float32)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)


def _turn(picture: Floats, degrees: float, side: int) -> Floats:
    """Return the middle (side, side) of a larger square after turning it."""
    large = picture.shape[0]
    matrix = cv2.getRotationMatrix2D((large / 2, large / 2), degrees, 1.0)
    matrix[:, 2] += (side - large) / 2
    return np.asarray(cv2.warpAffine(picture, matrix, (side, side), borderMode=cv2.BORDER_REFLECT), np.float32)


def _board(rng: Rng, side: int, px: float, strength: float) -> Floats:
    """Return the tone (side, side) of a board sawn from a trunk, with grain from left to right; `px` is pixels per mm.

    Early wood is pale and changes slowly into dark late wood, at which a ring ends abruptly.
    """
    y, x = np.mgrid[:side, :side].astype(np.float32) / np.float32(px)
    away = float(rng.uniform(0, 120))
    sway = 14 * _noise(rng, side, 60 * px, 260 * px) + 2.5 * _noise(rng, side, 12 * px, 90 * px)
    height = y - y.mean() + sway + x * float(rng.uniform(-0.05, 0.05))
    rings = np.hypot(height, away) / float(rng.uniform(2.0, 7.0))
    late = np.power(rings % 1.0, float(rng.uniform(1.5, 5)))
    vessels = np.maximum(_noise(rng, side, 0.5 * px, 9 * px), 0.9) - 0.9
    fibres = _noise(rng, side, 0.35 * px + 1, 25 * px)
    rays = np.maximum(_noise(rng, side, 1.2 * px, 5 * px) - 1.6, 0) * float(rng.choice([0.0, 1.0]))
    return np.asarray(-strength * (late - 0.35) - 0.3 * strength * vessels + 0.12 * strength * fibres
                      + 0.2 * strength * rays, np.float32)  # fmt: skip


def planks(rng: Rng, side: int, base: Floats, px: float) -> Floats:
    """Return boards side by side, each from another trunk."""
    large = int(1.45 * side)
    tone, at = np.zeros((large, large), np.float32), 0
    while at < large:
        wide = int(rng.uniform(70, 220) * px)
        board = _board(rng, large, px, float(rng.uniform(0.04, 0.22)))
        tone[at : at + wide] = board[: min(wide, large - at)] + float(rng.normal(0, 0.04))
        tone[at : at + max(1, int(0.5 * px))] -= float(rng.uniform(0.0, 0.7))
        at += wide
    return _turn(base * np.exp(tone)[..., None], float(rng.uniform(0, 360)), side)


def solid(rng: Rng, side: int, base: Floats, px: float) -> Floats:
    """Return one wide board."""
    large = int(1.45 * side)
    tone = _board(rng, large, px, float(rng.uniform(0.03, 0.25)))
    return _turn(base * np.exp(tone)[..., None], float(rng.uniform(0, 360)), side)


def bamboo(rng: Rng, side: int, base: Floats, px: float) -> Floats:
    """Return narrow strips glued together, with some darker nodes."""
    large = int(1.45 * side)
    tone = 0.03 * _noise(rng, large, 0.5 * px + 1, 40 * px)
    wide = max(4, int(rng.uniform(8, 24) * px))
    for at in range(0, large, wide):
        tone[at : at + wide] += float(rng.normal(0, 0.06))
        tone[at : at + 1] -= float(rng.uniform(0.05, 0.3))
        for node in np.arange(rng.uniform(0, 250), large / px, rng.uniform(150, 300)):
            x = int(node * px)
            tone[at : at + wide, x : x + max(2, int(2 * px))] -= float(rng.uniform(0.08, 0.3))
    return _turn(base * np.exp(tone)[..., None], float(rng.uniform(0, 360)), side)


def cork(rng: Rng, side: int, base: Floats, px: float) -> Floats:
    """Return pressed granules of different tones, with dark bark between some."""
    grains = max(200, int((side / px / rng.uniform(2.5, 6)) ** 2))
    seeds = np.zeros((side, side), np.uint8)
    seeds[tuple(rng.integers(0, side, (2, grains)))] = 1
    distance, owner = cv2.distanceTransformWithLabels(1 - seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    tones = rng.normal(0, 0.09, owner.max() + 1).astype(np.float32)
    tones[rng.random(len(tones)) < 0.04] -= 0.6
    tone = tones[owner] - 0.05 * (distance / max(1.0, float(distance.max()))) + 0.04 * _noise(rng, side, 2, 2)
    return np.asarray(base * np.exp(tone)[..., None], np.float32)


def parquet(rng: Rng, side: int, base: Floats, px: float) -> Floats:
    """Return blocks as large as tiles or larger, with grain in alternating directions."""
    large = int(1.45 * side)
    tone = np.zeros((large, large), np.float32)
    block = int(rng.uniform(45, 140) * px)
    along = _board(rng, large, px, float(rng.uniform(0.04, 0.16)))
    across = np.ascontiguousarray(_board(rng, large, px, float(rng.uniform(0.04, 0.16))).T)
    for row in range(0, large, block):
        for column in range(0, large, block):
            grain = along if (row // block + column // block) % 2 else across
            part = np.s_[row : row + block, column : column + block]
            tone[part] = grain[part] + float(rng.normal(0, 0.05))
            tone[row : row + 1, column : column + block] -= float(rng.uniform(0.1, 0.5))
            tone[row : row + block, column : column + 1] -= float(rng.uniform(0.1, 0.5))
    return _turn(base * np.exp(tone)[..., None], float(rng.uniform(0, 360)), side)


def lacquer(rng: Rng, side: int, base: Floats, px: float) -> Floats:
    """Return a lacquered board in which windows or lamps are reflected."""
    picture = solid(rng, side, base, px)
    mirrored = np.zeros((side, side), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(0.1, 0.9, 2) * side
        if rng.random() < 0.5:
            long, wide = (rng.uniform(60, 200, 2) * px).tolist()
            box = cv2.boxPoints(((x, y), (long, wide), float(rng.uniform(0, 180))))
            cv2.fillConvexPoly(mirrored, box.astype(np.int32), float(rng.uniform(0.1, 0.45)), cv2.LINE_AA)
        else:
            cv2.circle(mirrored, (int(x), int(y)), int(rng.uniform(15, 60) * px), float(rng.uniform(0.2, 0.7)), -1,
                       cv2.LINE_AA)  # fmt: skip
    soft = cv2.GaussianBlur(mirrored, (0, 0), float(rng.uniform(1, 6)) * px)[..., None]
    return np.asarray(picture * (1 - soft) + 250 * soft, np.float32)


def weave(rng: Rng, side: int, base: Floats, px: float) -> Floats:
    """Return coarse linen or jute: interwoven threads of different tones."""
    large = int(1.45 * side)
    pitch = float(rng.uniform(1.0, 4.0)) * px
    y, x = np.mgrid[:large, :large].astype(np.float32)
    thread = [np.floor(v / pitch).astype(int) for v in (y, x)]
    over = (thread[0] + thread[1] * int(rng.choice([1, 2]))) % int(rng.choice([2, 3, 4])) == 0
    arch = [np.abs(np.sin(np.pi * v / pitch)) for v in (y, x)]
    tones = rng.normal(0, 0.08, (2, int(large / pitch) + 2)).astype(np.float32)
    shape = float(rng.uniform(0.1, 0.5))
    tone = np.where(over, shape * arch[0] + tones[0][thread[0]], shape * arch[1] + tones[1][thread[1]])
    tone += 0.05 * _noise(rng, large, 1.5, 1.5) - shape / 2
    return _turn(base * np.exp(tone)[..., None], float(rng.uniform(0, 360)), side)


TOPS: Mapping[str, Callable[[Rng, int, Floats, float], Floats]] = {
    "planks": planks, "solid": solid, "bamboo": bamboo, "cork": cork, "parquet": parquet, "lacquer": lacquer,
    "weave": weave,
}  # fmt: skip
"""All kinds by name; each function takes a generator, the side in pixels, the base colour, and pixels per mm."""


def top_like(rng: Rng, kind: str, body: Floats, side: int, px: float) -> Floats:
    """Return a top of that kind; in most cases it has almost the tone of a tile body (3,), else it differs more."""
    far = float(rng.choice([0.06, 0.15, 0.4], p=[0.4, 0.35, 0.25]))
    base = body * np.exp(rng.normal(0, far)) * np.exp(rng.normal(0, 0.4 * far, 3))
    return np.clip(TOPS[kind](rng, side, np.asarray(base, np.float32), px), 0, 255)
