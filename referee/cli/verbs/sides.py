"""The two tables of a turn as `referee judge` gets them: a picture, a text file or notation.

What looks at pictures is loaded with the first picture only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.devices.camera.picture_kinds import OTHER_SUFFIXES, PICTURE_SUFFIXES, is_heic_start, is_picture_start
from referee.devices.whole_file import read_whole
from referee.errors import BadInput, CannotJudge
from referee.game.notation import parse_table
from referee.game.table import Table
from referee.game.tiles import TileSet

if TYPE_CHECKING:
    from referee.vision.sighting import Reader

TEXT_SUFFIXES = (".txt", ".text", ".md")
LONGEST_TEXT = 100_000
"""Bytes of a table in notation; the longest has some five hundred."""


@dataclass(frozen=True, slots=True)
class Side:
    """The table on one side of a turn, where it was told, and what is in doubt about it."""

    table: Table
    where: str
    doubts: tuple[dict[str, Any], ...] = ()


class Sides:
    """Turns an argument into a table; the model is loaded with the first picture only."""

    def __init__(self, build: Callable[[], Reader], tiles: TileSet | None, table_mm: tuple[float, float]) -> None:
        """`tiles` None: which box it is must be found out."""
        self._build, self._tiles, self._table_mm = build, tiles, table_mm
        self._reader: Reader | None = None

    def at(self, side: str, argument: str) -> Side:
        """The table named by an argument: a picture, a text file or notation."""
        path = _existing_file(side, argument)
        if path is None:
            return _parse_side(f"--{side}", argument)
        if _is_picture(path):
            return self._read_picture(side, path)
        return _parse_side(f"--{side} ({path})", _text_of(path))

    def _read_picture(self, side: str, path: Path) -> Side:
        from referee.cli.terminal.reads import doubts_in
        from referee.devices.camera.stills import load_picture

        picture = load_picture(path)
        self._reader = self._reader or self._build()
        sighting = self._reader.read(picture, self._tiles, self._table_mm)
        if not sighting.reads and sighting.scale != "markers":
            raise CannotJudge(f"{path}: expected tiles or markers on a table, found neither in the picture")
        doubts = tuple({"picture": side, **doubt} for doubt in doubts_in(sighting))
        return Side(sighting.table, f"--{side} ({path})", doubts)


def _parse_side(where: str, text: str) -> Side:
    try:
        return Side(parse_table(text), where)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None


def _existing_file(side: str, argument: str) -> Path | None:
    """The file an argument names; None for notation; BadInput for the name of no file."""
    path = Path(argument)
    try:
        if argument.strip() and path.is_dir():
            found = f"the folder {argument}"
        elif path.is_file():
            return path
        else:
            found = f"a device or pipe: {argument}" if argument.strip() and path.exists() else ""
    except (OSError, ValueError):  # longer than any file's name, or with a NUL in it: not a file's name
        return None
    if found:
        raise BadInput(f"--{side}: expected a picture, a text file or notation, found {found}")
    if path.suffix.lower() in (*PICTURE_SUFFIXES, *OTHER_SUFFIXES, *TEXT_SUFFIXES) or "/" in argument:
        raise BadInput(f"--{side}: expected a file, found nothing at {argument}")
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
    """The text of a file, without the mark that some editors put before it."""
    try:
        return read_whole(path, LONGEST_TEXT, "notation as text").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: expected notation as text, found bytes that are no UTF-8") from error
