"""Hands on the table: whether they are noticed, and how often a clear table is mistaken for a covered one.

Also missing tiles: whether one taken away is distinguished from one under a sheet of about the table's colour.
"""

from __future__ import annotations

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
from referee.vision.change.absence import Lies, places
from referee.vision.change.bare_table import Bare
from referee.vision.change.occlusion import TopView, covers
from referee.vision.sighting import Image, Reader

SEEDS = range(400, 416)
"""The thresholds were chosen on seeds 100 to 123, 200 to 227 and 300 to 315."""
BOXES = ("rummikub", "ravensburger", "classic", "piatnik")
TURNS, HANDS, TILES = 5, 2, 24
SKINS = ((235, 190, 165), (201, 150, 122), (120, 82, 62), (80, 55, 42))
SLEEVES = ((62, 70, 92), (150, 30, 40), (230, 230, 225), (40, 45, 40))
SHEET_MM = (40.0, 160.0)
SHEET_LIGHT = (0.7, 1.25)
"""The range of the brightness of a sheet, relative to the table."""
TILE_TOP_MM = 11.0


@dataclass(frozen=True)
class Turn:
    """Pictures of the table before and after a turn, and with hands resting on it."""

    setting: Setting
    before: Image
    after: Image
    hands: tuple[Image, ...]
    taken: Image
    """The table after the turn, without one of its tiles."""
    sheet: Image
    """The table after the turn, with a sheet over that tile."""


def turns(seed: int) -> Iterator[Turn]:
    """Yield some turns of one evening with random table top, light, make of tiles and position of the camera."""
    rng = np.random.default_rng([seed, 79])
    box = TILE_SETS[BOXES[seed % len(BOXES)]]
    setting = Setting.any(box, rng)
    table = VirtualTable(setting, rng)
    sets = random_sets(box, rng, TILES)
    before = table.picture([14, 14, 14])
    for laid in range(1, min(TURNS, len(sets)) + 1):
        table.lay(tuple(sets[:laid]), side=90.0 * int(rng.integers(4)))
        racks = [14 - laid, 14, 14]
        after = table.picture(racks)
        hands = tuple(_with_hand(table, racks, rng) for _ in range(HANDS))
        # Another generator, so that the hands are still those with which their thresholds were chosen.
        apart = np.random.default_rng([seed, laid])
        yield Turn(setting, before, after, hands, *_less_a_tile(table, racks, after, apart))
        before = after


def _with_hand(table: VirtualTable, racks: list[int], rng: np.random.Generator) -> Image:
    scene, setting, side = table.scene(racks), table.setting, 90.0 * int(rng.integers(4))
    width, height = setting.table_mm
    x, y = rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height
    skin, sleeve = SKINS[int(rng.integers(len(SKINS)))], SLEEVES[int(rng.integers(len(SLEEVES)))]
    hand = Hand(float(x), float(y), side + float(rng.normal(0, 15)), skin, sleeve)
    return render(replace(scene, hands=(hand,)), setting.camera, setting.light, rng, jpeg_quality=90)


def _less_a_tile(table: VirtualTable, racks: list[int], after: Image, rng: np.random.Generator) -> tuple[Image, Image]:
    scene, setting = table.scene(racks), table.setting
    gone = int(rng.integers(len(scene.tiles)))
    less = replace(scene, tiles=scene.tiles[:gone] + scene.tiles[gone + 1 :])
    taken = render(less, setting.camera, setting.light, rng, jpeg_quality=90)
    return taken, _with_sheet(scene, setting, gone, after, rng)


def _with_sheet(scene: Scene, setting: Setting, tile: int, after: Image, rng: np.random.Generator) -> Image:
    """Return the picture with something flat of about the table's colour over a tile and what is beside it."""
    placed = scene.tiles[tile]
    box = replace(placed, angle_deg=float(rng.uniform(0, 90))).corners(tuple(rng.uniform(*SHEET_MM, 2)))
    corners = setting.camera.project_flat(np.asarray(box, np.float32), TILE_TOP_MM)
    colour = np.median(after[::8, ::8].reshape(-1, 3), axis=0) * rng.uniform(*SHEET_LIGHT) * rng.normal(1, 0.02, 3)
    picture = after.copy()
    cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), tuple(map(float, colour)), cv2.LINE_AA)
    noise = rng.normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def measure() -> list[Row]:
    """Read the turns of all seeds with the shipped model."""
    reader, noticed, hands, covered, clear = build_reader(), 0, 0, 0, 0
    places_of: dict[str, list[Lies | None]] = {"taken": [], "sheet": []}
    for seed in SEEDS:
        bare: Bare | None = None
        for turn in turns(seed):
            before, after = (_view(reader, turn.setting, picture) for picture in (turn.before, turn.after))
            clear += 1
            covered += bool(covers(before, after))
            hands += len(turn.hands)
            noticed += sum(bool(covers(before, _view(reader, turn.setting, picture))) for picture in turn.hands)
            bare = Bare.with_view(Bare.with_view(bare, before), after)
            for name, picture in (("taken", turn.taken), ("sheet", turn.sheet)):
                places_of[name] += _seen_in_place(after, _view(reader, turn.setting, picture), bare)
    on = f"virtual table, {len(SEEDS)} evenings, seeds {SEEDS.start}-{SEEDS.stop - 1}"
    taken, sheet = places_of["taken"], places_of["sheet"]
    return [
        rate_row("resting hands noticed", on, noticed, hands, 0.99),
        rate_row("clear tables taken for covered", on, covered, clear, 0.01, at_most=True),
        rate_row(
            "tiles under a sheet called gone at once", on, sheet.count(Lies.NOTHING), len(sheet), 0.01, at_most=True
        ),
        rate_row(
            "tiles taken away asked about for good", on, taken.count(Lies.SOMETHING), len(taken), 0.01, at_most=True
        ),
        rate_row("tiles taken away called gone at once", on, taken.count(Lies.NOTHING), len(taken), None),
    ]


def _seen_in_place(known: TopView, now: TopView, bare: Bare) -> Sequence[Lies | None]:
    """Return what is seen at the places of missing tiles, only the worst of it; empty if no tile is missing.

    It is [None] if something was noticed over the table, about which players are asked in any case.
    """
    if covers(known, now, bare.layers):
        return [None]
    seen = {place.lies for place in places(known, now, bare)}
    return [lies for lies in (Lies.SOMETHING, Lies.UNTOLD, Lies.NOTHING) if lies in seen][:1]


def _view(reader: Reader, setting: Setting, picture: Image) -> TopView:
    view = TopView.from_sighting(picture, reader.read(picture, setting.tileset, setting.table_mm), setting.table_mm)
    if view is None:
        raise AssertionError("expected the markers of a virtual table, found none")
    return view
