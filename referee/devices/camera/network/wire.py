"""Bytes from a camera over the network, and the greatest age that the pictures in them can have.

It matters when a picture arrived, and bytes that are read late may have waited in this machine for an unknown time. So
each read first checks whether any bytes are waiting. If none are, the bytes that are read next have arrived after that
moment, however late they are read.

From this follows, for each picture, a moment at or after which it was sent.

A picture can be late for two reasons. One is the camera itself: exposing, developing, compressing, and whatever its
program buffers. This takes about the same time for each picture, and cannot be measured from what arrives. The setting
`lag_s` is an upper limit for it. The other reason is a queue: if the network or the reader is slower than the camera,
pictures wait for seconds in the camera's socket or on the way. This is measured here for each picture.

`Rhythm` knows only when pictures arrived, as with MJPEG. Pictures from a queue arrive immediately one after the other.
So a picture is known to be new if it and the ones before it each came after a pause, and about when they were due. An
interruption of the network is a pause, too, but a longer one, and the pictures that were queued during it come without
pauses. A picture that is not known to be new is at least not older than the connection, whose queue was empty when it
was opened. So if no new picture comes, a new connection is opened.

`CameraClock` also knows the time of each picture by the camera's own clock, as with RTSP. The offset of that clock is
taken from the picture that took the least time. Any other picture has waited for as long as it took more than that.
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
"""The beginning of a certificate's fingerprint in the settings."""
LEFT_OVER = 2
"""The number of pictures at the beginning of a connection that may be older than it: cameras keep one or two ready."""
PAUSE_S = 0.003
PAUSE_SHARE = 0.15
"""A picture is known to be new only after a pause of at least PAUSE_S seconds and of this fraction of its interval.
Without such a pause it may have waited in a queue."""
LATE = 2.5
"""If a picture comes after more than this many usual intervals, there was an interruption."""
IN_STEP = 3
"""How many pictures in a row make a rhythm."""
REMEMBERED = 15
FEWEST = 4
"""The number of intervals that must be known before the usual one is."""
DRIFT = 2e-4
"""The largest difference in speed between the two clocks, as a fraction."""
NEARER_S = 0.02
SETTLED = 8
SETTLED_S = 0.5
"""The offset of a camera's clock is known once more than SETTLED pictures, over at least SETTLED_S seconds, include
none that was faster by more than NEARER_S."""


class Silent(TimeoutError):
    """Nothing arrived in time."""


class Wire:
    """A connection that one thread reads. `stop` may be called in another thread, and ends a read that is waiting."""

    def __init__(self, sock: socket.socket, silent_s: float, now: Now = time.monotonic) -> None:
        """Set up reading; reads raise Silent if nothing comes for `silent_s` seconds."""
        self._sock, self._silent_s, self._now = sock, silent_s, now
        sock.settimeout(silent_s)
        self._poll = select.poll()
        self._poll.register(sock.fileno(), select.POLLIN)
        self.empty_at = self.arrived_at = now()
        """`empty_at` is the last moment at which no bytes were waiting here; `arrived_at` is when bytes had come after
        it."""

    @property
    def peer(self) -> str:
        """The numeric address that answered."""
        return str(self._sock.getpeername()[0])

    def send(self, data: bytes) -> None:
        """Send all of `data`."""
        self._sock.sendall(data)

    def more(self, until: float = float("inf")) -> bytes:
        """Return the next bytes; none at the end of the connection.

        Raises Silent after the moment `until` in any case.
        """
        asked = self._now()  # before the check: if nothing waits, what is read next has come after this moment
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
        """End the reading or sending that is under way."""
        with contextlib.suppress(OSError):
            socket.socket.shutdown(self._sock, socket.SHUT_RDWR)  # below TLS, whose state belongs to another thread

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
    """Connect to the first of `ends` that answers; https is encrypted, and the other side is verified.

    `fingerprint` is the hash of the certificate, for one that no authority has signed. If it is empty, an authority is
    required.
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
    """Return a fingerprint as 64 hexadecimal digits, for comparing; raises ValueError for anything else."""
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
    """Return the connection under TLS; nothing is sent before the certificate has been verified."""
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
    """Judges the pictures of one connection by when they arrive; moments are monotonic seconds."""

    def __init__(self, opened_at: float) -> None:
        self._opened_at, self._bound = opened_at, -math.inf
        self._count = self._in_step = 0
        self._last: float | None = None
        self._intervals: deque[float] = deque(maxlen=REMEMBERED)

    def take_time(self, empty_at: float, arrived_at: float, pause_s: float) -> float:
        """Return the moment after which a picture was sent; minus infinity if none is known.

        The first byte of the picture came at `arrived_at`; at `empty_at` no bytes had been waiting here. `pause_s` is
        the longest time without bytes since the previous picture, in seconds.
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
        return self._bound  # pictures come in order, so none is older than the one before


class CameraClock:
    """Judges the pictures of one connection by the camera's clock and by when they arrive; both in seconds."""

    def __init__(self) -> None:
        self._least = self._mark = math.inf
        self._last = (-math.inf, -math.inf)
        self._settled = 0
        self._since = math.inf

    def take_time(self, stamp: float, arrived_at: float) -> float:
        """Return the moment after which a picture was sent; `stamp` is its time by the camera's clock.

        Returns minus infinity while the offset of the clock is not known. The first pictures of a connection may have
        been stored before it was opened. They come faster and faster until none of them is left.
        """
        before, at = self._last
        if stamp <= before:  # the clock was reset, or stands still
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
