"""Cameras without a device: a folder of stills, and a video file."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from referee.devices.camera.camera import Frame, Gray, Now, to_small_grey
from referee.devices.camera.picture_kinds import PICTURE_SUFFIXES
from referee.devices.camera.stills import load_picture
from referee.errors import CameraLost, Loss, UnreadablePicture
from referee.game.notice import Notice
from referee.vision.sighting import Image

Sleep = Callable[[float], None]

FFMPEG_LOG, FFMPEG_SILENT = "OPENCV_FFMPEG_LOGLEVEL", "-8"
"""The environment variable, and its value, with which the FFmpeg in OpenCV stays silent. OpenCV reads it once, when
the first video is opened."""
TRIES, APART_S = 5, 0.2
"""The number of attempts to read a picture, which may still be being copied into the folder, and the seconds between
them."""


class FolderCamera:
    """Shows the picture of a folder whose name comes last.

    To change the table, put a picture with a later name into the folder.
    """

    def __init__(
        self, folder: Path, preview_px: int = 576, now: Now = time.monotonic, sleep: Sleep = time.sleep
    ) -> None:
        self._folder, self._preview_px, self._now, self._sleep = folder, preview_px, now, sleep
        self._open = True
        self._shown: tuple[tuple[str, int], Image] | None = None
        self._small: tuple[Image, Gray] | None = None
        self._newest()

    def frame(self, after: float) -> Frame:
        """Return the picture of the folder, once the moment `after` has come; raises CameraLost."""
        at = _at_or_after(after, self._now, self._sleep)
        return Frame(self._newest(), at)

    def preview(self, after: float) -> Gray:  # noqa: ARG002 - a still looks the same at any time
        """Return the picture of the folder in grey and small, without waiting for the moment `after`."""
        picture = self._newest()
        if self._small is None or self._small[0] is not picture:
            self._small = picture, to_small_grey(picture, self._preview_px)
        return self._small[1]

    def close(self) -> None:
        """Forget the pictures; a call after this raises CameraLost."""
        self._open, self._shown, self._small = False, None, None

    def _newest(self) -> Image:
        """Return the newest picture; if it cannot be read, try again, since it may still be being written."""
        for _ in range(TRIES - 1):
            try:
                return self._read()
            except UnreadablePicture:
                self._sleep(APART_S)
        try:
            return self._read()
        except UnreadablePicture as error:
            raise CameraLost(str(error), Loss.ABSENT) from error

    def _read(self) -> Image:
        """Return the newest picture, decoded only once."""
        if not self._open:
            raise CameraLost(Notice("camera.folder_closed", folder=str(self._folder)))
        try:
            pictures = [path for path in self._folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES]
            path = max(pictures, default=None, key=lambda path: path.name)
            key = None if path is None else (path.name, path.stat().st_mtime_ns)
        except OSError as error:
            none = Notice("camera.no_folder", folder=str(self._folder), reason=str(error.strerror))
            raise CameraLost(none, Loss.ABSENT) from error
        if path is None or key is None:
            raise CameraLost(Notice("camera.folder_empty", folder=str(self._folder)), Loss.ABSENT)
        if self._shown is None or self._shown[0] != key:
            self._shown = key, load_picture(path)
        return self._shown[1]


class VideoCamera:
    """Plays a video file in real time from the moment it is opened. After its end the last picture stays."""

    def __init__(
        self, path: Path, preview_px: int = 576, now: Now = time.monotonic, sleep: Sleep = time.sleep
    ) -> None:
        self._path, self._preview_px, self._now, self._sleep = path, preview_px, now, sleep
        if not path.is_file():
            raise CameraLost(Notice("camera.no_video", path=str(path)), Loss.ABSENT)
        # FFmpeg and OpenCV would print on standard error what is reported here in one line.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        os.environ.setdefault(FFMPEG_LOG, FFMPEG_SILENT)
        self._video = cv2.VideoCapture(str(path))
        self._per_second = self._video.get(cv2.CAP_PROP_FPS)
        if not self._video.isOpened() or not self._per_second > 0:
            self._video.release()
            raise CameraLost(Notice("camera.video_unplayable", path=str(path)), Loss.UNUSABLE)
        self._final = max(0, int(self._video.get(cv2.CAP_PROP_FRAME_COUNT)) - 1)
        self._began = now()
        self._index = -1
        self._last: Image | None = None
        try:
            self._picture_at(self._began)  # FFmpeg opens some files as videos that contain no picture
        except CameraLost:
            self._video.release()
            raise

    def frame(self, after: float) -> Frame:
        """Wait for the moment `after`, and return the picture that the video shows then; raises CameraLost."""
        at = _at_or_after(after, self._now, self._sleep)
        return Frame(self._picture_at(at), at)

    def preview(self, after: float) -> Gray:
        """Return the picture at the moment `after` in grey, `preview_px` wide; raises CameraLost."""
        return to_small_grey(self._picture_at(_at_or_after(after, self._now, self._sleep)), self._preview_px)

    def close(self) -> None:
        """Close the video file."""
        self._video.release()
        self._last = None

    def _picture_at(self, t: float) -> Image:
        """Return the picture that the video shows at the moment `t`; raises CameraLost."""
        wanted = min(int((t - self._began) * self._per_second), self._final)
        while self._index < wanted and self._video.grab():
            self._index += 1
            if self._index == wanted:
                self._keep()
        if self._last is None:
            raise CameraLost(Notice("camera.video_empty", path=str(self._path)), Loss.UNUSABLE)
        return self._last

    def _keep(self) -> None:
        ok, picture = self._video.retrieve()
        if ok and picture is not None:
            self._last = np.asarray(picture, np.uint8)


def _at_or_after(after: float, now: Now, sleep: Sleep) -> float:
    """Wait until the moment `after`, and return the present moment; raises CameraLost if it is still earlier."""
    if (t := now()) < after:
        sleep(after - t)
        t = now()
    if t < after:
        raise CameraLost(Notice("camera.moment_never_comes", seconds=after - t))
    return t
