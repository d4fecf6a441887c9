"""Help for tests of the command line: prepared sightings instead of a model."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from referee.cli.main import main
from referee.cli.parts.readers import Parts
from referee.game.tiles import TILE_SETS, Tile, TileSet
from referee.vision.sighting import Image, Quality, Read, Sighting


def read_of(name: str, doubtful: bool = False, alternatives: tuple[tuple[str, float], ...] = ()) -> Read:
    return Read(
        tile=None if name == "face-down" else Tile.from_name(name),
        confidence=0.6 if doubtful else 0.99999,
        doubtful=doubtful,
        alternatives=alternatives,
        corners_px=np.zeros((4, 2), np.float32),
        angle_deg=0.0,
    )


SEEN_GROUP = [read_of("red-10"), read_of("blue-10"), read_of("black-10")]
DOUBTFUL = read_of("red-7", True, (("red-7", 0.6), ("red-1", 0.3)))


def sighting_of(
    *sets: Sequence[Read], loose: Sequence[Read] = (), quality: Quality | None = None, scale: str = "markers"
) -> Sighting:
    reads = [read for members in sets for read in members] + list(loose)
    ends = np.cumsum([0, *map(len, sets)]).tolist()
    indices = tuple(tuple(range(a, b)) for a, b in itertools.pairwise(ends))
    return Sighting("rummikub", scale, tuple(reads), indices, quality or Quality(), {"total": 1.0})


@dataclass
class FakeReader:
    """Gives prepared sightings in turn and keeps what it was asked."""

    sightings: Sequence[Sighting]
    asked: list[tuple[Image, TileSet | None, tuple[float, float]]] = field(default_factory=list)

    def read(self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], **_: bool) -> Sighting:
        self.asked.append((picture, tileset, table_mm))
        return self.sightings[min(len(self.asked), len(self.sightings)) - 1]


def negative(picture: Image, sighting: Sighting) -> Image:
    assert sighting.tileset in TILE_SETS
    return cv2.bitwise_not(picture).astype(np.uint8)


def run(arguments: Sequence[object], *sightings: Sighting) -> tuple[int, FakeReader]:
    """The exit code of a command line whose reader sees `sightings`, and that reader."""
    reader = FakeReader(sightings)
    return main([str(a) for a in arguments], lambda: Parts(lambda: reader, negative)), reader
