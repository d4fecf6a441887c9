"""Where numbers stand on the tiles of a picture, which tells a 6 from a 9.

A 6 is a 9 upside down, and a tile that lies alone has no neighbours that show which way up it is. But most boxes print
their numbers above the middle of the tiles. If the other numbers of a picture show that, a 6 or a 9 above the middle
of its tile is the right way up.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.vision.reading import crops
from referee.vision.reading.look_alikes import OTHERS, TURNED, chance_of_others, with_print
from referee.vision.sighting import Floats, Image, Read

# Chosen on the pictures of ../shared, on virtual tables, and on both as `benchmarks.disturbed` spoils them. In those
# that are not spoilt, 175 prints of 6 and 9 on tables with ABOVE or more stand at least 0.44 times as far above the
# middle as is usual there. In spoilt pictures, 14 prints were taken for the other number; all stand below the middle.
FEWEST_NUMBERS = 5
"""So many different numbers besides 6 and 9 must be beyond doubt before they show where the box prints."""
ABOVE = 0.06
"""The box prints above the middle if its numbers mostly stand this far above it, in heights of a tile."""
OWN = 0.4
"""A 6 or a 9 lies as it was read if it stands above the middle by at least this part of what is usual."""
LIKELIER = 0.5
"""With less confidence than this, the network for look-alikes prefers the other number."""
STROKE = 0.5
"""A pixel has ink if it absorbs this part of what a full stroke absorbs."""
PIECE = 0.2
"""A piece of ink belongs to the print if it is at least this large, compared with the largest. Smaller ones are grain,
or what compression has left."""
EDGE = 8
"""So many pixels at each edge of a crop are not the tile, or are its edge."""


def print_heights(ink: Floats) -> Floats:
    """Return how far above the middle of its tile each print stands (n,), in heights of a tile; NaN without a print.

    `ink` (n, 3, H, W) is the relative ink of upright crops. What counts is the middle between the highest and the
    lowest ink, not where most of it is: that is lower in a 6 than in a 9. A suit or a dot below the number counts as
    well, so that such prints seem to stand in the middle.
    """
    heights = np.full(len(ink), np.nan, np.float32)
    for i, shown in enumerate(with_print(ink)[:, 3, EDGE:-EDGE, EDGE:-EDGE]):
        _, _, boxes, _ = cv2.connectedComponentsWithStats((shown > STROKE).astype(np.uint8))
        pieces = boxes[1:]  # the first one is where there is no ink
        if len(pieces):
            pieces = pieces[pieces[:, cv2.CC_STAT_AREA] >= PIECE * pieces[:, cv2.CC_STAT_AREA].max()]
            top, bottom = pieces[:, 1].min(), (pieces[:, 1] + pieces[:, 3]).max()
            heights[i] = (crops.HEIGHT / 2 - EDGE - (top + bottom) / 2) * crops.MARGIN / crops.HEIGHT
    return heights


def is_six_or_nine(read: Read) -> bool:
    """Return whether a read is in doubt, and beyond doubt a 6 or a 9 of its ink."""
    return read.doubtful and read.tile is not None and read.tile.number in TURNED and chance_of_others(read) <= OTHERS


def settle_turned(
    picture: Image, reads: Sequence[Read], turned: Collection[int], sure_from: float
) -> tuple[Read, ...]:  # fmt: skip
    """Return the reads; a doubt between 6 and 9 is settled where the places of the prints leave none.

    `turned` are the indices of reads that can only be a 6 or a 9, and `sure_from` is the confidence of a read beyond
    doubt.
    """
    asked = [i for i in turned if reads[i].doubtful and reads[i].confidence >= LIKELIER]
    sure = {i: read.tile for i, read in enumerate(reads) if read.tile is not None and not read.doubtful}
    others = {i: tile.number for i, tile in sure.items() if not tile.is_joker and tile.number not in TURNED}
    if not asked or len(set(others.values())) < FEWEST_NUMBERS:
        return tuple(reads)
    corners = np.stack([reads[i].corners_px for i in (*others, *asked)])
    heights = print_heights(crops.relative_ink(crops.cut(picture, corners)))
    known = heights[: len(others)]
    usual = float(np.median(known[np.isfinite(known)])) if np.isfinite(known).any() else 0.0
    settled = list(reads)
    for i, height in zip(asked, heights[len(others) :].tolist(), strict=True):
        if usual >= ABOVE and height >= OWN * usual:
            settled[i] = replace(reads[i], doubtful=False, look_again=False, confidence=sure_from)
    return tuple(settled)
