"""A reader that learns in the course of the evening: from confirmed tables, and of a box enrolled in between."""

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
"""Seconds between two times that the evening is stored, at least; it is also stored at the end. Chosen by hand."""


class Knower(Protocol):
    """Gives readers that know a box, and what was seen of it this evening."""

    def reader_for(self, box: Box | None, evening: Evening | None = None) -> Reader:
        """Costs next to nothing: the networks are shared."""


class Taught:
    """A reader that uses all that has been learnt so far. `teach`, `use` and `read` are for the worker's thread."""

    def __init__(
        self, knower: Knower, box: Box | None, evening: Evening, *, key: Callable[[Box | None], str],
        store: Callable[[Evening], None], now: Callable[[], float], wall: Callable[[], float],
    ) -> None:  # fmt: skip
        """Start with what is known of a box and of this evening.

        `knower`: makes readers that share the networks.
        `box`: the box in use. None: none was enrolled.
        `evening`: what was learnt this evening so far.
        `key`: returns what evenings must have in common to be of use for one another, by the box.
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
        """The reader for a box, and the box as it is known."""
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
        """Store what is not stored yet."""
        if self.evening is not self._stored:
            self._stored, self._stored_at = self.evening, self._now()
            self._store(self.evening)
