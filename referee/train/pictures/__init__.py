"""The pictures that the networks are trained on: faces, inks, surfaces, light, whole tables.

All of them are generated; no photograph is used.
"""

from referee.train.pictures.faces import Faces, find_faces
from referee.train.pictures.scenes import TrainingSample, Truth, make_scene

__all__ = ["Faces", "TrainingSample", "Truth", "find_faces", "make_scene"]
