"""Pictures of a table: tiles, things, light and lens, drawn without any file of type or texture.

`render` takes a picture of a `scene`.
"""

from referee.sim.scene.camera import Camera
from referee.sim.scene.layout import Room, lay_out
from referee.sim.scene.light import Lighting
from referee.sim.scene.scene import Scene, TileMake

__all__ = ["Camera", "Lighting", "Room", "Scene", "TileMake", "lay_out"]
