"""Table tops of wood, lacquer and cloth, generated from noise, so that no picture files are needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from referee.errors import BadInput
from referee.sim.scene.arrays import Floats, Image, blur, floats, resize
from referee.sim.scene.camera import Camera

_PX_PER_MM = 1.5
_MARGIN_MM = 400.0  # how much of the table can be visible around the play area
_BGR = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Surface:
    """A kind of table top: its colours (BGR, dark to light), the strength of its grain, the width of its planks."""

    colours: tuple[_BGR, ...]
    grain: float = 1.0
    figure: float = 1.0
    plank_mm: float = 0.0
    weave: float = 0.0


SURFACES = {
    "walnut": Surface(((30, 44, 66), (44, 68, 102), (62, 92, 134), (84, 118, 164)), figure=1.0, plank_mm=190.0),
    "oak": Surface(
        ((92, 134, 178), (112, 158, 200), (130, 176, 216), (146, 190, 226)), grain=0.9, figure=0.8, plank_mm=150
    ),
    "pine": Surface(((110, 168, 214), (134, 190, 228), (150, 204, 238), (160, 212, 242)), grain=0.6, figure=1.3),
    "white": Surface(((206, 208, 209), (214, 216, 217), (220, 222, 223)), grain=0.0, figure=0.0),
    "green": Surface(((44, 84, 34), (54, 100, 44), (66, 114, 54)), grain=0.0, figure=0.0, weave=1.0),
    "blue": Surface(((112, 62, 38), (126, 72, 46), (140, 84, 56)), grain=0.0, figure=0.0, weave=0.8),
}
"""Table tops by name."""


def _smooth(rng: np.random.Generator, shape: tuple[int, int], cell: tuple[float, float]) -> Floats:
    """Return noise with mean 0 and deviation of about 1; `cell` is the size of features, (down, across) in pixels."""
    rows, columns = (max(int(n / c) + 3, 4) for n, c in zip(shape, cell, strict=True))
    coarse = rng.standard_normal((rows, columns), dtype=np.float32)
    return resize(coarse, shape[1], shape[0], cv2.INTER_CUBIC)


def _wood(rng: np.random.Generator, shape: tuple[int, int], surface: Surface) -> Floats:
    """Return brightness values, 0-1, of wood: growth rings cut lengthwise, fibres and pores, from left to right."""
    down = np.arange(shape[0], dtype=np.float32)[:, None] / _PX_PER_MM
    bend = 26.0 * _smooth(rng, shape, (170, 900)) + 5.0 * _smooth(rng, shape, (45, 420))
    if surface.plank_mm:
        plank = np.floor(down / surface.plank_mm).astype(int)
        offset = rng.uniform(-400, 400, int(plank.max()) + 1).astype(np.float32)[plank]
        tone = rng.normal(0, 0.09, int(plank.max()) + 1).astype(np.float32)[plank]
        seam = np.clip(1.0 - (down % surface.plank_mm) / 0.9, 0, 1)
    else:
        offset, tone, seam = np.float32(0), np.float32(0), np.float32(0)
    rings = ((down + bend + offset) / 17.0) % 1.0
    rings = np.minimum(rings, (1.0 - rings) * 4.0)  # a slow rise and a quick fall, for early and late wood
    fibres = 0.6 * _smooth(rng, shape, (1.6, 130)) + 0.4 * _smooth(rng, shape, (4.0, 260))
    pores = np.clip(_smooth(rng, shape, (1.2, 22)) - 1.3, 0, None)
    value = 0.5 + surface.figure * 0.30 * (rings - 0.4) + surface.grain * (0.085 * fibres - 0.16 * pores)
    return floats(value + 0.10 * _smooth(rng, shape, (260, 700)) + tone - 0.45 * seam)


def _plain(rng: np.random.Generator, shape: tuple[int, int], surface: Surface) -> Floats:
    value = 0.5 + 0.10 * _smooth(rng, shape, (200, 260))
    if surface.weave:
        thread = blur(rng.standard_normal(shape, dtype=np.float32), 0.8)
        value = value + surface.weave * (0.30 * thread + 0.06 * _smooth(rng, shape, (3, 30)))
    return floats(value)


@lru_cache(maxsize=4)
def _top(name: str, seed: int, table_mm: tuple[float, float]) -> Image:
    if name not in SURFACES:
        raise BadInput(f"expected a table top out of {', '.join(SURFACES)}, got {name!r}")
    surface, rng = SURFACES[name], np.random.default_rng(seed)
    shape = tuple(int((side + 2 * _MARGIN_MM) * _PX_PER_MM) for side in reversed(table_mm))
    make = _wood if surface.grain else _plain
    value = np.clip(make(rng, (shape[0], shape[1]), surface), 0, 1)
    stops = np.linspace(0, 255, len(surface.colours))
    ramp = np.stack([np.interp(np.arange(256), stops, np.array(surface.colours)[:, k]) for k in range(3)], axis=-1)
    levels = (value * 255).astype(np.uint8)
    table = np.round(ramp).astype(np.uint8)[:, None, :]
    return np.asarray(cv2.applyColorMap(levels, table), dtype=np.uint8)


@lru_cache(maxsize=4)
def table_top(name: str, seed: int, table_mm: tuple[float, float], camera: Camera) -> Image:
    """Return the empty table as the camera sees it, before lighting: (height_px, width_px, 3) BGR, read-only."""
    x, y = camera.ground_map()
    top = _top(name, seed, table_mm)
    u, v = (x + _MARGIN_MM) * _PX_PER_MM, (y + _MARGIN_MM) * _PX_PER_MM
    seen = cv2.remap(top, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    seen.setflags(write=False)
    return np.asarray(seen, dtype=np.uint8)
