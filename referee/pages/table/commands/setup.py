"""The commands of the set-up: choosing settings, and trying the equipment before a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from starlette.concurrency import run_in_threadpool

from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.game.rulebooks import RULESETS, choices_of
from referee.game.tiles import TILE_SETS, Tile
from referee.journal.codec import BadValue, Codec, codec_of
from referee.letters import NAME_LETTERS, is_too_long
from referee.page.command import (
    Command,
    Controls,
    Malformed,
    NoFields,
    one_named,
    one_of,
    read_only,
    several,
    text,
    visible_text,
    whole,
)
from referee.pages.table.commands.tiles import TILES, Read, Share
from referee.pages.table.parts.preparing import at_a_screen
from referee.settings.settings import SETTINGS
from referee.table.input.requests import (
    AddTile,
    BeginMatch,
    CalibrateLens,
    Configure,
    Decide,
    DiscardMatch,
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

LONGEST, LONGEST_OPTION, LONGEST_BOX, LONGEST_PANEL = 200, 60, 60, 20
"""The most letters that the page accepts; a settings file may have more."""
MOST_PLAYERS, MOST_OPTIONS = 8, 40


def _range_codec(name: str) -> Codec:
    """Return a codec for whole numbers within the range of a setting; on the page, lengths are whole millimetres."""
    setting = SETTINGS[name]
    if setting.low is None or setting.high is None:
        raise ValueError(f"expected a setting with a range, got {name}")
    return whole(int(setting.low), int(setting.high))


ENTRIES: Mapping[str, Codec] = {
    "game.rules": one_of(*RULESETS),
    "game.options": several(text(0, LONGEST_OPTION, visible_text), MOST_OPTIONS),
    "game.players": several(text(0, LONGEST, visible_text), MOST_PLAYERS),
    "game.handicaps": several(_range_codec("game.handicaps"), MOST_PLAYERS),
    "game.coach": codec_of(bool),
    "game.language": one_of(*SETTINGS["game.language"].one_of),
    "table.tileset": one_of("", *TILE_SETS),
    "table.box": text(0, LONGEST_BOX, visible_text),
    "camera.kind": one_of(*SETTINGS["camera.kind"].one_of),
    "panel.kind": text(0, LONGEST_PANEL, visible_text),
    **{
        name: _range_codec(name)
        for name in ("game.rounds", "table.width_mm", "table.height_mm", "camera.width_px", "camera.height_px")
    },
    **{
        name: text(0, LONGEST, visible_text)
        for name in ("game.season", "camera.source", "camera.user", "camera.password", "camera.certificate")
    },
}
"""The settings that the page can change, by `table.key`."""


def _changes() -> Codec:
    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or not value or len(value) > len(ENTRIES):
            raise Malformed(f"settings: expected an object, found {str(value)[:40]!r}")
        found = {}
        for name, one in value.items():
            if name not in ENTRIES:
                raise Malformed(f"settings: expected one of {', '.join(ENTRIES)}, found {str(name)[:40]!r}")
            try:
                found[name] = ENTRIES[name].read(one)
            except BadValue as error:
                raise error.with_field(name) from None
        return found

    properties = {name: entry.schema for name, entry in ENTRIES.items()}
    return read_only(
        read, {"type": "object", "properties": properties, "additionalProperties": False, "minProperties": 1}
    )


Faced = Annotated[Tile, one_named(TILES, "a tile such as red-7 or joker")]
"""A tile that lies face up."""


@dataclass(frozen=True, slots=True)
class ConfigureFields:
    """Settings by `table.key`."""

    settings: Annotated[Mapping[str, Any], _changes()]


@dataclass(frozen=True, slots=True)
class DecideFields:
    """What to do with a match that was interrupted."""

    what: Annotated[Unfinished, one_of(*Unfinished)]


@dataclass(frozen=True, slots=True)
class TryPanelFields:
    """The name of a part of the panel."""

    part: Annotated[str, text(0, 40, visible_text)]


@dataclass(frozen=True, slots=True)
class EnrolFields:
    """A step of the enrolment."""

    step: Annotated[EnrolStep, one_of(*EnrolStep)]


@dataclass(frozen=True, slots=True)
class CalibrateFields:
    """A step of the calibration."""

    step: Annotated[LensStep, one_of(*LensStep)]


@dataclass(frozen=True, slots=True)
class PhotoFields:
    """A picture of the enrolment: `batch` is its number from 0, `sheet` the number of the sheet with its tiles."""

    sheet: Annotated[int, whole(0, 2**31)]
    batch: Annotated[int, whole(0, 99)]


@dataclass(frozen=True, slots=True)
class NameTileFields(PhotoFields):
    """A tile that was found in that picture, and what it really is."""

    read: Read
    tile: Faced


@dataclass(frozen=True, slots=True)
class AddTileFields(PhotoFields):
    """Which tile lies at a place in that picture."""

    x: Share
    y: Share
    tile: Faced


async def _configure(fields: ConfigureFields, facts: Facts, controls: Controls) -> Notice | None:
    """Change settings; if they do not fit together, return why and write nothing."""
    changes = dict(fields.settings)
    if "panel.kind" in changes and changes["panel.kind"] not in facts.setup.panels:
        return Notice("setup.not_here")
    chosen = {**facts.setup.values, **changes}
    wrong = _misfit(chosen, changes, facts.setup.buttons)
    if wrong is None and chosen.get("table.box") and changes.keys() & {"table.box", "table.tileset"}:
        wrong = _wrong_box(chosen, await run_in_threadpool(facts.setup.boxes), new="table.box" in changes)
    return wrong if wrong is not None else await controls.send(Configure(changes))


def _misfit(chosen: Mapping[str, Any], changes: Mapping[str, Any], buttons: int) -> Notice | None:
    """Return why rule book, options and players do not fit together, in the players' own language; None if they do."""
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
    """Return why the chosen box cannot be used: it was not enrolled here, or it does not fit the tile set.

    `new` is False if the page has not changed the box; then the settings file may name one that is not enrolled here.
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
    most = buttons if buttons > 1 else most  # each player has a button of their own
    if len(set(names)) < len(names) or not all(names):
        return Notice("setup.names_differ")
    if any(is_too_long(name) for name in names):
        return Notice("setup.name_too_long", most=NAME_LETTERS)
    if fewest <= len(names) <= most:
        return None
    if fewest == most:
        return Notice("play.players_wanted_exactly", wanted=most, found=len(names))
    return Notice("play.players_wanted", fewest=fewest, most=most, found=len(names))


def _request(request: Request, *about: str) -> Command[NoFields]:
    """Return a command without fields that is about these parts."""

    async def run(_: NoFields, __: Facts, controls: Controls) -> Notice | None:
        return await controls.send(request)

    return Command(NoFields, run, about)


async def _try_panel(fields: TryPanelFields, _: Facts, controls: Controls) -> Notice | None:
    return await controls.send(TryPanel(fields.part))


async def _decide(fields: DecideFields, _: Facts, controls: Controls) -> Notice | None:
    return await controls.send(Decide(fields.what))


async def _enrol(fields: EnrolFields, _: Facts, controls: Controls) -> Notice | None:
    refused = await controls.send(EnrolBox(fields.step))
    return None if refused is None else at_a_screen(refused)


async def _calibrate(fields: CalibrateFields, _: Facts, controls: Controls) -> Notice | None:
    return await controls.send(CalibrateLens(fields.step))


async def _name_tile(fields: NameTileFields, facts: Facts, controls: Controls) -> Notice | None:
    box = facts.prepared.box
    if box is None or box.sheet != fields.sheet:
        return Notice("page.late")
    return await controls.send(NameTile(fields.batch, fields.read, fields.tile))


async def _add_tile(fields: AddTileFields, facts: Facts, controls: Controls) -> Notice | None:
    """Say which tile lies at a place of a picture of the enrolment."""
    box = facts.prepared.box
    if box is None or box.sheet != fields.sheet or fields.batch >= len(box.kept):
        return Notice("page.late")
    width, height = box.kept[fields.batch].size_px
    at_px = min(fields.x * width, width - 1), min(fields.y * height, height - 1)
    return await controls.send(AddTile(fields.batch, at_px, fields.tile))


COMMANDS: Mapping[str, Command[Any]] = {
    "configure": Command(ConfigureFields, _configure),
    "try_again": _request(TryAgain()),
    "decide": Command(DecideFields, _decide, ("setup",)),
    "look_through": _request(LookThrough()),
    "try_panel": Command(TryPanelFields, _try_panel),
    "end_panel_test": _request(TryPanel(None)),
    "enrol": Command(EnrolFields, _enrol),
    "name_tile": Command(NameTileFields, _name_tile),
    "add_tile": Command(AddTileFields, _add_tile),
    "calibrate": Command(CalibrateFields, _calibrate),
    "begin": _request(BeginMatch()),
    "next_match": _request(NextMatch(), "setup"),
    "discard_match": _request(DiscardMatch(), "setup"),
}
