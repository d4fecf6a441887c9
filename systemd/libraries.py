"""Load every library of the referee as the service will: with no memory that can be written and run.

Says only what the installer should tell: a library that loads only without that restriction, or not at all. The exit
code is 1 where the referee cannot do without it.
"""

import contextlib
import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

NEEDED = ("numpy", "cv2", "onnxruntime", "gpiozero", "lgpio")
FOR_ITS_CAMERA = ("libcamera", "picamera2")
"""Whoever has a USB camera does without."""
PR_SET_MDWE, PR_GET_MDWE, REFUSE_GAIN = 65, 66, 1
"""prctl(2): what MemoryDenyWriteExecute= of systemd asks of the kernel, from Linux 6.3 on."""
SECONDS = 120
LOADED = "loaded "


def confine() -> None:
    """Forbid this process what the service forbids."""
    ctypes.CDLL(None).prctl(PR_SET_MDWE, REFUSE_GAIN, 0, 0, 0)


def load_all(names: Sequence[str]) -> None:
    """Load one library after the other, and print the name of each that has been loaded."""
    for name in names:
        with contextlib.suppress(Exception):
            __import__(name)
            print(f"{LOADED}{name}", flush=True)  # at once, because the next one may end the process


def command_for(names: Sequence[str], *, confined: bool) -> list[str]:
    """Return the command for a process that loads libraries."""
    return [sys.executable, str(Path(__file__).resolve()), *names, *(["--confined"] if confined else [])]


def loaded_together(names: Sequence[str], *, confined: bool) -> set[str]:
    """Return those that load in one process, as in the service.

    To start Python for each of them takes longer than to load them.
    """
    command = command_for(names, confined=confined)
    with tempfile.TemporaryFile("w+", errors="replace") as told:
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(command, stdout=told, stderr=subprocess.DEVNULL, check=False, timeout=SECONDS)  # noqa: S603
        told.seek(0)
        lines = set(told.read().splitlines())
    return {name for name in names if f"{LOADED}{name}" in lines}


def reason(name: str, *, confined: bool) -> str | None:
    """Why a library does not load in a process of its own; None if it does."""
    try:
        done = subprocess.run(  # noqa: S603
            command_for([name], confined=confined),
            capture_output=True, text=True, errors="replace", check=False, timeout=SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"not done within {SECONDS} s"
    last = (done.stderr.strip().splitlines() or [""])[-1]
    return None if done.returncode == 0 else last or f"ended with {done.returncode}"


def can_confine() -> bool:
    """Whether this kernel knows the restriction."""
    return bool(ctypes.CDLL(None).prctl(PR_GET_MDWE, 0, 0, 0, 0) >= 0)


def main() -> int:
    """Try them all."""
    failed = 0
    if not (confined := can_confine()):
        print("  not tried as confined as the service: that takes a kernel from 6.3 on")
    # lgpio makes a pipe wherever it is loaded: not in the checkout.
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        os.chdir(folder)
        together = loaded_together((*NEEDED, *FOR_ITS_CAMERA), confined=confined)
        names = [name for name in (*NEEDED, *FOR_ITS_CAMERA) if name not in together]
        for name, failed_as in zip(names, pool.map(partial(reason, confined=confined), names), strict=True):
            if failed_as is None:
                continue
            if (why := reason(name, confined=False)) is None:
                print(f"  note: {name} needs MemoryDenyWriteExecute=no; systemd/README.md says where to set it")
            elif name in NEEDED:
                failed = 1
                print(f"  {name} does not load: {why}")
            else:
                print(f"  note: {name} does not load, so that the Pi's own camera will not work: {why}")
        os.chdir("/")
    return failed


if __name__ == "__main__":
    chosen = [word for word in sys.argv[1:] if word != "--confined"]
    if "--confined" in sys.argv:
        confine()
    if len(chosen) > 1:
        load_all(chosen)
    elif chosen:
        __import__(chosen[0])
    else:
        sys.exit(main())
