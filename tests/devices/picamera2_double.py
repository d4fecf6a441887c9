"""A strict double of the part of picamera2 that the referee uses, written from its manual and source.

Whatever the real one would refuse, this one refuses too: unknown controls and formats, captures before the start, a
second start, use after close. It counts requests that were not released.
"""

from concurrent.futures import TimeoutError as FutureTimeout

import numpy as np

CONTROLS = {"AfMode", "LensPosition", "AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains"}


class Request:
    def __init__(self, camera, began_ns):
        self._camera, self._began_ns, self._held = camera, began_ns, True
        camera.unreleased += 1

    def make_array(self, name):
        assert self._held, "array of a request that was released"
        stream = self._camera.configuration[name]
        width, height = stream["size"]
        if stream["format"] == "RGB888":
            return np.broadcast_to(np.arange(height, dtype=np.uint8)[:, None, None], (height, width, 3)).copy()
        grey = np.broadcast_to(np.arange(width, dtype=np.uint8), (height, width))
        return np.vstack([grey, np.full((height // 2, width), 128, np.uint8)])

    def get_metadata(self):
        assert self._held, "metadata of a request that was released"
        controls = {"LensPosition": 1.25, "ExposureTime": 9000, "AnalogueGain": 1.5, "ColourGains": (2.1, 1.6)}
        return controls | self._camera.controls | {"SensorTimestamp": self._began_ns}

    def release(self):
        assert self._held, "a request released twice"
        self._held = False
        self._camera.unreleased -= 1


class Picamera2:
    def __init__(self, clock, *, focus=True, frame_s=0.02):
        self.clock, self.frame_s = clock, frame_s
        self.camera_controls = {
            name: (0, 1, 0) for name in CONTROLS if focus or name not in ("AfMode", "LensPosition")
        }
        self.configuration = None
        self.controls = {}
        self.log = []
        self.unreleased = 0
        self.state = "open"
        self.stuck = False

    def create_video_configuration(self, main, lores, buffer_count, queue):
        assert main["format"] in {"RGB888", "BGR888", "XBGR8888", "XRGB8888", "YUV420"}
        assert lores["format"] == "YUV420"
        assert all(side % 2 == 0 for side in (*main["size"], *lores["size"]))
        assert lores["size"][0] <= main["size"][0]
        assert buffer_count >= 1
        assert isinstance(queue, bool)
        return {"main": main, "lores": lores}

    def configure(self, configuration):
        assert self.state == "open"
        self.configuration, self.state = configuration, "configured"

    def start(self):
        assert self.state == "configured"
        self.state = "started"

    def set_controls(self, controls):
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {min(unknown)} is not advertised by libcamera")
        self.controls |= controls
        self.log.append(controls)

    def autofocus_cycle(self, wait=None):
        assert self.state == "started"
        assert self.controls.get("AfMode") == 1
        assert isinstance(wait, int | float)
        self.log.append("autofocus")
        return True

    def capture_request(self, wait=None, flush=None):
        assert self.state == "started", "a capture before the start"
        assert not isinstance(wait, bool)
        assert wait > 0
        assert isinstance(flush, int)
        if self.stuck:
            self.clock.t += wait
            raise FutureTimeout
        self.clock.t = max(self.clock.t, flush / 1e9) + self.frame_s
        return Request(self, round((self.clock.t - 0.01) * 1e9))

    def stop(self):
        self.state = "stopped"

    def close(self):
        assert self.state != "closed", "closed twice"
        self.state = "closed"
