"""Vision: pure functions on arrays, from a picture of the table to a sighting of its tiles.

`pipeline` reads a whole picture, from start to end; `partial_reader` reads only what has changed since the last one.
"""

from referee.vision.sighting import Image, Read, Reader, Sighting

__all__ = ["Image", "Read", "Reader", "Sighting"]
