"""A rebuilding that has a time limit: when it begins."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.game.match.events import OutOfOrder, RebuildBegun, Say
from referee.game.match.phases import Phase
from referee.game.match.round import seconds_of
from referee.game.match.state import State, Transition
from referee.game.notice import Notice
from referee.game.table import Change, Table


def may_begin(state: State) -> bool:
    """Whether the clock waits for the first tile of a lying set to be moved."""
    if seconds_of(state) is None or not state.rules.timing.rebuilding:
        return False
    return state.phase is Phase.TURN and state.clock.seconds is None


def begins_rebuilding(before: Table, now: Table) -> bool:
    """Whether a set that lay there lies together no more; one that only got longer still lies."""
    change = Change.between(before, now)
    room = [Counter(tiles) for _, tiles in sorted(change.new, key=lambda one: len(one[1]))]
    for old in sorted(map(Counter, change.old), key=Counter.total, reverse=True):
        where = next((tiles for tiles in room if not old - tiles), None)
        if where is None:
            return True
        where -= old
    return False


def rebuild_begun(state: State, event: RebuildBegun) -> Transition:
    """The clock starts; raises OutOfOrder where it does not wait for a rebuilding."""
    seconds = seconds_of(state)
    if not may_begin(state) or seconds is None:
        raise OutOfOrder(f"expected a turn whose clock waits, got RebuildBegun (phase {state.phase})")
    state = replace(state, clock=state.clock.with_limit(seconds, event.t))
    return state, (Say(Notice("match.rebuild_begun", player=state.seat.name)),)
