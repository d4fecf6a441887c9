"""Reads what lies on the table while no match is under way, for instance the tiles of a puzzle.

The match learns nothing from it: neither what is known of its table nor what players have said is touched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.errors import RefereeError
from referee.game.notice import Notice, told_by
from referee.game.table import Set, Table
from referee.vision.sighting import Sighting


@dataclass(frozen=True, slots=True)
class TableRead:
    """The tiles that lie on the table, set by set, or why that cannot be told.

    `unsure` are those of them that were read only as likely. `number` counts the readings.
    """

    table: Table = ()
    unsure: Set = ()
    trouble: Notice | None = None
    number: int = 0


def read_table(read: Callable[[], Sighting]) -> TableRead:
    """Read the table, in the worker's thread. Raises nothing: an error becomes the trouble."""
    try:
        seen = read()
    except RefereeError as error:
        return TableRead(trouble=told_by(error))
    except Exception as error:  # noqa: BLE001 - a look at a puzzle must not end the program
        return TableRead(trouble=Notice("play.stumbled_over", error=f"{type(error).__name__}: {error}"))
    doubtful = (seen.reads[index].tile for index in seen.doubts)
    return TableRead(seen.table, tuple(tile for tile in doubtful if tile is not None))
