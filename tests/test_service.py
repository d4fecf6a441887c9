"""The unit file: what systemd says of it, and that the program can live within what it grants."""

import configparser
import ctypes.util
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from updater.asking import ORDER
from updater.installing import WAITING
from updater.journal import USUAL
from updater.trial import READY_S

from referee.cli.programs.opening import LATE_S
from referee.cli.terminal.common import Code
from referee.devices.camera.pi_camera import SETTLE_S
from referee.devices.camera.usb_camera import OPENING_S
from referee.devices.voice import PROGRAMS
from referee.settings.settings import CameraSettings

ROOT = Path(__file__).parent.parent
UNIT = ROOT / "systemd" / "referee.service"
INSTALLED = "/opt/referee/current/venv/bin/referee"
SYSTEMD_ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(SYSTEMD_ANALYZE is None, reason="systemd-analyze is not installed")


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    assert SYSTEMD_ANALYZE
    return subprocess.run([SYSTEMD_ANALYZE, *arguments], capture_output=True, text=True, check=False)  # noqa: S603


def service() -> dict[str, list[str]]:
    """The [Service] section; a directive may stand there more than once."""
    section = UNIT.read_text(encoding="utf-8").split("[Service]")[1].split("[Install]")[0]
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", section, re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


@needs_systemd
def test_systemd_finds_nothing_to_complain_about(tmp_path: Path) -> None:
    copy = tmp_path / UNIT.name  # the program is not installed here, so another one stands in its place
    copy.write_text(UNIT.read_text(encoding="utf-8").replace(INSTALLED, "/bin/true"), encoding="utf-8")
    checked = analyze("verify", copy)
    # Units of this machine that ours waits for may have faults of their own; only ours count.
    assert [line for line in checked.stderr.splitlines() if "referee" in line] == []
    assert checked.returncode == 0


PARTS = {"oled.conf": ("i2c", "i2c"), "voice.conf": ("audio", "alsa")}
"""What is put beside the unit where the settings want it: the group and the devices that it gives."""


def with_parts(folder: Path, *parts: str) -> Path:
    """The unit in a folder of its own, with parts beside it; the program is not installed here."""
    copy = folder / UNIT.name
    copy.write_text(UNIT.read_text(encoding="utf-8").replace(INSTALLED, "/bin/true"), encoding="utf-8")
    (folder / f"{UNIT.name}.d").mkdir()
    for part in parts:
        shutil.copy(ROOT / "systemd" / part, folder / f"{UNIT.name}.d")
    return copy


@needs_systemd
@pytest.mark.parametrize("part", PARTS)
def test_a_part_fits_the_unit_and_gives_one_group_and_one_kind_of_device(tmp_path: Path, part: str) -> None:
    checked = analyze("verify", with_parts(tmp_path, part))
    assert [line for line in checked.stderr.splitlines() if "referee" in line or part in line] == []
    assert checked.returncode == 0
    group, devices = PARTS[part]
    _, _, section = (ROOT / "systemd" / part).read_text(encoding="utf-8").partition("[Service]\n")
    assert section.splitlines() == [f"SupplementaryGroups={group}", f"DeviceAllow=char-{devices} rw"]


@needs_systemd
@pytest.mark.parametrize("parts", [(), tuple(PARTS)], ids=["the unit", "with all parts"])
def test_little_is_exposed(tmp_path: Path, parts: tuple[str, ...]) -> None:
    unit = with_parts(tmp_path, *parts)
    checked = analyze("security", "--offline=true", "--no-pager", "--threshold=15", unit)
    assert checked.returncode == 0, checked.stdout[-200:]


def test_the_processors_description_can_be_read() -> None:
    """ONNX Runtime from 1.28 on does not start without /proc/cpuinfo, gpiozero does not know its Pi without /proc."""
    for name in ("referee.service", *PARTS):
        text = (ROOT / "systemd" / name).read_text(encoding="utf-8")
        assert not re.search(r"^ProcSubset=", text, re.MULTILINE), name


def test_only_devices_are_named_that_a_kernel_knows_by_that_name() -> None:
    """The firmware's own, vcio and vchiq, are no such names: such a line would match nothing."""
    assert set(service()["DeviceAllow"]) == {
        f"char-{name} rw" for name in ("gpiochip", "video4linux", "media", "dma_heap")
    }


def test_the_watchdog_hears_the_loop_itself_and_restarts_have_a_budget() -> None:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNIT, encoding="utf-8")
    assert (parser["Service"]["Type"], parser["Service"]["NotifyAccess"]) == ("notify", "main")
    assert int(parser["Service"]["WatchdogSec"]) > 0
    assert parser["Service"]["Restart"] == "on-failure"
    assert {"StartLimitIntervalSec", "StartLimitBurst"} <= set(parser["Unit"])


HALL = ROOT / "systemd" / "referee-hall.service"


@needs_systemd
def test_the_halls_unit_is_sound_and_little_is_exposed(tmp_path: Path) -> None:
    copy = tmp_path / HALL.name
    copy.write_text(HALL.read_text(encoding="utf-8").replace(INSTALLED, "/bin/true"), encoding="utf-8")
    checked = analyze("verify", copy)
    assert [line for line in checked.stderr.splitlines() if "referee" in line] == []
    assert checked.returncode == 0
    checked = analyze("security", "--offline=true", "--no-pager", "--threshold=13", copy)
    assert checked.returncode == 0, checked.stdout[-200:]


UPDATER = [ROOT / "systemd" / f"{name}.service" for name in ("referee-slots", "referee-slots-boot", "referee-update")]


@needs_systemd
@pytest.mark.parametrize("unit", UPDATER, ids=lambda path: path.stem)
def test_systemd_finds_nothing_to_complain_about_in_the_updaters_units(unit: Path) -> None:
    checked = analyze("verify", unit)
    assert [line for line in checked.stderr.splitlines() if "referee" in line] == []
    assert checked.returncode == 0


PATHS = {"referee-update": "referee-update.service", "referee-request": "referee-slots.service"}


@needs_systemd
@pytest.mark.parametrize("name", PATHS)
def test_systemd_finds_nothing_to_complain_about_in_what_waits_for_files(name: str, tmp_path: Path) -> None:
    for unit in (f"{name}.path", PATHS[name]):
        shutil.copy(ROOT / "systemd" / unit, tmp_path)
    checked = analyze("verify", tmp_path / f"{name}.path")
    assert [line for line in checked.stderr.splitlines() if "referee" in line] == []
    assert checked.returncode == 0


def test_what_waits_for_a_file_waits_for_the_one_that_the_updater_reads() -> None:
    for name, file in (("referee-update", WAITING), ("referee-request", ORDER)):
        text = (ROOT / "systemd" / f"{name}.path").read_text(encoding="utf-8")
        assert f"\nPathExists=/{USUAL}/{file}\n" in text
    slots = (ROOT / "systemd" / "referee-slots.service").read_text(encoding="utf-8")
    assert f"\nConditionPathExists=|/{USUAL}/{ORDER}\n" in slots  # otherwise it would not start, again and again


CARD = ROOT / "systemd" / "card" / "referee-card.service"
PORT_80 = [ROOT / "systemd" / name for name in ("referee-port80.socket", "referee-port80@.service")]


@needs_systemd
def test_the_unit_of_a_new_card_and_those_of_port_80_are_sound_and_little_is_exposed(tmp_path: Path) -> None:
    for unit in (CARD, *PORT_80):  # the socket is nothing without the service beside it
        text = unit.read_text(encoding="utf-8").replace("/usr/local/lib/referee-port80", "/bin/true")
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    for name in (CARD.name, PORT_80[0].name):
        checked = analyze("verify", tmp_path / name)
        assert [line for line in checked.stderr.splitlines() if "referee" in line] == []
        assert checked.returncode == 0
    one = tmp_path / "referee-port80@1.service"
    one.write_text((tmp_path / PORT_80[1].name).read_text(encoding="utf-8"), encoding="utf-8")
    checked = analyze("security", "--offline=true", "--no-pager", "--threshold=13", one)
    assert checked.returncode == 0, checked.stdout[-200:]


def test_what_a_power_cut_interrupted_is_ended_before_the_services_start() -> None:
    boot = UPDATER[1].read_text(encoding="utf-8")
    assert "\nBefore=referee.service referee-hall.service\n" in boot
    assert "\nType=oneshot\n" in boot
    for unit in UPDATER:
        text = unit.read_text(encoding="utf-8")
        assert "ExecStart=/usr/bin/python3 -P -B -m updater " in text  # not the Python of a version
        assert "/opt/referee/current" not in text


def test_a_version_is_not_given_up_before_two_of_its_starts_have_hung() -> None:
    assert 2 * int(service()["TimeoutStartSec"][0]) + int(service()["RestartSec"][0]) < READY_S


def test_the_halls_unit_runs_the_verb_with_its_own_settings() -> None:
    assert f"ExecStart={INSTALLED} hall --config /etc/referee/hall.toml\n" in HALL.read_text(encoding="utf-8")


def seconds(span: str) -> int:
    """A time as the unit has it: `20`, `5min`."""
    number, unit = re.fullmatch(r"(\d+)(s|min)?", span).groups()  # type: ignore[union-attr]
    return int(number) * (60 if unit == "min" else 1)


def test_starts_that_hang_use_up_their_budget_too() -> None:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.read(UNIT, encoding="utf-8")
    one = sum(seconds(parser["Service"][name]) for name in ("TimeoutStartSec", "TimeoutStopSec", "RestartSec"))
    assert int(parser["Unit"]["StartLimitBurst"]) * one < seconds(parser["Unit"]["StartLimitIntervalSec"])


def test_bad_input_is_not_tried_again_but_a_camera_that_is_missing_is() -> None:
    assert service()["RestartPreventExitStatus"] == [str(Code.BAD_INPUT.value)]
    assert int(service()["TimeoutStartSec"][0]) > 2 * LATE_S


def test_stopping_may_take_as_long_as_opening_a_camera() -> None:
    longest = CameraSettings().timeout_s + max(OPENING_S, 2 * SETTLE_S + CameraSettings().timeout_s)
    assert int(service()["TimeoutStopSec"][0]) > longest


def test_nothing_waits_for_a_network_or_a_set_clock() -> None:
    unit = UNIT.read_text(encoding="utf-8").split("[Service]")[0]
    assert not re.search(r"^\w+=.*(network|time-sync)", unit, re.MULTILINE)


def test_the_command_has_the_model_and_the_pins_of_the_service() -> None:
    settings = dict(entry.split("=", 1) for entry in service()["Environment"])
    command = (ROOT / "systemd" / "referee.sh").read_text(encoding="utf-8")
    for name in ("REFEREE_MODELS", "GPIOZERO_PIN_FACTORY", "ORT_DISABLE_TELEMETRY"):
        assert f'{name}="${{{name}:-{settings[name]}}}"' in command
    assert f'exec {INSTALLED} "$@"' in command
    assert service()["ExecStart"] == [f"{INSTALLED} play"]


def allowed_calls() -> list[str]:
    """The system calls that SystemCallFilter= leaves, with every group of systemd spelled out."""
    groups: dict[str, list[str]] = {}
    for line in analyze("--no-pager", "syscall-filter").stdout.splitlines():
        if line.startswith("@"):
            members = groups.setdefault(line.strip(), [])
        elif line.strip() and not line.strip().startswith("#"):
            members.append(line.strip())

    def spelled_out(names: list[str]) -> set[str]:
        return {call for name in names for call in (spelled_out(groups[name]) if name in groups else [name])}

    first, *others = service()["SystemCallFilter"]
    allowed = spelled_out(first.split())
    for line in others:
        if line.startswith("~"):
            allowed -= spelled_out(line[1:].split())
        else:
            allowed |= spelled_out(line.split())
    # execve started the program before the filter counts; systemd always leaves these two.
    return sorted(allowed | {"execve", "exit_group"})


CONFINED = """
import ctypes, errno, os, sys
libc, seccomp = ctypes.CDLL(None, use_errno=True), ctypes.CDLL(sys.argv[1])
seccomp.seccomp_init.restype = ctypes.c_void_p
libc.prctl(38, 1, 0, 0, 0)  # NoNewPrivileges
libc.prctl(65, 1, 0, 0, 0)  # MemoryDenyWriteExecute, on kernels that know it
filter = ctypes.c_void_p(seccomp.seccomp_init(0x00050000 | errno.EPERM))
for name in sys.stdin.read().split():
    number = seccomp.seccomp_syscall_resolve_name(name.encode())
    if number >= 0:
        assert seccomp.seccomp_rule_add(filter, 0x7FFF0000, number, 0) == 0, name
assert seccomp.seccomp_load(filter) == 0
try:
    os.chroot("/")
except PermissionError:
    pass
else:
    sys.exit("the filter does not work")
"""
LIVES = """
import asyncio, socket, sqlite3
import numpy as np
from referee.cli.parts.readers import build_reader

assert build_reader().read(np.full((1296, 2304, 3), 128, np.uint8), None, (900.0, 600.0)).reads == ()

async def lives():
    server = await asyncio.start_server(lambda r, w: w.close(), "127.0.0.1", 0)
    assert await asyncio.to_thread(lambda: 1) == 1
    server.close()
    await server.wait_closed()
    socket.socketpair()

asyncio.run(lives())
with sqlite3.connect("journal.db") as journal:
    assert journal.execute("pragma journal_mode=wal").fetchone() == ("wal",)
    journal.execute("pragma synchronous=full")
    journal.execute("create table event (text)")
journal.close()
print("lives")
"""


SAVES = """
import datetime, os, subprocess
from pathlib import Path
from referee.backup import apart, worker
from referee.backup.contents import Places

started = []
class Kept(subprocess.Popen):
    def __init__(self, *arguments, **how):
        super().__init__(*arguments, **how)
        started.append(self.pid)

worker.subprocess.Popen = Kept
Path("state").mkdir()
Path("state/large.bin").write_bytes(os.urandom(3_000_000))
chunks = apart.stream_backup_apart(Places(Path("state")), datetime.datetime.now(datetime.UTC), pictures=True)
next(chunks)
assert os.sched_getscheduler(started[0]) == os.SCHED_IDLE
assert os.getpriority(os.PRIO_PROCESS, started[0]) == 19
assert subprocess.run(["ionice", "-p", str(started[0])], capture_output=True, check=True).stdout.strip() == b"idle"
assert sum(map(len, chunks)) > 2_000_000
print("lives")
"""
SPEAKS = """
import subprocess
subprocess.run(["espeak-ng", "-v", "de", "--stdin", "-w", "sentence.wav"], input=b"Anna ist am Zug.", check=True)
subprocess.run(["aplay", "-q", "-D", "null", "sentence.wav"], check=True)
print("lives")
"""


@needs_systemd
@pytest.mark.parametrize(
    "what",
    [
        pytest.param(LIVES, id="the program"),
        pytest.param(SAVES, id="its backups"),
        pytest.param(SPEAKS, id="its voice"),
    ],
)
def test_it_lives_within_the_calls_that_the_unit_allows(tmp_path: Path, what: str) -> None:
    library = ctypes.util.find_library("seccomp")
    if library is None:
        pytest.skip("libseccomp is not installed")
    missing = [name for name in PROGRAMS if what is SPEAKS and shutil.which(name) is None]
    if missing:
        pytest.skip(f"{missing[0]} is not installed")
    confined = subprocess.run(  # noqa: S603
        [sys.executable, "-c", CONFINED + what, library],
        input=" ".join(allowed_calls()), capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert confined.stdout.strip().splitlines()[-1:] == ["lives"], confined.stderr[-2000:]


def test_a_unit_runs_only_modules_that_are_there() -> None:
    units = "\n".join(path.read_text(encoding="utf-8") for path in UNIT.parent.glob("*.service"))
    modules = re.findall(r"-m (referee[\w.]*)", units)
    assert modules
    for module in modules:
        assert importlib.util.find_spec(module) is not None, module
