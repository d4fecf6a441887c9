"""`referee judge`: one turn, from pictures or notation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.app import Reader
from referee.commands import common
from referee.commands.boxes import BOX, reader_with
from referee.commands.common import Code
from referee.commands.rules import chosen_rules
from referee.devices.stills import PICTURE_SUFFIXES, load_picture
from referee.errors import BadInput, CannotJudge
from referee.game.judge import Turn
from referee.game.judge import judge as judge_turn
from referee.game.notation import parse_table, parse_tile
from referee.game.rulesets import Ruleset
from referee.game.table import Table
from referee.game.tiles import Tile, TileSet
from referee.game.verdict import Verdict
from referee.vision.doubts import doubts_in

TEXT_SUFFIXES = (".txt", ".text", ".md")
OTHER_PICTURES = (".bmp", ".gif", ".heic", ".tif", ".tiff", ".webp")
LONGEST_TEXT = 100_000


def judge(
    context: typer.Context,
    *,
    rules: Annotated[str, typer.Option(metavar="NAME", help="The rule book; `referee rules` lists them.")],
    before: Annotated[str, typer.Option(metavar="X", help="The table before the turn: picture, text file, notation.")],
    after: Annotated[str, typer.Option(metavar="Y", help="The table after the turn: picture, text file, notation.")],
    opened: Annotated[
        bool | None,
        typer.Option(
            "--opened/--not-opened",
            help="Whether the player had opened before; without it: yes, unless the table was empty.",
        ),
    ] = None,
    hand: Annotated[int | None, typer.Option(metavar="N", min=0, help="Tiles in the hand before the turn.")] = None,
    declared: Annotated[
        bool, typer.Option("--declared", help="The player said what jokers stand for that lie in a set of their own.")
    ] = False,
    aside: Annotated[
        str | None, typer.Option(metavar="TILE", help="The tile that lies open aside, in the variant with one.")
    ] = None,
    option: Annotated[list[str] | None, common.CHOICE] = None,
    tileset: Annotated[str | None, typer.Option(metavar="NAME", help="Another box than the rule book's.")] = None,
    box: Annotated[str | None, BOX] = None,
    table: Annotated[str, common.TABLE] = common.DEFAULT_TABLE,
    lens: Annotated[Path | None, common.LENS] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, and nothing else.")] = False,
) -> int:
    """Judge one turn, whether there is a legal way from one table to the other."""
    book = chosen_rules(rules, option or [])
    if tileset is not None:
        book = replace(book, tileset=common.named_tile_set(tileset).name, exact_box=True)
    parts, tiles = common.parts_of(context), book.box
    build: Callable[[], Reader] = partial(common.reader_of, parts, lens)
    if box is not None:
        reader, tiles = reader_with(parts, lens, box, None if tileset is None else book.box)
        if tiles.name != book.box.name:
            book = replace(book, tileset=tiles.name, exact_box=True)
        build = partial(_same, reader)
    if hand is not None and hand > book.box.total:
        raise BadInput(f"--hand: expected at most the {book.box.total} tiles of the box, found {hand}")
    left_aside = None if aside is None else _aside(aside, book)
    look = _Look(build, tiles, common.table_size(table))
    first, last = look.at("before", before), look.at("after", after)
    doubts = [*first.doubts, *last.doubts]
    if doubts:
        verdict = Verdict(accepted=False)
    else:
        if opened is None:
            opened = any(tiles != (left_aside,) for tiles in first.table)
        turn = Turn(opened, hand, aside=left_aside, declared=declared)
        verdict = judge_turn(first.table, last.table, turn, book)
    if as_json:
        common.print_json(verdict.to_json(doubts))
    else:
        show(verdict, doubts)
    if doubts:
        return Code.CANNOT_JUDGE
    return Code.DONE if verdict.accepted else Code.REFUSED


def _same(reader: Reader) -> Reader:
    return reader


@dataclass(frozen=True, slots=True)
class Side:
    """The table on one side of a turn, and what is in doubt about it."""

    table: Table
    doubts: tuple[dict[str, Any], ...] = ()


class _Look:
    """Turns an argument into a table; the model is loaded with the first picture only."""

    def __init__(self, build: Callable[[], Reader], tiles: TileSet, table_mm: tuple[float, float]) -> None:
        self._build, self._tiles, self._table_mm = build, tiles, table_mm
        self._reader: Reader | None = None

    def at(self, side: str, argument: str) -> Side:
        """The table named by an argument: a picture, a text file or notation."""
        path = _existing_file(side, argument)
        if path is None:
            return Side(_notation(f"--{side}", argument))
        if _is_picture(path):
            return self._seen(side, path)
        return Side(_notation(str(path), _text_of(path)))

    def _seen(self, side: str, path: Path) -> Side:
        picture = load_picture(path)
        self._reader = self._reader or self._build()
        sighting = self._reader.read(picture, self._tiles, self._table_mm)
        if not sighting.reads and sighting.scale != "markers":
            raise CannotJudge(f"{path}: expected tiles or markers on a table, found neither in the picture")
        return Side(sighting.table, tuple({"picture": side, **doubt} for doubt in doubts_in(sighting)))


def _existing_file(side: str, argument: str) -> Path | None:
    """The file an argument names; None for notation; BadInput for the name of no file."""
    path = Path(argument)
    try:
        if argument.strip() and path.is_dir():
            raise BadInput(f"--{side}: expected a picture, a text file or notation, found the folder {argument}")
        if path.is_file():
            return path
    except (OSError, ValueError):  # longer than any file's name, or with a NUL in it: not a file's name
        return None
    if path.suffix.lower() in (*PICTURE_SUFFIXES, *OTHER_PICTURES, *TEXT_SUFFIXES) or "/" in argument:
        raise BadInput(f"--{side}: expected a file, found nothing at {argument}")
    return None


def _is_picture(path: Path) -> bool:
    if path.suffix.lower() in (*PICTURE_SUFFIXES, *OTHER_PICTURES):
        return True
    try:
        with path.open("rb") as file:
            return file.read(3) in (b"\xff\xd8\xff", b"\x89PN")
    except OSError as error:
        raise BadInput(f"{path}: expected a readable file, found: {error.strerror}") from error


def _text_of(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LONGEST_TEXT + 1)
    except OSError as error:
        raise BadInput(f"{path}: expected a readable file, found: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: expected notation as text, found bytes that are no UTF-8") from error
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"{path}: expected at most {LONGEST_TEXT:,} characters of notation, found more")
    return text


def _notation(where: str, text: str) -> Table:
    try:
        return parse_table(text)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None


def _aside(text: str, book: Ruleset) -> Tile:
    if not book.finish.last_tile:
        raise BadInput(
            f"--aside: expected rules with a tile aside, such as piatnik with last-tile=on, got {book.name}"
        )
    try:
        tile = parse_tile(text)
    except BadInput as error:
        raise BadInput(f"--aside: {error}") from None
    if tile.is_joker:
        raise BadInput("--aside: expected a tile with a number, got a joker")
    return tile


def show(verdict: Verdict, doubts: list[dict[str, Any]]) -> None:
    """A verdict in words."""
    console = common.stdout()
    if doubts:
        console.print("cannot be judged", style="yellow")
        for doubt in doubts:
            console.print(f"  in doubt, picture {doubt['picture']}: {doubt['text']}")
    elif not verdict.accepted:
        console.print("refused", style="red")
        for fault in verdict.faults:
            console.print(f"  {fault.kind.value}: {fault.text}")
    elif verdict.laid:
        laid = " ".join(map(str, verdict.laid))
        console.print(f"accepted: laid {laid}, {verdict.points} points", style="green")
    else:
        console.print("accepted: nothing laid, draw a tile", style="green")
    for sentence in verdict.explanation:
        console.print(f"  {sentence}")
