"""Pictures of tables whose tiles are known, drawn by the project's own virtual table."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from referee.game.notation import parse_table
from referee.game.tiles import tile_set
from referee.sim.table import Setting, VirtualTable
from referee.vision.sighting import Image

BOX = tile_set("rummikub")


def table() -> VirtualTable:
    """A table in even light, bare, and always the same."""
    return VirtualTable(replace(Setting.usual(BOX), cup=False), np.random.default_rng(3))


def pictures(tables: Mapping[str, str]) -> dict[str, Image]:
    """(1296, 2304, 3) uint8 BGR by name: tables that the same people lay one after the other; "" is a bare one."""
    lying, found = table(), {}
    for name, tiles in tables.items():
        if tiles:
            lying.lay(parse_table(tiles))
        found[name] = lying.picture()
    return found


def picture(tiles: str) -> Image:
    """The picture of one table."""
    return pictures({"": tiles})[""]
