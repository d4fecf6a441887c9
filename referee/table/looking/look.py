"""What a look at the table, or watching it, has told.

A tile that players say was misread is read once more, to know what else it may be; only where people say so is a
misread picture kept for training.
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
from referee.table.looking.told_tiles import hold, with_unseen
from referee.vision.change.absence import Lies, Place, still_there
from referee.vision.change.occlusion import Cover, TopView
from referee.vision.sighting import Image, Read, Sighting

NEAR_MM = 12.0
"""What lies within this of a tile is that tile, if nothing was moved."""
MOST = 3
LEAST = 0.25
"""How much more likely a reading is for having been the first one of a new picture."""


@dataclass(frozen=True, slots=True, eq=False)  # pictures cannot be compared as one
class Look:
    """The answer to a press: what lies there, the picture behind it, and why it cannot be judged, if so."""

    sighting: Sighting | None
    picture: Image | None
    ahead: bool = False
    trouble: Notice | None = None
    changes: int = 0
    """How often anything had moved by then."""
    covers: tuple[Cover, ...] = ()
    """What lies over the table, as far as an earlier look shows it without."""
    places: tuple[Place, ...] = ()
    """Where tiles lay that cannot be found, as far as an earlier look shows them."""
    view: TopView | None = None
    given: tuple[Word, ...] = ()
    """What players had said of the tiles by then,"""
    words: tuple[Word, ...] = ()
    """and what of it holds, with the places in this look."""
    frames: int = 1
    """How many pictures were looked at for it,"""
    took_s: float = 0.0
    """and how long all of it took."""
    exposure_due: bool = False
    """Whether the camera is about to be exposed better."""
    plain: Sighting | None = None
    """What the pictures alone showed, before anything was settled."""
    moved: bool = False
    """Whether the camera hangs otherwise than at the look before; it is followed."""

    def with_words(self, words: tuple[Word, ...]) -> Look:
        """The same look with what players have said since it was taken."""
        fresh = tuple(word for word in words if word not in self.given)
        if self.sighting is None:
            return replace(self, words=words)
        held = hold(self.sighting, fresh)
        # What was told of this very picture lies where it was shown.
        unseen = tuple(word for word in held.lost if word.about is About.UNSEEN)
        return replace(self, given=words, words=(*self.words, *held.words))._replace_sighting(held.sighting, unseen)

    def _replace_sighting(self, sighting: Sighting, unseen: tuple[Word, ...]) -> Look:
        """The same look with another sighting, and with tiles that were not found and lie there."""
        sighting, there = with_unseen(sighting, unseen)
        view = None if self.view is None else self.view.with_sighting(sighting)
        words = (*self.words, *(word for word in there if word not in self.words))
        return replace(self, sighting=sighting, words=words, view=view)

    def with_standing_tiles(self, unseen: tuple[Word, ...], before: TopView | None) -> Look:
        """The same look with those tiles that it has not found, and that lie there as they lay in the view `before`.

        A tile counts only where its very print is seen again and nothing lies over the table: a tile that was taken
        away must be missed.
        """
        view = self.view
        if before is None or view is None or self.sighting is None or self.covers or not unseen:
            return self
        there = (word for word in unseen if word.tile and still_there(before, word.tile, (word.x_mm, word.y_mm), view))
        return self._replace_sighting(self.sighting, tuple(there))

    @property
    def clear(self) -> bool:
        """Whether all of the table was seen and read beyond doubt."""
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
        """Whether one more picture may tell what this one does not."""
        seen = self.sighting
        return seen is not None and bool(seen.doubts or any(place.lies is not Lies.NOTHING for place in self.places))

    @property
    def may_be_noise(self) -> bool:
        """Whether all that keeps it from being clear may be the noise of a single picture."""
        seen = self.sighting
        return seen is not None and not seen.doubts and any(place.lies is Lies.UNTOLD for place in self.places)


@dataclass(frozen=True, slots=True)
class Glance:
    """What watching tells: seconds without a change, and how often anything has moved so far."""

    still_s: float
    changes: int
    told: tuple[Notice, ...] = ()
    """What people should know of the camera."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """Pictures from before a power cut, the latest first.

    `confirmed` tells whether a table is the last of them, `lacks` whether one of its tiles is not on a table.
    """

    pictures: Iterator[Image]
    confirmed: Callable[[Table], bool]
    lacks: Callable[[Table], bool]


@dataclass(frozen=True, slots=True)
class Failure:
    """A picture, and all that is known of it as JSON has it: what was read, and what lies there as people say."""

    picture: Image
    told: dict[str, Any]


def failure_of(look: Look, rules: str) -> Failure | None:
    """The failure that a look shows; None where it has no picture or nothing was read."""
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
    """What a tile of a look may be but what it was read as, the likeliest first; None: no tile, or its back."""

    look: Look
    read: int
    tiles: tuple[Tile | None, ...] = ()

    @classmethod
    def from_look(cls, look: Look, number: int, again: Sighting | None) -> Reread:
        """From the look itself and another sighting, where there is one."""
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
    """The tile of a sighting that lies where this one lay."""
    if read.x_mm is None or read.y_mm is None:
        return None
    near = [
        (math.hypot(other.x_mm - read.x_mm, other.y_mm - read.y_mm), number)
        for number, other in enumerate(again.reads)
        if other.x_mm is not None and other.y_mm is not None
    ]
    distance, number = min(near, default=(math.inf, 0))
    return again.reads[number] if distance < NEAR_MM else None
