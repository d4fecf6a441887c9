"""Time is up in the middle of a turn: what must go where, tile by tile."""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.arrange import best_sets
from referee.game.judge import Turn, judge
from referee.game.notation import format_set
from referee.game.rulesets.base import Ruleset, TimeUp
from referee.game.sets import is_set
from referee.game.table import Change, Table, in_order, laid
from referee.game.tiles import Tile
from referee.game.verdict import FaultKind
from referee.game.wording import listed

_WITH_THE_PLAYER = {FaultKind.TILE_VANISHED, FaultKind.JOKER_NOT_REUSED}


@dataclass(frozen=True, slots=True)
class Consequence:
    """How the table must lie before the next turn, what the player takes, draws, and whether the first meld counts."""

    target: Table
    takes: tuple[Tile, ...]
    draws: int
    opens: bool
    steps: tuple[str, ...]


def consequence(before: Table, now: Table, turn: Turn, rules: Ruleset) -> Consequence:
    """What the rules ask for when time is up and the table `now` cannot be accepted."""
    if rules.timing.consequence is TimeUp.TAKE:
        target = kept(now, rules)
        verdict = judge(before, target, turn, rules)
        # Tiles of the table that the player takes are missing from it by right; any other fault spoils the turn.
        legal = all(fault.kind in _WITH_THE_PLAYER for fault in verdict.faults)
        if legal and (turn.opened or verdict.laid):
            takes = in_order(laid(target, now).elements())
            steps = steps_to(now, target)
            return Consequence(target, takes, rules.timing.draws, not turn.opened, steps)
    takes = in_order(laid(before, now).elements())
    draws = rules.timing.draws if turn.opened else rules.timing.unopened_draws
    return Consequence(before, takes, draws, False, steps_to(now, before))


def kept(now: Table, rules: Ruleset) -> Table:
    """What stays when every tile in no valid set is taken: of a wrong set its largest part that is right."""
    sets: list[tuple[Tile, ...]] = []
    for tiles in now:
        sets += [tiles] if is_set(tiles, rules.wraps) else best_sets(tiles).sets
    return tuple(sets)


def steps_to(now: Table, target: Table) -> tuple[str, ...]:
    """Plain sentences that lead from one table to the other."""
    change = Change.between(now, target)
    steps = []
    if change.vanished:
        steps.append(f"Take {listed(in_order(change.vanished.elements()))} into your hand.")
    if change.laid:
        steps.append(f"Put {listed(in_order(change.laid.elements()))} on the table again.")
    steps += [f"This set must lie on the table: {format_set(tiles)}." for _, tiles in change.new]
    return tuple(steps)
