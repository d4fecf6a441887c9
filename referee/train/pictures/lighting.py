"""Light and the faults of a camera on a drawn picture, and how a flat colour looks in that light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.train.pictures.surfaces import Floats, Rng, smooth_noise

Image = npt.NDArray[np.uint8]
GLARE = 245.0
"""The level towards which a mirrored lamp or haze bleaches colours."""


@dataclass(frozen=True)
class Illumination:
    """One light on a picture of `side` pixels: `map` (side, side, 3) multiplies, `veil` (side, side) bleaches."""

    map: Floats
    veil: Floats
    gamma: float

    def light_colours(self, colours: Floats, places: Floats) -> Floats:
        """Return how flat colours (n, 3), RGB 0-255, look at places (n, 2), without blur and noise."""
        side = len(self.veil)
        x, y = np.clip(np.round(places).astype(int), 0, side - 1).T
        lit = colours * self.map[y, x]
        lit = lit + self.veil[y, x][:, None] * (GLARE - lit)
        return np.asarray(255 * np.power(np.clip(lit / 255, 0, 1), np.float32(self.gamma)), np.float32)


def absorbed_light(ink: Floats, body: Floats) -> Floats:
    """Return the part of the body's light that an ink absorbs, for colours (n, 3) as seen."""
    return np.asarray(1 - ink / np.maximum(body, 16.0), np.float32)


def _beyond_edge(rng: Rng, side: int, short_px: float) -> Floats:
    """Return a map (side, side): 1 on one side of a straight line through the middle part, 0 on the other."""
    angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3) * side
    across = np.arange(side, dtype=np.float32) - side / 2
    far = across[None] * np.float32(np.cos(angle)) + across[:, None] * np.float32(np.sin(angle)) - np.float32(offset)
    soft = np.float32(max(0.3, short_px * rng.choice([0.01, 0.1, 0.5])))
    return np.asarray(1 / (1 + np.exp(np.clip(-far / soft, -50, 50))), np.float32)


def choose_light(rng: Rng, side: int, short_px: float, severity: float = 1.0) -> Illumination:
    """Return light that falls off, with shadows, a cast, glare, haze, and an exposure that is mostly right.

    `severity`: how difficult it is. Training uses 1.0 and 0.45; 0.4 is as on a kitchen table.
    """
    light = 1 + rng.uniform(0, 0.22) * smooth_noise(rng, side, side, (side / 1.5, side / 1.5))
    if rng.random() < 0.25:  # the shadow of a lamp, a head, a window's edge
        edge = smooth_noise(rng, side, side, (side / 2, side / 2))
        light = light * (1 - rng.uniform(0.1, 0.5) / (1 + np.exp(np.clip(edge * rng.uniform(5, 80), -50, 50))))
    if rng.random() < 0.12:  # the straight edge of a shadow, as of a window's frame or a board
        light = light * (1 - rng.uniform(0.15, 0.6) * _beyond_edge(rng, side, short_px))
    cast = np.exp(rng.normal(0, 0.09, 3)) * np.exp(rng.normal(0, 0.15) * np.asarray([1, 0.1, -1.1]))
    wrong = 0.27 * severity
    spans = ((0.6, 1.15), (1.15, 1.15 + 0.5 * severity), (0.6 - 0.3 * severity, 0.6))
    exposure = rng.uniform(*spans[int(rng.choice(3, p=[1 - wrong, 0.57 * wrong, 0.43 * wrong]))])
    whole = np.clip(light, 0.3, 1.8)[..., None].astype(np.float32) * (cast * exposure).astype(np.float32)
    veil = np.zeros((side, side), np.float32)
    for _ in range(int(rng.choice([0, 1, 2], p=[1 - 0.3 * severity, 0.2 * severity, 0.1 * severity]))):
        x, y = rng.uniform(0, side, 2)
        r = short_px * rng.uniform(0.5, 5)
        grid = np.mgrid[:side, :side].astype(np.float32)
        spot = np.exp(-(((grid[1] - x) / r) ** 2 + ((grid[0] - y) / (r * rng.uniform(0.4, 2.5))) ** 2))
        veil = np.asarray(
            1 - (1 - veil) * (1 - np.float32(rng.uniform(0.2, 0.2 + 0.55 * severity)) * spot), np.float32
        )
    if rng.random() < 0.2 * severity:  # a window mirrored all over, a dusty lens
        haze = np.clip(rng.uniform(0.02, 0.32) * (1 + 0.4 * smooth_noise(rng, side, side, (side, side))), 0, 0.6)
        veil = np.asarray(1 - (1 - veil) * (1 - haze), np.float32)
    return Illumination(whole, veil, float(rng.uniform(0.75, 1.3)))


def _motion(rng: Rng, picture: Floats, short_px: float, severity: float) -> Floats:
    length = max(2, round(short_px * rng.uniform(0.03, 0.03 + 0.14 * severity)))
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1 / length
    turn = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), float(rng.uniform(0, 180)), 1)
    kernel = np.asarray(cv2.warpAffine(kernel, turn, (length, length)), np.float32)
    return np.asarray(cv2.filter2D(picture, -1, kernel / max(1e-6, float(kernel.sum()))), np.float32)


def photograph(rng: Rng, picture: Floats, light: Illumination, short_px: float, severity: float = 1.0) -> Image:
    """Return how a camera shows a drawn picture (side, side, 3) RGB in this light: with blur, noise and JPEG."""
    side = picture.shape[0]
    picture = picture * light.map
    picture += light.veil[..., None] * (GLARE - picture)
    # Every lens blurs a little; without that, drawn edges would be sharper than any camera's.
    blurs = [0.45, rng.uniform(0.45, 0.9), short_px * rng.uniform(0.012, 0.033), short_px * rng.uniform(0.03, 0.052)]
    calm = 1 - severity
    shares = [0.2 + 0.25 * calm, 0.38, 0.34 - 0.17 * calm, 0.08 - 0.08 * calm]
    picture = cv2.GaussianBlur(picture, (0, 0), max(0.45, float(rng.choice(blurs, p=shares))))
    if rng.random() < 0.15 * severity:
        picture = _motion(rng, picture, short_px, severity)
    picture = np.clip(picture, 0, 255)
    if rng.random() < 0.7:
        noise: Floats = rng.standard_normal((side, side, 3), np.float32)
        if rng.random() < 0.4:
            noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 2
        picture = picture + noise * (rng.uniform(0.5, 0.5 + 6.5 * severity) * (0.5 + picture / 255))
    picture = 255 * np.power(np.clip(picture / 255, 0, 1), np.float32(light.gamma))
    result = picture.astype(np.uint8)
    if rng.random() < 0.7:
        span = (8, 50) if rng.random() < 0.2 * severity else (50, 97)
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*span))]
        result = np.asarray(cv2.imdecode(cv2.imencode(".jpg", result, quality)[1], cv2.IMREAD_COLOR), np.uint8)
    return result
