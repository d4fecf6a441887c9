"""The kinds of fields that notices have."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from referee.game.notice import Notice, Value
from referee.game.tiles import Colour, Tile


class Kind(enum.Enum):
    """What a field holds."""

    TILE = "tile"
    TILES = "tiles"
    """Several tiles, in any order."""
    SET = "set"
    """The tiles of one set, in the order they lie in."""
    COLOUR = "colour"
    NUMBER = "number"
    AMOUNT = "amount"
    """A measured number, not a count."""
    NAME = "name"
    """A player, a file, a setting: shown as it is."""
    NAMES = "names"
    NOTICE = "notice"
    NOTICES = "notices"

    def accepts(self, value: Value) -> bool:
        """Whether a value is of this kind."""
        if self in _SEVERAL:
            return isinstance(value, tuple) and all(isinstance(one, _SEVERAL[self]) for one in value)
        return isinstance(value, _ONE[self]) and not isinstance(value, bool)


_ONE: Mapping[Kind, type | tuple[type, ...]] = {
    Kind.TILE: Tile,
    Kind.COLOUR: Colour,
    Kind.NUMBER: int,
    Kind.AMOUNT: (int, float),
    Kind.NAME: str,
    Kind.NOTICE: Notice,
}
_SEVERAL: Mapping[Kind, type] = {Kind.TILES: Tile, Kind.SET: Tile, Kind.NAMES: str, Kind.NOTICES: Notice}


@dataclass(frozen=True, slots=True)
class NoticeType:
    """The fields of a notice; `by` is the one whose number chooses between singular and plural."""

    fields: Mapping[str, Kind]
    by: str | None = None
