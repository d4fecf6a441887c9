"""A connection to the system bus (D-Bus), for calls of methods and nothing else.

The programs `nmcli` and `busctl` would do, too, but they take a password of a network as an argument, which every
other process can read. A call also has a deadline here, and no process is started for it.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from collections.abc import Callable, Mapping
from typing import Any

from referee.devices.system.bus_values import BadMessage, Reader, Variant, write
from referee.errors import RefereeError
from referee.game.notice import Notice

ADDRESS = "unix:path=/run/dbus/system_bus_socket"
VARIABLE = "DBUS_SYSTEM_BUS_ADDRESS"
CALL_S = 10.0
BUS = "org.freedesktop.DBus"
PROPERTIES = f"{BUS}.Properties"
DENIED = (f"{BUS}.Error.AccessDenied", f"{BUS}.Error.InteractiveAuthorizationRequired", f"{BUS}.Error.AuthFailed")
"""The names of the errors by which a service says that this user may not do something."""
_CALL, _RETURN, _ERROR = 1, 2, 3
_PATH, _INTERFACE, _MEMBER, _ERROR_NAME, _REPLY, _TO, _SIGNATURE = 1, 2, 3, 4, 5, 6, 8
_LARGEST = 1 << 27


NOT_ALLOWED, NO_ANSWER = Notice("system.not_allowed"), Notice("system.no_answer")


class BusError(RefereeError):
    """A call failed: there is no bus, nobody answered in time, or the service refused. `name` is that of D-Bus."""

    def __init__(self, told: str, name: str = "") -> None:
        super().__init__(told)
        self.name = name

    @property
    def is_denied(self) -> bool:
        """Whether this user may not do what was asked for."""
        return self.name in DENIED or self.name.endswith((".PermissionDenied", ".NotAuthorized"))

    @property
    def told(self) -> Notice:
        """What people are told of it."""
        return NOT_ALLOWED if self.is_denied else NO_ANSWER


class Bus:
    """A connection to the bus; it is closed at the end of its context."""

    def __init__(self, environ: Mapping[str, str] = os.environ, now: Callable[[], float] = time.monotonic) -> None:
        """Connect; raises BusError if there is no bus."""
        self._now, self._serial = now, 0
        self._socket = _connected(environ.get(VARIABLE) or ADDRESS)
        try:
            self._sign_in(now() + CALL_S)
            self.call(BUS, "/org/freedesktop/DBus", f"{BUS}.Hello")
        except BaseException:
            self._socket.close()
            raise

    def __enter__(self) -> Bus:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def call(
        self, to: str, path: str, method: str, signature: str = "", *values: Any, within_s: float = CALL_S
    ) -> tuple[Any, ...]:
        """Call a method of a service and return its results; raises BusError."""
        interface, _, member = method.rpartition(".")
        self._serial += 1
        body = write(signature, values)
        fields: list[tuple[int, Variant]] = [
            (_PATH, Variant("o", path)), (_INTERFACE, Variant("s", interface)), (_MEMBER, Variant("s", member)),
            (_TO, Variant("s", to)),
        ]  # fmt: skip
        if signature:
            fields.append((_SIGNATURE, Variant("g", signature)))
        head = write("yyyyuua(yv)", (ord("l"), _CALL, 0, 1, len(body), self._serial, fields))
        until = self._now() + within_s
        try:
            self._set_deadline(until)
            self._socket.sendall(head + bytes(-len(head) % 8) + body)
            while True:
                kind, told, results = self._receive(until)
                if told.get(_REPLY) == self._serial and kind in (_RETURN, _ERROR):
                    break
        except TimeoutError as error:
            raise BusError(f"{to}: expected an answer to {member} within {within_s:g} s, found none") from error
        except (OSError, BadMessage) as error:
            raise BusError(f"{to}: expected an answer to {member}, found: {error}") from error
        if kind == _ERROR:
            reason = str(results[0]) if results else str(told.get(_ERROR_NAME, ""))
            raise BusError(f"{to}: {member}: {' '.join(reason.split())}", str(told.get(_ERROR_NAME, "")))
        return results

    def get(self, to: str, path: str, name: str) -> Any:
        """Return a property, such as `org.freedesktop.timedate1.Timezone`; raises BusError."""
        interface, _, member = name.rpartition(".")
        return self.call(to, path, f"{PROPERTIES}.Get", "ss", interface, member)[0]

    def get_all(self, to: str, path: str, interface: str) -> Mapping[str, Any]:
        """Return all properties of an interface by name; raises BusError."""
        found: Mapping[str, Any] = self.call(to, path, f"{PROPERTIES}.GetAll", "s", interface)[0]
        return found

    def _sign_in(self, until: float) -> None:
        try:
            self._set_deadline(until)
            self._socket.sendall(b"\0AUTH EXTERNAL " + str(os.geteuid()).encode().hex().encode() + b"\r\n")
            answer = b""
            while not answer.endswith(b"\r\n"):
                if not (more := self._socket.recv(256)):
                    raise BusError("expected the system bus to let this user in, found the connection closed")
                answer += more
            if not answer.startswith(b"OK "):
                raise BusError(f"expected the system bus to let this user in, found: {answer[:80]!r}")
            self._socket.sendall(b"BEGIN\r\n")
        except OSError as error:
            raise BusError(f"expected the system bus to let this user in, found: {error}") from error

    def _receive(self, until: float) -> tuple[int, dict[int, Any], tuple[Any, ...]]:
        """Return the kind of the next message, its header fields and its body."""
        start = self._bytes(16, until)
        little = start[0] == ord("l")
        size, _, fields = struct.unpack("<III" if little else ">III", start[4:16])
        whole = 16 + fields + -fields % 8 + size
        if whole > _LARGEST:
            raise BadMessage(f"expected a D-Bus message of at most {_LARGEST} bytes, found {whole}")
        data = start + self._bytes(whole - 16, until)
        told = dict(Reader(data, little=little, at=12).read("a(yv)")[0])
        body = Reader(data[whole - size :], little=little)
        return start[1], told, body.read(told[_SIGNATURE]) if _SIGNATURE in told else ()

    def _bytes(self, size: int, until: float) -> bytes:
        found = bytearray()
        while len(found) < size:
            self._set_deadline(until)
            if not (more := self._socket.recv(size - len(found))):
                raise BadMessage("the bus has closed the connection")
            found += more
        return bytes(found)

    def _set_deadline(self, until: float) -> None:
        left = until - self._now()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)


def _connected(address: str) -> socket.socket:
    """Return a connection to the first address of a list that leads anywhere; raises BusError."""
    told = "no address"
    for one in address.split(";"):
        kind, _, keys = one.partition(":")
        known = dict(key.split("=", 1) for key in keys.split(",") if "=" in key)
        place = known.get("path") or ("\0" + known["abstract"] if "abstract" in known else "")
        if kind != "unix" or not place:
            told = f"the address {one!r}"
            continue
        door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            door.settimeout(CALL_S)
            door.connect(place)
        except OSError as error:
            door.close()
            told = str(error)
        else:
            return door
    raise BusError(f"expected the system bus at {address}, found: {told}")
