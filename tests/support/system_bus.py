"""A system bus of the test's own, with stand-ins for the system's services by python-dbusmock.

The bus is a real one (`dbus-daemon`), and the stand-ins are programs of their own, so that what is sent over it is
what a Pi would get. `apt install dbus python3-dbusmock` provides both.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.devices.system.bus import VARIABLE, Bus, BusError
from referee.devices.system.bus_values import Variant
from referee.devices.system.power import LOGIN, LOGIN_AT

TEMPLATES = {
    "logind": (LOGIN, LOGIN_AT),
    "timedated": ("org.freedesktop.timedate1", "/org/freedesktop/timedate1"),
    "networkmanager": ("org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"),
}
"""Services by the name of their template: name and path on the bus."""
MOCK = "org.freedesktop.DBus.Mock"
WIRELESS = "org.freedesktop.NetworkManager.Device.Wireless"


@cache
def python_with_dbusmock() -> str | None:
    """The Python that has dbusmock: this one, or the system's; None if neither has it."""
    for python in (sys.executable, "/usr/bin/python3"):
        if (
            Path(python).exists()
            and not subprocess.run([python, "-c", "import dbusmock"], capture_output=True, check=False).returncode  # noqa: S603
        ):
            return python
    return None


def has_programs() -> bool:
    """Whether the programs that a bus and its stand-ins need are installed."""
    return shutil.which("dbus-daemon") is not None and python_with_dbusmock() is not None


PSK = 0x100
"""What dbusmock calls the security of a Wi-Fi with a password."""


class SystemBus:
    """The bus with its services; `bus` connects to it."""

    def __init__(self, address: str) -> None:
        self.address = address

    def bus(self) -> Bus:
        return Bus({VARIABLE: self.address})

    def calls(self, template: str) -> list[tuple[str, list[Any]]]:
        """What the referee has called of a service, with the arguments; not what only reads."""
        name, path = TEMPLATES[template]
        with self.bus() as bus:
            found = bus.call(name, path, f"{MOCK}.GetCalls")[0]
        return [(method, arguments) for _, method, arguments in found if not method.startswith("Get")]

    def tell(self, template: str, path: str, method: str, signature: str, *values: Any) -> Any:
        """Call a method of the stand-in itself."""
        with self.bus() as bus:
            found = bus.call(TEMPLATES[template][0], path, f"{MOCK}.{method}", signature, *values)
        return found[0] if found else None

    def refuse(self, template: str, interface: str, method: str, signature: str, error: str, told: str) -> None:
        """Let a method of a service fail with this error from now on."""
        code = f'raise dbus.exceptions.DBusException({told!r}, name="{error}")'
        self.tell(template, TEMPLATES[template][1], "AddMethod", "sssss", interface, method, signature, "", code)


@contextmanager
def system_bus(folder: Path, *templates: str, **parameters: Mapping[str, Any]) -> Iterator[SystemBus]:
    """A bus with stand-ins for these services; `parameters` are those of each template.

    A test that opens it is skipped where its programs are not installed.
    """
    if not has_programs():
        pytest.skip("dbus-daemon or python-dbusmock is not installed")
    address = f"unix:path={folder / 'bus'}"
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={address}", "--print-address=1"]
    environ = {**os.environ, VARIABLE: address}
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)]  # noqa: S603
    try:
        assert processes[0].stdout is not None
        assert processes[0].stdout.readline()
        made = SystemBus(address)
        for template in templates:
            more = ["--parameters", json.dumps(parameters[template])] if template in parameters else []
            command = [python_with_dbusmock() or "", "-m", "dbusmock", "--template", template, *more]
            processes.append(
                subprocess.Popen(  # noqa: S603
                    command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
                )
            )
            _wait_for(made, TEMPLATES[template][0], processes[-1])
        yield made
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()


def _wait_for(made: SystemBus, name: str, process: subprocess.Popen[str]) -> None:
    """Wait until a service has its name and its methods."""
    path = next(path for service, path in TEMPLATES.values() if service == name)
    while process.poll() is None:
        try:
            with made.bus() as bus:
                bus.call(name, path, f"{MOCK}.GetCalls")
                return
        except BusError:
            continue
    assert process.stderr is not None
    raise AssertionError(process.stderr.read())


def with_wifi(made: SystemBus) -> str:
    """Give NetworkManager a Wi-Fi device that uses "Home" at 192.168.1.7, with "Cafe" in reach; return its path."""
    device = made.tell("networkmanager", "/org/freedesktop", "AddWiFiDevice", "ssi", "wlan0", "wlan0", 100)
    for name, ssid, strength, security in (
        ("home", "Home", 71, PSK), ("cafe", "Cafe", 48, PSK), ("far", "Home", 20, PSK), ("open", "Open", 30, 0),
    ):  # fmt: skip
        made.tell("networkmanager", "/org/freedesktop", "AddAccessPoint", "ssssuuuyu", device, name, ssid,
                  f"00:23:F8:7E:12:{len(name):02X}", 2, 2425, 5400, strength, security)  # fmt: skip
    profile = made.tell(
        "networkmanager", "/org/freedesktop", "AddWiFiConnection", "ssss", device, "kept", "Home", "wpa-psk"
    )
    point = "/org/freedesktop/NetworkManager/AccessPoint/home"
    active = made.tell("networkmanager", "/org/freedesktop", "AddActiveConnection", "assssu",
                       [device], profile, point, "first", 2)  # fmt: skip
    made.tell("networkmanager", "/org/freedesktop", "SetDeviceActive", "ss", device, active)
    config = "/org/freedesktop/NetworkManager/IP4Config/1"
    made.tell("networkmanager", "/org/freedesktop", "AddObject", "ssa{sv}a(ssss)", config,
              "org.freedesktop.NetworkManager.IP4Config",
              {"AddressData": Variant("aa{sv}", [{"address": Variant("s", "192.168.1.7")}])}, [])  # fmt: skip
    made.tell("networkmanager", device, "AddProperty", "ssv", "org.freedesktop.NetworkManager.Device",
              "Ip4Config", Variant("o", config))  # fmt: skip
    for name, value in (("ActiveAccessPoint", Variant("o", point)), ("LastScan", Variant("x", 1))):
        made.tell("networkmanager", device, "AddProperty", "ssv", WIRELESS, name, value)
    code = f"self.Set('{WIRELESS}', 'LastScan', dbus.Int64(self.Get('{WIRELESS}', 'LastScan') + 1))"
    made.tell("networkmanager", device, "AddMethod", "sssss", WIRELESS, "RequestScan", "a{sv}", "", code)
    return str(device)
