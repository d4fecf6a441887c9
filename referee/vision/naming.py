"""The names of all tiles of a picture, read together, and once more where they are not quite certain."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from referee.game.tiles import FACE_DOWN, TileSet
from referee.vision.finding import grouping as group
from referee.vision.reading import joint as reading
from referee.vision.reading.answers import Predictions, join_answers
from referee.vision.reading.certainty import Trust
from referee.vision.reading.joint import is_unsure, unless_contradicted, unless_overturned
from referee.vision.sighting import Floats, Image, Read

Answer = Callable[[Image, Floats], Predictions]
_ON_ITS_HEAD = [2, 3, 0, 1]
"""The order of a quad's corners after a half turn."""


class TileNamer:
    """Names tiles by the reader's answers; `answer` reads quads (n, 4, 2) of a picture; stateless."""

    def __init__(self, known: reading.Known, calibration: reading.Calibration, answer: Answer) -> None:
        self._known, self._calibration, self._answer = known, calibration, answer

    def name_tiles(
        self, picture: Image, pixels: Floats, answered: Predictions, plane: Floats | None, tileset: TileSet | None,
        trust: Sequence[Trust],
    ) -> tuple[tuple[Read, ...], tuple[tuple[int, ...], ...], TileSet]:  # fmt: skip
        """Read all tiles together, and then once more upside down those that are not quite certain.

        For tiles in doubt both readings are combined, and all tiles are read together again. For other tiles, the
        second reading must only not contradict the first.
        """
        first, sets, box = self._read_together(answered, pixels, plane, tileset, trust)
        reads = first
        doubtful = [i for i, read in enumerate(reads) if read.doubtful]
        unsure = [i for i, read in enumerate(reads) if not read.doubtful and is_unsure(read, box, trust[i])]
        if not (doubtful or unsure):
            return reads, sets, box
        second = self._answer(picture, np.roll(pixels[doubtful + unsure], 2, axis=1))
        if doubtful:
            both = join_answers(answered, second[np.arange(len(doubtful))], np.asarray(doubtful))
            reads, sets, box = self._read_together(both, pixels, plane, tileset, trust)
            reads = tuple(unless_overturned(*pair) for pair in zip(first, reads, strict=True))
        kinds = reading.softmax(second.kinds[len(doubtful) :], self._calibration.kind_temperature)
        for i, kind in zip(unsure, kinds, strict=True):
            reads = (*reads[:i], unless_contradicted(reads[i], kind, box), *reads[i + 1 :])
        return reads, sets, box

    def _read_together(
        self,
        answered: Predictions,
        pixels: Floats,
        plane: Floats | None,
        tileset: TileSet | None,
        trust: Sequence[Trust],
    ) -> tuple[tuple[Read, ...], tuple[tuple[int, ...], ...], TileSet]:
        table = reading.read_together(answered, tileset, self._known, self._calibration)
        corners = pixels if plane is None else plane
        faces = table.faces
        upside_down = [reading.is_inverted(f) for f in faces]
        inverted = list(upside_down)
        sure = [reading.way_up_known(f) for f in faces]
        rows = group.rows(corners)
        weighed = faces.copy()
        for row in rows:
            for i, upright in group.way_up_votes(row, corners, upside_down, sure).items():
                if not sure[i]:
                    weighed[i] = reading.prefer_way_up(faces[i], upright)
                    inverted[i] = reading.is_inverted(weighed[i])
        choices = [reading.candidates(*tile) for tile in zip(weighed, table.colours, trust, strict=True)]
        contested = reading.too_many([c[0][0] for c in choices], table.box)
        reads = tuple(
            self.read_of(
                choice,
                inverted[i],
                i in contested,
                pixels[i],
                None if plane is None else plane[i],
                answered[i],
            )
            for i, choice in enumerate(choices)
        )
        printed = corners.copy()
        printed[inverted] = np.roll(corners[inverted], 2, axis=1)
        sets: list[tuple[int, ...]] = []
        for row in rows:
            sets += [tuple(group.reading_order(part, printed)) for part in _face_up_parts(row, reads)]
        return reads, tuple(sorted(sets, key=min)), table.box

    def read_of(
        self, choice: list[tuple[str, float]], inverted: bool, contested: bool, pixels: Floats, flat: Floats | None,
        answered: Predictions,
    ) -> Read:  # fmt: skip
        """Return the read of one tile.

        `choice`: the names that it may have with their confidence, likeliest first.
        `inverted`: whether it is upside down in the crop.
        `contested`: whether more tiles of this name were read than the box holds, which makes it doubtful.
        `pixels`: its corners (4, 2) in the picture.
        `flat`: its corners (4, 2) in the plane of the tile tops, in mm. None: there are no markers.
        `answered`: the reader network's answers for this tile alone.
        """
        name, confidence = choice[0]
        tile = reading.tile_named(name)
        blue, green, red = (float(part) for part in answered.absorbed)
        pixels = pixels[_ON_ITS_HEAD] if inverted else pixels
        shown = pixels if flat is None else flat[_ON_ITS_HEAD] if inverted else flat
        a, b, c, d = shown.tolist()
        up = a[0] + b[0] - c[0] - d[0], a[1] + b[1] - c[1] - d[1]
        centre = None if flat is None else flat.mean(axis=0)
        return Read(
            tile=tile,
            confidence=confidence,
            doubtful=contested or confidence < self._calibration.sure_from,
            alternatives=tuple(choice[1:]),
            corners_px=np.asarray(pixels, np.float32),
            angle_deg=math.degrees(math.atan2(up[0], -up[1])) % 360.0,
            x_mm=None if centre is None else float(centre[0]),
            y_mm=None if centre is None else float(centre[1]),
            absorbed=None if tile is None or tile.is_joker else (blue, green, red),
            embedding=None if tile is None else answered.embedding,
        )


def _face_up_parts(row: list[int], reads: tuple[Read, ...]) -> list[list[int]]:
    """Return a row split at its face-down tiles, but not at tiles that are only possibly face down."""
    parts: list[list[int]] = [[]]
    for i in row:
        if reads[i].name == FACE_DOWN:
            parts.append([])
        else:
            parts[-1].append(i)
    return [part for part in parts if part]
