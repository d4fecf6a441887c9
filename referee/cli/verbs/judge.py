"""`referee judge`: judges one turn, from pictures or notation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.api import check_before
from referee.cli.terminal import common
from referee.cli.terminal.common import Code
from referee.cli.terminal.tables import Side, Sides, choose_reader
from referee.cli.verbs.rules import chosen_rules
from referee.errors import BadInput
from referee.game.gin.judging import judge_knock, judge_opponent
from referee.game.judge.judge import Turn
from referee.game.judge.judge import judge as judge_turn
from referee.game.judge.verdict import Verdict
from referee.game.notation import parse_tile
from referee.game.rulebooks import Ruleset
from referee.game.tiles import Tile
from referee.i18n import ENGLISH

if TYPE_CHECKING:
    pass


ANY = "any"


def judge(
    context: typer.Context,
    *,
    rules: Annotated[str, typer.Option(metavar="NAME", help="The rule book; `referee rules` lists them.")],
    before: Annotated[
        str, typer.Option(metavar="X", help="The table before the turn: a picture, text file or notation.")
    ],
    after: Annotated[
        str, typer.Option(metavar="Y", help="The table after the turn: a picture, text file or notation.")
    ],
    opened: Annotated[
        bool, typer.Option("--opened", help="The player had made a first meld before this turn.")
    ] = False,
    not_opened: Annotated[
        bool, typer.Option("--not-opened", help="The player had not; default: only if the table was empty.")
    ] = False,
    hand: Annotated[int | None, typer.Option(metavar="N", min=0, help="Tiles in the hand before the turn.")] = None,
    declared: Annotated[
        bool, typer.Option("--declared", help="The player said what the jokers in sets of their own stand for.")
    ] = False,
    aside: Annotated[
        str | None, typer.Option(metavar="TILE", help="The open tile of the variant with a last tile.")
    ] = None,
    option: Annotated[list[str] | None, common.CHOICE] = None,
    tileset: Annotated[
        str | None, typer.Option(metavar="NAME", help="A box other than the rule book's; any: tiles of any colour.")
    ] = None,
    box: Annotated[str | None, common.BOX] = None,
    table: Annotated[str, common.TABLE] = common.DEFAULT_TABLE,
    lens: Annotated[Path | None, common.LENS] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> int:
    """Judge one turn: find out whether there is a legal way from one table to the other."""
    if opened and not_opened:
        raise BadInput("--opened, --not-opened: expected one of them, found both")
    book = chosen_rules(rules, option or [])
    if book.knocking is not None:
        _no_turn_by_turn({"--opened": opened, "--not-opened": not_opened, "--declared": declared}, book)
    # The rules are the same with any colours, but the box in use is known unless that is left open.
    book = replace(book, exact_box=tileset != ANY)
    wanted = None if tileset in (None, ANY) else common.named_tile_set(str(tileset))
    build, book, tiles = choose_reader(context, book, wanted, box, lens)
    if hand is not None and hand > book.box.total:
        raise BadInput(f"--hand: expected at most the {book.box.total} tiles of the box, found {hand}")
    left_aside = None if aside is None else _parse_tile_aside(aside, book)
    sides = Sides(build, None if tileset == ANY and box is None else tiles, common.table_size(table))
    first, last = sides.read_side("--before", before), sides.read_side("--after", after)
    doubts = [*first.doubts, *last.doubts]
    turn = Turn(opened, hand, aside=left_aside, declared=declared)
    verdict = Verdict(accepted=False) if doubts else _judge_turn(first, last, turn, not_opened, book)
    if as_json:
        common.print_json(verdict_json(verdict, doubts))
    else:
        show(verdict, doubts, "points" if book.knocking is None else "points left over")
    if doubts:
        return Code.CANNOT_JUDGE
    return Code.DONE if verdict.accepted else Code.REFUSED


def verdict_json(verdict: Verdict, doubts: Iterable[Any] = ()) -> dict[str, Any]:
    """Return the object that `judge --json` prints; its texts are in English, whatever language is chosen."""
    faults = [
        {"kind": fault.kind.value, "tiles": [tile.name for tile in fault.tiles], "text": ENGLISH(fault.notice)}
        for fault in verdict.faults
    ]
    return {
        "accepted": verdict.accepted,
        "laid": [tile.name for tile in verdict.laid],
        "points": verdict.points,
        "faults": faults,
        "doubts": list(doubts),
        "explanation": [ENGLISH(told) for told in verdict.explanation],
    }


def _no_turn_by_turn(options: Mapping[str, bool], book: Ruleset) -> None:
    """Raise BadInput for options that apply only to games in which sets are laid turn by turn."""
    for name in (name for name, given in options.items() if given):
        raise BadInput(
            f"{name}: expected rules with a first meld and jokers, got {book.name}: nothing is laid there "
            "before the knock"
        )


def _hand_laid_open(first: Side, last: Side, hand: int | None, book: Ruleset) -> Verdict:
    """Return the verdict on a hand in Gin: the knocker's on an empty table, or the opponent's beside it."""
    if not last.table:
        raise BadInput(
            f"{last.where}: expected a hand laid open after a knock, found an empty table; "
            f"nothing is laid before the knock in {book.name}"
        )
    number = book.deal if hand is None else hand
    if not first.table:
        return judge_knock(last.table, number, book)[0]
    knock, knocker = judge_knock(first.table, book.deal, book)
    if knocker is None:
        wrong = " ".join(ENGLISH(fault.notice) for fault in knock.faults)
        raise BadInput(f"{first.where}: expected a knocker's hand as it may lie, found one that may not: {wrong}")
    return judge_opponent(knocker, last.table, number, book)


def _judge_turn(first: Side, last: Side, turn: Turn, not_opened: bool, book: Ruleset) -> Verdict:
    """Return the verdict; by default, the player had made a first meld unless the table was empty."""
    if book.knocking is not None:
        return _hand_laid_open(first, last, turn.hand, book)
    check_before(first.table, first.where, book, turn.aside)
    lying = any(tiles != (turn.aside,) for tiles in first.table)
    turn = replace(turn, opened=turn.opened or (lying and not not_opened))
    return judge_turn(first.table, last.table, turn, book)


def _parse_tile_aside(text: str, book: Ruleset) -> Tile:
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


def show(verdict: Verdict, doubts: list[dict[str, Any]], counted: str = "points") -> None:
    """Print a verdict in words; `counted` says what its points are."""
    console = common.stdout()
    if doubts:
        console.print("cannot be judged", style="yellow")
        for doubt in doubts:
            console.print(f"  in doubt, picture {doubt['picture']}: {doubt['text']}")
    elif not verdict.accepted:
        console.print("refused", style="red")
        for fault in verdict.told_faults:
            console.print(f"  {fault.kind.value}: {ENGLISH(fault.notice)}")
    elif verdict.laid:
        laid = " ".join(map(str, verdict.laid))
        console.print(f"accepted: laid {laid}, {verdict.points} {counted}", style="green")
    else:
        console.print("accepted: nothing laid, draw a tile", style="green")
    for sentence in verdict.explanation:
        console.print(f"  {ENGLISH(sentence)}")
