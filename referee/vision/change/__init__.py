"""What has changed since an earlier picture: motion, hands over the table, tiles that moved, places that are bare.

Everything is compared in the light of the later picture.
"""

from referee.vision.change.absence import Lies, Place
from referee.vision.change.motion import Stillness
from referee.vision.change.occlusion import Cover, TopView

__all__ = ["Cover", "Lies", "Place", "Stillness", "TopView"]
