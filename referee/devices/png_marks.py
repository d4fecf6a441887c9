"""A mark in PNG files by which the program knows those that it has made."""

from __future__ import annotations

import struct
import zlib

BEGINNING = b"\x89PNG\r\n\x1a\n"
AFTER_HEADER = 33
"""Where the first chunk after the header begins."""


def mark_of(kind: str) -> bytes:
    """Return the bytes that a marked file has: the text `Software`, as PNG provides for it, with the kind of file."""
    return b"tEXtSoftware\0referee " + kind.encode("latin-1")


def mark_png(data: bytes, kind: str) -> bytes:
    """Return a PNG file with the mark of this kind, such as "card"."""
    return insert_chunk(data, mark_of(kind))


def insert_chunk(data: bytes, chunk: bytes) -> bytes:
    """Return a PNG file with one more chunk, type and content, after its header."""
    whole = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return data[:AFTER_HEADER] + whole + data[AFTER_HEADER:]
