"""A strict double of the part of picamera2 that the referee uses, written from the source of 0.3.22 to 0.3.38.

Whatever the real one would refuse, this one refuses too: unknown controls and formats, captures before the start, a
second start, use after close. What would block for ever, or give something else than meant, raises Misuse, which no
`except Exception` takes. It counts requests that were not released.

Frames come all the time. Before a `room` the camera measures light and colours at libcamera's pace and takes pictures
of it; without one it has measured both already. test_picamera2_contract.py holds it against the real one.
"""

import json
import os
from concurrent.futures import TimeoutError as FutureTimeout
from pathlib import Path
from types import ModuleType

import numpy as np

LIMITS = {
    "AfMetering": (0, 1, 0),
    "AfMode": (0, 2, 0),
    "AfTrigger": (0, 1, 0),
    "AfWindows": ((0, 0, 0, 0), (65535, 65535, 65535, 65535), (0, 0, 0, 0)),
    "LensPosition": (0.0, 15.0, 1.0),
    "AeConstraintMode": (0, 3, 0),
    "AeEnable": (False, True, True),
    "AwbEnable": (False, True, None),
    "ExposureTime": (1, 66_666, 20_000),
    "AnalogueGain": (1.0, 16.0, 1.0),
    "ColourGains": (0.0, 32.0, None),
    "FrameDurationLimits": (17_800, 10_000_000, 33_333),
}
FOCUS = {"AfMetering", "AfMode", "AfTrigger", "AfWindows", "LensPosition"}
CROP = (0, 0, 4608, 2592)
"""The part of the sensor that is seen, in its pixels."""
FAILS_AT = 4.0
"""Dioptres at which a scan that fails leaves the lens of an imx708_wide."""
LIGHT_STEP, COLOUR_STEP = 0.2, 0.05
"""Parts of the way that libcamera's exposure and white balance go from one frame to the next."""
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
        if self._camera.room is not None:
            picture = self._camera.room.picture(self._metadata, (width, height))
            grey = picture[..., 1]
            return picture if stream["format"] == "RGB888" else np.vstack([grey, grey[: height // 2] * 0 + 128])
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
    def __init__(self, clock, *, focus=True, frame_s=0.02, auto_us=9000, auto_gain=1.5, obeys=True, room=None):
        self.clock, self.frame_s, self.room = clock, frame_s, room
        self.camera_controls = {name: LIMITS[name] for name in LIMITS if focus or name not in FOCUS}
        self.configuration = None
        self.log = []
        self.unreleased = 0
        self.state = "open"
        self.jobs = []
        self.light, self._colours = (auto_us, auto_gain), (2.1, 1.6) if room is None else (1.0, 1.0)
        self.lens, self._scan, self._af = 1.0, None, 0
        self._controls, self._coming, self._frames, self._last = {}, [], 0, 0.0
        # What may go wrong.
        self.stuck = self.stuck_focus = False
        self.focuses, self.stamps, self.obeys = True, True, obeys
        self.focus_at, self.scan_frames = 1.25, 30
        self.stale_s = 0.0
        self.array_error = self.start_error = self.close_error = None

    def create_video_configuration(self, main, lores, buffer_count, queue, controls):
        strictly(main["format"] in {"RGB888", "BGR888", "XBGR8888", "XRGB8888", "YUV420"}, "format")
        strictly(lores["format"] == "YUV420", "format of the small stream")
        strictly(all(side % 2 == 0 for side in (*main["size"], *lores["size"])), "width and height should be even")
        strictly(lores["size"][0] <= main["size"][0], "lores stream dimensions may not exceed main stream")
        strictly(buffer_count >= 1, "buffers")
        strictly(isinstance(queue, bool), "queue")
        for name in controls:
            strictly(name != "AfTrigger", "a scan cannot be begun before the start")
        return {"main": main, "lores": lores, "controls": {"FrameDurationLimits": (33333, 33333)} | controls}

    def configure(self, configuration):
        strictly(self.state == "open", "configured twice, or after close")
        self._advertised(configuration["controls"])
        self.configuration, self.state = configuration, "configured"

    def start(self):
        strictly(self.state == "configured", "started twice, or not configured")
        if self.start_error is not None:
            raise self.start_error
        self._taken(dict(self.configuration["controls"]))  # those set before the start count from the first frame
        self.state, self._last = "started", self.clock.t

    def set_controls(self, controls):
        self._advertised(controls)
        self._passed(self.clock.t)
        self._coming.append((self._frames + DELAY, dict(controls)))
        self.log.append(controls)

    def capture_request(self, wait=None, flush=None):
        strictly(self.state == "started", "a capture before the start")
        self._checked_wait(wait)
        strictly(isinstance(flush, int), "flush is a number of nanoseconds")
        strictly(not isinstance(flush, bool), "flush=True waits from now on, not from the press on")
        if self.stuck or self.jobs:
            self._times_out("capture", wait)
        began = max(self.clock.t, flush / 1e9)
        self._passed(began)
        if self.room is not None:
            began = max(began, self._last)  # the next frame that has not begun yet
        exposure, gain = self._exposed()
        self.clock.t = self._last = began + max(self.frame_s, exposure / 1e6 + 0.001)
        self._frame(began)
        if not self.stamps:
            raise KeyError("SensorTimestamp")  # out of wait_for_timestamp_
        stamp = max(round(began * 1e9), flush) + 1000 * exposure - round(self.stale_s * 1e9)
        found = self._controls | {"AfMode": 9, "ColourGains": self._gains()}  # AfMode: not what was set
        found |= {"ExposureTime": exposure, "AnalogueGain": gain, "SensorTimestamp": stamp, "ScalerCrop": CROP}
        found |= {"FrameDuration": round(1e6 * max(self.frame_s, exposure / 1e6 + 0.001))}
        if "LensPosition" in self.camera_controls:
            found |= {"LensPosition": self.lens, "AfState": self._af if self._controls.get("AfMode") == 1 else 0}
        return Request(self, found)

    def cancel_all_and_flush(self):
        strictly(self.state != "closed", "used after close")
        self.jobs.clear()

    def stop(self):
        strictly(not self.jobs, f"stop would wait for ever behind {self.jobs}")
        self.state = "stopped"

    def close(self):
        strictly(self.state != "closed", "closed twice")
        strictly(self._scan is None or self.stuck or self.stuck_focus, "closed in the middle of a scan")
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
        while self._last + self.frame_s <= t + 1e-9:
            self._last += self.frame_s
            self._frame(self._last)
        self._last = max(self._last, t) if self.room is None else self._last

    def _frame(self, t):
        self._frames += 1
        for due, controls in [one for one in self._coming if one[0] <= self._frames]:
            self._coming.remove((due, controls))
            if self.obeys:
                self._taken(controls)
        self._measured(t)
        self._scanned()

    def _taken(self, controls):
        before = self._controls
        self._controls = before | controls
        if controls.get("AfMode") != before.get("AfMode"):
            self._af = 0
        if controls.get("AfTrigger") == 0 and self._controls.get("AfMode") == 1:
            strictly(self._controls.get("AfMetering") == 1, "a scan of the middle, where bare cloth lies")
            strictly(self._controls.get("AfWindows"), "a scan without windows")
            self._scan, self._af = self.scan_frames, 1
        if "LensPosition" in controls and self._controls.get("AfMode", 0) == 0:
            self.lens, self._scan = controls["LensPosition"], None

    def _scanned(self):
        if self._scan is None or self.stuck_focus:
            return
        self._scan -= 1
        self.lens = FAILS_AT
        if self._scan <= 0:
            self._scan, self._af = None, 2 if self.focuses else 3
            self.lens = self.focus_at if self.focuses else FAILS_AT

    def _measured(self, t):
        """One frame's step of what the camera finds by itself."""
        if self.room is None:
            return
        now, wanted = self.light[0] * self.light[1], self.room.wanted(t)
        if self._controls.get("AeEnable", True):
            least, most = 1000, (self._controls["FrameDurationLimits"][1] - 500) * 16.0
            product = min(max(now * (wanted / now) ** LIGHT_STEP, least), most)
            exposure = min(product, self._controls["FrameDurationLimits"][1] - 500)
            self.light = exposure, max(1.0, product / exposure)
        if self._controls.get("AwbEnable", True):
            pairs = zip(self._colours, self.room.gains(t), strict=True)
            self._colours = tuple(a + COLOUR_STEP * (b - a) for a, b in pairs)

    def _gains(self):
        return self._colours if self._controls.get("AwbEnable", True) else self._controls["ColourGains"]

    def _exposed(self):
        exposure, gain = self.light
        if self._controls.get("AeEnable", True) is False:
            exposure, gain = self._controls["ExposureTime"], self._controls["AnalogueGain"]
        exposure = min(exposure, self._controls["FrameDurationLimits"][1] - 500)
        return int(exposure) // ROW_US * ROW_US, gain


class Manager:
    """What Picamera2._cm is: it has libcamera look for cameras, which is when it reads a tuning."""

    def __init__(self):
        self.cameras, self.tunings = {}, []

    def reset(self):
        self.tunings.append(json.loads(Path(os.environ["LIBCAMERA_RPI_TUNING_FILE"]).read_text()))


def module(clock, *, cameras=1, fails=None, old=False, ids=("/base/imx708@1a",), tuning=None, **device):
    """What `import picamera2` gives: its class opens a double, or fails as the real one does."""
    manager = Manager()

    class Module(Picamera2):
        made = []  # noqa: RUF012 - for this module only
        _cm = manager

        def __init__(self, camera_num=0, verbose_console=None, tuning=None, allocator=None):
            strictly(camera_num == 0 and verbose_console is None and allocator is None, "arguments")
            strictly(tuning is None or Path(tuning).is_file(), "a tuning that is gone")
            self.made.append(self)
            self.tuning = tuning
            self.is_open, self.notifyme_w = False, None
            if fails is not None:
                fails(self)
            super().__init__(clock, **device)
            self.camera_properties = {"Model": "imx708"}
            self.is_open = True

        def close(self):
            if self.is_open:
                super().close()

        @staticmethod
        def load_tuning_file(tuning_file, dir=None):  # noqa: A002, ARG004 - as the real one
            if tuning is None or tuning_file != "imx708.json":
                raise RuntimeError("Tuning file not found")
            return tuning

        @staticmethod
        def global_camera_info():
            strictly("LIBCAMERA_RPI_TUNING_FILE" not in os.environ, "looking for cameras with a tuning that is gone")
            return [{"Model": "imx708", "Location": 2, "Rotation": 180, "Id": one, "Num": 0} for one in ids] * cameras

    class Old:
        """Before 0.3.22: no way out of a capture that hangs."""

    found = ModuleType("picamera2")
    found.Picamera2 = Old if old else Module
    return found
