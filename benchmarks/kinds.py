"""How far chances are believed in poor pictures: chosen with each kind of disturbance left out, and measured on it.

The temperatures of `vision/reading/certainty.py` are chosen on all kinds of disturbance except one, and that one is
measured, for each kind in turn. So the figures hold for kinds that nobody has seen. The pictures are read once, with
all chances believed as they are; other temperatures are applied to what was read.

    python -m benchmarks.kinds --pictures 8

measures a part and writes nothing; `python -m benchmarks kinds` measures all of it for models/METRICS.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt

from benchmarks import disturbed, wood
from benchmarks.disturbances import KINDS
from benchmarks.print_contrast import with_clear_prints
from benchmarks.progress import signs_of_life
from benchmarks.report import Figures, Row, rate_row, show
from benchmarks.sight import table_of
from benchmarks.truth import scene_label
from referee.cli.parts.readers import build_reader
from referee.game.tiles import FACE_DOWN
from referee.train.pictures.typefaces import find_faces
from referee.vision import pipeline
from referee.vision.pipeline import TableReader
from referee.vision.reading import certainty, joint
from referee.vision.reading.certainty import FULL, Trust
from referee.vision.sighting import Floats, Image, Quality, Read, Reader

Shown = tuple[str, str, Image, dict[str, Any]]
"""A kind of disturbance, and the name, the picture and the ground truth of a table."""
LEFT_OUT = "kinds of disturbance left out in turn"
CHOSEN = ("USUAL", "BLURRED", "DARK", "PACKED", "BRIGHT", "BLEACHED", "CLIPPED")
"""The names of the temperatures that are chosen."""
TEMPERATURES, FACTORS = (1.0, 1.2, 1.5, 1.8, 2.1, 2.4, 3.0), (10.0, 6.0, 3.0, 1.0, 0.3, 0.1)
"""The temperatures for number and ink and the factors for the odds of a back that are tried."""
MARGIN = 0.85
"""A wrong name with this confidence or more counts as an error while temperatures are chosen. The limit in use is
higher, so that a kind that was left out has some room."""
WORTH = 200
"""One error without doubt counts as much as this many doubts."""
ROUNDS = 2
WOODEN_TABLES, WOODEN_SEED, WOODEN = "wooden tables", 31, 42
"""Drawn wooden tables count as one more kind; `benchmarks.wood` measures those of another seed."""


@dataclass(frozen=True)
class Tiles:
    """What was read of n tiles, each with its kind of disturbance, and how certain that is without any temperature.

    `number` and `ink` (n,) are log odds of the likeliest face and ink. `inked` says whether the ink matters, and
    `back` whether the likeliest face is a back. `wrong` marks wrong names, `asked` those in doubt for another reason.
    `faults` (n, len(CHOSEN)) says which temperatures apply, and `faint` (n,) where nothing stands out. `places` names
    picture, kind and tile.
    """

    kinds: npt.NDArray[Any]
    number: Floats
    ink: Floats
    inked: npt.NDArray[np.bool_]
    back: npt.NDArray[np.bool_]
    wrong: npt.NDArray[np.bool_]
    asked: npt.NDArray[np.bool_]
    faults: npt.NDArray[np.bool_]
    faint: npt.NDArray[np.bool_]
    places: npt.NDArray[Any]

    def __getitem__(self, rows: Any) -> Tiles:
        return Tiles(*(getattr(self, item.name)[rows] for item in fields(self)))

    def confidences(self, chosen: Mapping[str, Trust]) -> Floats:
        """Return the confidence (n,) of each name with these temperatures."""
        number, ink = np.ones(len(self.kinds)), np.ones(len(self.kinds))
        factor = np.full(len(self.kinds), np.inf)
        for i, name in enumerate(CHOSEN):
            trust, here = chosen[name], self.faults[:, i]
            number = np.where(here, np.maximum(number, trust.number), number)
            ink = np.where(here, np.maximum(ink, trust.ink), ink)
            factor = np.where(here, np.minimum(factor, trust.back), factor)
        faint = self.faint & (factor == chosen["USUAL"].back)
        factor = np.where(faint, certainty.FAINT.back, factor)
        softened = self.number / np.where(self.number > 0, number, 1)
        face = 1 / (1 + np.exp(-np.where(self.back, self.number + np.log(factor), softened)))
        colour = 1 / (1 + np.exp(-self.ink / np.where(self.ink > 0, ink, 1)))
        return np.asarray(face * np.where(self.inked, colour, 1), np.float32)


class Recorder:
    """Keeps what `joint.candidates` is asked, in order."""

    def __init__(self) -> None:
        self.calls: list[tuple[float, float, bool, bool]] = []
        self.chances: list[float] = []

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record while the context lasts; meanwhile chances are believed as they are."""
        plain = joint.candidates

        def candidates(faces: Floats, colours: Floats, _: Sequence[Trust]) -> list[list[tuple[str, float]]]:
            for printed, back, inks in zip(*joint.merge_ways_up(faces), colours, strict=True):
                is_back = bool(back > printed.max())
                inked = not is_back and bool(printed[:-1].max() >= printed[-1])  # the last one is a joker
                self.calls.append((_log_odds(np.append(printed, back)), _log_odds(inks), inked, is_back))
            found = plain(faces, colours)
            self.chances += [names[0][1] for names in found]
            return found

        with mock.patch.object(joint, "candidates", candidates):
            yield


def _log_odds(chances: Floats) -> float:
    top = float(chances.max())
    return float(np.log(max(top, 1e-9) / max(float(chances.sum()) - top, 1e-9)))


def observe(reader: Reader, shown: Iterable[Shown]) -> tuple[Tiles, dict[str, int]]:
    """Read pictures; return what was read, and the number of lost tiles by kind."""
    rows: list[tuple[Any, ...]] = []
    lost: dict[str, int] = {}
    recorder = Recorder()
    for kind, name, picture, truth in shown:
        lost.setdefault(kind, 0)
        with recorder.recording():
            sighting = disturbed.read_table(reader, picture, truth["tileset"], table_of(truth))
        last = len(recorder.calls) - len(sighting.reads)  # some tables are named twice
        seen = list(zip(sighting.reads, recorder.calls[last:], recorder.chances[last:], strict=True))
        names = _true_names(sighting.reads, truth)
        for i, (read, call, chance) in enumerate(seen):
            label = names.get(i, FACE_DOWN if truth["face_down"] else None)
            if label is None:
                continue
            where = f"{name} {kind} {label} as {read.name}"
            asked = read.doubtful and (read.bare > 0 or chance >= sighting.sure_from)
            asked |= sighting.quality.colourless  # then everything is
            rows.append((kind, *call, read.name != label, asked, _faults(sighting.quality, i),
                         i in sighting.quality.faint, where))  # fmt: skip
        if sighting.scale:
            lost[kind] += len(truth["tiles"]) - len(names)
    return _as_tiles(rows), lost


def disturbed_pictures(
    shared: Path, kinds: Iterable[str] = KINDS, most: int | None = None, seed: int = disturbed.SEED
) -> Iterator[Shown]:
    """Yield the first `most` pictures with each kind of disturbance."""
    for name, picture, truth in islice(disturbed.pictures(shared), most):
        for kind in kinds:
            yield kind, name, KINDS[kind](picture, disturbed.chance_for(seed, name, kind)), truth


def wooden_tables(count: int = WOODEN) -> Iterator[Shown]:
    """Yield drawn wooden tables, none of which is measured by `benchmarks.wood`; nothing without the type faces."""
    try:
        faces = find_faces()
    except FileNotFoundError:
        return
    for _, (name, picture, truth) in wood.tables(faces, WOODEN_SEED, count):
        yield WOODEN_TABLES, name, picture, with_clear_prints(truth)


def _true_names(reads: Sequence[Read], truth: Mapping[str, Any]) -> dict[int, str]:
    """Return the true names of the reads that lie where a printed tile lies, by their index."""
    names = {}
    for tile in truth["tiles"]:
        far = [np.hypot(tile["x_mm"] - (r.x_mm or 0), tile["y_mm"] - (r.y_mm or 0)) for r in reads]
        if far and min(far) < wood.NEAR_MM:
            names[int(np.argmin(far))] = scene_label(tile)
    return names


def _faults(quality: Quality, tile: int) -> tuple[bool, ...]:
    """Return which of CHOSEN apply to a tile."""
    return (
        True,
        not quality.sharp,
        quality.dark,
        quality.packed,
        quality.bright,
        tile in quality.bleached,
        tile in quality.clipped,
    )


def _as_tiles(rows: Sequence[tuple[Any, ...]]) -> Tiles:
    columns = list(zip(*rows, strict=True)) if rows else [()] * 10
    kinds, number, ink, inked, back, wrong, asked, faults, faint, places = columns
    return Tiles(
        np.asarray(kinds, object), np.asarray(number, np.float32), np.asarray(ink, np.float32),
        np.asarray(inked, bool), np.asarray(back, bool), np.asarray(wrong, bool), np.asarray(asked, bool),
        np.asarray(faults, bool).reshape(-1, len(CHOSEN)), np.asarray(faint, bool), np.asarray(places, object),
    )  # fmt: skip


def cost(tiles: Tiles, chosen: Mapping[str, Trust], sure_from: float) -> int:
    """Return how bad these temperatures are on some tiles: doubts, and errors that are much worse."""
    believed = tiles.confidences(chosen)
    errors = (tiles.wrong & ~tiles.asked & (believed >= MARGIN)).sum()
    return int(WORTH * errors + (tiles.asked | (believed < sure_from)).sum())


def choose(tiles: Tiles, sure_from: float) -> dict[str, Trust]:
    """Return the temperatures with the least cost, one part at a time; of equal ones those that believe more."""
    chosen = dict.fromkeys(CHOSEN, Trust(back=FACTORS[0]))
    for _ in range(ROUNDS):
        for i, name in enumerate(CHOSEN):
            own = tiles[tiles.faults[:, i]]
            for part in ("number", "ink", "back"):
                tried = FACTORS if part == "back" else TEMPERATURES
                options = [{**chosen, name: replace(chosen[name], **{part: value})} for value in tried]
                chosen = min(options, key=lambda option: cost(own, option, sure_from))
    return chosen


def shipped() -> dict[str, Trust]:
    """Return the temperatures in the present code."""
    return {name: getattr(certainty, name) for name in CHOSEN}


def measure(reader: TableReader, shared: Path, kinds: Iterable[str] = KINDS, most: int | None = None) -> Figures:
    """Return figures for the kinds that were left out, and which temperatures were chosen."""
    shown = chain(disturbed_pictures(shared, kinds, most), wooden_tables(WOODEN if most is None else most))
    with mock.patch.object(pipeline, "trust_tiles", lambda _, count, **__: [FULL] * count):
        tiles, lost = observe(reader, shown)
    return figures(tiles, lost, reader.calibration.sure_from)


def figures(tiles: Tiles, lost: Mapping[str, int], sure_from: float) -> Figures:
    """Return the rows; each kind's doubts and errors are counted with temperatures chosen on the other kinds."""
    rows, silent, doubts, mild_doubts, mild_tiles, lines = list[Row](), 0, 0, 0, 0, list[str]()
    for kind in lost:
        own = tiles[tiles.kinds == kind]
        believed = own.confidences(choose(tiles[tiles.kinds != kind], sure_from))
        doubtful = own.asked | (believed < sure_from)
        wrong = own.wrong & ~doubtful
        silent, doubts = silent + int(wrong.sum()), doubts + int(doubtful.sum())
        if kind in disturbed.EVERYDAY:
            mild_doubts, mild_tiles = mild_doubts + int(doubtful.sum()), mild_tiles + len(own.kinds)
        lines += [f"wrong without doubt ({chance:.3f}) {place}" for place, chance in
                  zip(own.places[wrong], believed[wrong], strict=True)]  # fmt: skip
        rows.append(Row("left out", kind, f"{100 * doubtful.mean():.1f} % in doubt, {int(wrong.sum())} wrong without "
                        f"doubt, {lost[kind]} not found", f"{len(own.kinds)} tiles", "", None))  # fmt: skip
    missed = sum(lost.values())
    everything = len(tiles.kinds) + missed
    rows += [
        rate_row("wrong without doubt", LEFT_OUT, silent, everything, 1e-4, at_most=True),
        rate_row("missed in silence", LEFT_OUT, missed, everything, 1e-4, at_most=True),
        rate_row("in doubt", LEFT_OUT, doubts, everything, None),
        rate_row(
            "in doubt", f"{LEFT_OUT}, the mild ones", mild_doubts, mild_tiles, disturbed.EVERYDAY_MOST, at_most=True
        ),
    ]
    best, now = choose(tiles, sure_from), shipped()
    for name in CHOSEN:
        used = f"in use: {_shown(now[name])}"
        rows.append(
            Row("temperatures for number and ink, factor for backs", name.lower(), _shown(best[name]), used, "", None)
        )
    believed = tiles.confidences(now)
    doubtful = tiles.asked | (believed < sure_from)
    rows.append(rate_row("wrong without doubt", "all kinds, temperatures in use", int((tiles.wrong & ~doubtful).sum()),
                         everything, 1e-4, at_most=True))  # fmt: skip
    return Figures(rows, {f"{LEFT_OUT}, wrong without doubt": lines})


def _shown(trust: Trust) -> str:
    return f"{trust.number:g}, {trust.ink:g}, {trust.back:g}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure a part and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kinds", description=__doc__)
    parser.add_argument("--kinds", action="append", choices=list(KINDS), help="only this kind; may be repeated")
    parser.add_argument("--pictures", type=int, default=None, help="only the first so many")
    given = parser.parse_args(arguments)
    with signs_of_life("kinds"):
        came = measure(build_reader(), disturbed.SHARED, given.kinds or KINDS, given.pictures)
    show(came.rows)
    for lines in came.failures.values():
        print(*lines, sep="\n")
    return 1 if any(row.reached is False for row in came.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
