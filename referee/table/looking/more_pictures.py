"""A second and a third picture, before players are asked about what the first one leaves in doubt."""

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
"""Raises CannotJudge for a picture that shows no table."""
Take = Callable[[float], Image | None]
"""Another picture of the same still table, with this many times the light where the camera can; or None."""


@runtime_checkable
class Closer(Protocol):
    """A reader that need not read all of a table again which has not been touched since the last picture."""

    def read_closer(
        self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], *, marked_only: bool = False
    ) -> Sighting:
        """What lies on the table in `picture`; read again is what was in doubt, or looks otherwise."""


def read_closer(
    reader: Reader, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], *, marked_only: bool
) -> Sighting:
    """One more picture of a table that nobody has touched since the last one, read by whatever reader there is."""
    read = reader.read_closer if isinstance(reader, Closer) else reader.read
    return read(picture, tileset, table_mm, marked_only=marked_only)


@dataclass(frozen=True, slots=True)
class CombinedSighting:
    """What several pictures came to, one of them that shows it, and how many were read."""

    sighting: Sighting
    picture: Image
    frames: int = 1


def closer(first: CombinedSighting, take: Take, read: Read, enough: Callable[[Sighting], bool]) -> CombinedSighting:
    """The first look together with as many more as it takes until there is `enough` of it, but never many."""
    pictures, sightings, seen = [first.picture], [first.sighting], first
    for factor in bracket(first.sighting.quality)[: MOST_FRAMES - 1]:
        picture = take(factor)
        if picture is None:
            break
        try:
            sightings.append(read(picture))
        except CannotJudge:
            continue  # too dark or too bright a picture may not even show the markers
        pictures.append(picture)
        found = fuse(sightings)
        seen = CombinedSighting(found.sighting, pictures[found.shown_by], len(pictures))
        if enough(seen.sighting):
            break
    return seen
