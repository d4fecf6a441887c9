"""What a screen shows of the preparations before a match: the camera's view, the panel, the box being enrolled.

The camera's picture is shown together with remarks on what is wrong with it.
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
"""The corners (x, y) of a tile as parts of its picture, 0 to 1."""
EVERY_S = 1.0
"""Seconds between two pictures, at least, however many people are looking."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on the camera's picture: how bad it is (ok, attention, wrong, skipped), and what to do about it."""

    level: str
    found: Notice
    do: Notice | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Inspection:
    """The result of inspecting a picture: remarks, and outlines (n, 2) of the markers by id and of mirrored lamps.

    Coordinates are parts of the picture, 0 to 1; `picture` is a copy of it, small enough for a screen.
    """

    remarks: tuple[Remark, ...]
    picture: Image | None = None
    markers: Mapping[int, Floats] = field(default_factory=dict)
    lamps: tuple[Floats, ...] = ()


@dataclass(frozen=True, slots=True)
class CameraView:
    """A numbered inspection of a picture that somebody looks at."""

    number: int
    seen: Inspection


@dataclass(frozen=True, slots=True)
class PanelTried:
    """The test of the panel: the parts that can be tested, the one under test, and the contacts that were pressed."""

    steps: tuple[SelfTestStep, ...]
    now: str | None
    pressed: frozenset[str] = frozenset()
    kind: str = "gpio"
    """The kind of panel, as in the settings."""


@dataclass(frozen=True, slots=True, eq=False)
class PictureKept:
    """A picture of an enrolment as a JPEG, with a crop of each tile and of everything that was taken for no tile.

    `size_px` is its width and height. `outlines` has the tiles first, then what was taken for no tile. Each picture of
    a table has its own `number`.
    """

    jpeg: bytes
    size_px: tuple[int, int]
    crops: tuple[Image, ...] = ()
    passed: tuple[Image, ...] = ()
    outlines: tuple[Outline, ...] = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class TileShown:
    """A tile in a picture of the enrolment with its name; `asked` has the likely names if it is asked about.

    `passed`: it was taken for no tile, and `read` is its index among those of its picture.
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
    """The state of an enrolment. `sheet` changes with the pictures, and whenever the indices of tiles change."""

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
    """One crop of each tile, all of one size."""
    kept: tuple[PictureKept, ...] = ()
    """The pictures that count, in order."""


@dataclass(frozen=True, slots=True)
class LensShown:
    """The state of a calibration of the lens; `grid`: whether each field of the picture is covered, row by row."""

    under_way: bool
    busy: bool
    pictures: int
    told: Notice | None
    well: bool
    left: Notice | None
    grid: tuple[tuple[bool, ...], ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that is shown of the preparations; None: nobody has asked for that part."""

    view: CameraView | None = None
    panel: PanelTried | None = None
    box: BoxShown | None = None
    lens: LensShown | None = None


Inspect = Callable[[Image], Inspection]


@dataclass(frozen=True, slots=True)
class Viewed:
    """The result of one view through the camera, as the worker returns it."""

    seen: Inspection


def look_through(frame: Callable[[], Image], inspect: Inspect) -> Viewed:
    """Take and inspect a picture, in the worker's thread. Raises nothing: an error becomes a remark."""
    try:
        return Viewed(inspect(frame()))
    except RefereeError as error:
        return Viewed(Inspection((Remark("wrong", told_by(error)),)))
    except Exception as error:  # noqa: BLE001 - a view of the camera must not end the program
        why = f"{type(error).__name__}: {error}"
        return Viewed(Inspection((Remark("wrong", Notice("play.stumbled_over", error=why)),)))
