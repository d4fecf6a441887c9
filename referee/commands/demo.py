"""`referee demo`: a whole match at the virtual table."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.table import Table

from referee.app.demo_match import Evening
from referee.commands.rules import chosen_rules
from referee.devices.camera.stills import save_picture
from referee.game.scoring import ScoreSheet
from referee.game.wording import count, joined
from referee.sim.match import NAMES, VirtualMatch
from referee.terminal import common
from referee.terminal.common import Code
from referee.terminal.tables import print_table


def demo(
    context: typer.Context,
    *,
    rules: Annotated[str, typer.Option(metavar="NAME", help="The rule book.")] = "rummikub",
    option: Annotated[list[str] | None, common.CHOICE] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Another seed, another match.")] = 1,
    rounds: Annotated[int, typer.Option(min=1, metavar="N", help="Rounds to play.")] = 1,
    players: Annotated[
        int | None,
        typer.Option(min=2, max=len(NAMES), metavar="N", help="Players, 2 to 4; as many as the book allows."),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", parser=common.some_path, help="Where the last picture goes.")
    ] = Path("out"),
) -> int:
    """Play a whole match: rendered camera, real vision, real rules."""
    book = chosen_rules(rules, option or [])
    players = players or book.players[1]
    book.hand_size(players)
    folder = common.folder("--out", out)
    parts = common.parts_of(context)
    reader, console = parts.reader(), common.stdout()
    match = VirtualMatch(book, np.random.default_rng(seed), players=NAMES[:players], rounds=rounds)
    length = count(rounds, "round") if book.knocking is None else f"up to {book.knocking.target} points"
    console.print(f"{book.title}: {joined(match.players)}, {length}, seed {seed}", style="bold")
    started = time.perf_counter()
    evening = Evening(match, reader, console)
    state = evening.play()
    seconds = time.perf_counter() - started
    print_table(console, _sheet(state.sheet))
    console.print(f"{evening.tally.in_words()} All in {seconds:.0f} s.")
    if evening.last is not None:
        picture, sighting = evening.last
        drawn = parts.draw(picture, sighting)
        for told, name, image in (
            ("The last table", "table.png", picture),
            ("What was read in it", "table-read.png", drawn),
        ):
            save_picture(folder / name, image)
            console.print(f"{told}: {folder / name}")
    return Code.DONE


def _sheet(sheet: ScoreSheet) -> Table:
    table = Table("round", title="Score sheet", title_justify="left")
    for name in sheet.players:
        table.add_column(name, justify="right")
    for number, line in enumerate(sheet.rounds, 1):
        table.add_row(str(number), *(f"{score:+d}" if score else "0" for score in line.scores))
    table.add_section()
    table.add_row("total", *(f"{total:+d}" if total else "0" for total in sheet.totals), style="bold")
    return table
