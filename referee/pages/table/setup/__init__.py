"""Setting up the table in a browser: three steps to the first turn, and further settings.

`pages` has a plain page for each; `evenings` has what is known from earlier matches;
`referee.table.preparation.values` has what is known of the table meanwhile.
"""

from referee.table.preparation.values import KeptBox, SetUp, SetupStage

__all__ = ["KeptBox", "SetUp", "SetupStage"]
