"""Reading tiles: crops, the network's answers for each, and the conclusions from all tiles of a table together.

`joint` combines numbers and inks, and raises a doubt if something contradicts a read that seems sure.
"""

from referee.vision.reading.answers import Model, Predictions
from referee.vision.reading.inks import InkPrior

__all__ = ["InkPrior", "Model", "Predictions"]
