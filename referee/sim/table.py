"""A table in a virtual room: sets that players lay and move, and the camera above them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from referee.game.table import Table
from referee.game.tiles import TILE_SETS, TileSet
from referee.sim.scene.arrays import Floats, Image
from referee.sim.scene.camera import Camera
from referee.sim.scene.layout import SIDES, Layout, Room, Spots, lay_out, nudge
from referee.sim.scene.light import LIGHTS, Lighting
from referee.sim.scene.render import render, truth
from referee.sim.scene.scene import MAKES, Cup, Hand, Rack, Scene, TileMake, usual_make
from referee.sim.scene.surface import SURFACES


@dataclass(frozen=True, slots=True)
class Setting:
    """The room, the tiles and the camera: everything that stays the same during a match."""

    tileset: TileSet = field(default_factory=lambda: TILE_SETS["rummikub"])
    look: TileMake = field(default_factory=lambda: MAKES["cream"])
    surface: str = "walnut"
    seed: int = 1
    light: Lighting = field(default_factory=lambda: LIGHTS["even"])
    camera: Camera = field(default_factory=Camera)
    table_mm: tuple[float, float] = (900.0, 600.0)
    marker_turns: tuple[float, float, float, float] = (1.2, -0.7, 0.4, -1.5)
    cup: bool = True
    jpeg_quality: int | None = None

    @classmethod
    def usual(cls, tileset: TileSet) -> Setting:
        """Return a walnut table in even light with the usual tiles of the box, and a slightly tilted camera."""
        camera = Camera(x_mm=456.0, y_mm=297.0, height_mm=1010.0, tilt_deg=0.6, pan_deg=-0.5, roll_deg=0.8)
        return cls(tileset=tileset, look=usual_make(tileset), camera=camera)

    @classmethod
    def any(cls, tileset: TileSet, rng: np.random.Generator) -> Setting:
        """Return a random room: table top, light, position of the camera, and tiles of a make with all its colours."""
        colours = set(tileset.colours)
        makes = [look for look in MAKES.values() if {colour for colour, _ in look.inks} >= colours]
        tilt, pan, roll = (float(angle) for angle in rng.normal(0, [0.5, 0.5, 1.0]))
        turns = [float(angle) for angle in rng.normal(0, 1.5, 4)]
        camera = Camera(
            x_mm=450 + float(rng.normal(0, 8)),
            y_mm=300 + float(rng.normal(0, 4)),
            height_mm=float(rng.uniform(1010, 1080)),
            tilt_deg=tilt,
            pan_deg=pan,
            roll_deg=roll,
            k1=float(rng.uniform(-0.04, 0.01)),
        )
        return cls(
            tileset=tileset,
            look=makes[int(rng.integers(len(makes)))],
            surface=list(SURFACES)[int(rng.integers(len(SURFACES)))],
            seed=int(rng.integers(1 << 30)),
            light=list(LIGHTS.values())[int(rng.integers(len(LIGHTS)))],
            camera=camera,
            marker_turns=(turns[0], turns[1], turns[2], turns[3]),
            jpeg_quality=90,
        )


class VirtualTable:
    """The play area: `lay` changes it, and `picture` takes a picture of it.

    `layout` is the ground truth; the referee gets only pictures.
    """

    def __init__(self, setting: Setting, rng: np.random.Generator) -> None:
        self.setting = setting
        self.layout = Layout()
        self._rng = rng
        self._shown = 0
        """How often `frames` was called."""

    @property
    def table(self) -> Table:
        """The sets that actually lie on the table."""
        return self.layout.table

    def lay(self, table: Table, side: float | None = None, spots: Spots | None = None) -> None:
        """Move the tiles so that `table` lies there.

        `side`: the side of the player who lays them. `spots`: where new sets begin, if there is room.
        """
        width, height, _ = self.setting.tileset.size_mm
        room = Room(self.setting.table_mm, (width, height))
        self.layout = lay_out(table, self._rng, room, self.layout, side=side, spots=spots)

    def nudge(self) -> None:
        """Straighten the sets in place, as a player would."""
        width, height, _ = self.setting.tileset.size_mm
        self.layout = nudge(self.layout, self._rng, Room(self.setting.table_mm, (width, height)))

    def lay_anew(self) -> None:
        """Lay all sets in other places, as a player would if straightening them did not help."""
        table, self.layout = self.table, Layout()
        self.lay(table)

    def scene(self, racks: Sequence[int] = (), reaching: int | None = None) -> Scene:
        """Return what the camera sees.

        `racks`: the number of tiles on each player's rack. `reaching`: the player whose hand is over the table.
        """
        sides = SIDES.get(len(racks), SIDES[4])
        props: list[Rack | Cup] = [self._rack(side, tiles) for side, tiles in zip(sides, racks, strict=False)]
        if self.setting.cup:
            props.append(Cup(self.setting.table_mm[0] + 110.0, 45.0))
        return Scene(
            tiles=self.layout.tiles,
            tileset=self.setting.tileset,
            look=self.setting.look,
            table_mm=self.setting.table_mm,
            surface=self.setting.surface,
            seed=self.setting.seed,
            marker_turns=self.setting.marker_turns,
            hands=() if reaching is None else (self._hand(sides[reaching]),),
            props=tuple(props),
        )

    def picture(self, racks: Sequence[int] = (), reaching: int | None = None) -> Image:
        """Return a picture of the camera: (height_px, width_px, 3) uint8 BGR."""
        return self._photograph(self.scene(racks, reaching), self._rng)

    def frames(self, racks: Sequence[int] = ()) -> Iterator[Image]:
        """Return an endless iterator of pictures of the present table, which differ only in the sensor's noise."""
        scene, self._shown = self.scene(racks), self._shown + 1
        rng = np.random.default_rng([self.setting.seed, self._shown])
        return (self._photograph(scene, rng) for _ in itertools.count())

    def _photograph(self, scene: Scene, rng: np.random.Generator) -> Image:
        setting = self.setting
        return render(scene, setting.camera, setting.light, rng, jpeg_quality=setting.jpeg_quality)

    def corners_px(self) -> Floats:
        """Return the corners of all tiles in the picture: (N, 4, 2) pixels."""
        return truth(self.scene(), self.setting.camera)

    def _spot_towards(self, side: float, beyond_mm: float) -> tuple[float, float]:
        """Return a spot in the direction of a side, `beyond_mm` outside the play area."""
        width, height = self.setting.table_mm
        angle = math.radians(side)
        x, y = -math.sin(angle), math.cos(angle)
        return width / 2 + x * (width / 2 + beyond_mm), height / 2 + y * (height / 2 + beyond_mm)

    def _rack(self, side: float, tiles: int) -> Rack:
        x, y = self._spot_towards(side, 68.0 if side % 180 == 0 else 105.0)
        return Rack(x, y, side, tiles)

    def _hand(self, side: float) -> Hand:
        x, y = self._spot_towards(side, -float(self._rng.uniform(90, 220)))
        return Hand(x, y, side + float(self._rng.normal(0, 15)))
