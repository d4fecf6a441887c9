"""The interface of all cameras, and a camera that is reopened when it is lost.

Calls block until a picture has been taken, so make them in a worker thread, and in only one thread at a time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

import cv2
import numpy as np
import numpy.typing as npt

from referee.errors import CameraLost, Loss
from referee.game.notice import Notice, told_by
from referee.vision.sighting import Image

Gray = npt.NDArray[np.uint8]
Now = Callable[[], float]
T = TypeVar("T")

EVERY_S = 1.0
"""Seconds between two attempts to open a camera while waiting for it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture (H, W, 3) uint8 BGR; its exposure began at `t`, in monotonic seconds, or later."""

    picture: Image
    t: float

    def __post_init__(self) -> None:
        if self.picture.ndim != 3 or self.picture.shape[2] != 3 or self.picture.dtype != np.uint8:
            found = f"{self.picture.dtype} {self.picture.shape}"
            raise ValueError(f"expected a picture of uint8 (H, W, 3), got {found}")


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """The settings of a real camera.

    If `exposure_ms` or `gain` is 0, the camera measures that value once at the start and locks it. If `focus_m` is 0,
    the distance on our mount is used.
    """

    width_px: int = 2304
    """Half the width of a Camera Module 3's sensor: its fast mode, which still covers the whole field of view."""
    height_px: int = 1296
    preview_px: int = 576
    """Width of the small grey pictures in which motion is detected: a quarter of the full width."""
    focus_m: float = 0.92
    """Metres from the lens to the tiles on the mount of hardware/."""
    exposure_ms: float = 0.0
    gain: float = 0.0
    timeout_s: float = 3.0
    """Seconds without a picture after which the camera counts as lost. Chosen by hand."""


def changed_names(settings: CaptureSettings, names: Iterable[str]) -> list[str]:
    """Return those of the named settings that have been changed: they are neither 0 nor the default."""
    usual = CaptureSettings()
    return [name for name in names if getattr(settings, name) not in (0, getattr(usual, name))]


class Camera(Protocol):
    """A camera above the table. Calls raise CameraLost if no picture comes in time."""

    def frame(self, after: float) -> Frame:
        """Return a full picture whose whole exposure was after the moment `after` (monotonic seconds)."""

    def preview(self, after: float) -> Gray:
        """Return a small grey picture (h, w) uint8 whose whole exposure was after the moment `after`."""

    def close(self) -> None:
        """Release the device; may be called twice."""


@runtime_checkable
class Exposing(Protocol):
    """A camera that can also take in more or less light."""

    def expose(self, factor: float) -> bool:
        """Take all later pictures with `factor` times the light at opening; return whether that is possible.

        If it is not, nothing changes. Raises CameraLost if no picture comes in which the change shows.
        """


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something about a camera that works, but not as it should, and what to do about it."""

    found: Notice
    do: Notice

    @property
    def notice(self) -> Notice:
        """Both sentences as one notice."""
        return Notice("camera.flaw", found=self.found, do=self.do)


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the picture: its upper left corner and its size, as fractions of the picture's width and height."""

    x: float
    y: float
    width: float
    height: float


@runtime_checkable
class Settling(Exposing, Protocol):
    """A camera that can also measure the light again and refine the focus while it is open.

    All calls block for up to a few seconds, and raise CameraLost if no picture comes in that time.
    """

    def measure(self) -> bool:
        """Measure exposure and colours again; return whether the camera can do that.

        Factors for `expose` are relative to this measurement from now on. The exposure is fixed again at the end; the
        colours keep adjusting until `hold`.
        """

    def hold(self) -> None:
        """Fix the colours once they no longer change."""

    def refocus(self, places: Sequence[Place]) -> Flaw | None:
        """Refine the focus on these parts of the picture; return what went wrong, or None if nothing did."""


def to_small_grey(picture: Image, width: int) -> Gray:
    """Return a picture in grey, `width` pixels wide."""
    height = max(1, round(picture.shape[0] * width / picture.shape[1]))
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def wait_for_camera(
    build: Callable[[], Camera],
    within_s: float,
    tell: Callable[[Notice], None],
    now: Now,
    sleep: Callable[[float], None],
) -> Camera:
    """Open a camera; if it is absent or busy, try again for up to `within_s` seconds.

    `tell` is called once, when the wait begins. Raises the CameraLost of the last attempt.
    """
    end, told = now() + within_s, False
    while True:
        try:
            return build()
        except CameraLost as error:
            if error.kind not in (Loss.ABSENT, Loss.BUSY) or now() >= end:
                raise
            if not told:
                tell(Notice("camera.waiting", why=told_by(error), seconds=within_s))
            told = True
        sleep(EVERY_S)


class Reopening:
    """A camera that is closed and reopened when it is lost, a limited number of times within `WITHIN_S` seconds.

    The call during which the camera is lost still raises CameraLost; the next call reopens it. A failed attempt counts
    as well, and after each one the pause until the next is longer. Once the limit is reached, every call raises at
    once, until enough time has passed. Attempts to open a camera that is absent do not count.
    """

    WITHIN_S = 600.0
    LONGEST_PAUSE_S = 30.0

    def __init__(
        self, build: Callable[[], Camera], restarts: int, now: Now, lost_again: str = "camera.lost_again"
    ) -> None:
        """`lost_again` is the notice that tells that the limit is reached, and what to do with this kind of camera."""
        self._build, self._restarts, self._now, self._lost_again = build, restarts, now, lost_again
        self._camera: Camera | None = build()
        self._opened: deque[float] = deque()
        self._failed = 0
        self._pause: tuple[float, Notice, Loss] | None = None
        self._factor = 1.0

    def frame(self, after: float) -> Frame:
        """Take a full picture; if the camera was lost, open it first. Raises CameraLost."""
        return self._use_camera(lambda camera: camera.frame(after))

    def preview(self, after: float) -> Gray:
        """Take a small grey picture; if the camera was lost, open it first. Raises CameraLost."""
        return self._use_camera(lambda camera: camera.preview(after))

    def expose(self, factor: float) -> bool:
        """Scale the exposure by `factor`, and return whether the camera can do that.

        When the camera is reopened, it gets the last factor that worked. Raises CameraLost.
        """
        before, self._factor = self._factor, factor
        able = self._use_camera(lambda camera: isinstance(camera, Exposing) and camera.expose(factor))
        self._factor = factor if able else before
        return able

    def measure(self) -> bool:
        """Measure exposure and colours again, and return whether the camera can do that.

        Factors for `expose` are relative to this measurement from now on. Raises CameraLost.
        """
        able = self._use_camera(lambda camera: isinstance(camera, Settling) and camera.measure())
        self._factor = 1.0 if able else self._factor
        return able

    def hold(self) -> None:
        """Fix the colours; does nothing if the camera cannot do that. Raises CameraLost."""
        self._use_camera(lambda camera: camera.hold() if isinstance(camera, Settling) else None)

    def refocus(self, places: Sequence[Place]) -> Flaw | None:
        """Refine the focus on `places`, and return what went wrong.

        Returns None if nothing went wrong, or if the camera cannot do that. Raises CameraLost.
        """
        return self._use_camera(lambda camera: camera.refocus(places) if isinstance(camera, Settling) else None)

    def close(self) -> None:
        """Close the camera, if one is open."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()

    def _use_camera(self, use: Callable[[Camera], T]) -> T:
        camera = self._camera or self._reopen()
        try:
            return use(camera)
        except CameraLost:
            self.close()
            raise

    def _reopen(self) -> Camera:
        now = self._now()
        while self._opened and self._opened[0] <= now - self.WITHIN_S:
            self._opened.popleft()
        if len(self._opened) >= self._restarts:
            minutes = round(self.WITHIN_S / 60)
            raise CameraLost(Notice(self._lost_again, times=self._restarts + 1, minutes=minutes))
        if self._pause is not None and now < self._pause[0]:
            raise CameraLost(*self._pause[1:])
        try:
            camera = self._build()
        except CameraLost as error:
            if error.kind is not Loss.ABSENT:
                self._opened.append(now)
                self._failed += 1
                until = self._now() + min(self.LONGEST_PAUSE_S, 2.0**self._failed)
                self._pause = until, told_by(error), error.kind
            raise
        self._camera = camera
        self._opened.append(now)
        self._failed, self._pause = 0, None
        if self._factor != 1.0 and isinstance(camera, Exposing):
            camera.expose(self._factor)
        return camera
