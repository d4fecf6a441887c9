"""Detects threads that sleep inside the kernel and cannot be woken, not even by SIGKILL.

With a Pi 4 this happens now and then when the camera's stream is stopped (picamera2 #1275). A referee that is started
again then finds the camera in use by a process that cannot end. Only a reboot, or pulling the plug, frees the camera.

So the Pi is rebooted then: this is the only fault that nothing else can fix without a person at the machine.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROC = Path("/proc")
DEVICES = ("/dev/video", "/dev/media", "/dev/v4l")
CAMERA = ("vb2", "v4l", "video", "unicam", "isp", "cfe", "csi", "vchi", "mmal", "media")
"""Parts of the names of kernel functions in which a thread waits for a camera."""
UNKNOWN = ("", "0")
"""What a kernel that hides these names shows instead."""
COMMAND = ("systemctl", "--no-block", "--no-ask-password", "reboot")
WITHIN_S = 10.0


@dataclass(frozen=True, slots=True)
class Sleeper:
    """A thread that sleeps and cannot be woken.

    `switches` is how many context switches it has had, and `waits_in` the kernel function in which it waits.
    """

    thread: int
    switches: int
    waits_in: str

    @property
    def for_a_camera(self) -> bool:
        """Whether the thread may be waiting for a camera. A slow disk makes threads sleep in the same way."""
        return self.waits_in in UNKNOWN or any(part in self.waits_in for part in CAMERA)


def sleepers(process: Path = PROC / "self") -> frozenset[Sleeper]:
    """Return the threads of a process that sleep and cannot be woken now.

    A thread that is found again with the same number of switches has not woken up in between.
    """
    return frozenset(_sleepers(process))


def _sleepers(process: Path) -> Iterator[Sleeper]:
    for task in _entries(process / "task"):
        status = _status(task)
        if status.get("State", "").startswith("D"):
            switches = status.get("voluntary_ctxt_switches", "0")
            yield Sleeper(int(task.name), int(switches) if switches.isdigit() else 0, _text(task / "wchan"))


def holds_a_camera(proc: Path = PROC, own: int | None = None) -> int | None:
    """Return the number of another process that has a camera open and cannot be woken; None if none is found."""
    own = os.getpid() if own is None else own
    for process in _entries(proc):
        if not process.name.isdigit() or int(process.name) == own:
            continue
        for sleeper in sleepers(process):
            if sleeper.for_a_camera and _has_a_camera(process / "task" / str(sleeper.thread) / "fd"):
                return int(process.name)
    return None


def _has_a_camera(descriptors: Path) -> bool:
    for one in _entries(descriptors):
        try:
            if str(one.readlink()).startswith(DEVICES):
                return True
        except OSError:
            continue
    return False


def _status(task: Path) -> Mapping[str, str]:
    lines = (line.partition(":") for line in _text(task / "status").splitlines())
    return {name: value.strip() for name, _, value in lines}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:  # the thread has ended meanwhile, or belongs to another user
        return ""


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def reboot(run: Callable[..., Any] = subprocess.run) -> str | None:
    """Ask systemd for a reboot; return None if it agrees, or else the reason why not."""
    try:
        done = run(COMMAND, capture_output=True, text=True, timeout=WITHIN_S, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    if done.returncode == 0:
        return None
    return " ".join((done.stderr or f"exit code {done.returncode}").split())
