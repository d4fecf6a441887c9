"""Array types of the virtual table, and typed wrappers for a few operations of OpenCV."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

SHIFT = 4  # sub-pixel bits for OpenCV's polygon calls


def floats(values: npt.ArrayLike) -> Floats:
    """Return `values` as a float32 array."""
    return np.asarray(values, dtype=np.float32)


def resize(image: npt.NDArray[np.float32], width: int, height: int, how: int = cv2.INTER_LINEAR) -> Floats:
    """Return `image` scaled to another size."""
    return floats(cv2.resize(image, (width, height), interpolation=how))


def blur(image: Floats, sigma: float) -> Floats:
    """Return `image` after a Gaussian blur with a standard deviation of `sigma` pixels."""
    return floats(cv2.GaussianBlur(image, (0, 0), sigma))


def fixed_point(polygon: Floats) -> npt.NDArray[np.int32]:
    """Return (N, 2) pixels in the form that OpenCV needs with `shift=SHIFT`; pixel centres have whole numbers."""
    return np.round(polygon * (1 << SHIFT)).astype(np.int32)


def fill(image: Image, polygon: Floats, colour: Sequence[float]) -> None:
    """Fill a convex polygon, (N, 2) in pixels, with smooth edges, in place."""
    cv2.fillConvexPoly(image, fixed_point(polygon), list(colour), cv2.LINE_AA, SHIFT)


def blend(image: Image, patch: Floats, alpha: Floats, left: int, top: int) -> None:
    """Blend `patch` (h, w, 3), already multiplied by `alpha` (h, w) in 0-1, over `image` at (left, top), in place.

    Parts outside the image are cut off.
    """
    height, width = alpha.shape
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + width, image.shape[1]), min(top + height, image.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    inner = np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
    region = image[y0:y1, x0:x1]
    mixed = region * (1.0 - alpha[inner][..., None]) + patch[inner]
    region[...] = np.clip(mixed + 0.5, 0, 255).astype(np.uint8)
