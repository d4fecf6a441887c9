"""Bytes from a camera over the network, and how old the pictures in them are at most.

When a picture arrived matters as much as the picture, and a late read finds bytes that have lain in this machine for
an unknown time. So each read first checks whether anything waits: what is read after a moment at which nothing did has
arrived after that moment, however late it is read.

For each picture this gives a moment at or after which it was sent.

A picture comes late for two reasons. One is the way through the camera: exposing, developing, compressing, and
whatever its program buffers. That takes about the same time for each picture and cannot be measured from what arrives:
it is the setting `lag_s`, a bound. The other is a queue: where network or reader are slower than the camera, pictures
wait in the camera's socket or on the way, for seconds. That is measured here, picture by picture.

`Rhythm` knows arrival times only, as of MJPEG. Queued pictures arrive one immediately after the other. So a picture is
known to be new by its rhythm: it came after a pause, as did the one before, and about when it was due. An interruption
of the network is a pause, too, but a long one, and what was queued meanwhile comes without any. A picture that proves
nothing is at least not older than the connection, whose queue was empty when it was opened: then a new one is opened.

`CameraClock` also knows the camera's own clock, as of RTSP. Its offset from ours is taken from the picture that took
the least time; any other picture has waited for as long as it took longer.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import math
import select
import socket
import ssl
import statistics
import time
from collections import deque

from referee.devices.camera.camera import Now
from referee.devices.camera.network.address import Address, SocketAddress
from referee.errors import CameraLost, Loss
from referee.game.notice import Notice

MOST_AT_ONCE = 1 << 16
FINGERPRINT = "sha256:"
"""How the settings mark a certificate's fingerprint."""
LEFT_OVER = 2
"""Pictures at the beginning of a connection that may be older than it: cameras keep one or two ready."""
PAUSE_S = 0.003
PAUSE_SHARE = 0.15
"""A picture is known to be new only after a pause of at least PAUSE_S seconds and of this part of its interval:
without one it may have waited in a queue."""
LATE = 2.5
"""A picture that comes after more than this many usual intervals comes after an interruption."""
IN_STEP = 3
"""How many pictures in a row make a rhythm."""
REMEMBERED = 15
FEWEST = 4
"""Intervals from which on the usual one is known."""
DRIFT = 2e-4
"""The largest difference in speed between the two clocks, as a part."""
NEARER_S = 0.02
SETTLED = 8
SETTLED_S = 0.5
"""A camera's clock is known once this many pictures over this long a time were none faster by more than that."""


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
    except BaseException:  # also Ctrl-C: the socket is closed
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


class Rhythm:
    """The pictures of one connection, judged by when they arrive; moments are monotonic seconds."""

    def __init__(self, opened_at: float) -> None:
        self._opened_at, self._bound = opened_at, -math.inf
        self._count = self._in_step = 0
        self._last: float | None = None
        self._intervals: deque[float] = deque(maxlen=REMEMBERED)

    def take_time(self, empty_at: float, arrived_at: float, pause_s: float) -> float:
        """Return the moment after which a picture was sent, minus infinity where nothing is known.

        Its first byte came at `arrived_at`, and at `empty_at` nothing had been waiting here. `pause_s`: how many
        seconds nothing came between the picture before and this one.
        """
        self._count += 1
        if self._last is not None:
            interval = arrived_at - self._last
            known = len(self._intervals) >= FEWEST
            due = not known or interval <= LATE * statistics.median(self._intervals)
            waited = pause_s >= max(PAUSE_S, PAUSE_SHARE * interval)
            self._in_step = self._in_step + 1 if due and waited and known else 0
            self._intervals.append(interval)
        self._last = arrived_at
        if self._count > LEFT_OVER:
            self._bound = max(self._bound, self._opened_at)
        if self._in_step >= IN_STEP:
            self._bound = max(self._bound, empty_at)
        return self._bound  # pictures come in their order: none is older than the one before


class CameraClock:
    """The pictures of one connection, judged by the camera's clock and by when they arrive; both in seconds."""

    def __init__(self) -> None:
        self._least = self._mark = math.inf
        self._last = (-math.inf, -math.inf)
        self._settled = 0
        self._since = math.inf

    def take_time(self, stamp: float, arrived_at: float) -> float:
        """Return the moment after which a picture was sent; `stamp` is its time by the camera's clock.

        Minus infinity while the clock is not known: the first pictures of a connection may have been stored for it,
        and come faster and faster until that store is used up.
        """
        before, at = self._last
        if stamp <= before:  # it began anew, or stands still
            self._least = self._mark = math.inf
        self._last = stamp, arrived_at
        took = arrived_at - stamp
        self._least = min(took, self._least + DRIFT * max(0.0, arrived_at - at))
        if self._least < self._mark - NEARER_S:
            self._mark, self._settled, self._since = self._least, 0, arrived_at
        self._mark = max(self._mark, self._least)
        self._settled += 1
        if self._settled <= SETTLED or arrived_at - self._since < SETTLED_S:
            return -math.inf
        return stamp + self._least
