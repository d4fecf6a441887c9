"""Complete generated pictures: tiles on a table under a tilted camera, other things, light, and the camera's faults.

Tiles are boxes in a real pinhole projection, so side walls, parallax and foreshortening are right for their height;
light, glare and noise are drawn, not traced.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from referee.game.tiles import HIGHEST, JOKER, Colour, Tile
from referee.train.pictures.faces import Style, choose_style, draw_face
from referee.train.pictures.lighting import Illumination, absorbed_light, choose_light, photograph
from referee.train.pictures.surfaces import Floats, Rng, mirror_lights, table_top
from referee.train.pictures.typefaces import Faces
from referee.vision.reading.glyphs import FaceStyle

Image = npt.NDArray[np.uint8]
LIKE_WOOD, LIKE_PLASTIC = 0.45, 0.12
"""The shares of tables that have nearly the tone of their wooden or plastic tiles."""
GLOSSY = 0.15
"""The share of tables that mirror windows and lamps."""


@dataclass(frozen=True)
class Truth:
    """One tile of a generated picture: its top's corners (4, 2) in pixels, clockwise from its print's top left."""

    tile: Tile | None
    corners: Floats
    cut: bool
    glyph: int = -1
    """The index of the glyph printed on it, -1 for none."""
    suit: int = 0
    """The index of the suit printed on it, 0 for none."""
    absorbed: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The part of the body's light that its ink absorbs in this picture: blue, green, red."""


@dataclass(frozen=True)
class TrainingSample:
    """A generated picture (side, side, 3) RGB with the tiles in it.

    `short_px` is the usual short side of a tile; `marks` are the places of spots and scribbles, which are no tiles.
    """

    picture: Image
    tiles: tuple[Truth, ...]
    short_px: float
    style: Style
    marks: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class _View:
    """A pinhole camera above the plane z = 0; lengths are in tile widths."""

    focal: float
    rotation: npt.NDArray[np.float64]
    centre: npt.NDArray[np.float64]
    side: int

    def project(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the pixels (n, 2) of points (n, 3)."""
        seen = (points - self.centre) @ self.rotation.T
        return self.focal * seen[:, :2] / seen[:, 2:] + self.side / 2

    @property
    def nadir(self) -> npt.NDArray[np.float64]:
        """The point of the plane directly below the camera."""
        return np.asarray(self.centre[:2])


def _choose_view(rng: Rng, side: int, short_px: float, *, overhead: bool = False) -> _View:
    focal = side * rng.uniform(0.75, 1.6)
    distance = focal / short_px
    tilt = (
        math.radians(abs(rng.normal(0, 3)))
        if overhead
        else math.radians(abs(rng.normal(0, 4)) if rng.random() < 0.55 else rng.uniform(0, 42))
    )
    about, roll = rng.uniform(0, 2 * math.pi, 2)
    axis = np.asarray([math.cos(about), math.sin(about), 0.0]) * tilt
    turn = cv2.Rodrigues(axis)[0] @ cv2.Rodrigues(np.asarray([0, 0, roll]))[0]
    looking_down = np.diag([1.0, -1.0, -1.0])
    rotation = np.asarray(turn @ looking_down, np.float64)
    centre = -rotation.T @ np.asarray([0, 0, distance])
    # A crop of a wide picture is seen from the side, like tiles far from the camera's axis.
    if tilt < 0.2:
        centre += np.asarray([*rng.normal(0, 0.35, 2), 0.0]) * side / short_px
    return _View(focal, _looking_at_origin(rotation, centre), centre, side)


def _looking_at_origin(rotation: npt.NDArray[np.float64], centre: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Turn a camera at `centre` by the smallest angle that brings the origin to its axis."""
    seen = rotation @ -centre
    seen /= np.linalg.norm(seen)
    axis = np.cross(seen, [0.0, 0.0, 1.0])
    sine = float(np.linalg.norm(axis))
    if sine < 1e-9:
        return rotation
    angle = math.atan2(sine, float(seen[2]))
    return np.asarray(cv2.Rodrigues(axis / sine * angle)[0] @ rotation)


@dataclass(frozen=True)
class _Pool:
    """The tiles of one table, of which any number may lie there."""

    colours: tuple[Colour, ...]
    numbers: tuple[int, ...]

    def draw(self, rng: Rng) -> Tile | None:
        """Return a tile, now and then a joker, or None for one that lies face down."""
        chance = rng.random()
        if chance < 0.055:
            return None
        if chance < 0.12:
            return JOKER
        number = self.numbers[int(rng.integers(len(self.numbers)))]
        return Tile(number, self.colours[int(rng.integers(len(self.colours)))])


@dataclass
class _Laid:
    tile: Tile | None
    centre: npt.NDArray[np.float64]
    angle: float


def _row(
    rng: Rng,
    length: int,
    centre: npt.NDArray[np.float64],
    angle: float,
    aspect: float,
    mode: str,
    pool: _Pool,
) -> list[_Laid]:
    """Return `length` tiles side by side, or in the mode "loose" only the first of them.

    `rng`: decides about tiles, gaps and small turns.
    `length`: the number of tiles.
    `centre`: the middle of the row, (2,) in tile widths.
    `angle`: the turn of the row, in radians.
    `aspect`: a tile's height, in tile widths.
    `mode`: "set" or "loose".
    `pool`: the tiles to choose from.
    """
    along = np.asarray([math.cos(angle), math.sin(angle)])
    down = np.asarray([-math.sin(angle), math.cos(angle)])
    gap = 0.0 if rng.random() < 0.6 else abs(rng.normal(0, 0.05))
    jitter = rng.choice([0.0, 0.03, 0.12])
    step = 1.0 + gap
    laid, face_down_row = [], rng.random() < 0.02
    for i in range(length):
        offset = (i - (length - 1) / 2) * step
        at = centre + along * offset + down * rng.normal(0, jitter) * aspect
        own = angle + rng.normal(0, 0.012) + (math.pi if rng.random() < 0.03 else 0.0)
        laid.append(_Laid(None if face_down_row else pool.draw(rng), at, own))
    return laid if mode == "set" else laid[:1]


def _lay_out(rng: Rng, view: _View, aspect: float, extent: float, pool: _Pool) -> list[_Laid]:
    """Return rows and loose tiles that do not overlap, in a square of `extent` tile widths around the origin."""
    cells = 16  # occupancy in sixteenths of a tile width
    size = round(extent * cells)
    taken = np.zeros((size, size), np.uint8)
    mode_loose = rng.choice([0.05, 0.3, 1.0], p=[0.5, 0.3, 0.2])
    wanted = int(extent * extent / aspect * rng.choice([0.15, 0.4, 0.75]))
    same = rng.uniform(0, 2 * math.pi)
    free_angles = rng.random() < 0.5
    spare = rng.choice([0.0, 0.05, 0.6])
    laid: list[_Laid] = []
    for _ in range(wanted * 3):
        if len(laid) >= wanted:
            break
        loose = rng.random() < mode_loose
        angle = rng.uniform(0, 2 * math.pi) if free_angles or loose else same + math.pi / 2 * int(rng.integers(4))
        centre = rng.uniform(-extent / 2, extent / 2, 2)
        row = _row(
            rng,
            int(rng.integers(2, 9)),
            centre,
            angle + rng.normal(0, 0.03),
            aspect,
            "loose" if loose else "set",
            pool,
        )
        outline = np.zeros_like(taken)
        for piece in row:
            cv2.fillConvexPoly(
                outline, np.round(_footprint(piece, aspect, spare) * cells + size / 2).astype(np.int32), 1
            )
        if not (outline & taken).any():
            for piece in row:
                inner = _footprint(piece, aspect, -0.03) * cells + size / 2
                cv2.fillConvexPoly(taken, np.round(inner).astype(np.int32), 1)
            laid += row
    laid.sort(key=lambda piece: -float(np.linalg.norm(piece.centre - view.nadir)))
    return laid


def _footprint(piece: _Laid, aspect: float, spare: float) -> npt.NDArray[np.float64]:
    """Return the corners (4, 2) on the plane, clockwise as seen from above, from the top left of the print."""
    half_w, half_h = 0.5 + spare / 2, aspect / 2 + spare / 2
    corners = np.asarray([[-half_w, -half_h], [half_w, -half_h], [half_w, half_h], [-half_w, half_h]])
    c, s = math.cos(piece.angle), math.sin(piece.angle)
    return np.asarray(piece.centre + corners @ np.asarray([[c, s], [-s, c]]))


def _flat(view: _View, outline: npt.NDArray[np.float64], z: float) -> npt.NDArray[np.float64]:
    # The plane's y points down in the picture (as for a reader at the bottom); the camera's world is right-handed.
    points = np.column_stack([outline[:, 0], -outline[:, 1], np.full(len(outline), z)])
    return view.project(points)


def _fill(sheet: Floats, outline: npt.NDArray[np.float64], value: npt.ArrayLike) -> None:
    """Fill a convex outline (n, 2) with smooth edges, in place; OpenCV smooths edges only in pictures of bytes."""
    x0, y0 = np.maximum(np.floor(outline.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(outline.max(0)).astype(int) + 2, sheet.shape[1::-1])
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.round((outline - (x0, y0)) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    part = sheet[y0:y1, x0:x1]
    share = mask.astype(np.float32) / 255
    part += (np.asarray(value, np.float32) - part) * (share if sheet.ndim == 2 else share[..., None])


def _shade(rng: Rng, view: _View, picture: Floats, laid: list[_Laid], aspect: float, thick: float) -> None:
    """Draw the shadows of the tiles on the table, in place, blurred by a random amount."""
    strength = rng.uniform(0.1, 0.6)
    direction = rng.normal(0, 1, 2)
    direction *= rng.uniform(0, 0.9) * thick / max(1e-6, float(np.linalg.norm(direction)))
    mask = np.zeros(picture.shape[:2], np.float32)
    for piece in laid:
        ground = _footprint(piece, aspect, 0.0)
        both = np.concatenate([_flat(view, ground, 0), _flat(view, ground + direction, 0)])
        hull = cv2.convexHull(both.astype(np.float32))[:, 0]
        _fill(mask, np.asarray(hull, np.float64), 1.0)
    scale = view.focal / float(view.centre[2])
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.6, scale * thick * rng.uniform(0.05, 0.4)))
    picture *= 1 - strength * soft[..., None]


@dataclass(frozen=True)
class _Drawn:
    """A tile as drawn: its top's corners (4, 2), whether the edge cuts it, and colours of ink and body (3,) RGB."""

    tile: Tile | None
    corners: Floats
    cut: bool
    ink: Floats
    body: Floats


def _put_tile(rng: Rng, view: _View, picture: Floats, piece: _Laid, style: Style, thick: float) -> _Drawn:
    aspect = style.height_px / style.width_px
    ground = _footprint(piece, aspect, 0.0)
    top, bottom = _flat(view, ground, thick), _flat(view, ground, 0.0)
    face, ink, body = draw_face(rng, style, piece.tile)
    side_colour = face.mean((0, 1)) * rng.uniform(0.45, 0.9)
    for i in range(4):  # each wall; the top hides those that face away
        j = (i + 1) % 4
        wall = cv2.convexHull(np.asarray([top[i], top[j], bottom[j], bottom[i]], np.float32))[:, 0]
        _fill(picture, wall.astype(np.float64), (side_colour * (0.9 + 0.1 * (i % 2))).tolist())
    _paste(picture, face, top)
    inside = (top > 0).all() and (top < picture.shape[0]).all()
    return _Drawn(piece.tile, np.asarray(top, np.float32), not inside, ink, body)


def _paste(picture: Floats, face: Floats, top: npt.NDArray[np.float64]) -> None:
    side = picture.shape[0]
    x0, y0 = np.maximum(np.floor(top.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(top.max(0)).astype(int) + 2, side)
    if x1 <= x0 or y1 <= y0:
        return
    height, width = face.shape[:2]
    source = np.asarray([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source, (top - (x0, y0)).astype(np.float32))
    size = (int(x1 - x0), int(y1 - y0))
    colours = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(size[::-1], np.float32)
    _fill(mask, top - (x0, y0), 1.0)
    part = picture[y0:y1, x0:x1]
    part += (colours - part) * mask[..., None]


def _clutter(rng: Rng, picture: Floats, short_px: float) -> None:
    """Draw things that are no tiles, in place: boards, cups, phones, pens, paper with digits, hands."""
    side = picture.shape[0]
    for _ in range(int(rng.choice([0, 1, 3, 8], p=[0.4, 0.3, 0.2, 0.1]))):
        kind = rng.random()
        x, y = rng.uniform(0, side, 2)
        tone = rng.uniform(5, 250, 3).tolist()
        if kind < 0.4:  # boards, phones, boxes, planks of a rack
            width = short_px * rng.uniform(0.2, 9)
            box = cv2.boxPoints(((x, y), (width, width * rng.uniform(0.1, 6)), rng.uniform(0, 180)))
            _fill(picture, box.astype(np.float64), tone)
        elif kind < 0.55:
            radius = short_px * rng.uniform(0.2, 2.5)
            cv2.circle(picture, (round(x), round(y)), round(radius), tone, -1, cv2.LINE_AA)
            cv2.circle(
                picture, (round(x), round(y)), round(radius * 0.85), rng.uniform(5, 250, 3).tolist(), -1, cv2.LINE_AA
            )
        elif kind < 0.7:  # writing on the table
            cv2.putText(picture, str(int(rng.integers(0, 9999))), (round(x), round(y)), int(rng.integers(0, 5)),
                        short_px / rng.uniform(15, 60), tone, max(1, round(short_px / 15)), cv2.LINE_AA)  # fmt: skip
        elif kind < 0.85:  # hand and fingers
            skin = (np.asarray([225, 170, 140]) * rng.uniform(0.35, 1.1)).tolist()
            angle = rng.uniform(0, 2 * math.pi)
            for k in range(int(rng.integers(1, 5))):
                tip = (x + short_px * (3 * math.cos(angle) + 0.7 * k), y + short_px * (3 * math.sin(angle) - 0.3 * k))
                cv2.line(picture, (round(x + short_px * 0.7 * k), round(y)), (round(tip[0]), round(tip[1])), skin,
                         round(short_px * rng.uniform(0.5, 0.8)), cv2.LINE_AA)  # fmt: skip
        else:
            other = rng.uniform(0, side, 2)
            cv2.line(picture, (round(x), round(y)), (round(other[0]), round(other[1])), tone,
                     round(max(1, short_px * rng.uniform(0.03, 0.3))), cv2.LINE_AA)  # fmt: skip


def _marks(rng: Rng, picture: Floats, short_px: float) -> tuple[tuple[float, float], ...]:
    """Draw stains, cracks and scribbles as large as print, in place, which a finder must not take for tiles."""
    side = picture.shape[0]
    places = []
    for _ in range(int(rng.choice([0, 3, 12], p=[0.5, 0.3, 0.2]))):
        x, y = rng.uniform(0, side, 2)
        mask = np.zeros((side, side), np.float32)
        size = short_px * rng.uniform(0.15, 0.9)
        if rng.random() < 0.4:
            axes = (max(1, round(size * rng.uniform(0.2, 0.6))), max(1, round(size * rng.uniform(0.1, 0.5))))
            cv2.ellipse(mask, (round(x), round(y)), axes, rng.uniform(0, 180), 0, 360, 1.0,
                        -1 if rng.random() < 0.6 else max(1, round(size * 0.1)), cv2.LINE_AA)  # fmt: skip
        else:
            line = np.cumsum(rng.normal(0, size * 0.3, (int(rng.integers(3, 9)), 2)), axis=0) + np.asarray([x, y])
            thick = max(1, round(size * rng.uniform(0.04, 0.25)))
            cv2.polylines(mask, [np.round(line).astype(np.int32)], False, 1.0, thick, cv2.LINE_AA)
        if rng.random() < 0.6:
            mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.5, size * rng.uniform(0.03, 0.2))), np.float32)
        picture += (np.asarray(rng.uniform(0, 255, 3), np.float32) - picture) * (mask * rng.uniform(0.15, 0.9))[
            ..., None
        ]
        places.append((float(x), float(y)))
    return tuple(places)


def make_scene(
    rng: Rng,
    faces: Faces,
    *,
    side: int,
    short_px: float,
    validation: bool = False,
    empty: bool | None = None,
    severity: float = 1.0,
    overhead: bool = False,
    signs: FaceStyle | None = None,
    numbers: tuple[int, ...] = tuple(range(1, HIGHEST + 1)),
) -> TrainingSample:
    """Return one generated picture with its labels.

    `rng`: decides everything; the same state gives the same picture.
    `faces`: the type faces to print with.
    `side`: width and height of the picture in pixels.
    `short_px`: the approximate width of a tile in pixels.
    `validation`: whether to print with the type faces for calibration; False by default.
    `empty`: True for a picture without tiles, False for one with tiles. None: it is decided at random.
    `severity`: how difficult light and camera make it. Training uses 1.0 (the default) and 0.45; 0.4 is as on a
        kitchen table.
    `overhead`: a camera above the table, and print that is easy to see; False by default.
    `signs`: the glyphs that the box prints. None: any that are sold.
    `numbers`: the numbers of the tiles, all of them by default.
    """
    style = choose_style(rng, faces, short_px, validation=validation, plain=overhead, signs=signs)
    view = _choose_view(rng, side, short_px, overhead=overhead)
    aspect = style.height_px / style.width_px
    thick = rng.uniform(0.16, 0.48)
    picture = np.ascontiguousarray(table_top(rng, side, short_px))
    if rng.random() < (LIKE_WOOD if style.wooden else LIKE_PLASTIC):
        tone = np.exp(rng.normal(0, 0.14) + rng.normal(0, 0.03, 3)).astype(np.float32)
        picture *= style.body.mean((0, 1)) / picture.mean((0, 1)) * tone
    if rng.random() < GLOSSY:
        mirror_lights(rng, picture, short_px)
    _clutter(rng, picture, short_px)
    marks = _marks(rng, picture, short_px)
    bare = rng.random() < 0.08
    pool = _Pool(_on_this_table(rng, tuple(style.inks)), numbers)
    extent = side / short_px * 1.25
    laid = [] if (bare if empty is None else empty) else _lay_out(rng, view, aspect, extent, pool)
    if laid:
        _shade(rng, view, picture, laid, aspect, thick)
    drawn = [_put_tile(rng, view, picture, piece, style, thick) for piece in laid]
    light = choose_light(rng, side, short_px, severity)
    truths = _as_seen(drawn, light, style)
    shown = [t for t in truths if ((t.corners.mean(0) > 0) & (t.corners.mean(0) < side)).all()]
    return TrainingSample(photograph(rng, picture, light, short_px, severity), tuple(shown), short_px, style, marks)


def _on_this_table(rng: Rng, colours: tuple[Colour, ...]) -> tuple[Colour, ...]:
    """Return the inks on one table: usually all of the box, fewer early in a round."""
    count = int(rng.choice([4, 3, 2, 1], p=[0.7, 0.15, 0.1, 0.05]))
    return tuple(colours[i] for i in sorted(rng.permutation(len(colours))[:count]))


def _as_seen(drawn: list[_Drawn], light: Illumination, style: Style) -> list[Truth]:
    """Return the labels of each tile, with its ink as it appears in the light."""
    if not drawn:
        return []
    places = np.asarray([_print_place(d.corners, style.number_y) for d in drawn])
    inks, bodies = (light.light_colours(np.asarray([getattr(d, k) for d in drawn]), places) for k in ("ink", "body"))
    taken = absorbed_light(inks, bodies)[:, ::-1]
    return [
        Truth(d.tile, d.corners, d.cut,
              -1 if d.tile is None or d.tile.is_joker else style.glyph_of(d.tile), style.suit_of(d.tile),
              (float(a[0]), float(a[1]), float(a[2])))
        for d, a in zip(drawn, taken, strict=True)
    ]  # fmt: skip


def _print_place(corners: Floats, down: float) -> Floats:
    """Return where the number is printed on a tile (4, 2); `down` is a part of its height."""
    top, bottom = (corners[0] + corners[1]) / 2, (corners[2] + corners[3]) / 2
    return np.asarray(top + (bottom - top) * down, np.float32)
