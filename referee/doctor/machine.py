"""The machine itself: clock, heat, power, memory, and the service. Read below a root folder that tests make up."""

from __future__ import annotations

import platform
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from referee.doctor.finding import Finding, attention, ok, skipped, wrong
from referee.game.wording import joined
from referee.journal.journal import utc_now

FIRST_YEAR = 2024
"""Before the referee was written: a Pi without battery starts in 1970, or where it was switched off last."""
WARM_C, HOT_C = 70.0, 80.0
"""From 80 degrees on (a Pi 3B+ from 60) the firmware slows the processor down."""
TIGHT_MB, SHORT_MB = 350, 150
"""The referee needs 300 MB after a long evening, and 160 to read a picture."""
COMMAND_S = 5.0

POWER_BITS = {
    0: "the supply voltage is too low",
    1: "the processor is held back",
    2: "the processor is slowed down",
    3: "the processor is hot",
    16: "the supply voltage was too low",
    17: "the processor was held back",
    18: "the processor was slowed down",
    19: "the processor was hot",
}
"""The bits of the firmware's `get_throttled`: 0 to 3 now, 16 to 19 at some time since the start."""
SUPPLY = "Use the maker's own power supply with its own cable, and nothing power-hungry on USB."


def asked(command: Sequence[str]) -> str | None:
    """What a command prints; None where there is no such command or it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_S, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout


@dataclass(frozen=True, slots=True)
class Machine:
    """Where to look at this machine; everything may be replaced."""

    root: Path = Path("/")
    ask: Callable[[Sequence[str]], str | None] = asked
    wall: Callable[[], datetime] = utc_now
    now: Callable[[], float] = time.monotonic

    def text(self, path: str) -> str:
        """What a file below the root says; nothing where there is none."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0 \n")
        except OSError:
            return ""

    @property
    def model(self) -> str:
        """Which Raspberry Pi this is; nothing on another machine."""
        found = self.text("proc/device-tree/model") or self.text("sys/firmware/devicetree/base/model")
        return found if "raspberry pi" in found.lower() else ""


def board(box: Machine) -> Finding:
    """Which machine this is."""
    cores = box.text("sys/devices/system/cpu/present")
    count = 1 + int(cores.rpartition("-")[2]) if cores.rpartition("-")[2].isdigit() else 0
    name = box.model or f"no Raspberry Pi ({platform.machine()})"
    found = f"This is {'a ' if box.model else ''}{name}" + (f" with {count} processor cores" if count else "")
    if count == 1:
        return attention("machine", f"{found}: slow.", "A Pi 4 or 5 answers within a second.", cores=count)
    return ok("machine", f"{found}.", cores=count)


def clock(box: Machine) -> Finding:
    """Whether the time of day is set, and the clock that times turns goes forward."""
    before, moment, after = box.now(), box.wall(), box.now()
    if after < before:
        do = "Restart the machine; turns cannot be timed like this."
        return wrong("clock", "The clock that times turns goes backwards.", do)
    day = moment.astimezone().strftime("%Y-%m-%d %H:%M")
    if moment.year < FIRST_YEAR:
        text = f"The time of day is not set: it would be {day}. Turns are timed all the same; dates are wrong."
        do = 'Connect the machine to the internet once, or set it: sudo date --set "2026-03-01 18:30".'
        return attention("clock", text, do, year=moment.year)
    if any((box.root / "sys/class/rtc").glob("rtc*")):
        # A Pi 5 has such a clock even where its battery was never bought, and does not tell.
        text = f"It is {day}; the clock on the board keeps the time while the power is off, if its battery is there."
        return ok("clock", text, rtc=True)
    if box.model:
        text = (
            f"It is {day}; without internet that is lost when the power goes, as this Pi has no clock with a battery."
        )
        do = (
            "Turns have a clock of their own, so nothing need be done; a battery (Pi 5) or a clock module keeps dates."
        )
        return attention("clock", text, do, rtc=False)
    return ok("clock", f"It is {day}.", rtc=False)


def heat(box: Machine) -> Finding:
    """How hot the processor is."""
    readings = [box.text(str(path.relative_to(box.root))) for path in (box.root / "sys/class/thermal").glob("*/temp")]
    degrees = [int(text) / 1000 for text in readings if text.lstrip("-").isdigit()]
    if not degrees:
        return skipped("heat", "This machine does not tell how hot it is.")
    hottest = max(degrees)
    found, figures = f"The processor has {hottest:.0f} degrees", {"celsius": round(hottest, 1)}
    if hottest >= WARM_C:
        do = "Give it air: out of the box, with a heat sink or a fan, not in the sun."
        kind = wrong if hottest >= HOT_C else attention
        return kind("heat", f"{found}; from {HOT_C:.0f} on it slows itself down.", do, **figures)
    return ok("heat", f"{found}.", **figures)


def power(box: Machine) -> Finding:
    """What the firmware says of the power supply."""
    if not box.model:
        return skipped("power", "Power is checked on a Raspberry Pi only; this is none.")
    bits = _throttled(box)
    if bits is None:
        do = "Run the doctor with sudo, or look for a lightning bolt on a screen."
        return skipped("power", "The firmware does not tell how the power supply is doing.", do)
    now = [text for bit, text in POWER_BITS.items() if bits >> bit & 1 and bit < 16]
    past = [text for bit, text in POWER_BITS.items() if bits >> bit & 1 and bit >= 16]
    figures = {"throttled": hex(bits)}
    if now:
        kind = wrong if bits & 0b0101 else attention
        return kind("power", f"Just now {joined(now)}.", SUPPLY if bits & 1 else _COOLER, **figures)
    if past:
        return attention("power", f"Since the start {joined(past)}.", SUPPLY if bits >> 16 & 1 else _COOLER, **figures)
    return ok("power", "The power supply has been strong enough since the start.", **figures)


_COOLER = "Give it air: a heat sink or a fan."


def _throttled(box: Machine) -> int | None:
    found = [
        box.text(str(path.relative_to(box.root)))
        for path in (box.root / "sys/devices/platform").glob("soc*/*firmware/get_throttled")
    ]
    printed = found[0] if found else (box.ask(["vcgencmd", "get_throttled"]) or "").partition("=")[2]
    try:
        return int(printed.strip(), 16)
    except ValueError:
        return None


def memory(box: Machine) -> Finding:
    """How much memory is free for the referee."""
    lines = dict(line.split(":", 1) for line in box.text("proc/meminfo").splitlines() if ":" in line)
    free, whole = (lines.get(name, "").split() for name in ("MemAvailable", "MemTotal"))
    if not free or not free[0].isdigit():
        return skipped("memory", "This machine does not tell how much memory is free.")
    megabytes = int(free[0]) // 1000
    total = int(whole[0]) // 1000 if whole and whole[0].isdigit() else 0
    found, figures = f"{megabytes} MB of memory are free", {"free_mb": megabytes, "total_mb": total}
    if megabytes < TIGHT_MB:
        kind = wrong if megabytes < SHORT_MB else attention
        return kind(
            "memory", f"Only {found}; the referee needs 300.", "Close other programs, a desktop above all.", **figures
        )
    return ok("memory", f"{found}; that is enough.", **figures)


def service(box: Machine) -> Finding:
    """Whether the service is there, runs, and starts with the machine."""
    keys = ("LoadState", "ActiveState", "UnitFileState", "NRestarts", "Result")
    printed = box.ask(["systemctl", "show", "referee.service", f"--property={','.join(keys)}"])
    state = dict(line.split("=", 1) for line in (printed or "").splitlines() if "=" in line)
    if state.get("LoadState", "not-found") != "loaded":
        return skipped("service", "The referee is not installed as a service here.", "sudo make install installs it.")
    active, starts = state.get("ActiveState", "unknown"), state.get("UnitFileState", "") == "enabled"
    figures = {"state": active, "enabled": starts, "restarts": state.get("NRestarts", "")}
    if active == "failed":
        text = f"The service gave up ({state.get('Result', 'no reason')})."
        do = (
            "journalctl --unit referee --lines 20 says why. When that is mended: "
            "sudo systemctl reset-failed referee, then sudo systemctl start referee."
        )
        return wrong("service", text, do, **figures)
    if not starts:
        do = "sudo systemctl enable referee lets it start by itself."
        return attention("service", f"The service is {active}, but does not start with the machine.", do, **figures)
    if active == "active" and state.get("NRestarts", "0") not in ("", "0"):
        text = f"The service runs, but had to be restarted {state['NRestarts']} times."
        return attention("service", text, "journalctl --unit referee --lines 50 says why.", **figures)
    idle = "" if active == "active" else "; sudo systemctl start referee starts it"
    return ok("service", f"The service is {active} and starts with the machine{idle}.", **figures)


CHECKS: Mapping[str, Callable[[Machine], Finding]] = {
    "machine": board,
    "clock": clock,
    "heat": heat,
    "power": power,
    "memory": memory,
    "service": service,
}
"""Every check of the machine by its name."""
