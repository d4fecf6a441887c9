"""The verbs of the command line, one module each, loaded when they are called.

Helpers that only one verb needs are in its module.
"""

from referee.cli.verbs.verbs import run

__all__ = ["run"]
