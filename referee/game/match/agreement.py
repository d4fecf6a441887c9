"""After a refusal: all players agree that the turn counts nevertheless, or it is reviewed because a tile was misread.

Players may agree to anything that is possible: the number of tiles in each hand follows from the table as it was seen,
and the score sheet says what was wrong. What is impossible (more of a tile than the box has, more tiles than the hand
held) was misread or miscounted, and cannot be agreed to. An invalid set that was agreed to may stay until somebody
changes it.

There is no agreement in Gin: hands are known there by the one tile that ends every turn, and a knock is only a count.

In a review the same look is judged again with the corrections of the players:

1. Only the last look of a turn can be reviewed, and only while that turn is not over.
2. Where the clock runs it stops, as at a press; a clock that has run out is not stopped any more.
3. If the time was up, the table that was refused then is judged again. A table that was looked at later, while it was
   put right, is checked again against what must lie there.
4. In Gin the press stays what it was, a knock or not. Hands laid open are reviewed as turns are, and a refused knock
   becomes a knock again.
"""

from __future__ import annotations

from dataclasses import replace

from referee.errors import BadInput
from referee.game.judge.judge import judge
from referee.game.judge.verdict import FaultKind, Verdict
from referee.game.match.events import Agreed, Lamp, Light, OutOfOrder, Reviewed, Say, Show, Sound, Tone
from referee.game.match.phases import Phase
from referee.game.match.round import finish_turn
from referee.game.match.state import State, Transition, without_aside
from referee.game.notice import Notice
from referee.game.table import Table, in_order


def may_tell(state: State) -> bool:
    """Return whether the last look was refused, so that players may say what was misread in it."""
    if state.phase is Phase.SHOWING:
        return state.refused and state.rules.knocking is not None  # elsewhere nothing is refused there
    return state.phase is Phase.PUTTING_RIGHT or (state.phase is Phase.TURN and state.refused)


def may_review(state: State, t: float) -> bool:
    """Return whether the last look of the turn can be judged again at `t`."""
    return may_tell(state) and not (state.phase is Phase.TURN and state.clock.is_expired(t))


def review(state: State, event: Reviewed) -> Transition:
    """Wait for the verdict on the same look; raises OutOfOrder if no look was refused."""
    if not may_review(state, event.t):
        raise OutOfOrder(f"expected a turn that was refused, got Reviewed (phase {state.phase})")
    looking = (Lamp(state.current, Light.LOOKING),)
    if state.phase is Phase.PUTTING_RIGHT and state.refused:
        judged_in = Phase.TIME_UP if state.rules.knocking is None else Phase.COUNTING
        return replace(state, phase=judged_in, due=None), looking
    clock = state.clock.stop(event.t) if state.phase is Phase.TURN else state.clock
    return replace(state, phase=state.phase.look or state.phase, clock=clock), looking


CANNOT_BE = frozenset({FaultKind.IMPOSSIBLE_TILE, FaultKind.MORE_THAN_HAND})


def may_agree(state: State) -> bool:
    """Return whether there is a refused turn that all may agree to."""
    if state.rules.knocking is not None:
        return False
    return state.phase is Phase.PUTTING_RIGHT or (state.phase is Phase.TURN and state.refused)


def takes_two(state: State, table: Table) -> bool:
    """Return whether a tile is missing from this table: then a single player's consent is not enough."""
    verdict = judge(state.table, table, state.turn, state.rules)
    return any(fault.kind is FaultKind.TILE_VANISHED for fault in verdict.faults)


def agree(state: State, event: Agreed) -> Transition:
    """End the refused turn with the table as it lies; raises OutOfOrder, or BadInput if the table is impossible."""
    if not may_agree(state):
        raise OutOfOrder(f"expected a turn that was refused, got Agreed (phase {state.phase})")
    if not all(0 <= seat < len(state.seats) for seat in event.by):
        raise BadInput(f"expected seats at the table, got {event.by}")
    verdict = judge(state.table, event.table, state.turn, state.rules)
    if any(fault.kind in CANNOT_BE for fault in verdict.faults):
        raise BadInput(Notice("match.cannot_agree"))
    player, wrong = state.current, tuple(fault.notice for fault in verdict.told_faults)
    draws = 0 if verdict.laid or state.drew else 1
    sheet = state.sheet.with_agreement(player, wrong, event.t, event.by)
    told = Notice("match.agreed", player=state.seat.name)
    after, effects = finish_turn(
        replace(state, sheet=sheet, agreed=_sets(state, event.table, verdict)),
        event.table, event.t, draws=draws, opens=bool(verdict.laid),
    )  # fmt: skip
    shown = Show(replace(verdict, accepted=True, faults=(), explanation=(told,)))
    return after, (Lamp(player, Light.ACCEPTED), Tone(Sound.ACCEPTED), shown, Say(told), *effects)


def _sets(state: State, table: Table, verdict: Verdict) -> Table:
    """Return the sets of the table that are invalid but agreed to."""
    lying = {in_order(tiles) for tiles in without_aside(state, table)}
    wrong = {in_order(fault.tiles) for fault in verdict.faults if fault.kind is FaultKind.NOT_A_SET}
    return tuple(sorted(lying & (wrong | set(state.agreed)), key=str))
