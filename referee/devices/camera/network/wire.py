"""Bytes from a camera over the network, and since when none of them had been waiting here.

When a picture arrived matters as much as the picture, and a late read finds bytes that have lain in this machine for
an unknown time. So each read first checks whether anything waits: what is read after a moment at which nothing did has
arrived after that moment, however late it is read.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import select
import socket
import ssl
import time

from referee.devices.camera.camera import Now
from referee.devices.camera.network.address import Address, SocketAddress
from referee.errors import CameraLost, Loss
from referee.game.notice import Notice

MOST_AT_ONCE = 1 << 16
FINGERPRINT = "sha256:"
"""How the settings mark a certificate's fingerprint."""


class Silent(TimeoutError):
    """Nothing came in time."""


class Wire:
    """A connection, read by one thread; `stop` may be called in another and ends a read that waits."""

    def __init__(self, sock: socket.socket, silent_s: float, now: Now = time.monotonic) -> None:
        """Reads raise Silent where nothing comes for `silent_s` seconds."""
        self._sock, self._silent_s, self._now = sock, silent_s, now
        sock.settimeout(silent_s)
        self._poll = select.poll()
        self._poll.register(sock.fileno(), select.POLLIN)
        self.empty_at = self.arrived_at = now()
        """The last moment at which nothing had been waiting here, and the one at which something had come then."""

    @property
    def peer(self) -> str:
        """The numeric address that answered."""
        return str(self._sock.getpeername()[0])

    def send(self, data: bytes) -> None:
        """Send all of `data`."""
        self._sock.sendall(data)

    def more(self, until: float = float("inf")) -> bytes:
        """Return the next bytes; none at the end. `until`: the moment after which Silent is raised in any case."""
        asked = self._now()  # before looking: by then nothing of what is read next had come
        if not self._waits(0.0):
            self.empty_at = asked
            if not self._waits(max(0.0, min(self._silent_s, until - asked))):
                raise Silent
            self.arrived_at = self._now()
        elif asked >= until:
            raise Silent
        try:
            return self._sock.recv(MOST_AT_ONCE)
        except TimeoutError:
            raise Silent from None

    def stop(self) -> None:
        """End what is being read or sent."""
        with contextlib.suppress(OSError):
            socket.socket.shutdown(self._sock, socket.SHUT_RDWR)  # below TLS, whose own state is another thread's

    def close(self) -> None:
        """Close the connection; to be called by the thread that reads."""
        with contextlib.suppress(OSError):
            self._sock.close()

    def _waits(self, within_s: float) -> bool:
        if isinstance(self._sock, ssl.SSLSocket) and self._sock.pending():
            return True
        return bool(self._poll.poll(within_s * 1000))


def connect(
    address: Address, ends: list[SocketAddress], fingerprint: str, timeout_s: float, now: Now = time.monotonic
) -> Wire:
    """Connect to the first of `ends` that answers; https is encrypted, and the other side verified.

    `fingerprint`: the hash of the certificate, where no authority vouches for it; empty to require an authority.
    """
    sock = _connect_socket(address, ends, timeout_s)
    try:
        if address.scheme == "https":
            sock = _encrypt(address, sock, fingerprint)
        return Wire(sock, timeout_s, now)
    except BaseException:
        sock.close()
        raise


def fingerprint_of(text: str) -> str:
    """Return a fingerprint as 64 hexadecimal digits, to be compared; raises ValueError for anything else."""
    digits = text.lower().removeprefix(FINGERPRINT).replace(":", "").replace(" ", "")
    if len(bytes.fromhex(digits)) != hashlib.sha256().digest_size:
        raise ValueError
    return digits


def _connect_socket(address: Address, ends: list[SocketAddress], timeout_s: float) -> socket.socket:
    told = Notice("camera.net_absent", place=address.place, reason="")
    for end in ends:
        sock = socket.socket(end.family, socket.SOCK_STREAM)
        sock.settimeout(timeout_s / len(ends))
        try:
            sock.connect(end.socket_address)
        except OSError as error:
            told = Notice("camera.net_no_answer", place=address.place)
            if not isinstance(error, TimeoutError):
                reason = (error.strerror or type(error).__name__).lower()
                told = Notice("camera.net_absent", place=address.place, reason=reason)
            sock.close()
        else:
            return sock
    raise CameraLost(told, Loss.ABSENT)


def _encrypt(address: Address, sock: socket.socket, fingerprint: str) -> socket.socket:
    """Return the connection under TLS; nothing is sent before the certificate was verified."""
    context = ssl.create_default_context()
    if fingerprint:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        secure = context.wrap_socket(sock, server_hostname=address.host)
    except ssl.SSLCertVerificationError as error:
        sock.close()
        refused = Notice("camera.net_certificate_refused", place=address.place, reason=error.verify_message)
        raise CameraLost(refused, Loss.UNUSABLE) from None
    except (OSError, ValueError) as error:
        sock.close()
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None)
        silent = Notice("camera.net_no_https_answer", place=address.place)
        other = Notice("camera.net_no_https", place=address.place, reason=str(reason))
        raise CameraLost(other if reason else silent, Loss.LOST) from None
    shown = hashlib.sha256(secure.getpeercert(binary_form=True) or b"").hexdigest()
    if fingerprint and not hmac.compare_digest(shown, fingerprint):
        secure.close()
        other = Notice("camera.net_other_certificate", place=address.place, found=FINGERPRINT + shown)
        raise CameraLost(other, Loss.UNUSABLE)
    return secure
