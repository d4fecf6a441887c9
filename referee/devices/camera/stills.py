"""Pictures in files: written completely or not at all, and checked before they are decoded.

OpenCV returns the existing part of a truncated picture, reports that only on standard error, and allocates as much
memory as a header asks for. So the structure of the file is checked first: its size in pixels, its end marker and its
checksums. What the decoders print is then reported in our own words, and a JPEG with damaged data is refused.
"""

from __future__ import annotations

import io
import re
import zlib
from pathlib import Path

import cv2
import numpy as np

from referee.devices.camera.picture_kinds import describe_kind, is_heic_start
from referee.devices.camera.transparency import PNG_START, lay_on_white
from referee.devices.decoders import collected_complaints
from referee.devices.whole_file import read_whole, write_whole
from referee.errors import BadInput, UnreadablePicture
from referee.vision.sighting import Image

MAX_PIXELS = 50_000_000
MIN_SIDE = 8
MAX_SIDE = 32_000
"""The longest side of a picture in pixels. OpenCV maps pictures with 16-bit coordinates, and fails for longer
sides."""
MAX_BYTES = 100_000_000

_JPEG_START = b"\xff\xd8\xff"
_JPEG_END, _JPEG_SCAN = 0xD9, 0xDA
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
_AFTER_SCAN_DATA = re.compile(rb"\xff+[^\x00\xff\xd0-\xd7]")

_Size = tuple[int, int]


def load_picture(path: Path) -> Image:
    """Load a JPEG, PNG or (with the extra `heic`) HEIC file as (H, W, 3) uint8 BGR, turned upright."""
    return picture_of(_bytes_of(path), str(path))


def picture_of(data: bytes, where: str, *, as_it_lies: bool = False, most_pixels: int = MAX_PIXELS) -> Image:
    """Decode the bytes of a file like `load_picture()`; with `as_it_lies`, do not turn the picture as EXIF says.

    `where` names the file in messages. A picture of more than `most_pixels` is refused before it is decoded.
    """
    if is_heic_start(data):
        return _heic_picture(data, where, most_pixels)
    try:
        width, height = _size_of(data)
    except _BrokenFile as broken:
        raise UnreadablePicture(f"{where}: expected a JPEG or PNG picture, found {broken}") from None
    _check_size(width, height, where, most_pixels)
    way = cv2.IMREAD_COLOR | (cv2.IMREAD_IGNORE_ORIENTATION if as_it_lies else 0)
    with collected_complaints() as complaints:
        try:
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), way)
            if picture is not None and data.startswith(PNG_START):
                picture = lay_on_white(np.asarray(picture, np.uint8), data, as_it_lies=as_it_lies)
        except cv2.error:
            picture = None
    if picture is None:
        raise UnreadablePicture(f"{where}: expected a JPEG or PNG picture, found one that cannot be decoded")
    if complaints.damage is not None:
        raise UnreadablePicture(f"{where}: expected a whole JPEG picture, found a damaged one ({complaints.damage})")
    return picture.astype(np.uint8, copy=False)


def _heic_picture(data: bytes, where: str, most_pixels: int) -> Image:
    """Decode a HEIC picture, as iPhones take it, and turn it upright.

    Without the extra `heic`, the error says what to do.
    """
    try:
        import pi_heif
    except ImportError:
        raise UnreadablePicture(
            f"{where}: expected a JPEG or PNG picture, found a HEIC picture: install the extra `heic` "
            "(pip install 'referee[heic]'), save it as JPEG, or choose Settings > Camera > Formats > "
            "Most Compatible on the iPhone"
        ) from None
    try:
        file = pi_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=True, bgr_mode=True)
        width, height = file.size
        _check_size(width, height, where, most_pixels)
        picture = np.asarray(file)
    except UnreadablePicture:
        raise
    except Exception as error:  # libheif's errors for damaged files share no base
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise UnreadablePicture(f"{where}: expected a HEIC picture, found a damaged one ({reason})") from error
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    return np.ascontiguousarray(picture[:, :, :3], np.uint8)


def _check_size(width: int, height: int, where: str, most_pixels: int) -> None:
    if width * height > most_pixels:
        raise UnreadablePicture(
            f"{where}: expected at most {most_pixels // 1_000_000} megapixels, found {width} x {height}"
        )
    if min(width, height) < MIN_SIDE or max(width, height) > MAX_SIDE:
        raise UnreadablePicture(
            f"{where}: expected sides of {MIN_SIDE} to {MAX_SIDE:,} pixels, found {width} x {height}"
        )


def save_picture(path: Path, picture: Image) -> None:
    """Write a picture in the format of its suffix; readers see either the old file or the complete new one."""
    write_whole(path, cv2.imencode(path.suffix, picture)[1].tobytes(), "a place to write a picture")


class _BrokenFile(Exception):
    """The structure of a file is wrong; the text says what was found instead."""


def _bytes_of(path: Path) -> bytes:
    try:
        return read_whole(path, MAX_BYTES, "a picture file")
    except BadInput as error:
        raise UnreadablePicture(str(error)) from error


def _size_of(data: bytes) -> _Size:
    """Return width and height from the header of a file; raises _BrokenFile if the file is not complete."""
    if not data:
        raise _BrokenFile("an empty file")
    if data.startswith(PNG_START):
        return _png_size(data)
    if data.startswith(_JPEG_START):
        return _jpeg_size(data)
    raise _BrokenFile(describe_kind(data))


def _png_size(data: bytes) -> _Size:
    size, at = (0, 0), len(PNG_START)
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        checksum = data[at + 8 + length : at + 12 + length]
        if len(checksum) < 4:
            break
        if zlib.crc32(kind + body) != int.from_bytes(checksum):
            raise _BrokenFile(f"a damaged PNG (wrong checksum at byte {at})")
        if kind == b"IHDR":
            size = int.from_bytes(body[:4]), int.from_bytes(body[4:8])
        if kind == b"IEND":
            return _refuse_empty(size)
        at += 12 + length
    raise _BrokenFile(f"a truncated PNG (no end after {len(data):,} bytes)")


def _jpeg_size(data: bytes) -> _Size:
    size, at = (0, 0), 2
    while at + 4 <= len(data) or data[at : at + 2] == b"\xff\xd9":
        if data[at] != 0xFF:
            raise _BrokenFile(f"a damaged JPEG (no marker at byte {at})")
        kind = data[at + 1]
        if kind == _JPEG_END:
            return _refuse_empty(size)
        if kind == 0xFF or kind in _JPEG_BARE:  # a fill byte, or a marker without a body
            at += 1 if kind == 0xFF else 2
            continue
        if kind in _JPEG_FRAMES:
            size = int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
        if kind == _JPEG_SCAN:
            found = _AFTER_SCAN_DATA.search(data, at)
            at = len(data) if found is None else found.end() - 2
    raise _BrokenFile(f"a truncated JPEG (no end after {len(data):,} bytes)")


def _refuse_empty(size: _Size) -> _Size:
    if min(size) <= 0:
        raise _BrokenFile(f"a picture of {size[0]} x {size[1]} pixels")
    return size
