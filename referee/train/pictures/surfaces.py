"""Generated surfaces for table tops, tile bodies and other things: wood, strips, cork, plain, stone, cloth."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]  # float32 throughout; the stubs of OpenCV would make every call a cast
Rng = np.random.Generator

_WOODS = ((92, 58, 38), (132, 84, 48), (176, 130, 84), (206, 170, 124), (70, 48, 40), (150, 140, 128), (196, 150, 96))


def smooth_noise(rng: Rng, height: int, width: int, cell: tuple[float, float]) -> Floats:
    """Return noise of mean 0 and deviation about 1, (height, width), with features of `cell` (down, across) pixels."""
    rows, columns = max(2, round(height / cell[0])), max(2, round(width / cell[1]))
    small = rng.standard_normal((min(rows, height), min(columns, width))).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _rotate(rng: Rng, picture: Floats, side: int) -> Floats:
    """Turn a square surface by any angle and cut out its middle, (side, side)."""
    size = picture.shape[0]
    matrix = cv2.getRotationMatrix2D((size / 2, size / 2), float(rng.uniform(0, 360)), 1.0)
    matrix[:, 2] += (side - size) / 2
    turned = cv2.warpAffine(picture, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(turned, np.float32)


def wood(rng: Rng, side: int, base: npt.ArrayLike, grain_px: float, strength: float, *, planks: bool = True) -> Floats:
    """Return wood of any direction, (side, side, 3), RGB 0-255: distorted rings, fibres, pores, joints of planks."""
    size = int(side * 1.45)
    slow = smooth_noise(rng, size, size, (grain_px * 9, grain_px * 40))
    y = np.arange(size, dtype=np.float32)[:, None] / grain_px
    rings = np.sin(y * rng.uniform(0.3, 1.0) + slow * rng.uniform(1, 6))
    fibre = smooth_noise(rng, size, size, (max(1.0, grain_px * 0.18), grain_px * 14))
    pores = smooth_noise(rng, size, size, (1.3, grain_px * 3))
    tone = strength * (0.5 * rings + 0.35 * fibre + 0.18 * pores)
    picture = np.asarray(base, np.float32)[None, None] * np.exp(tone)[..., None].astype(np.float32)
    if planks:
        _knots(rng, picture, grain_px)
    if planks and rng.random() < 0.35:
        step = int(rng.uniform(0.2, 0.6) * size)
        for row in range(int(rng.integers(0, step)), size, step):
            picture[row : row + max(1, int(rng.integers(1, 4)))] *= rng.uniform(0.35, 0.9)
            picture[row:] *= rng.uniform(0.88, 1.12)
    return _rotate(rng, np.asarray(picture, np.float32), side)


def _knots(rng: Rng, picture: Floats, grain_px: float) -> None:
    """Draw dark, ringed knots, in place: the spots on bare wood that look most like print."""
    size = picture.shape[0]
    for _ in range(int(rng.choice([0, 1, 4], p=[0.6, 0.25, 0.15]))):
        x, y = rng.uniform(0, size, 2)
        r = grain_px * rng.uniform(0.8, 6)
        x0, x1, y0, y1 = (int(np.clip(v, 0, size)) for v in (x - 3 * r, x + 3 * r, y - 3 * r, y + 3 * r))
        if x1 <= x0 or y1 <= y0:
            continue
        grid = np.mgrid[y0:y1, x0:x1].astype(np.float32)
        far = np.hypot((grid[1] - x) * rng.uniform(0.5, 1), grid[0] - y) / r
        dark = (
            rng.uniform(0.3, 0.9)
            * np.exp(-(far**2) * rng.uniform(0.8, 4))
            * (1 + 0.5 * np.sin(far * rng.uniform(3, 14)))
        )
        picture[y0:y1, x0:x1] *= np.clip(1 - dark, 0.1, 1.2)[..., None]


def _stone(rng: Rng, side: int, base: Floats) -> Floats:
    picture = np.broadcast_to(base, (side, side, 3)).copy()
    picture *= 1 + 0.03 * smooth_noise(rng, side, side, (side / 6, side / 6))[..., None]
    field = sum(smooth_noise(rng, side, side, (side / k, side / k)) / k for k in (3, 7, 15, 31))
    veins = np.exp(-np.abs(np.asarray(field)) * rng.uniform(15, 60))
    picture *= 1 - rng.uniform(0.1, 0.6) * veins[..., None] * rng.uniform(0.4, 1)
    return np.asarray(picture, np.float32)


def _strips(rng: Rng, side: int, base: Floats, short_px: float) -> Floats:
    """Return strips of wood side by side, each of pieces with tones of their own: bamboo, butcher block, parquet.

    The pieces are as large as tiles or smaller, and have straight edges like tiles.
    """
    size = int(side * 1.45)
    width = short_px * rng.uniform(0.3, 2.2)
    length = width * rng.uniform(1.5, 14)
    rows, columns = int(size / width) + 1, int(size / length) + 2
    place = np.arange(size, dtype=np.float32)
    row = (place / width).astype(int)
    along = place[None] + rng.uniform(0, length, rows).astype(np.float32)[row][:, None]
    tones = rng.uniform(0.03, 0.22) * rng.standard_normal((rows, columns)).astype(np.float32)
    fibre = smooth_noise(rng, size, size, (max(1.0, short_px * 0.03), short_px * rng.uniform(1, 6)))
    tone = np.exp(tones[row[:, None], (along / length).astype(int)] + rng.uniform(0.01, 0.12) * fibre)
    gap = rng.uniform(0.6, 0.6 + 0.05 * short_px)
    joints = (place % width < gap)[:, None] | (along % length < gap)
    tone *= np.where(joints, np.float32(rng.uniform(0.35, 1.0)), np.float32(1))
    return _rotate(rng, np.asarray(base * tone[..., None], np.float32), side)


def _granules(rng: Rng, side: int, base: Floats, short_px: float) -> Floats:
    """Return granules of one or several colours in a ground: cork, chipboard, terrazzo."""
    picture = np.broadcast_to(base, (side, side, 3)).copy()
    picture *= 1 + rng.uniform(0, 0.12) * smooth_noise(rng, side, side, (1.5, 1.5))[..., None]
    colourful = rng.random() < 0.25
    for _ in range(int(rng.integers(1, 4))):
        cell = max(1.5, short_px * rng.uniform(0.04, 0.3))
        field = smooth_noise(rng, side, side, (cell, cell * rng.uniform(0.6, 1.7)))
        share = 1 / (1 + np.exp(np.clip((rng.uniform(0.3, 1.6) - field) * rng.uniform(3, 25), -50, 50)))
        colour = rng.uniform(20, 240, 3) if colourful else base * rng.uniform(0.35, 1.35)
        picture += (colour - picture) * (np.float32(rng.uniform(0.3, 0.95)) * share)[..., None]
    return np.asarray(picture, np.float32)


def mirror_lights(rng: Rng, picture: Floats, short_px: float) -> None:
    """Draw windows and lamps that a glossy table top (side, side, 3) mirrors, in place."""
    side = picture.shape[0]
    mask = np.zeros((side, side), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        place, size = rng.uniform(0, side, 2), short_px * rng.uniform(0.3, 5, 2)
        if rng.random() < 0.6:  # a window, with its bars
            turn = float(rng.uniform(0, 180))
            panes = int(rng.integers(1, 4))
            middle = np.asarray([np.cos(np.radians(turn)), np.sin(np.radians(turn))]) * size[0]
            for pane in range(panes):
                at = place + middle * (pane - (panes - 1) / 2) * rng.uniform(1.04, 1.15)
                box = cv2.boxPoints(((float(at[0]), float(at[1])), (float(size[0]), float(size[1])), turn))
                cv2.fillConvexPoly(mask, np.round(box * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
        else:
            axes = (max(1, round(size[0] / 2)), max(1, round(size[1] / 2)))
            cv2.ellipse(mask, (round(place[0]), round(place[1])), axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.6, short_px * rng.uniform(0.01, 0.4)))
    picture += soft[..., None] * rng.uniform(0.1, 0.9) * (np.float32(rng.uniform(180, 255)) - picture)


def _cloth(rng: Rng, side: int, base: Floats, short_px: float) -> Floats:
    """Return woven cloth, from linen to sackcloth with threads of a third of a tile's short side."""
    pitch = rng.uniform(2, 9) if rng.random() < 0.6 else max(2.0, short_px * rng.uniform(0.06, 0.35))
    y, x = np.mgrid[:side, :side].astype(np.float32)
    weave = np.sin(x * 2 * np.pi / pitch) * np.sin(y * 2 * np.pi / pitch + rng.uniform(0, 6))
    tone = 1 + rng.uniform(0.02, 0.2) * weave + rng.uniform(0.02, 0.2) * smooth_noise(rng, side, side, (1.5, 1.5))
    if rng.random() < 0.3:  # stripes, checks
        tone = tone * np.where((x // (pitch * 8)) % 2 > 0, rng.uniform(0.5, 1.0), 1.0)
    if rng.random() < 0.2:
        tone = tone * np.where((y // (pitch * 8)) % 2 > 0, rng.uniform(0.5, 1.0), 1.0)
    return _rotate(rng, np.asarray(base * tone[..., None], np.float32), side)


def table_top(rng: Rng, side: int, short_px: float) -> Floats:
    """Return a table top, (side, side, 3), RGB 0-255; the grain has the scale of a tile's short side `short_px`."""
    kind = rng.random()
    if kind < 0.59:
        return _wooden_top(rng, side, short_px, kind)
    base: Floats = np.asarray(rng.uniform(25, 235, 3), np.float32)
    if rng.random() < 0.5:  # greyish
        base = np.float32(base.mean()) * rng.uniform(0.9, 1.1, 3).astype(np.float32)
    if kind < 0.62:
        return _granules(rng, side, base, short_px)
    if kind < 0.70:
        return _stone(rng, side, base)
    if kind < 0.86:
        return _cloth(rng, side, base, short_px)
    picture = np.broadcast_to(base, (side, side, 3)).copy()
    picture *= 1 + rng.uniform(0, 0.06) * smooth_noise(rng, side, side, (2, 2))[..., None]
    return np.asarray(picture, np.float32)


def _wooden_top(rng: Rng, side: int, short_px: float, kind: float) -> Floats:
    """Return a table top of wood or cork; `kind`, 0 to 0.59, is the random number that chooses it."""
    brown = np.asarray(_WOODS[rng.integers(len(_WOODS))], np.float32) * rng.uniform(0.6, 1.25, 3).astype(np.float32)
    if kind < 0.42:
        return wood(rng, side, brown, short_px * rng.uniform(0.1, 0.7), rng.uniform(0.05, 0.4))
    if kind < 0.52:
        return _strips(rng, side, brown, short_px)
    return _granules(rng, side, brown * np.float32(rng.uniform(1.0, 1.3)), short_px)


def tile_body(rng: Rng, wooden: bool, side: int, short_px: float, *, plain: bool = False) -> Floats:
    """Return a sheet to cut tile bodies from, (side, side, 3), RGB 0-255; `plain` wood has no strong grain."""
    if wooden:
        red = rng.uniform(165, 245)
        green = red * rng.uniform(0.76, 0.94)
        base = np.asarray((red, green, green * rng.uniform(0.58, 0.92)), np.float32)
        strength = rng.uniform(0.02, 0.14) if plain or rng.random() < 0.8 else rng.uniform(0.14, 0.25)
        return wood(rng, side, base, short_px * rng.uniform(0.04, 0.25), strength, planks=False)
    level = rng.uniform(185, 250)
    warm = rng.uniform(0, 0.16)
    base = np.asarray((level, level * (1 - 0.4 * warm), level * (1 - warm)), np.float32)
    picture = np.broadcast_to(base, (side, side, 3)).copy()
    picture *= 1 + rng.uniform(0, 0.02) * smooth_noise(rng, side, side, (1.5, 1.5))[..., None]
    return np.asarray(picture, np.float32)
