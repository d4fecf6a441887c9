"""`referee play`: a real match at a real table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.programs.one_table import Asked, one_table
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import CONFIG, LANGUAGE, SETTING, flags_of, settings_of, wording
from referee.devices.heap import keep_little
from referee.errors import BadInput
from referee.i18n import Wording
from referee.settings.file import settings_file
from referee.settings.settings import Settings, load

KEYS = typer.Option(
    "--keys", help="Press buttons by lines on standard input: 1, 1! (held), s (start or pause), q (quit)."
)
SPEED = typer.Option(
    "--speed", min=0.01, max=1000, metavar="N", help="At the virtual table: how many times as fast as people."
)
SEED = typer.Option("--seed", min=0, metavar="N", help="At the virtual table: seed of the match.")

YES = typer.Option("--yes", help="With --new: end the match under way without asking.")
PAGE = typer.Option("--page", help="Serve the page, to follow the match and answer questions in a browser.")
NEW = typer.Option("--new", help="Begin a new match; asks before it ends one that is under way.")


def play(
    context: typer.Context,
    *,
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    box: Annotated[str | None, common.BOX] = None,
    keys: Annotated[bool, KEYS] = False,
    speed: Annotated[float | None, SPEED] = None,
    seed: Annotated[int | None, SEED] = None,
    new: Annotated[bool, NEW] = False,
    yes: Annotated[bool, YES] = False,
    page: Annotated[bool, PAGE] = False,
    language: Annotated[str | None, LANGUAGE] = None,
) -> int:
    """Referee a real match, with camera, panel, clock and journal."""
    if yes and not new:
        raise BadInput("play: expected --yes together with --new only")
    keep_little()
    flags = [*(setting or []), *([] if box is None else [f"table.box={box}"])]

    def load_settings(page: str | None = None) -> Settings:
        return settings_of(config, flags, page)

    def make_wording(settings: Settings) -> Wording:
        return wording(language, settings.game.language)

    try:
        first = load_settings()
    except BadInput:
        # What was chosen on the page may be wrong. Then the page is served nevertheless, so that it can be changed.
        first = load(settings_file(config, os.environ), os.environ, flags_of(flags))
        if not (page or first.web.page):
            raise
    common.check_finite("--speed", speed)
    served_too = page or first.web.page  # another camera may be chosen on the page
    for option, value in (("--speed", speed), ("--seed", seed)):
        if value is not None and first.camera.kind != "virtual" and not served_too:
            raise BadInput(
                f"{option}: expected the virtual table (camera.kind=virtual), found the camera "
                f"{first.camera.kind}: people think as they like"
            )
    asked = Asked(common.parts_of(context), keys, speed or 1.0, 1 if seed is None else seed, new, sure=yes)
    if served_too:
        from referee.cli.page.serving import serve_tables

        return serve_tables(first, load_settings, make_wording, asked)
    return one_table(first, asked, make_wording(first), None)
