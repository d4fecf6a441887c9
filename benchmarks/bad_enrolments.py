"""Enrolments of drawn boxes that the command must refuse: each with a message of one line, and nothing is learnt."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.boxes import Labelled
from benchmarks.enrolled import BATCHES, MADE
from benchmarks.made_boxes import TABLE_MM, Draw, MadeBox, Piece, batch_of, dealt, make_box
from benchmarks.report import Figures, Row
from referee.cli.parts.readers import Learner
from referee.cli.verbs.enrol import EnrolmentSession, Result
from referee.devices.camera.stills import save_picture
from referee.game.tiles import Tile
from referee.i18n import ENGLISH
from referee.train.pictures.typefaces import Faces
from referee.vision.sighting import Image

ANOTHER = 4
"""The difference between the numbers of two boxes of the same kind."""


@dataclass
class Laid:
    """A box with pictures from which it can be enrolled, and two other boxes."""

    box: MadeBox
    same_kind: MadeBox
    other_kind: MadeBox
    good: Sequence[Labelled]
    attempts: Sequence[int]

    def first(self, pieces: Sequence[Piece], box: MadeBox | None = None, *, markers: bool = True) -> list[Labelled]:
        """Return the pictures, the first of them with other pieces in the same light."""
        return [batch_of(box or self.box, 0, self.attempts[0], pieces, markers=markers), *self.good[1:]]

    @property
    def pieces(self) -> list[Piece]:
        """The pieces in the first picture."""
        return dealt(self.box)[0]

    @property
    def numbered(self) -> int:
        """The index of a numbered tile in the first picture."""
        return next(i for i, (tile, _) in enumerate(self.pieces) if tile is not None and not tile.is_joker)


def _missing(laid: Laid) -> list[Labelled]:
    at = laid.numbered
    return laid.first(laid.pieces[:at] + laid.pieces[at + 1 :])


def _doubled(laid: Laid) -> list[Labelled]:
    return laid.first([*laid.pieces, laid.pieces[laid.numbered]])


def _face_down(laid: Laid) -> list[Labelled]:
    at = laid.numbered
    return laid.first([*laid.pieces[:at], (None, 0), *laid.pieces[at + 1 :]])


def _of_another_box(laid: Laid) -> list[Labelled]:
    """Replace a tile by one with an ink that the box does not have."""
    at, other = laid.numbered, laid.other_kind
    strange = next(colour for colour in other.style.inks if colour not in laid.box.style.inks)
    guest: Piece = (Tile(5, strange), 0)
    host = replace(laid.box, pieces=laid.box.pieces | {guest: other.piece(*guest)})
    return laid.first([*laid.pieces[:at], guest, *laid.pieces[at + 1 :]], host)


def _mixed(laid: Laid) -> list[Labelled]:
    """Return pictures of two boxes of the same kind: half the tiles of each, at random."""
    return [*laid.good[:2], *(batch_of(laid.same_kind, i) for i in range(2, BATCHES))]


def _mixed_evenly(laid: Laid) -> list[Labelled]:
    """Return pictures of two boxes of the same kind, in which every tile comes as often as in one box.

    Only print and inks differ.
    """
    return [*laid.good[:2], *(batch_of(laid.same_kind, i, 0, dealt(laid.box)[i]) for i in range(2, BATCHES))]


def _unmarked(laid: Laid) -> list[Labelled]:
    return laid.first(laid.pieces, markers=False)


KINDS: Mapping[str, Callable[[Laid], list[Labelled]]] = {
    "a tile missing": _missing, "a tile doubled": _doubled, "a face-down tile": _face_down,
    "a tile of another box": _of_another_box, "two boxes mixed": _mixed,
    "two boxes mixed, no tile twice": _mixed_evenly, "a picture without markers": _unmarked,
}  # fmt: skip


def measure(learner: Learner, faces: Faces, boxes: Sequence[tuple[int, Draw, Sequence[int]]]) -> Figures:
    """Try every kind of bad enrolment with each of these boxes.

    `boxes` has the number of each box, the function that draws its pictures, and the attempts that were accepted.
    """
    told: dict[str, list[tuple[str, Result]]] = {kind: [] for kind in KINDS}
    for number, draw, attempts in boxes:
        laid = Laid(
            make_box(number, faces), make_box(number + ANOTHER, faces), make_box(number + 1, faces),
            [draw("e", i, attempt) for i, attempt in enumerate(attempts)], attempts,
        )  # fmt: skip
        for kind, make in KINDS.items():
            told[kind].append((laid.box.name, enrol(learner, laid.box, [entry[1] for entry in make(laid)])))
    return figures(told)


def enrol(learner: Learner, box: MadeBox, pictures: Sequence[Image]) -> Result:
    """Return the result of `referee enrol` for these pictures."""
    with tempfile.TemporaryDirectory(prefix="enrol-") as folder:
        files = [Path(folder) / f"{i}.png" for i in range(len(pictures))]
        for file, picture in zip(files, pictures, strict=True):
            save_picture(file, picture)
        return EnrolmentSession(learner, "measured", box.tileset, TABLE_MM, files).run({}, ask=False)


def figures(told: Mapping[str, Sequence[tuple[str, Result]]]) -> Figures:
    """Return a row for each kind, and each enrolment that was not refused, or with more than one line."""
    rows, lines = [], []
    for kind, results in told.items():
        refused = sum(result.box is None and bool(result.problems or result.questions) for _, result in results)
        rows.append(Row("refused, nothing learnt", f"{MADE}, {kind}", f"{refused}; {_said(results[0][1])}",
                        f"{len(results)} boxes", "all", refused == len(results)))  # fmt: skip
        lines += [f"{kind}: {name}: {_said(result)}" for name, result in results
                  if result.box is not None or len(result.problems) != 1]  # fmt: skip
    return Figures(rows, {f"{MADE}, bad enrolments": lines})


def _said(result: Result) -> str:
    if result.problems:
        return " / ".join(_plain(line) for line in result.problems)
    if result.questions:
        return f"asked about {len(result.questions)} tiles, the first {ENGLISH(result.questions[0].place)}"
    return "learnt, nothing was said"


def _plain(line: str) -> str:
    """Return the text of a problem without the folder of its picture."""
    head, _, tail = line.partition(" (/")
    return line if not tail else f"{head}{tail.partition(')')[2]}"
