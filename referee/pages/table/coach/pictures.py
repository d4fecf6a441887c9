"""Pictures for the coach: decoded within limits, made smaller, and kept for a short while to be shown.

They are kept in memory only, each under a name that cannot be guessed, without anything that a phone wrote into the
file.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict

import cv2
import numpy as np

from referee.devices.camera.stills import picture_of
from referee.table.output.rectified import jpeg
from referee.vision.sighting import Image

MOST_BYTES = 8_000_000
"""The largest picture that may be sent; the page sends smaller ones."""
MOST_PIXELS = 20_000_000
"""The most pixels of a picture that may be sent: decoding it takes three times as many bytes, and a Pi has 1 GB."""
READ_PX = 2600
"""The longer side of a picture that is read, in pixels: as many as the largest pictures of the referee's cameras."""
SHOWN_PX = 1600
KEPT = 6


def decode(data: bytes) -> Image:
    """Return a picture that was sent, not larger than is useful; raises UnreadablePicture."""
    return within(picture_of(data, "picture", most_pixels=MOST_PIXELS), READ_PX)


def within(picture: Image, longest_px: int) -> Image:
    """Return the picture, made smaller if one of its sides is longer than that."""
    height, width = picture.shape[:2]
    scale = longest_px / max(height, width)
    if scale >= 1:
        return picture
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


class KeptPictures:
    """The last pictures as JPEG files, by name; may be used in several threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def keep(self, picture: Image) -> str:
        """Keep a picture, smaller, and return its name."""
        name = secrets.token_urlsafe(12)
        self._kept[name] = jpeg(within(picture, SHOWN_PX))
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return name

    def find(self, name: str) -> bytes | None:
        """Return a picture by its name; None if it is not kept any more."""
        return self._kept.get(name)
