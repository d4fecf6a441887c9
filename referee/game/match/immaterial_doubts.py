"""Tiles in doubt that do not matter: players are not asked about them if the outcome is the same whatever they are.

An accepted turn always depends on the doubt, because another table would be kept. So this concerns refusals, and
tables that must be put right first. Only faults that exist under every reading are named, and none of them involves a
tile in doubt. Nobody is blamed because of a guess: each tile in doubt is tried as every tile of the box, not only as
those that it looks like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from referee.game.judge.verdict import Fault, FaultKind, Verdict
from referee.game.match.events import Effect, Say, Seen, Show, Unsure
from referee.game.match.state import State, Transition
from referee.game.notice import Notice
from referee.game.table import Table, in_order
from referee.game.tiles import HIGHEST, JOKER, Tile, TileSet

MOST = 64
"""How many readings of a table are tried; if there are more, players are asked. Chosen by hand: each is judged."""

Apply = Callable[[State, Seen], Transition]
_Parts = tuple[Verdict | None, tuple[Effect, ...]]


def common_outcome(state: State, event: Seen, apply: Apply) -> Transition | None:
    """Return the outcome of a look with tiles in doubt if it is the same whatever they are, otherwise None.

    Raises OutOfOrder if no look is awaited.
    """
    if prod(len(unsure.tiles) for unsure in event.unsure) > MOST or event.doubts:
        return None
    steps: list[Transition] = []
    for table in _tables(event, state.rules.box):
        steps.append(apply(state, replace(event, table=table, unsure=())))
        if steps[-1][0] != steps[0][0]:
            return None
    effects = _common([effects for _, effects in steps])
    return None if effects is None else (steps[0][0], effects)


def _tables(event: Seen, box: TileSet) -> Iterator[Table]:
    """Yield every reading of the table, the likeliest first, and then the table with each doubt as every tile."""
    for tiles in product(*(unsure.tiles for unsure in event.unsure)):
        yield _replace_readings(event.table, list(zip(event.unsure, tiles, strict=True)))
    # The rules may be played with a box of other colours.
    colours = {tile.colour for tiles in event.table for tile in tiles if tile.colour} | set(box.colours)
    faces = [JOKER, *(Tile(number, colour) for colour in sorted(colours) for number in range(1, HIGHEST + 1))]
    for unsure in event.unsure:
        for tile in faces:
            yield _replace_readings(event.table, [(unsure, tile)])


def _replace_readings(table: Table, readings: Sequence[tuple[Unsure, Tile | None]]) -> Table:
    """Return the table with other readings; a tile that lies face down separates its neighbours."""
    read = {(unsure.set, unsure.index): tile for unsure, tile in readings}
    found: list[tuple[Tile, ...]] = []
    for number, tiles in enumerate(table):
        part: tuple[Tile, ...] = ()
        for index, tile in enumerate(tiles):
            now = read.get((number, index), tile)
            if now is None:
                found, part = [*found, part], ()
            else:
                part = (*part, now)
        found.append(part)
    return tuple(filter(None, found))


def _common(ways: Sequence[tuple[Effect, ...]]) -> tuple[Effect, ...] | None:
    """Return the effects that all readings have in common; None if they differ in more than their faults."""
    if all(effects == ways[0] for effects in ways):
        return ways[0]
    parts = [_split_effects(effects) for effects in ways]
    verdicts = [verdict for verdict, _ in parts if verdict is not None and not verdict.accepted]
    if len(verdicts) < len(parts) or any(rest != parts[0][1] for _, rest in parts):
        return None
    faults = _common_faults([verdict.faults for verdict in verdicts])
    if not faults:
        return None
    verdict = Verdict(False, _common_tiles(verdicts), min(verdict.points for verdict in verdicts), faults)
    said = tuple(Say(fault.notice) for fault in verdict.told_faults)
    return (*parts[0][1], Show(verdict), *said)


def _split_effects(effects: tuple[Effect, ...]) -> _Parts:
    """Return the verdict among effects, and the effects that do not depend on its faults."""
    verdict = next((effect.verdict for effect in effects if isinstance(effect, Show)), None)
    told = set() if verdict is None else {fault.notice for fault in verdict.faults}
    rest = tuple(e for e in effects if not isinstance(e, Show) and not (isinstance(e, Say) and e.notice in told))
    return verdict, rest


def _common_tiles(verdicts: Sequence[Verdict]) -> tuple[Tile, ...]:
    """Return the tiles that were laid under every reading."""
    tiles = Counter(verdicts[0].laid)
    for verdict in verdicts[1:]:
        tiles &= Counter(verdict.laid)
    return in_order(tiles.elements())


def _common_faults(ways: Sequence[tuple[Fault, ...]]) -> tuple[Fault, ...]:
    """Return the faults that exist under every reading."""
    found = (_in_all(fault, ways[1:]) for fault in ways[0])
    return tuple(fault for fault in found if fault is not None)


def _in_all(fault: Fault, ways: Sequence[tuple[Fault, ...]]) -> Fault | None:
    """Return the fault if all readings have it; a tile in doubt in an invalid set is left out of it."""
    if all(fault in faults for faults in ways):
        return fault
    if fault.kind is not FaultKind.NOT_A_SET:
        return None
    rows = [fault.tiles]
    for faults in ways:
        alike = [other for other in faults if (other.kind, other.sets) == (fault.kind, fault.sets)]
        if len(alike) != 1 or len(alike[0].tiles) != len(fault.tiles):
            return None
        rows.append(alike[0].tiles)
    sure = [len(set(column)) == 1 for column in zip(*rows, strict=True)]
    if sure.count(False) != 1 or not any(sure):
        return None
    tiles = tuple(tile for tile, known in zip(fault.tiles, sure, strict=True) if known)
    # The unread tile has a place in the row, but no name.
    unread = sure.index(False)
    notice = Notice("judge.no_set_whatever", left=fault.tiles[:unread], right=fault.tiles[unread + 1 :])
    return replace(fault, tiles=tiles, notice=notice)
