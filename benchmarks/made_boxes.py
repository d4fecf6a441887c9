"""Draws boxes of tiles that were not used in training: all tiles of each in four pictures, and tables of a match.

Typeface, inks, marks and body of a box come from the generator of the training pictures, from families that are not
used in training; so do light and camera. Table, markers, walls and the camera's pose are those of the virtual table.
Every tile is printed once, and looks the same in every picture.
"""

from __future__ import annotations

import copy
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.boxes import Labelled
from benchmarks.enrolled import BATCHES, TABLES
from benchmarks.print_contrast import print_contrasts
from benchmarks.virtual import random_sets
from referee.devices.camera.stills import load_picture, save_picture
from referee.game.tiles import FACE_DOWN, TILE_SETS, Tile, TileSet
from referee.sim.scene.arrays import Floats, floats
from referee.sim.scene.camera import Camera
from referee.sim.scene.layout import Layout, Room, lay_out
from referee.sim.scene.light import Lighting
from referee.sim.scene.render import lay_marker
from referee.sim.scene.scene import Placed, Scene
from referee.sim.scene.solids import Canvas, cast_shadows, draw_walls, far_first, lay_flat, wall_dimming
from referee.train.calibrate import SEVERITY
from referee.train.pictures.faces import APART, Style, choose_style, draw_face, least_apart
from referee.train.pictures.lighting import choose_light, photograph
from referee.train.pictures.surfaces import table_top
from referee.train.pictures.typefaces import Faces
from referee.vision.sighting import Image

SEED = 10
KINDS = ("rummikub", "ravensburger", "piatnik", "classic")
SIDE_PX, TABLE_MM = 1280, (600.0, 600.0)
FOCAL = 1.4
"""The focal length in widths of the picture, which is the middle part of a picture of the virtual table's camera."""
PRINT_PX, SEEN_PX = 80.0, 46.0
"""The approximate width of a tile in pixels, as it is drawn and as it appears in a picture."""
FEWEST, MOST = 24, 40
"""The range of the number of tiles on a table."""
Wanted = tuple[str, int, int]
"""Identifies a picture: "e" for an enrolment or "t" for a table, its number, and the attempt."""
Draw = Callable[[str, int, int], Labelled]

Disturb = Callable[[Image, np.random.Generator], Image]
"""Changes a picture at random."""
Piece = tuple[Tile | None, int]
"""A tile, or None for a back, and the number of the copy."""


@dataclass
class MadeBox:
    """One box: its kind, its size, its style, and the printed pieces (RGB), which are drawn when needed."""

    number: int
    tileset: TileSet
    style: Style
    size_mm: tuple[float, float, float]
    seed: int = SEED
    pieces: dict[Piece, Floats] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The box's name: `m` and its number in two digits."""
        return f"m{self.number:02d}"

    @property
    def looks(self) -> str:
        """Body, typeface and marks in words."""
        body = "wood" if self.style.wooden else "plastic"
        return f"{body}, {self.style.face.stem}, mark {self.style.mark}, joker {self.style.joker}"

    def piece(self, tile: Tile | None, copy: int) -> Floats:
        """Return the top of one tile, (h, w, 3) RGB 0-255; None is a back."""
        if (tile, copy) not in self.pieces:
            name = FACE_DOWN if tile is None else tile.name
            rng = np.random.default_rng([self.seed, self.number, 1, zlib.crc32(name.encode()), copy])
            self.pieces[tile, copy] = draw_face(rng, self.style, tile)[0]
        return self.pieces[tile, copy]

    def without_prints(self) -> MadeBox:
        """Return the same box with nothing printed on its tiles."""
        return replace(self, style=replace(self.style, opacity=0.0, engraved=0.0), pieces={})


def make_box(number: int, faces: Faces, seed: int = SEED) -> MadeBox:
    """Return a box whose inks people can distinguish; the kind depends on `number`.

    With the same typefaces, the box is the same on every machine.
    """
    rng = np.random.default_rng([seed, number])
    tileset = TILE_SETS[KINDS[number % len(KINDS)]]
    while True:
        style = choose_style(rng, faces, PRINT_PX, validation=True, plain=True)
        kind = set(style.inks) == set(tileset.colours) and style.signs.cards == (tileset.faces == "cards")
        if kind and contrast(style) >= APART:
            break
    width = float(rng.uniform(24.5, 27.0))
    size = (width, width * style.height_px / style.width_px, float(rng.uniform(8.5, 11.0)))
    return MadeBox(number, tileset, style, size, seed)


def contrast(style: Style) -> float:
    """Return the least distance between the printed inks of a box and between ink and body, in CIE L*a*b*."""
    body = style.body.mean((0, 1))
    printed = [ink * style.opacity + body * (1 - style.opacity) for ink in style.inks.values()]
    return least_apart([*printed, body])


def dealt(box: MadeBox) -> list[list[Piece]]:
    """Return the pieces in each picture of an enrolment; every tile of the box is in one of them."""
    pieces: list[Piece] = [(tile, copy) for tile, many in box.tileset.inventory().items() for copy in range(many)]
    order = np.random.default_rng([box.seed, box.number, 2]).permutation(len(pieces))
    return [[pieces[i] for i in order[number::BATCHES]] for number in range(BATCHES)]


def batch_of(
    box: MadeBox, number: int, attempt: int = 0, pieces: Sequence[Piece] | None = None, *, markers: bool = True
) -> Labelled:  # fmt: skip
    """Return the `number`-th picture of an enrolment: a quarter of the box, or `pieces`, laid separately at any angle.

    Another `attempt` shows the same tiles in another light; it is used after a picture was refused.
    """
    own = dealt(box)[number] if pieces is None else pieces
    placed = apart(own, np.random.default_rng([box.seed, box.number, 3, number, attempt]))
    rng = np.random.default_rng([box.seed, box.number, 6, number, attempt])
    picture = photo(box, placed, rng, _top(box.seed, box.number, 0), markers=markers)
    return f"{box.name}-e{number}", picture, truth_of(box, [(t,) for t in placed], enrolment=True)


def table_of(box: MadeBox, number: int) -> Labelled:
    """Return the `number`-th table of a match: sets of the box as people lay them, each table in another light."""
    rng = np.random.default_rng([box.seed, box.number, 4, number])
    sets = random_sets(box.tileset, rng, int(rng.integers(FEWEST, MOST)))
    layout = lay_out(tuple(sets), rng, Room(TABLE_MM, box.size_mm[:2]))
    picture, contrasts = photo_with_contrasts(box, layout.tiles, rng, _top(box.seed, box.number, 1))
    return f"{box.name}-t{number}", picture, table_truth(box, layout, contrasts)


def apart(pieces: Sequence[Piece], rng: np.random.Generator) -> list[Placed]:
    """Place tiles in separate fields of a grid, each turned by a random angle."""
    columns = 6
    rows = max(5, -(-len(pieces) // columns))
    fields = rng.permutation(columns * rows)[: len(pieces)]
    across, along = (TABLE_MM[0] - 90) / columns, (TABLE_MM[1] - 90) / rows
    return [
        Placed(tile, 45 + across * (at % columns + 0.5) + float(rng.normal(0, 4)),
               45 + along * (at // columns + 0.5) + float(rng.normal(0, 4)), float(rng.uniform(0, 360)), copy)
        for (tile, copy), at in zip(pieces, fields, strict=True)
    ]  # fmt: skip


def photo(
    box: MadeBox, placed: Sequence[Placed], rng: np.random.Generator, top: Image, *, markers: bool = True
) -> Image:  # fmt: skip
    """Return a picture (SIDE_PX, SIDE_PX, 3) BGR of tiles on a table, with random light and camera.

    `top` is the bare table in a picture of the same size, BGR.
    """
    view = Canvas(top.copy(), _camera(rng), _lamp(rng))
    turns = tuple(rng.normal(0, 1.5, 4).tolist())
    scene = Scene(tuple(placed), box.tileset, table_mm=TABLE_MM, marker_turns=turns)
    for marker in scene.markers if markers else ():
        lay_marker(view, scene, marker)
    _lay_tiles(view, box, placed)
    seen = np.ascontiguousarray(view.image[..., ::-1], np.float32)
    light = choose_light(rng, SIDE_PX, SEEN_PX, SEVERITY)
    return np.ascontiguousarray(photograph(rng, seen, light, SEEN_PX, SEVERITY)[..., ::-1])


def photo_with_contrasts(
    box: MadeBox, placed: Sequence[Placed], rng: np.random.Generator, top: Image,
    disturb: Disturb = lambda picture, _: picture,
) -> tuple[Image, list[float]]:  # fmt: skip
    """Return a photo of tiles, and how much the print of each stands out in it (`print_contrast.py`).

    `disturb` changes the photo afterwards, with the same random generator.
    """
    again, camera = copy.deepcopy(rng), _camera(copy.deepcopy(rng))
    picture = disturb(photo(box, placed, rng, top), rng)
    bare = disturb(photo(box.without_prints(), placed, again, top), again)
    outlines = np.concatenate([tile.corners(box.size_mm[:2]) for tile in placed])
    quads = camera.project_flat(floats(outlines), box.size_mm[2]).reshape(-1, 4, 2)
    return picture, print_contrasts(picture, bare, quads)


@lru_cache(maxsize=2)
def _top(seed: int, box: int, room: int) -> Image:
    """Return the bare table of a room, BGR; the array must not be changed."""
    top = table_top(np.random.default_rng([seed, box, 5, room]), SIDE_PX, SEEN_PX)
    return np.ascontiguousarray(np.clip(top, 0, 255)[..., ::-1].astype(np.uint8))


def _lamp(rng: np.random.Generator) -> Lighting:
    """Return a random direction of the light, for walls and shadows."""
    from_deg, slant, shadow = rng.uniform((0, 0.2, 0.25), (360, 0.8, 0.6)).tolist()
    return Lighting(from_deg=from_deg, slant=slant, shadow=shadow, softness_mm=float(rng.uniform(4, 12)))


def _camera(rng: np.random.Generator) -> Camera:
    """Return a camera that hangs near the middle of the table, and points at it."""
    height, (off_x, off_y) = float(rng.uniform(1000, 1060)), rng.normal(0, 40, 2)
    lean = np.degrees(np.arctan2([-off_x, -off_y], height)) + rng.normal(0, 0.3, 2)
    return Camera(SIDE_PX, SIDE_PX, TABLE_MM[0] / 2 + float(off_x), TABLE_MM[1] / 2 + float(off_y), height,
                  float(lean[1]), float(lean[0]), float(rng.normal(0, 1.5)), FOCAL)  # fmt: skip


def _lay_tiles(view: Canvas, box: MadeBox, placed: Sequence[Placed]) -> None:
    """Draw the shadows, walls and tops of tiles, in place."""
    width, height, thick = box.size_mm
    outlines = [tile.corners((width, height)) for tile in placed]
    cast_shadows(view, outlines, [thick] * len(outlines))
    dim = wall_dimming(placed, box.size_mm)
    red, green, blue = (float(level) for level in box.style.body.mean((0, 1)))
    for i in far_first(view.camera, floats([(t.x_mm, t.y_mm) for t in placed])):
        inner = placed[i].corners((width - 0.5, height - 0.5))
        draw_walls(view, inner, (0.0, thick - 0.4), (blue, green, red), dim[i])
        top = np.clip(box.piece(placed[i].tile, placed[i].copy), 0, 255)
        lay_flat(view, floats(top[..., ::-1]), outlines[i], thick)


def drawn(
    numbers: Iterable[int], faces: Faces, kept: Path | None = None, processes: int = 2, seed: int = SEED
) -> Iterator[tuple[MadeBox, Draw]]:  # fmt: skip
    """Yield boxes, each with a function that returns its pictures, which are drawn ahead in `processes` processes.

    `kept` is a folder where pictures of one seed are cached; empty it when the code that draws them has changed.
    """
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
    with get_context("spawn").Pool(processes) as pool:
        chosen = list(numbers)
        draw_all = partial(_all_of, faces=faces, kept=kept, seed=seed)
        for number, ahead in zip(chosen, pool.imap(draw_all, chosen), strict=True):
            box = make_box(number, faces, seed)
            yield box, partial(_picture, box, kept, ahead)


def _all_of(number: int, faces: Faces, kept: Path | None, seed: int) -> dict[Wanted, Labelled]:
    cv2.setNumThreads(1)
    box = make_box(number, faces, seed)
    wanted = [("e", i, 0) for i in range(BATCHES)] + [("t", i, 0) for i in range(TABLES)]
    return {one: _picture(box, kept, {}, *one) for one in wanted}


def _picture(
    box: MadeBox, kept: Path | None, ahead: Mapping[Wanted, Labelled], kind: str, number: int, attempt: int
) -> Labelled:  # fmt: skip
    """Return one picture; draw it if it is neither drawn ahead nor cached."""
    if (kind, number, attempt) in ahead:
        return ahead[kind, number, attempt]
    name = f"{box.name}-{kind}{number}" + (f"-{attempt}" if attempt else "")
    file = None if kept is None else kept / f"{name}.png"
    if file is not None and file.with_suffix(".json").exists():
        return name, load_picture(file), json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    _, picture, truth = batch_of(box, number, attempt) if kind == "e" else table_of(box, number)
    if file is not None:
        save_picture(file, picture)
        file.with_suffix(".json").write_text(json.dumps(truth), encoding="utf-8")
    return name, picture, truth


def table_truth(box: MadeBox, layout: Layout, contrasts: Sequence[float]) -> dict[str, Any]:
    """Return the ground truth of a table of a match, with the contrast of each tile's print."""
    truth = truth_of(box, [row.placed for row in layout.rows], enrolment=False)
    shown = [contrast for tile, contrast in zip(layout.tiles, contrasts, strict=True) if tile.tile is not None]
    for tile, contrast in zip(truth["tiles"], shown, strict=True):
        tile["contrast"] = round(contrast, 1)
    return truth


def truth_of(box: MadeBox, rows: Sequence[Sequence[Placed]], *, enrolment: bool) -> dict[str, Any]:
    """Return the ground truth in the format of the scenes of ../shared."""
    tiles = [
        {"rank": "joker" if t.tile.is_joker else t.tile.number, "colour": t.tile.colour, "x_mm": t.x_mm,
         "y_mm": t.y_mm, "angle_deg": t.angle_deg, "meld": m, "pos": p}
        for m, row in enumerate(rows) for p, t in enumerate(row) if t.tile is not None
    ]  # fmt: skip
    down = sum(t.tile is None for row in rows for t in row)
    return {"tileset": box.tileset.name, "table_mm": TABLE_MM, "tiles": tiles, "face_down": down,
            "enrolment": enrolment}  # fmt: skip
