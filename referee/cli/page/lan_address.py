"""The addresses of the page, for browsers on this machine and on other machines in the house.

Nothing is sent over the network: the addresses come from the kernel's routes and interfaces.
"""

from __future__ import annotations

import contextlib
import fcntl
import ipaddress
import socket
import struct
from collections.abc import Iterable

from referee.page.access import is_local

AS_EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 - possible values of `[web] listen`
_GET_FLAGS, _GET_ADDRESS = 0x8913, 0x8915
"""SIOCGIFFLAGS and SIOCGIFADDR of Linux (netdevice(7))."""
_UP, _LOOPBACK, _POINT_TO_POINT = 0x1, 0x8, 0x10
_VIRTUAL = ("docker", "br-", "veth", "virbr", "tun", "tap", "wg")
"""Prefixes of interfaces that lead to no other machine in the house: within this machine, or over the internet."""


def on_lan(listen: str, port: int) -> str:
    """Return the page's address for other machines in the house; empty if they cannot reach it."""
    host = lan_address() if listen in AS_EVERYWHERE else listen
    return "" if not host or not port or is_local(host) else url(host, port)


def url(host: str, port: int) -> str:
    """Return the address of the page at a host."""
    with contextlib.suppress(ValueError):
        host = f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    return f"http://{host}:{port}/"


def here(listen: str, port: int) -> str:
    """Return the page's address for a browser on this machine."""
    return url("localhost" if listen in AS_EVERYWHERE else listen, port)


def lan_address() -> str:
    """Return the address or name of this machine for other machines in the house; empty if there is none.

    The address of the default route is preferred, then that of any other interface, then the name that avahi gives
    this machine: right after a start, the router may not have assigned an address yet.
    """
    return default_route_address() or chosen_of(interface_addresses()) or _name()


def chosen_of(addresses: Iterable[tuple[str, str]]) -> str:
    """Return the address that the house most likely knows, from pairs (interface, address); empty if there is none.

    A link-local address, which a machine gives itself if nobody assigns one, is the last choice.
    """
    known = [(ipaddress.ip_address(host).is_link_local, name, host)
             for name, host in addresses if not name.startswith(_VIRTUAL)]  # fmt: skip
    return min(known, default=(False, "", ""))[2]


def default_route_address() -> str:
    """Return the address of the default route; empty if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        try:
            door.connect(("192.0.2.1", 9))  # an address for documentation: only its route is looked up
            return str(door.getsockname()[0])
        except OSError:
            return ""


def interface_addresses() -> Iterable[tuple[str, str]]:
    """Yield name and IPv4 address of every interface that may lead to other machines."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        try:
            names = [name for _, name in socket.if_nameindex()]
        except OSError:
            return
        for name in names:
            asked = struct.pack("256s", name.encode()[:15])
            try:
                (flags,) = struct.unpack_from("H", fcntl.ioctl(door, _GET_FLAGS, asked), 16)
                if flags & _UP and not flags & (_LOOPBACK | _POINT_TO_POINT):
                    yield name, socket.inet_ntoa(fcntl.ioctl(door, _GET_ADDRESS, asked)[20:24])
            except OSError:  # it has no address, or has just gone
                continue


def _name() -> str:
    """Return the name that avahi gives this machine; empty if the machine has no name of its own."""
    name = socket.gethostname().partition(".")[0].lower()
    return "" if name in ("", "localhost") else f"{name}.local"
