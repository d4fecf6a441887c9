"""The composition root: the one place that knows which piece goes with which."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from referee.cli.parts import carried
from referee.devices.onnx import ModelDescription, OnnxModel, load_arrays, load_description
from referee.game.tiles import Tile, TileSet, tile_set
from referee.vision.boxes.batches import Reread, reread
from referee.vision.boxes.box import Box
from referee.vision.boxes.enrol import Batch, Enrolment, enrol
from referee.vision.boxes.evening import Evening
from referee.vision.geometry.pose import Lens
from referee.vision.overlay import draw
from referee.vision.partial_reader import PartialReader
from referee.vision.pipeline import Nets, TableReader
from referee.vision.reading.inks import priors_from
from referee.vision.reading.joint import Calibration, Known
from referee.vision.sighting import Image, Reader, Sighting

MODELS_VARIABLE = "REFEREE_MODELS"
MODELS = carried.places("models")

Draw = Callable[[Image, Sighting], Image]


class Learner(Protocol):
    """The networks, what can be learnt with them, and readers that know it."""

    @property
    def checksum(self) -> str:
        """Names the reader network: what was learnt with it fits no other one."""

    def reader_for(self, box: Box | None, evening: Evening | None = None) -> Reader:
        """A reader that knows the box in use, and what was seen of it this evening."""

    def batch(self, picture: Image, name: str, tileset: TileSet, table_mm: tuple[float, float]) -> Batch:
        """One picture of an enrolment; raises CannotJudge where it shows no marked table."""

    def with_tile_named(
        self, batch: Batch, picture: Image, place_px: tuple[float, float], tile: Tile, tileset: TileSet,
        table_mm: tuple[float, float],
    ) -> Batch:  # fmt: skip
        """The batch of this picture in which `tile` lies at a pixel (x, y); raises BadInput for one outside of it."""

    def enrol(
        self, name: str, tileset: TileSet, batches: Sequence[Batch], named: Mapping[tuple[int, int], str],
        *, sure: bool = False,
    ) -> Enrolment:  # fmt: skip
        """What the pictures together come to; `sure`: the box is of that kind, whatever its inks look like."""

    def reread(self, batches: Sequence[Batch], box: Box, tileset: TileSet) -> Reread:
        """How the pictures of an enrolment read with the box that was learnt from them."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the verbs work with; `reader` and `learner` load the model only when a verb needs it.

    Without a `learner` nothing is known of boxes, and nothing can be learnt.
    """

    reader: Callable[[], Reader]
    draw: Draw
    seeing: Callable[[Lens], Reader] | None = None
    learner: Callable[[Lens | None], Learner] | None = None
    checksum: Callable[[], str] | None = None
    """Names the reader network without loading it."""

    def reader_through(self, lens: Lens | None) -> Reader:
        """The reader for pictures through a lens that is known; None: through some lens."""
        return self.reader() if lens is None or self.seeing is None else self.seeing(lens)


def models_dir(environ: Mapping[str, str]) -> Path:
    """The folder of the model files: `REFEREE_MODELS`, or the one that came with the package."""
    chosen = environ.get(MODELS_VARIABLE)
    return Path(chosen) if chosen else next((folder for folder in MODELS if folder.is_dir()), MODELS[-1])


class Networks:
    """The networks, checked and loaded once, and the readers that share them."""

    def __init__(self, description: ModelDescription, lens: Lens | None = None) -> None:
        self._tables, self._lens = description.tables, lens
        self._nets = Nets(*(OnnxModel(description.files[part]) for part in ("finder", "aligner", "reader")))
        self._known = Known(priors_from(load_arrays(description.files["inks"])))
        self._calibration = Calibration.from_description(description.tables["reader"])
        self.checksum = str(description.tables["reader"]["sha256"])

    def reader_for(self, box: Box | None, evening: Evening | None = None) -> TableReader:
        """A reader that knows a box, and what was seen this evening."""
        return TableReader(self._nets, self._tables, known_of(self._known, box, evening), lens=self._lens)

    def batch(self, picture: Image, name: str, tileset: TileSet, table_mm: tuple[float, float]) -> Batch:
        """One picture of an enrolment, read by somebody who does not know the box."""
        return self.reader_for(None).batch(picture, name, tileset, table_mm)

    def with_tile_named(
        self, batch: Batch, picture: Image, place_px: tuple[float, float], tile: Tile, tileset: TileSet,
        table_mm: tuple[float, float],
    ) -> Batch:  # fmt: skip
        """The batch with a tile that people show and name."""
        return self.reader_for(None).with_tile_named(batch, picture, place_px, tile, tileset, table_mm)

    def enrol(
        self, name: str, tileset: TileSet, batches: Sequence[Batch], named: Mapping[tuple[int, int], str],
        *, sure: bool = False,
    ) -> Enrolment:  # fmt: skip
        """What the pictures together come to; `sure`: the box is of that kind, whatever its inks look like."""
        return enrol(name, tileset, batches, self.checksum, self._known, self._calibration, named, sure=sure)

    def reread(self, batches: Sequence[Batch], box: Box, tileset: TileSet) -> Reread:
        """How the pictures read with the box learnt from them."""
        return reread(batches, box, tileset, self._known, self._calibration)


def known_of(known: Known, box: Box | None, evening: Evening | None) -> Known:
    """What a reader knows: the usual priors, the box that was enrolled, and what was seen this evening."""
    if evening is None or not evening.tables:
        return replace(known, box=box)
    if box is not None:
        return replace(known, box=evening.teach_box(box, known.prior_of(tile_set(box.tileset))))
    return replace(known, priors=tuple(evening.sharpen(prior) for prior in known.priors))


def load_networks(lens: Lens | None = None, models: Path | None = None) -> Networks:
    """The networks of a folder, for pictures through `lens`; raises BadModel where a file is not the one described."""
    return Networks(load_description(models or models_dir(os.environ)), lens)


def reader_checksum() -> str:
    """Names the reader network; raises BadModel where a file is not the one described."""
    return str(load_description(models_dir(os.environ)).tables["reader"]["sha256"])


def build_reader(models: Path | None = None, lens: Lens | None = None, box: Box | None = None) -> TableReader:
    """A reader of whole pictures, with all networks checked and loaded, that knows `box`."""
    return load_networks(lens, models).reader_for(box)


def in_a_match(reader: Reader) -> Reader:
    """Return the reader for successive pictures of a match, of which it reads only what has changed."""
    return PartialReader(reader) if isinstance(reader, TableReader) else reader


def compose() -> Parts:
    """The real parts."""
    return Parts(build_reader, draw, lambda lens: build_reader(lens=lens), load_networks, reader_checksum)
