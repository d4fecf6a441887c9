"""`referee read`: reads the tiles in pictures of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from referee.cli.parts.readers import Draw
from referee.cli.terminal import common
from referee.cli.terminal.chosen_box import reader_with
from referee.cli.terminal.common import Code
from referee.cli.terminal.output import print_table
from referee.devices.camera.picture_kinds import PICTURE_SUFFIXES
from referee.devices.camera.stills import load_picture, save_picture
from referee.devices.heap import keep_little
from referee.errors import BadInput, RefereeError
from referee.game.tiles import TILE_SETS, TileSet
from referee.i18n.wording import count
from referee.vision.sighting import Reader, Sighting

NAME = "{name}"


def read(
    context: typer.Context,
    images: Annotated[
        list[Path], typer.Argument(metavar="IMAGE", parser=common.some_path, help="Pictures of a table, JPEG or PNG.")
    ],
    *,
    tileset: Annotated[
        str, typer.Option(metavar="NAME", help="The kind of box in use; `auto`: the one that fits best.")
    ] = common.AUTO,
    box: Annotated[str | None, common.BOX] = None,
    table: Annotated[str, common.TABLE] = common.DEFAULT_TABLE,
    lens: Annotated[Path | None, common.LENS] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per picture and nothing else.")
    ] = False,
    overlay: Annotated[
        str | None,
        typer.Option(
            metavar="OUT.png",
            help="Draw what was read into the picture; for several pictures, a folder or `{name}.png`.",
        ),
    ] = None,
) -> int:
    """Read the tiles in pictures of a table."""
    keep_little()  # otherwise every thread that works on a picture would keep memory of its own
    tiles = None if tileset == common.AUTO else common.named_tile_set(tileset)
    size = common.table_size(table)
    outputs = overlay_paths(overlay, images)
    parts = common.parts_of(context)
    if box is None:
        reader = common.reader_of(parts, lens)
    else:
        reader, tiles = reader_with(parts, lens, box, tiles)
    look = _Look(reader, parts.draw, tiles, size, as_json=as_json)
    return max(look.read_and_show(image, output) for image, output in zip(images, outputs, strict=True))


class _Look:
    """The reader and its options, the same for every picture of a command line."""

    def __init__(
        self, reader: Reader, draw: Draw, box: TileSet | None, table_mm: tuple[float, float], *, as_json: bool
    ) -> None:
        self._reader, self._draw, self._box, self._table_mm, self._as_json = reader, draw, box, table_mm, as_json

    def read_and_show(self, image: Path, output: Path | None) -> Code:
        """Read and show one picture; an error is reported, and the next picture is still read."""
        try:
            picture = load_picture(image)
            sighting = self._reader.read(picture, self._box, self._table_mm)
            if output is not None:
                save_picture(output, self._draw(picture, sighting))
        except RefereeError as error:
            code, line = common.code_of(error), common.complain(error)
            if self._as_json:
                common.print_json({"image": str(image), "error": line, "code": code})
            return code
        if self._as_json:
            common.print_json(sighting.to_json(str(image)))
        elif sighting.reads:
            show(str(image), sighting)
            if self._box is None and (unsettled := _other_box(sighting)):
                doubts = count(unsettled, "doubt")
                common.stdout().print(f"{doubts} would be none if the box were named: give it with --tileset")
        small = sighting.quality.too_small
        if small:
            common.complain(
                f"{image}: {count(small, 'tile')} too small to read; come nearer, or take a larger picture"
            )
        cut_off = len(sighting.quality.cut_off_px)
        if cut_off:
            cut = f"{count(cut_off, 'tile')} cut off by the edge of the picture"
            common.complain(f"{image}: {cut}; go farther away, or move the camera")
        if not sighting.reads:
            if not (small or cut_off):
                common.complain(f"{image}: expected tiles on a table, found no tile in the picture")
            return Code.CANNOT_JUDGE
        return Code.DONE


def show(title: str, sighting: Sighting) -> None:
    """Print a sighting as a table of sets."""
    table = Table("set", "tiles", title=title, title_justify="left")
    for number, members in enumerate(sighting.sets, 1):
        doubtful = any(sighting.reads[i].doubtful for i in members)
        table.add_row(str(number), common.set_in_words(sighting, members), style="yellow" if doubtful else "")
    console = common.stdout()
    print_table(console, table)
    console.print(_summary(sighting))


def _summary(sighting: Sighting) -> str:
    face_up = sum(read.tile is not None for read in sighting.reads)
    found = [f"{count(face_up, 'tile')} ({sighting.tileset})", f"{len(sighting.reads) - face_up} face down"]
    if sighting.doubts:
        backs = sum(sighting.reads[i].tile is None for i in sighting.doubts)
        found.append(f"{len(sighting.doubts)} in doubt" + (f" ({backs} of them face down)" if backs else ""))
    quality = sighting.quality
    flags = {"blurred": not quality.sharp, "glare": quality.glare, "dark": quality.dark, "a hand": quality.hand,
             "too bright": quality.bright, "compressed": quality.packed,
             "without colours": quality.grey}  # fmt: skip
    found += [flag for flag, is_set in flags.items() if is_set]
    return ", ".join(found)


def _other_box(sighting: Sighting) -> int:
    """Return how many tiles are in doubt only because they may have an ink that the box does not have."""
    colours = {colour.value for colour in TILE_SETS[sighting.tileset].colours}
    doubts = (sighting.reads[i] for i in sighting.doubts)
    others = ((read, next((name for name, _ in read.alternatives if name != read.name), "")) for read in doubts)
    return sum(
        read.name.partition("-")[2] == other.partition("-")[2] != "" and other.partition("-")[0] not in colours
        for read, other in others
    )


def overlay_paths(overlay: str | None, images: list[Path]) -> list[Path | None]:
    """Return the path of each picture's overlay; raises BadInput, before any work, if one cannot be used."""
    if overlay is None:
        return [None] * len(images)
    if not overlay.strip():
        raise BadInput("--overlay: expected the name of a picture, found nothing")
    target = Path(overlay)
    if target.is_dir() or overlay.endswith("/"):
        paths = [target / f"{image.stem}.png" for image in images]
    elif NAME in overlay:
        paths = [Path(overlay.replace(NAME, image.stem)) for image in images]
    elif len(images) == 1:
        paths = [target]
    else:
        raise BadInput(
            f"--overlay: expected a folder or a name with {NAME} for {len(images)} pictures, found {overlay}"
        )
    _check_overlays(paths, images)
    return list(paths)


def _check_overlays(paths: list[Path], images: list[Path]) -> None:
    for path in paths:
        if path.suffix.lower() not in PICTURE_SUFFIXES:
            raise BadInput(f"--overlay: expected a name ending in {', '.join(PICTURE_SUFFIXES)}, found {path}")
    if {common.end_of_path(path) for path in paths} & {common.end_of_path(image) for image in images}:
        raise BadInput("--overlay: expected another name than the picture's own, found the same")
    if len({common.end_of_path(path) for path in paths}) < len(paths):
        raise BadInput(
            f"--overlay: expected a name of its own for each picture, found two that give {paths[0].parent}"
        )
    for folder in dict.fromkeys(path.parent for path in paths):
        common.folder("--overlay", folder)
