"""A reader that learns during the evening: from confirmed tables, and when a box is enrolled."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

from referee.game.tiles import TileSet
from referee.table.looking.more_pictures import read_closer
from referee.vision.boxes.box import Box
from referee.vision.boxes.evening import Evening
from referee.vision.sighting import Image, Reader, Sighting

STORE_EVERY_S = 60.0
"""The evening is stored at most once in this many seconds, and at the end. Chosen by hand."""


class Knower(Protocol):
    """Makes readers that know a box, and what was learnt about it this evening."""

    def reader_for(self, box: Box | None, evening: Evening | None = None) -> Reader:
        """Return a reader; this is cheap, because all readers share the networks."""


class Taught:
    """A reader that uses all that was learnt so far. `teach`, `use` and `read` are called in the worker's thread."""

    def __init__(
        self, knower: Knower, box: Box | None, evening: Evening, *, key: Callable[[Box | None], str],
        store: Callable[[Evening], None], now: Callable[[], float], wall: Callable[[], float],
    ) -> None:  # fmt: skip
        """Start with what is known of a box and of this evening.

        `knower`: makes readers that share the networks.
        `box`: the box in use. None: none was enrolled.
        `evening`: what was learnt this evening so far.
        `key`: returns for a box the key of an evening; only evenings with equal keys are of use for each other.
        `store`: stores an evening; called at most every `STORE_EVERY_S` seconds, and by `keep()`.
        `now`: the monotonic clock, in seconds.
        `wall`: the time of day, in seconds.
        """
        self.box, self.evening = box, evening
        self._knower, self._key, self._store, self._now, self._wall = knower, key, store, now, wall
        self._stored, self._stored_at = evening, -math.inf
        self._reader, self._strange = knower.reader_for(box, evening), knower.reader_for(None)

    def read(
        self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], *, marked_only: bool = False
    ) -> Sighting:
        """Read a picture with all that is known of the box and the evening; raises CannotJudge.

        Tiles other than those of the box in use are read by a reader that knows no box.
        """
        reader, tileset = self._reader_for(tileset)
        return reader.read(picture, tileset, table_mm, marked_only=marked_only)

    def read_closer(
        self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], *, marked_only: bool = False
    ) -> Sighting:
        """Like `read()`, for one more picture of a table that has not been touched since the last one."""
        reader, tileset = self._reader_for(tileset)
        return read_closer(reader, picture, tileset, table_mm, marked_only=marked_only)

    def _reader_for(self, tileset: TileSet | None) -> tuple[Reader, TileSet | None]:
        """Return the reader for a box, and the box with its known measurements."""
        box = self.box
        if box is None or tileset is None:
            return self._reader, tileset
        return (self._reader, box.measure(tileset)) if tileset.name == box.tileset else (self._strange, tileset)

    def teach(self, sighting: Sighting, width_px: int) -> None:
        """Learn from a confirmed table; `sighting` is what its picture alone showed."""
        learnt = self.evening.with_table(sighting, width_px, self._wall())
        if learnt is self.evening:
            return
        self.evening = learnt
        self._reader = self._knower.reader_for(self.box, learnt)
        if self._now() - self._stored_at >= STORE_EVERY_S:
            self.keep()

    def use(self, box: Box) -> None:
        """Use another box from now on, and forget what was learnt about the last one."""
        self.box, self.evening = box, Evening(self._key(box))
        self._reader = self._knower.reader_for(box, self.evening)

    def keep(self) -> None:
        """Store what has not been stored yet."""
        if self.evening is not self._stored:
            self._stored, self._stored_at = self.evening, self._now()
            self._store(self.evening)
