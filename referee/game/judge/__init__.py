"""Whether there is a legal way from the table before a turn to the one after it, and otherwise every fault.

Begin with `judge.judge`; each rule has a module of its own, and `time_up` decides what goes back.
"""

from referee.game.judge.judge import Turn
from referee.game.judge.time_up import Consequence, consequence
from referee.game.judge.verdict import Fault, FaultKind, Verdict

__all__ = ["Consequence", "Fault", "FaultKind", "Turn", "Verdict", "consequence"]
