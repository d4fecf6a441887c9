"""Checks of the whole installation, each with advice for what is not in order. They measure first and then judge.

`finding` has the outcome of a check. Every part of the table has a module with its checks;
`referee.cli.programs.checkup` runs them.
"""

from referee.doctor.finding import Finding, Result

__all__ = ["Finding", "Result"]
