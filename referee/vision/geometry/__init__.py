"""Where things lie: camera and lens, markers, the table frame in millimetres, the edges of single tiles.

Lenses are calibrated here, too, from printed sheets.
"""

from referee.vision.geometry.markers import Located
from referee.vision.geometry.pose import Lens, Pose

__all__ = ["Lens", "Located", "Pose"]
