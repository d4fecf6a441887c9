"""Opens picamera2 with a tuning that does not adapt to the pictures, and explains its errors.

picamera2 has few error classes of its own: nearly every error is a RuntimeError, and its reason may be in its cause.

Even if exposure, gain and colours are locked, libcamera's own tuning adapts the tone curve to the histogram of each
picture, and the lens shading to its colours. Both would make the same ink look different from one turn to the next. So
they are switched off in a copy of the tuning. If picamera2, libcamera or the sensor has no such tuning, nothing is
changed.
"""

from __future__ import annotations

import contextlib
import copy
import errno
import importlib.metadata
import json
import logging
import os
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee.devices.camera.kernel_sleep import holds_a_camera
from referee.errors import CameraLost, Loss
from referee.game.notice import Notice

VARIABLE = "LIBCAMERA_RPI_TUNING_FILE"
"""The environment variable with the path of another tuning file, which libcamera reads when it enumerates cameras."""
STILL = {"rpi.contrast": {"ce_enable": 0}, "rpi.alsc": {"n_iter": 0}}
"""Switches off the tone curve of each picture, and all of the lens shading but what depends on the colour
temperature."""

_log = logging.getLogger(__name__)


def without_adaptation(tuning: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a tuning in which nothing adapts to the pictures; None if the tuning has another form."""
    changed = copy.deepcopy(dict(tuning))
    algorithms = changed.get("algorithms")
    if not isinstance(algorithms, list):
        return None
    known = 0
    for algorithm in algorithms:
        for name, values in STILL.items():
            if isinstance(algorithm, dict) and isinstance(algorithm.get(name), dict):
                algorithm[name] |= values
                known += 1
    return changed if known else None


def tuning_of(kind: Any, model: str) -> dict[str, Any] | None:
    """Return the tuning without adaptation for a sensor, from picamera2's class `kind`; None if there is none."""
    try:
        return without_adaptation(kind.load_tuning_file(f"{model}.json"))
    except (AttributeError, OSError, RuntimeError, TypeError, ValueError) as error:
        _log.info("camera: no tuning for %s: %s", model, error)
        return None


@contextmanager
def in_use(kind: Any, model: str) -> Iterator[str | None]:
    """Return a context manager. While it is active, cameras are opened with the tuning without adaptation.

    Its value is the path of that tuning, for the argument `tuning` of picamera2; None stands for the usual tuning.
    libcamera reads the file while it enumerates cameras, so it is made to enumerate them again. At the end the file is
    deleted. The environment variable must be deleted as well: if it named a missing file, libcamera would find no
    camera at all.
    """
    tuning = tuning_of(kind, model) if model else None
    manager: Any = getattr(kind, "_cm", None)
    if tuning is None or not hasattr(manager, "reset") or getattr(manager, "cameras", None):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="referee-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / f"{model}.json"
        path.write_text(json.dumps(tuning), encoding="utf-8")
        os.environ[VARIABLE] = str(path)
        try:
            manager.reset()
            yield str(path)
        finally:
            forget()


def forget() -> None:
    """Make libcamera use its own tuning from now on."""
    os.environ.pop(VARIABLE, None)


OLDEST = "0.3.22"
"""The oldest version that can be used: the first in which a capture has a timeout and a camera that hangs can be
closed."""
FAULTS = (ImportError, RuntimeError, OSError, LookupError, TypeError, ValueError, AttributeError, CancelledError)
"""The errors that picamera2, libcamera and the libraries below them have been seen to raise."""

NONE_THERE = Notice("camera.pi_absent")
WEBCAM_ONLY = Notice("camera.pi_usb_only")
STUCK = Notice("camera.stuck")
ABSENT = ("no camera number", "camera(s) not found", "no such device")
USB = "/usb"
"""A part of the identifier that libcamera gives to a webcam."""
BUSY = ("busy", "in use", "acquire")
"""Words in the errors of picamera2 and libcamera, which have no error numbers."""


def open_picamera2() -> Any:
    """Open the first camera at the Pi's connector; raises CameraLost if there is none."""
    try:
        from picamera2 import Picamera2  # exists on the Pi only
    except FAULTS as error:
        raise explain_error(error) from error
    if not hasattr(Picamera2, "cancel_all_and_flush"):
        raise CameraLost(_too_old(), Loss.UNUSABLE)
    # This is checked first, because every failed attempt leaks a file descriptor.
    forget()
    found = Picamera2.global_camera_info()
    own = [one for one in found if USB not in str(one.get("Id", ""))]  # picamera2 puts these first
    if not own:
        raise CameraLost(WEBCAM_ONLY if found else NONE_THERE, Loss.ABSENT)
    model = str(own[0].get("Model", "")) if len(own) == 1 else ""  # a tuning is for one sensor only
    with in_use(Picamera2, model) as tuning:
        return _build_device(Picamera2, tuning)


def _build_device(kind: Any, tuning: str | None) -> Any:
    device = kind.__new__(kind)
    try:
        device.__init__(tuning=tuning)
    except BaseException as error:  # also Ctrl-C: the half-built camera keeps its threads and its pipe
        _release_device(device)
        if isinstance(error, FAULTS) and _kind(error) is Loss.BUSY and holds_a_camera() is not None:
            raise CameraLost(STUCK, Loss.STUCK) from error
        raise
    return device


def explain_error(error: BaseException) -> CameraLost:
    """Return the CameraLost that says in one line what an error means, and what to do."""
    if isinstance(error, CameraLost):
        return error
    first = tuple(_chain(error))[-1]
    reason = " ".join(str(first).split()) or type(first).__name__
    kind = _kind(error)
    match kind:
        case Loss.UNUSABLE if isinstance(error, ImportError):
            itself = getattr(error, "name", None) in (None, "picamera2")
            told = Notice("camera.no_picamera2") if itself else Notice("camera.no_picamera2_because", reason=reason)
        case Loss.UNUSABLE:
            told = Notice("camera.wrong_numpy", reason=reason)
        case Loss.SILENT:
            told = Notice("camera.pi_silent")
        case Loss.ABSENT:
            told = NONE_THERE
        case Loss.STUCK:
            told = STUCK
        case Loss.BUSY:
            told = Notice("camera.pi_busy", reason=reason)
        case Loss.LOST:
            name = "" if isinstance(first, RuntimeError | OSError) else f"{type(first).__name__}: "
            told = Notice("camera.pi_lost", reason=name + reason)
    return CameraLost(told, kind)


def _kind(error: BaseException) -> Loss:
    chain = tuple(_chain(error))
    words = " ".join(map(str, chain)).lower()
    if isinstance(error, ImportError) or "numpy.dtype size changed" in words:
        return Loss.UNUSABLE
    if isinstance(error, TimeoutError):
        return Loss.SILENT
    if any(isinstance(one, IndexError) for one in chain) or any(word in words for word in ABSENT):
        return Loss.ABSENT
    if any(getattr(one, "errno", None) == errno.EBUSY for one in chain) or any(word in words for word in BUSY):
        return Loss.BUSY
    return Loss.LOST


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the error, its cause, and so on: some versions of picamera2 set a cause, others only a context."""
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        yield at
        at = at.__cause__ or at.__context__


def _too_old() -> Notice:
    try:
        found = importlib.metadata.version("picamera2")
    except importlib.metadata.PackageNotFoundError:
        return Notice("camera.picamera2_unknown", oldest=OLDEST)
    return Notice("camera.picamera2_too_old", oldest=OLDEST, found=found)


def _release_device(device: Any) -> None:
    """Release what a failed construction has left; close() does nothing for a camera that was never opened."""
    closes = bool(getattr(device, "is_open", False))
    try:
        device.close()
    except FAULTS:
        closes = False
    pipe = getattr(device, "notifyme_w", None)
    if pipe is not None and not closes:
        with contextlib.suppress(OSError):
            os.close(pipe)
