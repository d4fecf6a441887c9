"""Hands that rest on the table: whether they are noticed, and how often a clear table is taken for a covered one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.report import Row, rate_row
from benchmarks.virtual import random_sets
from referee.app import Reader, build_reader
from referee.game.tiles import TILE_SETS
from referee.sim.render import render
from referee.sim.scene import Hand
from referee.sim.table import Setting, VirtualTable
from referee.vision.covering import View, covers
from referee.vision.sighting import Image

SEEDS = range(400, 416)
"""The thresholds were chosen on seeds 100 to 111 and 300 to 315."""
BOXES = ("rummikub", "ravensburger", "classic", "piatnik")
TURNS, HANDS, TILES = 5, 2, 24
SKINS = ((235, 190, 165), (201, 150, 122), (120, 82, 62), (80, 55, 42))
SLEEVES = ((62, 70, 92), (150, 30, 40), (230, 230, 225), (40, 45, 40))


@dataclass(frozen=True)
class Turn:
    """The table before and after a turn, and the same with hands that rest on it."""

    setting: Setting
    before: Image
    after: Image
    hands: tuple[Image, ...]


def turns(seed: int) -> Iterator[Turn]:
    """Some turns of one evening: any table top, light, make of tiles and hang of the camera."""
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
        yield Turn(setting, before, after, tuple(_with_hand(table, racks, rng) for _ in range(HANDS)))
        before = after


def _with_hand(table: VirtualTable, racks: list[int], rng: np.random.Generator) -> Image:
    scene, setting, side = table.scene(racks), table.setting, 90.0 * int(rng.integers(4))
    width, height = setting.table_mm
    x, y = rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height
    skin, sleeve = SKINS[int(rng.integers(len(SKINS)))], SLEEVES[int(rng.integers(len(SLEEVES)))]
    hand = Hand(float(x), float(y), side + float(rng.normal(0, 15)), skin, sleeve)
    return render(replace(scene, hands=(hand,)), setting.camera, setting.light, rng, jpeg_quality=90)


def measure() -> list[Row]:
    """Every seed's turns, read by the shipped model."""
    reader, noticed, hands, covered, clear = build_reader(), 0, 0, 0, 0
    for seed in SEEDS:
        for turn in turns(seed):
            before = _view(reader, turn.setting, turn.before)
            clear += 1
            covered += bool(covers(before, _view(reader, turn.setting, turn.after)))
            hands += len(turn.hands)
            noticed += sum(bool(covers(before, _view(reader, turn.setting, picture))) for picture in turn.hands)
    on = f"virtual table, {len(SEEDS)} evenings, seeds {SEEDS.start}-{SEEDS.stop - 1}"
    return [
        rate_row("resting hands noticed", on, noticed, hands, 0.99),
        rate_row("clear tables taken for covered", on, covered, clear, 0.01, at_most=True),
    ]


def _view(reader: Reader, setting: Setting, picture: Image) -> View:
    view = View.of(picture, reader.read(picture, setting.tileset, setting.table_mm), setting.table_mm)
    if view is None:
        raise AssertionError("expected the markers of a virtual table, found none")
    return view
