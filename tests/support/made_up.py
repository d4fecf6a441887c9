"""Boxes, answers and learners made up for tests: what a reader would answer to tiles, without any network."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.errors import BadInput
from referee.game.tiles import HIGHEST, Colour, Tile, TileSet, tile_set
from referee.vision.boxes.batches import reread
from referee.vision.boxes.box import Box
from referee.vision.boxes.enrol import Batch, enrol
from referee.vision.reading.answers import EMBEDDING, INK, SHIFTS, Predictions
from referee.vision.reading.glyphs import BACK_KIND, FACES, INVERTED, JOKER, JOKER_KIND, KINDS, NUMERALS, SUITS
from referee.vision.reading.inks import InkPrior
from referee.vision.reading.joint import Calibration, Known
from referee.vision.sighting import Quality, Read, Sighting

READER = "5eed" * 16
"""The checksum of a reader network that does not exist."""
INKS = {
    Colour.BLACK: (0.90, 0.90, 0.90),
    Colour.BLUE: (0.25, 0.60, 0.90),
    Colour.RED: (0.80, 0.85, 0.15),
    Colour.YELLOW: (0.80, 0.15, 0.05),
    Colour.ORANGE: (0.85, 0.50, 0.05),
    Colour.GREEN: (0.60, 0.25, 0.75),
}
"""Absorbance in blue, green and red."""
RNG = np.random.default_rng(7)
DIRECTIONS = RNG.normal(size=(FACES, EMBEDDING)).astype(np.float32)
"""What every face looks like to the reader, when nobody has moved it: as good as orthogonal."""


def prior_for(tileset: TileSet, spread: float = 0.1) -> InkPrior:
    """One class of light, in which every ink looks one way."""
    k = len(tileset.colours)
    means = np.asarray([INKS[c] for c in tileset.colours])
    return InkPrior(tileset.colours, np.ones(1), np.ones((1, k, 1)), means[None, :, None],
                    np.broadcast_to(spread**2 * np.eye(3), (1, k, 1, 3, 3)))  # fmt: skip


def known_for(tileset: TileSet) -> Known:
    return Known((prior_for(tileset),))


def embedding_of(name: str, turned: bool = False, noise: float = 0.0) -> np.ndarray:
    face = JOKER + 1
    if name == "joker":
        face = JOKER
    elif name != "face-down":
        face = Tile.from_name(name).number - 1 + (HIGHEST if turned else 0)
    return np.asarray(DIRECTIONS[face] + noise * RNG.normal(size=EMBEDDING), np.float32)


def answers_for(names: Sequence[str], doubtful: dict[int, str] | None = None, *, turned: bool = False) -> Predictions:
    """Answers to upright tiles of these names; those in `doubtful` may as well bear the number of another name."""
    n = len(names)
    kinds, suits = np.full((n, KINDS), -4.0, np.float32), np.full((n, len(SUITS)), -6.0, np.float32)
    absorbed = np.zeros((n, INK), np.float32)
    suits[:, 0] = 6.0
    for i, name in enumerate(names):
        for shown in (name, (doubtful or {}).get(i, name)):
            tile = None if shown == "face-down" else Tile.from_name(shown)
            if tile is None or tile.is_joker:
                kinds[i, BACK_KIND if tile is None else JOKER_KIND] = 8.0
            else:
                kinds[i, NUMERALS.index(str(tile.number)) + (INVERTED if turned else 0)] = 8.0
        if name not in ("face-down", "joker"):
            absorbed[i] = INKS[Tile.from_name(name).colour]
    spread = np.full((n, INK), np.log(0.03), np.float32)
    embedding = np.asarray([embedding_of(name, turned) for name in names], np.float32).reshape(n, EMBEDDING)
    return Predictions(kinds, suits, absorbed, spread, np.zeros((n, SHIFTS), np.float32), embedding)


def quads(n: int, width: float = 52.0, across: int = 12) -> np.ndarray:
    """Corners (n, 4, 2) of upright tiles in a grid, pixels."""
    at = np.asarray([(20 + (i % across) * width * 1.3, 20 + (i // across) * width * 1.8) for i in range(n)])
    box = np.asarray([[0, 0], [1, 0], [1, 1.44], [0, 1.44]]) * width
    return np.asarray(at.reshape(-1, 1, 2) + box, np.float32)


def sighting_for(
    names: Sequence[str], tileset: TileSet, doubtful: dict[int, str] | None = None, quality: Quality | None = None,
    width: float = 52.0, scale: str = "markers",
) -> Sighting:  # fmt: skip
    corners = quads(len(names), width)
    reads = []
    for i, name in enumerate(names):
        tile = None if name == "face-down" else Tile.from_name(name)
        unsure = i in (doubtful or {})
        ink = None if tile is None or tile.colour is None else INKS[tile.colour]
        place = corners[i].mean(axis=0) / 2.0
        reads.append(
            Read(tile, 0.5 if unsure else 1.0, unsure, (((doubtful or {})[i], 0.49),) if unsure else (), corners[i],
                 0.0, float(place[0]), float(place[1]), None, ink, embedding_of(name))
        )  # fmt: skip
    outline = np.asarray([[0, 0], [900, 0], [900, 600], [0, 600]], np.float32)
    sets = tuple((i,) for i, name in enumerate(names) if name != "face-down")
    return Sighting(tileset.name, scale, tuple(reads), sets, quality or Quality(), {}, 0.98, outline)


def batch_for(name: str, names: Sequence[str], tileset: TileSet, doubtful: dict[int, str] | None = None,
              **more: object) -> Batch:  # fmt: skip
    sighting = sighting_for(names, tileset, doubtful, **more)  # type: ignore[arg-type]
    sides = np.tile(np.asarray([[26.0, 37.5]], np.float32), (len(names), 1))
    return Batch(name, sighting, answers_for(names, doubtful), answers_for(names, doubtful, turned=True), sides)


def whole_box(tileset: TileSet, pictures: int = 4) -> list[list[str]]:
    """The names of all tiles of a box, dealt out to so many pictures."""
    names = [tile.name for tile, count in tileset.inventory().items() for _ in range(count)]
    return [names[i::pictures] for i in range(pictures)]


def box_for(tileset: TileSet, name: str = "ours", reader: str = READER) -> Box:
    batches = [batch_for(f"{i}.png", names, tileset) for i, names in enumerate(whole_box(tileset))]
    box = enrol(name, tileset, batches, reader, known_for(tileset), Calibration()).box
    assert box is not None
    return box


class MadeUpLearner:
    """Learns for real, from pictures whose answers are made up: the batches, in turn."""

    def __init__(self, tileset: str = "gin", batches: Sequence[Batch | Exception] = (), reader: object = None) -> None:
        self.tileset = tile_set(tileset)
        self.checksum = READER
        self._batches = itertools.cycle(batches) if batches else iter(())
        self.reader = reader
        self.known: list[tuple[object, object]] = []
        self.tables: list[tuple[float, float]] = []
        self.shown: list[tuple[str, tuple[float, float], str]] = []

    def reader_for(self, box, evening=None):
        self.known.append((box, evening))
        return self.reader

    def batch(self, picture, name, tileset, table_mm):
        assert picture.ndim == 3
        assert tileset.name == self.tileset.name
        self.tables.append(table_mm)
        batch = next(self._batches)
        if isinstance(batch, Exception):
            raise batch
        return replace(batch, picture=name)

    def with_tile_named(self, batch, picture, place_px, tile, tileset, table_mm):
        """One more tile of that name, as plain to read as any."""
        height, width = picture.shape[:2]
        if not (place_px[0] < width and place_px[1] < height):
            raise BadInput(f"expected a place within {width} x {height} pixels, found {place_px}")
        assert table_mm == self.tables[-1]
        self.shown.append((batch.picture, place_px, tile.name))
        more = batch_for(batch.picture, [tile.name], tileset)
        sighting = replace(batch.sighting, reads=(*batch.sighting.reads, *more.sighting.reads))
        return Batch(
            batch.picture, sighting, batch.answers.followed_by(more.answers), batch.turned.followed_by(more.turned),
            np.concatenate([batch.sides_mm, more.sides_mm]), batch.passed_px[1:],
            {**batch.named, len(batch.answers): tile.name},
        )  # fmt: skip

    def enrol(self, name, tileset, batches, named, *, sure=False):
        return enrol(name, tileset, batches, self.checksum, known_for(tileset), Calibration(), named, sure=sure)

    def reread(self, batches, box, tileset):
        return reread(batches, box, tileset, known_for(tileset), Calibration())
