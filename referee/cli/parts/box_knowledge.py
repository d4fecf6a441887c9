"""What is known of the box at a table: its enrolment, what was learnt this evening, and how to enrol it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from referee.cli.parts.readers import Learner, Parts, in_a_match, of_any_camera
from referee.devices.box_file import box_path, boxes_folder, read_sealed, save_box, write_sealed
from referee.devices.camera.network.address import place_of
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, Tile, TileSet
from referee.settings.settings import CameraSettings, Settings
from referee.table.preparation.enrol_steps import Learnt, Named, Pictured
from referee.table.preparation.teaching import Taught
from referee.vision.boxes import evening as evenings
from referee.vision.boxes.batches import faults_of
from referee.vision.boxes.box import Box
from referee.vision.boxes.enrol import Batch
from referee.vision.boxes.evening import Evening
from referee.vision.geometry.pose import Lens
from referee.vision.sighting import Image, Reader, Sighting

EVENING = "evening.json"
EVENING_KIND = "referee-evening"


@dataclass(frozen=True, slots=True)
class EveningFile:
    """The file that keeps an evening for the next start; one that is damaged, old or for something else is ignored."""

    state: Path

    def load(self, key: str, t: float) -> Evening:
        """Return what is still valid at the wall-clock time `t` for the same `key`; otherwise an empty evening."""
        with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError, OSError):  # BadInput is a ValueError
            evening = Evening.from_json(read_sealed(self.state / EVENING, EVENING_KIND, evenings.VERSION))
            if evening.fresh(key, t):
                return evening
        return Evening(key)

    def save(self, evening: Evening) -> None:
        """Save the evening; if that fails, the next start simply does not have it."""
        with contextlib.suppress(BadInput, ValueError):
            write_sealed(self.state / EVENING, EVENING_KIND, evenings.VERSION, evening.to_json())


@dataclass(frozen=True, slots=True)
class TableTeacher:
    """Enrols a box at the table with the camera's pictures. The reader in use knows the box from then on."""

    learner: Learner
    taught: Taught
    path: Path
    tiles: Callable[[], TileSet]
    table_mm: tuple[float, float]

    @property
    def name(self) -> str:
        """The name of the box: the name of its file without the suffix."""
        return self.path.stem

    @property
    def tileset(self) -> TileSet:
        """The kind of box for the next match."""
        return self.tiles()

    def picture(self, picture: Image, number: int) -> Pictured:
        """Return what one picture shows; raises CannotJudge if it shows no marked table."""
        batch = self.learner.batch(picture, f"picture {number}", self.tileset, self.table_mm)
        return Pictured(batch, faults_of(batch))

    def with_tile(self, batch: Batch, picture: Image, place_px: tuple[float, float], tile: Tile) -> Batch:
        """Return the batch of a picture with `tile` added at a pixel (x, y)."""
        return self.learner.with_tile_named(batch, picture, place_px, tile, self.tileset, self.table_mm)

    def learn(self, batches: Sequence[Batch], named: Named, *, sure: bool = False) -> Learnt:
        """Learn the box, save it, and use it for reading from then on."""
        learnt = self.learner.enrol(self.name, self.tileset, batches, named, sure=sure)
        if learnt.box is None:
            return Learnt(learnt)
        reread = self.learner.reread(batches, learnt.box, self.tileset)
        if reread.strange:
            many = tuple(Tile.from_name(name) for name in reread.strange if name != FACE_DOWN)
            return Learnt(replace(learnt, box=None, problems=(Notice("box.more_read", tiles=many),)))
        try:
            save_box(self.path, learnt.box)
        except BadInput as error:
            return Learnt(learnt, str(error))
        self.taught.use(learnt.box)
        return Learnt(learnt, names=reread.names)


@dataclass(frozen=True, slots=True)
class Following:
    """Makes readers for successive pictures; a reader that knows more reads its first picture completely."""

    learner: Learner

    def reader_for(self, box: Box | None, evening: Evening | None = None) -> Reader:
        """Return a reader that knows the box and the evening, and reads only what changes between pictures."""
        return in_a_match(self.learner.reader_for(box, evening))


def same_camera(camera: CameraSettings) -> str:
    """Return what identifies a camera in the evening's file; an address is shortened, as it may contain a password."""
    source = place_of(camera.source) if camera.kind == "network" else camera.source
    return f"{camera.kind} {source} {camera.width_px}x{camera.height_px}"


@dataclass(slots=True)
class AtTheTable:
    """Makes the reader of a match once the lens is known, and the teacher that enrols a box."""

    parts: Parts
    settings: Settings
    state: Path
    box: Box | None
    taught: Taught | None = None
    _learner: Learner | None = None

    def reader(self, lens: Lens | None) -> Reader:
        """Return a reader that knows the box, and what was learnt this evening with the same camera."""
        if self.parts.learner is None:
            return in_a_match(self.parts.reader_through(lens))
        learner, camera, kept = self.parts.learner(lens), self.settings.camera, EveningFile(self.state)
        seen_by = same_camera(camera)

        def key(box: Box | None) -> str:
            return f"{learner.checksum[:16]} {'' if box is None else box.name} {seen_by}"

        evening = kept.load(key(self.box), time.time())
        self._learner = learner
        self.taught = Taught(
            Following(learner), self.box, evening, key=key, store=kept.save, now=time.monotonic, wall=time.time
        )  # fmt: skip
        return self.taught

    def read_picture(self, picture: Image, tiles: TileSet | None, own: bool) -> Sighting:
        """Read a picture that does not belong to the match, with all that is known of the box.

        `own`: it is from the table's camera; otherwise it may be from a phone, whose lens is unknown. The networks are
        those of the match, and nothing is learnt. May be called in any thread, once `reader()` was called.
        """
        table = self.settings.table
        return self._reader_of_pictures(tiles, own=own).read(picture, tiles, (table.width_mm, table.height_mm))

    def _reader_of_pictures(self, tiles: TileSet | None, *, own: bool) -> Reader:
        learner, taught = self._learner, self.taught
        if learner is None or taught is None:
            return self.parts.reader()
        fits = taught.box is None or tiles is None or taught.box.tileset == tiles.name
        reader = learner.reader_for(taught.box if fits else None, taught.evening if own and fits else None)
        return reader if own else of_any_camera(reader)

    def teacher(self, tiles: Callable[[], TileSet]) -> TableTeacher | None:
        """Return a teacher for the box of the settings, or one named like its tile set; None before `reader()`."""
        if self._learner is None or self.taught is None:
            return None
        table = self.settings.table
        path = box_path(table.box or tiles().name, boxes_folder(self.state))
        return TableTeacher(self._learner, self.taught, path, tiles, (table.width_mm, table.height_mm))
