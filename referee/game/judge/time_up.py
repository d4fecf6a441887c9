"""When time is up in the middle of a turn: which tiles must go where.

If the rule is that the player takes tiles, these are all that are in no valid set, including tiles of the table. Each
set is judged as it was laid. Of an invalid one the largest valid part stays, so that the player takes as few tiles as
possible. If the remaining table is still illegal (a joker taken without a tile for it, too many tiles laid), more
tiles go back, again as few as can be found, and at worst the table is restored. It is also restored if there was no
first meld: then the player's own tiles return and a tile is drawn, as in any turn without laying.

A joker of the table never goes to the hand if it can go back to its set; a player who has laid nothing in the end, and
taken nothing from the table, draws a tile. (Both only since the second edition.)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from referee.game.judge.jokers.back import table_without_wrong_sets, without_tiles
from referee.game.judge.jokers.values import change_by, laid_back
from referee.game.judge.judge import Turn
from referee.game.judge.last_turn import set_apart
from referee.game.judge.what_stays import table_after_taking
from referee.game.notice import Notice
from referee.game.rulebooks.model import Ruleset, TimeUpRule
from referee.game.table import Change, Set, Table, in_order, laid_tiles, tiles_on, vanished_tiles
from referee.game.tiles import Tile

__all__ = ["Consequence", "consequence", "steps_to", "table_without_wrong_sets"]


@dataclass(frozen=True, slots=True)
class Consequence:
    """What must happen before the next turn.

    The table must lie as in `target`; the player takes the tiles `takes` and draws `draws` tiles from the stock;
    `opens` says whether the turn counts as a first meld, and `steps` tells the players what to do. `missing` are those
    of the tiles taken that were on the table before and are gone from it already. `aside` is a tile that must be set
    aside again; it is not part of `target`, nor is one that lies aside already.
    """

    target: Table
    takes: tuple[Tile, ...]
    draws: int
    opens: bool
    steps: tuple[Notice, ...]
    aside: Tile | None = None
    missing: tuple[Tile, ...] = ()
    seen: Table = ()
    """The table as it lay when the time was up."""


def consequence(before: Table, now: Table, turn: Turn, rules: Ruleset) -> Consequence:
    """Return what the rules demand when time is up and the table `now` cannot be accepted."""
    aside = turn.aside if rules.finish.last_tile else None
    apart = set_apart(before, now, aside, turn.hand, rules.box.copies)
    before, now = (tuple(filter(None, table)) for table in (apart.before, apart.after))
    lying = tuple(tiles for tiles in now if in_order(tiles) in turn.agreed)
    due = _consequence(
        _remove_agreed_sets(before, lying), _remove_agreed_sets(now, lying), turn, rules, aside if apart.used else None
    )
    return replace(due, target=(*due.target, *lying))


def _remove_agreed_sets(table: Table, agreed: Table) -> Table:
    """Return the table without the sets that were agreed to, which nobody has to correct."""
    return tuple(tiles for tiles in table if in_order(tiles) not in {in_order(others) for others in agreed})


def _consequence(before: Table, now: Table, turn: Turn, rules: Ruleset, used: Tile | None) -> Consequence:
    """Return the consequence for tables without the tile set aside; `used` is that tile if it was laid."""
    aside = turn.aside if rules.finish.last_tile else None
    rest, back = (now, None) if used is None else (_without_aside_tile(now, used, rules), used)
    rest, turn = laid_back(rules, before, rest), replace(turn, aside=aside)
    if rules.timing.consequence is TimeUpRule.TAKE:
        found = table_after_taking(before, rest, turn, rules)
        if found is not None:
            target, opens = found
            missing = in_order((vanished_tiles(before, rest) & vanished_tiles(before, target)).elements())
            takes = in_order((*laid_tiles(target, rest).elements(), *missing))
            steps = (*_missing_notices(missing), *steps_to(now, target, back, rules))
            return Consequence(target, takes, _draws(before, target, rules), opens, steps, back, missing)
    takes = in_order(laid_tiles(before, rest).elements())
    draws = _draws(before, before, rules) if turn.opened else rules.timing.unopened_draws
    return Consequence(before, takes, draws, False, steps_to(now, before, back, rules), back)


def _draws(before: Table, target: Table, rules: Ruleset) -> int:
    """Return how many tiles are drawn: as a penalty, or one because nothing was laid in the turn."""
    nothing_laid = rules.edition > 1 and tiles_on(before) == tiles_on(target)
    return 1 if nothing_laid and not rules.timing.draws else rules.timing.draws


def _missing_notices(missing: Set) -> tuple[Notice, ...]:
    return (Notice("judge.yours_now", tiles=missing),) if missing else ()


def _without_aside_tile(now: Table, aside: Tile, rules: Ruleset) -> Table:
    """Return the table without the tile to be set aside, taken from the set where the most tiles stay valid."""
    homes = [index for index, tiles in enumerate(now) if aside in tiles]
    ways = [(*now[:i], without_tiles(now[i], (aside,)), *now[i + 1 :]) for i in homes]
    best = max(ways, key=lambda table: tiles_on(table_without_wrong_sets(table, rules)).total())
    return tuple(filter(None, best))


def steps_to(now: Table, target: Table, aside: Tile | None = None, rules: Ruleset | None = None) -> tuple[Notice, ...]:
    """Return the steps from one table to the other.

    `aside` is a tile that must be set aside again. `rules` say whether the places of jokers matter; None: they do not.
    """
    change = Change.between(now, target) if rules is None else change_by(rules, now, target)
    steps = [] if aside is None else [Notice("judge.put_aside", tile=aside)]
    if taken := change.vanished - Counter([] if aside is None else [aside]):
        steps.append(Notice("judge.take_into_hand", tiles=in_order(taken.elements())))
    if change.laid:
        steps.append(Notice("judge.put_on_table", tiles=in_order(change.laid.elements())))
    steps += [Notice("judge.set_must_lie", tiles=tiles) for _, tiles in change.new]
    return tuple(steps)
