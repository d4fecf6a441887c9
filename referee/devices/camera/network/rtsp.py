"""RTSP through the FFmpeg in OpenCV, which alone can decode what such cameras send.

The options of FFmpeg keep pictures from waiting. It uses one thread: several threads decode as many pictures at a
time, and deliver each that much later. It uses TCP: otherwise a lost packet leaves half a picture that looks like a
whole one. It looks up no names, because it gets the numeric address that was checked.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

import cv2
import numpy as np

from referee.devices.camera.files import FFMPEG_LOG, FFMPEG_SILENT
from referee.devices.camera.network.links import Shown, Stop
from referee.devices.camera.network.request import Visit, describe_stream
from referee.devices.camera.network.wire import CameraClock
from referee.errors import CameraLost, Loss, UnreadablePicture
from referee.game.notice import Notice
from referee.vision.sighting import Image

OPENING_S = 10.0
"""The longest time in seconds that FFmpeg analyses a stream before it shows any of it: key frames may be seconds
apart."""
OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
"""The environment variable for FFmpeg's own options; OpenCV offers no other way to set them."""

Build = Callable[[str, Sequence[int]], Any]


def _open_capture(url: str, parameters: Sequence[int]) -> Any:
    # At its default level OpenCV logs an address that it cannot open, with the password in it.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    os.environ.setdefault(FFMPEG_LOG, FFMPEG_SILENT)
    os.environ.setdefault(OPTIONS, "rtsp_transport;tcp")
    return cv2.VideoCapture(url, cv2.CAP_FFMPEG, list(parameters))


class RtspLink:
    """A stream whose pictures come by themselves, each with its time by the camera's clock."""

    way = Notice("camera.way_rtsp")
    on_demand, renewable = False, False

    def __init__(self, visit: Visit, build: Build = _open_capture) -> None:
        self._visit, self._clock, self._stop = visit, CameraClock(), Stop()
        self.opened_at = visit.now()
        peer = describe_stream(visit, self._stop.hold)
        read_ms = int(1000 * visit.timeout_s)
        self._device = build(
            _url(visit, peer),
            [
                *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, int(1000 * (visit.timeout_s + OPENING_S))),
                *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, read_ms),
                *(cv2.CAP_PROP_N_THREADS, 1),
            ],
        )
        self._picture: Image | None = None
        if not self._device.isOpened():
            self.close()
            raise CameraLost(Notice("camera.net_unplayable", place=visit.address.place))

    def next(self, *, look: bool) -> Shown:
        """Grab the next picture; only with `look` is it decoded and compared. Raises CameraLost."""
        if self._stop.stopped or not self._device.grab():
            raise CameraLost(Notice("camera.net_ended", place=self._visit.address.place), Loss.SILENT)
        after = self._clock.take_time(self._device.get(cv2.CAP_PROP_POS_MSEC) / 1000, self._visit.now())
        before, self._picture = self._picture, self._retrieve() if look else None
        new = before is not None and self._picture is not None and not np.array_equal(before, self._picture)
        return Shown(after, not new)

    def picture(self) -> Image:
        """Return the picture that was decoded last; raises UnreadablePicture if there is none."""
        if self._picture is None:
            raise UnreadablePicture(f"{self._visit.address.place}: expected a colour picture, found none")
        return self._picture

    def stop(self) -> None:
        """Make later calls fail; a call that is under way ends after FFmpeg's own timeout."""
        self._stop.stop()

    def close(self) -> None:
        """Release the stream; errors of OpenCV are ignored."""
        with contextlib.suppress(cv2.error):
            self._device.release()

    def _retrieve(self) -> Image | None:
        ok, picture = self._device.retrieve()
        return np.array(picture, np.uint8) if ok and picture is not None and picture.ndim == 3 else None


def _url(visit: Visit, peer: str) -> str:
    """Return the URL for FFmpeg. It holds the password, so it must never be shown or logged."""
    address = visit.address
    who = f"{quote(address.user, '')}:{quote(address.password, '')}@" if address.user else ""
    return f"rtsp://{who}{f'[{peer}]' if ':' in peer else peer}:{address.port}{address.target}"
