"""The referee as a library: read a picture, judge a turn, ask the solver.

`import referee` offers these functions. They return the same types that the rest of the program uses. The networks are
loaded once, when the first picture is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import BadInput
from referee.game.judge.faults import not_sets
from referee.game.judge.judge import Turn
from referee.game.judge.judge import judge as judge_turn
from referee.game.judge.verdict import Verdict
from referee.game.notation import parse_table
from referee.game.rulebooks import Ruleset, ruleset
from referee.game.sets import split_long
from referee.game.solver import Play, best_play
from referee.game.table import Change, Table
from referee.game.tiles import Tile, tile_set
from referee.i18n import ENGLISH

if TYPE_CHECKING:
    from referee.vision.pipeline import TableReader
    from referee.vision.sighting import Sighting


def read(
    picture: str | Path, *, tileset: str | None = None, table_mm: tuple[float, float] = (900.0, 600.0)
) -> Sighting:
    """Read a picture of a table and return what lies on it.

    `picture` is a JPEG or PNG file, or a HEIC file if the extra `heic` is installed. `tileset` is the name of the tile
    set in use; if it is None, the tile set is recognised in the picture. `table_mm` is the width and height of the
    play area between the centres of its markers, in millimetres. It does not matter for a picture without markers.

    Raises UnreadablePicture if the file is not a picture, and BadInput for an unknown tile set.
    """
    from referee.devices.camera.stills import load_picture

    box = None if tileset is None else tile_set(tileset)
    return _reader().read(load_picture(Path(picture)), box, table_mm)


def judge(
    before: str | Table,
    after: str | Table,
    *,
    rules: str,
    options: Mapping[str, str] | None = None,
    opened: bool | None = None,
    hand: int | None = None,
) -> Verdict:
    """Return the verdict on one turn: accepted, or refused with every fault.

    `before` and `after` are the tables before and after the turn, in notation (`"R7 B7 K7 | Y3 Y4 ** Y6"`) or as the
    `table` of a sighting. The table before the turn must be legal. `rules` is the name of a rule book, and `options`
    are choices that it leaves to the players; `referee rules` lists both.

    `opened` says whether the player had laid a first meld before the turn. If it is None, the player counts as having
    done so, unless the table was empty. `hand` is the number of tiles in the player's hand before the turn. If it is
    None, the number is unknown and not checked.

    Raises BadInput for notation that cannot be read, for an unknown rule book or option, for a table before the turn
    that is not legal, and for rules by which no sets are laid before a knock.
    """
    book = ruleset(rules).choose(**(options or {}))
    if book.knocking is not None:
        raise BadInput(f"expected rules by which sets are laid turn by turn, got {rules!r}")
    first, last = _table_of(before), _table_of(after)
    check_before(first, "before", book)
    return judge_turn(first, last, Turn(bool(first) if opened is None else opened, hand), book)


def solve(table: str | Table, hand: str, *, rules: str = "rummikub") -> Play | None:
    """Return the largest number of tiles of `hand` that can be laid, and the sets that are then on the table.

    Every tile of `table` stays on it, and a joker may stand for any tile. Whether the rule book lets the player move a
    joker, or rebuild at all, is not checked here; `judge` checks it. `hand` is in notation (`"R7 B7 **"`); how it is
    divided into sets does not matter. Returns None if the tiles of the table cannot all lie in sets.
    """
    book = ruleset(rules)
    tiles = [tile for tiles in _table_of(table) for tile in tiles]
    rack = [tile for tiles in parse_table(hand) for tile in tiles]
    return best_play(tiles, rack, wraps=book.wraps)


def check_before(table: Table, where: str, rules: Ruleset, aside: Tile | None = None) -> None:
    """Raise BadInput if the table before a turn is not legal, so that no referee can have confirmed it.

    The player of the turn has not caused this, so it is not reported as a fault of the turn. `where` says where the
    table comes from. `aside` is the tile that lies open beside the sets, in the variant with such a tile.
    """
    sets = tuple(tiles for tiles in split_long(table, rules.wraps) if tiles != (aside,))
    reasons = " ".join(ENGLISH(fault.notice) for fault in not_sets(Change.between((), sets), rules))
    if reasons:
        raise BadInput(f"{where}: expected a legal table before the turn, found one that is not: {reasons}")


def _table_of(table: str | Table) -> Table:
    return parse_table(table) if isinstance(table, str) else table


@cache
def _reader() -> TableReader:
    from referee.cli.parts.readers import build_reader

    return build_reader()
