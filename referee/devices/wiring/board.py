"""Which machine this is: only a Raspberry Pi has the header that the panel is wired to."""

from __future__ import annotations

from pathlib import Path

MODEL = Path("/proc/device-tree/model")


def has_header(model: Path = MODEL) -> bool:
    """Whether this is a Raspberry Pi."""
    try:
        return b"raspberry pi" in model.read_bytes().lower()
    except OSError:
        return False
