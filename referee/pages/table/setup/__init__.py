"""Setting the table up in a browser: steps, each a plain page, from the language to the start.

`pages` shows the steps, and `values` is what is known of the table on the way.
"""

from referee.table.preparation.values import KeptBox, SetUp, SetupStage

__all__ = ["KeptBox", "SetUp", "SetupStage"]
