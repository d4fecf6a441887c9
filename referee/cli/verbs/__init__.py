"""The verbs of the command line, one module each, loaded when they are called.

What a verb needs besides lies beside it.
"""

from referee.cli.verbs.verbs import run

__all__ = ["run"]
