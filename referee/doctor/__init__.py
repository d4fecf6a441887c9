"""Whether everything is in order, and what to do about each thing that is not: measured first, judged on values.

`finding` is what each check comes to. A module for every part of the table has its checks;
`referee.cli.programs.checkup` runs them.
"""

from referee.doctor.finding import Finding, Result

__all__ = ["Finding", "Result"]
