"""What is chosen and tried before a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool

from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.game.rulebooks import RULESETS, choices_of
from referee.game.tiles import FACES, TILE_SETS, Tile
from referee.page.command import Command, Controls, Field, Malformed, one_of, share, text, visible_text, whole
from referee.pages.table.setup.enrolling import at_a_screen
from referee.table.input.requests import (
    AddTile,
    BeginMatch,
    CalibrateLens,
    Configure,
    Decide,
    EnrolBox,
    EnrolStep,
    LensStep,
    LookThrough,
    NameTile,
    NextMatch,
    Request,
    TryAgain,
    TryPanel,
    Unfinished,
)
from referee.table.output.follower import Facts
from referee.table.preparation.values import KeptBox

LONGEST = 200
MOST_PLAYERS = 8
LIMITS = {
    "game.rounds": (1, 100),
    "table.width_mm": (100, 5000),
    "table.height_mm": (100, 5000),
    "camera.width_px": (640, 9216),
    "camera.height_px": (480, 6944),
}
TEXTS = ("game.season", "camera.source", "camera.user", "camera.password", "camera.certificate")


def _several(one: Field, most: int) -> Field:
    def value(told: Any) -> tuple[Any, ...]:
        if not isinstance(told, list) or len(told) > most:
            raise Malformed(f"expected a list of at most {most}, found {str(told)[:40]!r}")
        return tuple(one.value(each) for each in told)

    return Field({"type": "array", "items": dict(one.schema), "maxItems": most}, value)


SETTINGS: Mapping[str, Field] = {
    "game.rules": one_of(*RULESETS),
    "game.options": _several(text(0, 60, visible_text), 40),
    "game.players": _several(text(0, 40, visible_text), MOST_PLAYERS),
    "game.handicaps": _several(whole(-3600, 3600), MOST_PLAYERS),
    "game.language": one_of("auto", "en", "de", "fr", "it"),
    "table.tileset": one_of("", *TILE_SETS),
    "table.box": text(0, 60, visible_text),
    "camera.kind": one_of("pi", "usb", "network", "folder", "video", "virtual"),
    "panel.kind": text(0, 20, visible_text),
    **{name: whole(low, high) for name, (low, high) in LIMITS.items()},
    **{name: text(0, LONGEST, visible_text) for name in TEXTS},
}


def _settings(told: Any) -> dict[str, Any]:
    if not isinstance(told, dict) or not told or len(told) > len(SETTINGS):
        raise Malformed(f"settings: expected an object, found {str(told)[:40]!r}")
    found = {}
    for name, value in told.items():
        if name not in SETTINGS:
            raise Malformed(f"settings: expected one of {', '.join(SETTINGS)}, found {str(name)[:40]!r}")
        found[name] = SETTINGS[name].value(value)
    return found


CHOSEN = Field(
    {"type": "object", "properties": {name: dict(one.schema) for name, one in SETTINGS.items()},
     "additionalProperties": False, "minProperties": 1},
    _settings,
)  # fmt: skip


async def _configure(values: Mapping[str, Any], facts: Facts, controls: Controls) -> Notice | None:
    """Take other settings; what does not fit together is told before anything is written."""
    changes = dict(values["settings"])
    if "panel.kind" in changes and changes["panel.kind"] not in facts.setup.panels:
        return Notice("setup.not_here")
    chosen = {**facts.setup.values, **changes}
    wrong = _misfit(chosen, changes, facts.setup.buttons)
    if wrong is None and chosen.get("table.box") and changes.keys() & {"table.box", "table.tileset"}:
        wrong = _wrong_box(chosen, await run_in_threadpool(facts.setup.boxes), new="table.box" in changes)
    return wrong if wrong is not None else await controls.send(Configure(changes))


def _misfit(chosen: Mapping[str, Any], changes: Mapping[str, Any], buttons: int) -> Notice | None:
    """What does not fit together of book, options and players, in the players' own language."""
    names: tuple[str, ...] = chosen.get("game.players", ())
    handicaps = chosen.get("game.handicaps", ())
    book = RULESETS.get(chosen.get("game.rules", ""))
    if book is None or not any(name.startswith("game.") for name in changes):
        return None
    try:
        rules = book.choose(**choices_of(chosen.get("game.options", ())))
    except BadInput as error:
        return told_by(error)
    wrong = _wrong_names(names, rules.players, buttons) if names else None
    if wrong is not None:
        return wrong
    if handicaps and len(handicaps) != len(names):
        return Notice("setup.handicap_each")
    if rules.turn_seconds is not None and any(rules.turn_seconds + seconds <= 0 for seconds in handicaps):
        return Notice("setup.handicap_too_much", seconds=rules.turn_seconds)
    return None


def _wrong_box(chosen: Mapping[str, Any], boxes: Sequence[KeptBox], *, new: bool) -> Notice | None:
    """Why the tiles of that name cannot be played with: only those that were enrolled here, and fit, can be chosen.

    The settings file may name others: they are none of the `new` ones.
    """
    name = chosen["table.box"]
    box = next((one for one in boxes if one.name == name), None)
    if box is None:
        return Notice("setup.no_such_box") if new else None
    wanted = chosen.get("table.tileset", "")
    if wanted in ("", box.tileset):
        return None
    return Notice("setup.box_other_tiles", box=name, has=box.tileset, wanted=wanted)


def _wrong_names(names: tuple[str, ...], players: tuple[int, int], buttons: int) -> Notice | None:
    fewest, most = players
    most = buttons if buttons > 1 else most  # those who play sit down at theirs
    if len(set(names)) < len(names) or not all(names):
        return Notice("setup.names_differ")
    if fewest <= len(names) <= most:
        return None
    if fewest == most:
        return Notice("play.players_wanted_exactly", wanted=most, found=len(names))
    return Notice("play.players_wanted", fewest=fewest, most=most, found=len(names))


def _request(request: Request, *about: str) -> Command:
    """A command without fields, about these parts."""

    async def run(_: Mapping[str, Any], __: Facts, controls: Controls) -> Notice | None:
        return await controls.send(request)

    return Command(about, run)


async def _try_panel(values: Mapping[str, Any], _: Facts, controls: Controls) -> Notice | None:
    return await controls.send(TryPanel(values["part"]))


async def _decide(values: Mapping[str, Any], _: Facts, controls: Controls) -> Notice | None:
    return await controls.send(Decide(Unfinished(values["what"])))


async def _enrol(values: Mapping[str, Any], _: Facts, controls: Controls) -> Notice | None:
    refused = await controls.send(EnrolBox(EnrolStep(values["step"])))
    return None if refused is None else at_a_screen(refused)


async def _calibrate(values: Mapping[str, Any], _: Facts, controls: Controls) -> Notice | None:
    return await controls.send(CalibrateLens(LensStep(values["step"])))


async def _name_tile(values: Mapping[str, Any], facts: Facts, controls: Controls) -> Notice | None:
    box = facts.prepared.box
    if box is None or box.sheet != values["sheet"]:
        return Notice("page.late")
    return await controls.send(NameTile(values["batch"], values["read"], values["tile"]))


async def _add_tile(values: Mapping[str, Any], facts: Facts, controls: Controls) -> Notice | None:
    """Say which tile lies at a place of a picture of the enrolment."""
    box = facts.prepared.box
    if box is None or box.sheet != values["sheet"] or values["batch"] >= len(box.kept):
        return Notice("page.late")
    width, height = box.kept[values["batch"]].size_px
    at_px = min(values["x"] * width, width - 1), min(values["y"] * height, height - 1)
    return await controls.send(AddTile(values["batch"], at_px, values["tile"]))


NAMED: Mapping[str, Tile] = {tile.name: tile for tile in FACES}


def _tile(told: Any) -> Tile:
    if not isinstance(told, str) or told not in NAMED:
        raise Malformed(f"expected a tile such as red-7 or joker, found {str(told)[:40]!r}")
    return NAMED[told]


TILE = Field({"type": "string", "enum": list(NAMED)}, _tile)

COMMANDS = {
    "configure": Command((), _configure, {"settings": CHOSEN}),
    "try_again": _request(TryAgain()),
    "decide": Command(("setup",), _decide, {"what": one_of(*Unfinished)}),
    "look_through": _request(LookThrough()),
    "try_panel": Command((), _try_panel, {"part": text(0, 40, visible_text)}),
    "end_panel_test": _request(TryPanel(None)),
    "enrol": Command((), _enrol, {"step": one_of(*(step.value for step in EnrolStep))}),
    "name_tile": Command(
        (),
        _name_tile,
        {
            "sheet": whole(0, 2**31),
            "batch": whole(0, 99),
            "read": whole(0, 500),
            "tile": TILE,
        },
    ),
    "add_tile": Command(
        (),
        _add_tile,
        {
            "sheet": whole(0, 2**31),
            "batch": whole(0, 99),
            "x": share(),
            "y": share(),
            "tile": TILE,
        },
    ),
    "calibrate": Command((), _calibrate, {"step": one_of(*(step.value for step in LensStep))}),
    "begin": _request(BeginMatch()),
    "next_match": _request(NextMatch(), "setup"),
}
