"""Open, look, close, and open anew with what was kept."""

import importlib.metadata
import time

import cv2
import numpy as np
from errand import PiCamera, PiSettings, held, picamera2, sensor, tell, values

from referee.devices.camera.pi_camera import check


def look(camera, settings):
    """A picture, and the seconds from the moment it was wanted from to the moment it says it was taken at."""
    asked = time.monotonic()
    frame = camera.frame(asked)
    small = camera.preview(time.monotonic())
    wanted = (settings.height_px, settings.width_px, 3), settings.preview_size[::-1]
    return frame.picture, {
        "late_s": frame.t - asked, "in_the_past": frame.t <= time.monotonic(),
        "sizes": (frame.picture.shape, small.shape) == wanted,
    }  # fmt: skip


def main():
    settings = PiSettings()
    camera = PiCamera(settings)
    picture, first = look(camera, settings)
    apart = np.abs(cv2.imread("/scenes/table.jpg").astype(int) - picture).mean()
    fixed, locked = camera.fixed, camera.locked
    notices, wrong = [str(one.found) for one in camera.notices], list(map(str, check(camera)))
    camera.close()
    camera.close()

    # It comes back in other light.
    light = sensor.light
    sensor.light = {"ExposureTime": 9_000, "AnalogueGain": 8.0, "ColourGains": (1.2, 2.4)}
    again = PiCamera(settings, fixed)
    kept, (_, second) = values(again.locked), look(again, settings)
    dimmed = again.expose(0.5)
    again.close()
    sensor.light = light

    slow = PiSettings(focus_m=0.5, exposure_ms=60.0)
    camera = PiCamera(slow)
    asked, _ = values(camera.locked), look(camera, slow)
    camera.close()
    tell(
        version=importlib.metadata.version("picamera2"), cameras=len(picamera2.Picamera2.global_camera_info()),
        sensor=camera.sensor, looks=[first, second], apart=apart, wrong=wrong, notices=notices,
        fixed=values(fixed), locked=values(locked), kept=kept, dimmed=dimmed, asked=asked, held=held(),
    )  # fmt: skip


main()
