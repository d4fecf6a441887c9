"""Hands on the table: whether they are noticed, and how often a clear table is mistaken for a covered one.

Also missing tiles: whether one taken away is distinguished from one under a sheet of about the table's colour, in one
picture and in the mean of several, as a match takes them before it asks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from benchmarks.report import Row, rate_row
from benchmarks.virtual import random_sets
from referee.cli.parts.readers import build_reader
from referee.game.tiles import TILE_SETS
from referee.sim.scene.render import render
from referee.sim.scene.scene import Hand, Scene
from referee.sim.table import Setting, VirtualTable
from referee.table.looking.table_watcher import MORE
from referee.vision.change.absence import Lies, places
from referee.vision.change.bare_table import Bare
from referee.vision.change.occlusion import TopView, covers
from referee.vision.sighting import Floats, Image, Reader

SEEDS = range(400, 416)
"""The thresholds were chosen on seeds 100 to 123, 200 to 227 and 300 to 315."""
BOXES = ("rummikub", "ravensburger", "classic", "piatnik")
TURNS, HANDS, TILES = 5, 2, 24
EMPTY = 5
"""Pictures of the empty table before the first turn. Games begin with one, and the referee looks more often."""
SKINS = ((235, 190, 165), (201, 150, 122), (120, 82, 62), (80, 55, 42))
SLEEVES = ((62, 70, 92), (150, 30, 40), (230, 230, 225), (40, 45, 40))
SHEET_MM = (40.0, 160.0)
SHEET_LIGHT = (0.7, 1.25)
"""The range of the brightness of a sheet, relative to the table."""
TILE_TOP_MM = 11.0
Places = frozenset[Lies | None]


@dataclass(frozen=True)
class Turn:
    """Pictures of the table before and after a turn, and with hands resting on it."""

    setting: Setting
    earlier: tuple[Image, ...]
    """More pictures of the table before the first turn; none for any other turn."""
    before: Image
    after: Image
    hands: tuple[Image, ...]
    taken: tuple[Image, ...]
    """MORE pictures of the table after the turn, without one of its tiles."""
    sheet: tuple[Image, ...]
    """MORE pictures of the table after the turn, with a sheet over that tile."""


def turns(seed: int) -> Iterator[Turn]:
    """Yield some turns of one evening with random table top, light, make of tiles and position of the camera."""
    rng = np.random.default_rng([seed, 79])
    box = TILE_SETS[BOXES[seed % len(BOXES)]]
    setting = Setting.any(box, rng)
    table = VirtualTable(setting, rng)
    sets = random_sets(box, rng, TILES)
    before = table.picture([14, 14, 14])
    earlier = tuple(itertools.islice(table.frames([14, 14, 14]), EMPTY - 1))
    for laid in range(1, min(TURNS, len(sets)) + 1):
        table.lay(tuple(sets[:laid]), side=90.0 * int(rng.integers(4)))
        racks = [14 - laid, 14, 14]
        after = table.picture(racks)
        hands = tuple(_with_hand(table, racks, rng) for _ in range(HANDS))
        # Another generator, so that the hands are still those with which their thresholds were chosen.
        apart = np.random.default_rng([seed, laid])
        yield Turn(setting, earlier, before, after, hands, *_less_a_tile(table, racks, after, apart))
        before, earlier = after, ()


def _with_hand(table: VirtualTable, racks: list[int], rng: np.random.Generator) -> Image:
    scene, setting, side = table.scene(racks), table.setting, 90.0 * int(rng.integers(4))
    width, height = setting.table_mm
    x, y = rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height
    skin, sleeve = SKINS[int(rng.integers(len(SKINS)))], SLEEVES[int(rng.integers(len(SLEEVES)))]
    hand = Hand(float(x), float(y), side + float(rng.normal(0, 15)), skin, sleeve)
    return render(replace(scene, hands=(hand,)), setting.camera, setting.light, rng, jpeg_quality=90)


def _less_a_tile(
    table: VirtualTable, racks: list[int], after: Image, rng: np.random.Generator
) -> tuple[tuple[Image, ...], tuple[Image, ...]]:
    scene, setting = table.scene(racks), table.setting
    gone = int(rng.integers(len(scene.tiles)))
    less = replace(scene, tiles=scene.tiles[:gone] + scene.tiles[gone + 1 :])

    def shoot(shown: Scene, rng: np.random.Generator) -> Image:
        return render(shown, setting.camera, setting.light, rng, jpeg_quality=90)

    taken, sheet = shoot(less, rng), _sheet(scene, setting, gone, after, rng)
    covered = _with_sheet(after, sheet, rng)
    more = range(MORE - 1)  # photographed last, so that the first ones are the same however many follow
    all_taken = taken, *(shoot(less, rng) for _ in more)
    return all_taken, (covered, *(_with_sheet(shoot(scene, rng), sheet, rng) for _ in more))


def _sheet(
    scene: Scene, setting: Setting, tile: int, after: Image, rng: np.random.Generator
) -> tuple[Floats, tuple[float, ...]]:
    """Return corners (4, 2) and colour of something flat, of about the table's colour, over a tile and beside it."""
    placed = scene.tiles[tile]
    box = replace(placed, angle_deg=float(rng.uniform(0, 90))).corners(tuple(rng.uniform(*SHEET_MM, 2)))
    corners = setting.camera.project_flat(np.asarray(box, np.float32), TILE_TOP_MM)
    colour = np.median(after[::8, ::8].reshape(-1, 3), axis=0) * rng.uniform(*SHEET_LIGHT) * rng.normal(1, 0.02, 3)
    return corners, tuple(map(float, colour))


def _with_sheet(picture: Image, sheet: tuple[Floats, tuple[float, ...]], rng: np.random.Generator) -> Image:
    """Return the picture with a sheet laid over it, and some more noise."""
    picture = picture.copy()
    cv2.fillConvexPoly(picture, np.round(sheet[0]).astype(np.int32), sheet[1], cv2.LINE_AA)
    noise = rng.normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def measure() -> list[Row]:
    """Read the turns of all seeds with the shipped model."""
    reader, noticed, hands, covered, clear = build_reader(), 0, 0, 0, 0
    once, in_mean = (dict[str, list[Places]](taken=[], sheet=[]) for _ in range(2))
    for seed in SEEDS:
        bare: Bare | None = None
        for turn in turns(seed):
            *earlier, before, after = (
                _view(reader, turn.setting, picture) for picture in (*turn.earlier, turn.before, turn.after)
            )
            clear += 1
            covered += bool(covers(before, after))
            hands += len(turn.hands)
            noticed += sum(bool(covers(before, _view(reader, turn.setting, picture))) for picture in turn.hands)
            for view in (*earlier, before):
                bare = Bare.with_view(bare, view)
            bare = Bare.with_view(bare, after)
            for name, pictures in (("taken", turn.taken), ("sheet", turn.sheet)):
                views = _views(reader, turn.setting, pictures)
                once[name].append(_seen_in_places(after, views[:1], bare))
                in_mean[name].append(_seen_in_places(after, views, bare))
    on = f"virtual table, {len(SEEDS)} evenings, seeds {SEEDS.start}-{SEEDS.stop - 1}"
    return [
        rate_row("resting hands noticed", on, noticed, hands, 0.99),
        rate_row("clear tables taken for covered", on, covered, clear, 0.01, at_most=True),
        *_rows_of_places(once, on, "at once"),
        *_rows_of_places(in_mean, on, f"in the mean of {MORE} pictures"),
    ]


def _rows_of_places(seen: dict[str, list[Places]], on: str, how: str) -> list[Row]:
    taken, sheet = ([places for places in seen[name] if places] for name in ("taken", "sheet"))
    gone = [places == {Lies.NOTHING} for places in taken]
    return [
        rate_row(
            f"tiles under a sheet called gone {how}", on, sum(Lies.NOTHING in places for places in sheet), len(sheet),
            0.01, at_most=True,
        ),
        rate_row(
            f"tiles taken away taken for covered {how}", on, sum(Lies.SOMETHING in places for places in taken),
            len(taken), 0.01, at_most=True,
        ),
        rate_row(f"tiles taken away called gone {how}", on, sum(gone), len(gone), None),
    ]  # fmt: skip


def _seen_in_places(known: TopView, views: Sequence[TopView], bare: Bare) -> Places:
    """Return what is seen at the places of missing tiles in some pictures of one table; empty if none is missing.

    It is {None} if something was noticed over the table, about which players are asked in any case.
    """
    now = views[0]
    if covers(known, now, bare.layers):
        return frozenset([None])
    mean = np.asarray(np.mean([view.picture for view in views], axis=0, dtype=np.float32), np.float32)
    return frozenset(place.lies for place in places(known, now, bare, mean if len(views) > 1 else None))


def _views(reader: Reader, setting: Setting, pictures: Sequence[Image]) -> list[TopView]:
    """Return pictures of one table from above, with the tiles and the outline of the first one, as in a match."""
    sighting = reader.read(pictures[0], setting.tileset, setting.table_mm)
    views = [TopView.from_sighting(picture, sighting, setting.table_mm) for picture in pictures]
    if any(view is None for view in views):
        raise AssertionError("expected the markers of a virtual table, found none")
    return [view for view in views if view is not None]


def _view(reader: Reader, setting: Setting, picture: Image) -> TopView:
    (view,) = _views(reader, setting, [picture])
    return view
