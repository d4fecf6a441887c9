"""What the checks of the first evening work with. All parts, the clock and the time limits are passed in."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from referee.devices.camera.camera import Camera, Now
from referee.devices.panel.panel import OnEdge, Panel
from referee.devices.wiring.pins import PinMap
from referee.doctor import finding
from referee.doctor.finding import STOP_SERVICE, Finding
from referee.doctor.machine import Machine
from referee.doctor.reading import LabelledPicture
from referee.errors import RefereeError
from referee.game.notice import Notice, as_notice
from referee.i18n import ENGLISH
from referee.settings.settings import CameraSettings, Settings
from referee.vision.sighting import Reader

REAL_CAMERAS = ("pi", "usb", "network")
"""Kinds of [camera] with a real camera."""


class Lacking(RefereeError):
    """A check cannot be made here and now; the text says why in one sentence.

    `do` says what would change that.
    """

    def __init__(self, text: str, do: str = "") -> None:
        super().__init__(text)
        self.do = do


class Left(RefereeError):
    """Somebody has skipped a check; the text is the reason."""


class Stopped(RefereeError):
    """Somebody wants to continue another time, or nobody is there to ask."""


class Hands(Protocol):
    """The person in front of the Pi."""

    def tell(self, text: str) -> None:
        """Show a line of text."""

    def wait_until_done(self, text: str) -> None:
        """Say what is to be done, and wait until it is; raises Left or Stopped if it will not be done."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How long and how often things are measured."""

    looks: int = 7
    threads: tuple[int, ...] = (1, 2, 4)
    presses: int = 10
    patience_s: float = 60.0
    heat_minutes: float = 180.0
    look_every_s: float = 15.0
    lamp_s: float = 6.0
    edges_s: float = 30.0
    reopenings: int = 50
    idle_s: float = 60.0
    syncs: int = 300
    disk_mb: int = 128
    hung_s: float = 30.0


@dataclass(frozen=True, slots=True)
class Bench:
    """The parts that the checks use.

    `camera` opens a camera with the given settings, `panel` opens a panel that reports edges, and `reader` makes a
    reader on N threads.
    """

    settings: Settings
    pins: PinMap | None
    machine: Machine
    folder: Path
    """The folder of the journal, whose disk is checked."""
    hands: Hands
    now: Now
    wait: Callable[[float], None]
    holder: Callable[[], str | None]
    """Returns the process number of a running referee."""
    camera: Callable[[CameraSettings], Camera]
    panel: Callable[[OnEdge], Panel]
    reader: Callable[[int], Reader]
    full_table: Callable[[], LabelledPicture]
    effort: Effort = field(default_factory=Effort)
    fsync: Callable[[int], None] = os.fsync

    def pid(self) -> int:
        """Return the process number of the running referee; raises Lacking if none runs."""
        found = self.holder()
        if found is None or not found.isdigit():
            do = (
                "sudo systemctl start referee, wait until the green lamp blinks slowly, then take this check up again."
            )
            raise Lacking("No referee is running that could be measured.", do)
        return int(found)

    def alone(self) -> None:
        """Raise Lacking while a referee runs: it has the camera and the pins."""
        if (found := self.holder()) is not None:
            raise Lacking(f"A referee is running (process {found}), and has camera and pins.", ENGLISH(STOP_SERVICE))

    def open_camera(self, settings: CameraSettings | None = None) -> Camera:
        """Open the camera of the settings; raises Lacking if they name none, and CameraLost if it is lost."""
        self.require_camera()
        return self.camera(settings or self.settings.camera)

    def require_camera(self) -> None:
        """Raise Lacking if no camera can be tried here."""
        kind = self.settings.camera.kind
        if kind not in REAL_CAMERAS:
            raise Lacking(f'By the settings there is no camera here: kind = "{kind}" in [camera].')
        if kind == "pi" and not self.machine.model:
            raise Lacking("This is not a Raspberry Pi: it has no connector for the Pi's own camera.")
        self.alone()

    def pin_map(self) -> PinMap:
        """Return the pin map; raises Lacking if the settings name no pins."""
        if self.pins is None:
            raise Lacking("The pin map cannot be used.", "Run referee doctor first: it says what is wrong with it.")
        if self.pins.kind != "gpio":
            raise Lacking(
                f'By the settings there are no buttons and lamps here: kind = "{self.pins.kind}" in [panel].'
            )
        if not self.machine.model:
            raise Lacking("This is not a Raspberry Pi: it has no pins for buttons and lamps.")
        self.alone()
        return self.pins

    def check_service(self) -> None:
        """Raise Lacking if no referee runs, and none can be started as a service."""
        if not self.machine.model and self.holder() is None:
            raise Lacking("This is not a Raspberry Pi, and no referee is running that could be measured.")


def call_within(call: Callable[[], Any], seconds: float) -> tuple[bool, Any]:
    """Return whether a call ended in time, and its result, or the error that ended it.

    A driver may hang where no signal reaches it. Its thread is then left behind, and the program can still end.
    """
    results: list[Any] = []

    def work() -> None:
        try:
            results.append(call())
        except Exception as error:  # noqa: BLE001 - drivers' errors share no base; the caller judges them
            results.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    return (True, results[0]) if results else (False, None)


def ok(check: str, found: str | Notice, **figures: Any) -> Finding:
    """Return a finding that all is well."""
    return finding.ok(check, as_notice(found), **figures)


def skip_step(check: str, found: str, do: str | Notice = "") -> Finding:
    """Return a finding that this was not measured, and why."""
    return finding.skip_check(check, as_notice(found), as_notice(do) if do else None)


def attention(check: str, found: str, do: str | Notice, **figures: Any) -> Finding:
    """Return a finding that something works, but not as well as it could."""
    return finding.attention(check, as_notice(found), as_notice(do), **figures)


def wrong(check: str, found: str, do: str | Notice, **figures: Any) -> Finding:
    """Return a finding that the referee will not work well, or not at all."""
    return finding.wrong(check, as_notice(found), as_notice(do), **figures)
