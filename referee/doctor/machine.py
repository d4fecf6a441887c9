"""Checks of the machine itself: clock, heat, power, memory, and the service.

All files are read below a root folder, which tests replace.
"""

from __future__ import annotations

import platform
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from referee.devices.system.clock import SystemClock
from referee.doctor.finding import Finding, attention, ok, skip_check, wrong
from referee.game.notice import Notice
from referee.journal.journal import utc_now
from referee.journal.rows import FIRST_YEAR

WARM_C, HOT_C = 70.0, 80.0
"""From 80 degrees on (a Pi 3B+ from 60) the firmware slows the processor down."""
TIGHT_MB, SHORT_MB = 350, 150
"""The referee needs 300 MB after a long evening, and 160 to read a picture."""
COMMAND_S = 5.0

POWER_BITS = {
    0: Notice("machine.voltage_is_low"),
    1: Notice("machine.held_back_now"),
    2: Notice("machine.slowed_now"),
    3: Notice("machine.hot_now"),
    16: Notice("machine.voltage_was_low"),
    17: Notice("machine.was_held_back"),
    18: Notice("machine.was_slowed"),
    19: Notice("machine.was_hot"),
}
"""The bits of the firmware's `get_throttled`: 0 to 3 now, 16 to 19 at some time since the start."""
SUPPLY = Notice("machine.makers_supply")


def run_command(command: Sequence[str]) -> str | None:
    """Return the output of a command; None if there is no such command or it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_S, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout


@dataclass(frozen=True, slots=True)
class Machine:
    """The sources of facts about this machine; each of them may be replaced."""

    root: Path = Path("/")
    ask: Callable[[Sequence[str]], str | None] = run_command
    wall: Callable[[], datetime] = utc_now
    now: Callable[[], float] = time.monotonic
    state: Path | None = None
    """The folder of the journal, which says whether somebody has set the clock."""

    def text(self, path: str) -> str:
        """Return the text of a file below the root; empty if there is none."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0 \n")
        except OSError:
            return ""

    @property
    def model(self) -> str:
        """The model of this Raspberry Pi; empty on another machine."""
        found = self.text("proc/device-tree/model") or self.text("sys/firmware/devicetree/base/model")
        return found if "raspberry pi" in found.lower() else ""


def board(box: Machine) -> Finding:
    """Return a finding that says which machine this is."""
    cores = box.text("sys/devices/system/cpu/present")
    count = 1 + int(cores.rpartition("-")[2]) if cores.rpartition("-")[2].isdigit() else 0
    found = _pi(box.model, count) if box.model else _no_pi(platform.machine(), count)
    if count == 1:
        return attention("machine", found, Notice("machine.faster_pi"), cores=count)
    return ok("machine", found, cores=count)


def _pi(name: str, cores: int) -> Notice:
    if cores > 1:
        return Notice("machine.pi_with_cores", name=name, cores=cores)
    return Notice("machine.pi_slow" if cores else "machine.pi", name=name)


def _no_pi(machine: str, cores: int) -> Notice:
    if cores > 1:
        return Notice("machine.no_pi_with_cores", machine=machine, cores=cores)
    return Notice("machine.no_pi_slow" if cores else "machine.no_pi", machine=machine)


def clock(box: Machine) -> Finding:
    """Check whether the time of day is set, and whether the clock that times turns advances."""
    before, moment, after = box.now(), box.wall(), box.now()
    if after < before:
        return wrong("clock", Notice("machine.clock_backwards"), Notice("machine.restart_machine"))
    day = moment.astimezone().strftime("%Y-%m-%d %H:%M")
    if moment.year < FIRST_YEAR:
        text = Notice("machine.clock_not_set", day=day)
        return attention("clock", text, Notice("machine.set_clock"), year=moment.year)
    if not SystemClock(box.state, box.root, wall=lambda: box.wall().timestamp()).is_known:
        return attention("clock", Notice("machine.clock_guessed", day=day), Notice("machine.set_clock"), known=False)
    if any((box.root / "sys/class/rtc").glob("rtc*")):
        # A Pi 5 has such a clock even without its battery, and does not report whether it has one.
        return ok("clock", Notice("machine.clock_on_board", day=day), rtc=True)
    if box.model:
        text = Notice("machine.clock_without_battery", day=day)
        return attention("clock", text, Notice("machine.battery_for_dates"), rtc=False)
    return ok("clock", Notice("machine.clock_set", day=day), rtc=False)


def heat(box: Machine) -> Finding:
    """Check how hot the processor is."""
    readings = [box.text(str(path.relative_to(box.root))) for path in (box.root / "sys/class/thermal").glob("*/temp")]
    degrees = [int(text) / 1000 for text in readings if text.lstrip("-").isdigit()]
    if not degrees:
        return skip_check("heat", Notice("machine.heat_unknown"))
    hottest = max(degrees)
    figures = {"celsius": round(hottest, 1)}
    if hottest >= WARM_C:
        text = Notice("machine.too_hot", degrees=hottest, limit=HOT_C)
        kind = wrong if hottest >= HOT_C else attention
        return kind("heat", text, Notice("machine.give_air_out_of_box"), **figures)
    return ok("heat", Notice("machine.heat", degrees=hottest), **figures)


def power(box: Machine) -> Finding:
    """Check what the firmware reports about the power supply."""
    if not box.model:
        return skip_check("power", Notice("machine.power_only_on_pi"))
    bits = _read_throttling(box)
    if bits is None:
        return skip_check("power", Notice("machine.power_unknown"), Notice("machine.look_for_bolt"))
    now = tuple(fault for bit, fault in POWER_BITS.items() if bits >> bit & 1 and bit < 16)
    past = tuple(fault for bit, fault in POWER_BITS.items() if bits >> bit & 1 and bit >= 16)
    figures = {"throttled": hex(bits)}
    if now:
        kind = wrong if bits & 0b0101 else attention
        return kind("power", Notice("machine.power_now", faults=now), SUPPLY if bits & 1 else _COOLER, **figures)
    if past:
        text = Notice("machine.power_past", faults=past)
        return attention("power", text, SUPPLY if bits >> 16 & 1 else _COOLER, **figures)
    return ok("power", Notice("machine.power_strong"), **figures)


_COOLER = Notice("machine.give_air")


def _read_throttling(box: Machine) -> int | None:
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
    """Check how much memory is free for the referee."""
    lines = dict(line.split(":", 1) for line in box.text("proc/meminfo").splitlines() if ":" in line)
    free, whole = (lines.get(name, "").split() for name in ("MemAvailable", "MemTotal"))
    if not free or not free[0].isdigit():
        return skip_check("memory", Notice("machine.memory_unknown"))
    megabytes = int(free[0]) // 1000
    total = int(whole[0]) // 1000 if whole and whole[0].isdigit() else 0
    figures = {"free_mb": megabytes, "total_mb": total}
    if megabytes < TIGHT_MB:
        kind = wrong if megabytes < SHORT_MB else attention
        text = Notice("machine.memory_short", megabytes=megabytes)
        return kind("memory", text, Notice("machine.close_programs"), **figures)
    return ok("memory", Notice("machine.memory", megabytes=megabytes), **figures)


def service(box: Machine) -> Finding:
    """Check whether the service is installed, runs, and starts with the machine."""
    keys = ("LoadState", "ActiveState", "UnitFileState", "NRestarts", "Result")
    printed = box.ask(["systemctl", "show", "referee.service", f"--property={','.join(keys)}"])
    state = dict(line.split("=", 1) for line in (printed or "").splitlines() if "=" in line)
    if state.get("LoadState", "not-found") != "loaded":
        return skip_check("service", Notice("machine.no_service"), Notice("machine.install_service"))
    active, starts = state.get("ActiveState", "unknown"), state.get("UnitFileState", "") == "enabled"
    figures = {"state": active, "enabled": starts, "restarts": state.get("NRestarts", "")}
    if active == "failed":
        unsaid = Notice("machine.service_gave_up_unsaid")
        text = Notice("machine.service_gave_up", reason=state["Result"]) if "Result" in state else unsaid
        return wrong("service", text, Notice("machine.mend_service"), **figures)
    if not starts:
        text = Notice("machine.service_not_enabled", state=active)
        return attention("service", text, Notice("machine.enable_service"), **figures)
    restarts = state.get("NRestarts", "")
    if active == "active" and restarts.isdigit() and int(restarts):
        text = Notice("machine.service_restarted", times=int(restarts))
        return attention("service", text, Notice("machine.service_log"), **figures)
    key = "machine.service_runs" if active == "active" else "machine.service_idle"
    return ok("service", Notice(key, state=active), **figures)


CHECKS: Mapping[str, Callable[[Machine], Finding]] = {
    "machine": board,
    "clock": clock,
    "heat": heat,
    "power": power,
    "memory": memory,
    "service": service,
}
"""Every check of the machine by its name."""
