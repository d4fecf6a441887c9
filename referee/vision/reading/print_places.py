"""Where numbers stand on the tiles of a picture, which tells a 6 from a 9.

A 6 is a 9 upside down, and a tile that lies alone has no neighbours that show which way up it is. But most boxes print
their numbers above the middle of the tiles. If the other numbers of a picture show that, a 6 or a 9 that stands above
the middle, too, is seen the right way up.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.vision.reading import crops
from referee.vision.reading.look_alikes import LOOK_ALIKE, OTHERS, TURNED, with_print
from referee.vision.sighting import Floats, Image, Read

# Chosen on the pictures of ../shared, on virtual tables, and on both as `benchmarks.disturbed` spoils them. Where
# numbers stand at ABOVE or higher, 240 prints of 6 and 9 in pictures that are not spoilt stand at 0.44 times what is
# usual there or higher. In spoilt pictures, 14 prints were taken for the other number; none of them stands above the
# middle then.
FEWEST_NUMBERS = 5
"""So many different numbers besides 6 and 9 must be beyond doubt before they show where the box prints."""
ABOVE = 0.06
"""The box prints above the middle if its numbers mostly stand this far above it, in heights of a tile."""
OWN = 0.4
"""A 6 or a 9 is seen the right way up if it stands above the middle by at least this part of what is usual."""
LIKELIER = 0.5
"""With less confidence than this, reader or network for look-alikes prefer the other number."""
STROKE = 0.5
"""A pixel has ink if it absorbs this part of what a full stroke absorbs."""
EDGE = 8
"""So many pixels at each edge of a crop are not the tile, or are its edge."""


def print_heights(ink: Floats) -> Floats:
    """Return how far above the middle of its tile each print stands (n,), in heights of a tile; NaN without a print.

    `ink` (n, 3, H, W) is the relative ink of upright crops. What counts is the middle between the highest and the
    lowest ink, not where most of it is: that is lower in a 6 than in a 9. Of several pieces of ink the largest counts;
    the others are a dot below the number, grain, or what compression has left.
    """
    heights = np.full(len(ink), np.nan, np.float32)
    for i, shown in enumerate(with_print(ink)[:, 3, EDGE:-EDGE, EDGE:-EDGE]):
        count, _, boxes, _ = cv2.connectedComponentsWithStats((shown > STROKE).astype(np.uint8))
        if count > 1:
            _, top, _, high, _ = max(boxes[1:], key=lambda box: box[cv2.CC_STAT_AREA])
            heights[i] = (crops.HEIGHT / 2 - (EDGE + top + high / 2)) * crops.MARGIN / crops.HEIGHT
    return heights


def settle_turned(picture: Image, reads: Sequence[Read], kept: Collection[int], sure_from: float) -> tuple[Read, ...]:
    """Return the reads; a doubt between 6 and 9 is settled where the places of the prints leave none.

    `kept` are the indices of reads that are in doubt for other reasons and stay so. `sure_from` is the confidence of a
    read beyond doubt.
    """
    asked = [i for i, read in enumerate(reads) if i not in kept and _is_turned_at_most(read)]
    sure = {i: read.tile for i, read in enumerate(reads) if read.tile is not None and not read.doubtful}
    others = {i: tile.number for i, tile in sure.items() if not tile.is_joker and tile.number not in TURNED}
    if not asked or len(set(others.values())) < FEWEST_NUMBERS:
        return tuple(reads)
    corners = np.stack([reads[i].corners_px for i in (*others, *asked)])
    heights = print_heights(crops.relative_ink(crops.cut(picture, corners)))
    usual = float(np.nanmedian(heights[: len(others)]))
    settled = list(reads)
    for i, height in zip(asked, heights[len(others) :].tolist(), strict=True):
        if usual >= ABOVE and height >= OWN * usual:
            settled[i] = replace(reads[i], doubtful=False, look_again=False, confidence=sure_from)
    return tuple(settled)


def _is_turned_at_most(read: Read) -> bool:
    """Return whether a read is in doubt only because a 6 is a 9 upside down, and is rather what it was read as."""
    if not read.doubtful or read.confidence < LIKELIER or read.tile is None or read.tile.number not in TURNED:
        return False
    other = replace(read.tile, number=LOOK_ALIKE[read.tile.number]).name
    return sum(chance for name, chance in read.alternatives if name != other) <= OTHERS
