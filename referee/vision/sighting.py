"""The result of a look: reads of single tiles, sets by position, and the picture's quality."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from referee.game.doubt import ReadRecord
from referee.game.tiles import FACE_DOWN, Tile, TileSet

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)  # == of arrays gives an array
class Read:
    """What one tile was read as, and where it lies.

    `tile` is None for a face-down tile. `corners_px` (4, 2) are the corners of its top, clockwise from the top left of
    its print. In a picture without markers, `x_mm` and `y_mm` are None, and `angle_deg` is measured in the picture.
    """

    tile: Tile | None
    confidence: float
    doubtful: bool
    alternatives: tuple[tuple[str, float], ...]
    corners_px: Floats
    angle_deg: float
    x_mm: float | None = None
    y_mm: float | None = None
    reason: str | None = None
    """Why it is in doubt, in a few words for the players, if the reader knows: `glare`, `6 or 9`."""
    absorbed: tuple[float, float, float] | None = None
    """The parts of the body's light that its ink absorbs (blue, green, red), as measured; None without ink."""
    embedding: Floats | None = None
    """The reader's embedding of its print, in the orientation of the crop."""
    bare: float = 0.0
    """The chance that no tile lies there at all; 0 for a tile beyond doubt."""
    look_again: bool = False
    """Whether it is in doubt only because one picture cannot tell it from a number that looks like it."""

    def __post_init__(self) -> None:
        if self.corners_px.shape != (4, 2):
            raise ValueError(f"expected corners_px of shape (4, 2), got {self.corners_px.shape}")

    @property
    def name(self) -> str:
        """``red-7``, ``joker`` or ``face-down``."""
        return FACE_DOWN if self.tile is None else self.tile.name


@dataclass(frozen=True, slots=True)
class Quality:
    """Flags about the whole picture; each is a reason to look again or to ask."""

    sharp: bool = True
    glare: bool = False
    dark: bool = False
    hand: bool = False
    bright: bool = False
    packed: bool = False
    """The picture is compressed so much that little is left of the colours."""
    colourless: bool = False
    """It is compressed so much that a petrol print appears black; then nothing is read beyond doubt."""
    grey: bool = False
    """The picture has no colours, or such faint ones that inks look black; then every ink is in doubt."""
    glare_px: tuple[tuple[float, float], ...] = ()
    """The places in the picture of the tiles that mirror a lamp."""
    bleached: frozenset[int] = field(default=frozenset(), compare=False)
    """The indices of the tiles that mirror a lamp or are white in all channels."""
    clipped: frozenset[int] = field(default=frozenset(), compare=False)
    """The indices of the tiles whose body is clipped in any channel, so that inks seem to absorb less of it."""
    unlit: frozenset[int] = field(default=frozenset(), compare=False)
    """The indices of the tiles whose body is all but black in some channel, so that no ink can be seen in it."""
    faint: frozenset[int] = field(default=frozenset(), compare=False)
    """The indices of the tiles on which nothing stands out nearly as much as prints usually do in this picture."""
    too_small: int = 0
    """The number of tiles that were found but are too small to be read."""
    cut_off_px: tuple[tuple[float, float], ...] = ()
    """The places in the picture of the tiles that its edge cuts off, whether they were read, in doubt, or not."""
    cut: frozenset[int] = field(default=frozenset(), compare=False)
    """The indices of those of them that were read."""
    small: frozenset[int] = field(default=frozenset(), compare=False)
    """The indices of the tiles whose outlines are too small, so that a part of the print may lie outside."""

    def for_tiles(self, kept: Sequence[int]) -> Quality:
        """Return the quality of a picture of which only the tiles with these indices are considered, in this order."""

        def among(tiles: frozenset[int]) -> frozenset[int]:
            return frozenset(at for at, tile in enumerate(kept) if tile in tiles)

        return replace(self, bleached=among(self.bleached), clipped=among(self.clipped), unlit=among(self.unlit),
                       faint=among(self.faint), cut=among(self.cut), small=among(self.small))  # fmt: skip

    @property
    def poor(self) -> bool:
        """Whether inks and prints are easily confused in the whole picture."""
        return self.bright or self.dark or self.packed or self.grey or not self.sharp

    def to_json(self) -> dict[str, Any]:
        """Return the `quality` object of the JSON output."""
        return {
            "sharp": self.sharp,
            "glare": self.glare,
            "dark": self.dark,
            "hand": self.hand,
            "bright": self.bright,
            "packed": self.packed,
            "colourless": self.colourless,
            "grey": self.grey,
            "glare_px": [[round(x, 1), round(y, 1)] for x, y in self.glare_px],
            "too_small": self.too_small,
            "cut_off": len(self.cut_off_px),
            "cut_off_px": [[round(x, 1), round(y, 1)] for x, y in self.cut_off_px],
        }


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """The result of a look. `sets` holds indices into `reads`: only face-up tiles, each set in reading order."""

    tileset: str
    scale: str
    reads: tuple[Read, ...]
    sets: tuple[tuple[int, ...], ...]
    quality: Quality = field(default_factory=Quality)
    timings_ms: dict[str, float] = field(default_factory=dict)
    sure_from: float = 1.0
    """The confidence from which its reads are beyond doubt."""
    outline_px: Floats | None = None
    """The corners (4, 2) of the play area in the picture, top left first; None in a picture without markers."""
    table_mm: tuple[float, float] | None = None
    """Width and depth of the play area; None if unknown."""

    @property
    def table(self) -> tuple[tuple[Tile, ...], ...]:
        """The sets as tiles; face-down tiles are never part of a set."""
        return tuple(tuple(t for i in s if (t := self.reads[i].tile) is not None) for s in self.sets)

    @property
    def doubts(self) -> tuple[int, ...]:
        """The indices of the reads that must not be judged yet."""
        return tuple(i for i, read in enumerate(self.reads) if read.doubtful)

    def to_json(self, image: str) -> dict[str, Any]:
        """Return the JSON object of `read --json` (docs/command-line.md) for the picture called `image`."""
        return {
            "image": image,
            "tileset": self.tileset,
            "scale": self.scale,
            "tiles": [record_read(i, read).to_json() for i, read in enumerate(self.reads)],
            "sets": [list(s) for s in self.sets],
            "quality": self.quality.to_json(),
            "timings_ms": {k: round(v, 1) for k, v in self.timings_ms.items()},
        }


def enlarge_sighting(sighting: Sighting, by: tuple[float, float]) -> Sighting:
    """Return the sighting of a reduced picture in pixels of the whole one, which is `by` times as wide and as high."""
    ratio = np.asarray(by, np.float32)

    def move(places: npt.ArrayLike) -> Floats:
        return np.asarray((np.asarray(places, np.float32) + 0.5) * ratio - 0.5, np.float32)

    reads = tuple(replace(read, corners_px=move(read.corners_px)) for read in sighting.reads)
    glare, cut_off = (
        tuple((float(x), float(y)) for x, y in map(move, places))
        for places in (sighting.quality.glare_px, sighting.quality.cut_off_px)
    )
    quality = replace(sighting.quality, glare_px=glare, cut_off_px=cut_off)
    outline = None if sighting.outline_px is None else move(sighting.outline_px)
    return replace(sighting, reads=reads, quality=quality, outline_px=outline)


def record_read(index: int, read: Read) -> ReadRecord:
    """Return a read as it is written in JSON and in questions, with lengths and chances rounded."""
    return ReadRecord(
        index,
        read.name,
        round(read.confidence, 5),
        read.doubtful,
        tuple((name, round(p, 5)) for name, p in read.alternatives),
        None if read.x_mm is None else round(read.x_mm, 1),
        None if read.y_mm is None else round(read.y_mm, 1),
        round(read.angle_deg % 360.0, 1) % 360.0,
        tuple((round(float(x), 1), round(float(y), 1)) for x, y in read.corners_px),
    )


def perhaps_bare(read: Read, chance: float) -> Read:
    """Return the read of a place that is bare with this chance: in doubt, and with face down among the alternatives.

    For the rules, a face-down tile and no tile are the same. The likeliest tile stays the first.
    """
    others = {name: p * (1 - chance) for name, p in read.alternatives}
    others[FACE_DOWN] = others.get(FACE_DOWN, 0.0) + chance
    if read.name == FACE_DOWN:
        del others[FACE_DOWN]
    likeliest = sorted(others.items(), key=lambda one: -one[1])
    return replace(
        read, confidence=read.confidence * (1 - chance), doubtful=True, alternatives=tuple(likeliest), bare=chance
    )


class Reader(Protocol):
    """Anything that reads pictures; if `tileset` is None, it finds out which box it is."""

    def read(
        self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], *, marked_only: bool = False
    ) -> Sighting:
        """Return what lies on the table in `picture`; raises CannotJudge if it shows no table.

        With `marked_only`, also raises it for a picture without markers.
        """
