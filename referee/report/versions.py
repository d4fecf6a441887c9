"""The versions of the referee and of what it runs on; each is reduced to digits and letters of a known form."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from referee import __version__

LIBRARIES = (
    "numpy", "opencv-python-headless", "onnxruntime", "gpiozero", "lgpio", "picamera2", "typer", "rich", "starlette",
    "uvicorn", "jinja2", "itsdangerous", "segno", "luma.oled", "paho-mqtt", "scipy", "pi-heif",
)  # fmt: skip
_VERSION = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,4}){0,4}(?:(?:a|b|rc|\.post|\.dev)[0-9]{1,3})?")
_SYSTEM = re.compile(
    r'^(ID|VERSION_ID|VERSION_CODENAME)="?([a-z][a-z]{1,20}|[0-9]{1,2}(?:\.[0-9]{1,2})?)"?$', re.MULTILINE
)
_PI = re.compile(r"Raspberry Pi [0-9A-Za-z ]{1,20}(?:Rev [0-9.]{1,5})?")


def versions(root: Path = Path("/")) -> dict[str, object]:
    """Return the versions; files of the system are read below `root`."""
    libraries = {name: _version(_installed(name)) for name in LIBRARIES}
    return {
        "referee": _version(__version__),
        "python": _version(platform.python_version()),
        "machine": platform.machine() if platform.machine() in ("aarch64", "armv7l", "x86_64", "arm64") else "other",
        "model": (_PI.match(_text(root / "proc/device-tree/model")) or [""])[0].strip(),
        "kernel": (_VERSION.match(platform.release()) or [""])[0],
        "system": _system(_text(root / "etc/os-release")),
        "libraries": {name: found for name, found in libraries.items() if found},
    }


def _installed(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _version(text: str) -> str:
    """Return a version, without what somebody may have added to it, such as the name of a build."""
    return (_VERSION.match(text) or [""])[0]


def _system(text: str) -> Mapping[str, str]:
    return {match[1].lower(): match[2] for match in _SYSTEM.finditer(text)}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")[:4000]
    except OSError:
        return ""
