"""The composition root: the only module that knows which networks, readers and boxes belong together."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from referee.cli.parts import carried
from referee.devices.onnx import NETWORKS, ModelDescription, OnnxModel, load_arrays, load_description, serving_threads
from referee.game.tiles import Tile, TileSet, tile_set
from referee.vision.boxes.batches import Reread, reread
from referee.vision.boxes.box import Box
from referee.vision.boxes.enrol import Batch, Enrolment
from referee.vision.boxes.evening import Evening
from referee.vision.boxes.pictures import EnrolmentReader
from referee.vision.geometry.pose import Lens
from referee.vision.overlay import draw
from referee.vision.partial_reader import PartialReader
from referee.vision.pipeline import TableReader
from referee.vision.placing import Nets
from referee.vision.reading.inks import priors_from
from referee.vision.reading.joint import Calibration, Known
from referee.vision.reading.look_alikes import PAIRS
from referee.vision.sighting import Image, Reader, Sighting

MODELS_VARIABLE = "REFEREE_MODELS"
MODELS = carried.places("models")

Draw = Callable[[Image, Sighting], Image]


class Learner(Protocol):
    """The networks: what can be learnt with them, and readers that use it."""

    @property
    def checksum(self) -> str:
        """Identifies the reader network; what was learnt with one network cannot be used with another."""

    def reader_for(self, box: Box | None, evening: Evening | None = None) -> Reader:
        """Return a reader that knows the box in use, and what was learnt of it this evening."""

    def batch(self, picture: Image, name: str, tileset: TileSet, table_mm: tuple[float, float]) -> Batch:
        """Read one picture of an enrolment; raises CannotJudge if it shows no marked table."""

    def with_tile_named(
        self, batch: Batch, picture: Image, place_px: tuple[float, float], tile: Tile, tileset: TileSet,
        table_mm: tuple[float, float],
    ) -> Batch:  # fmt: skip
        """Return the batch with `tile` added at a pixel (x, y); raises BadInput if that is outside the picture."""

    def enrol(
        self, name: str, tileset: TileSet, batches: Sequence[Batch], named: Mapping[tuple[int, int], str],
        *, sure: bool = False,
    ) -> Enrolment:  # fmt: skip
        """Return the result of all pictures. If `sure`, the kind of box is accepted whatever its inks look like."""

    def reread(self, batches: Sequence[Batch], box: Box, tileset: TileSet) -> Reread:
        """Read the pictures of an enrolment again, with the box that was learnt from them."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that the verbs use; `reader` and `learner` load the model only when a verb needs it.

    If `learner` is None, boxes are neither known nor learnt.
    """

    reader: Callable[[], Reader]
    draw: Draw
    seeing: Callable[[Lens], Reader] | None = None
    learner: Callable[[Lens | None], Learner] | None = None
    checksum: Callable[[], str] | None = None
    """Returns the checksum of the reader network without loading it."""

    def reader_through(self, lens: Lens | None) -> Reader:
        """Return the reader for pictures taken through this lens; None: through an unknown lens."""
        return self.reader() if lens is None or self.seeing is None else self.seeing(lens)


def models_dir(environ: Mapping[str, str]) -> Path:
    """Return the folder of the model files: `REFEREE_MODELS`, or the one that came with the program."""
    chosen = environ.get(MODELS_VARIABLE)
    return Path(chosen) if chosen else next((folder for folder in MODELS if folder.is_dir()), MODELS[-1])


def load_nets(files: Mapping[str, Path], threads: int | None = None) -> Nets:
    """Load the networks of a model; `threads` is how many work on one picture, by default `serving_threads()`.

    The finder divides its one large input between them. Crops come in batches, of which each thread reads others.
    """
    threads = threads or serving_threads()
    finder, aligner, reader, look_alikes = (files[part] for part in NETWORKS)
    return Nets(
        OnnxModel(finder, threads), OnnxModel(aligner, 1), OnnxModel(reader, 1),
        OnnxModel(look_alikes, 1, columns=len(PAIRS)), threads,
    )  # fmt: skip


class Networks:
    """The networks, checked and loaded once, and readers that share them."""

    def __init__(self, description: ModelDescription, lens: Lens | None = None) -> None:
        self._tables, self._lens = description.tables, lens
        self._nets = load_nets(description.files)
        self._known = Known(priors_from(load_arrays(description.files["inks"])))
        self._calibration = Calibration.from_description(description.tables["reader"])
        self.checksum = str(description.tables["reader"]["sha256"])

    def reader_for(self, box: Box | None, evening: Evening | None = None) -> TableReader:
        """Return a reader that knows a box, and what was learnt this evening."""
        return TableReader(self._nets, self._tables, known_of(self._known, box, evening), lens=self._lens)

    def batch(self, picture: Image, name: str, tileset: TileSet, table_mm: tuple[float, float]) -> Batch:
        """Read one picture of an enrolment, without knowledge of the box."""
        return self._enrolment_reader().batch(picture, name, tileset, table_mm)

    def with_tile_named(
        self, batch: Batch, picture: Image, place_px: tuple[float, float], tile: Tile, tileset: TileSet,
        table_mm: tuple[float, float],
    ) -> Batch:  # fmt: skip
        """Return the batch with a tile that people have shown and named."""
        return self._enrolment_reader().with_tile_named(batch, picture, place_px, tile, tileset, table_mm)

    def enrol(
        self, name: str, tileset: TileSet, batches: Sequence[Batch], named: Mapping[tuple[int, int], str],
        *, sure: bool = False,
    ) -> Enrolment:  # fmt: skip
        """Return the result of all pictures. If `sure`, the kind of box is accepted whatever its inks look like."""
        return self._enrolment_reader().enrol(name, tileset, batches, self.checksum, named, sure=sure)

    def _enrolment_reader(self) -> EnrolmentReader:
        return EnrolmentReader(self.reader_for(None))

    def reread(self, batches: Sequence[Batch], box: Box, tileset: TileSet) -> Reread:
        """Read the pictures again with the box that was learnt from them."""
        return reread(batches, box, tileset, self._known, self._calibration)


def known_of(known: Known, box: Box | None, evening: Evening | None) -> Known:
    """Return the knowledge for a reader: the usual priors, the enrolled box, and what was learnt this evening."""
    if evening is None or not evening.tables:
        return replace(known, box=box)
    if box is not None:
        taught = evening.teach_box(box, known.prior_of(tile_set(box.tileset)))
        return replace(known, box=taught)
    return replace(known, priors=tuple(evening.sharpen(prior) for prior in known.priors))


def load_networks(lens: Lens | None = None, models: Path | None = None) -> Networks:
    """Load a folder's networks, for pictures through `lens`; raises BadModel if a file is not the one described."""
    return Networks(load_description(models or models_dir(os.environ)), lens)


def reader_checksum() -> str:
    """Return the checksum of the reader network; raises BadModel if a file is not the one described."""
    return str(load_description(models_dir(os.environ)).tables["reader"]["sha256"])


def build_reader(models: Path | None = None, lens: Lens | None = None, box: Box | None = None) -> TableReader:
    """Return a reader of whole pictures that knows `box`, with all networks checked and loaded."""
    return load_networks(lens, models).reader_for(box)


def in_a_match(reader: Reader) -> Reader:
    """Return the reader for successive pictures of a match; it reads only what has changed."""
    return PartialReader(reader) if isinstance(reader, TableReader) else reader


def of_any_camera(reader: Reader) -> Reader:
    """Return the reader for pictures of any camera, whose lens is unknown."""
    return reader.without_lens() if isinstance(reader, TableReader) else reader


def compose() -> Parts:
    """Return the real parts."""
    return Parts(build_reader, draw, lambda lens: build_reader(lens=lens), load_networks, reader_checksum)
