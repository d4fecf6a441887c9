"""The contact sheet of the enrolment under way: each tile of each picture, with its name."""

from __future__ import annotations

from dataclasses import replace

from referee.game.tiles import FACE_DOWN
from referee.table.preparation.enrol_steps import Enrolling
from referee.table.preparation.prepared import PictureKept, TileShown
from referee.vision.sighting import Image

Names = tuple[tuple[tuple[str, bool], ...], ...]


class Sheet:
    """Crops of all tiles, picture by picture, and their names once the box has been learnt."""

    def __init__(self) -> None:
        self._batches: list[PictureKept] = []
        self._names: Names = ()
        self.number = 0
        """Changes whenever tiles are added or removed."""
        self._taken = 0

    @property
    def crops(self) -> tuple[Image, ...]:
        """One crop of each tile, and of each thing taken for no tile, in the order of `tiles()`."""
        return tuple(crop for batch in self._batches for crop in (*batch.crops, *batch.passed))

    @property
    def pictures(self) -> tuple[PictureKept, ...]:
        """The pictures that count."""
        return tuple(self._batches)

    def add(self, picture: PictureKept) -> None:
        """Add a picture."""
        self._taken += 1
        self._batches.append(replace(picture, number=self._taken))
        self._names = ()
        self.number += 1

    def picture(self, batch: int) -> PictureKept:
        """Return a picture by its index, from 0."""
        return self._batches[batch]

    def change(self, batch: int, picture: PictureKept) -> None:
        """Replace a picture, because a tile was added to it."""
        self._batches[batch] = replace(picture, number=self._batches[batch].number)
        self._names = ()
        self.number += 1

    def keep(self, batches: int) -> None:
        """Keep only the first `batches` pictures."""
        if len(self._batches) > batches:
            del self._batches[batches:]
            self._names = ()
            self.number += 1

    def show_learnt_names(self, names: Names) -> None:
        """Show the names that the tiles have according to the box that was learnt from them."""
        self._names = names

    def clear(self) -> None:
        """Remove all pictures."""
        self.keep(0)

    def has_tile(self, one: Enrolling, batch: int, read: int) -> bool:
        """Return whether the picture `batch` has a tile `read`, both counted from 0."""
        return batch < len(one.batches) and read < len(one.batches[batch].sighting.reads)

    def tiles(self, one: Enrolling) -> tuple[TileShown, ...]:
        """Return all tiles with their names: as somebody said, or else as learnt, or else as read."""
        asked = {(question.batch, question.read): question.names for question in one.questions}
        shown = []
        for number, (batch, kept) in enumerate(zip(one.batches, self._batches, strict=False)):
            reads = len(batch.sighting.reads)
            for index, read in enumerate(batch.sighting.reads):
                name, doubtful = FACE_DOWN if read.tile is None else read.tile.name, read.doubtful
                if number < len(self._names) and index < len(self._names[number]):
                    name, doubtful = self._names[number][index]
                if (number, index) in one.answers:
                    name, doubtful = one.answers[number, index], False
                shown.append(
                    TileShown(number, index, name, doubtful, kept.outlines[index], asked.get((number, index), ()))
                )
            shown += [
                TileShown(number, index, FACE_DOWN, doubtful=True, outline=outline, passed=True)
                for index, outline in enumerate(kept.outlines[reads:])
            ]
        return tuple(shown)
