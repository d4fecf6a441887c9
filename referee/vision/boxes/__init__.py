"""One real box of tiles: learnt from pictures of all its tiles, and refined during an evening.

Begin with `enrol`.
"""

from referee.vision.boxes.box import Box
from referee.vision.boxes.evening import Evening

__all__ = ["Box", "Evening"]
