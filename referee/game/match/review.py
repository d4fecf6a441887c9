"""A refusal that rests on a misread tile: the same look is judged anew with what players have said of it.

1. Only the last look of a turn can be reviewed, and only while that turn is not over.
2. Where the clock runs it stops, as at a press; a clock that has run out is not stopped any more.
3. Where the time was up the table that was refused then is judged as it was; one that was looked at later, while it
   was put right, is checked again against what must lie there.
4. In Gin the press that was looked at still holds, knock or not; hands laid open are reviewed as turns are, and a
   knock that was refused is one again.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.match.events import Lamp, Light, OutOfOrder, Reviewed
from referee.game.match.phases import Phase
from referee.game.match.state import State, Transition


def may_tell(state: State) -> bool:
    """Whether the last look was refused, so that players may say what was misread in it."""
    if state.phase is Phase.SHOWING:
        return state.refused and state.rules.knocking is not None  # elsewhere nothing is refused there
    return state.phase is Phase.PUTTING_RIGHT or (state.phase is Phase.TURN and state.refused)


def may_review(state: State, t: float) -> bool:
    """Whether the last look of the turn can be judged anew at `t`."""
    return may_tell(state) and not (state.phase is Phase.TURN and state.clock.is_expired(t))


def review(state: State, event: Reviewed) -> Transition:
    """Wait for the verdict on the same look; raises OutOfOrder where none was refused."""
    if not may_review(state, event.t):
        raise OutOfOrder(f"expected a turn that was refused, got Reviewed (phase {state.phase})")
    looking = (Lamp(state.current, Light.LOOKING),)
    if state.phase is Phase.PUTTING_RIGHT and state.refused:
        judged_in = Phase.TIME_UP if state.rules.knocking is None else Phase.COUNTING
        return replace(state, phase=judged_in, due=None), looking
    clock = state.clock.stop(event.t) if state.phase is Phase.TURN else state.clock
    return replace(state, phase=state.phase.look or state.phase, clock=clock), looking
