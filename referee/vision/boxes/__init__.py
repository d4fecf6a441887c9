"""One real box of tiles: learnt from pictures of all its tiles, and sharpened by what an evening shows.

`enrol` is where to begin.
"""

from referee.vision.boxes.box import Box
from referee.vision.boxes.evening import Evening

__all__ = ["Box", "Evening"]
