"""The focus refined on the markers, the light measured anew, and pictures as fresh as before."""

import time

from errand import PiCamera, PiSettings, sensor, tell, values

from referee.devices.camera.camera import Place, Settling

camera = PiCamera(PiSettings())
at_opening = values(camera.locked)
sensor.in_focus_at = 1.3
notice = camera.refocus([Place(0.1, 0.1, 0.05, 0.05), Place(0.8, 0.8, 0.05, 0.05)])
scan = next(one for one in sensor.asked if "AfTrigger" in one)
sensor.light = {"ExposureTime": 12_000, "AnalogueGain": 4.0, "ColourGains": (1.7, 2.0)}
measured = camera.measure()
camera.hold()
asked = time.monotonic()
frame = camera.frame(asked)
tell(
    settling=isinstance(camera, Settling), opened=at_opening, notice=notice is None, lens=sensor.lens,
    windows=[list(one) if isinstance(one, tuple) else list(one.to_tuple()) for one in scan["AfWindows"]],
    fixed=values(camera.fixed), measured=measured, fresh=frame.t >= asked,
)  # fmt: skip
camera.close()
