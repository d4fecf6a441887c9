"""`--box` as the verbs have it: the file it names, the box in it, and the tiles that are then read."""

from __future__ import annotations

from pathlib import Path

import typer

from referee.app import Learner, Parts
from referee.commands import common
from referee.commands.settings import folder_of
from referee.config import Settings
from referee.devices.box_file import box_path, boxes_folder, load_box
from referee.errors import BadInput
from referee.game.tiles import TileSet, tile_set
from referee.vision.box import Box

BOX = typer.Option("--box", metavar="BOX", help="The box in use as enrolled: a name, or a file.")


def learner_of(parts: Parts) -> Learner:
    """The networks with which boxes are learnt and known."""
    if parts.learner is None:
        raise TypeError("expected parts of the application that can learn a box, found none")
    return parts.learner()


def named_path(option: str, chosen: str) -> Path:
    """The file that BOX names on the command line."""
    try:
        return box_path(chosen, boxes_folder(folder_of("")))
    except BadInput as error:
        raise BadInput(f"{option}: {error}") from None


def chosen_box(chosen: str, learner: Learner, wanted: TileSet | None) -> tuple[Box, TileSet]:
    """The box that `--box` names, and its tiles in their own size; raises BadInput where it does not fit `wanted`."""
    box = load_box(named_path("--box", chosen), learner.checksum, wanted)
    return box, box.of(tile_set(box.tileset))


def settled_box(settings: Settings, state: Path, checksum: str) -> Box | None:
    """The box of `[table] box`; without it the one that was enrolled at this table, if there is one that fits.

    Raises BadInput, with the place in the settings, for a box that is named and cannot be used.
    """
    chosen, tileset = settings.table.box, settings.table.tileset
    if chosen:
        try:
            path = box_path(chosen, boxes_folder(state))
            return load_box(path, checksum, common.named_tile_set(tileset) if tileset else None)
        except BadInput as error:
            raise BadInput(f"{settings.place('table', 'box')}: {error}") from None
    return None
