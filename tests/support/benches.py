"""A made-up Pi for the first evening's checks: clock, hands, camera, panel and reader are prepared, nothing waits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from referee.devices.camera.camera import Frame
from referee.devices.panel.panel import OnEdge, RecordingPanel
from referee.devices.wiring.pins import PinMap
from referee.doctor.first.bench import Bench, Effort, Left
from referee.doctor.machine import Machine
from referee.doctor.reading import LabelledPicture
from referee.game.tiles import Tile, tile_set
from referee.settings.settings import CameraSettings, Settings
from referee.vision.sighting import Image, Read, Sighting

PI = "Raspberry Pi 4 Model B Rev 1.5\0"
SMALL = Effort(looks=3, threads=(2, 4), presses=3, patience_s=0.01, heat_minutes=2, look_every_s=30, lamp_s=1.0,
               edges_s=1.0, reopenings=5, idle_s=10, syncs=5, disk_mb=1, hung_s=5.0)  # fmt: skip


class Clock:
    """Goes on by itself a little at every look at it, and as long as it is told to."""

    def __init__(self, step: float = 0.001) -> None:
        self.t, self.step = 100.0, step

    def __call__(self) -> float:
        self.t += self.step
        return self.t

    def wait(self, seconds: float) -> None:
        self.t += seconds


@dataclass
class Helper:
    """Does what it is asked; `reasons` are given instead, in turn, where there is one."""

    reasons: list[str | None] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    listening: Callable[[str], None] = lambda _text: None

    def tell(self, text: str) -> None:
        self.heard.append(text)
        self.listening(text)

    def wait_until_done(self, text: str) -> None:
        self.tell(text)
        if self.reasons and (reason := self.reasons.pop(0)) is not None:
            raise Left(reason)


@dataclass
class Pictures:
    """A camera that gives one picture after the other, or the errors among them; the last one for ever."""

    given: Sequence[Image | Exception]
    clock: Clock
    locked: dict[str, Any] = field(default_factory=lambda: {"LensPosition": 1.087, "ColourGains": (1.9, 1.4)})
    notices: tuple[Any, ...] = ()
    closed: int = 0
    taken: int = 0

    def frame(self, after: float) -> Frame:
        self.clock.wait(0.1)
        return Frame(self._next(), after)

    def preview(self, _after: float) -> Any:
        self.clock.wait(0.1)
        return self._next()[..., 0]

    def close(self) -> None:
        self.closed += 1

    def _next(self) -> Image:
        one = self.given[min(self.taken, len(self.given) - 1)]
        self.taken += 1
        if isinstance(one, Exception):
            raise one
        return one


class Reads:
    """A reader that sees what it is told lies there, and takes some time for it."""

    def __init__(self, names: Sequence[str], clock: Clock, seconds: float = 0.4, doubtful: bool = False) -> None:
        self._reads = tuple(one_read(name, doubtful) for name in names)
        self._clock, self._seconds = clock, seconds

    def read(self, *_arguments: Any) -> Sighting:
        self._clock.wait(self._seconds)
        return Sighting("rummikub", "markers", self._reads, (), timings_ms={})


def one_read(name: str, doubtful: bool = False) -> Read:
    share = {"red": (0.8, 0.8, 0.3), "orange": (0.8, 0.5, 0.1)}.get(name.split("-")[0])
    return Read(Tile.from_name(name), 0.99, doubtful, (("red-1", 0.01),), np.zeros((4, 2), np.float32), 0.0,
                absorbed=share)  # fmt: skip


GREY = np.full((72, 128, 3), 90, np.uint8)
KNOWN = LabelledPicture(GREY, ("red-7", "red-8", "orange-7"), tile_set("rummikub"), (900.0, 600.0))


def machine(root: Path, files: dict[str, str] | None = None, says: dict[str, str] | None = None) -> Machine:
    """A Pi 4 with these files, whose commands, by their first words, say this."""
    for path, text in {"proc/device-tree/model": PI, **(files or {})}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)

    def ask(command: Sequence[str]) -> str | None:
        return next((text for start, text in (says or {}).items() if " ".join(command).startswith(start)), None)

    return Machine(root, ask, lambda: datetime(2026, 11, 1, 20, tzinfo=UTC), lambda: 1.0)


def bench(root: Path, clock: Clock | None = None, camera: Any = None, **changed: Any) -> Bench:
    """A bench on a Pi at which all is well; `changed` replaces parts."""
    ticking = clock or Clock()
    pins = PinMap()
    box = changed.pop("machine", None) or machine(root)
    parts = Bench(
        settings=Settings(), pins=pins, machine=box, folder=root, hands=Helper(), now=ticking,
        wait=ticking.wait, holder=lambda: None, camera=lambda _settings: camera or Pictures([GREY], ticking),
        panel=lambda on_edge: RecordingPanel(pins, ticking, on_edge),
        reader=lambda _threads: Reads(KNOWN.tiles, ticking), full_table=lambda: KNOWN, effort=SMALL,
    )  # fmt: skip
    return replace(parts, **changed)


def with_camera(kind: str) -> Settings:
    return replace(Settings(), camera=replace(CameraSettings(), kind=kind))


class Busy(RecordingPanel):
    """A panel on whose contacts something happens whenever it shows something else."""

    def __init__(self, pins: PinMap, clock: Clock, on_edge: OnEdge, happens: Callable[["Busy"], None]) -> None:
        super().__init__(pins, clock, on_edge)
        self._happens = happens

    def show(self, lights: Any) -> None:
        super().show(lights)
        self._happens(self)
