"""Random rooms for evenings with pictures: light, table top, make of the tiles, and an imperfect camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from benchmarks import disturbances
from referee.game.table import in_order
from referee.game.tiles import Tile, TileSet
from referee.sim.generators import spawn_generator
from referee.sim.match import VirtualMatch
from referee.sim.scene.light import Glare, Lighting
from referee.sim.scene.render import render
from referee.sim.scene.scene import Placed, Scene
from referee.sim.table import Setting
from referee.vision.sighting import Image

EXPOSURE, WARMTH, DEFOCUS_PX, SHAKE_PX, JPEG = (0.75, 1.2), 0.07, (0.0, 1.0), (0.0, 3.0), (60, 96)
SHAKEN = 0.1
"""The share of pictures that are taken while the table still trembles."""
BATCHES = 4
"""The number of pictures for the tiles of a whole box."""
Lens = Callable[[Image], Image]


@dataclass
class Camera:
    """The imperfections of one camera: those that stay the same during an evening, and a generator for the others."""

    gains: tuple[float, float, float]
    defocus_px: float
    quality: int
    rng: np.random.Generator = field(repr=False)

    @classmethod
    def any(cls, rng: np.random.Generator) -> Camera:
        """Return a random camera with small errors of exposure, white balance and focus."""
        exposure = float(rng.uniform(*EXPOSURE))
        blue, green, red = (exposure * float(gain) for gain in rng.normal(1.0, WARMTH, 3).clip(0.85, 1.15))
        quality = int(rng.integers(*JPEG))
        return cls((blue, green, red), float(rng.uniform(*DEFOCUS_PX)), quality, spawn_generator(rng))

    def __call__(self, picture: Image) -> Image:
        """Return a picture as this camera takes it."""
        taken = disturbances.gained(picture, self.rng, bgr=self.gains)
        if self.rng.random() < SHAKEN:
            taken = disturbances.moved(taken, self.rng, length=float(self.rng.uniform(*SHAKE_PX)))
        if self.defocus_px > 0.3:
            taken = disturbances.defocused(taken, self.rng, sigma=self.defocus_px)
        return disturbances.packed(taken, self.rng, quality=self.quality)


def any_room(box: TileSet, rng: np.random.Generator) -> Setting:
    """Return a random room, whose light differs from the usual ones."""
    setting = Setting.any(box, rng)
    return replace(setting, light=any_light(setting.light, rng), jpeg_quality=None)


def any_light(light: Lighting, rng: np.random.Generator) -> Lighting:
    """Return a variation of a light with other strength, tone, direction and noise, and reflections elsewhere."""
    spots = tuple(
        Glare(float(rng.uniform(150, 750)), float(rng.uniform(100, 500)), float(rng.uniform(30, 60)),
              float(rng.uniform(0.2, 0.6)))
        for _ in light.glare
    )  # fmt: skip
    return replace(
        light,
        from_deg=float(rng.uniform(0, 360)),
        brightness=light.brightness * float(rng.uniform(0.85, 1.1)),
        warmth=light.warmth + float(rng.normal(0, 0.15)),
        gradient=float(np.clip(light.gradient + rng.normal(0, 0.06), 0, 0.45)),
        noise=light.noise * float(rng.uniform(0.7, 1.6)),
        glare=spots,
    )


class SpoiltMatch(VirtualMatch):
    """A match with an imperfect camera; `taken` is its last picture."""

    lens: Camera
    taken: Image

    def picture(self, *, hand: bool = False) -> Image:
        """Render the table as `lens` shows it, and keep the picture in `taken`."""
        self.taken = self.lens(super().picture(hand=hand))
        return self.taken

    def frames(self) -> Iterator[Image]:
        """Yield the pictures that follow as `lens` shows them, each with different noise."""
        lens = replace(self.lens, rng=np.random.default_rng(self.lens.rng.integers(1 << 30)))
        return map(lens, super().frames())


def batches(setting: Setting, lens: Lens, rng: np.random.Generator) -> list[Image]:
    """Return pictures of a whole box, face up, separate and at any angle; each tile is in one of them."""
    tiles = in_order(tile for tile, number in setting.tileset.inventory().items() for _ in range(number))
    pieces = [(tile, tiles[:at].count(tile)) for at, tile in enumerate(tiles)]
    shuffled = [pieces[at] for at in rng.permutation(len(pieces))]
    pictures = []
    for number in range(BATCHES):
        scene = lay_apart(setting, shuffled[number::BATCHES], rng)
        pictures.append(lens(render(scene, setting.camera, setting.light, rng)))
    return pictures


def lay_apart(setting: Setting, pieces: Sequence[tuple[Tile | None, int]], rng: np.random.Generator) -> Scene:
    """Place tiles in separate fields of a grid, each turned by a random angle."""
    width, height = setting.table_mm
    columns, rows = 8, -(-len(pieces) // 8)
    fields = rng.permutation(columns * rows)[: len(pieces)]
    across, along = (width - 160) / columns, (height - 160) / max(rows, 1)
    placed = [
        Placed(tile, 80 + across * (at % columns + 0.5) + float(rng.normal(0, 5)),
               80 + along * (at // columns + 0.5) + float(rng.normal(0, 5)), float(rng.uniform(0, 360)), copy)
        for (tile, copy), at in zip(pieces, fields, strict=True)
    ]  # fmt: skip
    return Scene(tuple(placed), setting.tileset, setting.look, setting.table_mm, setting.surface, setting.seed,
                 marker_turns=setting.marker_turns)  # fmt: skip
