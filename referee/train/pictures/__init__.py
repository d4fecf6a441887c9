"""The pictures that the networks are trained on: faces, inks, surfaces, light, whole tables.

All of them are generated; no photograph is used.
"""

from referee.train.pictures.scenes import TrainingSample, Truth, make_scene
from referee.train.pictures.typefaces import Faces, find_faces

__all__ = ["Faces", "TrainingSample", "Truth", "find_faces", "make_scene"]
