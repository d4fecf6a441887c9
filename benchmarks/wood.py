"""Wooden tiles on wood, cork and cloth, drawn by other code than the training's: how many are found and missed.

    python -m benchmarks.wood --tables 12 --out /tmp/wood

measures a part and saves its pictures, but writes no figures; `python -m benchmarks wood` measures all of it, and
as many tables with type faces that are unlike any in training (`--unusual`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import disturbances, made_boxes
from benchmarks.boxes import Labelled
from benchmarks.made_boxes import SEEN_PX, SIDE_PX, TABLE_MM, MadeBox, make_box
from benchmarks.print_contrast import CLEAR, with_clear_prints
from benchmarks.progress import signs_of_life
from benchmarks.report import Figures, Row, rate_row, show
from benchmarks.truth import Tally, tally_scene
from benchmarks.virtual import random_sets
from benchmarks.wooden_tops import TOPS, top_like
from referee.cli.parts.readers import build_reader
from referee.devices.camera.stills import save_picture
from referee.errors import BadInput
from referee.game.tiles import tile_set
from referee.sim.scene.layout import Room, lay_out
from referee.train.pictures.typefaces import Faces, find_faces
from referee.vision.sighting import Image, Reader, Sighting

SEED, TABLES = 30, 42
"""The seed and the number of tables for the figures in models/METRICS.md; thresholds are chosen on other seeds."""
FEWEST, MOST = 30, 56
SHADOWED = 0.3
"""The share of tables with the edge of a hard shadow across them."""
SHADOW = 0.45
WOOD = "wooden tiles on wood, cork and cloth"
UNUSUAL = "wooden tiles, unusual type faces"
NONE_UNUSUAL = "expected unusual type faces (make fonts installs them), found none"
NEAR_MM = 12.0


def tables(faces: Faces, seed: int = SEED, count: int = TABLES) -> Iterator[tuple[str, Labelled]]:
    """Yield labelled tables, each with another wooden box, and the kinds of their tops."""
    for number, box in zip(range(count), _wooden(faces, seed), strict=False):
        kind = list(TOPS)[number % len(TOPS)]
        yield kind, table_on(box, kind)


def _wooden(faces: Faces, seed: int) -> Iterator[MadeBox]:
    number = 0
    while True:
        box = make_box(number, faces, seed)
        if box.style.wooden:
            yield box
        number += 1


def table_on(box: MadeBox, kind: str) -> Labelled:
    """Return a table with sets of a box on a top of that kind; it is the same every time."""
    rng = np.random.default_rng([box.seed, box.number, 7])
    body = np.asarray(box.style.body.mean((0, 1)), np.float32)
    top = top_like(rng, kind, body, SIDE_PX, SEEN_PX / box.size_mm[0])
    sets = random_sets(box.tileset, rng, int(rng.integers(FEWEST, MOST)))
    layout = lay_out(tuple(sets), rng, Room(TABLE_MM, box.size_mm[:2]))
    bare = np.ascontiguousarray(top[..., ::-1].astype(np.uint8))
    picture, contrasts = made_boxes.photo_with_contrasts(box, layout.tiles, rng, bare, _shadow_some)
    return f"{box.name}-{kind}", picture, made_boxes.table_truth(box, layout, contrasts)


def _shadow_some(picture: Image, rng: np.random.Generator) -> Image:
    """Lay the edge of a hard shadow across some of the pictures."""
    if rng.random() >= SHADOWED:
        return picture
    return disturbances.shadowed(picture, rng, depth=SHADOW, soft=float(rng.uniform(2, 15)))


def measure_all(reader: Reader) -> Figures:
    """Read the tables of the usual type faces, and as many of unusual ones if this machine has any."""
    faces = find_faces()
    found = measure(reader, faces)
    try:
        found.add(measure(reader, with_unusual(faces), what=UNUSUAL))
    except BadInput as error:
        found.rows.append(Row("tiles found", UNUSUAL, f"skipped: {error}", "", "", None))
    return found


def with_unusual(faces: Faces) -> Faces:
    """Return the type faces, so that boxes are printed with those that are unlike any in training.

    Raises BadInput if this machine has none of them.
    """
    if not faces.unusual:
        raise BadInput(NONE_UNUSUAL)
    return replace(faces, validation=faces.unusual)


def measure(
    reader: Reader, faces: Faces | None = None, seed: int = SEED, count: int = TABLES, out: Path | None = None,
    what: str = WOOD,
) -> Figures:  # fmt: skip
    """Read the tables; the reader knows only the kind of the box."""
    total, clear, bare, by_kind = Tally(), Tally(), 0, dict[str, Tally]()
    for kind, (name, picture, truth) in tables(faces or find_faces(), seed, count):
        if out is not None:
            save_picture(out / f"{name}.png", picture)
        sighting = reader.read(picture, tile_set(truth["tileset"]), TABLE_MM)
        tally = tally_scene(sighting, truth, name)
        total.add(tally)
        clear.add(tally_scene(sighting, with_clear_prints(truth), name))
        bare += _asked_of_bare_places(sighting, truth)
        by_kind.setdefault(kind, Tally()).add(tally)
    return figures(total, clear, bare, by_kind, what)


def _asked_of_bare_places(sighting: Sighting, truth: dict[str, Any]) -> int:
    """Return how many places far from every tile are in doubt."""
    tiles = np.asarray([(tile["x_mm"], tile["y_mm"]) for tile in truth["tiles"]], np.float64).reshape(-1, 2)
    doubtful = np.asarray([(read.x_mm, read.y_mm) for read in sighting.reads if read.bare], np.float64).reshape(-1, 2)
    return sum(bool((np.linalg.norm(tiles - place, axis=1) > NEAR_MM).all()) for place in doubtful)


def figures(total: Tally, clear: Tally, bare: int, by_kind: dict[str, Tally], what: str = WOOD) -> Figures:
    """Return a row for each figure. Only the usual type faces have targets, and a row for each kind of top.

    `clear` counts the tiles with a clear print alone, `bare` the places in doubt without a tile, and `what` names the
    tables.
    """
    usual = what == WOOD
    clearly = f"{what}, prints that stand out by {CLEAR:g} or more"
    lost = total.tiles - total.found
    rows = [
        rate_row("tiles found", what, total.found, total.tiles, 0.9995 if usual else None),
        rate_row("right without doubt", what, total.sure, total.tiles, None),
        rate_row("wrong without doubt", what, total.silent_wrong, total.tiles, 0.0 if usual else None, at_most=True),
        rate_row("right without doubt", clearly, clear.sure, clear.tiles, None),
        rate_row("wrong without doubt", clearly, clear.silent_wrong, clear.tiles, None, at_most=True),
        Row("tiles missed in silence", what, str(lost), f"{total.tiles} tiles", "0" if usual else "",
            lost == 0 if usual else None),
        Row("false tiles", what, str(total.false), f"{total.pictures} pictures", "", None),
        Row("bare places in doubt", what, str(bare), f"{total.pictures} pictures", "", None),
        Row("pictures asked about", what, str(total.asked), f"{total.pictures} pictures", "", None),
    ]  # fmt: skip
    for kind, tally in by_kind.items() if usual else ():
        doubt = 100 * tally.doubtful / max(1, tally.found)
        rows.append(Row("wooden tiles", kind, f"{tally.tiles - tally.found} lost, {doubt:.1f} % in doubt",
                        f"{tally.tiles} tiles", "", None))  # fmt: skip
    return Figures(rows, {what: total.failures})


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure a part and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wood", description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES, help="how many tables")
    parser.add_argument("--seed", type=int, default=SEED, help="other boxes and tops")
    parser.add_argument("--out", type=Path, default=None, help="keep the pictures in this folder")
    parser.add_argument("--unusual", action="store_true", help="print with type faces unlike any in training")
    given = parser.parse_args(arguments)
    faces, what = (with_unusual(find_faces()), UNUSUAL) if given.unusual else (find_faces(), WOOD)
    if given.out is not None:
        given.out.mkdir(parents=True, exist_ok=True)
    with signs_of_life("wood"):
        came = measure(build_reader(), faces, given.seed, given.tables, given.out, what)
    show(came.rows)
    for lines in came.failures.values():
        print(*lines, sep="\n")
    return 1 if any(row.reached is False for row in came.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
