"""The settings: whether they can be used, and which match they describe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from referee.devices.wiring.pins import PinMap
from referee.doctor.finding import Finding, ok, sentence, wrong
from referee.errors import BadInput
from referee.factories import from_settings as build
from referee.game.tiles import TileSet, tile_set
from referee.game.wording import count, joined
from referee.settings.file import text_of
from referee.settings.settings import Settings, load


@dataclass(frozen=True, slots=True)
class Chosen:
    """Settings to go on with, the text of their file, and what is to be said about them."""

    settings: Settings
    text: str
    finding: Finding


def loaded(path: Path | None, environ: Mapping[str, str], flags: Mapping[str, str]) -> Chosen:
    """The settings in use; a faulty file or environment is a finding, and the defaults serve for the rest.

    Raises BadInput for faulty flags: whoever gave them sits in front of the screen.
    """
    defaults = load(None, {}, flags)
    try:
        settings = load(path, environ, flags)
        text = "" if path is None else text_of(path)
    except (BadInput, OSError) as error:
        do = "Correct it; referee init other.toml writes a file with every setting. What follows uses the defaults."
        return Chosen(defaults, "", wrong("settings", sentence(error), do))
    where = f"The settings in {path} are in order." if path else "There is no settings file; the defaults serve."
    return Chosen(settings, text, ok("settings", where, file=None if path is None else str(path)))


def game(settings: Settings, pins: PinMap) -> Finding:
    """Whether rules, names and box fit together."""
    try:
        plan = build.plan_of(settings, pins)
        box = tile_set(settings.table.tileset) if settings.table.tileset else plan.rules.box
    except BadInput as error:
        return wrong("game", sentence(error), "Correct [game] and [table]; referee rules lists the rule books.")
    who = joined(plan.names) if settings.game.players else f"up to {count(len(plan.names), 'player')}"
    text = f"The next match is {settings.game.rules} for {who}, with the tiles of {box.name}."
    return ok("game", text, rules=settings.game.rules, tileset=box.name)


def box_or_none(settings: Settings, pins: PinMap) -> TileSet | None:
    """The box of tiles that the settings name; None where that cannot be told."""
    try:
        return tile_set(settings.table.tileset) if settings.table.tileset else build.plan_of(settings, pins).rules.box
    except BadInput:
        return None
