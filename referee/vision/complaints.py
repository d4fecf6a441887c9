"""What is wrong with a picture: players hear this before what could not be read in it."""

from __future__ import annotations

import numpy as np

from referee.game.notice import Notice
from referee.vision.exposure import is_bleached, is_dark
from referee.vision.geometry.table_areas import in_parts, place_of
from referee.vision.sighting import Floats, Image, Sighting

BRIGHT = Notice("reading.too_bright")
DARK = Notice("reading.too_dark")
BLURRED = Notice("reading.blurred")
PACKED = Notice("reading.packed")


def complaint(sighting: Sighting) -> Notice | None:
    """Return the worst fault of the picture; None for a good one.

    A picture is too bright, too dark, blurred or compressed as a whole; mirrored lamps are reported with their places.
    """
    quality = sighting.quality
    if quality.bright:
        return BRIGHT
    if quality.dark:
        return DARK
    if not quality.sharp:
        return BLURRED
    if quality.packed:
        return PACKED
    if not quality.glare:
        return None
    places = () if sighting.outline_px is None else places_of(np.asarray(quality.glare_px), sighting.outline_px)
    return Notice("reading.mirrored_at", places=places) if places else Notice("reading.mirrored")


def complaint_of(picture: Image) -> Notice | None:
    """Return what is wrong with a picture that shows no table; None where the light is not to blame."""
    return DARK if is_dark(picture) else BRIGHT if is_bleached(picture) else None


def places_of(points_px: Floats, outline_px: Floats) -> tuple[Notice, ...]:
    """Return where points (n, 2) of a picture lie on the play area with corners `outline_px` (4, 2), each place once.

    As seen from the bottom side; the place with the most points first.
    """
    places = [place_of(float(x), float(y)) for x, y in in_parts(points_px, outline_px)]
    return tuple(sorted(dict.fromkeys(places), key=lambda place: -places.count(place)))
