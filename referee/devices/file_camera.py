"""Cameras that are no cameras: a folder of stills, and a video file."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np

from referee.devices.camera import Frame, Gray, Now, shrunk
from referee.devices.stills import PICTURE_SUFFIXES, load_picture
from referee.errors import CameraLost, UnreadablePicture
from referee.vision.sighting import Image


class FolderCamera:
    """Shows the newest picture of a folder, by name: whoever puts another one there has changed the table."""

    def __init__(self, folder: Path, preview_px: int = 576, now: Now = time.monotonic) -> None:
        self._folder, self._preview_px, self._now = folder, preview_px, now
        self._open = True
        self._shown: tuple[tuple[str, int], Image] | None = None
        self._small: tuple[Image, Gray] | None = None
        self._newest()

    def frame(self, after: float) -> Frame:
        """As Camera.frame."""
        return Frame(self._newest(), max(after, self._now()))

    def preview(self, after: float) -> Gray:  # noqa: ARG002 - a still looks the same at any time
        """As Camera.preview."""
        picture = self._newest()
        if self._small is None or self._small[0] is not picture:
            self._small = picture, shrunk(picture, self._preview_px)
        return self._small[1]

    def close(self) -> None:
        """As Camera.close."""
        self._open, self._shown, self._small = False, None, None

    def _newest(self) -> Image:
        """The newest picture, decoded once only."""
        try:
            pictures = [path for path in self._folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES]
            path = max(pictures, default=None, key=lambda path: path.name)
            key = None if path is None else (path.name, path.stat().st_mtime_ns)
        except OSError as error:
            raise CameraLost(f"{self._folder}: expected a folder of pictures, found: {error.strerror}") from error
        if not self._open or path is None or key is None:
            raise CameraLost(f"{self._folder}: expected pictures, found {'none' if self._open else 'it closed'}")
        if self._shown is None or self._shown[0] != key:
            self._shown = key, _loaded(path)
        return self._shown[1]


class VideoCamera:
    """Plays a video file in real time from the moment it is opened; its last picture stays."""

    def __init__(self, path: Path, preview_px: int = 576, now: Now = time.monotonic) -> None:
        self._path, self._preview_px, self._now = path, preview_px, now
        if not path.is_file():
            raise CameraLost(f"{path}: expected a video file, found nothing there")
        self._video = cv2.VideoCapture(str(path))
        self._per_second = self._video.get(cv2.CAP_PROP_FPS)
        if not self._video.isOpened() or not self._per_second > 0:
            self._video.release()
            raise CameraLost(f"{path}: expected a video file, found one that cannot be played")
        self._final = max(0, int(self._video.get(cv2.CAP_PROP_FRAME_COUNT)) - 1)
        self._began = now()
        self._index = -1
        self._last: Image | None = None

    def frame(self, after: float) -> Frame:
        """As Camera.frame."""
        at = max(after, self._now())
        return Frame(self._at(at), at)

    def preview(self, after: float) -> Gray:
        """As Camera.preview."""
        return shrunk(self._at(max(after, self._now())), self._preview_px)

    def close(self) -> None:
        """As Camera.close."""
        self._video.release()
        self._last = None

    def _at(self, t: float) -> Image:
        """The picture of the moment `t`."""
        wanted = min(int((t - self._began) * self._per_second), self._final)
        while self._index < wanted and self._video.grab():
            self._index += 1
            if self._index == wanted:
                self._keep()
        if self._last is None:
            raise CameraLost(f"{self._path}: expected pictures in the video, found none")
        return self._last

    def _keep(self) -> None:
        ok, picture = self._video.retrieve()
        if ok and picture is not None:
            self._last = np.asarray(picture, np.uint8)


def _loaded(path: Path) -> Image:
    try:
        return load_picture(path)
    except UnreadablePicture as error:
        raise CameraLost(str(error)) from error
