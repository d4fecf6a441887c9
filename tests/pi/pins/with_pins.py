"""Runs a command that finds a Raspberry Pi's pins: the real lgpio, on a header in its own memory.

    python tests/pi/pins/with_pins.py python -m referee doctor --panel

No root is needed. lgpio comes from PyPI into `build/` once, unless this Python has it; the header is compiled by gcc.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CACHE = ROOT / "build" / "pi"
LGPIO = "lgpio==0.2.2.0"
WAIT_S = 120
"""So long pip may take; a slow network is none."""


class Missing(Exception):
    """What is not to be had on this machine; the text says why."""


def environment() -> dict[str, str]:
    """This process's environment, with what a Python needs to find pins; raises Missing where that cannot be made."""
    found = dict(os.environ)
    found["LD_PRELOAD"] = str(header())
    places = [str(ROOT), str(HERE), *filter(None, [lgpio(), os.environ.get("PYTHONPATH")])]
    found["PYTHONPATH"] = os.pathsep.join(places)
    return found


def header() -> Path:
    """The compiled header; its name tells which source it was made of."""
    source = HERE / "gpiochip.c"
    made = CACHE / f"gpiochip-{hashlib.sha256(source.read_bytes()).hexdigest()[:12]}.so"
    if made.exists():
        return made
    compiler = shutil.which("gcc")
    if compiler is None:
        raise Missing("no gcc to compile the header in memory with")
    with _alone("gpiochip"):
        scratch = made.with_suffix(f".{os.getpid()}")
        command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(scratch), str(source), "-ldl", "-lpthread"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise Missing(f"the header in memory does not compile: {done.stderr.strip().splitlines()[:1]}")
        scratch.replace(made)
    return made


def lgpio() -> str | None:
    """The folder that lgpio lies in; None where this Python has it already."""
    if find_spec("lgpio") is not None:
        return None
    there = CACHE / f"{LGPIO}-{sys.implementation.cache_tag}"
    with _alone("lgpio"):
        if not there.exists():
            _install(there)
    return str(there)


def _install(there: Path) -> None:
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        scratch = Path(folder) / "lgpio"
        command = [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--only-binary=:all:", "--timeout", "15", "--retries", "1", "--target", str(scratch), LGPIO),
        ]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WAIT_S)  # noqa: S603
        except subprocess.TimeoutExpired:
            raise Missing(f"no {LGPIO}: pip took longer than {WAIT_S} s") from None
        if done.returncode:
            raise Missing(f"no {LGPIO}: {(done.stderr.strip().splitlines() or ['pip says nothing'])[-1]}")
        scratch.replace(there)


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Only one of the processes that run tests makes it; the others wait."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> None:
    """Become the command that is given."""
    if len(sys.argv) < 2:
        sys.exit("with_pins: expected a command, found none")
    try:
        found = environment()
    except Missing as why:
        sys.exit(f"with_pins: {why}")
    os.execvpe(sys.argv[1], sys.argv[1:], found)  # noqa: S606


if __name__ == "__main__":
    main()
