"""What the real picamera2 and libcamera are called and take, for the double to be held against."""

import inspect

import libcamera
from errand import picamera2, tell
from imx708 import LIMITS
from picamera2.request import CompletedRequest

Picamera2 = picamera2.Picamera2


def parameters(kind):
    """Every method of a class with its parameters; None stands for any."""
    found = {}
    for name, method in inspect.getmembers(kind, callable):
        try:
            taken = inspect.signature(method).parameters.values()
        except (TypeError, ValueError):
            continue
        any_name = any(one.kind is one.VAR_KEYWORD for one in taken)
        found[name] = None if any_name else [one.name for one in taken]
    return found


tell(
    camera=parameters(Picamera2),
    request=parameters(CompletedRequest),
    attributes=[name for name in ("camera_controls", "camera_properties") if hasattr(Picamera2, name)],
    controls={name: getattr(libcamera.controls, name).type.name for name in dir(libcamera.controls)
              if hasattr(getattr(libcamera.controls, name), "type")},
    limits=LIMITS,
    info=sorted(Picamera2.global_camera_info()[0]),
)  # fmt: skip
