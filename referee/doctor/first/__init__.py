"""The first evening on a Pi: nine checks, in their order, that measure what can only be measured on one.

`steps` has the checks, and `session` runs them. The program for the terminal is `referee.cli.programs.first_evening`.
"""

from referee.doctor.first.bench import Bench
from referee.doctor.first.record import Record
from referee.doctor.first.session import StepRunner
from referee.doctor.first.steps import STEPS

__all__ = ["STEPS", "Bench", "Record", "StepRunner"]
