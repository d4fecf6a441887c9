"""The steps of a turn after the first meld; each is allowed by the rule book, whatever came before.

They do not ask the judge; whether it accepts the result is measured independently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from referee.game.rulebooks.model import JokerFreedom, JokerSets, Ruleset
from referee.game.sets import SMALLEST, as_laid
from referee.game.solver.solve import best_play
from referee.game.table import Set, Table, tiles_on
from referee.game.tiles import JOKER, Tile
from referee.sim.players.set_finding import in_sequence, neat, sets_in, sets_with_joker, spares, without_jokers
from referee.sim.players.turn_in_progress import Laying

_SETS_REBUILT = 4


def lay_own_sets(laying: Laying, rng: np.random.Generator) -> bool:
    """Lay sets from the rack, as long as simple ones are found; return whether any tile was laid."""
    before = laying.laid.total()
    while laying.room >= SMALLEST:
        usable = laying.usable
        found = sets_in(usable, laying.wraps)
        if not found and usable[JOKER]:
            found = sets_with_joker(usable, laying.wraps)
        if not found:
            break
        laying.lay(found[int(rng.integers(len(found)))][: laying.room])
    return laying.laid.total() > before


def lay_on(laying: Laying, rng: np.random.Generator) -> bool:
    """Add single tiles to sets, as many as fit; return whether any tile was laid."""
    before = laying.laid.total()
    while laying.room:
        ways = laying.extensions()
        fits = [tile for tile in laying.usable if tile in ways]
        if not fits:
            break
        tile = fits[int(rng.integers(len(fits)))]
        index, longer = ways[tile][int(rng.integers(len(ways[tile])))]
        laying.add(index, tile, longer)
    return laying.laid.total() > before


def lay_jokers(laying: Laying) -> bool:
    """Lay jokers alone as a set, if the book allows it; return whether they were laid."""
    if laying.rules.joker_rule.alone is JokerSets.REFUSED:
        return False
    laying.lay((JOKER,) * SMALLEST)
    return True


def jokers_stray(sets: Iterable[Set], rules: Ruleset) -> bool:
    """Return whether a set has only jokers although the book refuses that."""
    return rules.joker_rule.alone is JokerSets.REFUSED and any(set(tiles) == {JOKER} for tiles in sets)


def lay_with_spares(laying: Laying, rng: np.random.Generator) -> bool:
    """Lay a new set of tiles from the rack and tiles that sets on the table can spare; return whether one was laid."""
    spare: dict[Tile, list[tuple[int, Set]]] = {}
    for index, tiles in enumerate(laying.sets):
        if not _may_lose(tiles, laying):
            continue
        for tile, left in spares(tiles, laying.wraps):
            spare.setdefault(tile, []).append((index, left))
    own = without_jokers(laying.rack)
    found = sets_in(own | Counter(dict.fromkeys(spare, 1)), laying.wraps)
    for i in rng.permutation(len(found)):
        tiles = found[i]
        taken = [tile for tile in tiles if tile not in own]
        if not 0 < len(tiles) - len(taken) <= laying.room:
            continue
        homes: dict[int, Set] = {}
        for tile in taken:
            home = next(((index, left) for index, left in spare[tile] if index not in homes), None)
            if home is None:
                break
            homes[home[0]] = home[1]
        else:
            for index, left in homes.items():
                laying.replace(index, left)
            laying.take(Counter(tile for tile in tiles if tile in own))
            laying.sets.append(tiles)
            return True
    return False


def _may_lose(tiles: Set, laying: Laying) -> bool:
    """Return whether a set may lose a tile.

    Under strict rebuilding it must be as it was when the turn began, so that three of its tiles stay together.
    """
    return tiles in laying.before or not laying.rules.meld_rules.strict_rebuild


def split_run(laying: Laying, rng: np.random.Generator) -> bool:
    """Split a long run into two with a tile from the rack; return whether that was possible."""
    ways = [
        (index, place)
        for index, tiles in enumerate(laying.sets)
        if len(tiles) >= 2 * SMALLEST - 1 and in_sequence(tiles, laying.wraps) and _may_lose(tiles, laying)
        for place in range(SMALLEST - 1, len(tiles) - SMALLEST + 1)
        if laying.rack[tiles[place]] and not tiles[place].is_joker
    ]
    if not ways or not laying.room:
        return False
    index, place = ways[int(rng.integers(len(ways)))]
    tiles = laying.sets[index]
    laying.put({index: tiles}, (tiles[: place + 1], tiles[place:]))
    return True


def exchange_joker(laying: Laying, rng: np.random.Generator) -> bool:
    """Replace a joker on the table with a fitting tile, and lay the joker; return whether that was possible.

    The joker goes into a new set with two tiles from the rack, or extends another set.
    """
    ways = list(_exchanges(laying))
    for i in rng.permutation(len(ways)):
        index, told, source = ways[i]
        trial = laying.copy()
        if source is None:
            trial.take(Counter((told,)))
        else:
            trial.replace(*source)
        old = trial.sets[index]
        place = old.index(JOKER)
        trial.replace(index, (*old[:place], told, *old[place + 1 :]))
        homes = sets_with_joker(trial.rack, laying.wraps) if trial.room >= SMALLEST - 1 else []
        if homes:
            home = homes[int(rng.integers(len(homes)))]
            trial.take(Counter(home) - Counter((JOKER,)))
            trial.sets.append(home)
        elif source is None and (longer := trial.extensions().get(JOKER)):
            trial.replace(*longer[int(rng.integers(len(longer)))])
        else:
            continue
        laying.become(trial)
        return True
    return False


def _exchanges(laying: Laying) -> Iterator[tuple[int, Tile, tuple[int, Set] | None]]:
    """Yield the index of a set with a joker, the tile for it, and where that tile comes from.

    It comes from a set on the table, given by its index and what is left of it, or from the rack (None).
    """
    if laying.room < 1:
        return
    from_table = laying.rules.joker_rule.freedom is not JokerFreedom.EXCHANGED
    spare = {
        spare.tile: (index, spare.left)
        for index, tiles in (enumerate(laying.sets) if from_table else ())
        if _may_lose(tiles, laying)
        for spare in spares(tiles, laying.wraps)
    }
    for index, tiles in enumerate(laying.sets):
        # Only sets that have not changed in this turn: if one has lost a tile, its joker may stand for more tiles.
        if JOKER in tiles and tiles in laying.before:
            for tile in stands_for(tiles, laying.rules):
                if laying.rack[tile]:
                    yield index, tile, None
                elif tile in spare and spare[tile][0] != index:
                    yield index, tile, spare[tile]


def stands_for(tiles: Set, rules: Ruleset) -> tuple[Tile, ...]:
    """Return the tiles that the first joker of a set may stand for as it lies; in a group, all missing colours."""
    told = as_laid(tiles, rules.wraps)
    joker = told[tiles.index(JOKER)]
    if joker.is_joker:
        return ()
    if len({tile.number for tile in told}) > 1:
        return (joker,)
    colours = {tile.colour for tile in tiles}
    return tuple(Tile(joker.number, colour) for colour in rules.box.colours if colour not in colours)


def rebuild(laying: Laying, rng: np.random.Generator) -> bool:
    """Take a few sets apart, and lay them anew with tiles from the rack; return whether that was possible."""
    freedom, travels = laying.rules.joker_rule.freedom, laying.rules.joker_rule.travels
    loose = [
        index
        for index, tiles in enumerate(laying.sets)
        if JOKER not in tiles
        or freedom is JokerFreedom.ALWAYS
        or (travels and tiles in laying.before and stands_for(tiles, laying.rules))
    ]
    if not loose or not laying.room:
        return False
    number = min(int(rng.integers(1, _SETS_REBUILT + 1)), len(loose))
    old = {int(index): laying.sets[index] for index in rng.choice(loose, number, replace=False)}
    bound: Counter[Tile] = Counter()
    lying: list[Tile] = []
    for tiles in old.values():
        told = tiles if freedom is JokerFreedom.ALWAYS else _as_tiles(tiles, laying.rules)
        lying += told
        bound += Counter(new for new, was in zip(told, tiles, strict=True) if new != was)
    play = best_play(lying, laying.usable.elements(), wraps=laying.wraps)
    if play is None or not 0 < len(play.tiles) <= laying.room or jokers_stray(play.sets, laying.rules):
        return False
    new = tuple(_with_jokers(neat(tiles, laying.wraps), bound) for tiles in play.sets)
    if any(JOKER in tiles and sum(not tile.is_joker for tile in tiles) == 1 for tiles in new):
        return False  # one number with jokers could be a group or a run
    if laying.rules.meld_rules.strict_rebuild and not (
        laying.before.issuperset(old.values()) and _three_stay(tuple(old.values()), new)
    ):
        return False
    laying.put(old, new)
    return True


def _as_tiles(tiles: Set, rules: Ruleset) -> Set:
    """Return the set with each joker replaced by a tile that it may stand for."""
    while JOKER in tiles:
        place = tiles.index(JOKER)
        tiles = (*tiles[:place], stands_for(tiles, rules)[0], *tiles[place + 1 :])
    return tiles


def _with_jokers(tiles: Set, bound: Counter[Tile]) -> Set:
    """Return the set with tiles of `bound` replaced by jokers, and remove these tiles from `bound`."""
    laid = []
    for tile in tiles:
        laid.append(JOKER if bound[tile] > 0 else tile)
        bound[tile] -= 1
    return tuple(laid)


def _three_stay(old: Table, new: Table) -> bool:
    """Return whether three tiles of each old set still lie together, or all of them lie in different sets.

    False if any tile lies there twice, because such tiles cannot be tracked.
    """
    if max(tiles_on(new).values(), default=0) > 1:
        return False
    homes = [[sum(tile in row for tile in tiles) for row in new] for tiles in old]
    return all(max(shared) >= SMALLEST or max(shared) == 1 for shared in homes)


def rearrange(table: Table, rng: np.random.Generator) -> Table | None:
    """Return the table with one long run split in two and nothing laid; None if there is none."""
    long = [i for i, tiles in enumerate(table) if len(tiles) >= 2 * SMALLEST and JOKER not in tiles]
    if not long:
        return None
    index = long[int(rng.integers(len(long)))]
    tiles = table[index]
    return (*table[:index], tiles[:SMALLEST], tiles[SMALLEST:], *table[index + 1 :])
