"""Adjusts light and focus while nobody's turn runs, by the white paper around the markers.

A camera that was opened in the dark, or hours ago in daylight, has measured the wrong light. So it measures again when
a rest begins (the lobby, or the time between rounds) and whenever the light changes during a rest. Then the exposure
is corrected by the white paper around the markers, because on a dark cloth the camera's own measurement overexposes
white. The focus is refined on the markers once the light is right. During a round, the exposure is corrected by the
paper as the round begins; light is measured again only if a look has found the picture too dark or too bright.

To be used in the worker's thread; only `set_rest` is called in the loop's.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from referee.devices.camera.camera import Camera, Flaw, Gray, Place, Settling
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.table.looking.exposure import Exposure
from referee.vision.exposure import Whites, brought_right, is_dark, paper_of
from referee.vision.geometry.markers import IDS, find_markers
from referee.vision.sighting import Image

AGAIN_S, SELDOM_S = 1.0, 5.0
"""Seconds between two attempts if something has changed in the meantime, and if nothing has."""
MEASURED_S = 30.0
"""Seconds between two measurements of the light during a round, at least: somebody may cover the lamp for a moment."""
STEPS = 4
"""The most steps for correcting the exposure; the first two do nearly all of it."""
OTHER_LIGHT, LEVELS = 0.25, 6.0
"""The light has changed if the mean of the small picture has changed by this share and by this many levels."""
AROUND = 1.3
"""Size of the windows for focusing, in sides of the markers' squares: they include the edges of the paper."""
FEWEST = 2
"""The least number of markers for focusing."""
TOO_DARK = Notice("play.lamp_on")


class Rest(enum.Enum):
    """The kinds of rest: times in which nobody's turn runs."""

    NONE = enum.auto()
    BETWEEN = enum.auto()
    """Between two rounds."""
    LOBBY = enum.auto()
    """Before a match."""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """The result of an adjustment: notices for people, and whether pictures look different from now on."""

    told: tuple[Notice, ...] = ()
    changed: bool = False


class Preparing:
    """Adjusts one camera; does nothing if the camera cannot be adjusted."""

    def __init__(self, camera: Camera, exposure: Exposure, now: Callable[[], float]) -> None:
        self._all, self._camera = camera, camera if isinstance(camera, Settling) else None
        self._exposure, self._now = exposure, now
        self._rest, self._rested = Rest.NONE, Rest.NONE
        self._light_due = self._measure_due = self._focus_due = False
        self._measured = self._tried = -math.inf
        self._seen: tuple[float, int] | None = None
        """The mean level of the small picture, and the number of changes, at the last attempt."""
        self._places: tuple[Place, ...] = ()
        self._dark = False
        self._flaw: Flaw | None = None

    def set_rest(self, rest: Rest) -> None:
        """Set whether anybody's turn runs at the moment; may be called in another thread."""
        self._rest = rest

    def begin_round(self) -> None:
        """Note that a round begins: correct the exposure once more, but leave measured light and focus as they are."""
        self._light_due, self._measure_due, self._focus_due = True, False, False

    def wrong_light(self) -> None:
        """Note that a look found the picture too dark or too bright, and that exposure in steps does not help."""
        if self._now() - self._measured >= MEASURED_S:
            self._light_due = self._measure_due = True

    def step(self, preview: Gray, changes: int) -> Adjustment:
        """Do what is due, if anything; `preview` was just taken, `changes` counts how often anything has moved."""
        if self._camera is None:
            return Adjustment()
        rest, level = self._rest, float(preview.mean())
        if rest is not self._rested:
            self._rested = rest
            if rest is not Rest.NONE:
                self._light_due = self._measure_due = True
                self._focus_due = rest is Rest.LOBBY
        if rest is not Rest.NONE and self._seen is not None and _differ(level, self._seen[0]):
            self._light_due = self._measure_due = True
        if not self._should_try(level, changes):
            return Adjustment()
        self._tried = self._now()
        if self._light_due:
            return self._light(self._camera, changes)
        self._focus_due = False
        return self._focus(self._camera)

    def _should_try(self, level: float, changes: int) -> bool:
        """Return whether to try something now; what has failed is not repeated at once on the same picture."""
        if not self._light_due:
            return self._focus_due and self._rested is Rest.LOBBY and len(self._places) >= FEWEST
        same = self._seen is not None and self._seen[1] == changes and not _differ(level, self._seen[0])
        return self._measure_due or self._now() - self._tried >= (SELDOM_S if same else AGAIN_S)

    def _light(self, camera: Settling, changes: int) -> Adjustment:
        """Correct the light, as far as the paper around the markers allows."""
        measured = self._measure_due
        if measured:
            self._measure_due, self._measured = False, self._now()
            if not camera.measure():
                self._camera = None
                return Adjustment()
            self._exposure.anew()
        right, changed, picture = self._by_the_paper(measured=measured)
        if measured:
            camera.hold()
        self._seen = float(self._all.preview(self._now()).mean()), changes + (1 if changed else 0)
        self._light_due = not right
        told = self._darkness(dark=not right and is_dark(picture))
        return Adjustment(told, changed)

    def _by_the_paper(self, *, measured: bool) -> tuple[bool, bool, Image]:
        """Correct the exposure until the paper is white but not overexposed.

        Returns whether the paper is seen, whether anything has changed, and the last picture.
        """
        changed, tries = measured, set[float]()
        for _ in range(STEPS):
            picture, seen = self._take_picture()
            if seen is None:
                return False, changed, picture
            wanted = brought_right(seen, self._exposure.factor)
            if wanted == self._exposure.factor or wanted in tries:
                break
            tries.add(wanted)
            if not self._exposure.scale_light(wanted):
                break  # the camera can do no more: as good as it gets
            changed = True
        return True, changed, picture

    def _take_picture(self) -> tuple[Image, Whites | None]:
        """Return a picture, and how white the paper around its markers is; None if it shows no such paper."""
        picture = self._all.frame(self._now()).picture
        found = {i: corners for i, corners in find_markers(picture).items() if i in IDS}
        self._places = tuple(place_of(corners, picture.shape) for corners in found.values())
        return picture, paper_of(picture, found)

    def _focus(self, camera: Settling) -> Adjustment:
        flaw = camera.refocus(self._places)
        news = flaw is not None and flaw != self._flaw
        self._flaw = flaw
        return Adjustment((flaw.notice,) if flaw is not None and news else (), changed=True)

    def _darkness(self, *, dark: bool) -> tuple[Notice, ...]:
        told = (TOO_DARK,) if dark and not self._dark else ()
        self._dark = dark
        return told


def rest_of(phase: Phase) -> Rest:
    """Return the kind of rest in this phase."""
    return {Phase.LOBBY: Rest.LOBBY, Phase.BETWEEN: Rest.BETWEEN}.get(phase, Rest.NONE)


def place_of(corners: npt.NDArray[np.float32], shape: tuple[int, ...]) -> Place:
    """Return where a marker with these corners (4, 2) lies in a picture, including the edges of its paper."""
    height, width = shape[:2]
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    grown = (AROUND - 1) / 2
    x, y = left - grown * (right - left), top - grown * (bottom - top)
    wide, high = AROUND * (right - left), AROUND * (bottom - top)
    return Place(float(x) / width, float(y) / height, float(wide) / width, float(high) / height)


def _differ(level: float, before: float) -> bool:
    return abs(level - before) > max(LEVELS, OTHER_LIGHT * before)
