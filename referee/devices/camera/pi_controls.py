"""Numbers and units of libcamera's controls and metadata that the Pi's camera uses.

Compared with libcamera itself wherever that can be imported: tests/devices/camera/test_picamera2_contract.py.
"""

from __future__ import annotations

AF_MANUAL, AF_AUTO = 0, 1
"""AfMode: the lens stays where it is set, or scans when a scan is triggered."""
AF_START = 0
"""AfTrigger: begin a scan."""
AF_BY_WINDOWS = 1
"""AfMetering: by AfWindows instead of the middle of the picture."""
AF_FOCUSED, AF_FAILED = 2, 3
"""AfState once a scan is over; it stays until the next one. Idle is 0, scanning 1."""
AE_HIGHLIGHT = 1
"""AeConstraintMode: bright parts must not be clipped, even if all else gets darker."""

ENUMS = {
    "AfModeEnum": {"Manual": AF_MANUAL, "Auto": AF_AUTO},
    "AfTriggerEnum": {"Start": AF_START},
    "AfMeteringEnum": {"Windows": AF_BY_WINDOWS},
    "AfStateEnum": {"Focused": AF_FOCUSED, "Failed": AF_FAILED},
    "AeConstraintModeEnum": {"Highlight": AE_HIGHLIGHT},
}
"""Their names in libcamera's Python module."""

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
