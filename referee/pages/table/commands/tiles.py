"""The commands with which players answer questions about tiles and correct reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, FACES, Tile
from referee.page.command import Command, Controls, number, one_named, whole
from referee.table.input.requests import CountAsItLies, KeepFailure, PlaceTile, ReadAgain, TellTile
from referee.table.looking.look import Look
from referee.table.output.follower import Facts
from referee.table.output.rectified import picture_place

MOST_READS = 500
TILES: Mapping[str, Tile] = {tile.name: tile for tile in FACES}
TileOrBack = Annotated[
    Tile | None, one_named({FACE_DOWN: None, **TILES}, f"a tile such as red-7 or joker, or {FACE_DOWN}")
]
Read = Annotated[int, whole(0, MOST_READS)]
"""The number of a tile in a look, or in a picture of an enrolment."""
Share = Annotated[float, number(0, 1)]
"""A place as a fraction of a picture's width or height."""
Seat = Annotated[int | None, whole(0, 15)]
"""The seat of the player who answers; None if it is not known."""


@dataclass(frozen=True, slots=True)
class LookFields:
    """The number of a look."""

    look: Annotated[int, whole(0, 2**31)]


@dataclass(frozen=True, slots=True)
class AgreeFields(LookFields):
    """A look that is to count as it lies."""

    player: Seat = None


@dataclass(frozen=True, slots=True)
class ReadFields(LookFields):
    """A tile of a look."""

    read: Read


@dataclass(frozen=True, slots=True)
class SettleFields(ReadFields):
    """A tile of a look, and what it really is."""

    tile: TileOrBack
    player: Seat = None


@dataclass(frozen=True, slots=True)
class PlaceFields(LookFields):
    """Which tile lies at a place in a look's rectified picture."""

    x: Share
    y: Share
    tile: TileOrBack
    player: Seat = None


NOTHING = Notice("play.nothing_to_tell")


def _find_look(fields: LookFields, facts: Facts) -> Look | None:
    """Return the last look if the command is about it, otherwise None."""
    seen = facts.seen
    return seen.look if seen is not None and seen.number == fields.look else None


def _who(seat: int | None, facts: Facts) -> int | None:
    """Return the seat of the player who answers; None if it is not known or does not exist."""
    seats = 0 if facts.scene is None else len(facts.scene.state.seats)
    return seat if seat is not None and seat < seats else None


async def _settle(fields: SettleFields, facts: Facts, controls: Controls) -> Notice | None:
    """Say what a tile is that is in doubt or was misread."""
    look = _find_look(fields, facts)
    if look is None:
        return NOTHING
    return await controls.send(TellTile(look, fields.read, fields.tile, _who(fields.player, facts)))


async def _here(fields: PlaceFields, facts: Facts, controls: Controls) -> Notice | None:
    """Say which tile lies at a place of the rectified picture where none was found."""
    look, tile = _find_look(fields, facts), fields.tile
    if look is None or look.picture is None or tile is None:
        return NOTHING
    return await controls.send(
        PlaceTile(look, picture_place(look, fields.x, fields.y), tile, _who(fields.player, facts))
    )


async def _read_again(fields: ReadFields, facts: Facts, controls: Controls) -> Notice | None:
    """Have a misread tile read once more; the possible tiles are then part of the page's state."""
    look = _find_look(fields, facts)
    return NOTHING if look is None else await controls.send(ReadAgain(look, fields.read))


async def _agree(fields: AgreeFields, facts: Facts, controls: Controls) -> Notice | None:
    """Propose that the refused turn counts as the tiles lie; the second time, it does."""
    look = _find_look(fields, facts)
    if look is None:
        return Notice("play.nothing_to_agree")
    return await controls.send(CountAsItLies(look, _who(fields.player, facts)))


async def _keep(fields: LookFields, facts: Facts, controls: Controls) -> Notice | None:
    """Keep the last look as a failure, for training."""
    look = _find_look(fields, facts)
    return Notice("play.failure_not_kept") if look is None else await controls.send(KeepFailure(look))


REFUSED = ("verdict", "due")
COMMANDS: Mapping[str, Command[Any]] = {
    "settle": Command(SettleFields, _settle, ("question",)),
    "misread": Command(SettleFields, _settle, REFUSED),
    "tile_here": Command(PlaceFields, _here, (*REFUSED, "question")),
    "read_again": Command(ReadFields, _read_again, REFUSED),
    "agree": Command(AgreeFields, _agree, (*REFUSED, "offers")),
    "keep_failure": Command(LookFields, _keep),
}
