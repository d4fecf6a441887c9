"""A page of a house with the page of the machine, for a Raspberry Pi made up in a folder."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from guarded import House
from system_bus import has_programs, system_bus, with_wifi

from referee.cli.programs.machine_care import care_of
from referee.devices.system.bus import VARIABLE, Bus
from referee.devices.system.clock import SystemClock
from referee.devices.system.network import Network
from referee.devices.system.power import Power
from referee.devices.system.safe_mode import SafeMode
from referee.doctor.machine import Machine
from referee.game.notice import Notice
from referee.pages.table.machine.care import Care
from referee.settings.settings import load

FILES = {
    "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.5\0",
    "sys/class/thermal/thermal_zone0/temp": "48312",
    "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
    "sys/devices/system/cpu/present": "0-3",
    "proc/sys/kernel/random/boot_id": "11f6\n",
    "proc/meminfo": "MemTotal:  3884000 kB\nMemAvailable: 3000000 kB\n",
}
WEAK = {"sys/devices/platform/soc/soc:firmware/get_throttled": "50005\n"}
HOT = {"sys/class/thermal/thermal_zone0/temp": "82100"}
ADDRESS = "http://referee.local:8765/"


def machine_in(root: Path, files: dict[str, str] | None = None) -> Machine:
    """The files of a Raspberry Pi in that folder."""
    for path, text in {**FILES, **(files or {})}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Machine(root)


def care_in(folder: Path, files: dict[str, str] | None = None) -> Care:
    """The machine in `folder`/root, with its journal in `folder`/state."""
    settings = load(None, {}, {"storage.state": str(folder / "state")})
    machine = machine_in(folder / "root", files)
    safe = SafeMode(folder / "state", {"NOTIFY_SOCKET": "/nowhere"}, folder / "root")
    care = care_of(lambda: settings, lambda: ADDRESS, safe, done, machine)
    # Whatever a test does wrong, the computer that it runs on is not switched off.
    return on_bus(care, folder, lambda: Bus({VARIABLE: "unix:path=/nowhere"}))


def done() -> Future[Notice | None]:
    """A table that is built anew at once."""
    future: Future[Notice | None] = Future()
    future.set_result(None)
    return future


def on_bus(care: Care, folder: Path, bus: Callable[[], Bus]) -> Care:
    """The same machine with the services of another bus; on a machine that is no Pi there are none."""
    if care.power is None:
        return care
    return replace(
        care, power=Power(bus), clock=SystemClock(folder / "state", folder / "root", bus), network=Network(bus)
    )


@contextmanager
def care_with_services(folder: Path, files: dict[str, str] | None = None) -> Iterator[Care]:
    """The machine with stand-ins for all services of its system, as far as these are installed here."""
    care = care_in(folder, files)
    if not has_programs():
        yield care
        return
    folder.mkdir(parents=True, exist_ok=True)
    with system_bus(folder, "logind", "timedated", "networkmanager", timedated={"NTP": False}) as machine:
        with_wifi(machine)
        yield on_bus(care, folder, machine.bus)


class MachineHouse(House):
    """A page whose machine is made up."""

    def __init__(self, folder: Path, files: dict[str, str] | None = None, **policy) -> None:
        super().__init__(folder / "state", **policy)
        self.care = care_in(folder, files)
        self.server.cares(self.care)
        self.session = {} if policy.get("local") else {"Cookie": self.cookie()}

    def read(self, language="en") -> str:
        status, _, text = self.ask(f"/machine?lang={language}", **self.session)
        assert status == 200, text
        return text
