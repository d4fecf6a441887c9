"""Disturbances of pictures by light, lens, camera and transmission: pure functions of a picture and a generator.

Each takes a picture (H, W, 3) uint8 BGR and returns one of the same kind. The markers of the play area stay visible,
so that positions in millimetres remain the same. Lengths in pixels are for a picture WIDTH pixels wide, and scale with
its width.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from referee.vision.geometry.pose import Lens
from referee.vision.sighting import Image

WIDTH = 2304
Floats = npt.NDArray[np.float32]
Disturbance = Callable[[Image, np.random.Generator], Image]


def _bytes(values: npt.NDArray[np.floating]) -> Image:
    return np.asarray(np.clip(np.rint(values), 0, 255), np.uint8)


def _px(picture: Image, length: float) -> float:
    """Return a length scaled to the width of this picture, in pixels."""
    return length * float(picture.shape[1]) / WIDTH


def gained(picture: Image, _: np.random.Generator, *, bgr: tuple[float, float, float]) -> Image:
    """Multiply each channel by a gain; values that are too bright are cut off, as in a sensor."""
    steps = np.arange(256, dtype=np.float32)
    table = np.stack([_bytes(steps * gain) for gain in bgr], axis=1)
    return np.asarray(cv2.LUT(picture, table[None]), np.uint8)


def exposed(picture: Image, rng: np.random.Generator, *, gain: float) -> Image:
    """Simulate a longer or shorter exposure."""
    return gained(picture, rng, bgr=(gain, gain, gain))


def curved(picture: Image, _: np.random.Generator, *, gamma: float) -> Image:
    """Apply another tone curve; if `gamma` is above 1, mid-tones get darker."""
    table = _bytes(255 * (np.arange(256, dtype=np.float32) / 255) ** gamma)
    return np.asarray(cv2.LUT(picture, table), np.uint8)


def moved(picture: Image, rng: np.random.Generator, *, length: float) -> Image:
    """Simulate motion of the camera or the table during the exposure, by `length` pixels in a random direction."""
    reach = max(_px(picture, length), 1.0)
    angle = float(rng.uniform(0, np.pi))
    size = 2 * int(np.ceil(reach)) + 1
    middle, step = size // 2, np.asarray([np.cos(angle), np.sin(angle)]) * reach / 2
    kernel = np.zeros((size, size), np.float32)
    ends = [tuple(round(float(16 * (middle + sign * part))) for part in step) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)


def defocused(picture: Image, _: np.random.Generator, *, sigma: float) -> Image:
    """Simulate a lens out of focus: blur with a standard deviation of `sigma` pixels."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), _px(picture, sigma)), np.uint8)


def packed(picture: Image, _: np.random.Generator, *, quality: int) -> Image:
    """Compress the picture as JPEG, and decompress it."""
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def shrunk(picture: Image, _: np.random.Generator, *, part: float) -> Image:
    """Scale the picture down to the fraction `part` of its width and height."""
    return np.asarray(cv2.resize(picture, None, fx=part, fy=part, interpolation=cv2.INTER_AREA), np.uint8)


def noisy(picture: Image, rng: np.random.Generator, *, deviation: float, gain: float = 1.0) -> Image:
    """Simulate too little light with its noise, part of which is the same in all channels."""
    noise = rng.standard_normal(picture.shape, dtype=np.float32) * np.float32(0.8 * deviation)
    noise += rng.standard_normal((*picture.shape[:2], 1), dtype=np.float32) * np.float32(0.6 * deviation)
    return _bytes(picture.astype(np.float32) * np.float32(gain) + noise)


def _spot(picture: Image, rng: np.random.Generator, radius: float) -> Floats:
    """Return a mask (H, W, 1) of a round spot near the middle: 1 in the middle of the spot, 0 far from it."""
    height, width = picture.shape[:2]
    x, y = rng.uniform(0.25, 0.75, 2) * (width, height)
    across, along = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    far = ((across - x) ** 2 + (along - y) ** 2) / _px(picture, radius) ** 2
    return np.asarray(np.exp(-far), np.float32)[..., None]


def glaring(picture: Image, rng: np.random.Generator, *, radius: float, strength: float) -> Image:
    """Simulate a lamp reflected in the tiles, which brightens a spot by up to `strength`, 0-1."""
    bleach = np.float32(strength) * _spot(picture, rng, radius)
    return _bytes(picture * (1 - bleach) + 255 * bleach)


def shadowed(picture: Image, rng: np.random.Generator, *, depth: float, soft: float) -> Image:
    """Simulate the edge of a shadow across the table, beyond which everything is darker by `depth`, 0-1."""
    height, width = picture.shape[:2]
    angle, offset = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(-0.2, 0.2)) * height
    across, along = np.meshgrid(
        np.arange(width, dtype=np.float32) - width / 2, np.arange(height, dtype=np.float32) - height / 2
    )
    beyond = (across * np.cos(angle) + along * np.sin(angle) - offset) / _px(picture, soft)
    return _bytes(picture * (1 - depth / (1 + np.exp(-np.clip(beyond, -30, 30))))[..., None])


def veiled(picture: Image, _: np.random.Generator, *, veil: float, level: float = 200.0) -> Image:
    """Simulate stray light in the lens or haze: everything fades to one grey."""
    return _bytes(picture.astype(np.float32) * np.float32(1 - veil) + np.float32(veil * level))


def turned(picture: Image, rng: np.random.Generator, *, degrees: float) -> Image:
    """Simulate a camera that is turned by up to `degrees`, and tilted by up to a quarter of that.

    Turning a camera about its lens maps the picture by the homography K R K^-1. Here the picture also gets a little
    smaller, so that the markers stay in it.
    """
    height, width = picture.shape[:2]
    roll = degrees * float(rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 1.0))
    tilt = rng.uniform(-degrees / 4, degrees / 4, 2)
    rotation = cv2.Rodrigues(np.radians([tilt[0], tilt[1], roll]))[0]
    camera = Lens.usual(width, height).matrix
    away = camera @ np.diag([0.97, 0.97, 1.0]) @ rotation @ np.linalg.inv(camera)
    return np.asarray(cv2.warpPerspective(picture, away, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def sharpened(picture: Image, _: np.random.Generator, *, amount: float, sigma: float = 1.5) -> Image:
    """Simulate sharpening by the camera that is so strong that edges get halos."""
    soft = cv2.GaussianBlur(picture, (0, 0), _px(picture, sigma))
    return np.asarray(cv2.addWeighted(picture, 1 + amount, soft, -amount, 0), np.uint8)


KINDS: Mapping[str, Disturbance] = {
    "exposure x 0.25": partial(exposed, gain=0.25),
    "exposure x 0.5": partial(exposed, gain=0.5),
    "exposure x 0.7": partial(exposed, gain=0.7),
    "exposure x 1.35": partial(exposed, gain=1.35),
    "exposure x 1.6": partial(exposed, gain=1.6),
    "tungsten light": partial(gained, bgr=(0.62, 0.9, 1.14)),
    "cold light": partial(gained, bgr=(1.18, 1.0, 0.78)),
    "greenish light": partial(gained, bgr=(0.85, 1.08, 0.88)),
    "motion 5 px": partial(moved, length=5.0),
    "motion 9 px": partial(moved, length=9.0),
    "defocus 1.2 px": partial(defocused, sigma=1.2),
    "defocus 2.5 px": partial(defocused, sigma=2.5),
    "warmer light": partial(gained, bgr=(0.8, 0.97, 1.15)),
    "cooler light": partial(gained, bgr=(1.15, 0.97, 0.8)),
    "saved again, JPEG 95": partial(packed, quality=95),
    "saved again, JPEG 92": partial(packed, quality=92),
    "JPEG 25": partial(packed, quality=25),
    "JPEG 10": partial(packed, quality=10),
    "half size": partial(shrunk, part=0.5),
    "noise 8": partial(noisy, deviation=8.0),
    "noise 18": partial(noisy, deviation=18.0),
    "dim and noisy": partial(noisy, deviation=10.0, gain=0.5),
    "soft glare": partial(glaring, radius=420.0, strength=0.45),
    "hard glare": partial(glaring, radius=170.0, strength=0.9),
    "edge of a shadow": partial(shadowed, depth=0.5, soft=25.0),
    "hard shadow": partial(shadowed, depth=0.45, soft=3.0),
    "falling light": partial(shadowed, depth=0.6, soft=700.0),
    "stray light": partial(veiled, veil=0.3),
    "camera turned": partial(turned, degrees=3.0),
    "darker curve": partial(curved, gamma=1.5),
    "sharpened": partial(sharpened, amount=1.5),
}
"""All disturbances by name."""
MILD = (
    "warmer light",
    "cooler light",
    "greenish light",
    "saved again, JPEG 95",
    "saved again, JPEG 92",
    "camera turned",
)
"""Disturbances that are hardly visible, and must not change the name of an ink."""
