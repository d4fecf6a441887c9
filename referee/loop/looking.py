"""Looks at the table: watched while nobody presses, read ahead while it is still, confirmed after the press.

Everything here blocks, and belongs into one worker thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from referee.devices.camera import Camera, Frame, Gray
from referee.errors import CannotJudge
from referee.game.tiles import TileSet
from referee.vision.fuse import with_confirmed
from referee.vision.markers import find_markers
from referee.vision.sighting import Image, Read, Sighting
from referee.vision.still import Mask, Stillness, differs, play_area

TRIES = 4
"""Pictures taken before a table that does not come to rest is called restless."""
NEEDED_MARKERS = 3


class Reader(Protocol):
    """Whatever makes a sighting of a picture; raises CannotJudge where it is no picture of a table."""

    def read(self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float]) -> Sighting:
        """What lies on the table in `picture`."""


@dataclass(frozen=True, slots=True)
class Look:
    """The answer to a press: what lies there, the picture behind it, and why it cannot be judged, if so."""

    sighting: Sighting | None
    picture: Image | None
    ahead: bool = False
    trouble: str | None = None
    changes: int = 0
    """How often anything had moved by then."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What watching tells: seconds without a change, and how often anything has moved so far."""

    still_s: float
    changes: int


@dataclass(frozen=True, slots=True)
class _Ahead:
    look: Look
    preview: Gray
    changes: int


class Looker:
    """One camera, one reader, one table; not to be used by two threads at once."""

    def __init__(
        self,
        camera: Camera,
        reader: Reader,
        tileset: Callable[[], TileSet],
        table_mm: tuple[float, float],
        now: Callable[[], float],
    ) -> None:
        """`tileset` is asked before every look: a match that goes on may be played with another box than the next."""
        self._camera, self._reader, self._now = camera, reader, now
        self._tileset, self._table_mm = tileset, table_mm
        self._stillness = Stillness()
        self._ahead: _Ahead | None = None
        self._area: Mask | None = None
        self._confirmed: tuple[Read, ...] = ()

    def confirm(self, reads: Sequence[Read]) -> None:
        """Remember the reads of a table that was accepted: they help with tiles that are not moved."""
        self._confirmed = tuple(reads)
        self._ahead = None

    def glance(self) -> Glance:
        """One small picture, compared with the one before."""
        t = self._now()
        self._stillness = self._stillness.seen(self._camera.preview(t), t, self._area)
        return Glance(self._stillness.still_for(self._now()), self._stillness.changes)

    @property
    def ready(self) -> bool:
        """True where the table as it lies has been read ahead."""
        return self._ahead is not None and self._ahead.changes == self._stillness.changes

    def read_ahead(self) -> Look:
        """Read the table now, so that the next press need only confirm that nothing has moved."""
        look = self._read(self._now())
        if look.trouble is None and self._stillness.latest is not None:
            self._ahead = _Ahead(look, self._stillness.latest, self._stillness.changes)
        return look

    def look(self, after: float) -> Look:
        """What lies on the table after the moment `after` (monotonic seconds)."""
        ahead = self._ahead
        if ahead is not None and self.ready:
            preview = self._camera.preview(after)
            if not differs(ahead.preview, preview, self._area):
                return replace(ahead.look, ahead=True)
            self._stillness = self._stillness.seen(preview, self._now(), self._area)
        return self._read(after)

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.close()

    def _read(self, after: float) -> Look:
        """Read the first picture during which nothing moved."""
        before = self._camera.preview(after)
        for _ in range(TRIES):
            frame = self._camera.frame(after)
            preview = self._camera.preview(self._now())
            self._stillness = self._stillness.seen(preview, self._now(), self._area)
            if not differs(before, preview, self._area):
                return self._understood(frame)
            before, after = preview, self._now()
        text = "Something moves on the table; please take your hands away."
        return Look(None, None, trouble=text, changes=self._stillness.changes)

    def _understood(self, frame: Frame) -> Look:
        try:
            sighting = self._reader.read(frame.picture, self._tileset(), self._table_mm)
        except CannotJudge as error:
            return Look(None, frame.picture, trouble=str(error), changes=self._stillness.changes)
        self._area = self._area if self._area is not None else self._play_area(frame.picture)
        sighting = with_confirmed(sighting, self._confirmed)
        return Look(sighting, frame.picture, changes=self._stillness.changes)

    def _play_area(self, picture: Image) -> Mask | None:
        """Where to watch: what players do with their racks beside the table is no change of it."""
        latest = self._stillness.latest
        centres = [corners.mean(axis=0) for corners in find_markers(picture).values()]
        if latest is None or len(centres) < NEEDED_MARKERS:
            return None
        height, width = latest.shape
        return play_area(np.asarray(centres, np.float32), picture.shape[:2], (height, width))
