"""A second and a third picture, before players are asked about what the first one leaves in doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.errors import CannotJudge
from referee.vision.exposure import bracket
from referee.vision.frames import fuse
from referee.vision.sighting import Image, Sighting

MOST_FRAMES = 3
Read = Callable[[Image], Sighting]
"""Raises CannotJudge for a picture that shows no table."""
Take = Callable[[float], Image | None]
"""Another picture of the same still table, with so many times the light where the camera can; None: there is none."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What several pictures came to, one of them that shows it, and how many were read."""

    sighting: Sighting
    picture: Image
    frames: int = 1


def closer(first: Seen, take: Take, read: Read, enough: Callable[[Sighting], bool]) -> Seen:
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
        seen = Seen(found.sighting, pictures[found.shown_by], len(pictures))
        if enough(seen.sighting):
            break
    return seen
