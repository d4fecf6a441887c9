"""The contact sheet of an enrolment under way: every tile of every picture, and what it is taken for."""

from __future__ import annotations

from dataclasses import replace

from referee.game.tiles import FACE_DOWN
from referee.table.preparation.enrol_steps import Enrolling
from referee.table.preparation.prepared import PictureKept, TileShown
from referee.vision.sighting import Image

Names = tuple[tuple[tuple[str, bool], ...], ...]


class Sheet:
    """Crops of all tiles, picture by picture, and their names once they are learnt."""

    def __init__(self) -> None:
        self._batches: list[PictureKept] = []
        self._names: Names = ()
        self.number = 0
        """Another one whenever tiles come or go."""
        self._taken = 0

    @property
    def crops(self) -> tuple[Image, ...]:
        """One of each tile, and of each thing that was passed over, as `tiles` has them."""
        return tuple(crop for batch in self._batches for crop in (*batch.crops, *batch.passed))

    @property
    def pictures(self) -> tuple[PictureKept, ...]:
        """Those that count."""
        return tuple(self._batches)

    def add(self, picture: PictureKept) -> None:
        """One more picture counts."""
        self._taken += 1
        self._batches.append(replace(picture, number=self._taken))
        self._names = ()
        self.number += 1

    def picture(self, batch: int) -> PictureKept:
        """The picture of that number, from 0."""
        return self._batches[batch]

    def change(self, batch: int, picture: PictureKept) -> None:
        """A tile was added to that picture."""
        self._batches[batch] = replace(picture, number=self._batches[batch].number)
        self._names = ()
        self.number += 1

    def keep(self, batches: int) -> None:
        """Only this many pictures count."""
        if len(self._batches) > batches:
            del self._batches[batches:]
            self._names = ()
            self.number += 1

    def show_learnt_names(self, names: Names) -> None:
        """What the tiles are with the box that was learnt from them."""
        self._names = names

    def clear(self) -> None:
        """No picture any more."""
        self.keep(0)

    def has_tile(self, one: Enrolling, batch: int, read: int) -> bool:
        """Whether there is such a tile."""
        return batch < len(one.batches) and read < len(one.batches[batch].sighting.reads)

    def tiles(self, one: Enrolling) -> tuple[TileShown, ...]:
        """Every tile as it stands: told by somebody, learnt, or as it was read."""
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
