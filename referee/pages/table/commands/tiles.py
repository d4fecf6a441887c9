"""What players tell of tiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, FACES, Tile
from referee.page.command import Command, Controls, Field, Malformed, share, whole
from referee.table.input.requests import CountAsItLies, KeepFailure, PlaceTile, ReadAgain, TellTile
from referee.table.looking.look import Look
from referee.table.output.follower import Facts
from referee.table.output.rectified import picture_place

MOST_READS = 500


TILES: Mapping[str, Tile | None] = {FACE_DOWN: None, **{tile.name: tile for tile in FACES}}


def _tile(told: Any) -> Tile | None:
    if not isinstance(told, str) or told not in TILES:
        raise Malformed(f"expected a tile such as red-7 or joker, or {FACE_DOWN}, found {str(told)[:40]!r}")
    return TILES[told]


TILE = Field({"type": "string", "enum": list(TILES)}, _tile)


NOTHING = Notice("play.nothing_to_tell")


def _meant(values: Mapping[str, Any], facts: Facts) -> Look | None:
    """The last look, if that is the one a command is about."""
    seen = facts.seen
    return seen.look if seen is not None and seen.number == values["look"] else None


def _who(values: Mapping[str, Any], facts: Facts) -> int | None:
    """The seat of whoever says so, where that was told and there is such a one."""
    seats = 0 if facts.scene is None else len(facts.scene.state.seats)
    seat: int | None = values.get("player")
    return seat if seat is not None and seat < seats else None


async def _settle(values: Mapping[str, Any], facts: Facts, controls: Controls) -> Notice | None:
    """Say what a tile in doubt is, or one that was misread."""
    look = _meant(values, facts)
    if look is None:
        return NOTHING
    return await controls.send(TellTile(look, values["read"], values["tile"], _who(values, facts)))


async def _here(values: Mapping[str, Any], facts: Facts, controls: Controls) -> Notice | None:
    """Say which tile lies in a place of the rectified picture where none was found."""
    look, tile = _meant(values, facts), values["tile"]
    if look is None or look.picture is None or tile is None:
        return NOTHING
    return await controls.send(
        PlaceTile(look, picture_place(look, values["x"], values["y"]), tile, _who(values, facts))
    )


async def _read_again(values: Mapping[str, Any], facts: Facts, controls: Controls) -> Notice | None:
    """Let a tile be read once more that was misread; what it may be is part of the state then."""
    look = _meant(values, facts)
    return NOTHING if look is None else await controls.send(ReadAgain(look, values["read"]))


async def _agree(values: Mapping[str, Any], facts: Facts, controls: Controls) -> Notice | None:
    """Say that the refused turn is to count as it lies; said a second time it does."""
    look = _meant(values, facts)
    if look is None:
        return Notice("play.nothing_to_agree")
    return await controls.send(CountAsItLies(look, _who(values, facts)))


async def _keep(values: Mapping[str, Any], facts: Facts, controls: Controls) -> Notice | None:
    """Keep the last look as a failure, for training."""
    look = _meant(values, facts)
    return Notice("play.failure_not_kept") if look is None else await controls.send(KeepFailure(look))


LOOK, READ, PLACE = whole(0, 2**31), whole(0, MOST_READS), share()
PLAYER = replace(whole(0, 15), needed=False)
REFUSED = ("verdict", "due")
COMMANDS = {
    "settle": Command(("question",), _settle, {"look": LOOK, "read": READ, "tile": TILE, "player": PLAYER}),
    "misread": Command(REFUSED, _settle, {"look": LOOK, "read": READ, "tile": TILE, "player": PLAYER}),
    "tile_here": Command(
        (*REFUSED, "question"), _here, {"look": LOOK, "x": PLACE, "y": PLACE, "tile": TILE, "player": PLAYER}
    ),
    "read_again": Command(REFUSED, _read_again, {"look": LOOK, "read": READ}),
    "agree": Command((*REFUSED, "offers"), _agree, {"look": LOOK, "player": PLAYER}),
    "keep_failure": Command((), _keep, {"look": LOOK}),
}
