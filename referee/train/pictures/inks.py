"""Inks of boxes: what people call blue may be cobalt, petrol or teal, and what they call red wine or brick."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee.game.tiles import Colour
from referee.train.pictures.surfaces import Floats, Rng

# hue low, hue high (degrees), saturation low, high, value low, high; the first of each is the usual one
_INKS: dict[Colour, tuple[tuple[float, float, float, float, float, float], ...]] = {
    Colour.BLACK: ((0, 360, 0.0, 0.25, 0.04, 0.24), (15, 40, 0.2, 0.5, 0.08, 0.24), (0, 360, 0.0, 0.12, 0.2, 0.36)),
    Colour.BLUE: (
        (204, 238, 0.55, 1.0, 0.42, 0.95), (180, 204, 0.5, 1.0, 0.28, 0.62), (186, 208, 0.45, 0.95, 0.6, 0.95),
        (212, 246, 0.5, 0.95, 0.24, 0.45), (200, 240, 0.35, 0.6, 0.5, 0.85),
    ),
    Colour.RED: (
        (343, 368, 0.62, 0.97, 0.55, 0.95), (332, 358, 0.5, 0.9, 0.3, 0.56), (363, 372, 0.55, 0.9, 0.5, 0.85),
        (342, 365, 0.42, 0.65, 0.65, 0.92),
    ),
    Colour.YELLOW: ((37, 56, 0.68, 1.0, 0.78, 1.0), (34, 48, 0.5, 0.9, 0.55, 0.8), (46, 60, 0.45, 1.0, 0.82, 1.0)),
    Colour.ORANGE: ((15, 35, 0.58, 1.0, 0.85, 1.0), (16, 32, 0.55, 0.95, 0.58, 0.86), (14, 30, 0.42, 0.65, 0.8, 0.97)),
    Colour.GREEN: (
        (125, 168, 0.45, 1.0, 0.30, 0.72), (95, 125, 0.5, 0.9, 0.35, 0.65), (120, 165, 0.45, 0.95, 0.18, 0.34),
        (76, 100, 0.4, 0.8, 0.3, 0.6), (138, 166, 0.32, 0.6, 0.5, 0.82),
    ),
}  # fmt: skip
BOXES = (
    (Colour.BLACK, Colour.ORANGE, Colour.BLUE, Colour.RED),
    (Colour.YELLOW, Colour.GREEN, Colour.BLUE, Colour.RED),
    (Colour.BLACK, Colour.YELLOW, Colour.BLUE, Colour.RED),
)
"""The colours of the kinds of box that are sold."""
APART = 22.0
"""Two inks of one box differ by at least this much in CIE L*a*b*, so that players can distinguish them."""


def ink(rng: Rng, colour: Colour, usual_share: float = 0.5) -> Floats:
    """Return an ink, (3,) RGB 0-255, from the range that people call by this colour."""
    ranges = _INKS[colour]
    usual = rng.random() < usual_share
    h0, h1, s0, s1, v0, v1 = ranges[0 if usual else int(rng.integers(1, len(ranges)))]
    hue, sat, val = rng.uniform(h0, h1) % 360, rng.uniform(s0, s1), rng.uniform(v0, v1)
    pixel = np.asarray([[[hue, sat, val]]], np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0] * 255, np.float32)


def least_apart(colours: Sequence[Floats]) -> float:
    """Return the distance in CIE L*a*b* of the two nearest of some colours (3,), RGB 0-255."""
    lab = cv2.cvtColor(np.asarray(colours, np.float32)[None] / 255, cv2.COLOR_RGB2LAB)[0]
    return float((np.linalg.norm(lab[:, None] - lab[None], axis=2) + 1e3 * np.eye(len(colours))).min())


def box_inks(
    rng: Rng, colours: tuple[Colour, ...], fading: float = 0.0, usual_share: float = 0.5, body: Floats | None = None
) -> dict[Colour, Floats]:
    """Return the inks of one box, which people can all distinguish; `fading` (0-1) pales them towards white.

    With a `body` (3,) RGB they can be distinguished from that as well.
    """
    for _ in range(60):
        inks = {c: ink(rng, c, usual_share) * (1 - fading) + 235.0 * fading for c in colours}
        if least_apart([*(inks[c] for c in colours), *([] if body is None else [body])]) >= APART:
            break
    return {c: np.asarray(v, np.float32) for c, v in inks.items()}
