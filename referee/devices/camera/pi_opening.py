"""Opening picamera2 with a tuning that adjusts nothing by itself, and what its errors mean.

It has few classes of its own: nearly everything is a RuntimeError, and the reason may stand in its cause.

Even with exposure, gain and colour locked, libcamera's own tuning adapts the tone curve to each picture's histogram
and the lens shading to its colours. Both would make one ink look different from one turn to the next. They are
switched off in a copy of the tuning; where picamera2, libcamera or the sensor know no such tuning, everything stays as
it is.
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
"""Where libcamera looks for another tuning than its own, when it enumerates cameras."""
STILL = {"rpi.contrast": {"ce_enable": 0}, "rpi.alsc": {"n_iter": 0}}
"""No tone curve of each picture's own; of the lens shading only what the colour temperature asks for."""

_log = logging.getLogger(__name__)


def without_adaptation(tuning: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a tuning in which nothing adapts to the pictures; None for one of another form."""
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
    """Return the adaptation-free tuning for a sensor, by picamera2's class; None where there is none."""
    try:
        return without_adaptation(kind.load_tuning_file(f"{model}.json"))
    except (AttributeError, OSError, RuntimeError, TypeError, ValueError) as error:
        _log.info("camera: no tuning for %s: %s", model, error)
        return None


@contextmanager
def in_use(kind: Any, model: str) -> Iterator[str | None]:
    """A context in which a camera is opened: the path of its tuning without adaptation, for picamera2's `tuning`.

    None: its usual one. libcamera reads it while it enumerates cameras, so it is made to do that again. The file is
    deleted afterwards, and so must the variable be: with a path to nothing libcamera finds no camera at all.
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
    """Let libcamera use its own tuning from now on."""
    os.environ.pop(VARIABLE, None)


OLDEST = "0.3.22"
"""The first version in which a capture has a timeout and a camera that hangs can be closed."""
FAULTS = (ImportError, RuntimeError, OSError, LookupError, TypeError, ValueError, AttributeError, CancelledError)
"""What picamera2, libcamera and the libraries below them have been seen to raise."""

NONE_THERE = Notice("camera.pi_absent")
WEBCAM_ONLY = Notice("camera.pi_usb_only")
STUCK = Notice("camera.stuck")
ABSENT = ("no camera number", "camera(s) not found", "no such device")
USB = "/usb"
"""Part of the identity that libcamera gives a webcam."""
BUSY = ("busy", "in use", "acquire")
"""Words of picamera2 and libcamera, whose errors carry no numbers."""


def open_picamera2() -> Any:
    """Open the first camera at the Pi's connector; raises CameraLost where there is none."""
    try:
        from picamera2 import Picamera2  # exists on the Pi only
    except FAULTS as error:
        raise explain_error(error) from error
    if not hasattr(Picamera2, "cancel_all_and_flush"):
        raise CameraLost(_too_old(), Loss.UNUSABLE)
    # Asked first because every attempt that fails costs a file descriptor.
    forget()
    found = Picamera2.global_camera_info()
    own = [one for one in found if USB not in str(one.get("Id", ""))]  # those that picamera2 puts first
    if not own:
        raise CameraLost(WEBCAM_ONLY if found else NONE_THERE, Loss.ABSENT)
    model = str(own[0].get("Model", "")) if len(own) == 1 else ""  # one tuning is for one sensor
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
    """Return what an error means, in one line that says what to do."""
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
    """Release what a failed construction has left: close() does nothing for a camera that never opened."""
    closes = bool(getattr(device, "is_open", False))
    try:
        device.close()
    except FAULTS:
        closes = False
    pipe = getattr(device, "notifyme_w", None)
    if pipe is not None and not closes:
        with contextlib.suppress(OSError):
            os.close(pipe)
