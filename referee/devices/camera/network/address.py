"""The address of a network camera in the settings, and whether it is in the local network.

An address may contain a password, in its query or even in its path. So messages show only its beginning, such as
http://192.168.1.20:8080.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit

from referee.errors import BadInput, CameraLost, Loss
from referee.game.notice import Notice

PORTS = {"http": 80, "https": 443, "rtsp": 554}
EXAMPLES = "http://192.168.1.20:8080/video, rtsp://192.168.1.20:554/live"
LOCAL = tuple(
    ipaddress.ip_network(net)
    for net in (
        *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    )
)
"""This machine, private networks, and addresses that machines give themselves if there is no server for that."""
_KEPT = "%/:=&?~+!$,;'@()*[]"
"""Characters that stay unquoted in a path and a query."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a camera is. `user` and `password` are empty if it asks for none."""

    scheme: str
    host: str
    port: int
    target: str = field(repr=False)
    """Path and query."""
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    @property
    def place(self) -> str:
        """The address without user, password and path. It may be shown and logged."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def host_header(self) -> str:
        """The host in the form that requests use."""
        return self.place.partition("://")[2]

    @property
    def url(self) -> str:
        """The address without user and password. It must not be shown or logged."""
        return self.place + self.target

    def redirected_to(self, location: str) -> Address:
        """Return the address that a redirect leads to.

        User and password are kept only if the host is the same. Raises BadInput if `location` is not an address, or
        leads from https to another scheme.
        """
        found = parse_address(urljoin(self.url, location), self.user, self.password)
        if self.scheme == "https" and found.scheme != "https":
            raise BadInput(Notice("camera.net_leaves_https", place=self.place, to=found.place))
        if found.host != self.host:
            return Address(found.scheme, found.host, found.port, found.target)
        return found


@dataclass(frozen=True, slots=True)
class SocketAddress:
    """An address to connect to, in the form of the socket library. It is numeric, so no name is looked up."""

    family: int
    socket_address: tuple[Any, ...]

    @property
    def ip(self) -> str:
        """The numeric address."""
        return str(self.socket_address[0])


def parse_address(source: str, user: str = "", password: str = "") -> Address:
    """Return the address in the settings; raises BadInput without showing the address, which may contain a password.

    User and password may be part of the address as well; those of the settings take precedence.
    """
    if not source:
        raise _wrong("none")
    if re.search(r"[\s\x00-\x1f\x7f\\]", source):
        raise _wrong("blank")
    try:
        parts = urlsplit(source)
        port, host = parts.port, parts.hostname
    except ValueError:
        raise _wrong("unreadable") from None
    if parts.scheme not in PORTS:
        raise _wrong("scheme")
    if not host:
        raise _wrong("no_host")
    target = quote((parts.path or "/") + (f"?{parts.query}" if parts.query else ""), _KEPT)
    own = unquote(parts.username or ""), unquote(parts.password or "")
    user, password = (user, password) if user else own
    if not (user + password).isprintable():
        raise BadInput("[camera] user and password: expected signs that can be typed, found others")
    return Address(parts.scheme, unquote(host), port or PORTS[parts.scheme], target, user, password)


def _wrong(what: str) -> BadInput:
    found = Notice(f"camera.address_{what}")
    return BadInput(Notice("camera.net_address_wanted", examples=EXAMPLES, found=found))


def place_of(source: str) -> str:
    """Return an address without user, password and path, to be shown and logged; raises BadInput."""
    return parse_address(source).place


def is_local(ip: str) -> bool:
    """Return whether a numeric address belongs to this machine or to a private network."""
    found = ipaddress.ip_address(ip)
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return any(found.version == net.version and found in net for net in LOCAL)


def is_foreign(address: Address) -> bool:
    """Return whether an address is plainly outside the local network; names are not looked up, which may take long."""
    try:
        return not is_local(address.host)
    except ValueError:  # a name
        return False


def endpoints(address: Address, *, anywhere: bool) -> list[SocketAddress]:
    """Look up the name of the host once, and return the addresses that may be connected to.

    No connection is made to any other address. Raises CameraLost if there is none, or if none is in the local network;
    with `anywhere` it may be in any network.
    """
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None)
        no_name = Notice("camera.net_no_name", place=address.place)
        no_host = Notice("camera.net_no_host", place=address.place, reason=str(reason))
        raise CameraLost(no_host if reason else no_name, Loss.ABSENT) from None
    # Only IP addresses: other address families have no private ranges to check.
    numbers = [SocketAddress(int(one[0]), one[4]) for one in found if one[0] in (socket.AF_INET, socket.AF_INET6)]
    near = [one for one in numbers if is_local(one.ip)]
    if anywhere or near:
        return numbers if anywhere else near
    raise CameraLost(Notice("camera.net_not_local", place=address.place), Loss.UNUSABLE)
