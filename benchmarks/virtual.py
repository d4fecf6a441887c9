"""Rendered tables with their ground truth, in the format of the scenes of ../shared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from referee.game.tiles import JOKER, TILE_SETS, Tile, TileSet
from referee.sim.scene.camera import Camera
from referee.sim.scene.layout import Room, lay_out
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render
from referee.sim.scene.scene import MAKES, Cup, Placed, Rack, Scene
from referee.vision.sighting import Image

Set = tuple[Tile, ...]

BOXES = ("rummikub", "ravensburger", "piatnik", "classic")
SURFACES = ("walnut", "oak", "white", "green")
TABLES = 16
TRIES = 1500


def random_sets(box: TileSet, rng: np.random.Generator, wanted: int) -> list[Set]:
    """Return random runs and groups from a full box, some with a joker, with about `wanted` tiles if possible."""
    left = dict(box.inventory())
    sets: list[Set] = []
    for _ in range(TRIES):
        if sum(map(len, sets)) >= wanted:
            break
        length = int(rng.integers(3, 6))
        colours = [box.colours[i] for i in rng.permutation(len(box.colours))]
        if rng.random() < 0.55:
            first = int(rng.integers(1, 14 - length + 1))
            tiles = [Tile(first + i, colours[0]) for i in range(length)]
        else:
            number = int(rng.integers(1, 14))
            tiles = [Tile(number, colour) for colour in colours[: min(length, 4)]]
        if left.get(JOKER, 0) and rng.random() < 0.12:
            tiles[int(rng.integers(len(tiles)))] = JOKER
        if all(left.get(t, 0) >= tiles.count(t) for t in tiles):
            for t in tiles:
                left[t] -= 1
            sets.append(tuple(tiles))
    return sets


def scene(seed: int, box: TileSet, tiles: int) -> tuple[Scene, list[tuple[Placed, ...]], Camera]:
    """Return a crowded table: its scene, the rows as laid, and the camera above it."""
    rng = np.random.default_rng([seed, 77])
    room = Room(size_mm=box.size_mm[:2])
    layout = lay_out(tuple(random_sets(box, rng, tiles)), rng, room)
    look = MAKES[("cream", "white", "beech", "maple")[seed % 4]]
    if box.name == "ravensburger":
        look = MAKES["beech" if seed % 8 < 4 else "maple"]
    made = Scene(layout.tiles, box, look, surface=SURFACES[(seed // 4) % 4], seed=seed,
                 props=(Rack(450, -150, 0), Rack(450, 750, 180), Cup(1030, 300)))  # fmt: skip
    camera = Camera(x_mm=450 + rng.normal(0, 25), y_mm=300 + rng.normal(0, 20), height_mm=rng.uniform(990, 1060),
                    tilt_deg=rng.normal(0, 1.2), pan_deg=rng.normal(0, 1.2), roll_deg=rng.normal(0, 2))  # fmt: skip
    return made, [row.placed for row in layout.rows], camera


def tables() -> Iterator[tuple[str, Image, dict[str, Any]]]:
    """Yield name, picture and ground truth of TABLES tables, with every box, surface and light."""
    lights = [light for name, light in sorted(LIGHTS.items()) if name != "glare"]
    for seed in range(TABLES):
        box = TILE_SETS[BOXES[seed % len(BOXES)]]
        made, rows, camera = scene(seed, box, 30 + 4 * seed % 60)
        rng = np.random.default_rng([seed, 78])
        picture = render(made, camera, lights[seed % len(lights)], rng, jpeg_quality=90)
        tiles = [
            {"rank": "joker" if t.tile.is_joker else t.tile.number, "colour": t.tile.colour, "x_mm": t.x_mm,
             "y_mm": t.y_mm, "angle_deg": t.angle_deg, "meld": m, "pos": p}
            for m, row in enumerate(rows) for p, t in enumerate(row) if t.tile is not None
        ]  # fmt: skip
        yield f"virtual-{seed}", picture, {"tileset": box.name, "tiles": tiles, "face_down": 0}


def full_table() -> tuple[Image, int]:
    """Return a picture of a full Rummikub table, and the number of its tiles."""
    made, rows, camera = scene(101, TILE_SETS["rummikub"], 90)
    made = replace(made, look=MAKES["cream"])
    picture = render(made, camera, LIGHTS["even"], np.random.default_rng(5))
    return picture, sum(map(len, rows))
