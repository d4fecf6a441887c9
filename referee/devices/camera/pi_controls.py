"""Numbers and units of libcamera's controls and metadata, as far as the Pi's camera is told or asked them.

Held against libcamera itself wherever that can be imported: tests/devices/camera/test_picamera2_contract.py.
"""

from __future__ import annotations

AF_MANUAL, AF_AUTO = 0, 1
"""AfMode: the lens stays where it is told, or scans when it is told to."""
AF_START = 0
"""AfTrigger: begin a scan."""
AF_BY_WINDOWS = 1
"""AfMetering: what AfWindows name, instead of the middle of the picture."""
AF_FOCUSED, AF_FAILED = 2, 3
"""AfState once a scan is over; it stays until the next one. Idle is 0, scanning 1."""
AE_HIGHLIGHT = 1
"""AeConstraintMode: bright parts must not be clipped, though all else gets darker."""

ENUMS = {
    "AfModeEnum": {"Manual": AF_MANUAL, "Auto": AF_AUTO},
    "AfTriggerEnum": {"Start": AF_START},
    "AfMeteringEnum": {"Windows": AF_BY_WINDOWS},
    "AfStateEnum": {"Focused": AF_FOCUSED, "Failed": AF_FAILED},
    "AeConstraintModeEnum": {"Highlight": AE_HIGHLIGHT},
}
"""What libcamera's Python module calls them."""

SET = (
    "AeConstraintMode", "AeEnable", "AfMetering", "AfMode", "AfTrigger", "AfWindows", "AnalogueGain", "AwbEnable",
    "ColourGains", "ExposureTime", "FrameDurationLimits", "LensPosition",
)  # fmt: skip
"""Every control that the adapter sets."""
FOCUSING = ("AfMetering", "AfMode", "AfTrigger", "AfWindows", "LensPosition")
"""Those that only a module with a focus motor has."""
READ = (
    "AfState", "AnalogueGain", "ColourGains", "ExposureTime", "FrameDuration", "LensPosition", "ScalerCrop",
    "SensorTimestamp",
)  # fmt: skip
"""Every field of metadata that it reads."""
