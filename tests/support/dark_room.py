"""A room with a lamp before the double of picamera2: bare cloth, markers that are laid, and the light that falls in.

Pictures are the virtual table's, made linear, times light, exposure and gain, clipped and bent as a camera does. What
the camera measures is what libcamera's agc would: the mean of the picture, unless that clips the brightest part.
"""

from functools import cache

import cv2
import numpy as np

from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render
from referee.sim.scene.scene import Scene
from referee.vision.exposure import GAMMA

CAMERA = Camera(1152, 648, height_mm=920.0)
WANTED_MEAN = 0.16
"""Of what a picture can hold: libcamera's y_target."""
STEPS = 4096
FULL_US = 20_000.0
"""Exposure times gain at which white paper in the light of the lamp is as bright as a picture can be."""
HIGHLIGHT = 0.98
"""From this quantile on libcamera's highlight constraint looks: more than all of the markers' paper."""


@cache
def linear(surface, markers, reflectance):
    """The table as it is, 1 for white paper; `reflectance` of the cloth around the play area and below it."""
    scene = Scene(surface=surface, markers=markers)
    picture = render(scene, CAMERA, LIGHTS["even"], np.random.default_rng(1), blur_px=0.8)
    light = (picture.astype(np.float32) / 241.0) ** GAMMA
    cloth = away_from_paper(scene)
    light[cloth] *= reflectance / max(1e-6, float(light[cloth].mean()))
    return light


@cache
def in_steps(surface, markers, reflectance, size):
    """The same, so large, in whole steps."""
    light = cv2.resize(linear(surface, markers, reflectance), size, interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(light, 0, 1) * (STEPS - 1), np.uint16)


@cache
def measured(surface, markers, reflectance):
    """Exposure times gain that libcamera would come to in the light of the lamp."""
    seen = linear(surface, markers, reflectance)[::16, ::16].max(axis=2)
    bright = np.sort(seen.ravel())[int(HIGHLIGHT * seen.size) :].mean()
    return FULL_US * min(WANTED_MEAN / float(seen.mean()), 0.8 / float(bright))


def away_from_paper(scene):
    cloth = np.ones((CAMERA.height_px, CAMERA.width_px), np.uint8)
    for marker in scene.markers:
        cv2.fillConvexPoly(
            cloth, np.round(CAMERA.project_flat(scene.marker_corners(marker, 60.0), 0.3)).astype(int), 0
        )
    return cloth.astype(bool)


class Room:
    """What the double's camera is before; `lamp` and `markers` are moments from which on there are some."""

    def __init__(self, clock, *, lamp=0.0, markers=0.0, reflectance=0.03, daylight=0.0005, warm=(2.1, 1.6)):
        self.clock, self.lamp, self.markers = clock, lamp, markers
        self.reflectance, self.daylight, self.warm = reflectance, daylight, warm
        self.lamps_gone = float("inf")

    def light(self, t):
        return 1.0 if self.lamp <= t < self.lamps_gone else self.daylight

    def laid(self, t):
        return (0, 1, 2, 3) if t >= self.markers else ()

    def wanted(self, t):
        """Exposure times gain, microseconds, that the camera's own measure comes to."""
        return measured("green", self.laid(t), self.reflectance) / self.light(t)

    def gains(self, t):
        return self.warm if self.light(t) == 1.0 else (1.2, 2.4)

    def picture(self, metadata, size):
        exposed = metadata["ExposureTime"] * metadata["AnalogueGain"] / FULL_US
        t = (metadata["SensorTimestamp"] - 1000 * metadata["ExposureTime"]) / 1e9
        colours = np.asarray(metadata["ColourGains"]) / np.asarray(self.gains(t))
        steps = np.arange(STEPS, dtype=np.float32) / (STEPS - 1) * (exposed * self.light(t))
        seen = in_steps("green", self.laid(t), self.reflectance, size)
        channels = [
            np.asarray(255 * np.clip(steps * cast, 0, 1) ** (1 / GAMMA), np.uint8)[seen[..., i]]
            for i, cast in enumerate((colours[1], 1.0, colours[0]))
        ]
        return np.stack(channels, axis=-1)
