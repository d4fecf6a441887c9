"""A refusal that rests on a misread tile: the same look is judged anew with what players have said of it.

1. Only the last look of a turn can be reviewed, and only while that turn is not over.
2. Where the clock runs it stops, as at a press; a clock that has run out is not stopped any more.
3. Where the time was up the table that was refused then is judged as it was; one that was looked at later, while it
   was put right, is checked again against what must lie there.
4. Not in Gin: a press says there whether somebody knocks, so it takes another press.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.match.events import Lamp, Light, OutOfOrder, Reviewed
from referee.game.match.phases import Phase
from referee.game.match.state import State, Step


def may_review(state: State, t: float) -> bool:
    """Whether the last look of the turn can be judged anew at `t`."""
    if state.rules.knocking is not None:
        return False
    if state.phase is Phase.TURN:
        return state.refused and not state.clock.expired(t)
    return state.phase is Phase.PUTTING_RIGHT


def review(state: State, event: Reviewed) -> Step:
    """Wait for the verdict on the same look; raises OutOfOrder where none was refused."""
    if not may_review(state, event.t):
        raise OutOfOrder(f"expected a turn that was refused, got Reviewed (phase {state.phase})")
    looking = (Lamp(state.current, Light.LOOKING),)
    if state.phase is Phase.TURN:
        return replace(state, phase=Phase.LOOKING, clock=state.clock.stop(event.t)), looking
    if state.refused:
        return replace(state, phase=Phase.TIME_UP, due=None), looking
    return replace(state, phase=Phase.CHECKING), looking
