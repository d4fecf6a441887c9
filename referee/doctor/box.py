"""The enrolled box: whether its file loads and fits the model and the tiles that are played with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from referee.devices.box_file import box_path, boxes_folder, load_box
from referee.doctor.finding import Finding, attention, ok, sentence, skipped, wrong
from referee.errors import BadInput
from referee.game.tiles import TileSet
from referee.game.wording import count
from referee.settings.settings import Settings

HOW = "Enrol it: referee enrol IMAGE... --tileset NAME --out BOX, or hold start twice before a match."


def enrolled(settings: Settings, state: Path, reader: Callable[[], str], tileset: TileSet) -> Finding:
    """The box of `[table] box`, else the one that was enrolled at this table; `reader` names the network in use."""
    chosen = settings.table.box
    wanted = tileset if settings.table.tileset or not chosen else None
    try:
        path = box_path(chosen or tileset.name, boxes_folder(state))
        if not chosen and not path.is_file():
            return skipped("box", f"No box of {tileset.name} is enrolled: tiles are read as anybody's.", HOW)
        box = load_box(path, reader(), wanted)
    except BadInput as error:
        if chosen:
            return wrong("box", sentence(error), f"Correct [table] box or tileset. {HOW}")
        return attention("box", f"The game goes on without an enrolled box: {sentence(error)}", HOW)
    except OSError as error:
        return attention("box", f"The box cannot be read: {error.strerror}.", HOW)
    width, height, _ = box.size_mm
    pictures = count(len(box.inks), "picture")
    text = f"The box {box.name} was enrolled in {pictures}: {box.tileset}, {width:g} x {height:g} mm."
    return ok("box", text, name=box.name, tileset=box.tileset, file=str(path))
