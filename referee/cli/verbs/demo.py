"""`referee demo`: a whole match at the virtual table."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from referee.cli.parts import from_settings as build
from referee.cli.programs.demo_match import Evening
from referee.cli.programs.live_demo import play_live
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import LANGUAGE, as_set, settings_of, wording
from referee.cli.terminal.common import Code
from referee.cli.terminal.output import print_table, score_table
from referee.cli.verbs.rules import chosen_rules
from referee.devices.camera.stills import save_picture
from referee.errors import BadInput
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.settings.settings import SETTINGS, CameraSettings, Game, Settings
from referee.sim.match import NAMES, VirtualMatch

PAGE = typer.Option("--page", help="Play at a human pace; a browser can follow and answer questions.")
SPEED = typer.Option("--speed", min=0.01, max=1000, metavar="N", help="With --page: how many times as fast as people.")
MOST_ROUNDS = int(SETTINGS["game.rounds"].high or 1)
PLAYERS_HELP = f"Players, 2 to {len(NAMES)}; default: as many as the book allows."


def demo(
    context: typer.Context,
    *,
    rules: Annotated[str, typer.Option(metavar="NAME", help="The rule book.")] = "rummikub",
    option: Annotated[list[str] | None, common.CHOICE] = None,
    seed: Annotated[
        int, typer.Option(min=0, metavar="N", help="Seed of the match; another one gives another match.")
    ] = 1,
    rounds: Annotated[
        int | None, typer.Option(min=1, max=MOST_ROUNDS, metavar="N", help="Rounds to play; default: 1.")
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=len(NAMES),
            metavar="N",
            help=f"Players, 2 to {len(NAMES)}; default: as many as the book allows.",
        ),
    ] = None,
    page: Annotated[bool, PAGE] = False,
    speed: Annotated[float | None, SPEED] = None,
    language: Annotated[str | None, LANGUAGE] = None,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", parser=common.some_path, help="Folder for the last picture.")
    ] = Path("out"),
) -> int:
    """Play a whole match at the virtual table: rendered pictures, real vision, real rules."""
    book = chosen_rules(rules, option or [])
    common.check_finite("--speed", speed)
    if speed is not None and not page:
        raise BadInput(f"--speed: expected --page beside it, found none: without the page nobody waits ({speed:g})")
    if rounds is not None and book.knocking is not None:
        raise BadInput(
            f"--rounds: expected none in Gin, which is played up to {book.knocking.target} points, found {rounds}"
        )
    rounds = rounds or 1
    players = players or book.players[1]
    book.hand_size(players)
    words = wording(language, as_set(), book.box.faces)
    folder = common.folder("--out", out)
    parts = common.parts_of(context)
    reader, console = parts.reader(), common.stdout()
    length = Notice("console.rounds", rounds=rounds)
    if book.knocking is not None:
        length = Notice("console.up_to", points=book.knocking.target)
    title = Notice("console.demo_title", book=book.title, players=NAMES[:players], length=length, seed=seed)
    console.print(words(title), style="bold")
    if page:
        chosen = _settings(rules, option or [], NAMES[:players], rounds, words)
        plan = build.plan_of(chosen, build.pins_of(chosen))
        play_live(
            chosen,
            plan,
            parts,
            words,
            seed,
            1.0 if speed is None else speed,
            lambda state: _score_sheet(console, state, words),
        )
        return Code.DONE
    match = VirtualMatch(book, np.random.default_rng(seed), players=NAMES[:players], rounds=rounds)
    started = time.perf_counter()
    evening = Evening(match, reader, console, words)
    state = evening.play()
    seconds = time.perf_counter() - started
    _score_sheet(console, state, words)
    console.print(words(evening.tally.summary(seconds)))
    if evening.last is not None:
        picture, sighting = evening.last
        drawn = parts.draw(picture, sighting)
        for key, name, image in (
            ("console.last_table", "table.png", picture),
            ("console.read_in_it", "table-read.png", drawn),
        ):
            save_picture(folder / name, image)
            console.print(words(Notice(key, path=str(folder / name))))
    console.print(words(Notice("console.see_live")))
    return Code.DONE


def _score_sheet(console: Console, state: State, words: Wording) -> None:
    print_table(console, score_table(state.sheet, words, title=words(Notice("console.score_sheet"))), words)


def _settings(rules: str, options: list[str], players: tuple[str, ...], rounds: int, words: Wording) -> Settings:
    """Return the settings of a match at the virtual table; from file and environment, only those of page and club.

    A club sees it as a separate table, so that no real table seems to play a match that nobody plays.
    """
    game = Game(rules, tuple(options), players, rounds, words.language)
    found = settings_of(None, [])
    club = replace(found.club, table="demo")
    camera = CameraSettings(kind="virtual")
    return Settings(game=game, camera=camera, web=found.web, club=club, panel={"kind": "console"})
