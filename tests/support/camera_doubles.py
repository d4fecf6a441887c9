"""What stands for time and for devices in the tests of cameras."""

import threading
from dataclasses import dataclass

import cv2
import numpy as np
from picamera2_double import Picamera2

from referee.devices.camera.camera import CaptureSettings
from referee.devices.camera.pi_camera import PiCamera
from referee.devices.camera.pi_settings import PiSettings
from referee.devices.camera.usb_camera import UsbCamera


@dataclass
class Clock:
    t: float = 100.0

    def __call__(self):
        return self.t

    def sleep(self, seconds):
        self.t += seconds


def pi(clock, device=None, kept=None, settings=None, **faults):
    device = device or Picamera2(clock, **faults)
    settings = settings or PiSettings(width_px=640, height_px=480, preview_px=160)
    return PiCamera(settings, kept, build=lambda: device, now=clock)


def usb(clock, device, kept=None, **settings):
    chosen = CaptureSettings(**({"width_px": 640, "height_px": 480, "preview_px": 160} | settings))
    return UsbCamera(0, chosen, kept, build=lambda _: device.made(), there=lambda _: device.there, now=clock)


class UsbDevice:
    """What cv2.VideoCapture is to the adapter, over Linux' V4L2: for one thread only, frames wait in its buffers.

    A frame was exposed one period before it can be had, and one more is always under way.
    """

    def __init__(self, clock, *, opened=True, there=True, buffers=1, keeps=(), fixed_dark=False):
        self.clock, self.opened, self.there, self.buffers = clock, opened, there, buffers
        self.keeps, self.fixed_dark = keeps, fixed_dark
        self.settings = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_EXPOSURE: 312.0}
        self.asked = []
        self.shown_from = clock.t
        self.waiting = []
        self.last = clock.t
        self.ok = True
        self.error = None
        self.hangs, self.goes_on, self.released = threading.Event(), threading.Event(), threading.Event()
        self._thread = None
        self.trespasses = []

    def made(self):
        self._thread = threading.get_ident()
        return self

    def _own(self, what):
        if threading.get_ident() != self._thread:
            self.trespasses.append(what)

    def isOpened(self):  # noqa: N802 - OpenCV's own name
        self._own("isOpened")
        return self.opened

    def set(self, key, value):
        self._own("set")
        self.asked.append((key, value))
        if key in self.keeps:
            return False
        self.settings[key] = float(value)
        return True

    def get(self, key):
        self._own("get")
        if key == cv2.CAP_PROP_BUFFERSIZE:
            return float(self.buffers)
        return self.settings.get(key, 0.0)

    def grab(self):
        self._own("grab")
        if self.hangs.is_set():
            self.goes_on.wait(5)
            return False
        if self.error is not None:
            raise self.error
        self._arrived()
        if not self.waiting:
            self.clock.t = self.last + PERIOD_S
            self._arrived()
        self.shown_from = self.waiting.pop(0)
        return self.ok

    def _arrived(self):
        """Every period a frame comes whose exposure began two periods before; full buffers take no more."""
        while self.last + PERIOD_S <= self.clock.t + 1e-9:
            self.last += PERIOD_S
            if len(self.waiting) < self.buffers:
                self.waiting.append(self.last - 2 * PERIOD_S)

    def retrieve(self):
        self._own("retrieve")
        dark = self.fixed_dark and self.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
        picture = np.full((480, 640, 3), 20 if dark else 90, np.uint8)
        picture[:, :, 0] = np.arange(640) % 256 // (5 if dark else 1)
        return True, picture

    def release(self):
        self._own("release")
        self.opened = False
        self.released.set()


PERIOD_S = 0.03
