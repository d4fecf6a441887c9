"""A phone, or a cheap camera, over the network: `[camera] kind = "network"`.

One thread reads the camera all the time and drops pictures that nobody has asked for, so that none wait here. A caller
who asks for a picture from after a certain moment gets the first picture that

1. is known to have been sent after that moment plus `lag_s` (see `wire`: `lag_s` limits the time from exposure to
   sending; the time in queues is measured), and
2. is not identical to the picture before it, because a stream that has stopped shows the same picture again.

If the connection breaks while somebody waits for a picture, it is renewed silently, with growing pauses. If no picture
comes in time, the camera is lost, and it is reopened like any other camera. `Unhurried` limits how often an absent
camera is tried again.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from referee.devices.camera.camera import Camera, CaptureSettings, Flaw, Frame, Gray, Now, changed_names, to_small_grey
from referee.devices.camera.network.address import parse_address
from referee.devices.camera.network.links import Link, http_link
from referee.devices.camera.network.login import Login
from referee.devices.camera.network.request import Visit
from referee.devices.camera.network.rtsp import OPENING_S, RtspLink
from referee.devices.camera.network.wire import fingerprint_of
from referee.errors import BadInput, CameraLost, Loss, UnreadablePicture
from referee.game.notice import Notice, told_by

LONGEST_S = 4.0
"""The longest pause in seconds between two attempts. Once a phone is back, opening it must not take much longer than
people need to sit down again."""


@dataclass(frozen=True, slots=True)
class NetworkSettings(CaptureSettings):
    """The settings of a network camera: where it is and how to reach it.

    Fields that may contain a password are left out of the repr.
    """

    source: str = field(default="", repr=False)
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    certificate: str = ""
    anywhere: bool = False
    lag_s: float = 1.0


def visit_of(settings: NetworkSettings, now: Now = time.monotonic) -> Visit:
    """Return how to reach the camera of the settings; raises BadInput if its address or certificate is not valid."""
    address = parse_address(settings.source, settings.user, settings.password)
    try:
        fingerprint = fingerprint_of(settings.certificate) if settings.certificate else ""
    except ValueError:
        raise BadInput(
            "[camera] certificate: expected sha256: and 64 hexadecimal digits, found another text"
        ) from None
    login = Login(address.user, address.password)
    return Visit(address, login, fingerprint, settings.anywhere, settings.timeout_s, now)


def ignored_settings(settings: CaptureSettings) -> tuple[Flaw, ...]:
    """Return a flaw for each changed setting that network cameras do not have."""
    names = changed_names(settings, ("focus_m", "exposure_ms", "gain"))
    do = Notice("camera.phone_sets_it")
    return tuple(Flaw(Notice("camera.net_not_told", setting=name), do) for name in names)


class Unhurried:
    """Opens a camera; while it is absent, the attempts become rarer, down to one every `LONGEST_S` seconds.

    Between two attempts the error of the last one is raised again, because every attempt blocks the caller until it
    fails.
    """

    def __init__(self, build: Callable[[], Camera], now: Now) -> None:
        self._build, self._now = build, now
        self._pause_s = 0.0
        self._failed: tuple[float, CameraLost] | None = None

    def __call__(self) -> Camera:
        """Open the camera, or raise the CameraLost that says why that is not possible."""
        if self._failed is not None and self._now() < self._failed[0]:
            error = self._failed[1]
            raise CameraLost(told_by(error), error.kind)
        try:
            camera = self._build()
        except CameraLost as error:
            self._pause_s = min(LONGEST_S, max(1.0, 2 * self._pause_s))
            self._failed = self._now() + self._pause_s, error
            raise
        self._failed, self._pause_s = None, 0.0
        return camera


RELEASE_S = 2.0
"""Seconds that `close()` waits for the thread. Chosen by hand."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 4.0
"""The pause between two attempts to connect, in seconds; it doubles up to the second value."""
PATIENCE_S = 0.5
"""Seconds for which the pictures of a stream may be repeated or too old. After that it is reopened, which empties its
queue."""
SAME, OLD, DAMAGED = "camera.net_same", "camera.net_old", "camera.net_damaged"
"""Keys of the notices that say what came instead of a new picture."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Report:
    """How a camera was reached. It contains nothing secret."""

    place: str
    way: Notice
    per_second: float
    """How many pictures a second came by themselves; 0 if pictures come on demand."""
    renewed: int
    """How often the connection was given up because of its queue."""
    lag_s: float
    readable_password: bool


def open_link(visit: Visit) -> Link:
    """Open the kind of link that the address asks for."""
    return RtspLink(visit) if visit.address.scheme == "rtsp" else http_link(visit)


class NetworkCamera:
    """A camera that is reached through its address."""

    def __init__(
        self,
        settings: NetworkSettings,
        *,
        link: Callable[[Visit], Link] = open_link,
        now: Now = time.monotonic,
    ) -> None:
        self._settings, self._now = settings, now
        self._visit, self._link = visit_of(settings, now), link
        self.notices: tuple[Flaw, ...] = ignored_settings(settings)
        self._changed = threading.Condition()
        # The attributes from here on are used only while `_changed` is held.
        self._closed = False
        self._wanted: float | None = None
        self._got: Frame | None = None
        self._error: CameraLost | None = None
        self._came = 0
        self._why, self._way = "", Notice("camera.way_none")
        self._on_demand = self._ready = False
        self._first = self._last = now()
        self._renewed = 0
        self._at: Link | None = None
        self._thread = threading.Thread(target=self._follow, name="network-camera", daemon=True)
        self._thread.start()
        try:
            self._wait_for(lambda: self._ready or None, settings.timeout_s + OPENING_S, patient=False)
        except CameraLost:
            self.close()
            raise

    def frame(self, after: float) -> Frame:
        """Wait for a picture that was exposed after the moment `after`; raises CameraLost.

        Waits at most `timeout_s` + `lag_s` seconds of the settings, from `after` or from now, whichever is later.
        """
        settings = self._settings
        with self._changed:
            self._wanted, self._got, self._why = after, None, ""
            self._changed.notify_all()
        try:
            within_s = settings.timeout_s + settings.lag_s + max(0.0, after - self._now())
            return self._wait_for(lambda: self._got, within_s, patient=True)
        finally:
            with self._changed:
                self._wanted = self._got = None

    def preview(self, after: float) -> Gray:
        """Take a full picture like `frame()`, and return it in grey, `preview_px` wide."""
        return to_small_grey(self.frame(after).picture, self._settings.preview_px)

    @property
    def report(self) -> Report:
        """How the pictures have come so far."""
        with self._changed:
            streamed = 0.0 if self._on_demand or self._last <= self._first else self._last - self._first
            rate = (self._came - 1) / streamed if streamed else 0.0
            readable = self._visit.login.readable and self._visit.address.scheme != "https"
            return Report(self._visit.address.place, self._way, rate, self._renewed, self._settings.lag_s, readable)

    def close(self) -> None:
        """End the connection and its thread; waits at most `RELEASE_S` seconds for a thread that hangs."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            link = self._at
        if link is not None:
            link.stop()
        self._thread.join(RELEASE_S)

    def _wait_for(self, found: Callable[[], T | None], within_s: float, *, patient: bool) -> T:
        """Wait for a result of `found` and return it; raises CameraLost after `within_s` seconds.

        With `patient`, a fault that may pass does not end the wait.
        """
        until = self._now() + within_s
        with self._changed:
            while (it := found()) is None:
                error, left = self._error, until - self._now()
                if self._closed:
                    raise CameraLost(Notice("camera.net_closed", place=self._place))
                if error is not None and (left <= 0 or not patient or error.kind is Loss.UNUSABLE):
                    raise CameraLost(told_by(error), error.kind)
                if left <= 0:
                    none = Notice("camera.net_silent", place=self._place, seconds=self._settings.timeout_s)
                    raise CameraLost(Notice(self._why, place=self._place) if self._why else none, Loss.SILENT)
                self._changed.wait(left)
            return it

    # All methods below run in the thread.

    def _follow(self) -> None:
        pause_s = FIRST_PAUSE_S
        while not self._closed:
            came = self._came
            try:
                self._follow_one()
            except CameraLost as error:
                self._note_failure(error)
            except Exception as error:  # noqa: BLE001 - decoders' errors share no base, and their text may hold the address
                self._note_failure(
                    CameraLost(Notice("camera.net_fault", place=self._place, error=type(error).__name__))
                )
            else:
                continue
            pause_s = FIRST_PAUSE_S if self._came > came else min(2 * pause_s, LONGEST_PAUSE_S)
            with self._changed:
                self._changed.wait_for(lambda: self._closed, pause_s)

    def _note_failure(self, error: CameraLost) -> None:
        with self._changed:
            self._error = error
            self._changed.notify_all()

    def _follow_one(self) -> None:
        """Read one link until it must be renewed, or until this camera is closed."""
        link = self._link(self._visit)
        with self._changed:
            self._at, self._way, self._on_demand = link, link.way, link.on_demand
        try:
            while not self._closed and self._take_next(link):
                pass
        finally:
            with self._changed:
                self._at = None
            link.close()

    def _take_next(self, link: Link) -> bool:
        """Take the next picture, and hand it over if somebody waits for it.

        Returns False if the link must be renewed, or if the camera is closed.
        """
        wanted = self._next_wanted(link)
        if self._closed:
            return False
        shown = link.next(look=wanted is not None)
        with self._changed:
            self._last = self._now()
            self._first = self._first if self._came else self._last
            self._came += 1
            self._ready = self._ready or link.on_demand or math.isfinite(shown.after)
            self._error = None
            self._changed.notify_all()
        if wanted is None:
            return True
        lag_s = self._settings.lag_s
        taken = shown.after - lag_s
        if taken >= wanted and not shown.repeats:
            self._hand_over(link, wanted, taken)
            return True
        self._why = SAME if shown.repeats else OLD
        before_it = link.opened_at < wanted + lag_s
        if not link.renewable or not before_it or self._now() < wanted + lag_s + PATIENCE_S:
            return True
        with self._changed:
            self._renewed += 1
        return False

    def _next_wanted(self, link: Link) -> float | None:
        """Return the moment after which a picture is wanted; None if none is.

        If pictures come on demand only, wait until one is wanted.
        """
        with self._changed:
            while link.on_demand and self._came and not self._closed:
                left = None if self._wanted is None else self._wanted + self._settings.lag_s - self._now()
                if left is not None and left <= 0:
                    break
                self._changed.wait(left)
            return self._wanted

    def _hand_over(self, link: Link, wanted: float, taken: float) -> None:
        try:
            frame = Frame(link.picture(), taken)
        except UnreadablePicture:
            self._why = DAMAGED
            return
        with self._changed:
            if self._wanted == wanted:
                self._got = frame
                self._changed.notify_all()

    @property
    def _place(self) -> str:
        return self._visit.address.place
