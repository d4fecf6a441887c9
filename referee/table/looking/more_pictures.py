"""A second and a third picture, taken before players are asked about what the first one leaves in doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from referee.errors import CannotJudge
from referee.game.tiles import TileSet
from referee.vision.exposure import bracket
from referee.vision.reading.frame_fusion import fuse
from referee.vision.sighting import Image, Reader, Sighting

MOST_FRAMES = 3
Read = Callable[[Image], Sighting]
"""Reads a picture; raises CannotJudge if the picture does not show the table."""
Take = Callable[[float], Image | None]
"""Takes another picture of the still table, with this many times the light if the camera can; None if it fails."""


@runtime_checkable
class Closer(Protocol):
    """A reader that can read a further picture of an untouched table without reading all of it again."""

    def read_closer(
        self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], *, marked_only: bool = False
    ) -> Sighting:
        """Read a picture; only what was in doubt before, or looks different now, is read again."""


def read_closer(
    reader: Reader, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], *, marked_only: bool
) -> Sighting:
    """Read one more picture of a table that nobody has touched since the last one, with any kind of reader."""
    read = reader.read_closer if isinstance(reader, Closer) else reader.read
    return read(picture, tileset, table_mm, marked_only=marked_only)


@dataclass(frozen=True, slots=True)
class CombinedSighting:
    """The combined sighting of several pictures, one of the pictures that shows it, and how many were read."""

    sighting: Sighting
    picture: Image
    frames: int = 1


def closer(first: CombinedSighting, take: Take, read: Read, enough: Callable[[Sighting], bool]) -> CombinedSighting:
    """Combine the first look with further pictures until `enough` returns true, at most `MOST_FRAMES` in all."""
    pictures, sightings, seen = [first.picture], [first.sighting], first
    for factor in bracket(first.sighting.quality)[: MOST_FRAMES - 1]:
        picture = take(factor)
        if picture is None:
            break
        try:
            sightings.append(read(picture))
        except CannotJudge:
            continue  # a picture that is too dark or too bright may not even show the markers
        pictures.append(picture)
        found = fuse(sightings)
        seen = CombinedSighting(found.sighting, pictures[found.shown_by], len(pictures))
        if enough(seen.sighting):
            break
    return seen
