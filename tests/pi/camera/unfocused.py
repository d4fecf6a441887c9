"""The lens finds no focus, as on bare cloth: what is told, and where it stands afterwards."""

import time

from errand import PiCamera, PiSettings, sensor, tell
from imx708 import LOST_AT

sensor.in_focus_at = None
camera = PiCamera(PiSettings())
told, wanted = [str(one.found) for one in camera.notices], LOST_AT
if hasattr(camera, "refocus"):  # it scans when it is told to, and not at the opening
    from referee.devices.camera.camera import Place

    wanted = camera.locked["LensPosition"]
    flaw = camera.refocus([Place(0.1, 0.1, 0.05, 0.05), Place(0.8, 0.8, 0.05, 0.05)])
    told += [] if flaw is None else [str(flaw.found)]
camera.frame(time.monotonic())
tell(told=" ".join(told), lens=sensor.lens, wanted=wanted)
camera.close()
