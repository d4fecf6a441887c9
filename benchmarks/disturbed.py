"""Pictures disturbed by light, lens and camera: how much is found, how much is in doubt, and how much is wrong.

    python -m benchmarks.disturbed --kinds "JPEG 10" --pictures 4

measures a part and writes nothing; `python -m benchmarks disturbed` measures all of it for models/METRICS.md.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path

import numpy as np

from benchmarks import virtual
from benchmarks.boxes import Labelled, enrolled_reader
from benchmarks.disturbances import KINDS
from benchmarks.progress import signs_of_life
from benchmarks.report import Figures, Row, rate_row, show
from benchmarks.sight import labelled, table_of
from benchmarks.truth import Tally, tally_scene
from referee.cli.parts.readers import build_reader
from referee.errors import CannotJudge
from referee.game.tiles import tile_set
from referee.vision.sighting import Image, Reader, Sighting

SHARED = Path(__file__).resolve().parents[2] / "shared"
RENDERED = 8
"""The number of virtual tables in addition to the pictures of ../shared."""
TILES = 20_000
SEED = 1
EVERYDAY = ("exposure x 0.5", "tungsten light", "cold light", "noise 8", "half size", "falling light")
"""The mild ones, which happen at every table."""
EVERYDAY_MOST = 0.008
"""The largest share of tiles that may be in doubt in these."""
EVERY = f"{len(KINDS)} kinds of disturbed pictures"


def measure(
    reader: Reader, shared: Path, kinds: Iterable[str] = KINDS, most: int | None = None, seed: int = SEED
) -> Figures:
    """Read the first `most` pictures, each with every one of these disturbances."""
    tallies, refused = {kind: Tally() for kind in kinds}, dict.fromkeys(KINDS, 0)
    for name, picture, truth in islice(pictures(shared), most):
        for kind, tally in tallies.items():
            spoilt = KINDS[kind](picture, chance_for(seed, name, kind))
            sighting = read_table(reader, spoilt, truth["tileset"], table_of(truth))
            refused[kind] += sighting.scale == ""
            tally.add(tally_scene(sighting, truth, f"{name} {kind}"))
    return figures(tallies, refused, complete=most is None and len(tallies) == len(KINDS))


def measure_enrolled(reader: Reader, shared: Path, kinds: Iterable[str] = KINDS, seed: int = SEED) -> Figures:
    """Read the tables of the boxes of ../shared with each of these disturbances, after enrolling their boxes."""
    tallies, refused = {kind: Tally() for kind in kinds}, dict.fromkeys(KINDS, 0)
    for _, files in groupby(labelled(shared / "boxes", "b*.jpg"), key=lambda entry: entry[0].partition("-")[0]):
        shown = list(files)
        laid_out = [(picture, truth) for _, picture, truth in shown if truth["enrolment"]]
        box, size = laid_out[0][1]["tileset"], table_of(laid_out[0][1])
        knowing = enrolled_reader(reader, [p for p, _ in laid_out], tile_set(box), size, [t for _, t in laid_out])
        if knowing is None:
            continue
        for name, picture, truth in shown:
            for kind, tally in () if truth["enrolment"] else tallies.items():
                spoilt = KINDS[kind](picture, chance_for(seed, name, kind))
                sighting = read_table(knowing, spoilt, box, size)
                refused[kind] += sighting.scale == ""
                tally.add(tally_scene(sighting, truth, f"{name} {kind}, enrolled"))
    return figures(tallies, refused, complete=False)


def pictures(shared: Path) -> Iterator[Labelled]:
    """Yield the marked tables of ../shared, if it exists, and rendered ones."""
    yield from labelled(shared / "scenes", "s*.jpg")
    yield from labelled(shared / "boxes", "b*.jpg")
    yield from islice(virtual.tables(), RENDERED)


def chance_for(seed: int, name: str, kind: str) -> np.random.Generator:
    """Return a random generator that depends only on the picture and the kind of disturbance."""
    return np.random.default_rng([seed, zlib.crc32(f"{name} {kind}".encode())])


def read_table(reader: Reader, picture: Image, tileset: str, table_mm: tuple[float, float]) -> Sighting:
    """Read a picture as in a match; return a sighting without tiles if the picture is refused as a whole."""
    try:
        return reader.read(picture, tile_set(tileset), table_mm, marked_only=True)
    except CannotJudge:
        return Sighting(tileset, "", (), ())


def figures(tallies: dict[str, Tally], refused: dict[str, int], *, complete: bool) -> Figures:
    """Return a row for each kind, and two for all together; doubts are only counted, not listed."""
    total, rows = Tally(), []
    for kind, tally in tallies.items():
        total.add(tally)
        found, doubt = tally.found / max(tally.tiles, 1), tally.doubtful / max(tally.found, 1)
        figure = f"{100 * found:.1f} % found, {100 * doubt:.1f} % of these in doubt"
        lost = f", {refused[kind]} of {tally.pictures} pictures refused" if refused[kind] else ""
        rows.append(Row("disturbed pictures", kind, figure + lost, f"{tally.tiles} tiles", "", None))
    every = EVERY if complete else f"{len(tallies)} kinds, a part of the pictures"
    rows.append(Row("tiles in disturbed pictures", every, str(total.tiles), f"{total.pictures} pictures",
                    f"≥ {TILES}", total.tiles >= TILES if complete else None))  # fmt: skip
    rows.append(rate_row("wrong without doubt", every, total.silent_wrong, total.tiles, 0.0, at_most=True))
    mild = [tally for kind, tally in tallies.items() if kind in EVERYDAY]
    shown = sum(tally.found + tally.backs for tally in mild)
    doubts = sum(tally.doubtful + tally.backs - tally.backs_sure for tally in mild)
    on = f"{every}, the mild ones, face-down tiles included"
    if shown:
        rows.append(rate_row("in doubt", on, doubts, shown, EVERYDAY_MOST if complete else None, at_most=True))
    silent = [line for line in total.failures if "SILENT" in line]
    return Figures(rows, {"disturbed pictures, wrong without doubt": silent})


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure a part and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.disturbed", description=__doc__)
    parser.add_argument("--kinds", action="append", choices=list(KINDS), help="only this kind; may be repeated")
    parser.add_argument("--pictures", type=int, default=None, help="only the first so many")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed, other spots, directions and noise")
    given = parser.parse_args(arguments)
    with signs_of_life("disturbed"):
        came = measure(build_reader(), SHARED, given.kinds or KINDS, given.pictures, given.seed)
    show(came.rows)
    for lines in came.failures.values():
        print(*lines, sep="\n")
    return 1 if any(row.reached is False for row in came.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
