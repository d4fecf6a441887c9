"""Drawn boxes that were not used in training: read without enrolling them, and after enrolling from four pictures.

    python -m benchmarks.enrolled --boxes 3 --kept data/made
    python -m benchmarks.enrolled --seed 15

measures a part, or other boxes, and writes nothing; `python -m benchmarks enrolled` measures all of it for
models/METRICS.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.boxes import SURE_ENROLLED, Labelled, enrol_and_count_questions, read_all
from benchmarks.print_contrast import CLEAR, with_clear_prints
from benchmarks.progress import signs_of_life
from benchmarks.report import Figures, Row, rate_row, show, skipped, wilson
from benchmarks.sight import reading_rows, table_of
from benchmarks.truth import Tally, tally_scene
from referee.cli.parts.readers import load_networks
from referee.errors import CannotJudge
from referee.game.tiles import TileSet
from referee.i18n import ENGLISH, error_text
from referee.vision.boxes.batches import faults_of
from referee.vision.boxes.box import Box
from referee.vision.boxes.enrol import Batch
from referee.vision.boxes.pictures import EnrolmentReader
from referee.vision.pipeline import TableReader

if TYPE_CHECKING:
    from benchmarks.made_boxes import MadeBox
    from referee.train.pictures.typefaces import Faces

MODELS = Path(__file__).resolve().parent.parent / "models"
UNKNOWN, ENROLLED, MADE = "drawn boxes, not enrolled", "drawn boxes, enrolled", "drawn boxes"
BOXES, BATCHES, TABLES = 12, 4, 4
OTHER_SEED = 14
"""Boxes of this seed are only reported on; constants were chosen on those of `made_boxes.SEED` and others."""
LEAST_CLEAR = 0.97
"""The part of the clear prints of enrolled boxes that must be read right without doubt."""
SPOILT = (0, 3, 5)
"""The numbers of the boxes with which bad enrolments are tried: numbers and letters, plastic and wood."""
TRIES = 12
"""How often a picture of an enrolment is taken at most, each time in another light, until it is accepted."""


@dataclass
class Measured:
    """The results of one box: its tables read by a reader that does not know it, and by one that has enrolled it."""

    name: str
    tileset: TileSet
    looks: str
    unknown: Tally = field(default_factory=Tally)
    known: Tally = field(default_factory=Tally)
    box: Box | None = None
    tables: list[Labelled] = field(default_factory=list)
    asked: int = 0
    """The number of tiles that had to be named during the enrolment."""
    attempts: list[int] = field(default_factory=list)
    """For each picture of its enrolment, the attempt that was accepted."""
    again: list[str] = field(default_factory=list)
    """The attempts that were not accepted, and why."""
    problems: tuple[str, ...] = ()
    clear: Tally = field(default_factory=Tally)
    """The tiles with a clear print alone, read by a reader that has enrolled the box."""


def measure(models: Path, boxes: int = BOXES, kept: Path | None = None) -> Figures:
    """Measure all boxes; if boxes cannot be drawn, return a skipped row with the reason."""
    try:
        from benchmarks import bad_enrolments, left_out, made_boxes
        from referee.train.pictures.typefaces import find_faces

        faces = find_faces()
    except (ImportError, FileNotFoundError) as error:
        return Figures([skipped("right without doubt", ENROLLED, f"boxes cannot be drawn: {error}")])
    networks = load_networks(models=models)
    reader = networks.reader_for(None)
    measured, spoilt = [], []
    for box, draw in made_boxes.drawn(range(boxes), faces, kept):
        measured.append(read_box(reader, box, draw))
        if box.number in SPOILT:
            spoilt.append((box.number, draw, measured[-1].attempts))
    bad = bad_enrolments.measure(networks, faces, spoilt)
    others = measure_others(reader, faces, boxes)
    return Figures.of([figures(measured), left_out.measure(reader, models, measured), bad, others])


def measure_others(
    reader: TableReader, faces: Faces, boxes: int, seed: int = OTHER_SEED, kept: Path | None = None
) -> Figures:  # fmt: skip
    """Measure boxes of another seed, enrolled."""
    from benchmarks import made_boxes

    drawn = made_boxes.drawn(range(boxes), faces, kept, seed=seed)
    return figures_of_others([read_box(reader, *one) for one in drawn], seed)


def read_box(reader: TableReader, box: MadeBox, draw: Callable[[str, int, int], Labelled]) -> Measured:
    """Read the tables of one box without and with enrolling it; `draw` draws a picture by kind, number and attempt."""
    done = Measured(box.name, box.tileset, box.looks)
    shown = [take_until_accepted(EnrolmentReader(reader), partial(draw, "e", i), done) for i in range(BATCHES)]
    done.tables = [draw("t", i, 0) for i in range(TABLES)]
    done.unknown = read_all(reader, done.tables)
    learnt, done.asked = enrol_and_count_questions(
        reader, [b for b, _ in shown], box.tileset, [entry[2] for _, entry in shown]
    )
    done.box, done.problems = learnt.box, tuple(map(ENGLISH, learnt.problems))
    if learnt.box is not None:
        knowing = reader.reader_for(learnt.box)
        for name, picture, truth in done.tables:
            sighting = knowing.read(picture, done.tileset, table_of(truth))
            done.known.add(tally_scene(sighting, truth, name))
            done.clear.add(tally_scene(sighting, with_clear_prints(truth), name))
    return done


def take_until_accepted(
    learner: EnrolmentReader, take: Callable[[int], Labelled], done: Measured
) -> tuple[Batch, Labelled]:  # fmt: skip
    """Return a picture of an enrolment that is accepted; after a refusal, another one is taken."""
    for attempt in range(TRIES):
        name, picture, truth = entry = take(attempt)
        try:
            batch = learner.batch(picture, name, done.tileset, table_of(truth))
        except CannotJudge as error:
            faults: Sequence[str] = (error_text(error),)
        else:
            faults = tuple(map(ENGLISH, faults_of(batch)))
        if not faults:
            done.attempts.append(attempt)
            return batch, entry
        done.again.append(f"taken again: {name}: {' '.join(faults)}")
    raise CannotJudge(
        f"expected a picture that will do for {done.name}, found {TRIES} that will not: {done.again[-1]}"
    )


def figures(measured: Sequence[Measured]) -> Figures:
    """Return rows for all boxes together and for each, and a list of all failures and doubts."""
    unknown, known = Tally(), Tally()
    for one in measured:
        unknown.add(one.unknown)
        known.add(one.known)
    learnt = [one for one in measured if one.box is not None]
    asked, again = sum(one.asked for one in measured), [line for one in measured for line in one.again]
    rows = [
        *reading_rows(UNKNOWN, unknown, None, 0.0),
        *reading_rows(ENROLLED, known, SURE_ENROLLED, 0.0),
        bound(known),
        Row("boxes learnt", MADE, f"{len(learnt)}; {asked} tiles asked about, {len(again)} pictures taken again",
            f"{len(measured)} boxes", "all", len(learnt) == len(measured)),
        *map(_side_by_side, measured),
    ]  # fmt: skip
    failed = [f"not learnt: {one.name}: {' '.join(one.problems)}" for one in measured if one.box is None]
    return Figures(rows, {UNKNOWN: unknown.summary, ENROLLED: [*failed, *known.summary, *again]})


def figures_of_others(measured: Sequence[Measured], seed: int) -> Figures:
    """Return rows for boxes on which nothing was chosen: for all their tiles, and for those with a clear print."""
    others = f"drawn boxes of seed {seed}, enrolled"
    known, clear = Tally(), Tally()
    for one in measured:
        known.add(one.known)
        clear.add(one.clear)
    learnt = sum(one.box is not None for one in measured)
    on = f"{others}, prints that stand out by {CLEAR:g} or more"
    rows = [
        Row("boxes learnt", others, str(learnt), f"{len(measured)} boxes", "all", learnt == len(measured)),
        rate_row("right without doubt", others, known.sure, known.tiles, LEAST_CLEAR),
        rate_row("wrong without doubt", others, known.silent_wrong, known.tiles, 0.0, at_most=True),
        rate_row("right without doubt", on, clear.sure, clear.tiles, LEAST_CLEAR),
        rate_row("wrong without doubt", on, clear.silent_wrong, clear.tiles, 0.0, at_most=True),
    ]
    failed = [f"not learnt: {one.name}: {' '.join(one.problems)}" for one in measured if one.box is None]
    return Figures(rows, {others: [*failed, *known.summary]})


def bound(tally: Tally, on: str = ENROLLED) -> Row:
    """Return an upper bound, with 95 % confidence, for tiles read wrong without doubt: 3/n if none of n was."""
    if not tally.tiles:
        return skipped("bound of wrong without doubt", on, "nothing was read")
    if tally.silent_wrong:
        most, how = wilson(tally.silent_wrong, tally.tiles)[1], "Wilson"
    else:
        most, how = 3 / tally.tiles, "3/n"
    return Row("bound of wrong without doubt", on, f"≤ {100 * most:.2f} % ({how})",
               f"{tally.silent_wrong} of {tally.tiles}", "", None)  # fmt: skip


def _side_by_side(one: Measured) -> Row:
    """Return the row of one box, unknown and enrolled: right, wrong without doubt, in doubt, tables asked about."""
    before, after = (
        f"{t.sure} right, {t.silent_wrong} wrong, {t.doubtful} in doubt, {t.asked} asked"
        for t in (one.unknown, one.known)
    )
    return Row("not enrolled → enrolled", f"drawn box {one.name}",
               f"{one.tileset.name}, {one.looks}: {before} → {after if one.box is not None else 'not learnt'}",
               f"{one.unknown.tiles} tiles, {one.unknown.pictures} tables", "", None)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure a part and print it; write nothing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.enrolled", description=__doc__)
    parser.add_argument("--boxes", type=int, default=BOXES, help="the first so many boxes")
    parser.add_argument("--kept", type=Path, help="keep the pictures in this folder, and draw none that lies there")
    parser.add_argument("--seed", type=int, help="only boxes of this seed, enrolled, with their clear prints apart")
    parser.add_argument("--models", type=Path, default=MODELS, help="the networks to measure")
    given = parser.parse_args(arguments)
    with signs_of_life("enrolled"):
        if given.seed is None:
            found = measure(given.models, given.boxes, given.kept)
        else:
            from referee.train.pictures.typefaces import find_faces

            reader = load_networks(models=given.models).reader_for(None)
            found = measure_others(reader, find_faces(), given.boxes, given.seed, given.kept)
    show(found.rows)
    for name, lines in found.failures.items():
        for line in lines:
            print(f"{name}: {line}")
    return 0 if all(row.reached is not False for row in found.rows) else 1


if __name__ == "__main__":
    sys.exit(main())
