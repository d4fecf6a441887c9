"""What the Pi's camera keeps adjusting although exposure, gain and colour are locked, and how to stop that.

libcamera's own tuning adapts the tone curve to each picture's histogram and the lens shading to its colours. Both
would make one ink look different from one turn to the next. They are switched off in a copy of the tuning; where
picamera2, libcamera or the sensor know no such tuning, everything stays as it is.
"""

from __future__ import annotations

import copy
import json
import logging
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
