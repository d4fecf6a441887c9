"""`referee solve`: the best legal turn from a table and a hand, as moves of real tiles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from referee.api import check_before
from referee.cli.terminal import common
from referee.cli.terminal.common import Code
from referee.cli.terminal.tables import Side, Sides, choose_reader
from referee.cli.verbs.rules import chosen_rules
from referee.errors import BadInput
from referee.game.judge.best_turn import BestTurn, arrange, best_turn
from referee.game.moves import Step
from referee.game.notation import format_set, format_table
from referee.game.rulebooks import Ruleset
from referee.game.table import Set, Table, tiles_on
from referee.i18n.wording import count

Doubts = tuple[dict[str, Any], ...]


def solve(
    context: typer.Context,
    table: Annotated[
        str, typer.Argument(metavar="TABLE", help="The table: a picture, text file or notation; '' if it is empty.")
    ],
    *,
    hand: Annotated[
        str, typer.Option(metavar="TILES", help="The hand: a picture, text file or notation such as 'R7 B7 **'.")
    ] = "",
    rules: Annotated[
        str, typer.Option(metavar="NAME", help="The rule book; `referee rules` lists them.")
    ] = "rummikub",
    points: Annotated[bool, typer.Option("--points", help="Lay most points, not most tiles.")] = False,
    not_opened: Annotated[
        bool,
        typer.Option("--not-opened", help="No first meld has been made; default: only if TABLE is empty."),
    ] = False,
    option: Annotated[list[str] | None, common.CHOICE] = None,
    tileset: Annotated[str | None, typer.Option(metavar="NAME", help="A box other than the rule book's.")] = None,
    box: Annotated[str | None, common.BOX] = None,
    size: Annotated[str, typer.Option("--table", metavar="WxH", help=str(common.TABLE.help))] = common.DEFAULT_TABLE,
    lens: Annotated[Path | None, common.LENS] = None,
    overlay: Annotated[
        Path | None, typer.Option(metavar="OUT.png", help="Draw the moves into the picture of the table.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> int:
    """Show the best legal turn from a table and a hand, step by step."""
    book = chosen_rules(rules, option or [])
    if book.melds is None:
        raise BadInput(f"--rules: expected rules by which sets are laid turn by turn, found {book.name}")
    wanted = None if tileset is None else common.named_tile_set(tileset)
    build, book, tiles = choose_reader(context, book, wanted, box, lens)
    sides = Sides(build, tiles, common.table_size(size))
    side, rack = sides.read_side("TABLE", table), sides.read_side("--hand", hand)
    if overlay is not None and side.sighting is None:
        raise BadInput("--overlay: expected a picture of a table to draw into, found a table in notation")
    held = _hand_of(rack, side.table, book)
    turn = _find_turn(side, held, book, opened=bool(side.table) and not not_opened, points=points)
    if overlay is not None and turn is not None:
        _save_overlay(overlay, side, turn)
    doubts = (*side.doubts, *rack.doubts)
    if as_json:
        common.print_json(turn_json(turn, doubts))
    else:
        show(side.table, turn, doubts)
    return Code.REFUSED if turn is None else Code.DONE


def _hand_of(rack: Side, table: Table, book: Ruleset) -> Set:
    """Return the tiles of a hand; raises BadInput if the box cannot hold them beside those of the table."""
    sets = rack.table if rack.sighting is None else ([read.tile for read in rack.sighting.reads if read.tile],)
    held = tiles_on(sets)
    inventory = book.box.inventory()
    for tile, number in (held + tiles_on(table)).items():
        if held[tile] and number > inventory.get(tile, 0):
            raise BadInput(
                f"{rack.where}: expected tiles of the box {book.tileset}, which holds {tile} "
                f"{inventory.get(tile, 0)} times; found {number} with those of the table"
            )
    return tuple(tile for tiles in sets for tile in tiles)


def _find_turn(side: Side, hand: Set, book: Ruleset, *, opened: bool, points: bool) -> BestTurn | None:
    """Return the best turn, or how the tiles of a table that is not legal can lie in sets; None if they cannot."""
    try:
        check_before(side.table, side.where, book)
    except BadInput as error:
        common.complain(f"{side.where}: the table is not legal as it lies, so the hand is not used: {error}")
        return arrange(side.table, book)
    return best_turn(side.table, hand, book, opened=opened, points=points)


def turn_json(turn: BestTurn | None, doubts: Doubts) -> dict[str, Any]:
    """Return the object that `solve --json` prints."""
    if turn is None:
        return {"possible": False, "doubts": list(doubts)}
    steps = [
        {
            "set": format_set(step.result),
            "place": None if step.place is None else step.place + 1,
            "moves": [
                {"tile": move.tile.name, "from": "hand" if move.source is None else move.source + 1}
                for move in step.moves
            ],
        }
        for step in turn.steps
    ]
    return {
        "possible": True,
        "laid": [tile.name for tile in turn.laid],
        "points": turn.points,
        "steps": steps,
        "table": format_table(turn.table),
        "most": turn.most,
        "doubts": list(doubts),
    }


def show(table: Table, turn: BestTurn | None, doubts: Doubts) -> None:
    """Print a turn step by step; sets of the table are named by their tiles."""
    console = common.stdout()
    for doubt in doubts:
        where = " in the hand" if doubt["picture"] == "hand" else ""
        console.print(f"in doubt{where}: {doubt['text']}", style="yellow")
    if turn is None:
        console.print("the tiles of the table cannot all lie in sets", style="red")
        return
    if turn.laid:
        points = count(turn.points, "point")
        console.print(f"lay {format_set(turn.laid)}: {count(len(turn.laid), 'tile')}, {points}", style="green")
    else:
        console.print("the table can lie in sets like this:" if turn.steps else "nothing can be laid", style="green")
    for number, step in enumerate(turn.steps, 1):
        console.print(f"  {number}. {_step_in_words(step, table)}")
    if not turn.proven:
        console.print(f"a turn with more may exist, up to {turn.most}", style="yellow")


def _step_in_words(step: Step, table: Table) -> str:
    if step.place is not None and not step.moves:
        return f"what is left of {format_set(table[step.place])} lies as {format_set(step.result)}"
    hand = [move.tile for move in step.moves if move.source is None]
    taken: dict[int, list[Any]] = {}
    for move in step.moves:
        if move.source is not None:
            taken.setdefault(move.source, []).append(move.tile)
    sources = [f"{format_set(hand)} from the hand"] if hand else []
    sources += [f"{format_set(tiles)} from {format_set(table[source])}" for source, tiles in taken.items()]
    where = "a new set" if step.place is None else format_set(table[step.place])
    return f"to {where}: {', '.join(sources)} → {format_set(step.result)}"


def _save_overlay(path: Path, side: Side, turn: BestTurn) -> None:
    from referee.devices.camera.stills import save_picture
    from referee.vision.overlay_moves import draw_moves

    if side.picture is not None and side.sighting is not None:
        save_picture(path, draw_moves(side.picture, side.sighting, turn.steps))
