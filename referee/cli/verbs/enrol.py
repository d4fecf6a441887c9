"""`referee enrol`: a box of tiles, from a few pictures of all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.parts import lens_profiles as optics
from referee.cli.terminal import common
from referee.cli.terminal.chosen_box import learner_of, named_path
from referee.cli.terminal.common import Code
from referee.cli.verbs.enrolling import EnrolmentSession, added_tiles, named_tiles, report_result, shown_sheet
from referee.devices.box_file import SUFFIX, save_box
from referee.devices.camera.picture_kinds import PICTURE_SUFFIXES
from referee.errors import BadInput

MOST = 12


def enrol(
    context: typer.Context,
    images: Annotated[
        list[Path],
        typer.Argument(
            metavar="IMAGE", parser=common.some_path, help="Three to five pictures in which every tile lies once."
        ),
    ],
    *,
    tileset: Annotated[str, typer.Option(metavar="NAME", help="What kind of box it is.")],
    out: Annotated[str, typer.Option(metavar="BOX", help="Its name, or the file to write.")],
    sheet: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.png", parser=common.some_path, help="Also write a picture of every face with its name."
        ),
    ] = None,
    table: Annotated[str, common.TABLE] = common.DEFAULT_TABLE,
    lens: Annotated[Path | None, common.LENS] = None,
    check: Annotated[bool, typer.Option("--check", help="Tell what would be learnt, and store nothing.")] = False,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name", metavar="PICTURE:INDEX=R7", help="What a tile is that was asked about; may be given repeatedly."
        ),
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(
            "--add", metavar="PICTURE:X,Y=R7", help="A tile that was not found, and its place in pixels; repeatedly."
        ),
    ] = None,
    sure: Annotated[
        bool, typer.Option("--sure", help="It is a box of that kind, whatever its inks look like.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, and nothing else.")] = False,
) -> int:
    """Learn a box of tiles from pictures of all of it, laid face up, anyhow, in a few batches."""
    box = common.named_tile_set(tileset)
    size = common.table_size(table)
    path = named_path("--out", out)
    if Path(out).suffix.lower() in PICTURE_SUFFIXES or path.suffix.lower() != SUFFIX or not path.stem.strip("."):
        raise BadInput(f"--out: expected the name of a box or a file ending in {SUFFIX}, found {out!r}")
    _check_pictures(images, sheet)
    named = named_tiles(name or [], images, box)
    seen = None if lens is None else optics.load(lens).lens
    added = added_tiles(add or [], images, box)
    session = EnrolmentSession(learner_of(common.parts_of(context), seen), path.stem, box, size, images, added, sure)
    result = session.run(named, ask=not as_json and common.at_a_terminal())
    if result.batches and sheet is not None:
        shown_sheet(sheet, box, session, result)
    stored = None
    if result.box is not None and not check:
        save_box(path, result.box)
        stored = path
    if as_json:
        common.print_json(result.to_json(stored))
    else:
        report_result(result, box, stored, sheet)
    if result.problems:
        return Code.BAD_INPUT
    return Code.DONE if result.box is not None else Code.CANNOT_JUDGE


def _check_pictures(images: list[Path], sheet: Path | None) -> None:
    """Refuse before any work what cannot come to anything."""
    if len(images) > MOST:
        raise BadInput(f"IMAGE: expected three to five pictures, {MOST} at most, found {len(images)}")
    if len({common.end_of_path(image) for image in images}) < len(images):
        raise BadInput("IMAGE: expected every picture once, found one twice")
    if sheet is None:
        return
    if sheet.suffix.lower() not in PICTURE_SUFFIXES:
        raise BadInput(f"--sheet: expected a name ending in {', '.join(PICTURE_SUFFIXES)}, found {sheet}")
    if not sheet.parent.is_dir():
        raise BadInput(f"--sheet: expected a folder to write to, found no folder {sheet.parent}")
    if common.end_of_path(sheet) in map(common.end_of_path, images):
        raise BadInput("--sheet: expected another name than a picture's own, found the same")
