"""The composition root: the one place that knows which piece goes with which."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from referee.devices.onnx import OnnxModel, load_description
from referee.game.tiles import TileSet
from referee.vision.geometry import Lens
from referee.vision.overlay import draw
from referee.vision.pipeline import TableReader
from referee.vision.sighting import Image, Sighting

MODELS_VARIABLE = "REFEREE_MODELS"

Draw = Callable[[Image, Sighting], Image]


class Reader(Protocol):
    """Whatever makes a sighting of a picture; `tileset` None means: find out which box this is."""

    def read(
        self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], *, marked_only: bool = False
    ) -> Sighting:
        """What lies on the table in `picture`; with `marked_only` one without markers is refused."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the verbs work with; `reader` loads the model only when a verb needs it."""

    reader: Callable[[], Reader]
    draw: Draw
    seeing: Callable[[Lens], Reader] | None = None

    def reader_through(self, lens: Lens | None) -> Reader:
        """The reader for pictures through a lens that is known; None: through some lens."""
        return self.reader() if lens is None or self.seeing is None else self.seeing(lens)


def models_dir(environ: Mapping[str, str]) -> Path:
    """The folder of the model files: `REFEREE_MODELS`, or `models/` beside the package."""
    chosen = environ.get(MODELS_VARIABLE)
    return Path(chosen) if chosen else Path(__file__).resolve().parent.parent / "models"


def build_reader(models: Path | None = None, lens: Lens | None = None) -> TableReader:
    """A reader of whole pictures, with both networks checked and loaded."""
    description = load_description(models or models_dir(os.environ))
    finder, reader = (OnnxModel(description.files[part]) for part in ("finder", "reader"))
    return TableReader(finder, reader, description.tables, lens=lens)


def compose() -> Parts:
    """The real parts."""
    return Parts(reader=build_reader, draw=draw, seeing=lambda lens: build_reader(lens=lens))
