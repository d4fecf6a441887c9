"""The enrolled box: whether its file loads and fits the model and the tiles in use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from referee.devices.box_file import box_path, boxes_folder, load_box
from referee.doctor.finding import Finding, attention, error_notice, ok, sentence, skip_check, together, wrong
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.tiles import TileSet
from referee.settings.settings import Settings

HOW = Notice("doctor.enrol")


def check_box(settings: Settings, state: Path, reader: Callable[[], str], tileset: TileSet) -> Finding:
    """Check the box of `[table] box`, else the one enrolled at this table; `reader` is the network's checksum."""
    chosen = settings.table.box
    wanted = tileset if settings.table.tileset or not chosen else None
    try:
        path = box_path(chosen or tileset.name, boxes_folder(state))
        if not chosen and not path.is_file():
            return skip_check("box", Notice("doctor.no_box", tileset=tileset.name), HOW)
        box = load_box(path, reader(), wanted)
    except BadInput as error:
        if chosen:
            return wrong("box", error_notice(error), together(Notice("doctor.correct_box"), HOW))
        return attention("box", Notice("doctor.without_box", why=sentence(error)), HOW)
    except OSError as error:
        return attention("box", Notice("doctor.box_unreadable", why=str(error.strerror)), HOW)
    width, height, _ = box.size_mm
    text = Notice(
        "doctor.box_enrolled", box=box.name, pictures=len(box.inks), tileset=box.tileset, width=width, height=height
    )
    return ok("box", text, name=box.name, tileset=box.tileset, file=str(path))
