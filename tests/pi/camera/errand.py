"""What every errand in the root shares: the facts it brings back are the last line that it says."""

import gc
import json
import logging
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from real_picamera2 import picamera2, sensor

from referee.devices.camera.pi_camera import PiCamera
from referee.devices.camera.pi_settings import PiSettings

logging.basicConfig(level=logging.WARNING)
__all__ = ["PiCamera", "PiSettings", "held", "picamera2", "sensor", "tell", "values"]


def tell(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


def held() -> dict[str, int]:
    """Threads and descriptors of this process, those by what they lead to."""
    gc.collect()
    found: Counter[str] = Counter()
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            leads = str(descriptor.readlink())
        except OSError:  # the folder's own
            continue
        found[leads.split(":")[0] if leads.startswith(("socket", "pipe")) else leads] += 1
    return {**found, "threads": threading.active_count()}


def values(controls: Any) -> dict[str, Any]:
    """Controls as JSON gives them back."""
    return json.loads(json.dumps(dict(controls)))
