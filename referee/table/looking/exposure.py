"""The exposure of the camera during a match: it is adjusted between looks, and varied for single pictures.

All of this is called in the worker's thread, like everything that uses the camera. A camera whose exposure cannot be
set is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from referee.devices.camera.camera import Camera, Exposing
from referee.vision.exposure import better, whites
from referee.vision.sighting import Image, Sighting

SAME = 0.05
"""Two factors count as equal if they differ by less than this share. Chosen by hand."""


class Exposure:
    """The exposure of one camera, as a factor of its exposure when it was opened."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera if isinstance(camera, Exposing) else None
        self._factor = self._wanted = 1.0
        self._limits = (0.0, float("inf"))
        """The factors below and above which the camera has failed to go."""
        self._tried = False

    @property
    def is_due(self) -> bool:
        """Whether another exposure is to be set as soon as no look is under way."""
        low, high = self._limits
        changed = abs(self._wanted - self._factor) > SAME * self._factor
        return self._camera is not None and changed and low < self._wanted < high

    @property
    def is_out_of_reach(self) -> bool:
        """Whether a better exposure is known that the camera cannot set."""
        low, high = self._limits
        far = abs(self._wanted - self._factor) > SAME * self._factor
        return self._camera is not None and far and not low < self._wanted < high

    @property
    def factor(self) -> float:
        """The exposure in use, as a factor of the exposure when the camera was opened."""
        return self._factor

    def anew(self) -> None:
        """Start again from factor 1, after the camera has measured the light."""
        self._factor = self._wanted = 1.0
        self._limits = (0.0, float("inf"))

    def scale_light(self, factor: float) -> bool:
        """Set this factor from now on; return whether the camera can do so."""
        if self._camera is None or not self._camera.expose(factor):
            return False
        self._factor = self._wanted = factor
        return True

    def learn_from(self, picture: Image, sighting: Sighting, table_mm: tuple[float, float]) -> None:
        """Determine from a picture taken with the usual exposure whether the exposure should be changed."""
        if self._camera is not None and (found := whites(picture, sighting, table_mm)) is not None:
            self._wanted = better(found, self._factor)

    def settle(self) -> bool:
        """Apply the change that the last picture calls for; return whether there was one. Not during a look."""
        if self._camera is None or not self.is_due:
            return False
        if self._camera.expose(self._wanted):
            self._factor = self._wanted
            return True
        low, high = self._limits
        self._limits = (low, self._wanted) if self._wanted > self._factor else (self._wanted, high)
        return False

    @contextmanager
    def restore_after(self) -> Iterator[None]:
        """Return a context that restores the exposure at its end if `times` has changed it."""
        self._tried = False
        try:
            yield
        finally:
            if self._tried and self._camera is not None:
                self._tried = False
                self._camera.expose(self._factor)

    def times(self, factor: float) -> bool:
        """Take the next pictures with `factor` times the usual light; return whether the camera can do so.

        To be called only within `restore_after`.
        """
        if self._camera is None:
            return False
        self._tried = True
        return self._camera.expose(self._factor * factor)
