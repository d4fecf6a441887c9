"""The enrolled box of a verb: the file that is named, and readers that know it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from referee.cli.parts import lens_profiles as optics
from referee.cli.parts.readers import Learner, Parts
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import folder_of
from referee.devices.box_file import box_path, boxes_folder, load_box
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.tiles import TileSet, tile_set
from referee.i18n import error_text
from referee.settings.settings import Settings
from referee.vision.boxes.box import Box
from referee.vision.geometry.pose import Lens
from referee.vision.sighting import Reader


def learner_of(parts: Parts, lens: Lens | None = None) -> Learner:
    """Return the networks that learn and recognise boxes, for pictures through that lens."""
    if parts.learner is None:
        raise TypeError("expected parts of the application that can learn a box, found none")
    return parts.learner(lens)


def reader_with(parts: Parts, lens: Path | None, chosen: str, wanted: TileSet | None) -> tuple[Reader, TileSet]:
    """Return a reader that knows the box of `--box`, and the box's tiles; `lens` is the file of `--lens`.

    Raises BadInput for a box that cannot be used, or does not fit the tile set `wanted`.
    """
    profile = None if lens is None else optics.load(lens)
    learner = learner_of(parts, None if profile is None else profile.lens)
    box = load_box(named_path("--box", chosen), learner.checksum, wanted)
    reader = learner.reader_for(box)
    tiles = box.measure(tile_set(box.tileset))
    return reader if profile is None else optics.Through(reader, profile, str(lens)), tiles


def named_path(option: str, chosen: str) -> Path:
    """Return the file of the box that is named on the command line."""
    try:
        return box_path(chosen, boxes_folder(folder_of("")))
    except BadInput as error:
        raise BadInput(f"{option}: {error}") from None


def with_box(settings: Settings, parts: Parts, state: Path) -> tuple[Settings, Box | None]:
    """Return the box of `[table] box`, and the settings with its tile set if they name none.

    Raises BadInput, with the place in the settings, for a box that cannot be used.
    """
    if not settings.table.box or parts.checksum is None:
        return settings, None
    try:
        box = load_chosen_box(settings, parts.checksum(), state)
    except BadInput as error:
        told = Notice("box.not_usable", place=settings.place("table", "box"), why=error_text(error))
        raise BadInput(told) from None
    return replace(settings, table=replace(settings.table, tileset=box.tileset)), box


def load_chosen_box(settings: Settings, checksum: str, state: Path) -> Box:
    """Return the box of `[table] box`, for the reader network with this checksum; raises BadInput."""
    tileset = settings.table.tileset
    wanted = common.named_tile_set(tileset) if tileset else None
    return load_box(box_path(settings.table.box, boxes_folder(state)), checksum, wanted)


def usual_box(tileset: TileSet, parts: Parts, state: Path, tell: Callable[[Notice], None]) -> Box | None:
    """Return the box that was enrolled at this table for these tiles; None if there is none.

    A box that cannot be used is reported, and not used.
    """
    path = box_path(tileset.name, boxes_folder(state))
    with contextlib.suppress(OSError):  # a folder that this user may not enter
        if parts.checksum is not None and path.is_file():
            try:
                return load_box(path, parts.checksum(), tileset)
            except BadInput as error:
                tell(Notice("words.without_box", why=error_text(error)))
    return None
