"""Tables that are given on the command line: as a picture, a text file or notation.

The modules that read pictures are loaded only with the first picture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from referee.cli.terminal import common
from referee.devices.camera.picture_kinds import OTHER_SUFFIXES, PICTURE_SUFFIXES, is_heic_start, is_picture_start
from referee.devices.whole_file import read_whole
from referee.errors import BadInput, CannotJudge
from referee.game.notation import parse_table
from referee.game.rulebooks import Ruleset
from referee.game.table import Table
from referee.game.tiles import TileSet

if TYPE_CHECKING:
    from referee.vision.sighting import Image, Reader, Sighting


TEXT_SUFFIXES = (".txt", ".text", ".md")
LONGEST_TEXT = 100_000
"""The largest text file with a table, in bytes; the longest table has about five hundred."""


@dataclass(frozen=True, slots=True)
class Side:
    """A table, the argument that it is from, and its doubts; also the picture and what was read, if it is from one."""

    table: Table
    where: str
    doubts: tuple[dict[str, Any], ...] = ()
    picture: Image | None = None
    sighting: Sighting | None = None


class Sides:
    """Makes tables from arguments; the model is loaded only with the first picture."""

    def __init__(self, build: Callable[[], Reader], tiles: TileSet | None, table_mm: tuple[float, float]) -> None:
        """If `tiles` is None, the reader finds out which box is in use."""
        self._build, self._tiles, self._table_mm = build, tiles, table_mm
        self._reader: Reader | None = None

    def read_side(self, where: str, argument: str) -> Side:
        """Return the table of an argument, which is a picture, a text file or notation; `where` is its name."""
        path = _existing_file(where, argument)
        if path is None:
            return _parse_side(where, argument)
        if _is_picture(path):
            return self._read_picture(where, path)
        return _parse_side(f"{where} ({path})", _text_of(path))

    def _read_picture(self, where: str, path: Path) -> Side:
        from referee.cli.terminal.reads import doubts_in
        from referee.devices.camera.stills import load_picture

        picture = load_picture(path)
        self._reader = self._reader or self._build()
        sighting = self._reader.read(picture, self._tiles, self._table_mm)
        if not sighting.reads and sighting.scale != "markers":
            raise CannotJudge(f"{path}: expected tiles or markers on a table, found neither in the picture")
        doubts = tuple({"picture": where.lstrip("-"), **doubt} for doubt in doubts_in(sighting))
        return Side(sighting.table, f"{where} ({path})", doubts, picture, sighting)


def _parse_side(where: str, text: str) -> Side:
    try:
        return Side(parse_table(text), where)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None


def _existing_file(where: str, argument: str) -> Path | None:
    """Return the file that an argument names, None for notation; raises BadInput for the name of a missing file."""
    path = Path(argument)
    try:
        if argument.strip() and path.is_dir():
            found = f"the folder {argument}"
        elif path.is_file():
            return path
        else:
            found = f"a device or pipe: {argument}" if argument.strip() and path.exists() else ""
    except (OSError, ValueError):  # too long for a file name, or with a NUL in it
        return None
    if found:
        raise BadInput(f"{where}: expected a picture, a text file or notation, found {found}")
    if path.suffix.lower() in (*PICTURE_SUFFIXES, *OTHER_SUFFIXES, *TEXT_SUFFIXES) or "/" in argument:
        raise BadInput(f"{where}: expected a file, found nothing at {argument}")
    return None


def _is_picture(path: Path) -> bool:
    if path.suffix.lower() in (*PICTURE_SUFFIXES, *OTHER_SUFFIXES):
        return True
    try:
        with path.open("rb") as file:
            start = file.read(12)
            return is_picture_start(start) or is_heic_start(start)
    except OSError as error:
        raise BadInput(f"{path}: expected a readable file, found: {error.strerror}") from error


def _text_of(path: Path) -> str:
    """Return the text of a file, without a byte order mark."""
    try:
        return read_whole(path, LONGEST_TEXT, "notation as text").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: expected notation as text, found bytes that are no UTF-8") from error


def choose_reader(
    context: typer.Context, book: Ruleset, wanted: TileSet | None, box: str | None, lens: Path | None
) -> tuple[Callable[[], Reader], Ruleset, TileSet]:
    """Return a function that builds the reader, the rules with the box in use, and its tiles.

    That function is called with the first picture only; a lens is checked in any case. `wanted` is the box that
    `--tileset` names, and `box` an enrolled one.
    """
    if lens is not None:
        from referee.cli.parts import lens_profiles

        lens_profiles.load(lens)
    if box is not None:
        from referee.cli.terminal.chosen_box import reader_with

        reader, tiles = reader_with(common.parts_of(context), lens, box, wanted)
        return lambda: reader, replace(book, tileset=tiles.name), tiles
    if wanted is not None:
        book = replace(book, tileset=wanted.name)
    return lambda: common.reader_of(common.parts_of(context), lens), book, book.box
