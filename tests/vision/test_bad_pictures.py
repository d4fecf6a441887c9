"""The shipped model on pictures as nobody should take them: cut off, without colours, of a screen, large and small."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.truth import photos, tally_photo
from benchmarks.virtual import scene
from referee.cli.parts.readers import build_reader
from referee.devices.camera.stills import load_picture
from referee.game.tiles import TILE_SETS, tile_set
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render, truth
from referee.sim.scene.scene import Scene
from referee.vision.pipeline import TableReader
from referee.vision.sighting import Floats, Image, Sighting

ROOT = Path(__file__).resolve().parent.parent.parent
MODELS = ROOT / "models"
PHOTOS = ROOT.parent / "shared" / "photos"
RUMMIKUB = tile_set("rummikub")

pytestmark = pytest.mark.skipif(
    not (MODELS / "tiles.toml").is_file(), reason="models/tiles.toml is missing: make it with `make model`"
)
needs_photos = pytest.mark.skipif(
    not (PHOTOS / "labels.jsonl").is_file(), reason="no folder shared/photos beside here"
)


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return build_reader(MODELS)


@pytest.fixture(scope="module")
def table() -> tuple[Image, list[str], Floats]:
    """A drawn table without markers, the names of its tiles, and their corners (n, 4, 2)."""
    made, rows, camera = scene(200, TILE_SETS["rummikub"], 24)
    bare = Scene(made.tiles, made.tileset, made.look, surface=made.surface, seed=made.seed, markers=())
    picture = render(bare, camera, LIGHTS["even"], np.random.default_rng(5))
    placed = [placed for row in rows for placed in row]
    corners = truth(bare, camera)
    order = [bare.tiles.index(one) for one in placed]
    return picture, [one.tile.name for one in placed if one.tile], np.asarray(corners[order], np.float32)


def cut_through(picture: Image, quad: Floats, side: str, share: float) -> tuple[Image, Floats]:
    """Return the picture without what lies beyond a line through a tile, and how far (2,) it begins further on.

    `share` of the tile's extent is left.
    """
    low, high = quad.min(axis=0), quad.max(axis=0)
    right, bottom = (low + share * (high - low)).astype(int)
    left, top = (high - share * (high - low)).astype(int)
    shown = {"right": picture[:, :right], "bottom": picture[:bottom], "left": picture[:, left:], "top": picture[top:]}
    shift = {"left": (left, 0), "top": (0, top)}.get(side, (0, 0))
    return np.ascontiguousarray(shown[side]), np.float32(shift)


def what_became(sighting: Sighting, shape: tuple[int, ...], names: Sequence[str], quads: Floats) -> list[str]:
    """Return `told`, `doubt`, `right`, `WRONG` or `lost` for each tile of which 40 to 85 % is in a picture."""
    frame = np.float32([(0, 0), (shape[1], 0), (shape[1], shape[0]), (0, shape[0])])
    found = []
    for name, quad in zip(names, quads, strict=True):
        area, part = cv2.intersectConvexConvex(cv2.convexHull(quad)[:, 0], frame)
        if not 0.4 < area / cv2.contourArea(cv2.convexHull(quad)) < 0.85:
            continue
        on = [cv2.intersectConvexConvex(read.corners_px, part)[0] > 0.5 * area for read in sighting.reads]
        told = any(cv2.pointPolygonTest(part, place, False) >= 0 for place in sighting.quality.cut_off_px)
        if True not in on:
            found.append("told" if told else "lost")
            continue
        read = sighting.reads[on.index(True)]
        found.append("doubt" if read.doubtful else "right" if read.name == name else "WRONG")
    return found


@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
def test_half_a_tile_at_the_edge_is_told_and_not_read(
    reader: TableReader, table: tuple[Image, list[str], Floats], side: str
) -> None:
    picture, names, corners = table
    sign = -1 if side in ("left", "top") else 1
    middles = corners.mean(axis=1)[:, 0 if side in ("left", "right") else 1]
    outermost = corners[int((sign * middles).argmax())]
    shown, shift = cut_through(picture, outermost, side, 0.6)
    seen = reader.read(shown, RUMMIKUB)
    became = what_became(seen, shown.shape, names, corners - shift)
    assert became
    assert set(became) <= {"told", "doubt"}
    assert seen.quality.to_json()["cut_off"] >= len(became)


def test_no_tile_is_cut_off_where_the_whole_table_is_in_the_picture(
    reader: TableReader, table: tuple[Image, list[str], Floats]
) -> None:
    assert reader.read(table[0], RUMMIKUB).quality.cut_off_px == ()


@needs_photos
def test_half_tiles_at_the_edges_of_photos_are_told_and_not_read(reader: TableReader) -> None:
    """Before, most were passed over, and some were read wrongly without doubt: an 11 as a 1."""
    became: list[str] = []
    chosen = [entry for entry in photos(PHOTOS) if entry["tiles"]][::6]
    sides = ("left", "top", "right", "bottom")
    for turn, entry in enumerate(chosen):
        hulls = [cv2.convexHull(np.float32(tile["outline"])) for tile in entry["tiles"]]
        boxes = np.stack([cv2.boxPoints(cv2.minAreaRect(hull)) for hull in hulls])
        side = sides[turn % 4]
        order = np.argsort(boxes.mean(axis=1)[:, turn % 2])
        middle = boxes[order[len(order) // 3 if turn % 4 < 2 else 2 * len(order) // 3]]
        shown, shift = cut_through(load_picture(PHOTOS / entry["image"]), middle, side, 0.6)
        names = [tile["label"] for tile in entry["tiles"]]
        became += what_became(reader.read(shown, RUMMIKUB), shown.shape, names, boxes - shift)
    assert len(became) > 20
    assert "WRONG" not in became
    assert sum(one in ("told", "doubt") for one in became) >= 0.9 * len(became), became


@needs_photos
def test_in_whole_photos_hardly_anything_is_taken_for_half_a_tile(reader: TableReader) -> None:
    """A few tiles of these photos touch the edge, but none is cut off."""
    pictures = [load_picture(PHOTOS / entry["image"]) for entry in photos(PHOTOS)[::6]]
    assert sum(len(reader.read(picture, RUMMIKUB).quality.cut_off_px) for picture in pictures) <= 1


def test_without_colours_every_ink_is_in_doubt(reader: TableReader, table: tuple[Image, list[str], Floats]) -> None:
    """Before, tiles of all inks were read as black ones."""
    grey = cv2.cvtColor(cv2.cvtColor(table[0], cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    seen = reader.read(grey, RUMMIKUB)
    assert seen.quality.grey
    assert len(seen.reads) >= 20
    assert [read.name for read in seen.reads if not read.doubtful and read.name not in ("joker", "face-down")] == []


def on_screen(picture: Image) -> Image:
    """Return a photo of a screen that shows the picture: red, green and blue stripes, a black frame, a reflection."""
    light = (np.repeat(np.repeat(picture, 3, axis=0), 3, axis=1) / 255.0).astype(np.float32) ** 2.2
    stripes = np.full((3, 3, 3), 0.15, np.float32)
    for column, channel in enumerate((2, 1, 0)):
        stripes[:2, column, channel] = 3.0
    light *= np.tile(stripes, (*picture.shape[:2], 1))
    light = cv2.copyMakeBorder(light, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(0.01, 0.01, 0.01))
    height, width = light.shape[:2]
    across, down = round(width * 0.5), round(height * 0.5)
    corners = np.float32([(0.06, 0.05), (0.93, 0.02), (0.97, 0.95), (0.03, 0.97)]) * (across, down)
    whole = np.float32([(0, 0), (width, 0), (width, height), (0, height)])
    view = cv2.getPerspectiveTransform(whole, np.float32(corners))
    softened = cv2.GaussianBlur(light, (0, 0), 1.2)
    seen = cv2.warpPerspective(softened, view, (across, down), borderValue=(0.2, 0.2, 0.2))
    spot = np.zeros((down, across, 1), np.float32)
    cv2.circle(spot, (across // 2, down // 3), down // 9, 0.08, -1)
    seen += cv2.GaussianBlur(spot, (0, 0), down / 20)[..., None]
    noise = np.random.default_rng(1).normal(0, 3, seen.shape)
    return np.asarray(np.clip(np.clip(seen, 0, 1) ** (1 / 2.2) * 255 + noise, 0, 255), np.uint8)


@needs_photos
def test_a_photo_of_a_screen_is_read_as_what_it_shows(reader: TableReader) -> None:
    whole = load_picture(PHOTOS / "rummy-3.jpg")
    shown, seen = (reader.read(picture, RUMMIKUB) for picture in (whole, on_screen(whole)))
    sure = Counter(read.name for read in seen.reads if not read.doubtful)
    assert sure <= Counter(read.name for read in shown.reads)
    assert sure.total() >= 0.9 * len(shown.reads)


@needs_photos
@pytest.mark.parametrize("size", [(320, 240), (5168, 3876)], ids=["320 x 240", "20 megapixels"])
def test_a_picture_of_any_size_is_read(reader: TableReader, size: tuple[int, int]) -> None:
    entry = next(entry for entry in photos(PHOTOS) if entry["image"] == "rummy-3.jpg")
    picture = load_picture(PHOTOS / entry["image"])
    scale = max(size) / max(picture.shape)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    seen = reader.read(
        np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way), np.uint8), RUMMIKUB
    )
    back = replace(
        seen, reads=tuple(replace(read, corners_px=read.corners_px / np.float32(scale)) for read in seen.reads)
    )
    tally = tally_photo(back, entry)
    assert (tally.silent_wrong, tally.false) == (0, 0)
    assert tally.sure >= 0.9 * tally.tiles
