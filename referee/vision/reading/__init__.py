"""Reading tiles: crops, the network's answers for each, and what all tiles of a table together make of them.

`joint` is where numbers and inks come together; what speaks against a sure read raises a doubt.
"""

from referee.vision.reading.answers import Model, Predictions
from referee.vision.reading.inks import InkPrior

__all__ = ["InkPrior", "Model", "Predictions"]
