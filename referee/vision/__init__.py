"""Vision: pure functions on arrays, from a picture of the table to a sighting of its tiles.

`pipeline` is a look from start to end, and `partial_reader` the same for what has changed since the last picture.
"""

from referee.vision.sighting import Image, Read, Reader, Sighting

__all__ = ["Image", "Read", "Reader", "Sighting"]
