"""Setting up the table in a browser, in steps from the language to the start.

`pages` has a plain page for each step; `referee.table.preparation.values` has what is known of the table meanwhile.
"""

from referee.table.preparation.values import KeptBox, SetUp, SetupStage

__all__ = ["KeptBox", "SetUp", "SetupStage"]
