"""Where browsers find the page: on this machine, and on others in the house.

Nothing is sent to find that out: the kernel is asked for routes and for the addresses of its interfaces.
"""

from __future__ import annotations

import contextlib
import fcntl
import ipaddress
import socket
import struct
from collections.abc import Iterable

from referee.page.access import is_local

AS_EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 - what `[web] listen` may say
_GET_FLAGS, _GET_ADDRESS = 0x8913, 0x8915
"""SIOCGIFFLAGS and SIOCGIFADDR of Linux (netdevice(7))."""
_UP, _LOOPBACK, _POINT_TO_POINT = 0x1, 0x8, 0x10
_VIRTUAL = ("docker", "br-", "veth", "virbr", "tun", "tap", "wg")
"""Networks within this machine, or over the internet: nobody of the house is there."""


def on_lan(listen: str, port: int) -> str:
    """The page's address for other machines in the house; empty where it is served to none."""
    host = lan_address() if listen in AS_EVERYWHERE else listen
    return "" if not host or not port or is_local(host) else url(host, port)


def url(host: str, port: int) -> str:
    """The address of the page at a host."""
    with contextlib.suppress(ValueError):
        host = f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    return f"http://{host}:{port}/"


def here(listen: str, port: int) -> str:
    """Where a browser on this machine finds the page."""
    return url("localhost" if listen in AS_EVERYWHERE else listen, port)


def lan_address() -> str:
    """How other machines of the house reach this one; empty where they cannot.

    The address on the way out comes first, then that of any network that leads nowhere else, and then the name that
    avahi gives this machine: right after a start the router may not have given it an address yet.
    """
    return default_route_address() or chosen_of(interface_addresses()) or _name()


def chosen_of(addresses: Iterable[tuple[str, str]]) -> str:
    """The address, of (interface, address), that the house most likely knows; empty without any.

    What a machine gives itself where nobody gives it an address comes last.
    """
    known = [(ipaddress.ip_address(host).is_link_local, name, host)
             for name, host in addresses if not name.startswith(_VIRTUAL)]  # fmt: skip
    return min(known, default=(False, "", ""))[2]


def default_route_address() -> str:
    """The address of the default route; empty without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        try:
            door.connect(("192.0.2.1", 9))  # an address of documents: only the route to it is asked for
            return str(door.getsockname()[0])
        except OSError:
            return ""


def interface_addresses() -> Iterable[tuple[str, str]]:
    """Name and IPv4 address of every interface that others may be behind."""
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
    """The name that avahi gives this machine; empty where it has none of its own."""
    name = socket.gethostname().partition(".")[0].lower()
    return "" if name in ("", "localhost") else f"{name}.local"
