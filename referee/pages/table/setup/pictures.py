"""Pictures of the set-up pages."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee.table.output.rectified import jpeg
from referee.vision.boxes.contact_sheet import unpack_picture
from referee.vision.sighting import Image

COLUMNS = 16
"""Of a sheet; `setup_box.js` counts them, too."""


def sheet_jpeg(crops: Sequence[Image]) -> bytes:
    """Crops of one size in rows, the first at the top left. A JPEG has room for more than the tiles of ten boxes."""
    height, width = crops[0].shape[:2]
    rows = -(-len(crops) // COLUMNS)
    sheet = np.zeros((rows * height, COLUMNS * width, *crops[0].shape[2:]), np.uint8)
    for number, crop in enumerate(crops):
        top, left = number // COLUMNS * height, number % COLUMNS * width
        sheet[top : top + height, left : left + width] = crop
    return jpeg(sheet)


def photo_jpeg(packed: bytes, width: int) -> bytes:
    """A picture that was kept as a JPEG, at most so many pixels wide."""
    picture = unpack_picture(packed)
    high, wide = picture.shape[:2]
    if wide <= width:
        return packed
    size = width, max(1, round(high * width / wide))
    return jpeg(np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8))
