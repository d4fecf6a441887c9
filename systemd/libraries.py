"""Load every library of the referee as the service will: with no memory that can be written and run.

Says only what the installer should tell: a library that loads only without that restriction, or not at all. The exit
code is 1 where the referee cannot do without it.
"""

import ctypes
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

NEEDED = ("numpy", "cv2", "onnxruntime", "gpiozero", "lgpio")
FOR_ITS_CAMERA = ("libcamera", "picamera2")
"""Whoever has a USB camera does without."""
PR_SET_MDWE, PR_GET_MDWE, REFUSE_GAIN = 65, 66, 1
"""prctl(2): what MemoryDenyWriteExecute= of systemd asks of the kernel, from Linux 6.3 on."""
SECONDS = 120


def load(name: str, *, confined: bool) -> None:
    """What a process of its own does."""
    if confined:
        ctypes.CDLL(None).prctl(PR_SET_MDWE, REFUSE_GAIN, 0, 0, 0)
    __import__(name)


def reason(name: str, *, confined: bool) -> str | None:
    """Why a library does not load; None if it does."""
    command = [sys.executable, str(Path(__file__).resolve()), name, *(["--confined"] if confined else [])]
    try:
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, errors="replace", check=False, timeout=SECONDS
        )
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
        names = (*NEEDED, *FOR_ITS_CAMERA)
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
    if len(sys.argv) > 1:
        load(sys.argv[1], confined="--confined" in sys.argv)
    else:
        sys.exit(main())
