"""What a look at a table that was confirmed teaches the reader."""

from __future__ import annotations

from collections import Counter

from referee.game.table import Table, tiles_on
from referee.vision.sighting import Image, Sighting


def lesson_of(plain: Sighting | None, picture: Image | None, table: Table) -> tuple[Sighting, int] | None:
    """What a look at the table that was confirmed teaches, and the width of its picture; None where it does not.

    Only what its pictures alone showed beyond doubt does; where the confirmed table has not all of that, somebody has
    said otherwise, and nothing of the look can be trusted.
    """
    if plain is None or picture is None:
        return None
    sure = Counter(read.tile for read in plain.reads if not read.doubtful and read.tile is not None)
    return None if sure - tiles_on(table) else (plain, picture.shape[1])
