"""The judge: whether there is a legal way from the table before a turn to the table after it; if not, every fault.

Begin with `judge.judge`. Each rule has its own module; `time_up` decides which tiles go back.
"""

from referee.game.judge.judge import Turn
from referee.game.judge.time_up import Consequence, consequence
from referee.game.judge.verdict import Fault, FaultKind, Verdict

__all__ = ["Consequence", "Fault", "FaultKind", "Turn", "Verdict", "consequence"]
