"""A doubt between two numbers that look alike, settled by what the same numbers looked like earlier in the evening.

Where a jack is a B, a pale 8 looks like it, and an open 4 upside down looks like an A. The reader alone must be so
sure of these that it is often in doubt, although the same box has shown both prints clearly before. So the print is
compared with those of both numbers that were read beyond doubt on confirmed tables.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from referee.game.tiles import Tile
from referee.vision.reading.second_reading import LOOK_ALIKE
from referee.vision.sighting import Floats, Read

# Chosen in rooms 0-199 of `python -m benchmarks.look_alikes`, which measures others. Of 2,618 prints in doubt with at
# least the confidence LEAST, 10 had been read as the other number. The largest value of these was 0.163, and CLOSER
# is half as large again; three quarters of the 2,608 right ones exceed it. LEAST and OTHERS keep out other doubts.
NEAREST, FEWEST = 5, 3
"""A print is compared with so many of the nearest prints of a number, of which there must be at least `FEWEST`."""
CLOSER = 0.25
"""The number that was read must be nearer by this part: (far - near) / (far + near), of mean squared distances."""
LEAST, OTHERS = 0.8, 0.05
"""The least confidence of the read, and the most that names other than the look-alike's may have."""


def settle_by_prints(
    reads: tuple[Read, ...], contested: Collection[int], alike: Collection[int], prints: Mapping[int, Floats],
    sure_from: float,
) -> tuple[Read, ...]:  # fmt: skip
    """Return the reads, beyond doubt where the evening's prints settle a doubt about a look-alike.

    `contested`: the indices of tiles of which more were read than the box holds; these stay in doubt.
    `alike`: the numbers that look like another one of this box.
    `prints`: embeddings (n, EMBEDDING) by number, of prints that were read beyond doubt.
    `sure_from`: the confidence of a read beyond doubt.
    """

    def is_settled(index: int, read: Read) -> bool:
        if not read.doubtful or index in contested or read.tile is None or read.tile.number not in alike:
            return False
        other = replace(read.tile, number=LOOK_ALIKE[read.tile.number])
        return _speaks_for_no_third(read, other) and _lies_nearer(
            read.embedding, prints.get(read.tile.number), prints.get(other.number)
        )

    return tuple(
        replace(read, doubtful=False, look_again=False, confidence=max(read.confidence, sure_from))
        if is_settled(index, read)
        else read
        for index, read in enumerate(reads)
    )


def _speaks_for_no_third(read: Read, other: Tile) -> bool:
    """Return whether a read is likely, and hardly anything but the `other` tile speaks against it."""
    return read.confidence >= LEAST and sum(p for name, p in read.alternatives if name != other.name) <= OTHERS


def _lies_nearer(one: Floats | None, own: Floats | None, others: Floats | None) -> bool:
    """Return whether a print (EMBEDDING,) lies clearly nearer to `own` prints (n, EMBEDDING) than to the `others`."""
    if one is None or own is None or others is None or min(len(own), len(others)) < FEWEST:
        return False
    near, far = _distance(one, own), _distance(one, others)
    return far - near >= CLOSER * (far + near)


def _distance(one: Floats, prints: Floats) -> float:
    """Return the mean squared distance of a print (EMBEDDING,) to the nearest ones of prints (n, EMBEDDING)."""
    return float(np.sort(((prints - one) ** 2).sum(axis=1))[:NEAREST].mean())
