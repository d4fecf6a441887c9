"""Transparent parts of PNG pictures are laid on white, as most viewers show them.

The pixels there keep colours that nobody sees: a tile that was erased would still be read.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from referee.vision.sighting import Image

PNG_START = b"\x89PNG\r\n\x1a\n"
WHITE = 255
ROWS = 256
"""So many rows are computed at a time, so that a large picture takes no second one's memory."""
_HEADER_END, _COLOURS = 33, 25
"""Where the first chunk of a PNG ends, and the byte in it that tells the kind of colours."""
_WITH_ALPHA = (4, 6)
"""Kinds of colours in a PNG that include a channel for transparency."""


def lay_on_white(picture: Image, data: bytes, *, as_it_lies: bool) -> Image:
    """Return a BGR picture (H, W, 3) with its transparent parts made white; `data` is the PNG file that it comes from.

    `as_it_lies`: it was not turned as EXIF says.
    """
    chunks = list(_chunks(data))
    if data[_COLOURS] not in _WITH_ALPHA and all(name != b"tRNS" for name, _ in chunks):
        return picture
    whole = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if whole is None or whole.ndim != 3 or whole.shape[2] != 4:
        return picture
    opaque = np.asarray(whole[..., 3] if whole.dtype == np.uint8 else whole[..., 3] // 256, np.uint8)
    if (opaque == WHITE).all():
        return picture
    if not (as_it_lies or _is_animated(chunks)):
        exif = b"".join(chunk for name, chunk in chunks if name == b"eXIf")
        opaque = _turn_upright(np.ascontiguousarray(opaque), exif)
    for top in range(0, len(picture), ROWS):
        rows, share = picture[top : top + ROWS], opaque[top : top + ROWS, :, None].astype(np.uint16)
        rows[:] = (rows * share + WHITE * (WHITE - share) + WHITE // 2) // WHITE
    return picture


def _is_animated(chunks: Sequence[tuple[bytes, bytes]]) -> bool:
    """Return whether a PNG with these chunks is animated. OpenCV reads the first frame, without turning it."""
    early = itertools.takewhile(lambda one: one[0] != b"IDAT", chunks)
    return any(name == b"acTL" and int.from_bytes(chunk[8:12]) > 1 for name, chunk in early)


def _turn_upright(plane: Image, exif: bytes) -> Image:
    """Return one channel (H, W) turned like the picture: encoded with its EXIF chunk and decoded again."""
    if not exif:
        return plane
    data = cv2.imencode(".png", plane)[1].tobytes()
    data = data[:_HEADER_END] + exif + data[_HEADER_END:]
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE), np.uint8)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name of each chunk of a whole PNG, and all its bytes."""
    at = len(PNG_START)
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4])
        yield data[at + 4 : at + 8], data[at:end]
        at = end
