"""Recognises pictures by the names and by the first bytes of files."""

from __future__ import annotations

PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg")
"""Suffixes of the pictures that are read and written."""
OTHER_SUFFIXES = (".avif", ".bmp", ".gif", ".heic", ".heif", ".tif", ".tiff", ".webp")
"""Suffixes of other pictures. HEIC can be read with an extra; all others must be saved as JPEG or PNG first."""

_HEIF_BRANDS = {b"avif": "an AVIF picture"} | dict.fromkeys(
    (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"), "a HEIC picture"
)
_STARTS = (
    (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture, or a camera's raw picture"),
    (b"MM\x00*", "a TIFF picture, or a camera's raw picture"),
    (b"\xff\x0a", "a JPEG XL picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
)


def is_picture_start(data: bytes) -> bool:
    """Return whether `data` begins like a JPEG or PNG picture; three bytes are enough."""
    return data[:3] in (b"\xff\xd8\xff", b"\x89PN")


def is_heic_start(data: bytes) -> bool:
    """Return whether `data` begins like a HEIC picture; twelve bytes are enough."""
    return data[4:8] == b"ftyp" and _HEIF_BRANDS.get(data[8:12]) == "a HEIC picture"


def describe_kind(data: bytes) -> str:
    """Return what a file with these first bytes is instead of a JPEG or PNG picture, and what to do about it."""
    kind = _kind(data)
    if kind is None:
        return f"another kind of file (it starts with {data[:4].hex(' ')})"
    return f"{kind}: save it as JPEG or PNG" if "picture" in kind else f"another kind of file: {kind}"


def _kind(data: bytes) -> str | None:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a WebP picture"
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        return _HEIF_BRANDS[data[8:12]]
    if data[:2] == b"BM" and data[6:10] == bytes(4):
        return "a BMP picture"
    for start, kind in _STARTS:
        if data.startswith(start):
            return kind
    if data[:512].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return "a web page"
    return "text" if all(byte in b"\t\r\n" or byte >= 0x20 for byte in data[:64]) else None
