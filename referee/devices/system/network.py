"""The networks of the machine, through NetworkManager: which it uses, and choosing another Wi-Fi.

A password goes to NetworkManager over the bus and is kept by it alone: it is in no file of the referee, in no message
and in no arguments of a process.
"""

from __future__ import annotations

import string
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from referee.devices.system.bus import Bus, BusError
from referee.devices.system.bus_values import Variant
from referee.game.notice import Notice

NM, NM_AT, SETTINGS_AT = (
    "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager", "/org/freedesktop/NetworkManager/Settings"
)  # fmt: skip
DEVICE, WIRELESS, POINT = f"{NM}.Device", f"{NM}.Device.Wireless", f"{NM}.AccessPoint"
ACTIVE, CONNECTION = f"{NM}.Connection.Active", f"{NM}.Settings.Connection"
NOTHING = "/"
"""The path that stands for no object."""
_WIRED, _WIFI, _CONNECTED = 1, 2, 100
"""Kinds and a state of devices (NMDeviceType, NMDeviceState)."""
_ACTIVATED, _DEACTIVATED = 2, 4
"""States of an active connection (NMActiveConnectionState)."""
_PRIVACY, _PSK, _SAE = 0x1, 0x100, 0x400
"""Flags of an access point (NM80211ApFlags, NM80211ApSecurityFlags): WEP or better, a password, WPA3."""
SCAN_S, JOIN_S, APART_S = 8.0, 45.0, 0.25
SHORTEST_PASSWORD, LONGEST_PASSWORD, LONGEST_NAME = 8, 63, 32
KEY_DIGITS = 64
"""Instead of a password, WPA2 takes the key that is made of it, as hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class Used:
    """A network that the machine uses: only a Wi-Fi has `name` and `signal` (percent); `address` may be empty."""

    wifi: bool
    address: str
    name: str = ""
    signal: int = 0


@dataclass(frozen=True, slots=True)
class Seen:
    """A Wi-Fi that can be received; `signal` in percent."""

    name: str
    signal: int
    locked: bool
    """Whether it has a password."""
    known: bool
    """Whether the machine has its password already."""
    path: str = NOTHING
    wpa3_only: bool = False


class NoWifi(BusError):
    """The machine has no Wi-Fi device, or it is not managed by NetworkManager."""


class Network:
    """The networks of this machine. All functions may be called in any thread and wait for NetworkManager."""

    def __init__(
        self,
        bus: Callable[[], Bus] = Bus,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._bus, self._now, self._sleep = bus, now, sleep

    def used(self) -> tuple[Used, ...] | None:
        """Return the networks that the machine uses; None if NetworkManager does not answer."""
        try:
            with self._bus() as bus:
                return tuple(self._used(bus))
        except BusError:
            return None

    def _used(self, bus: Bus) -> Iterator[Used]:
        for path, device in _devices(bus):
            if device["State"] != _CONNECTED or device["DeviceType"] not in (_WIRED, _WIFI):
                continue
            address = _address(bus, device.get("Ip4Config", NOTHING))
            if device["DeviceType"] == _WIRED:
                yield Used(wifi=False, address=address)
                continue
            point = bus.get_all(NM, path, WIRELESS).get("ActiveAccessPoint", NOTHING)
            seen = None if point == NOTHING else bus.get_all(NM, point, POINT)
            yield Used(True, address, *((_text(seen["Ssid"]), int(seen["Strength"])) if seen else ("", 0)))

    def seen(self, *, scan: bool = True) -> tuple[Seen, ...]:
        """Return all Wi-Fis that can be received, the strongest first, after a scan; raises BusError."""
        with self._bus() as bus:
            device = _wifi(bus)
            if scan:
                self._scan(bus, device)
            return self._seen(bus, device)

    def _seen(self, bus: Bus, device: str) -> tuple[Seen, ...]:
        known = {_text(settings["802-11-wireless"]["ssid"]) for _, settings in _saved(bus)}
        found: dict[str, Seen] = {}
        for path in bus.call(NM, device, f"{WIRELESS}.GetAccessPoints")[0]:
            try:
                point = bus.get_all(NM, path, POINT)
            except BusError:  # it is gone
                continue
            name, signal, flags = _text(point["Ssid"]), int(point["Strength"]), point["WpaFlags"] | point["RsnFlags"]
            if name and (name not in found or signal > found[name].signal):
                locked = bool(flags) or bool(point["Flags"] & _PRIVACY)
                found[name] = Seen(name, signal, locked, name in known, path, bool(flags & _SAE) and not flags & _PSK)
        return tuple(sorted(found.values(), key=lambda one: -one.signal))

    def _scan(self, bus: Bus, device: str) -> None:
        """Look for networks. If that is impossible, those that were found before are told."""
        try:
            before = bus.get_all(NM, device, WIRELESS).get("LastScan")
            bus.call(NM, device, f"{WIRELESS}.RequestScan", "a{sv}", {})
        except BusError:
            return
        until = self._now() + SCAN_S
        while before is not None and self._now() < until:
            self._sleep(APART_S)
            if bus.get_all(NM, device, WIRELESS).get("LastScan") != before:
                return

    def join(self, name: str, password: str) -> Notice:
        """Use another Wi-Fi; return what became of it. If that fails, the machine returns to the one it used before.

        `password` may be empty: then the Wi-Fi has none, or the machine has it already.
        """
        try:
            with self._bus() as bus:
                device = _wifi(bus)
                wanted = next((one for one in self._seen(bus, device) if one.name == name), None)
                if wanted is None:
                    return Notice("system.wifi_gone", name=name)
                if (refused := _refuse_password(wanted, password)) is not None:
                    return refused
                before = _profile_in_use(bus, device)
                old = [path for path, settings in _saved(bus) if _text(settings["802-11-wireless"]["ssid"]) == name]
                if self._joins(bus, device, wanted, password, old):
                    return Notice("system.wifi_joined", name=name)
                back = before is not None and self._activates(bus, device, before)
                return Notice("system.wifi_back" if back else "system.wifi_not_joined", name=name)
        except BusError as error:
            return Notice("system.no_wifi") if isinstance(error, NoWifi) else error.told

    def _joins(self, bus: Bus, device: str, wanted: Seen, password: str, old: list[str]) -> bool:
        """Return whether the machine uses a Wi-Fi now. A new profile that does not work is removed again."""
        if not password and old:
            return self._activates(bus, device, old[0])
        made = _profile(wanted, password)
        try:
            profile, active = bus.call(
                NM, NM_AT, f"{NM}.AddAndActivateConnection", "a{sa{sv}}oo", made, device, wanted.path
            )
        except BusError as error:
            if error.is_denied:
                raise
            return False  # such as a password that no Wi-Fi can have
        joined = self._is_up(bus, active)
        for path in [path for path in old if path != profile] if joined else [profile]:
            with suppress(BusError):  # it is gone already
                bus.call(NM, path, f"{CONNECTION}.Delete")
        return joined

    def _activates(self, bus: Bus, device: str, profile: str) -> bool:
        try:
            (active,) = bus.call(NM, NM_AT, f"{NM}.ActivateConnection", "ooo", profile, device, NOTHING)
        except BusError:
            return False
        return self._is_up(bus, active)

    def _is_up(self, bus: Bus, active: str) -> bool:
        """Wait until a connection is up, and return whether it is."""
        until = self._now() + JOIN_S
        while self._now() < until:
            try:
                state = bus.get(NM, active, f"{ACTIVE}.State")
            except BusError:  # NetworkManager has given up and removed it
                return False
            if state in (_ACTIVATED, _DEACTIVATED):
                return bool(state == _ACTIVATED)
            self._sleep(APART_S)
        return False


def _refuse_password(wanted: Seen, password: str) -> Notice | None:
    """Return why a Wi-Fi cannot be used with this password; None if it may be tried."""
    if wanted.locked and not wanted.known and not password:
        return Notice("system.wifi_needs_password", name=wanted.name)
    is_key = len(password) == KEY_DIGITS and set(password) <= set(string.hexdigits) and not wanted.wpa3_only
    if password and not is_key and not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        return Notice("system.wifi_password_length", shortest=SHORTEST_PASSWORD, longest=LONGEST_PASSWORD)
    return None


def _devices(bus: Bus) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path in bus.call(NM, NM_AT, f"{NM}.GetDevices")[0]:
        yield path, bus.get_all(NM, path, DEVICE)


def _wifi(bus: Bus) -> str:
    """Return the path of the Wi-Fi device; raises NoWifi."""
    found = next((path for path, device in _devices(bus) if device["DeviceType"] == _WIFI), None)
    if found is None:
        raise NoWifi("expected a Wi-Fi device, found none")
    return found


def _profile_in_use(bus: Bus, device: str) -> str | None:
    active = bus.get(NM, device, f"{DEVICE}.ActiveConnection")
    return None if active == NOTHING else str(bus.get(NM, active, f"{ACTIVE}.Connection"))


def _saved(bus: Bus) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the profiles of Wi-Fis that the machine has, without their passwords."""
    for path in bus.call(NM, SETTINGS_AT, f"{NM}.Settings.ListConnections")[0]:
        try:
            (settings,) = bus.call(NM, path, f"{CONNECTION}.GetSettings")
        except BusError:  # it belongs to another user, or is gone
            continue
        if "ssid" in settings.get("802-11-wireless", {}):
            yield path, settings


def _profile(wanted: Seen, password: str) -> dict[str, dict[str, Variant]]:
    """Return the settings of a new profile. What is not said in it, NetworkManager completes."""
    made = {
        "connection": {"id": Variant("s", wanted.name), "type": Variant("s", "802-11-wireless")},
        "802-11-wireless": {"ssid": Variant("ay", wanted.name.encode())},
    }
    if password:
        kind = "sae" if wanted.wpa3_only else "wpa-psk"
        made["802-11-wireless-security"] = {"key-mgmt": Variant("s", kind), "psk": Variant("s", password)}
    return made


def _address(bus: Bus, config: str) -> str:
    """Return the IPv4 address of a configuration; empty if there is none."""
    if config == NOTHING:
        return ""
    try:
        listed = bus.get(NM, config, f"{NM}.IP4Config.AddressData")
    except BusError:
        return ""
    return str(listed[0]["address"]) if listed else ""


def _text(name: bytes | list[int]) -> str:
    return bytes(name).decode("utf-8", "replace")
