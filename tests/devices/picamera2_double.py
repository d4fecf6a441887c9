"""A strict double of the part of picamera2 that the referee uses, written from the source of 0.3.22 to 0.3.38.

Whatever the real one would refuse, this one refuses too: unknown controls and formats, captures before the start, a
second start, use after close. What would block for ever, or give something else than meant, raises Misuse, which no
`except Exception` takes. It counts requests that were not released.
"""

from concurrent.futures import TimeoutError as FutureTimeout
from types import ModuleType

import numpy as np

LIMITS = {
    "AfMode": (0, 2, 0),
    "LensPosition": (0.0, 15.0, 1.0),
    "AeEnable": (False, True, True),
    "AwbEnable": (False, True, True),
    "ExposureTime": (1, 66_666, 20_000),
    "AnalogueGain": (1.0, 16.0, 1.0),
    "ColourGains": (0.0, 32.0, None),
    "FrameDurationLimits": (17_800, 10_000_000, 33_333),
}
FOCUS = {"AfMode", "LensPosition"}
DELAY = 8
"""Frames until a control shows in a picture."""
ROW_US = 13
"""Exposures are a whole number of rows."""


class Misuse(BaseException):
    """The real one would hang, leak or do something else."""


def strictly(right, text):
    if not right:
        raise Misuse(text)


class Request:
    def __init__(self, camera, metadata):
        self._camera, self._metadata, self._held = camera, metadata, True
        camera.unreleased += 1

    def make_array(self, name):
        strictly(self._held, "array of a request that was released")
        if self._camera.array_error is not None:
            raise self._camera.array_error
        stream = self._camera.configuration[name]
        width, height = stream["size"]
        if stream["format"] == "RGB888":
            return np.broadcast_to(np.arange(height, dtype=np.uint8)[:, None, None], (height, width, 3)).copy()
        grey = np.broadcast_to(np.arange(width, dtype=np.uint8), (height, width))
        return np.vstack([grey, np.full((height // 2, width), 128, np.uint8)])

    def get_metadata(self):
        strictly(self._held, "metadata of a request that was released")
        return self._metadata

    def release(self):
        strictly(self._held, "a request released twice")
        self._held = False
        self._camera.unreleased -= 1


class Picamera2:
    def __init__(self, clock, *, focus=True, frame_s=0.02, auto_us=9000, auto_gain=1.5, obeys=True):
        self.clock, self.frame_s, self.auto = clock, frame_s, (auto_us, auto_gain)
        self.camera_controls = {name: LIMITS[name] for name in LIMITS if focus or name not in FOCUS}
        self.configuration = None
        self.log = []
        self.unreleased = 0
        self.state = "open"
        self.jobs = []
        self._controls, self._coming, self._frames, self._last = {}, [], 0, 0.0
        # What may go wrong.
        self.stuck = self.stuck_focus = False
        self.focuses, self.stamps, self.obeys = True, True, obeys
        self.stale_s = 0.0
        self.array_error = self.start_error = self.close_error = None

    def create_video_configuration(self, main, lores, buffer_count, queue, controls):
        strictly(main["format"] in {"RGB888", "BGR888", "XBGR8888", "XRGB8888", "YUV420"}, "format")
        strictly(lores["format"] == "YUV420", "format of the small stream")
        strictly(all(side % 2 == 0 for side in (*main["size"], *lores["size"])), "width and height should be even")
        strictly(lores["size"][0] <= main["size"][0], "lores stream dimensions may not exceed main stream")
        strictly(buffer_count >= 1, "buffers")
        strictly(isinstance(queue, bool), "queue")
        return {"main": main, "lores": lores, "controls": {"FrameDurationLimits": (33333, 33333)} | controls}

    def configure(self, configuration):
        strictly(self.state == "open", "configured twice, or after close")
        self._advertised(configuration["controls"])
        self.configuration, self.state = configuration, "configured"

    def start(self):
        strictly(self.state == "configured", "started twice, or not configured")
        if self.start_error is not None:
            raise self.start_error
        self._controls = dict(self.configuration["controls"])  # those set before the start count from the first frame
        self.state, self._last = "started", self.clock.t

    def set_controls(self, controls):
        self._advertised(controls)
        self._passed(self.clock.t)
        self._coming.append((self._frames + DELAY, dict(controls)))
        self.log.append(controls)

    def autofocus_cycle(self, wait=None):
        strictly(self.state == "started", "focused before the start")
        self._checked_wait(wait)
        self.set_controls({"AfMode": 1})
        self.log.append("autofocus")
        if self.stuck_focus or self.stuck or self.jobs:
            self._times_out("autofocus", wait)
        self.clock.t += 0.5
        return self.focuses

    def capture_request(self, wait=None, flush=None):
        strictly(self.state == "started", "a capture before the start")
        self._checked_wait(wait)
        strictly(isinstance(flush, int), "flush is a number of nanoseconds")
        strictly(not isinstance(flush, bool), "flush=True waits from now on, not from the press on")
        if self.stuck or self.jobs:
            self._times_out("capture", wait)
        began = max(self.clock.t, flush / 1e9)
        self._passed(began)
        exposure, gain = self._exposed()
        self.clock.t = self._last = began + max(self.frame_s, exposure / 1e6 + 0.001)
        self._frames += 1
        if not self.stamps:
            raise KeyError("SensorTimestamp")  # out of wait_for_timestamp_
        stamp = max(round(began * 1e9), flush) + 1000 * exposure - round(self.stale_s * 1e9)
        found = {"ColourGains": (2.1, 1.6), "LensPosition": 1.25} | self._controls | {"AfMode": 9}  # not what was set
        return Request(self, found | {"ExposureTime": exposure, "AnalogueGain": gain, "SensorTimestamp": stamp})

    def cancel_all_and_flush(self):
        strictly(self.state != "closed", "used after close")
        self.jobs.clear()

    def stop(self):
        strictly(not self.jobs, f"stop would wait for ever behind {self.jobs}")
        self.state = "stopped"

    def close(self):
        strictly(self.state != "closed", "closed twice")
        strictly(not self.jobs, f"closed while {self.jobs} are waited for: cancel_all_and_flush comes first")
        strictly(self.unreleased == 0, "closed while a request is held")
        self.state = "closed"
        if self.close_error is not None:
            raise self.close_error

    def _advertised(self, controls):
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {min(unknown)} is not advertised by libcamera")

    def _checked_wait(self, wait):
        strictly(isinstance(wait, int | float) and not isinstance(wait, bool), f"wait={wait!r} knows no time limit")
        strictly(wait > 0, "wait=0 does not wait")

    def _times_out(self, job, wait):
        self.jobs.append(job)
        self.clock.t += wait
        raise FutureTimeout

    def _passed(self, t):
        """Frames come all the time, whether somebody takes them or not."""
        self._frames += max(0, int((t - self._last) / self.frame_s))
        self._last = max(self._last, t)
        for due, controls in [one for one in self._coming if one[0] <= self._frames]:
            self._coming.remove((due, controls))
            self._controls |= controls if self.obeys else {}

    def _exposed(self):
        exposure, gain = self.auto
        if self._controls.get("AeEnable", True) is False:
            exposure, gain = self._controls["ExposureTime"], self._controls["AnalogueGain"]
        exposure = min(exposure, self._controls["FrameDurationLimits"][1] - 500)
        return exposure // ROW_US * ROW_US, gain


def module(clock, *, cameras=1, fails=None, old=False, **device):
    """What `import picamera2` gives: its class opens a double, or fails as the real one does."""

    class Module(Picamera2):
        made = []  # noqa: RUF012 - for this module only

        def __init__(self):
            self.made.append(self)
            self.is_open, self.notifyme_w = False, None
            if fails is not None:
                fails(self)
            super().__init__(clock, **device)
            self.is_open = True

        def close(self):
            if self.is_open:
                super().close()

        @staticmethod
        def global_camera_info():
            return [{"Model": "imx708", "Location": 2, "Rotation": 180, "Id": "/base/imx708@1a", "Num": 0}] * cameras

    class Old:
        """Before 0.3.22: no way out of a capture that hangs."""

    found = ModuleType("picamera2")
    found.Picamera2 = Old if old else Module
    return found
