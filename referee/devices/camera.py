"""What every camera can do, and a camera that is opened anew when it is lost.

Calls block for as long as a picture takes, so they belong into a worker thread; one thread at a time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from referee.errors import CameraLost
from referee.vision.sighting import Image

Gray = npt.NDArray[np.uint8]
Now = Callable[[], float]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture (H, W, 3) uint8 BGR, and the moment, in monotonic seconds, at which its exposure began or later."""

    picture: Image
    t: float

    def __post_init__(self) -> None:
        if self.picture.ndim != 3 or self.picture.shape[2] != 3 or self.picture.dtype != np.uint8:
            found = f"{self.picture.dtype} {self.picture.shape}"
            raise ValueError(f"expected a picture of uint8 (H, W, 3), got {found}")


class Camera(Protocol):
    """A camera above the table. Both calls raise CameraLost where no picture comes in time."""

    def frame(self, after: float) -> Frame:
        """A full picture, exposed wholly after the moment `after` (monotonic seconds)."""

    def preview(self, after: float) -> Gray:
        """A small grey picture (h, w) uint8, exposed wholly after the moment `after`."""

    def close(self) -> None:
        """Let go of the device; may be called twice."""


def shrunk(picture: Image, width: int) -> Gray:
    """A grey picture `width` pixels wide out of a full one."""
    height = max(1, round(picture.shape[0] * width / picture.shape[1]))
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


class Reopening:
    """A camera that is closed and opened anew when it is lost, but only so often within a time.

    The call during which the camera was lost still raises CameraLost; the next one opens it again. When the budget of
    restarts is spent, every call raises at once until some of it is back.
    """

    WITHIN_S = 600.0

    def __init__(self, build: Callable[[], Camera], restarts: int, now: Now) -> None:
        self._build, self._restarts, self._now = build, restarts, now
        self._camera: Camera | None = build()
        self._opened: deque[float] = deque()

    def frame(self, after: float) -> Frame:
        """As Camera.frame."""
        return self._guarded(lambda camera: camera.frame(after))

    def preview(self, after: float) -> Gray:
        """As Camera.preview."""
        return self._guarded(lambda camera: camera.preview(after))

    def close(self) -> None:
        """As Camera.close."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()

    def _guarded(self, use: Callable[[Camera], T]) -> T:
        camera = self._camera or self._reopened()
        try:
            return use(camera)
        except CameraLost:
            self.close()
            raise

    def _reopened(self) -> Camera:
        now = self._now()
        while self._opened and self._opened[0] <= now - self.WITHIN_S:
            self._opened.popleft()
        if len(self._opened) >= self._restarts:
            raise CameraLost(
                f"expected a camera that works, found one lost {self._restarts + 1} times within"
                f" {self.WITHIN_S / 60:.0f} minutes: check its cable, then restart"
            )
        # A camera that is not there costs nothing: it is asked for until it is plugged in again.
        self._camera = self._build()
        self._opened.append(now)
        return self._camera
