"""Reading tiles: crops, what the network answers for each, and what all tiles of a table together make of it.

`joint` is where numbers and inks come together; what speaks against a sure read raises a doubt.
"""

from referee.vision.reading.answers import Model, Predictions
from referee.vision.reading.inks import InkPrior

__all__ = ["InkPrior", "Model", "Predictions"]
