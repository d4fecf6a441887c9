"""What is wrong with a picture, in one plain sentence for the players: said before what cannot be read in it."""

from __future__ import annotations

import numpy as np

from referee.vision.exposure import is_bleached, is_dark
from referee.vision.geometry.table_areas import in_parts, place_in_words
from referee.vision.sighting import Floats, Image, Sighting

BRIGHT = "The picture is too bright."
DARK = "The picture is too dark: more light, please."
BLURRED = "The picture is blurred: nothing may shake the camera or the table, and its focus must be right."
PACKED = "The camera compresses its pictures so much that colours are lost: a higher JPEG quality, please."


def complaint(sighting: Sighting) -> str | None:
    """The worst about the picture; None for a good one.

    What is too bright, too dark, blurred or compressed is so all over; mirrored lamps are told with their places.
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
    places = [] if sighting.outline_px is None else places_of(np.asarray(quality.glare_px), sighting.outline_px)
    return f"A lamp is mirrored {' and '.join(places)}." if places else "A lamp is mirrored in the tiles."


def complaint_of(picture: Image) -> str | None:
    """What is wrong with a picture in which no table was seen at all; None where the light is not to blame."""
    return DARK if is_dark(picture) else BRIGHT if is_bleached(picture) else None


def places_of(points_px: Floats, outline_px: Floats) -> list[str]:
    """Where points (n, 2) of a picture lie on the play area with the corners `outline_px` (4, 2): each place once.

    As somebody at the bottom side sees it; the place with the most points first.
    """
    names = [place_in_words(float(x), float(y)) for x, y in in_parts(points_px, outline_px)]
    return sorted(dict.fromkeys(names), key=lambda name: -names.count(name))
