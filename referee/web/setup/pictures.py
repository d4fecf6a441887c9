"""Pictures of the set-up pages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.vision.sighting import Image
from referee.web.straight import jpeg


def camera_jpeg(picture: Image) -> bytes:
    """What the camera sees, as it is."""
    return jpeg(picture)


def sheet_jpeg(crops: Sequence[Image]) -> bytes:
    """Crops of one size in a column, the first on top."""
    return jpeg(np.ascontiguousarray(np.concatenate(crops, axis=0)))
