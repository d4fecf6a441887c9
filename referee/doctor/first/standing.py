"""Checks 1 and 8: the installation, memory and idle load of the running referee, and how long the card stalls."""

from __future__ import annotations

import os
import re
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.doctor.finding import Finding
from referee.doctor.first.bench import Bench, Lacking, attention, ok, wrong
from referee.doctor.machine import service
from referee.i18n import ENGLISH

APT = ("python3-picamera2", "python3-libcamera", "libcamera-ipa", "python3-numpy", "python3-lgpio")
RELEASES = ("bookworm", "trixie")
EXPOSED = 1.5
MEMORY_MB = 400
"""The memory from which the unit slows the service down."""
IDLE_SHARE = 0.15
WATCHDOG_S = 10.0
"""The unit's value, used where systemd does not state it."""
BLOCK, MB = 4096, 1_000_000
TICKS = os.sysconf("SC_CLK_TCK")


def install(bench: Bench) -> Finding:
    """Report what was installed, on which release, and what systemd says about it."""
    box = bench.machine
    if not box.model:
        raise Lacking("This is not a Raspberry Pi: there is no installation to look at.")
    if not box.text("opt/referee/current/installed"):
        raise Lacking("The referee is not installed here.", "sudo make install, then take this check up again.")
    release = re.search(r"^VERSION_CODENAME=(\w+)", box.text("etc/os-release"), re.MULTILINE)
    name = release[1] if release else "unknown"
    packages = box.ask(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *APT]) or ""
    said = box.ask(["systemd-analyze", "security", "--no-pager", "referee.service"]) or ""
    exposure = re.search(r"exposure level for referee.service: ([\d.]+)", said)
    unit = service(box)
    figures = {
        "release": name,
        "packages": dict(line.split(" ", 1) for line in packages.splitlines() if " " in line),
        "exposure": float(exposure[1]) if exposure else None,
        "verify_clean": box.ask(["systemd-analyze", "verify", "referee.service"]) is not None,
        "service": dict(unit.figures),
        "firmware": box.ask(["vcgencmd", "version"]),
    }
    faults = [] if name in RELEASES else [f"the release is {name}"]
    faults += [] if exposure is None or float(exposure[1]) <= EXPOSED else [f"its exposure is {exposure[1]}"]
    faults += [] if figures["verify_clean"] else ["systemd-analyze verify complains"]
    if faults:
        return attention("install", f"It is installed, but {' and '.join(faults)}.", "Send the record.", **figures)
    return ok("install", f"It is installed on {name}: {ENGLISH(unit.found)}", **figures)


def memory(bench: Bench) -> Finding:
    """Measure the memory of the running referee, and what the machine has left."""
    pid = bench.pid()
    status = _lines(bench, f"proc/{pid}/status")
    held = {key: _megabytes(status.get(name, "")) for key, name in
            {"resident_mb": "VmRSS", "most_mb": "VmHWM", "swapped_mb": "VmSwap"}.items()}  # fmt: skip
    if held["resident_mb"] is None:
        raise Lacking("The memory of the running referee may not be read.", "sudo -u referee referee doctor ...")
    whole = _lines(bench, "proc/meminfo")
    left = {key: _megabytes(whole.get(name, "")) for key, name in
            {"total_mb": "MemTotal", "free_mb": "MemAvailable", "swap_free_mb": "SwapFree"}.items()}  # fmt: skip
    counted = "memory" in bench.machine.text("sys/fs/cgroup/cgroup.controllers").split()
    figures = {**held, **left, "limit_counts": counted}
    text = f"The running referee holds {held['resident_mb']} MB, {held['most_mb']} MB at most"
    if (held["most_mb"] or 0) > MEMORY_MB or (held["swapped_mb"] or 0) > 0:
        do = "Close other programs; if there are none, send the record."
        return attention("memory", f"{text}, {held['swapped_mb'] or 0} MB of it on the card.", do, **figures)
    return ok("memory", f"{text}.", **figures)


def idle(bench: Bench) -> Finding:
    """Measure the share of one core that watching takes, thread by thread, including lgpio's polling of its pins."""
    pid = bench.pid()
    before, began = _ticks(bench, pid), bench.now()
    bench.wait(bench.effort.idle_s)
    after, seconds = _ticks(bench, pid), bench.now() - began
    if not after or seconds <= 0:
        raise Lacking("The load of the running referee may not be read.")
    shares = {name: (count - before.get(name, 0)) / TICKS / seconds for name, count in after.items()}
    whole = sum(shares.values())
    busiest = dict(sorted(shares.items(), key=lambda item: -item[1])[:8])
    figures = {"share": round(whole, 4), "seconds": round(seconds, 1),
               "threads": {name: round(share, 4) for name, share in busiest.items()}}  # fmt: skip
    text = f"The running referee takes {100 * whole:.1f} % of one core while it watches"
    if whole > IDLE_SHARE:
        return attention("idle", f"{text}: {100 * IDLE_SHARE:.0f} % are wanted.", "Send the record.", **figures)
    return ok("idle", f"{text}.", **figures)


def disk(bench: Bench) -> Finding:
    """Measure how long the card delays a small write, alone and while much else is written, against the watchdog."""
    place = next((one for one in (bench.folder, *bench.folder.absolute().parents) if one.is_dir()), Path("/"))
    allowed = _watchdog_s(bench)
    with tempfile.TemporaryDirectory(prefix=".first-evening-", dir=place) as folder:
        alone = _time_synced_writes(bench, Path(folder) / "alone", bench.effort.syncs)
        with _write_meanwhile(Path(folder) / "much", bench.effort.disk_mb):
            busy = _time_synced_writes(bench, Path(folder) / "busy", bench.effort.syncs)
    worst = max(*alone, *busy)
    figures = {"watchdog_s": allowed, "syncs": len(alone) + len(busy), "worst_s": round(worst, 3),
               "alone": _spread(alone), "busy": _spread(busy), "written_mb": bench.effort.disk_mb}  # fmt: skip
    text = f"The card kept a write waiting for {worst:.2f} s at the longest, of {len(alone) + len(busy)}"
    if worst >= allowed:
        return wrong("disk", f"{text}: the watchdog allows {allowed:g} s.", "Take another card.", **figures)
    if worst >= allowed / 2:
        return attention("disk", f"{text}: near the watchdog's {allowed:g} s.", "Take another card.", **figures)
    return ok("disk", f"{text}; the watchdog allows {allowed:g} s.", **figures)


def _time_synced_writes(bench: Bench, path: Path, count: int) -> list[float]:
    """Return the seconds of this many small writes, each synced to the card like the journal's."""
    taken = []
    with path.open("wb") as file:
        for _ in range(count):
            began = bench.now()
            file.write(b"r" * BLOCK)
            file.flush()
            bench.fsync(file.fileno())
            taken.append(bench.now() - began)
    return taken


@contextmanager
def _write_meanwhile(path: Path, megabytes: int) -> Iterator[None]:
    """Return a context manager; in its context a thread writes this many megabytes.

    Cheap cards stall when they must make room.
    """
    done = threading.Event()

    def work() -> None:
        block = os.urandom(MB)
        with path.open("wb") as file:
            for _ in range(megabytes):
                if done.is_set():
                    return
                file.write(block)
            file.flush()
            os.fsync(file.fileno())

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _spread(seconds: list[float]) -> dict[str, float]:
    """Return median, 95th percentile and worst, in milliseconds."""
    order = sorted(seconds)
    high = order[min(len(order) - 1, int(0.95 * len(order)))]
    return {"median_ms": round(1e3 * statistics.median(order), 2), "p95_ms": round(1e3 * high, 2),
            "worst_ms": round(1e3 * order[-1], 2)}  # fmt: skip


def _watchdog_s(bench: Bench) -> float:
    said = bench.machine.ask(["systemctl", "show", "referee.service", "--property=WatchdogUSec"]) or ""
    found = re.search(r"=(?:(\d+)min ?)?(?:(\d+)s)?$", said.strip())
    seconds = 60 * int(found[1] or 0) + int(found[2] or 0) if found else 0
    return float(seconds or WATCHDOG_S)


def _lines(bench: Bench, path: str) -> dict[str, str]:
    """Return the lines of a file of the form `name: value`."""
    return dict(line.split(":", 1) for line in bench.machine.text(path).splitlines() if ":" in line)


def _megabytes(text: str) -> int | None:
    words = text.split()
    return int(words[0]) // 1000 if words and words[0].isdigit() else None


def _ticks(bench: Bench, pid: int) -> dict[str, int]:
    """Return the processor time of every thread so far, in the kernel's ticks, by its number and name."""
    found = {}
    tasks = bench.machine.root / f"proc/{pid}/task"
    for task in sorted(tasks.iterdir()) if tasks.is_dir() else ():
        text = bench.machine.text(f"proc/{pid}/task/{task.name}/stat")
        name, _, rest = text.partition("(")[2].rpartition(")")
        fields = rest.split()
        if len(fields) > 12:
            found[f"{task.name} {name}"] = int(fields[11]) + int(fields[12])
    return found
