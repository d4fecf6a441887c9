"""Somebody else has the camera already."""

import os
import time

from errand import PiCamera, PiSettings, tell

from referee.errors import CameraLost

first = PiCamera(PiSettings(timeout_s=1.0))
try:
    PiCamera(PiSettings(), first.fixed)
    busy = "opened"
except CameraLost as error:
    busy = error.kind.name
try:
    first.frame(time.monotonic())
    goes_on = True
except CameraLost:
    goes_on = False
tell(busy=busy, goes_on=goes_on)
os._exit(0)  # with the oldest picamera2 nothing can be closed any more then
