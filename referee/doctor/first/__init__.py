"""The first evening on a Pi: nine checks, in their order, that measure what cannot be measured without one.

`steps` has the checks and `session` goes through them; the program that does so at a terminal is
`referee.cli.programs.first_evening`.
"""

from referee.doctor.first.bench import Bench
from referee.doctor.first.record import Record
from referee.doctor.first.session import StepRunner
from referee.doctor.first.steps import STEPS

__all__ = ["STEPS", "Bench", "Record", "StepRunner"]
