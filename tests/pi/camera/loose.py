"""The ribbon comes loose in the midst of a match, and is pushed in again."""

import time

from errand import PiCamera, PiSettings, held, sensor, tell

from referee.devices.camera.camera import Reopening
from referee.errors import CameraLost

LONGEST_S = 120


def outcome(camera):
    try:
        camera.frame(time.monotonic())
    except CameraLost as error:
        return error.kind.name
    return "picture"


def main():
    settings = PiSettings(timeout_s=1.0)
    first = PiCamera(settings)
    kept, opened = first.fixed, []
    first.close()

    def build():
        opened.append(PiCamera(settings, kept))
        return opened[-1]

    camera = Reopening(build, 20, time.monotonic)
    before = outcome(camera)
    sensor.stuck.set()
    time.sleep(0.2)  # what is on its way already comes through
    loose = [outcome(camera) for _ in range(3)]
    sensor.stuck.clear()
    end = time.monotonic() + LONGEST_S
    while (after := outcome(camera)) != "picture" and time.monotonic() < end:
        time.sleep(0.1)
    same = dict(opened[-1].locked) == dict(opened[0].locked)
    camera.close()
    opened.clear()
    tell(before=before, loose=loose, after=after, same=same, held=held())


main()
