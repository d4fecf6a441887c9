"""Close-ups of one tile, without markers, on wood, cork and woven cloth: whether it is found, and what it is read as.

    python -m benchmarks.closeups --seed 1 --out /tmp/closeups

measures pictures of another seed and saves them, but writes no figures; `python -m benchmarks closeups` measures those
of models/METRICS.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from benchmarks.progress import signs_of_life
from benchmarks.report import Figures, Row, rate_row, show
from benchmarks.wooden_tops import TOPS, Floats
from referee.cli.parts.readers import build_reader
from referee.devices.camera.stills import save_picture
from referee.game.tiles import Tile
from referee.train.pictures.faces import Style, choose_style, draw_face
from referee.train.pictures.lighting import choose_light, photograph
from referee.train.pictures.typefaces import Faces, find_faces
from referee.vision.sighting import Image, Reader, Sighting

SEED = 2
HEIGHTS_PX = (110, 150, 220, 320, 400)
"""The heights of the tile in a picture of SIZE."""
EACH = 5
"""The number of pictures for each height on each table top."""
SIZE = (640, 480)
SEVERITY, BLUR_PX = 0.4, 60.0
"""The severity of the light, that of a kitchen table, and the width of a tile in pixels that determines the blur of
the lens, whatever its real size is."""
FROM_PX, FOUND = 150, 0.95
CLOSE_UPS = f"close-ups of one tile, {FROM_PX} px high or more"


@dataclass(frozen=True)
class CloseUp:
    """One picture (H, W, 3) BGR, and the tile in it with its corners (4, 2) in pixels."""

    name: str
    picture: Image
    tile: Tile
    corners: Floats
    high_px: int


def close_ups(faces: Faces, seed: int = SEED, each: int = EACH) -> Iterator[CloseUp]:
    """Yield pictures of one tile of an unknown box, in every size on every table top."""
    for kind in TOPS:
        for high in HEIGHTS_PX:
            for number in range(each):
                yield draw(faces, kind, high, np.random.default_rng([seed, list(TOPS).index(kind), high, number]),
                           f"{kind}-{high}-{number}")  # fmt: skip


def draw(faces: Faces, kind: str, high: int, rng: np.random.Generator, name: str) -> CloseUp:
    """Draw one tile, `high` pixels high, at a random angle, on a table top of that kind."""
    width, height = SIZE
    wide = high / 1.4
    style = choose_style(rng, faces, wide, validation=True, plain=True)
    tile = Tile(int(rng.integers(1, 14)), list(style.inks)[int(rng.integers(len(style.inks)))])
    base = rng.uniform(40, 220, 3).astype(np.float32)
    if rng.random() < 0.5:
        base = np.float32(base.mean()) * rng.uniform(0.9, 1.1, 3).astype(np.float32)
    sheet = np.clip(TOPS[kind](rng, width, base, wide / 26.0), 0, 255).astype(np.float32)
    away = 0.65 * high
    place = [float(rng.uniform(min(away, side / 2), max(side - away, side / 2))) for side in SIZE]
    corners = _lay(rng, sheet, style, draw_face(rng, style, tile)[0], high, place)
    light = choose_light(rng, width, wide, SEVERITY)
    picture = photograph(rng, sheet, light, BLUR_PX, SEVERITY)[:height, :, ::-1]
    return CloseUp(name, np.ascontiguousarray(picture), tile, corners, high)


def _lay(
    rng: np.random.Generator, sheet: Floats, style: Style, face: Floats, high: int, place: Sequence[float]
) -> Floats:
    """Lay a tile with its shadow and one of its walls on a sheet, in place; return its corners (4, 2)."""
    side = sheet.shape[0]
    scale, angle = high / face.shape[0], float(rng.uniform(0, 2 * np.pi))
    half = np.asarray(face.shape[1::-1], np.float32) * scale / 2
    turn = np.asarray([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = np.asarray([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn + place
    shadow = np.zeros((side, side), np.float32)
    cv2.fillConvexPoly(shadow, (corners + np.asarray((0.04, 0.05)) * high).astype(np.int32), 0.5, cv2.LINE_AA)
    sheet *= 1 - cv2.GaussianBlur(shadow, (0, 0), 0.035 * high)[..., None]
    leaning = corners - 0.04 * (corners - np.asarray(SIZE) / 2)
    wall = cv2.convexHull(np.concatenate([corners, leaning]).astype(np.float32))[:, 0]
    cv2.fillConvexPoly(sheet, wall.astype(np.int32), (style.body.mean((0, 1)) * 0.7).tolist(), cv2.LINE_AA)
    source = np.asarray([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * np.asarray(face.shape[1::-1], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    top = cv2.warpPerspective(np.clip(face, 0, 255).astype(np.float32), matrix, (side, side),
                              flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    inside = np.zeros((side, side), np.float32)
    cv2.fillConvexPoly(inside, (corners * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    sheet += (top - sheet) * inside[..., None]
    return np.asarray(corners, np.float32)


def measure(
    reader: Reader, faces: Faces | None = None, seed: int = SEED, each: int = EACH, out: Path | None = None
) -> Figures:  # fmt: skip
    """Read every close-up with a reader that does not know the box."""
    counts: dict[int, list[int]] = {high: [0, 0, 0, 0] for high in HEIGHTS_PX}
    failures = []
    for one in close_ups(faces or find_faces(), seed, each):
        if out is not None:
            save_picture(out / f"{one.name}.png", one.picture)
        sighting = reader.read(one.picture, None, (900.0, 600.0))
        near = _near(sighting, one)
        found = bool(near)
        read = sighting.reads[near[0]] if found else None
        right = read is not None and read.tile is not None and read.tile.number == one.tile.number
        silent = read is not None and not right and not read.doubtful
        extra = sum(not r.doubtful for i, r in enumerate(sighting.reads) if i not in near and r.tile is not None)
        for at, value in enumerate((1, found, silent, extra)):
            counts[one.high_px][at] += value
        if not found or silent or extra:
            told = "not found" if read is None else f"read as {read.name}, {extra} other tiles"
            failures.append(f"{one.name} {one.tile.name}: {told}")
    return _figures(counts, failures)


def _near(sighting: Sighting, one: CloseUp) -> list[int]:
    middle = one.corners.mean(axis=0)
    return [i for i, read in enumerate(sighting.reads)
            if np.linalg.norm(read.corners_px.mean(axis=0) - middle) < 0.3 * one.high_px]  # fmt: skip


def _figures(counts: dict[int, list[int]], failures: list[str]) -> Figures:
    large = np.sum([counts[high] for high in HEIGHTS_PX if high >= FROM_PX], axis=0).tolist()
    rows = [
        rate_row("tiles found", CLOSE_UPS, large[1], large[0], FOUND),
        rate_row("number wrong without doubt", CLOSE_UPS, large[2], large[0], None, at_most=True),
        Row("false tiles, without doubt", CLOSE_UPS, str(large[3]), f"{large[0]} pictures", "0", large[3] == 0),
    ]
    rows += [Row("close-ups, tile found", f"{high} px high", f"{100 * found / of:.0f} %", f"{of} pictures", "", None)
             for high, (of, found, _, _) in counts.items()]  # fmt: skip
    return Figures(rows, {CLOSE_UPS: failures})


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure some pictures and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.closeups", description=__doc__)
    parser.add_argument("--each", type=int, default=EACH, help="pictures of every height on every top")
    parser.add_argument("--seed", type=int, default=SEED, help="other pictures")
    parser.add_argument("--out", type=Path, default=None, help="keep the pictures in this folder")
    given = parser.parse_args(arguments)
    if given.out is not None:
        given.out.mkdir(parents=True, exist_ok=True)
    with signs_of_life("closeups"):
        came = measure(build_reader(), find_faces(), given.seed, given.each, given.out)
    show(came.rows)
    for lines in came.failures.values():
        print(*lines, sep="\n")
    return 1 if any(row.reached is False for row in came.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
