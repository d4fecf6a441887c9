"""What has changed since an earlier picture: motion, hands over the table, moved tiles, bare places.

All comparisons allow for a change of light between the pictures.
"""

from referee.vision.change.absence import Lies, Place
from referee.vision.change.motion import Stillness
from referee.vision.change.occlusion import Cover, TopView

__all__ = ["Cover", "Lies", "Place", "Stillness", "TopView"]
