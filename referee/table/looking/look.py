"""The results of looks at the table, and of watching it.

If players say that a tile was misread, it is read once more to find alternatives. The picture of a misread tile is
kept for training only if people ask for that.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from referee.game.match.events import About, Word
from referee.game.notice import Notice
from referee.game.table import Table
from referee.game.tiles import FACE_DOWN, TILE_SETS, Tile
from referee.journal.tile_places import PlacedSets, TilePlace
from referee.table.looking.pictures_before import PictureBefore
from referee.table.looking.told_tiles import hold, with_unseen
from referee.vision.change.absence import Lies, Place, still_there
from referee.vision.change.occlusion import Cover, TopView
from referee.vision.sighting import Image, Read, Sighting

NEAR_MM = 12.0
"""A read within this distance of a tile is of the same tile, if nothing has moved; less than half a tile's width."""
MOST = 3
LEAST = 0.25
"""The least chance that the first name of a second reading gets among the alternatives. Chosen by hand."""


@dataclass(frozen=True, slots=True, eq=False)  # == of pictures gives an array
class Look:
    """The result of a look: its sighting and picture, or `trouble` if it cannot be judged."""

    sighting: Sighting | None
    picture: Image | None
    ahead: bool = False
    trouble: Notice | None = None
    changes: int = 0
    """How often something had moved before the look."""
    covers: tuple[Cover, ...] = ()
    """What lies over the table, compared with an earlier look."""
    places: tuple[Place, ...] = ()
    """The places of confirmed tiles that the look has not found, compared with an earlier look."""
    view: TopView | None = None
    given: tuple[Word, ...] = ()
    """All words of players that had been said before the look."""
    words: tuple[Word, ...] = ()
    """The words that still hold, with the places of their tiles in this look."""
    frames: int = 1
    """The number of pictures that were read for this look."""
    took_s: float = 0.0
    """How long the whole look took, in seconds."""
    exposure_due: bool = False
    """Whether the exposure is about to be corrected."""
    plain: Sighting | None = None
    """The sighting from the pictures alone, before any doubt was settled."""
    moved: bool = False
    """Whether the camera has moved since the last look."""
    before: tuple[PictureBefore, ...] = ()
    """Small pictures of the last seconds before the press, the oldest first."""

    def with_words(self, words: tuple[Word, ...]) -> Look:
        """Return the look with all words of players, including those said since it was taken."""
        fresh = tuple(word for word in words if word not in self.given)
        if self.sighting is None:
            return replace(self, words=words)
        held = hold(self.sighting, fresh)
        # If a word about this very picture says that an unseen tile lies somewhere, it does.
        unseen = tuple(word for word in held.lost if word.about is About.UNSEEN)
        return replace(self, given=words, words=(*self.words, *held.words))._replace_sighting(held.sighting, unseen)

    def _replace_sighting(self, sighting: Sighting, unseen: tuple[Word, ...]) -> Look:
        """Return the look with another sighting, and with the unseen tiles of these words added."""
        sighting, there = with_unseen(sighting, unseen)
        view = None if self.view is None else self.view.with_sighting(sighting)
        words = (*self.words, *(word for word in there if word not in self.words))
        return replace(self, sighting=sighting, words=words, view=view)

    def with_standing_tiles(self, unseen: tuple[Word, ...], before: TopView | None) -> Look:
        """Return the look with tiles added that it has not found, but that still lie there as in the view `before`.

        Such a tile counts only if its print is recognised in place and nothing lies over the table, because a tile
        that was taken away must be noticed.
        """
        view = self.view
        if before is None or view is None or self.sighting is None or self.covers or not unseen:
            return self
        there = (word for word in unseen if word.tile and still_there(before, word.tile, (word.x_mm, word.y_mm), view))
        return self._replace_sighting(self.sighting, tuple(there))

    @property
    def clear(self) -> bool:
        """Whether the whole table was seen and read beyond doubt."""
        seen = self.sighting
        return seen is not None and not (
            self.trouble
            or self.covers
            or any(place.lies is not Lies.NOTHING for place in self.places)
            or seen.doubts
            or seen.quality.hand
        )

    @property
    def unclear(self) -> bool:
        """Whether another picture may settle what this one leaves open."""
        seen = self.sighting
        return seen is not None and bool(seen.doubts or any(place.lies is not Lies.NOTHING for place in self.places))

    @property
    def may_be_noise(self) -> bool:
        """Whether all that keeps the look from being clear may be noise in a single picture."""
        seen = self.sighting
        return seen is not None and not seen.doubts and any(place.lies is Lies.UNTOLD for place in self.places)


@dataclass(frozen=True, slots=True)
class Glance:
    """The result of comparing small pictures: seconds without a change, and how often something has moved so far."""

    still_s: float
    changes: int
    told: tuple[Notice, ...] = ()
    """Notices about the camera for the players."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """Pictures from before a power cut, the latest first.

    `confirmed` returns whether a table is the one confirmed last, `lacks` whether it lacks a tile of that one.
    """

    pictures: Iterator[Image]
    confirmed: Callable[[Table], bool]
    lacks: Callable[[Table], bool]


@dataclass(frozen=True, slots=True)
class Failure:
    """A misread picture and, as JSON, everything known about it: how it was read, and what people say lies there."""

    picture: Image
    told: dict[str, Any]


def failure_of(look: Look, rules: str) -> Failure | None:
    """Return the failure that a look shows; None if it has no picture, or nothing was read."""
    if look.picture is None or look.sighting is None:
        return None
    read = look.sighting if look.plain is None else look.plain
    told = {
        "rules": rules,
        "read": read.to_json(""),
        "truth": look.sighting.to_json(""),
        "words": [_word(word) for word in look.words],
    }
    return Failure(look.picture, told)


def _word(word: Word) -> dict[str, Any]:
    names = [FACE_DOWN if tile is None else tile.name for tile in (word.tile, *word.offered)]
    return {
        "tile": names[0],
        "about": word.about.value,
        "read_as": names[1:],
        "x_mm": round(word.x_mm, 1),
        "y_mm": round(word.y_mm, 1),
        "angle_deg": round(word.angle_deg, 1),
    }


@dataclass(frozen=True, slots=True)
class Reread:
    """The alternatives for a tile that was misread, the likeliest first; None stands for a back or no tile."""

    look: Look
    read: int
    tiles: tuple[Tile | None, ...] = ()

    @classmethod
    def from_look(cls, look: Look, number: int, again: Sighting | None) -> Reread:
        """Combine the read of the look with another sighting of the same table, if there is one."""
        if look.sighting is None:
            return cls(look, number)
        before = look.sighting.reads[number]
        chances = defaultdict[str, float](float, before.alternatives)
        if again is not None and (now := _nearest(before, again)) is not None:
            for name, chance in ((now.name, max(now.confidence, LEAST)), *now.alternatives):
                chances[name] += chance
        box = TILE_SETS.get(look.sighting.tileset)
        held = None if box is None else box.inventory()
        names = sorted((name for name in chances if name != before.name), key=lambda name: -chances[name])
        tiles = (None if name == FACE_DOWN else Tile.from_name(name) for name in names)
        return cls(look, number, tuple(t for t in tiles if t is None or held is None or held.get(t))[:MOST])


def _nearest(read: Read, again: Sighting) -> Read | None:
    """Return the read of the sighting `again` in the place of this read; None if there is none."""
    if read.x_mm is None or read.y_mm is None:
        return None
    near = [
        (math.hypot(other.x_mm - read.x_mm, other.y_mm - read.y_mm), number)
        for number, other in enumerate(again.reads)
        if other.x_mm is not None and other.y_mm is not None
    ]
    distance, number = min(near, default=(math.inf, 0))
    return again.reads[number] if distance < NEAR_MM else None


def tile_places(look: Look) -> PlacedSets:
    """Return where the tiles of every set lie in the look's picture, in the order of its table."""
    sighting = look.sighting
    if look.picture is None or sighting is None:
        return ()
    height, width = look.picture.shape[:2]
    return tuple(
        tuple(
            TilePlace(tile, tuple((float(x) / width, float(y) / height) for x, y in sighting.reads[read].corners_px))
            for read in tiles
            if (tile := sighting.reads[read].tile) is not None
        )
        for tiles in sighting.sets
    )
