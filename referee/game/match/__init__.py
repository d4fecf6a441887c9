"""A match as a pure state machine: an event and a state give the next state, and effects for others to carry out.

Begin with `machine.apply`, which dispatches to the modules for rounds, turns, calls and corrections, and to `gin`.
"""

from referee.game.match.events import Effect, Event, OutOfOrder
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.match.state import State

__all__ = ["Effect", "Event", "OutOfOrder", "Phase", "State", "apply", "new_match"]
