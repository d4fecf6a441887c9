"""Whether everything is in order, and what to do about each thing that is not: measured first, then judged.

`finding` has the outcome of a check. There is a module of checks for every part of the table;
`referee.cli.programs.checkup` runs them.
"""

from referee.doctor.finding import Finding, Result

__all__ = ["Finding", "Result"]
