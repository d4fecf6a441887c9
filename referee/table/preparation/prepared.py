"""What somebody at a screen sees of the preparations before a match: camera, panel, the box being enrolled.

The camera's picture is shown with what is missing in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from referee.devices.panel.self_test import SelfTestStep
from referee.errors import RefereeError
from referee.game.notice import Notice, told_by
from referee.game.tiles import TileSet
from referee.vision.sighting import Floats, Image

Outline = tuple[tuple[float, float], ...]
"""The corners (x, y) of a tile in parts of its picture, 0 to 1."""
EVERY_S = 1.0
"""However many look, a picture is taken no more often."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing about the camera's picture: how bad it is (ok, attention, wrong, skipped), and what to do."""

    level: str
    found: Notice
    do: Notice | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Inspection:
    """What a picture tells: remarks, and outlines of the markers by number and of mirrored lamps, (n, 2).

    Places are in parts of the picture, 0 to 1; `picture` is the same one, small enough for a screen.
    """

    remarks: tuple[Remark, ...]
    picture: Image | None = None
    markers: Mapping[int, Floats] = field(default_factory=dict)
    lamps: tuple[Floats, ...] = ()


@dataclass(frozen=True, slots=True)
class CameraView:
    """What a picture tells that somebody looks at."""

    number: int
    seen: Inspection


@dataclass(frozen=True, slots=True)
class PanelTried:
    """The test of the panel: everything there is to try, what is tried now, and which contacts were pressed."""

    steps: tuple[SelfTestStep, ...]
    now: str | None
    pressed: frozenset[str] = frozenset()
    kind: str = "gpio"
    """Of the panel, as in the settings."""


@dataclass(frozen=True, slots=True, eq=False)
class PictureKept:
    """One picture of an enrolment, as a JPEG, with a crop of every tile and of whatever was passed over.

    `size_px` is its width and height; `outlines` has the tiles, and after them what was passed over. No two pictures
    of a table have the same `number`.
    """

    jpeg: bytes
    size_px: tuple[int, int]
    crops: tuple[Image, ...] = ()
    passed: tuple[Image, ...] = ()
    outlines: tuple[Outline, ...] = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class TileShown:
    """A tile in a picture of the enrolment, and what it is taken for; `asked`: likely names of one in question.

    `passed`: what was taken for no tile, the `read`-th of those of its picture.
    """

    batch: int
    read: int
    name: str
    doubtful: bool
    outline: Outline
    asked: tuple[str, ...] = ()
    passed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class BoxShown:
    """An enrolment as it stands. `sheet` counts pictures and everything that gives its tiles other places."""

    tileset: TileSet
    under_way: bool
    busy: bool
    pictures: int
    told: Notice | None
    well: bool
    left: Notice | None
    sheet: int
    tiles: tuple[TileShown, ...] = ()
    crops: tuple[Image, ...] = ()
    """One of each of the tiles, all of one size."""
    kept: tuple[PictureKept, ...] = ()
    """The pictures that count, in their order."""


@dataclass(frozen=True, slots=True)
class LensShown:
    """A calibration of the lens as it stands; `grid`: in which fields of the picture, by rows, the sheet was seen."""

    under_way: bool
    busy: bool
    pictures: int
    told: Notice | None
    well: bool
    left: Notice | None
    grid: tuple[tuple[bool, ...], ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """All of it; None: nobody has asked for that."""

    view: CameraView | None = None
    panel: PanelTried | None = None
    box: BoxShown | None = None
    lens: LensShown | None = None


Inspect = Callable[[Image], Inspection]


@dataclass(frozen=True, slots=True)
class Viewed:
    """What the worker brings of one look through the camera."""

    seen: Inspection


def look_through(frame: Callable[[], Image], inspect: Inspect) -> Viewed:
    """Look through the camera; belongs into the worker's thread, and raises nothing: what went wrong is a remark."""
    try:
        return Viewed(inspect(frame()))
    except RefereeError as error:
        return Viewed(Inspection((Remark("wrong", told_by(error)),)))
    except Exception as error:  # noqa: BLE001 - nobody's match ends because somebody looks at a picture
        why = f"{type(error).__name__}: {error}"
        return Viewed(Inspection((Remark("wrong", Notice("play.stumbled_over", error=why)),)))
