"""The pictures behind the verdicts, as the journal keeps them, scaled to what a screen asks for."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import cv2
import numpy as np

from referee.devices.decoders import collected_complaints
from referee.journal.pictures import FOLDER, Pictures
from referee.table.output.rectified import jpeg

LARGEST = 64_000_000
"""Bytes; no camera gives more."""
COARSE = 480
"""Up to this many pixels a picture is read coarsely, which is several times as fast."""


class SavedPictures:
    """Reads the pictures beside a journal."""

    def __init__(self, journal: Path) -> None:
        self._pictures = Pictures(journal / FOLDER, 0)

    def events(self, match: int) -> tuple[int, ...]:
        """The events of a match of which pictures are kept; none where the folder cannot be read."""
        try:
            return self._pictures.events(match)
        except OSError:
            return ()

    def stamp(self, match: int, event: int) -> tuple[Path, str] | None:
        """The picture of an event and what tells it from a later one of that name; None where none is kept."""
        try:
            paths = self._pictures.pictures_of(match, event)
            found = None if not paths else paths[-1].lstat()
        except OSError:
            return None
        if found is None or not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
            return None
        return paths[-1], f"{found.st_mtime_ns:x}-{found.st_size:x}"


def scale_picture(path: Path, width: int) -> bytes | None:
    """A picture at most this many pixels wide; None where it has gone meanwhile, or is none."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        with os.fdopen(handle, "rb") as file:
            data = np.frombuffer(file.read(LARGEST), np.uint8)
    except OSError:
        return None
    if not data.size:
        return None
    with collected_complaints():
        image = cv2.imdecode(data, cv2.IMREAD_REDUCED_COLOR_4) if width <= COARSE else None
        if image is None or image.shape[1] < width:
            image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if image is None:
        return None
    if image.shape[1] > width:
        height = max(1, round(image.shape[0] * width / image.shape[1]))
        image = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    return jpeg(np.asarray(image, np.uint8))
