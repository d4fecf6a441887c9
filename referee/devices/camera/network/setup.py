"""Settings of a network camera, and how often one that is away is tried again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from referee.devices.camera.camera import Camera, CaptureSettings, Flaw, Now, changed_names
from referee.devices.camera.network.address import parse_address
from referee.devices.camera.network.login import Login
from referee.devices.camera.network.request import Visit
from referee.devices.camera.network.wire import fingerprint_of
from referee.errors import BadInput, CameraLost
from referee.game.notice import Notice, told_by

LONGEST_S = 4.0
"""The longest pause in seconds: a phone that is back must not take much longer than people need to sit down again."""


@dataclass(frozen=True, slots=True)
class NetworkSettings(CaptureSettings):
    """Where a network camera is, and how to reach it. Whatever may hold a password is left out of its repr."""

    source: str = field(default="", repr=False)
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    certificate: str = ""
    anywhere: bool = False
    lag_s: float = 1.0


def visit_of(settings: NetworkSettings, now: Now = time.monotonic) -> Visit:
    """Return how to reach the camera of the settings; raises BadInput where they name none."""
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
    """Return a flaw for each setting that network cameras do not have."""
    names = changed_names(settings, ("focus_m", "exposure_ms", "gain"))
    do = Notice("camera.phone_sets_it")
    return tuple(Flaw(Notice("camera.net_not_told", setting=name), do) for name in names)


class Unhurried:
    """Opens a camera; one that is away is tried ever more seldom, up to every `LONGEST_S` seconds.

    In between the error of the last attempt is raised again, because each attempt blocks the caller until it fails.
    """

    def __init__(self, build: Callable[[], Camera], now: Now) -> None:
        self._build, self._now = build, now
        self._pause_s = 0.0
        self._failed: tuple[float, CameraLost] | None = None

    def __call__(self) -> Camera:
        """Open the camera, or raise the reason why there is none."""
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
