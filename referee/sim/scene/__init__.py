"""Renders pictures of a table: tiles, other things, light and lens. It needs no font or texture files.

`render` draws a picture of a `scene`.
"""

from referee.sim.scene.camera import Camera
from referee.sim.scene.layout import Room, lay_out
from referee.sim.scene.light import Lighting
from referee.sim.scene.scene import Scene, TileMake

__all__ = ["Camera", "Lighting", "Room", "Scene", "TileMake", "lay_out"]
